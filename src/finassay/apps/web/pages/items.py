"""Items: which there are, how hard they are, and where rules disagree."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from finassay.apps.web.browsing import (
    PAGE_SIZE,
    PageNumber,
    QueryOf,
    Size,
    query_fields,
    refuse_search,
    shelves_of,
)
from finassay.apps.web.desk import DeskOf
from finassay.apps.web.rendering import links_of, render
from finassay.marking.browsing.listing import list_items
from finassay.marking.browsing.records import ItemOrder, ItemQuery

router = APIRouter()

ORDERS: tuple[tuple[ItemOrder, str], ...] = (
    ("id", "id"),
    ("k", "hardest"),
    ("disagreement", "most disputed"),
    ("flips", "most flips"),
    ("difficulty", "label"),
    ("family", "family"),
)
"""Orders with the words that a reader sees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A filter to choose: its words, how many items it leaves, where it leads."""

    label: str
    count: int | None
    address: str
    is_chosen: bool


@router.get("/items", response_class=HTMLResponse, include_in_schema=False)
async def items(
    request: Request,
    desk: DeskOf,
    query: QueryOf,
    page: PageNumber = 1,
    size: Size = PAGE_SIZE,
) -> HTMLResponse:
    """Show a page of the items that were asked for."""
    refuse_search(desk, query)
    shelves = await shelves_of(desk)
    found = await asyncio.to_thread(
        list_items, shelves.snapshot, shelves.index, query, start=(page - 1) * size, size=size
    )
    return render(
        request,
        "items.html.j2",
        title="Items",
        found=found,
        index=shelves.index,
        facets=shelves.index.facets,
        fields=query_fields(query),
        page=page,
        size=None if size == PAGE_SIZE else size,
        families=_families(request, query, shelves.index.facets.families),
        orders=_orders(request, query),
    )


def _families(
    request: Request, query: ItemQuery, families: tuple[tuple[str, int], ...]
) -> tuple[Choice, ...]:
    """Return the families as links, all of them first."""
    listed: list[tuple[str, int | None]] = [("", None), *families]
    return tuple(
        Choice(
            label=name or "all",
            count=count,
            address=_address(request, replace(query, family=name)),
            is_chosen=name == query.family,
        )
        for name, count in listed
    )


def _orders(request: Request, query: ItemQuery) -> tuple[Choice, ...]:
    """Return the orders as links; the one that holds leads to its reverse."""
    return tuple(
        Choice(
            label=words,
            count=None,
            address=_address(
                request,
                replace(
                    query,
                    order=order,
                    is_reversed=order == query.order and not query.is_reversed,
                ),
            ),
            is_chosen=order == query.order,
        )
        for order, words in ORDERS
    )


def _address(request: Request, query: ItemQuery) -> str:
    return links_of(request).link("items", **query_fields(query))
