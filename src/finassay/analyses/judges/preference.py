"""Own answers and others'.  In: a board.  Out: error rates of judges on both, and their gaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from finassay.analyses.judges.agreement import rate
from finassay.analyses.judges.board import Board
from finassay.analyses.judges.figures import corrected
from finassay.analyses.judges.inputs import JudgePlan
from finassay.analyses.judges.results import (
    Difference,
    Family,
    Figure,
    JudgeIdentity,
    SelfPreference,
)
from finassay.analyses.kernels.judge_tables import CORRECT, INCORRECT, MISSING, NO_VERDICT, Floats
from finassay.analyses.kernels.rate_gap import (
    ClusteredRate,
    clustered_rate,
    gap_ends,
    gap_p,
    quantile_of,
)

FAMILY = "error rates on own answers minus on others', false positives and false negatives"


def self_preference(
    board: Board, judges: Sequence[JudgeIdentity], plan: JudgePlan
) -> tuple[tuple[SelfPreference, ...], Family]:
    """Return the errors of judges on their own answers and on those of others.

    Judges without answers of their own are left out.  The gap of two rates has an interval that
    counts questions (or clusters), since a judge's own answer and those of others to one question
    are judged alike; see `kernels.rate_gap`.  Judges of one arm, prompt and tolerance are also
    taken together, where there are several.
    """
    own = {one.scorer_id: _sums(board, one.scorer_id) for one in judges if one.own}
    kept = [one for one in judges if one.scorer_id in own and own[one.scorer_id][0].any()]
    parts: list[tuple[JudgeIdentity, int, tuple[Floats, Floats]]] = [
        (one, 1, own[one.scorer_id]) for one in kept
    ]
    parts += _together(kept, own)
    made = [_preference(one, count, *pair, plan) for one, count, pair in parts]
    return _corrected(made, plan)


def _sums(board: Board, judge: str) -> tuple[Floats, Floats]:
    """Return counts by cluster on own answers and on others'."""
    both = (board.truth != MISSING) & (board.said(judge) != MISSING)
    mine = board.own[judge]
    return board.block(judge, both & mine), board.block(judge, both & ~mine)


def _together(
    judges: Sequence[JudgeIdentity], own: Mapping[str, tuple[Floats, Floats]]
) -> list[tuple[JudgeIdentity, int, tuple[Floats, Floats]]]:
    groups: dict[tuple[str, str, str, str], list[JudgeIdentity]] = {}
    for one in judges:
        groups.setdefault((one.task, one.arm, one.prompt, one.tolerance), []).append(one)
    return [
        (
            replace(group[0], scorer_id="", name="", candidate="", same_model=()),
            len(group),
            (
                np.sum([own[one.scorer_id][0] for one in group], axis=0),
                np.sum([own[one.scorer_id][1] for one in group], axis=0),
            ),
        )
        for group in groups.values()
        if len({one.name for one in group}) > 1
    ]


def _preference(
    judge: JudgeIdentity, count: int, own: Floats, others: Floats, plan: JudgePlan
) -> SelfPreference:
    mine, rest = own.sum(axis=0).reshape(2, 3), others.sum(axis=0).reshape(2, 3)
    return SelfPreference(
        scorer_id=judge.scorer_id,
        arm=judge.arm,
        n_judges=count,
        candidate=judge.candidate or "",
        own_false_positive=rate(mine, INCORRECT, plan.level),
        other_false_positive=rate(rest, INCORRECT, plan.level),
        own_false_negative=rate(mine, CORRECT, plan.level),
        other_false_negative=rate(rest, CORRECT, plan.level),
        false_positive_gap=_gap(own, others, INCORRECT, plan.level),
        false_negative_gap=_gap(own, others, CORRECT, plan.level),
        n_unscored=int((mine + rest)[:, NO_VERDICT].sum()),
    )


def _gap(own: Floats, others: Floats, says: int, level: float) -> Difference:
    """Return the error rate on what people call so, on own answers minus on others'."""
    left, right = (_rate(sums, says) for sums in (own, others))
    if left is None or right is None:
        nothing = Figure(value=None, low=None, high=None)
        return Difference(figure=nothing, p=None, p_adjusted=None, differs=False)
    low, high = gap_ends(left, right, quantile_of(level))
    figure = Figure(value=left.rate - right.rate, low=low, high=high)
    return Difference(figure=figure, p=gap_p(left, right), p_adjusted=None, differs=False)


def _rate(sums: Floats, says: int) -> ClusteredRate | None:
    table = sums.reshape(-1, 2, 3)[:, says]
    return clustered_rate(table[:, 1 - says], table[:, :NO_VERDICT].sum(axis=1))


def _corrected(
    made: Sequence[SelfPreference], plan: JudgePlan
) -> tuple[tuple[SelfPreference, ...], Family]:
    tests, family = corrected(
        [gap for one in made for gap in (one.false_positive_gap, one.false_negative_gap)],
        name=FAMILY,
        level=plan.level,
    )
    return (
        tuple(
            replace(
                one,
                false_positive_gap=tests[2 * at],
                false_negative_gap=tests[2 * at + 1],
            )
            for at, one in enumerate(made)
        ),
        family,
    )
