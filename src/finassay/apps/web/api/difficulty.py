"""Difficulty as JSON."""

from __future__ import annotations

from dataclasses import replace

from fastapi import APIRouter

from finassay.analyses.results_gaps import Difficulty
from finassay.apps.web.browsing import Name
from finassay.apps.web.desk import DeskOf
from finassay.apps.web.pages.difficulty import difficulty_under, system_of

router = APIRouter(prefix="/api", tags=["difficulty"])


@router.get("/difficulty")
async def difficulty(desk: DeskOf, rule: Name = "", system: Name = "") -> Difficulty:
    """Return what is difficult under a rule; with `system`, that system's part alone."""
    found = await difficulty_under(desk, await desk.view(), rule)
    if not system:
        return found
    return replace(found, by_system=(system_of(found, system),))
