"""Judges and people: how far verdicts of judges can be relied on."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from finassay.apps.web.desk import DeskOf
from finassay.apps.web.outcomes import judges_page
from finassay.apps.web.rendering import render

router = APIRouter()


@router.get("/judges", response_class=HTMLResponse)
async def judges(request: Request, desk: DeskOf) -> HTMLResponse:
    """Show how far judges can be relied on, and how far people are."""
    audit = await desk.audit()
    page = await judges_page(desk)
    return render(
        request,
        "judges.html.j2",
        title="Judges and people",
        page=page,
        has_judges=audit.judges is not None,
        has_people=audit.people is not None,
    )
