"""What pages of items ask for.  In: the query of a request.  Out: queries and what is at hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import Depends, Query
from pydantic import BeforeValidator, Field

from finassay.apps.web.desk import Desk
from finassay.errors import UsageError
from finassay.marking.browsing.item import Shelves, open_shelves
from finassay.marking.browsing.records import MOST_ROWS, ItemQuery, Order, Outcome, Side

LONGEST_NAME = 500
LONGEST_WORDS = 200
MOST = 10_000_000
"""Largest place in a list that can be asked for."""

PAGE_SIZE = 50


def _unless_empty(value: object) -> object:
    """Return None for what a form sends of a field that was left empty."""
    return None if value == "" else value


Name = Annotated[str, Query(max_length=LONGEST_NAME)]
Words = Annotated[str, Query(max_length=LONGEST_WORDS)]
Flag = Annotated[bool, Query()]
Number = Annotated[int, Field(ge=0, le=MOST)]
Count = Annotated[Number | None, BeforeValidator(_unless_empty), Query()]
PageNumber = Annotated[int, Query(ge=1, le=MOST)]
Size = Annotated[int, Query(ge=1, le=MOST_ROWS)]
Trial = Annotated[int, Query(ge=0, le=MOST)]
AnOutcome = Annotated[Outcome | None, BeforeValidator(_unless_empty), Query()]


def item_query(  # noqa: PLR0913 - one parameter for each field of the form
    *,
    benchmark: Name = "",
    family: Name = "",
    task: Name = "",
    difficulty: Name = "",
    q: Words = "",
    where: Side = "items",
    rule: Name = "",
    k_from: Count = None,
    k_to: Count = None,
    system: Name = "",
    outcome: AnOutcome = None,
    against: Name = "",
    disputed: Flag = False,
    order: Order = "id",
    reverse: Flag = False,
) -> ItemQuery:
    """Return which items are asked for.

    Raises:
        UsageError: the parts do not go together.
    """
    return ItemQuery(
        benchmark=benchmark,
        family=family,
        task=task,
        difficulty=difficulty,
        text=q,
        where=where,
        rule=rule,
        k_least=k_from,
        k_most=k_to,
        system=system,
        outcome=outcome,
        against=against,
        is_disputed=disputed,
        order=order,
        is_reversed=reverse,
    )


QueryOf = Annotated[ItemQuery, Depends(item_query)]


def query_fields(query: ItemQuery) -> Mapping[str, str | int | bool | None]:
    """Return a query as parameters of a link, the inverse of `item_query`; defaults are None."""
    return {
        "benchmark": query.benchmark,
        "family": query.family,
        "task": query.task,
        "difficulty": query.difficulty,
        "q": query.text,
        "where": query.where if query.text and query.where != "items" else None,
        "rule": query.rule,
        "k_from": query.k_least,
        "k_to": query.k_most,
        "system": query.system,
        "outcome": query.outcome,
        "against": query.against,
        "disputed": query.is_disputed or None,
        "order": query.order if query.order != "id" else None,
        "reverse": query.is_reversed or None,
    }


async def shelves_of(desk: Desk, trial: int = 0) -> Shelves:
    """Return what items are read from, opened once for each state of the study."""
    return await desk.get(
        f"items of trial {trial}",
        lambda snapshot: open_shelves(snapshot, desk.study, desk.shelf, trial=trial),
    )


def refuse_search(desk: Desk, query: ItemQuery) -> None:
    """Check that no text is asked after where texts are left out.

    Raises:
        UsageError: it is.
    """
    if desk.settings.no_text and query.text:
        raise UsageError(
            f"this server leaves texts out, so {query.text!r} cannot be looked for; leave out `q`"
        )
