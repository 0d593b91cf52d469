"""Operations: which system to take for which review job."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from finassay.apps.web.browsing import LONGEST_NAME
from finassay.apps.web.desk import DeskOf
from finassay.apps.web.outcomes import operations_page, placeless
from finassay.apps.web.rendering import render
from finassay.errors import MappingError, MissingVerdictsError, UsageError
from finassay.reports.operations_workflow import controls_in, families_in

router = APIRouter()

Knowledge = Annotated[
    list[Annotated[str, Query(max_length=LONGEST_NAME)]] | None,
    Query(max_length=50, description="Families that are knowledge, beside those that say so."),
]


@router.get("/operations", response_class=HTMLResponse)
async def operations(request: Request, desk: DeskOf, knowledge: Knowledge = None) -> HTMLResponse:
    """Show profiles of systems, regret of shortlists and how far operations agree."""
    page, why = None, ""
    try:
        page = await operations_page(desk, knowledge or ())
    except (UsageError, MappingError, MissingVerdictsError) as error:
        why = placeless(desk, error)
    return render(
        request,
        "operations.html.j2",
        title="Operations",
        page=page,
        why=why,
        knowledge=knowledge or (),
        families=() if page else await desk.get("families", families_in),
        controls=await desk.get("controls", controls_in),
    )
