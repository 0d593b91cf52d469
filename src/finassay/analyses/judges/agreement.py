"""Agreement of judges with people.  In: a board.  Out: kappa, F1 and errors with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from finassay.analyses.estimates import count_rate
from finassay.analyses.judges.board import Board, Cut
from finassay.analyses.judges.figures import figure
from finassay.analyses.judges.inputs import JudgePlan
from finassay.analyses.judges.results import (
    Figure,
    JudgeAgreement,
    TreatedAgreement,
    VerdictCounts,
)
from finassay.analyses.kernels.block_bootstrap import Block, Values, resample, sample
from finassay.analyses.kernels.intervals import clopper_pearson
from finassay.analyses.kernels.judge_tables import (
    CORRECT,
    INCORRECT,
    MISSING,
    NO_VERDICT,
    Floats,
    Treatment,
    accuracy,
    f1,
    f1_macro,
    kappa,
    treated,
)
from finassay.analyses.results_overturns import CountRate
from finassay.marking.consensus import CORRECT_LABEL, INCORRECT_LABEL
from finassay.marking.matrix import ABSENT, STATUS_CODES, VerdictMatrix

NO_VERDICT_LABEL = "no verdict"
SAYS = ((INCORRECT, INCORRECT_LABEL), (CORRECT, CORRECT_LABEL))
JUDGE_SAYS = (*SAYS, (NO_VERDICT, NO_VERDICT_LABEL))

FEW = 30
"""Predictions below which an interval of kappa says little."""

SKEWED = 0.9
"""Share of one label beyond which kappa is low however well a judge agrees."""


def agreements(
    board: Board, judges: Sequence[str], cuts: Sequence[Cut], plan: JudgePlan
) -> dict[str, tuple[JudgeAgreement, ...]]:
    """Return the agreement of every judge with people: all predictions first, then each stratum.

    All judges and strata see the same resamples.
    """
    every = np.ones(board.truth.shape, dtype=np.bool_)
    parts = [("", "", every), *cuts]
    blocks = [
        board.block(judge, board.counted(judge) & where)
        for judge in judges
        for _, _, where in parts
    ]
    drawn = iter(resample(blocks, draws=plan.resampling.draws, rng=_rng(plan)))
    return {
        judge: tuple(
            agreement_of(next(drawn), board, (judge, by, name), plan, where=where)
            for by, name, where in parts
        )
        for judge in judges
    }


def _rng(plan: JudgePlan) -> np.random.Generator:
    return np.random.default_rng(plan.resampling.seed)


def agreement_of(
    block: Block,
    board: Board,
    named: tuple[str, str, str],
    plan: JudgePlan,
    *,
    where: np.typing.NDArray[np.bool_],
) -> JudgeAgreement:
    """Return the agreement over one part.

    Args:
        block: counts of the part.
        board: labels and verdicts.
        named: judge, field and stratum.
        plan: level and treatments.
        where: (I, S) mask of the part.
    """
    judge, by, stratum = named
    table = block.whole.reshape(2, 3)
    n = int(table.sum())
    scored = table[:, :NO_VERDICT]
    made = tuple(treated_agreement(block, one, plan.level) for one in plan.treatments)
    return JudgeAgreement(
        scorer_id=judge,
        by=by,
        stratum=stratum,
        n=n,
        n_items=board.n_clusters(board.counted(judge) & where),
        n_unscored=int(table[:, NO_VERDICT].sum()),
        table=tuple(
            (people, says, int(table[y, z])) for y, people in SAYS for z, says in JUDGE_SAYS
        ),
        prevalence=float(table[CORRECT].sum()) / n if n else None,
        judge_prevalence=_share(scored[:, CORRECT].sum(), scored.sum()),
        treated=made,
        false_positive=rate(table, INCORRECT, plan.level),
        false_negative=rate(table, CORRECT, plan.level),
        warnings=_warnings(table, made[0]),
    )


def _share(part: float, whole: float) -> float | None:
    return float(part) / float(whole) if whole else None


def rate(table: Floats, says: int, level: float) -> CountRate:
    """Return how often the judge errs on what people call so, of a (2, 3) table of counts."""
    erred, n = table[says, 1 - says], table[says, :NO_VERDICT].sum()
    return count_rate(int(erred), int(n), level=level)


def treated_agreement(block: Block, treatment: Treatment, level: float) -> TreatedAgreement:
    """Return kappa, F1 and accuracy under one treatment of verdicts without a value."""
    figures: dict[str, Values] = {
        "kappa": lambda sums: kappa(sums, treatment),
        "f1_correct": lambda sums: f1(sums, treatment, CORRECT),
        "f1_incorrect": lambda sums: f1(sums, treatment, INCORRECT),
        "f1_macro": lambda sums: f1_macro(sums, treatment),
        "accuracy": lambda sums: accuracy(sums, treatment),
    }
    found = {name: figure(sample(block, values), level) for name, values in figures.items()}
    return TreatedAgreement(
        treatment=treatment,
        n=round(float(treated(block.whole, treatment).sum())),
        **_widened(found, block, treatment, level),
    )


def _widened(
    found: dict[str, Figure], block: Block, treatment: Treatment, level: float
) -> dict[str, Figure]:
    """Return figures with a low end below 1 where all agree.

    No resample differs there, so the bootstrap has no width.  The low end of agreement is then that
    of Clopper and Pearson, counting clusters, and the other figures are what they would be at this
    agreement with the same margins.
    """
    table = treated(block.whole, treatment)[0]
    if found["accuracy"].value != 1.0 or found["accuracy"].low is None:
        return found
    clusters = int(block.sums.any(axis=1).sum())
    agreed, _ = clopper_pearson(right=clusters, n=clusters, level=level)
    shares = table[:, :NO_VERDICT].sum(axis=1) / table.sum()
    chance = float((shares**2).sum())
    hits = [max(0.0, float(share) - (1.0 - agreed) / 2.0) for share in shares]
    f1s = [2.0 * hit / (2.0 * hit + 1.0 - agreed) for hit in hits]
    lows = {
        "kappa": (agreed - chance) / (1.0 - chance) if chance < 1.0 else None,
        "f1_incorrect": f1s[INCORRECT],
        "f1_correct": f1s[CORRECT],
        "f1_macro": sum(f1s) / 2.0,
        "accuracy": agreed,
    }
    return {
        name: one if one.low is None else replace(one, low=lows[name])
        for name, one in found.items()
    }


def _warnings(table: Floats, primary: TreatedAgreement) -> tuple[str, ...]:
    n = table.sum()
    out = []
    if 0 < n < FEW:
        out.append(f"only {int(n)} predictions have a label of people and a verdict of the judge")
    if n and max(table.sum(axis=1)) / n >= SKEWED:
        out.append(
            f"people give one label to {100 * SKEWED:.0f}% of the predictions or more: kappa is "
            f"low then however well a judge agrees; read F1 of the rarer label too"
        )
    ends = primary.kappa
    if ends.n_undefined:
        out.append(f"kappa has no value in {ends.n_undefined} resamples, left out of the interval")
    return tuple(out)


def verdict_counts(judge: str, matrix: VerdictMatrix, board: Board, level: float) -> VerdictCounts:
    """Return what became of the predictions that a judge was asked about."""
    status = matrix.status
    count = {name: int((status == code).sum()) for name, code in STATUS_CODES.items()}
    right, scored = int(matrix.right.sum()), count["scored"]
    silent = count["unparsed"] + count["no_answer"]
    missing = (board.truth != MISSING) & (board.matrices[judge].status == ABSENT)
    return VerdictCounts(
        n=int((status != ABSENT).sum()),
        n_scored=scored,
        n_unparsed=count["unparsed"],
        n_no_answer=count["no_answer"],
        n_failed=count["failed"],
        n_not_applicable=count["not_applicable"],
        n_missing=int(missing.sum()),
        excluded=count_rate(right, scored, level=level),
        wrong=count_rate(right, scored + silent, level=level),
    )
