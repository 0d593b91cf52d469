"""Items, one item and an example as JSON."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query

from finassay.apps.web.browsing import (
    LONGEST_NAME,
    PAGE_SIZE,
    Name,
    PageNumber,
    QueryOf,
    Size,
    Trial,
    refuse_search,
    shelves_of,
)
from finassay.apps.web.desk import Desk, DeskOf
from finassay.marking.browsing.item import show_item
from finassay.marking.browsing.listing import draw_item, list_items
from finassay.marking.browsing.records import MOST_REPLIES, ItemList, ItemQuery, ItemShown

router = APIRouter(prefix="/api", tags=["items"])

Seed = Annotated[int | None, Query(ge=0, le=2**53)]


@router.get("/items")
async def items(
    desk: DeskOf, query: QueryOf, page: PageNumber = 1, size: Size = PAGE_SIZE
) -> ItemList:
    """Return a page of the items that were asked for, with how many systems are right on each."""
    refuse_search(desk, query)
    shelves = await shelves_of(desk)
    found = await asyncio.to_thread(
        list_items, shelves.snapshot, shelves.index, query, start=(page - 1) * size, size=size
    )
    return found.without_text() if desk.settings.no_text else found


@router.get("/items/{item_id:path}")
async def item(
    desk: DeskOf,
    item_id: Annotated[str, Path(max_length=LONGEST_NAME)],
    rule: Name = "",
    page: PageNumber = 1,
    trial: Trial = 0,
) -> ItemShown:
    """Return an item with up to 25 replies to it, and every verdict on them."""
    return await _shown(desk, item_id, rule=rule, page=page, trial=trial)


@router.get("/item")
async def item_by_query(
    desk: DeskOf,
    item_id: Annotated[str, Query(alias="id", max_length=LONGEST_NAME)],
    rule: Name = "",
    page: PageNumber = 1,
    trial: Trial = 0,
) -> ItemShown:
    """Return an item whose id a path cannot hold, such as "..": the same as `/api/items/ID`."""
    return await _shown(desk, item_id, rule=rule, page=page, trial=trial)


@router.get("/example")
async def example(
    desk: DeskOf, task: Name = "", diff: Name = "", family: Name = "", seed: Seed = None
) -> ItemShown:
    """Return an item drawn at random with up to 25 replies; the same one for the same seed.

    `task`, `diff` (its difficulty label) and `family` say among which items it is drawn.
    """
    shelves = await shelves_of(desk)
    query = ItemQuery(task=task, difficulty=diff, family=family)
    drawn = await asyncio.to_thread(draw_item, shelves.snapshot, shelves.index, query, seed=seed)
    return await _shown(desk, drawn, rule="", page=1, trial=0)


async def _shown(desk: Desk, item_id: str, *, rule: str, page: int, trial: int) -> ItemShown:
    shelves = await shelves_of(desk, trial)
    found = await asyncio.to_thread(
        show_item, shelves, item_id, rule=rule, start=(page - 1) * MOST_REPLIES
    )
    return found.without_text() if desk.settings.no_text else found
