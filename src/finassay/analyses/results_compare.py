"""Frozen results of comparisons.  In: nothing.  Out: tests of pairs, families, tie groups.

Differences are fractions, left minus right.  Every p is two-sided.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from finassay.analyses.kernels.families import Adjustment
from finassay.records import Unscored


@dataclass(frozen=True, slots=True, kw_only=True)
class PValue:
    """A two-sided p under each tie convention, and how it was computed.

    Attributes:
        inclusive: chance of a resample at least as far out as observed (>=).
        exclusive: chance of one farther out (>); the two differ by the ties at the threshold.
        mid: half way between the two.
        method: "exact" (the whole distribution) or "monte carlo".
        draws: resamples; None when exact.
        standard_error: Monte Carlo standard error of the inclusive p; None when exact.
    """

    inclusive: float
    exclusive: float
    mid: float
    method: Literal["exact", "monte carlo"]
    draws: int | None = None
    standard_error: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustedP:
    """A p adjusted for its family, under each tie convention."""

    inclusive: float
    exclusive: float
    mid: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BootstrapTest:
    """The paired bootstrap test over items, or over clusters of items.

    Attributes:
        units: number of items or clusters that are drawn with replacement.
        p: p before adjustment.
        adjusted: p after adjustment for the declared family.
    """

    units: int
    p: PValue
    adjusted: AdjustedP


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar:
    """McNemar's test of right/wrong verdicts.

    Attributes:
        left_only: items that only the left system gets right.
        right_only: items that only the right system gets right.
        exact: exact two-sided p.
        mid: mid-p.
    """

    left_only: int
    right_only: int
    exact: float
    mid: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedT:
    """Student's paired t test."""

    t: float
    degrees: int
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectSize:
    """How large a difference is, with intervals at the declared level.

    Attributes:
        low: lower end of the interval of the difference over items.
        high: upper end.
        method: "tango" for right/wrong verdicts, "student-t" for graded ones.
        cluster_low: lower end of the t interval with cluster-robust error; None without clusters.
        cluster_high: upper end.
        bootstrap_low: lower percentile end over resampled clusters (items without clusters).
        bootstrap_high: upper end.
        cohen_h: difference of the arcsines of two shares; None for graded verdicts.
        cohen_d: difference over the standard deviation of the differences; None without spread.
        odds_ratio: left_only / right_only; None when not finite or not right/wrong.
        odds_low: lower end of its exact conditional interval.
        odds_high: upper end; None when not finite.
    """

    low: float
    high: float
    method: Literal["tango", "student-t"]
    cluster_low: float | None
    cluster_high: float | None
    bootstrap_low: float
    bootstrap_high: float
    cohen_h: float | None
    cohen_d: float | None
    odds_ratio: float | None
    odds_low: float | None
    odds_high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Detectable:
    """The smallest difference that a test of this size finds with the declared power.

    Attributes:
        alpha: level of one test: the declared level over the size of the family.
        power: chance of finding it.
        item: over items, at the observed discordance (McNemar) or spread (t); None when no
            difference is large enough.
        cluster: over clusters, by t with cluster-robust error; None without clusters.
    """

    alpha: float
    power: float
    item: float | None
    cluster: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundCase:
    """The comparison if the unscored verdicts were the worst or the best for the left system."""

    difference: float
    item: PValue
    cluster: PValue | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTest:
    """Two systems on the items that count for both.

    Attributes:
        left: the left system.
        right: the right system.
        n: items that count for both.
        n_unscored: among them, items that one of the two left without a value.
        left_score: mean verdict of the left system on these items.
        right_score: mean verdict of the right system.
        difference: left_score - right_score.
        item: paired bootstrap over items.
        cluster: paired bootstrap over clusters; None when no clusters were declared.
        mcnemar: McNemar's test; None for graded verdicts.
        sign_flip: permutation test that swaps the two systems on each item.
        t: paired t test; None without spread.
        effect: effect sizes with intervals.
        detectable: what a test of this size finds.
        worst: if every unscored verdict went against the left system; None unless the policy is
            "bounds" and there are some.
        best: if every unscored verdict went for the left system.
        warnings: what a reader must know.
    """

    left: str
    right: str
    n: int
    n_unscored: int
    left_score: float
    right_score: float
    difference: float
    item: BootstrapTest
    cluster: BootstrapTest | None
    mcnemar: McNemar | None
    sign_flip: PValue
    t: PairedT | None
    effect: EffectSize
    detectable: Detectable
    worst: BoundCase | None
    best: BoundCase | None
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignificanceCount:
    """How many pairs lie below a threshold under each convention, before adjustment.

    Attributes:
        name: the threshold as it is written, for instance "0.05/66".
        threshold: its value.
        pairs: pairs tested.
        item: pairs below it over items.
        cluster: over clusters; None when no clusters were declared.
    """

    name: str
    threshold: float
    pairs: int
    item: ConventionCounts
    cluster: ConventionCounts | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConventionCounts:
    """A count under each tie convention."""

    inclusive: int
    exclusive: int
    mid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TieLetters:
    """Tie groups: systems that share a letter do not differ at the adjusted level.

    Attributes:
        system: the system.
        score: its mean verdict.
        item: letters from the inclusive p over items.
        cluster: letters from the inclusive p over clusters; None when none were declared.
    """

    system: str
    score: float
    item: str
    cluster: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonTests:
    """A person against every complete system, on the person's items; a family of its own.

    Attributes:
        person: the person.
        n: items the person answered.
        clusters: clusters these items fall into; None when none were declared.
        family: number of tests that p is adjusted for.
        pairs: one test a system, the person on the left.
    """

    person: str
    n: int
    clusters: int | None
    family: int
    pairs: tuple[PairTest, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparisons:
    """Tests of pairs of systems under one scoring rule.

    Attributes:
        rule: the scorer whose verdicts are compared.
        policy: what is done with the unscored; under "bounds" the main figures count them as
            wrong, and each pair shows its worst and best case.
        n_items: items of the study.
        systems: systems compared, best first.
        clusters: columns that make clusters; empty when none were declared.
        cluster_sizes: items of each cluster, largest first.
        adjust: how p is adjusted.
        family: number of tests that p is adjusted for.
        alpha: level at which a claim is made.
        level: level of the intervals.
        seed: seed of what was drawn.
        pairs: the tests.
        counts: pairs below the usual thresholds.
        letters: tie groups, best system first; empty unless all pairs were tested.
        persons: people on their own items.
        method: how the figures were computed.
        warnings: what a reader must know.
    """

    rule: str
    policy: Unscored
    n_items: int
    systems: tuple[str, ...]
    clusters: tuple[str, ...]
    cluster_sizes: tuple[int, ...]
    adjust: Adjustment
    family: int
    alpha: float
    level: float
    seed: int
    pairs: tuple[PairTest, ...]
    counts: tuple[SignificanceCount, ...]
    letters: tuple[TieLetters, ...]
    persons: tuple[PersonTests, ...]
    method: str
    warnings: tuple[str, ...]
