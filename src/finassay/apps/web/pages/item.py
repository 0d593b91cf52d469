"""One item: the question, every system's reply, and every verdict with its reason."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from finassay.apps.web.browsing import (
    LONGEST_NAME,
    PAGE_SIZE,
    Name,
    PageNumber,
    QueryOf,
    Trial,
    query_fields,
    refuse_search,
    shelves_of,
)
from finassay.apps.web.desk import DeskOf
from finassay.apps.web.folding import folded
from finassay.apps.web.rendering import links_of, render
from finassay.marking.browsing.item import show_item
from finassay.marking.browsing.listing import matching, place_of
from finassay.marking.browsing.records import MOST_REPLIES
from finassay.marking.browsing.why import why_marked

router = APIRouter()

ItemId = Annotated[str, Query(alias="id", max_length=LONGEST_NAME)]


@router.get("/item", response_class=HTMLResponse, include_in_schema=False)
async def item(
    request: Request,
    desk: DeskOf,
    query: QueryOf,
    item_id: ItemId,
    page: PageNumber = 1,
    trial: Trial = 0,
) -> HTMLResponse:
    """Show an item with a page of the replies to it."""
    refuse_search(desk, query)
    shelves = await shelves_of(desk, trial)
    shown = await asyncio.to_thread(
        show_item, shelves, item_id, rule=query.rule, start=(page - 1) * MOST_REPLIES
    )
    ids = await asyncio.to_thread(matching, shelves.snapshot, shelves.index, query)
    place = place_of(ids, item_id)
    fields = query_fields(query)
    return render(
        request,
        "item.html.j2",
        title=f"Item {item_id}",
        shown=shown,
        place=place,
        fields=fields,
        page=page,
        list_page=None if place.number is None else (place.number - 1) // PAGE_SIZE + 1,
        folded=folded,
        index=shelves.index,
    )


@router.get("/items/{item_id:path}", include_in_schema=False)
async def item_by_path(request: Request, item_id: str) -> RedirectResponse:
    """Lead to the page of an item, for addresses that were typed."""
    return RedirectResponse(links_of(request).link("item", id=item_id), status_code=307)


@router.get("/why", response_class=HTMLResponse, include_in_schema=False)
async def why(
    request: Request, desk: DeskOf, item_id: ItemId, system: Name, trial: Trial = 0
) -> HTMLResponse:
    """Show the steps by which each rule came to its verdict on a reply, and what judges read."""
    shelves = await shelves_of(desk, trial)
    found = await asyncio.to_thread(why_marked, shelves, item_id, system)
    return render(
        request,
        "why.html.j2",
        title=f"Why {system} got these marks",
        found=found,
        trial=trial,
        folded=folded,
    )
