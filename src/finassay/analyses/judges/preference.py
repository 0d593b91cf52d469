"""Own answers and others'.  In: a board.  Out: error rates of judges on both, and their gaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from finassay.analyses.judges.agreement import rate
from finassay.analyses.judges.board import Board
from finassay.analyses.judges.figures import corrected, difference
from finassay.analyses.judges.inputs import JudgePlan
from finassay.analyses.judges.results import Family, JudgeIdentity, SelfPreference
from finassay.analyses.kernels.block_bootstrap import Block, joined, resample, sample
from finassay.analyses.kernels.judge_tables import (
    CELLS,
    CORRECT,
    INCORRECT,
    MISSING,
    NO_VERDICT,
    Floats,
    false_negative,
    false_positive,
)
from finassay.analyses.kernels.judge_tables import difference as minus

FAMILY = "error rates on own answers minus on others', false positives and false negatives"


def self_preference(
    board: Board, judges: Sequence[JudgeIdentity], plan: JudgePlan
) -> tuple[tuple[SelfPreference, ...], Family]:
    """Return the errors of judges on their own answers and on those of others.

    Judges without answers of their own are left out.  The items are drawn as wholes, since a
    judge's own answer and those of others to one question are judged alike.  Judges of one arm,
    prompt and tolerance are also taken together, where there are several.
    """
    own = {one.scorer_id: _sums(board, one.scorer_id) for one in judges if one.own}
    kept = [one for one in judges if one.scorer_id in own and own[one.scorer_id][0].any()]
    parts: list[tuple[JudgeIdentity, int, tuple[Floats, Floats]]] = [
        (one, 1, own[one.scorer_id]) for one in kept
    ]
    parts += _together(kept, own)
    blocks = resample(
        [sums for _, _, pair in parts for sums in pair],
        draws=plan.resampling.draws,
        rng=np.random.default_rng(plan.resampling.seed),
    )
    made = [
        _preference(one, count, blocks[2 * at], blocks[2 * at + 1], plan)
        for at, (one, count, _) in enumerate(parts)
    ]
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
    judge: JudgeIdentity, count: int, own: Block, others: Block, plan: JudgePlan
) -> SelfPreference:
    mine, rest = own.whole.reshape(2, 3), others.whole.reshape(2, 3)
    both = joined(own, others)
    positive = sample(both, minus(false_positive, CELLS))
    negative = sample(both, minus(false_negative, CELLS))
    return SelfPreference(
        scorer_id=judge.scorer_id,
        arm=judge.arm,
        n_judges=count,
        candidate=judge.candidate or "",
        own_false_positive=rate(mine, INCORRECT, plan.level),
        other_false_positive=rate(rest, INCORRECT, plan.level),
        own_false_negative=rate(mine, CORRECT, plan.level),
        other_false_negative=rate(rest, CORRECT, plan.level),
        false_positive_gap=difference(positive, plan.level),
        false_negative_gap=difference(negative, plan.level),
        n_unscored=int((mine + rest)[:, NO_VERDICT].sum()),
    )


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
