"""Frozen results about pairwise judges beside people.  In: nothing.  Out: agreement and tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from finassay.analyses.judges.results import (
    ConditionalAgreement,
    Family,
    Figure,
    JudgeIdentity,
)
from finassay.analyses.judges.results_compare import JudgeComparison
from finassay.analyses.kernels.judge_tables import Treatment
from finassay.analyses.pairwise.results import DecisionRule, OrderEffect

VoiceKind = Literal["judge", "baseline"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreatedPairs:
    """Agreement with people under one treatment of pairs without a decision.

    Attributes:
        treatment: the treatment.
        n: pairs that count.
        kappa: Cohen's kappa over both arrangements of every pair.
        f1: F1 of a side, the same for both.
        accuracy: share of agreement.
    """

    treatment: Treatment
    n: int
    kappa: Figure
    f1: Figure
    accuracy: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAgreement:
    """A pairwise judge, or a baseline, beside people.

    Attributes:
        scorer_id: the judge, or the scorer of which the higher value wins.
        kind: judge or baseline.
        by: what the part is cut by; "" for all pairs.
        stratum: the part.
        n: pairs with a decision or a tie, or that could not be read.
        n_items: items, or clusters of items, among them.
        n_same: pairs decided for the answer that people prefer.
        n_other: pairs decided for the other answer.
        n_tied: pairs that are not decided, ties and orders that differ.
        n_unread: pairs without any decision that could be read.
        treated: one entry a treatment, the declared primary one first.
    """

    scorer_id: str
    kind: VoiceKind
    by: str
    stratum: str
    n: int
    n_items: int
    n_same: int
    n_other: int
    n_tied: int
    n_unread: int
    treated: tuple[TreatedPairs, ...]

    @property
    def primary(self) -> TreatedPairs:
        """Agreement under the declared treatment."""
        return self.treated[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairVoice:
    """One judge or baseline.

    Attributes:
        scorer_id: its id.
        kind: judge or baseline.
        identity: what a judge is; None for a baseline.
        agreement: all pairs; None where it decides none.
        strata: one entry a part of `by`.
        order: what the order of the answers does to a judge; None for a baseline.
        n_missing: pairs that it was not asked about.
        n_own: pairs with an answer of its own, which are left out of the agreement.
        n_stale: comparisons left out because a reply or an item has changed.
    """

    scorer_id: str
    kind: VoiceKind
    identity: JudgeIdentity | None
    agreement: PairAgreement | None
    strata: tuple[PairAgreement, ...]
    order: OrderEffect | None
    n_missing: int
    n_own: int
    n_stale: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairwisePeople:
    """Pairwise judges and baselines of a study beside people.

    Attributes:
        study: name of the study.
        against: scorer ids whose labels say which answer is correct.
        consensus: the rule by which labels of several people count, in words.
        n_pairs: pairs of a correct and an incorrect answer to one item.
        n_items: items with such a pair.
        n_systems: systems with an answer in one.
        rule: how two orders make one decision.
        primary: declared treatment of pairs without a decision.
        voices: judges, then baselines.
        conditional: agreement where the judge, as a candidate, answered right, and wrong.
        comparisons: variants of one judge on the pairs that both were asked about.
        families: tests that are corrected together.
        level: confidence level.
        draws: resamples.
        seed: seed of the resamples.
        resampled: what is drawn.
        method: what was computed.
        warnings: what a reader must know.
    """

    study: str
    against: tuple[str, ...]
    consensus: str
    n_pairs: int
    n_items: int
    n_systems: int
    rule: DecisionRule
    primary: Treatment
    voices: tuple[PairVoice, ...]
    conditional: tuple[ConditionalAgreement, ...]
    comparisons: tuple[JudgeComparison, ...]
    families: tuple[Family, ...]
    level: float
    draws: int
    seed: int
    resampled: str
    method: str
    warnings: tuple[str, ...] = ()
