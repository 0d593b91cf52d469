"""Shared-resample Monte Carlo.  In: sums over units, and a seed.  Out: means of every resample.

One matrix of multinomial counts W (draws x units) multiplies all columns at once, so every pair,
every rule and every rank distribution comes from the same draws.  W is made in chunks, so memory
does not grow with the number of draws.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.lattice import Tail

Floats = NDArray[np.float64]
Reals = NDArray[np.float32] | NDArray[np.float64]

CELLS = 1_000_000
"""Numbers that one chunk of counts may hold (8 MB)."""

_BLOCK = 32_768
_WHOLE_IN_FLOAT32 = 2**24

ROUNDING = 1e-9
"""Relative distance within which sums of scores off a lattice count as tied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled:
    """Two-sided p by Monte Carlo, under both tie conventions.

    Attributes:
        inclusive: share of draws at least as far out as observed.
        exclusive: share of draws farther out.
        draws: number of draws.
    """

    inclusive: float
    exclusive: float
    draws: int

    @property
    def tail(self) -> Tail:
        """Return both p without the number of draws."""
        return Tail(inclusive=self.inclusive, exclusive=self.exclusive)

    @property
    def standard_error(self) -> float:
        """Return the Monte Carlo standard error of the inclusive p.

        sqrt(q (1 - q) / draws) with q = (k + 1) / (draws + 2), so that k = 0 does not look exact.
        """
        q = (self.inclusive * self.draws + 1.0) / (self.draws + 2.0)
        return math.sqrt(q * (1.0 - q) / self.draws)


def draw_counts(
    units: int, draws: int, rng: np.random.Generator, *, single: bool = False
) -> Floats:
    """Return (draws, units) how often each unit is drawn in `units` draws with replacement.

    With `single` the same counts, as numbers of single precision.
    """
    small = units <= np.iinfo(np.uint16).max
    drawn = rng.integers(0, units, (draws, units), dtype=np.uint16 if small else np.int64)
    counts = np.empty((draws, units), np.float32 if single else np.float64)
    # Blocks that stay in the processor's cache: counting the whole at once takes twice as long.
    height = max(1, _BLOCK // max(1, units))
    offsets = (np.arange(height) * units)[:, None]
    for start in range(0, draws, height):
        block = drawn[start : start + height]
        flat = (block + offsets[: len(block)]).ravel()
        counted = np.bincount(flat, minlength=block.size)
        counts[start : start + height] = counted.reshape(block.shape)
    return counts


def in_smallest_exact(columns: Floats) -> Reals:
    """Return (U, C) columns in float32 where sums of them resampled are exact in it.

    Whole numbers below 2**24 are not rounded in float32, whose products take half the time.  Any
    other columns are returned as they are.
    """
    largest = float(np.abs(columns).max(initial=0.0)) * len(columns)
    exact = largest < _WHOLE_IN_FLOAT32 and bool(np.all(columns == np.rint(columns)))
    return columns.astype(np.float32) if exact else columns


def _totals(columns: Reals, rows: int, rng: np.random.Generator) -> Floats:
    """Return (rows, C) sums of (U, C) columns over resamples of the units."""
    counts: Reals = draw_counts(len(columns), rows, rng, single=columns.dtype == np.float32)
    totals: Floats = (counts @ columns).astype(np.float64, copy=False)
    return totals


def chunk_sizes(draws: int, width: int) -> Iterator[int]:
    """Yield numbers of draws that add up to `draws`, each small enough for `CELLS`."""
    rows = max(1, CELLS // max(1, width))
    for start in range(0, draws, rows):
        yield min(rows, draws - start)


def resampled_means(
    sums: Floats, sizes: Floats, *, draws: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """Yield (b, C) means of the columns in each of `draws` resamples of the units.

    Args:
        sums: (U, C) sums of each column over the items of a unit (an item, or a cluster).
        sizes: (U,) items of each unit, at least 1.
        draws: resamples.
        rng: where randomness comes from.
    """
    summed = in_smallest_exact(np.column_stack([sums, sizes]))
    for rows in chunk_sizes(draws, max(summed.shape)):
        totals = _totals(summed, rows, rng)
        yield totals[:, :-1] / totals[:, -1:]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitSums:
    """Scores summed over the units that are drawn.

    Attributes:
        sums: (U, C) sums of each column; whole numbers of steps where `on_lattice`.
        sizes: (U,) items of each unit, at least 1.
        on_lattice: whether ties can be told exactly.
    """

    sums: Floats
    sizes: Floats
    on_lattice: bool

    @property
    def slack(self) -> float:
        """Return the relative distance within which two numbers are tied."""
        return 0.0 if self.on_lattice else ROUNDING


def pair_tails(
    units: UnitSums,
    pairs: NDArray[np.int64],
    *,
    draws: int,
    rng: np.random.Generator,
) -> tuple[Sampled, ...]:
    """Return the p of the paired bootstrap test of (P, 2) pairs of columns, from shared draws.

    The test of `lattice.bootstrap_tail` (each unit one item) and of
    `clustered.clustered_bootstrap_tail` (each unit a cluster), by Monte Carlo.
    """
    left, right = pairs[:, 0], pairs[:, 1]
    both = np.column_stack([units.sums, units.sizes])
    whole, summed = both.sum(axis=0), in_smallest_exact(both)
    observed, items = whole[left] - whole[right], whole[-1]
    reached, passed = np.zeros(len(pairs)), np.zeros(len(pairs))
    for rows in chunk_sizes(draws, max(*both.shape, 4 * len(pairs))):
        totals = _totals(summed, rows, rng)
        size = totals[:, -1:]
        apart = np.abs((totals[:, left] - totals[:, right]) * items - observed * size)
        limit = np.abs(observed) * size
        reached += (apart >= limit * (1.0 - units.slack)).sum(axis=0)
        passed += (apart > limit * (1.0 + units.slack)).sum(axis=0)
    return tuple(
        Sampled(inclusive=float(a) / draws, exclusive=float(b) / draws, draws=draws)
        for a, b in zip(reached, passed, strict=True)
    )


def rank_shares(sums: Floats, sizes: Floats, *, draws: int, rng: np.random.Generator) -> Floats:
    """Return (C, C) the share of resamples in which each column (row) has each rank (column).

    Competition ranks: tied columns share the best rank of their group.
    """
    columns = sums.shape[1]
    counts = np.zeros((columns, columns))
    for means in resampled_means(sums, sizes, draws=draws, rng=rng):
        rising = np.sort(means, axis=1)
        for j in range(columns):
            above = (rising > means[:, j : j + 1]).sum(axis=1)
            counts[j] += np.bincount(above, minlength=columns)
    return counts / draws


def two_level_counts(trials: NDArray[np.int64], draws: int, rng: np.random.Generator) -> Floats:
    """Return (draws, sum of trials) weights of every trial when items, then trials, are drawn.

    Items are drawn with replacement; within each item drawn, as many of its trials as it has, with
    replacement.  Each item drawn weighs 1, so its trials weigh 1 / its number of trials, and a
    row of weights sums to the number of items.  Davison and Hinkley (1997), Bootstrap Methods and
    their Application, section 3.8, both stages with replacement.

    Args:
        trials: (n,) trials of each item, at least 1.
        draws: resamples.
        rng: where randomness comes from.

    Raises:
        ValueError: there are no items, or an item without a trial.
    """
    if not len(trials) or int(trials.min()) < 1:
        raise ValueError("two-level resampling needs items, each with at least one trial")
    starts = np.cumsum(trials) - trials
    units = int(trials.sum())
    drawn = rng.integers(0, len(trials), draws * len(trials))
    many = trials[drawn]
    picked = np.repeat(starts[drawn] + np.arange(len(drawn)) // len(trials) * units, many)
    picked += rng.integers(0, np.repeat(many, many))
    counts = np.bincount(picked, minlength=draws * units).reshape(draws, units)
    return np.asarray(counts / np.repeat(trials, trials))


def two_level_means(
    values: Floats, trials: NDArray[np.int64], *, draws: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """Yield (b, C) means over items of the means over trials, resampled on both levels.

    `values` is (sum of trials, C): the trials of the first item, then of the second, and so on.
    """
    for rows in chunk_sizes(draws, max(values.shape)):
        yield two_level_counts(trials, rows, rng) @ values / len(trials)
