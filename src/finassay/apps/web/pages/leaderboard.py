"""The leaderboard: who is ahead, under which regime."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from finassay.apps.web.desk import DeskOf
from finassay.apps.web.rendering import render
from finassay.reports.outline import outline

router = APIRouter()


@router.get("/", response_class=HTMLResponse)
async def leaderboard(request: Request, desk: DeskOf) -> HTMLResponse:
    """Show the leaderboard."""
    report = outline(await desk.audit(), no_text=desk.settings.no_text)
    return render(request, "leaderboard.html.j2", title="Leaderboard", report=report)
