"""One leaderboard of a study, with open ranks.  In: an audit and its view.  Out: a board, ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from finassay.analyses.alignment import aligned, rankable
from finassay.analyses.estimates import Settings
from finassay.analyses.leaderboards import leaderboard
from finassay.analyses.rank_sets import (
    MOST_STATISTICS,
    Resampling,
    n_shared_items,
    rank_confidence,
)
from finassay.analyses.results_audit import Audit
from finassay.analyses.results_ranks import RankSets
from finassay.analyses.results_scores import Leaderboard
from finassay.errors import UnknownNameError
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.view import StudyView
from finassay.records import Item

DRAWS = 2_000
"""Resamples for open ranks; fewer where many systems would make too many statistics."""

FEWEST_DRAWS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBoard:
    """Systems under one rule or regime, on all items or those of one task.

    Attributes:
        name: regime name, or scorer id of the rule.
        is_regime: whether it is a regime.
        task: family of items; "" for all items.
        board: the leaderboard.
        ranks: which ranks the items leave open; None with fewer than two ranked systems, or fewer
            than two items on which all of them count.
        is_primary: whether the verdicts are those of the primary rule on all items, under this
            name or another, so that what the audit tested of that rule holds here.
    """

    name: str
    is_regime: bool
    task: str
    board: Leaderboard
    ranks: RankSets | None
    is_primary: bool


def regime_names(audit: Audit) -> tuple[str, ...]:
    """Return the regimes of an audit in its order; () where it has none."""
    return tuple(board.rule for board in audit.regime_leaderboards)


def rule_names(audit: Audit) -> tuple[str, ...]:
    """Return the scorer ids that have a leaderboard, the primary rule first."""
    return tuple(board.rule for board in (audit.leaderboard, *audit.other_leaderboards))


def default_rule(audit: Audit) -> str:
    """Return what a reader sees first: the regime of the base verdicts, else the primary rule."""
    return next(iter(regime_names(audit)), audit.primary)


def rule_board(view: StudyView, audit: Audit, name: str, *, task: str = "") -> RuleBoard:
    """Return the board of a regime or rule.

    Over all items it is the board of the audit, with the people of the primary board where it
    holds none; over one task it is made from the items of that family alone.

    Args:
        view: the study.
        audit: its audit, of the same versions.
        name: regime name, or scorer id.
        task: family of items; "" for all.

    Raises:
        UnknownNameError: there is no such regime, rule or task.
    """
    is_regime, whole = _board_of(audit, name)
    known = view.regimes if is_regime else view.matrices
    matrix, items = known[name], view.items
    board = whole
    if task:
        items = tuple(item for item in items if item.family == task)
        if not items:
            raise UnknownNameError(
                f"no task {task!r}; expected one of {', '.join(whole.families) or 'none'}"
            )
        wanted = {item.item_id for item in items}
        matrix = matrix.select(rows=lambda row: row[0] in wanted)
        board = _of_task(view, whole, matrix, items)
    elif not whole.persons:
        board = replace(whole, persons=audit.leaderboard.persons)
    primary = not task and _same(matrix, view.matrices[audit.primary])
    return RuleBoard(
        name=name,
        is_regime=is_regime,
        task=task,
        board=board,
        ranks=audit.rank_sets if primary else _open_ranks(name, board, matrix, items),
        is_primary=primary,
    )


def _same(left: VerdictMatrix, right: VerdictMatrix) -> bool:
    """Return whether two matrices hold the same verdicts on the same systems."""
    return left is right or (
        (left.rows, left.columns) == (right.rows, right.columns)
        and np.array_equal(left.status, right.status)
        and np.array_equal(left.values, right.values)
    )


def _board_of(audit: Audit, name: str) -> tuple[bool, Leaderboard]:
    for board in audit.regime_leaderboards:
        if board.rule == name:
            return True, board
    for board in (audit.leaderboard, *audit.other_leaderboards):
        if board.rule == name:
            return False, board
    known = ", ".join((*regime_names(audit), *rule_names(audit)))
    raise UnknownNameError(f"no regime or rule {name!r} with verdicts; expected one of {known}")


def _of_task(
    view: StudyView, whole: Leaderboard, matrix: VerdictMatrix, items: Sequence[Item]
) -> Leaderboard:
    return leaderboard(
        matrix,
        items=items,
        rule=whole.rule,
        settings=Settings(policy=whole.policy, level=whole.level),
        rank_convention=whole.rank_convention,
        kinds={spec.name: spec.kind for spec in view.systems},
    )


def _open_ranks(
    name: str, board: Leaderboard, matrix: VerdictMatrix, items: Sequence[Item]
) -> RankSets | None:
    """Return which ranks the items leave open; None where there is nothing to draw."""
    settings = Settings(policy=board.policy, level=board.level)
    kinds = {row.system for row in board.rows}
    table = aligned(matrix, items)
    systems = [one for one in rankable(table, board.policy) if one in kinds]
    most = int(MOST_STATISTICS // max(1, len(systems) ** 2))
    draws = min(DRAWS, most)
    if len(systems) < 2 or draws < FEWEST_DRAWS:
        return None
    if n_shared_items(table, items, systems=systems, policy=board.policy) < 2:
        return None
    return rank_confidence(
        matrix,
        items=items,
        rule=name,
        settings=settings,
        resampling=Resampling(draws=draws),
        systems=systems,
    )
