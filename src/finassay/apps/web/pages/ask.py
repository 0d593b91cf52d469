"""Ask or proceed: who asks when evidence is missing, and for what."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from finassay.apps.web.browsing import LONGEST_NAME
from finassay.apps.web.desk import DeskOf
from finassay.apps.web.outcomes import ask_page, asking_of
from finassay.apps.web.rendering import render
from finassay.errors import MissingVerdictsError
from finassay.reports.ask_cases import page_of_cases
from finassay.reports.ask_workflow import alignments_in

router = APIRouter()

BADGES = {"hit": "right", "miss": "wrong", "partial": "part", "none": "none"}

Alignment = Annotated[str, Query(max_length=LONGEST_NAME, description="Scorer id of requests.")]
PageNumber = Annotated[int, Query(ge=1, le=100_000, description="Page of cases.")]


@router.get("/ask", response_class=HTMLResponse)
async def ask(
    request: Request, desk: DeskOf, alignment: Alignment = "", page: PageNumber = 1
) -> HTMLResponse:
    """Show recall against alignment, ranks that differ, and cases."""
    alignments = await desk.get("alignments", alignments_in)
    if alignment and alignment not in alignments:
        alignment = ""
    try:
        report, outcomes = await asking_of(desk, alignment)
    except MissingVerdictsError as error:
        return render(
            request, "ask.html.j2", title="Ask or proceed", page=None, why=str(error), cards=()
        )
    cases = page_of_cases(outcomes, report, page)
    return render(
        request,
        "ask.html.j2",
        title="Ask or proceed",
        page=await ask_page(desk, alignment, report),
        alignment=outcomes.alignment,
        asked=alignment,
        alignments=alignments,
        cards=() if desk.settings.no_text else cases.cards,
        at=cases.page,
        pages=cases.pages,
        badges=BADGES,
    )
