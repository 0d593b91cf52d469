"""Tests of two systems on shared items.  In: a sheet of verdicts.  Out: p values, effect sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.clustered import cluster_sums, clustered_bootstrap_tail
from finassay.analyses.kernels.lattice import Draw, Tail, bootstrap_tail, numerators
from finassay.analyses.kernels.mean_intervals import cluster_error, cluster_robust
from finassay.analyses.kernels.paired import (
    cohen_h,
    discordant_odds,
    mcnemar,
    paired_t,
    sign_flip_sampled,
    sign_flip_tail,
    standardised_mean,
    tango,
)
from finassay.analyses.kernels.resampling import Sampled, UnitSums, resampled_means
from finassay.analyses.kernels.resampling_blocks import pair_tails_in_blocks
from finassay.analyses.results_compare import EffectSize, McNemar, PairedT, PValue
from finassay.marking.engines import LOCAL, Engine

Pair = tuple[int, int]
Ends = tuple[float, float]

INTERVAL_DRAWS = 10_000
"""Resamples behind the percentile intervals of differences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Verdicts of one rule as the tests read them.

    Attributes:
        values: (R, C) values; 0.0 where a cell does not count.
        counted: (R, C) whether a cell counts under the policy.
        steps: (R, C) the values in whole steps of their lattice; None when they have none.
        per_one: steps that make 1.0; 1 off a lattice.
        labels: (R,) clusters of the items; None when none were declared.
        work: multiply-adds that an exact distribution may take.
        draws: resamples when it is Monte Carlo.
        seed: seed of what is drawn.
        engine: where resamples of the bootstrap test are drawn; p is the same on every one.
    """

    values: NDArray[np.float64]
    counted: NDArray[np.bool_]
    steps: NDArray[np.int64] | None
    per_one: int
    labels: NDArray[np.int64] | None
    work: int
    draws: int
    seed: int
    engine: Engine = LOCAL

    def with_values(self, values: NDArray[np.float64]) -> Sheet:
        """Return the same sheet with other values."""
        steps, per_one = lattice_of(values)
        return replace(self, values=values, steps=steps, per_one=per_one)

    def shared(self, pair: Pair) -> NDArray[np.bool_]:
        """Return (R,) the items that count for both systems."""
        return np.asarray(self.counted[:, pair[0]] & self.counted[:, pair[1]])

    def differences(self, pair: Pair) -> NDArray[np.float64]:
        """Return (n,) left minus right on the shared items."""
        rows = self.shared(pair)
        return np.asarray(self.values[rows, pair[0]] - self.values[rows, pair[1]])

    def whole_differences(self, pair: Pair) -> NDArray[np.int64] | None:
        """Return (n,) left minus right in steps; None off a lattice."""
        if self.steps is None:
            return None
        rows = self.shared(pair)
        return np.asarray(self.steps[rows, pair[0]] - self.steps[rows, pair[1]])

    def units(self, rows: NDArray[np.bool_], *, clustered: bool) -> UnitSums:
        """Return the sums of all columns over the units that the (R,) mask leaves."""
        table = (self.values if self.steps is None else self.steps.astype(np.float64))[rows]
        on_lattice = self.steps is not None
        if not clustered or self.labels is None:
            return UnitSums(sums=table, sizes=np.ones(len(table)), on_lattice=on_lattice)
        levels, where, sizes = np.unique(self.labels[rows], return_inverse=True, return_counts=True)
        sums = np.zeros((len(levels), table.shape[1]))
        np.add.at(sums, where, table)
        return UnitSums(sums=sums, sizes=sizes.astype(np.float64), on_lattice=on_lattice)

    def groups(self, pairs: Sequence[Pair]) -> list[tuple[NDArray[np.bool_], list[int]]]:
        """Return the distinct masks of shared items with the places of the pairs that have them."""
        found: dict[bytes, tuple[NDArray[np.bool_], list[int]]] = {}
        for at, pair in enumerate(pairs):
            rows = self.shared(pair)
            found.setdefault(rows.tobytes(), (rows, []))[1].append(at)
        return list(found.values())


def lattice_of(values: NDArray[np.float64]) -> tuple[NDArray[np.int64] | None, int]:
    """Return the values in whole steps, and the steps that make 1.0; (None, 1) off a lattice."""
    found = numerators(values)
    return (None, 1) if found is None else found


def bootstrap_p(sheet: Sheet, pairs: Sequence[Pair], *, clustered: bool) -> list[PValue]:
    """Return the p of the paired bootstrap of every pair: exact where feasible, else drawn.

    Pairs that are not feasible exactly share the draws of all pairs with the same items.
    """
    found: list[PValue | None] = [
        None if tail is None else exact_p(tail)
        for tail in (_exact_tail(sheet, pair, clustered=clustered) for pair in pairs)
    ]
    for rows, members in sheet.groups(pairs):
        unsettled = [at for at in members if found[at] is None]
        if unsettled:
            sampled = pair_tails_in_blocks(
                sheet.units(rows, clustered=clustered),
                np.array([pairs[at] for at in unsettled], dtype=np.int64),
                draws=sheet.draws,
                seed=sheet.seed,
                engine=sheet.engine,
            )
            for at, one in zip(unsettled, sampled, strict=True):
                found[at] = sampled_p(one)
    return [p for p in found if p is not None]


def _exact_tail(sheet: Sheet, pair: Pair, *, clustered: bool) -> Tail | None:
    whole = sheet.whole_differences(pair)
    if whole is None:
        return None
    if clustered and sheet.labels is not None:
        sums, sizes = cluster_sums(whole, sheet.labels[sheet.shared(pair)])
        return clustered_bootstrap_tail(sums, sizes, work=sheet.work)
    return bootstrap_tail(whole) if Draw.of(whole).work(len(whole)) <= sheet.work else None


def exact_p(tail: Tail) -> PValue:
    """Return a tail as an exact p."""
    return PValue(inclusive=tail.inclusive, exclusive=tail.exclusive, mid=tail.mid, method="exact")


def sampled_p(sampled: Sampled) -> PValue:
    """Return a tail that was drawn as a p with its Monte Carlo standard error."""
    return PValue(
        inclusive=sampled.inclusive,
        exclusive=sampled.exclusive,
        mid=sampled.tail.mid,
        method="monte carlo",
        draws=sampled.draws,
        standard_error=sampled.standard_error,
    )


def sign_flip_p(sheet: Sheet, pair: Pair) -> PValue:
    """Return the p of the permutation test: exact on a lattice, else drawn."""
    whole = sheet.whole_differences(pair)
    if whole is not None and int(np.abs(whole).sum()) * len(whole) <= sheet.work:
        return exact_p(sign_flip_tail(whole))
    rng = np.random.default_rng(sheet.seed)
    p = sign_flip_sampled(sheet.differences(pair), draws=sheet.draws, rng=rng)
    return PValue(
        inclusive=p,
        exclusive=p,
        mid=p,
        method="monte carlo",
        draws=sheet.draws,
        standard_error=math.sqrt(p * (1.0 - p) / sheet.draws),
    )


def discordant(sheet: Sheet, pair: Pair) -> tuple[int, int] | None:
    """Return the items that only the left, and only the right, gets right; None when graded."""
    rows = sheet.shared(pair)
    both = sheet.values[rows][:, list(pair)]
    if ((both != 0.0) & (both != 1.0)).any():
        return None
    difference = both[:, 0] - both[:, 1]
    return int((difference > 0).sum()), int((difference < 0).sum())


def mcnemar_test(counts: tuple[int, int] | None) -> McNemar | None:
    """Return McNemar's test of the discordant counts."""
    if counts is None:
        return None
    exact, mid = mcnemar(*counts)
    return McNemar(left_only=counts[0], right_only=counts[1], exact=exact, mid=mid)


def t_test(differences: NDArray[np.float64]) -> PairedT | None:
    """Return the paired t test; None without spread."""
    found = paired_t(differences)
    return None if found is None else PairedT(t=found[0], degrees=found[1], p=found[2])


def effect_size(
    sheet: Sheet, pair: Pair, *, level: float, bootstrap: tuple[float, float]
) -> EffectSize:
    """Return how large the difference is, with its intervals."""
    differences = sheet.differences(pair)
    counts, rows = discordant(sheet, pair), sheet.shared(pair)
    odds = None if counts is None else discordant_odds(*counts, level=level)
    low, high = _item_interval(differences, counts, level)
    cluster = _cluster_interval(sheet, pair, level)
    left, right = (float(sheet.values[rows, at].mean()) for at in pair)
    return EffectSize(
        low=low,
        high=high,
        method="student-t" if counts is None else "tango",
        cluster_low=cluster[0] if cluster else None,
        cluster_high=cluster[1] if cluster else None,
        bootstrap_low=bootstrap[0],
        bootstrap_high=bootstrap[1],
        cohen_h=cohen_h(left, right) if counts is not None else None,
        cohen_d=standardised_mean(differences),
        odds_ratio=odds.value if odds else None,
        odds_low=odds.low if odds else None,
        odds_high=odds.high if odds else None,
    )


def _item_interval(
    differences: NDArray[np.float64], counts: tuple[int, int] | None, level: float
) -> tuple[float, float]:
    n = len(differences)
    if counts is not None:
        return tango(left_only=counts[0], right_only=counts[1], n=n, level=level)
    # Every item its own cluster: the cluster-robust interval is then Student's.
    return cluster_robust(differences, np.ones(n), level=level, ends=(-1.0, 1.0))


def _cluster_interval(sheet: Sheet, pair: Pair, level: float) -> tuple[float, float] | None:
    if sheet.labels is None:
        return None
    sums, sizes = pair_sums(sheet, pair)
    return cluster_robust(sums, sizes, level=level, ends=(-1.0, 1.0))


def pair_sums(sheet: Sheet, pair: Pair) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (G,) sums of the differences and (G,) sizes of the clusters of the shared items."""
    differences = sheet.differences(pair)
    labels = (
        np.arange(len(differences)) if sheet.labels is None else sheet.labels[sheet.shared(pair)]
    )
    levels, where, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    sums = np.bincount(where, weights=differences, minlength=len(levels)).astype(np.float64)
    return sums, sizes.astype(np.float64)


def pair_error(sheet: Sheet, pair: Pair) -> tuple[float, int] | None:
    """Return (cluster-robust standard error of the difference, clusters); None with one."""
    sums, sizes = pair_sums(sheet, pair)
    error = cluster_error(sums, sizes)
    return None if error is None else (error, len(sizes))


def difference_intervals(sheet: Sheet, pairs: Sequence[Pair], *, level: float) -> list[Ends]:
    """Return the percentile interval of every difference, from draws that all pairs share."""
    found: list[Ends] = [(0.0, 0.0)] * len(pairs)
    tail = (1.0 - level) / 2.0
    for rows, members in sheet.groups(pairs):
        units = sheet.units(rows, clustered=True)
        rng = np.random.default_rng(sheet.seed)
        drawn = resampled_means(units.sums, units.sizes, draws=INTERVAL_DRAWS, rng=rng)
        means = np.concatenate(list(drawn)) / sheet.per_one
        for at in members:
            apart = means[:, pairs[at][0]] - means[:, pairs[at][1]]
            low, high = np.quantile(apart, [tail, 1.0 - tail])
            found[at] = float(low), float(high)
    return found
