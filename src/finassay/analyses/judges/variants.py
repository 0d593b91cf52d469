"""One judge with other references, prompts or tolerances.  In: a board.  Out: paired differences.

Two variants are compared on the predictions that both have a verdict on, so that no difference
comes from what was asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from finassay.analyses.judges.board import Board, Bools
from finassay.analyses.judges.figures import corrected, difference, figure
from finassay.analyses.judges.inputs import JudgePlan
from finassay.analyses.judges.own_answers import OwnAnswers
from finassay.analyses.judges.results import Family, JudgeIdentity
from finassay.analyses.judges.results_compare import Factor, Given, JudgeComparison
from finassay.analyses.kernels.block_bootstrap import Block, joined, resample, sample
from finassay.analyses.kernels.judge_tables import CELLS, CORRECT, INCORRECT, kappa
from finassay.analyses.kernels.judge_tables import difference as minus

FACTORS: tuple[Factor, ...] = ("arm", "prompt", "tolerance")

ARM_ORDER = ("human", "verified", "self", "none", "random", "wrong")
"""Order in which arms stand: those that should help first."""

GIVEN: dict[Given, str] = {
    "": "",
    "right": ", on questions that the judge answered right",
    "wrong": ", on questions that the judge answered wrong",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    factor: Factor
    given: Given
    left: str
    right: str
    where: Bools


def comparisons(
    board: Board,
    judges: Sequence[JudgeIdentity],
    own: Mapping[str, OwnAnswers],
    plan: JudgePlan,
) -> tuple[tuple[JudgeComparison, ...], tuple[Family, ...]]:
    """Return every two variants of a judge that differ in one factor alone, with paired tests.

    Where it is known which questions the judge answered itself, arms are also compared on those
    that it answered right, and on those that it answered wrong.  Each factor, and each of these
    parts, is a family of its own.
    """
    found = [
        made
        for name in dict.fromkeys(one.name for one in judges)
        for made in _of_judge(board, [one for one in judges if one.name == name], own, plan)
    ]
    out: list[JudgeComparison] = []
    families = []
    for factor in FACTORS:
        for given, words in GIVEN.items():
            part = [one for one in found if (one.factor, one.given) == (factor, given)]
            if not part:
                continue
            tests, family = corrected(
                [one.difference for one in part],
                name=f"kappa of two {factor}s of one judge{words}",
                level=plan.level,
            )
            families.append(family)
            out += [replace(one, difference=test) for one, test in zip(part, tests, strict=True)]
    return tuple(out), tuple(families)


def variant_pairs(
    judges: Sequence[JudgeIdentity], factor: Factor
) -> list[tuple[JudgeIdentity, JudgeIdentity]]:
    """Return pairs of judges that are the same but for one factor, in a set order."""
    ordered = sorted(judges, key=lambda one: (_place(one.arm), one.prompt, one.tolerance))
    return [
        (left, right)
        for left, right in combinations(ordered, 2)
        if left.task
        and _rest(left, factor) == _rest(right, factor)
        and getattr(left, factor) != getattr(right, factor)
    ]


def _place(arm: str) -> int:
    return ARM_ORDER.index(arm) if arm in ARM_ORDER else len(ARM_ORDER)


def _rest(judge: JudgeIdentity, factor: Factor) -> tuple[str, ...]:
    shared = [getattr(judge, name) for name in FACTORS if name != factor]
    return (judge.name, judge.task, *shared)


def _of_judge(
    board: Board,
    judges: Sequence[JudgeIdentity],
    own: Mapping[str, OwnAnswers],
    plan: JudgePlan,
) -> list[JudgeComparison]:
    pairs = [
        pair
        for factor in FACTORS
        for left, right in variant_pairs(judges, factor)
        for pair in _parts(board, factor, left.scorer_id, right.scorer_id, own.get(left.scorer_id))
    ]
    blocks = resample(
        [board.block(judge, pair.where) for pair in pairs for judge in (pair.left, pair.right)],
        draws=plan.resampling.draws,
        rng=np.random.default_rng(plan.resampling.seed),
    )
    return [
        _comparison(board, pair, blocks[2 * at], blocks[2 * at + 1], plan)
        for at, pair in enumerate(pairs)
    ]


def _parts(
    board: Board, factor: Factor, left: str, right: str, answers: OwnAnswers | None
) -> list[_Pair]:
    both = board.counted(left) & board.counted(right)
    masks: list[tuple[Given, Bools]] = [("", both)]
    if factor == "arm" and answers is not None:
        masks.append(("right", both & (answers.right == CORRECT)[:, None]))
        masks.append(("wrong", both & (answers.right == INCORRECT)[:, None]))
    return [
        _Pair(factor=factor, given=given, left=left, right=right, where=where)
        for given, where in masks
        if where.any()
    ]


def _comparison(
    board: Board, pair: _Pair, left: Block, right: Block, plan: JudgePlan
) -> JudgeComparison:
    def values(sums: np.typing.NDArray[np.float64]) -> np.typing.NDArray[np.float64]:
        return kappa(sums, plan.primary)

    test = sample(joined(left, right), minus(values, CELLS))
    differ = board.said(pair.left) != board.said(pair.right)
    return JudgeComparison(
        factor=pair.factor,
        given=pair.given,
        left=pair.left,
        right=pair.right,
        n=int(pair.where.sum()),
        n_items=board.n_clusters(pair.where),
        left_kappa=figure(sample(left, values), plan.level),
        right_kappa=figure(sample(right, values), plan.level),
        difference=difference(test, plan.level),
        n_flipped=int((differ & pair.where).sum()),
    )
