"""Tests about pairwise judges.  In: pairs with codes.  Out: differences, corrected by family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.judges.figures import corrected, difference, figure
from finassay.analyses.judges.own_answers import OwnAnswers, OwnSources, own_answers
from finassay.analyses.judges.results import (
    ConditionalAgreement,
    Family,
    JudgeIdentity,
)
from finassay.analyses.judges.results_compare import Factor, Given, JudgeComparison
from finassay.analyses.judges.variants import FACTORS, variant_pairs
from finassay.analyses.kernels import pairwise_tables as tables
from finassay.analyses.kernels.block_bootstrap import (
    Block,
    Sample,
    joined,
    resample,
    sample,
    unpaired,
)
from finassay.analyses.kernels.judge_tables import CORRECT, INCORRECT, Treatment
from finassay.analyses.kernels.judge_tables import MISSING as NOT_KNOWN
from finassay.analyses.kernels.judge_tables import difference as minus
from finassay.analyses.pairwise.pair_board import PairBoard
from finassay.analyses.pairwise.people_inputs import PairInputs, PairPlan

Codes = NDArray[np.int64]
Bools = NDArray[np.bool_]

CONDITIONAL = "pairwise kappa where the judge answered right minus where it answered wrong"


def conditional(
    board: PairBoard, who: Sequence[JudgeIdentity], inputs: PairInputs, plan: PairPlan
) -> tuple[tuple[ConditionalAgreement, ...], Family]:
    """Return agreement on items that the judge, as a candidate, answered right, and wrong.

    The two halves share no item, so they are resampled apart; where clusters hold items of both,
    together.
    """
    made = []
    for at, one in enumerate(who):
        own = known_of(board, one, inputs, plan)
        if own is not None:
            rng = np.random.default_rng([plan.resampling.seed, at])
            made.append(_conditional(board, one.scorer_id, own, plan, rng))
    tests, family = corrected([one.difference for one in made], name=CONDITIONAL, level=plan.level)
    return tuple(
        replace(one, difference=test) for one, test in zip(made, tests, strict=True)
    ), family


def known_of(
    board: PairBoard, judge: JudgeIdentity, inputs: PairInputs, plan: PairPlan
) -> OwnAnswers | None:
    """Return which items a judge answered right, or None where nothing says so."""
    sources = OwnSources(
        items=inputs.items,
        systems=board.systems,
        truth=board.truth,
        settled_by=", ".join(inputs.labels),
        rule=inputs.own_rule,
        rule_first=False,
        asked=inputs.asked,
        consensus=plan.consensus,
    )
    return own_answers(sources, judge)


def _conditional(
    board: PairBoard, judge: str, own: OwnAnswers, plan: PairPlan, rng: np.random.Generator
) -> ConditionalAgreement:
    codes = board.voices[judge].codes
    asked = codes != tables.MISSING
    known = own.right[board.item_of]
    masks = [asked & (known == code) for code in (CORRECT, INCORRECT)]
    right, wrong, test = _halves(board, codes, masks, plan, rng)
    kappas = [_kappa(half, plan.primary) for half in (right, wrong)]
    f1s = [sample(half, lambda sums: tables.f1(sums, plan.primary)) for half in (right, wrong)]
    return ConditionalAgreement(
        scorer_id=judge,
        candidate=own.name if own.answers == "candidate" else "",
        answers=own.answers,
        answered_as=own.name,
        source=own.source,
        source_id=own.source_id,
        right=figure(kappas[0], plan.level),
        wrong=figure(kappas[1], plan.level),
        f1_right=figure(f1s[0], plan.level),
        f1_wrong=figure(f1s[1], plan.level),
        n_right=int(masks[0].sum()),
        n_wrong=int(masks[1].sum()),
        n_items_right=len(np.unique(board.item_of[masks[0]])),
        n_items_wrong=len(np.unique(board.item_of[masks[1]])),
        n_unknown=int((asked & (known == NOT_KNOWN)).sum()),
        difference=difference(test, plan.level),
    )


def _halves(
    board: PairBoard,
    codes: Codes,
    masks: Sequence[Bools],
    plan: PairPlan,
    rng: np.random.Generator,
) -> tuple[Block, Block, Sample]:
    blocks = [board.block(codes, mask) for mask in masks]
    inside = [block.any(axis=1) for block in blocks]
    draws = plan.resampling.draws
    if (inside[0] & inside[1]).any():
        # A cluster may hold items of both kinds, two turns of one talk for instance.
        right, wrong = resample(blocks, draws=draws, rng=rng)
        both = joined(right, wrong)
        return right, wrong, sample(both, minus(_values(plan.primary), tables.CELLS))
    right, wrong = (
        resample([block[held]], draws=draws, rng=rng)[0]
        for block, held in zip(blocks, inside, strict=True)
    )
    return right, wrong, unpaired(_kappa(right, plan.primary), _kappa(wrong, plan.primary))


def _values(treatment: Treatment) -> tables.Values:
    return lambda sums: tables.kappa(sums, treatment)


def _kappa(block: Block, treatment: Treatment) -> Sample:
    return sample(block, _values(treatment))


def comparisons(
    board: PairBoard, who: Sequence[JudgeIdentity], inputs: PairInputs, plan: PairPlan
) -> tuple[tuple[JudgeComparison, ...], tuple[Family, ...]]:
    """Return every two variants of a judge that differ in one factor alone, with paired tests.

    On the pairs that both were asked about; arms are also compared where the judge answered right
    itself, and where it answered wrong.  Each factor and part is a family of its own.
    """
    out: list[JudgeComparison] = []
    families = []
    for factor in FACTORS:
        couples = [
            couple
            for name in dict.fromkeys(one.name for one in who)
            for couple in variant_pairs([one for one in who if one.name == name], factor)
        ]
        made = [one for couple in couples for one in _compared(board, factor, couple, inputs, plan)]
        for given in dict.fromkeys(one.given for one in made):
            part = [one for one in made if one.given == given]
            where = f", where the judge answered {given} itself" if given else ""
            tests, family = corrected(
                [one.difference for one in part],
                name=f"pairwise kappa of two {factor}s of one judge{where}",
                level=plan.level,
            )
            families.append(family)
            out += [replace(one, difference=test) for one, test in zip(part, tests, strict=True)]
    return tuple(out), tuple(families)


def _compared(
    board: PairBoard,
    factor: Factor,
    couple: tuple[JudgeIdentity, JudgeIdentity],
    inputs: PairInputs,
    plan: PairPlan,
) -> list[JudgeComparison]:
    left, right = (board.voices[one.scorer_id].codes for one in couple)
    both = (left != tables.MISSING) & (right != tables.MISSING)
    masks: dict[Given, Bools] = {"": both}
    own = known_of(board, couple[0], inputs, plan) if factor == "arm" else None
    if own is not None:
        known = own.right[board.item_of]
        masks |= {"right": both & (known == CORRECT), "wrong": both & (known == INCORRECT)}
    out = []
    for given, where in masks.items():
        if not where.any():
            continue
        blocks = [board.block(codes, where) for codes in (left, right)]
        rng = np.random.default_rng(plan.resampling.seed)
        one, other = resample(blocks, draws=plan.resampling.draws, rng=rng)
        test = sample(joined(one, other), minus(_values(plan.primary), tables.CELLS))
        out.append(
            JudgeComparison(
                factor=factor,
                given=given,
                left=couple[0].scorer_id,
                right=couple[1].scorer_id,
                n=int(where.sum()),
                n_items=board.n_clusters(where),
                left_kappa=figure(_kappa(one, plan.primary), plan.level),
                right_kappa=figure(_kappa(other, plan.primary), plan.level),
                difference=difference(test, plan.level),
                n_flipped=int(((left != right) & where).sum()),
            )
        )
    return out
