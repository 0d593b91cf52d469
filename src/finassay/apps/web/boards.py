"""Leaderboards as pages and the API ask for them.  In: a desk and a query.  Out: standings."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Query
from pydantic import BaseModel, Field

from finassay.analyses.results_audit import Audit
from finassay.analyses.results_multiverse import MultiverseResult
from finassay.analyses.rule_boards import (
    RuleBoard,
    default_rule,
    regime_names,
    rule_board,
    rule_names,
)
from finassay.apps.web.browsing import LONGEST_NAME, LONGEST_WORDS
from finassay.apps.web.desk import Desk, StillComputingError
from finassay.apps.web.outcomes import placeless
from finassay.errors import FinassayError, UnknownNameError
from finassay.reports.standings.build import standings
from finassay.reports.standings.order import RANK, TASK, Wanted, arranged
from finassay.reports.standings.records import Standings

FEW = 20_000
"""Predictions up to which an open leaderboard starts the multiverse by itself."""


class Asked(BaseModel):
    """What a reader asks of the leaderboard.

    Attributes:
        regime: regime name, or scorer id of a rule; the first regime, else the primary rule.
        task: family of items; all by default.
        sort: column to sort by; by rank if "".
        order: asc or desc; as suits the column by default.
        kind: model, baseline or all.
        name: part of a name.
    """

    regime: str = Field(default="", max_length=LONGEST_NAME)
    task: str = Field(default="", max_length=LONGEST_NAME)
    sort: str = Field(default="", max_length=len(TASK) + LONGEST_NAME)
    order: Literal["", "asc", "desc"] = ""
    kind: Literal["all", "model", "baseline"] = "all"
    name: str = Field(default="", max_length=LONGEST_WORDS)


AskedOf = Annotated[Asked, Query()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How far a study under every rule is.

    Attributes:
        found: the result; None while it is computed, or where there can be none.
        is_pending: whether it is being computed.
        why: why there is none; "" while there may be one.
        is_unasked: whether there is none because nobody asked for it yet.
        done: systems marked so far.
        steps: systems in all; 0 before the first.
        next: the system that is being marked.
    """

    found: MultiverseResult | None = None
    is_pending: bool = False
    why: str = ""
    is_unasked: bool = False
    done: int = 0
    steps: int = 0
    next: str = ""


async def standings_of(desk: Desk, asked: Asked, *, is_open: bool = False) -> Standings:
    """Return the leaderboard that is asked for, sorted and filtered.

    Args:
        desk: of the server.
        asked: what is asked for.
        is_open: whether a reader has the page open and waits for what is still missing.

    Raises:
        UnknownNameError: there is no such regime, rule or task.
        UsageError: no such column to sort by.
        StillComputingError: the audit is being computed.
    """
    audit = await desk.audit()
    made = await board_of(desk, audit, asked)
    far = await rules_of(desk, start=is_open and is_small(audit))
    board = standings(audit, made, rules=far.found, is_pending=far.is_pending)
    wanted = Wanted(sort=asked.sort or RANK, order=asked.order, kind=asked.kind, name=asked.name)
    return arranged(board, wanted)


def is_small(audit: Audit) -> bool:
    """Return whether every rule can be tried within a minute or so."""
    return (audit.n_predictions or 0) <= FEW


async def board_of(desk: Desk, audit: Audit, asked: Asked) -> RuleBoard:
    """Return the board of a regime or rule, each computed once.

    Raises:
        UnknownNameError: there is no such regime, rule or task.
    """
    name = asked.regime or default_rule(audit)
    # Only names that exist become keys, so that what is kept cannot grow with what is asked.
    known = (*regime_names(audit), *rule_names(audit))
    if name not in known:
        raise UnknownNameError(f"no regime or rule {name!r}; expected one of {', '.join(known)}")
    tasks = audit.leaderboard.families
    if asked.task and asked.task not in tasks:
        raise UnknownNameError(
            f"no task {asked.task!r}; expected one of {', '.join(tasks) or 'none'}"
        )
    view = await desk.view()
    return await desk.get(
        f"board {name!r} {asked.task!r}",
        lambda _snapshot: rule_board(view, audit, name, task=asked.task),
    )


async def rules_of(desk: Desk, *, start: bool) -> Rules:
    """Return the study under every rule, or how far it is; a static export waits for it.

    Args:
        desk: of the server.
        start: whether to start it where it was not.
    """
    if desk.settings.is_static:
        try:
            return Rules(found=await desk.multiverse())
        except StillComputingError:
            raise
        except FinassayError as error:
            return Rules(why=placeless(desk, error))
    future = await asyncio.to_thread(desk.multiverse_known)
    if future is None and start:
        future = await asyncio.to_thread(desk.multiverse_begun)
    if future is None:
        return Rules(why="nobody asked for them yet", is_unasked=True)
    if not future.done():
        done, steps, name = desk.steps
        return Rules(is_pending=True, done=done, steps=steps, next=name)
    failed = future.exception()
    if isinstance(failed, FinassayError):
        return Rules(why=placeless(desk, failed))
    return Rules(found=future.result())
