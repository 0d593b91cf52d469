"""What the items leave open.  In: verdicts of all families.  Out: intervals of selection.

Clusters are drawn with replacement within strata: clusters that touch the same families are one
stratum.  So every family keeps items in every resample, and a document that two families share is
drawn for both at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.resampling import chunk_sizes, draw_counts
from finassay.analyses.kernels.selection import (
    average_ranks,
    rank_correlations,
    shortlist_regret,
)
from finassay.analyses.operations.results import Between
from finassay.analyses.operations.sheet import MEAN_DIGITS, ScoreSheet

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ItemStack:
    """Verdicts of one rule over the items of knowledge families and operations.

    Attributes:
        values: (N, M) value of each item for each system of the sheet, 0.0 where it counts as
            wrong or does not count.
        counted: (N, M) whether it is in the denominator.
        groups: (N,) group of each item: an operation 0..O-1, or O + the place of a knowledge
            family.
        n_groups: operations and knowledge families together.
        clusters: (N,) what is drawn together.
        name: what is drawn, in words.
    """

    values: Floats
    counted: Mask
    groups: Codes
    n_groups: int
    clusters: Codes
    name: str

    def strata(self) -> list[Codes]:
        """Return the clusters of each stratum: those that touch the same groups."""
        size = int(self.clusters.max()) + 1
        touched = np.zeros((size, self.n_groups), dtype=np.bool_)
        touched[self.clusters, self.groups] = True
        _, code = np.unique(touched, axis=0, return_inverse=True)
        return [np.flatnonzero(code.ravel() == at) for at in range(int(code.max()) + 1)]

    def sums(self) -> tuple[Floats, Floats]:
        """Return (G, n_groups * M) sums of values, and of items that count, by cluster."""
        size, systems = int(self.clusters.max()) + 1, self.values.shape[1]
        totals = np.zeros((size, self.n_groups, systems))
        counts = np.zeros_like(totals)
        np.add.at(totals, (self.clusters, self.groups), np.where(self.counted, self.values, 0.0))
        np.add.at(counts, (self.clusters, self.groups), self.counted.astype(np.float64))
        return totals.reshape(size, -1), counts.reshape(size, -1)

    def clusters_of(self, group: int) -> int:
        """Return how many clusters hold items of a group."""
        return len(np.unique(self.clusters[self.groups == group]))

    def means(self) -> tuple[Floats, Mask]:
        """Return (n_groups, M) means times 100 of the items as they are, and where there is one."""
        totals, counts = (part.sum(axis=0) for part in self.sums())
        shape = (self.n_groups, self.values.shape[1])
        known = counts > 0
        found = 100.0 * totals / np.where(known, counts, 1.0)
        return np.round(found, MEAN_DIGITS).reshape(shape), known.reshape(shape)


def resampled_groups(
    stack: ItemStack, *, draws: int, rng: np.random.Generator
) -> Iterator[tuple[Floats, Mask]]:
    """Yield (b, n_groups, M) means times 100 of resamples, and where there is one."""
    totals, counts = stack.sums()
    strata = stack.strata()
    for rows in chunk_sizes(draws, max(totals.shape)):
        weights = np.zeros((rows, len(totals)))
        for members in strata:
            weights[:, members] = draw_counts(len(members), rows, rng)
        sizes = weights @ counts
        known = sizes > 0.5
        means = 100.0 * (weights @ totals) / np.where(known, sizes, 1.0)
        shape = (rows, stack.n_groups, stack.values.shape[1])
        yield np.round(means, MEAN_DIGITS).reshape(shape), known.reshape(shape)


@dataclass(slots=True)
class _Drawn:
    """Statistics of the resamples seen so far."""

    correlation: list[list[Floats]]
    regret: list[list[Floats]]
    cost: list[list[Floats]]
    leads: list[Floats]
    recovered: list[float]
    mean_regret: list[Floats] = field(default_factory=list)
    mean_rho: list[Floats] = field(default_factory=list)
    kept: int = 0
    undefined: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionIntervals:
    """Percentile intervals of selection; one entry an operation.

    Attributes:
        correlation: of Spearman's rho with the knowledge score.
        regret: of the regret of a shortlist of k, for k = 1, 2, ...; the shortlist is drawn too.
        cost: of the regret of the observed knowledge leader.
        leads: (M,) share of resamples in which each system leads, ties shared.
        recovered: share of resamples in which the knowledge leader leads.
        mean_regret: of the mean over operations, for k = 1, 2, ...
        mean_rho: of the mean correlation of pairs of operations.
        n_undefined: resamples left out, because a score had no value.
    """

    correlation: tuple[Between, ...]
    regret: tuple[tuple[Between, ...], ...]
    cost: tuple[Between, ...]
    leads: tuple[Floats, ...]
    recovered: tuple[float | None, ...]
    mean_regret: tuple[Between, ...]
    mean_rho: Between
    n_undefined: int


def selection_intervals(
    sheet: ScoreSheet,
    stack: ItemStack,
    *,
    within: float,
    draws: int,
    level: float,
    rng: np.random.Generator,
) -> SelectionIntervals:
    """Return percentile intervals of regret, leaders and correlations.

    The systems compared are those of the sheet, in every resample.
    """
    size = len(sheet.operations)
    drawn = _Drawn(
        [[] for _ in range(size)],
        [[] for _ in range(size)],
        [[] for _ in range(size)],
        [np.zeros(len(sheet.systems)) for _ in range(size)],
        [0.0] * size,
    )
    for means, known in resampled_groups(stack, draws=draws, rng=rng):
        needed = sheet.comparable() | np.stack([sheet.eligible(at) for at in range(size)]).any(0)
        whole = known[:, :, needed].all(axis=(1, 2))
        drawn.undefined += int((~whole).sum())
        drawn.kept += int(whole.sum())
        _gather(drawn, sheet, means[whole], within)
    return _intervals(drawn, level)


def _gather(drawn: _Drawn, sheet: ScoreSheet, means: Floats, within: float) -> None:
    size = len(sheet.operations)
    broad = np.round(means[:, size:].mean(axis=1), MEAN_DIGITS)
    longest = max(int(sheet.eligible(at).sum()) for at in range(size))
    whole = np.zeros((len(means), longest))
    for at in range(size):
        kept = sheet.eligible(at)
        own, knowledge = means[:, at][:, kept], broad[:, kept]
        regret = shortlist_regret(knowledge, own, within=within)
        drawn.regret[at].append(regret)
        observed = sheet.knowledge[kept]
        leading = own[:, observed == observed.max()].max(axis=1)
        drawn.cost[at].append(own.max(axis=1) - leading)
        whole[:, : regret.shape[1]] += regret
        rho, known = rank_correlations(average_ranks(knowledge), average_ranks(own))
        drawn.correlation[at].append(rho[known])
        top = own == own.max(axis=1, keepdims=True)
        drawn.leads[at][kept] += (top / top.sum(axis=1, keepdims=True)).sum(axis=0)
        drawn.recovered[at] += float((regret[:, 0] <= 0.0).sum())
    drawn.mean_regret.append(whole / size)
    drawn.mean_rho.append(_mean_rho(means[:, :size][:, :, sheet.comparable()]))


def _mean_rho(scores: Floats) -> Floats:
    """Return the mean correlation of pairs of (b, O, M) scores where all pairs have one."""
    left, right = np.triu_indices(scores.shape[1], 1)
    if not len(left) or scores.shape[2] < 2:
        return np.zeros(0)
    ranks = average_ranks(scores)
    rho, known = rank_correlations(ranks[:, left], ranks[:, right])
    return np.asarray(rho.mean(axis=1)[known.all(axis=1)])


def _intervals(drawn: _Drawn, level: float) -> SelectionIntervals:
    kept = drawn.kept
    return SelectionIntervals(
        correlation=tuple(_percentiles(parts, level)[0] for parts in drawn.correlation),
        regret=tuple(_percentiles(parts, level) for parts in drawn.regret),
        cost=tuple(_percentiles(parts, level)[0] for parts in drawn.cost),
        leads=tuple(share / max(1, kept) for share in drawn.leads),
        recovered=tuple(count / kept if kept else None for count in drawn.recovered),
        mean_regret=_percentiles(drawn.mean_regret, level),
        mean_rho=_percentiles(drawn.mean_rho, level)[0],
        n_undefined=drawn.undefined,
    )


def _percentiles(parts: Sequence[Floats], level: float) -> tuple[Between, ...]:
    """Return the percentile interval of each column of stacked (b,) or (b, K) values."""
    values = np.concatenate(parts) if parts else np.zeros(0)
    table = values[:, None] if values.ndim == 1 else values
    if not len(table):
        return tuple(Between(low=None, high=None) for _ in range(max(1, int(table.shape[1]))))
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(table, [tail, 1.0 - tail], axis=0)
    return tuple(Between(low=a, high=b) for a, b in zip(low.tolist(), high.tolist(), strict=True))
