"""Rank confidence sets from resampled means.  In: scores and counts.  Out: ranks that may be true.

The rank of a system is one plus the number of systems that are better.  A set of ranks follows
from which differences are settled: whoever is certainly better stands above, whoever is certainly
worse stands below, and everybody else may stand on either side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.resampling import chunk_sizes, draw_counts

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

TINY = 1e-7
"""A standard error of a mean in [0, 1] below this is rounding noise around zero."""

PAIR_CELLS = 4_000_000
"""Differences of clusters and pairs that are held at once (32 MB)."""

MANY_CLUSTERS = 65_536
"""From here on more draws are taken together: what is made for a part of them costs more."""

TOGETHER = 8

TIE = 1e-6
"""A statistic this close to the critical value ties with it, and a tie settles nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clustered:
    """Sums of complete rows over G clusters.

    Attributes:
        sums: (G, C) sums of the C systems' scores.
        sizes: (G,) rows in each cluster.
    """

    sums: Floats
    sizes: Floats

    @property
    def means(self) -> Floats:
        """(C,) mean scores over all rows."""
        return np.asarray(self.sums.sum(axis=0) / self.sizes.sum())


def clustered_sums(values: Floats, clusters: NDArray[np.int64] | None = None) -> Clustered:
    """Return the sums of (R, C) scores over clusters 0..G-1; each row is its own without codes."""
    if clusters is None:
        return Clustered(sums=values, sizes=np.ones(len(values)))
    groups = int(clusters.max()) + 1 if len(clusters) else 0
    sums = np.zeros((groups, values.shape[1]))
    np.add.at(sums, clusters, values)
    return Clustered(sums=sums, sizes=np.bincount(clusters, minlength=groups).astype(np.float64))


def pair_errors(data: Clustered) -> Floats:
    """Return (C, C) standard errors of the differences of means, clusters drawn as wholes.

    sqrt(G / (G - 1) sum u^2) / N with u = (sum of one system minus the other) - size x difference.
    """
    groups, total = len(data.sizes), data.sizes.sum()
    residual = data.sums - data.sizes[:, None] * data.means[None, :]
    cross = residual.T @ residual
    spread = np.diag(cross)[:, None] + np.diag(cross)[None, :] - 2.0 * cross
    scale = groups / (groups - 1) if groups > 1 else 0.0
    return np.asarray(np.sqrt(np.maximum(scale * spread, 0.0)) / total)


def pair_statistics(data: Clustered, counts: Floats) -> Floats:
    """Return (b, C, C) studentised deviations of the resampled differences from the observed.

    Each resample has its own standard error; where that is zero the observed one stands in, and
    where both are zero so is the statistic.
    """
    groups = len(data.sizes)
    scale = groups / (groups - 1) if groups > 1 else 0.0
    # A pair is the other way round but for its sign, so half of them are computed.
    first, second = np.triu_indices(data.sums.shape[1], k=1)
    total = (counts @ data.sizes)[:, None]
    means = (counts @ data.sums) / total
    deltas = means[:, first] - means[:, second]
    observed = data.means[first] - data.means[second]
    squares = _pair_squares(data.sums, counts, (first, second))
    weighted = counts @ (data.sums * data.sizes[:, None])
    crossed = weighted[:, first] - weighted[:, second]
    sizes = (counts @ data.sizes**2)[:, None]
    spread = squares - 2.0 * deltas * crossed + deltas**2 * sizes
    own = np.sqrt(np.maximum(scale * spread, 0.0)) / total
    errors = np.where(own > TINY, own, pair_errors(data)[first, second])
    found = np.divide(deltas - observed, errors, out=np.zeros(deltas.shape), where=errors > TINY)
    statistics = np.zeros((len(counts), data.sums.shape[1], data.sums.shape[1]))
    statistics[:, first, second] = found
    statistics[:, second, first] = -found
    return statistics


def _pair_squares(
    sums: Floats, counts: Floats, pairs: tuple[NDArray[np.intp], NDArray[np.intp]]
) -> Floats:
    """Return (b, P) weighted sums of squared differences, a part of the clusters at a time."""
    first, second = pairs
    rows = max(1, PAIR_CELLS // max(1, len(first)))
    found = np.zeros((len(counts), len(first)))
    for start in range(0, len(sums), rows):
        part = slice(start, start + rows)
        found += counts[:, part] @ (sums[part][:, first] - sums[part][:, second]) ** 2
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampled:
    """What one set of resamples says of all systems.

    Attributes:
        statistics: (B, C, C) studentised deviations, [b, j, k] for j minus k.
        above: (C, C) share of resamples in which row j scores above column k.
        level_with: (C, C) share in which they tie.
        ranks: (C, C) share in which system j has competition rank r + 1.
    """

    statistics: NDArray[np.float32]
    above: Floats
    level_with: Floats
    ranks: Floats


def resample(data: Clustered, *, draws: int, rng: np.random.Generator) -> Resampled:
    """Return pair statistics, superiority and rank shares, all from the same resamples."""
    systems = data.sums.shape[1]
    parts: list[NDArray[np.float32]] = []
    above, ties = np.zeros((systems, systems)), np.zeros((systems, systems))
    ranks = np.zeros((systems, systems))
    groups = len(data.sizes)
    width = groups // TOGETHER if groups >= MANY_CLUSTERS else groups
    for rows in chunk_sizes(draws, max(width, systems**2)):
        counts = draw_counts(len(data.sizes), rows, rng)
        parts.append(pair_statistics(data, counts).astype(np.float32))
        sums = np.round(counts @ data.sums, 9)
        better = sums[:, :, None] > sums[:, None, :]
        above += better.sum(axis=0)
        ties += (sums[:, :, None] == sums[:, None, :]).sum(axis=0)
        place = better.sum(axis=1)
        for j in range(systems):
            ranks[j] += np.bincount(place[:, j], minlength=systems)
    return Resampled(
        statistics=np.concatenate(parts),
        above=above / draws,
        level_with=ties / draws,
        ranks=ranks / draws,
    )


def settled(
    observed: Floats, statistics: NDArray[np.float32], family: Bools, *, level: float
) -> Bools:
    """Return (C, C) ordered pairs (j above k) that are settled within a family, step by step.

    The hypotheses "j is not above k" are rejected when their statistic exceeds the `level`
    quantile of the largest deviation over the hypotheses that still stand; then those rejected
    leave and the quantile is taken again, until nothing more falls.  Romano and Wolf (2005),
    Econometrica 73, 1237-1282, as used by Mogstad, Romano, Shaikh and Wilhelm (2024), Review of
    Economic Studies 91, 476-518.

    Args:
        observed: (C, C) observed difference over its standard error.
        statistics: (B, C, C) studentised deviations.
        family: (C, C) ordered pairs in the family.
        level: confidence level in (0, 1).
    """
    done = np.zeros_like(family)
    while True:
        open_ = family & ~done
        if not open_.any():
            return done
        largest = statistics[:, open_].max(axis=1)
        order = min(len(largest) - 1, int(np.ceil(level * len(largest))) - 1)
        critical = float(np.partition(largest, order)[order])
        falls = open_ & (observed > critical + TIE * max(1.0, abs(critical)))
        if not falls.any():
            return done
        done |= falls


def rank_bounds(above: Bools, j: int) -> tuple[int, int]:
    """Return the best and worst rank of system j when the ordered pairs `above` are settled."""
    return 1 + int(above[:, j].sum()), len(above) - int(above[j].sum())


def rank_sets(
    data: Clustered, statistics: NDArray[np.float32], *, level: float
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return (marginal, simultaneous) rank sets of every system, each as (best, worst).

    A marginal set holds its own system's true rank with at least `level` probability; the
    simultaneous sets hold all true ranks at once with that probability.
    """
    errors = pair_errors(data)
    gaps = data.means[:, None] - data.means[None, :]
    observed = np.divide(gaps, errors, out=np.zeros_like(gaps), where=errors > TINY)
    every = ~np.eye(len(gaps), dtype=bool)
    together = settled(observed, statistics, every, level=level)
    alone = []
    for j in range(len(gaps)):
        family = np.zeros_like(every)
        family[j, :] = family[:, j] = True
        alone.append(rank_bounds(settled(observed, statistics, family & every, level=level), j))
    return alone, [rank_bounds(together, j) for j in range(len(gaps))]
