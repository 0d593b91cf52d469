"""Agreement by whether the judge could answer itself.  In: a board.  Out: kappas and their gap.

Questions that the judge answered right and questions that it answered wrong are disjoint, so the
two kappas are resampled apart; where clusters hold questions of both kinds, together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from finassay.analyses.judges.board import Board, Bools
from finassay.analyses.judges.figures import corrected, difference, figure
from finassay.analyses.judges.inputs import JudgePlan
from finassay.analyses.judges.own_answers import OwnAnswers
from finassay.analyses.judges.results import ConditionalAgreement, Difference, Family
from finassay.analyses.kernels.block_bootstrap import (
    Block,
    Sample,
    joined,
    resample,
    sample,
    unpaired,
)
from finassay.analyses.kernels.judge_tables import (
    CELLS,
    CORRECT,
    INCORRECT,
    MISSING,
    Floats,
    Treatment,
    f1,
    kappa,
    treated,
)
from finassay.analyses.kernels.judge_tables import difference as minus

FAMILY = "kappa where the judge answered right minus kappa where it answered wrong, one a judge"


def conditional(
    board: Board, own: Mapping[str, OwnAnswers], plan: JudgePlan
) -> tuple[tuple[ConditionalAgreement, ...], Family]:
    """Return the agreement of judges by their own answers, with tests of the difference.

    Judges with the same own answers (arms, prompts and tolerances of one) see the same resamples.

    Args:
        board: labels and verdicts.
        own: judge -> how it answered itself; judges without are left out.
        plan: level, resampling and primary treatment.
    """
    groups: dict[tuple[str, str, str], list[str]] = {}
    for judge, one in own.items():
        groups.setdefault((one.answers, one.name, one.source_id), []).append(judge)
    found: dict[str, ConditionalAgreement] = {}
    for at, judges in enumerate(groups.values()):
        rng = np.random.default_rng([plan.resampling.seed, at])
        found |= _group(board, judges, own[judges[0]], plan, rng)
    made = [found[judge] for judge in own]
    tests, family = corrected([one.difference for one in made], name=FAMILY, level=plan.level)
    return (
        tuple(replace(one, difference=test) for one, test in zip(made, tests, strict=True)),
        family,
    )


def _group(
    board: Board,
    judges: Sequence[str],
    answers: OwnAnswers,
    plan: JudgePlan,
    rng: np.random.Generator,
) -> dict[str, ConditionalAgreement]:
    halves = [
        [board.block(judge, _half(board, judge, answers, code)) for judge in judges]
        for code in (CORRECT, INCORRECT)
    ]
    inside = [np.any([sums.any(axis=1) for sums in half], axis=0) for half in halves]
    draws = plan.resampling.draws
    if (inside[0] & inside[1]).any():
        # A cluster may hold questions of both kinds, two turns of one talk for instance.
        drawn = resample([*halves[0], *halves[1]], draws=draws, rng=rng)
        right, wrong = drawn[: len(judges)], drawn[len(judges) :]
        tests = [_paired(a, b, plan.primary) for a, b in zip(right, wrong, strict=True)]
    else:
        right, wrong = (
            resample([sums[held] for sums in half], draws=draws, rng=rng)
            for half, held in zip(halves, inside, strict=True)
        )
        tests = [
            unpaired(_kappa(a, plan.primary), _kappa(b, plan.primary))
            for a, b in zip(right, wrong, strict=True)
        ]
    return {
        judge: _agreement(board, judge, answers, (a, b), (difference(test, plan.level), plan))
        for judge, a, b, test in zip(judges, right, wrong, tests, strict=True)
    }


def _half(board: Board, judge: str, answers: OwnAnswers, code: int) -> Bools:
    return np.asarray(board.counted(judge) & (answers.right == code)[:, None])


def _kappa(block: Block, treatment: Treatment) -> Sample:
    return sample(block, lambda sums: kappa(sums, treatment))


def _paired(left: Block, right: Block, treatment: Treatment) -> Sample:
    return sample(joined(left, right), minus(lambda sums: kappa(sums, treatment), CELLS))


def _agreement(
    board: Board,
    judge: str,
    answers: OwnAnswers,
    halves: tuple[Block, Block],
    tested: tuple[Difference, JudgePlan],
) -> ConditionalAgreement:
    test, plan = tested
    counted = board.counted(judge)
    kappas = [_kappa(half, plan.primary) for half in halves]
    f1s = [sample(half, lambda sums: f1(sums, plan.primary, CORRECT)) for half in halves]
    return ConditionalAgreement(
        scorer_id=judge,
        candidate=answers.name if answers.answers == "candidate" else "",
        answers=answers.answers,
        answered_as=answers.name,
        source=answers.source,
        source_id=answers.source_id,
        right=figure(kappas[0], plan.level),
        wrong=figure(kappas[1], plan.level),
        f1_right=figure(f1s[0], plan.level),
        f1_wrong=figure(f1s[1], plan.level),
        n_right=_n(halves[0].whole, plan.primary),
        n_wrong=_n(halves[1].whole, plan.primary),
        n_items_right=board.n_clusters(_half(board, judge, answers, CORRECT)),
        n_items_wrong=board.n_clusters(_half(board, judge, answers, INCORRECT)),
        n_unknown=int((counted & (answers.right == MISSING)[:, None]).sum()),
        difference=test,
    )


def _n(whole: Floats, treatment: Treatment) -> int:
    return round(float(treated(whole, treatment).sum()))
