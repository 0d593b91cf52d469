"""What a comparison is asked for and may claim.  In: tests.  Out: counts and warnings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finassay.analyses.kernels.families import ADJUSTMENTS, Adjustment
from finassay.analyses.kernels.lattice import EXACT_WORK
from finassay.analyses.results_compare import (
    BootstrapTest,
    ConventionCounts,
    PairTest,
    PValue,
    SignificanceCount,
)
from finassay.errors import UsageError
from finassay.marking.engines import LOCAL, Engine
from finassay.records import UNSCORED_POLICIES, Unscored

SPARSE = 10
"""Discordant items below which a comparison rests on too few to say much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareSettings:
    """How pairs are compared.

    Attributes:
        policy: what is done with verdicts without a value; required.
        clusters: columns of the items that make clusters, for instance ("documents",).
        adjust: how p is adjusted.
        family: number of tests in the family; the tests made by default.
        alpha: level at which a claim is made.
        level: level of the intervals.
        power: chance with which the detectable difference is found.
        draws: resamples where the test is by Monte Carlo.
        seed: seed of what is drawn.
        work: multiply-adds up to which a distribution is computed exactly.
        engine: where resamples are drawn; the figures are the same on every one.

    Raises:
        UsageError: a setting out of its range.
    """

    policy: Unscored
    clusters: tuple[str, ...] = ()
    adjust: Adjustment = "bonferroni"
    family: int | None = None
    alpha: float = 0.05
    level: float = 0.95
    power: float = 0.8
    draws: int = 100_000
    seed: int = 0
    work: int = EXACT_WORK
    engine: Engine = LOCAL

    def __post_init__(self) -> None:
        if self.policy not in UNSCORED_POLICIES:
            raise UsageError(f"`policy` must be one of {UNSCORED_POLICIES}, got {self.policy!r}")
        if self.adjust not in ADJUSTMENTS:
            raise UsageError(f"`adjust` must be one of {ADJUSTMENTS}, got {self.adjust!r}")
        for name in ("alpha", "level", "power"):
            if not 0.0 < getattr(self, name) < 1.0:
                raise UsageError(f"`{name}` must be in (0, 1), got {getattr(self, name)!r}")
        if self.draws < 1 or self.work < 0 or (self.family is not None and self.family < 1):
            raise UsageError(
                f"`draws` and `family` must be at least 1 and `work` at least 0, got draws "
                f"{self.draws!r}, family {self.family!r}, work {self.work!r}"
            )


def pair_warnings(
    item: BootstrapTest,
    cluster: BootstrapTest | None,
    counts: tuple[int, int] | None,
    *,
    alpha: float,
) -> tuple[str, ...]:
    """Return what a reader of one comparison must know."""
    said = []
    for units, test in (("items", item), ("clusters", cluster)):
        if test is None:
            continue
        if test.adjusted.exclusive < alpha <= test.adjusted.inclusive:
            said.append(
                f"over {units}, ties at the threshold decide: adjusted p is "
                f"{test.adjusted.inclusive:.4g} with them and {test.adjusted.exclusive:.4g} without"
            )
        error = test.p.standard_error
        scale = test.adjusted.inclusive / test.p.inclusive if test.p.inclusive else 1.0
        if error is not None and abs(test.adjusted.inclusive - alpha) < 2.0 * error * scale:
            said.append(
                f"over {units}, another seed may decide otherwise: draw more, or raise work"
            )
    if cluster and (item.adjusted.inclusive < alpha) != (cluster.adjusted.inclusive < alpha):
        said.append("items and clusters disagree: the claim depends on what is drawn")
    if counts is not None and sum(counts) < SPARSE:
        said.append(f"only {sum(counts)} items tell the two apart")
    return tuple(said)


def significance_counts(
    tests: Sequence[PairTest], family: int, alpha: float
) -> tuple[SignificanceCount, ...]:
    """Return the pairs below alpha, alpha / family and alpha / tests, before adjustment."""
    thresholds = {f"{alpha:g}": alpha}
    for size in dict.fromkeys((family, len(tests))):
        if size > 1:
            thresholds[f"{alpha:g}/{size}"] = alpha / size
    clustered = [t.cluster.p for t in tests if t.cluster is not None]
    return tuple(
        SignificanceCount(
            name=name,
            threshold=value,
            pairs=len(tests),
            item=_below([test.item.p for test in tests], value),
            cluster=_below(clustered, value) if clustered else None,
        )
        for name, value in thresholds.items()
    )


def _below(found: Sequence[PValue], threshold: float) -> ConventionCounts:
    return ConventionCounts(
        inclusive=sum(p.inclusive < threshold for p in found),
        exclusive=sum(p.exclusive < threshold for p in found),
        mid=sum(p.mid < threshold for p in found),
    )
