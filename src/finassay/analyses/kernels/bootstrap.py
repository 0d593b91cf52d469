"""Bias-corrected and accelerated intervals of a statistic of sums.  In: features.  Out: ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from finassay.analyses.kernels.resampling import chunk_sizes, draw_counts

Floats = NDArray[np.float64]
Values = Callable[[Floats], tuple[Floats, NDArray[np.bool_]]]
"""From (B, F) sums to (B,) values and whether each is defined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A bootstrap interval.

    Attributes:
        low: low end; None when it cannot be made.
        high: high end.
        error: standard deviation of the resampled values; None when it cannot be made.
        n_undefined: resamples in which the statistic has no value.
        is_degenerate: whether all resampled values are equal.
    """

    low: float | None
    high: float | None
    error: float | None
    n_undefined: int
    is_degenerate: bool


def grouped_sums(features: Floats, codes: NDArray[np.int64]) -> Floats:
    """Return (G, F) sums of (U, F) features over the clusters 0..G-1."""
    out = np.zeros((int(codes.max()) + 1 if len(codes) else 0, features.shape[1]))
    np.add.at(out, codes, features)
    return out


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistic:
    """A statistic of sums: (G, F) features of the clusters, and what their sums say."""

    sums: Floats
    values: Values


def bca_intervals(
    statistics: Sequence[Statistic], *, draws: int, rng: np.random.Generator, level: float
) -> tuple[Interval, ...]:
    """Return the BCa intervals of statistics over the same G clusters, drawn as wholes.

    All statistics see the same resamples.  z0 is the normal quantile of the share of resampled
    values below the observed (ties count half), the acceleration comes from leaving out one
    cluster at a time.  Efron (1987), JASA 82, 171-185, equations 3.9 and 7.3.  Resamples without a
    value are counted and left out.

    Args:
        statistics: features of the clusters and what their sums say.
        draws: resamples.
        rng: generator.
        level: confidence level.
    """
    groups = len(statistics[0].sums) if statistics else 0
    found: list[list[Floats]] = [[] for _ in statistics]
    width = max((max(one.sums.shape) for one in statistics), default=1)
    for rows in chunk_sizes(draws, width) if groups > 1 else ():
        counts = draw_counts(groups, rows, rng)
        for drawn, statistic in zip(found, statistics, strict=True):
            values, ok = statistic.values(counts @ statistic.sums)
            drawn.append(values[ok])
    return tuple(
        _interval(statistic, np.concatenate(drawn) if drawn else np.zeros(0), draws, level)
        for drawn, statistic in zip(found, statistics, strict=True)
    )


def _interval(statistic: Statistic, drawn: Floats, draws: int, level: float) -> Interval:
    whole = statistic.sums.sum(axis=0, keepdims=True)
    point, is_defined = statistic.values(whole)
    if len(statistic.sums) < 2 or not is_defined[0] or len(drawn) < 2:
        undefined = draws - len(drawn) if is_defined[0] and len(statistic.sums) > 1 else 0
        return Interval(low=None, high=None, error=None, n_undefined=undefined, is_degenerate=False)
    left_out, ok = statistic.values(whole - statistic.sums)
    low, high = bca_ends(np.sort(drawn), float(point[0]), left_out[ok], level)
    return Interval(
        low=low,
        high=high,
        error=float(drawn.std(ddof=1)),
        n_undefined=draws - len(drawn),
        is_degenerate=bool(np.ptp(drawn) < 1e-12),
    )


def bca_ends(drawn: Floats, point: float, left_out: Floats, level: float) -> tuple[float, float]:
    """Return the ends of a BCa interval; see `bca_intervals`.

    Args:
        drawn: (B,) resampled values, in rising order, at least one.
        point: the observed value.
        left_out: (G,) values with one cluster left out.
        level: confidence level.
    """
    near = 1e-12
    below = float((drawn < point - near).sum()) + 0.5 * float((np.abs(drawn - point) <= near).sum())
    share = min(max(below / len(drawn), 1.0 / len(drawn)), 1.0 - 1.0 / len(drawn))
    z0 = float(special.ndtri(share))
    away = left_out.mean() - left_out if len(left_out) else np.zeros(1)
    scale = float((away**2).sum()) ** 1.5
    speed = float((away**3).sum()) / (6.0 * scale) if scale > 0 else 0.0
    ends = []
    for tail in ((1.0 - level) / 2.0, (1.0 + level) / 2.0):
        z = z0 + float(special.ndtri(tail))
        bent = 1.0 - speed * z
        at = float(special.ndtr(z0 + z / bent)) if bent > 0 else tail
        ends.append(float(drawn[min(len(drawn) - 1, max(0, math.ceil(at * len(drawn)) - 1))]))
    return min(ends), max(ends)
