"""Rounding clauses.  In: judges that differ in tolerance.  Out: what depends on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from finassay.analyses.alignment import aligned
from finassay.analyses.estimates import Settings
from finassay.analyses.judges.board import Board
from finassay.analyses.judges.inputs import NamedMatrix
from finassay.analyses.judges.results import JudgeIdentity
from finassay.analyses.judges.results_compare import ClaimChange, ToleranceShift
from finassay.analyses.regimes import compare_regimes
from finassay.analyses.results_rules import RegimeComparison
from finassay.marking.matrix import ABSENT, VerdictMatrix
from finassay.records import JUDGE_PREFIX


def tolerance_shifts(
    board: Board, judges: Sequence[JudgeIdentity], rule: NamedMatrix | None, settings: Settings
) -> tuple[ToleranceShift, ...]:
    """Return how scores and ranks change with the rounding clause of each judge.

    Left out are systems that are the judge itself, and systems or items that one of the clauses, or
    the rule, has no verdict on.

    Args:
        board: verdicts.
        judges: every judge.
        rule: the rule that stands beside; nothing is compared without one.
        settings: policy, level and interval.
    """
    groups: dict[tuple[str, str, str, str], list[JudgeIdentity]] = {}
    for one in judges:
        if one.task:
            groups.setdefault((one.name, one.task, one.arm, one.prompt), []).append(one)
    found = [
        _shift(board, group, rule, settings)
        for group in groups.values()
        if rule is not None and len(group) > 1
    ]
    return tuple(one for one in found if one is not None)


def _shift(
    board: Board, group: Sequence[JudgeIdentity], rule: NamedMatrix | None, settings: Settings
) -> ToleranceShift | None:
    if rule is None:
        return None
    first = group[0]
    said = {one.scorer_id: board.matrices[one.scorer_id] for one in group}
    compared = compare_shared(
        board, {rule.scorer_id: rule.matrix, **said}, settings, left_out=first.own
    )
    if compared is None:
        return None
    return ToleranceShift(
        judge=f"{JUDGE_PREFIX}{first.name}/{first.task}/{first.arm}/{first.prompt}",
        rule=rule.scorer_id,
        comparison=compared,
        changed=order_changes(compared, tuple(said)),
    )


def compare_shared(
    board: Board,
    regimes: Mapping[str, VerdictMatrix],
    settings: Settings,
    *,
    left_out: Sequence[str] = (),
) -> RegimeComparison | None:
    """Return scores and ranks under several scorers, or None where they share too little.

    Compared are the systems on which every scorer has verdicts, over the items on which every
    scorer has one of each of these systems.

    Args:
        board: the items.
        regimes: name -> items x systems verdicts; two or more.
        settings: policy, level and interval.
        left_out: systems that are not compared.
    """
    names = [
        name
        for name in next(iter(regimes.values())).columns
        if name not in left_out
        and all(
            name in matrix.columns and (matrix.select(columns=[name]).status != ABSENT).any()
            for matrix in regimes.values()
        )
    ]
    if len(names) < 2:
        return None
    whole = np.ones(len(board.items), dtype=np.bool_)
    kept = {name: on_board(matrix.select(columns=names), board) for name, matrix in regimes.items()}
    for matrix in kept.values():
        whole &= (matrix.status != ABSENT).all(axis=1)
    items = [item for item, held in zip(board.items, whole, strict=True) if held]
    if not items:
        return None
    ids = {item.item_id for item in items}
    return compare_regimes(
        {name: m.select(rows=lambda row: row[0] in ids) for name, m in kept.items()},
        items=items,
        settings=settings,
        systems=names,
    )


def on_board(matrix: VerdictMatrix, board: Board) -> VerdictMatrix:
    """Return a matrix with one row an item of the board."""
    return aligned(matrix, board.items)


def order_changes(compared: RegimeComparison, among: Sequence[str]) -> tuple[ClaimChange, ...]:
    """Return the orders of two systems that do not hold under all the regimes named."""
    scores = {
        one.regime: {row.system: row.score for row in one.scores}
        for one in compared.regimes
        if one.regime in among
    }
    return tuple(
        change
        for left, right in combinations(compared.systems, 2)
        if (change := _change(scores, left, right)) is not None
    )


def _change(scores: Mapping[str, Mapping[str, float]], left: str, right: str) -> ClaimChange | None:
    gaps = {name: held[left] - held[right] for name, held in scores.items()}
    ahead = tuple(name for name, gap in gaps.items() if gap > 0)
    behind = tuple(name for name, gap in gaps.items() if gap < 0)
    tied = tuple(name for name, gap in gaps.items() if gap == 0)
    if len(gaps) in (len(ahead), len(behind), len(tied)):
        return None
    better, worse = (left, right) if len(ahead) >= len(behind) else (right, left)
    under, against = (ahead, behind) if better == left else (behind, ahead)
    return ClaimChange(better=better, worse=worse, under=under, tied=tied, reversed_under=against)
