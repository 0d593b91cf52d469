"""Two systems as JSON."""

from __future__ import annotations

from fastapi import APIRouter

from finassay.analyses.results_two import TwoSystems
from finassay.apps.web.browsing import Name
from finassay.apps.web.desk import DeskOf
from finassay.apps.web.pages.compare import compared, pair_asked

router = APIRouter(prefix="/api", tags=["compare"])


@router.get("/compare")
async def compare(desk: DeskOf, a: Name = "", b: Name = "", rule: Name = "") -> TwoSystems:
    """Return two systems under a rule: their tests, and the items that each has right.

    The two best ones, and the primary rule, unless others are named.
    """
    view = await desk.view()
    return await compared(desk, view, pair_asked(view, a, b, rule))
