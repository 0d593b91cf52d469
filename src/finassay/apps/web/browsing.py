"""What pages of items ask for.  In: the query of a request.  Out: queries and what is at hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

from fastapi import Depends, Query
from pydantic import BeforeValidator, Field

from finassay.apps.web.desk import Desk
from finassay.errors import UsageError
from finassay.marking.browsing.item import Shelves, open_shelves
from finassay.marking.browsing.records import MOST_ROWS, ItemOrder, ItemQuery, Outcome, Side

LONGEST_NAME = 2_000
"""Characters of a name in a query: names of a study are links, and a longer one leads nowhere."""

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


def columns_asked(
    *, benchmark: Name = "", family: Name = "", task: Name = "", difficulty: Name = ""
) -> ItemQuery:
    """Return which values items are asked for."""
    return ItemQuery(benchmark=benchmark, family=family, task=task, difficulty=difficulty)


def rules_asked(
    *,
    rule: Name = "",
    k_from: Count = None,
    k_to: Count = None,
    against: Name = "",
    disputed: Flag = False,
) -> ItemQuery:
    """Return what rules are to say of items.

    Raises:
        UsageError: the parts do not go together.
    """
    return ItemQuery(rule=rule, k_least=k_from, k_most=k_to, against=against, is_disputed=disputed)


def system_asked(*, system: Name = "", outcome: AnOutcome = None) -> ItemQuery:
    """Return what is to be said of one system's replies.

    Raises:
        UsageError: an outcome without a system.
    """
    return ItemQuery(system=system, outcome=outcome)


def item_query(
    *,
    columns: Annotated[ItemQuery, Depends(columns_asked)],
    rules: Annotated[ItemQuery, Depends(rules_asked)],
    one: Annotated[ItemQuery, Depends(system_asked)],
    q: Words = "",
    where: Side = "items",
    order: ItemOrder = "id",
    reverse: Flag = False,
) -> ItemQuery:
    """Return which items are asked for."""
    return replace(
        columns,
        text=q,
        where=where,
        rule=rules.rule,
        k_least=rules.k_least,
        k_most=rules.k_most,
        against=rules.against,
        is_disputed=rules.is_disputed,
        system=one.system,
        outcome=one.outcome,
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
