"""Two rates over the same clusters.  In: hits and units.  Out: their gap, an interval and p.

A bootstrap of rare errors has too few different resamples; score intervals of the two rates do not
collapse there, and are combined into one of their difference.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]

FARTHEST = 40.0
"""Normal quantile beyond which every p is 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteredRate:
    """A rate with what clusters take away from its precision.

    Attributes:
        rate: hits of units.
        n: units.
        effective: units that would be as precise one by one; at most n.
        influence: (G,) what each cluster adds to the rate's error; the squares sum to its variance.
    """

    rate: float
    n: float
    effective: float
    influence: Floats


def clustered_rate(hits: Floats, sizes: Floats) -> ClusteredRate | None:
    """Return the rate of (G,) hits of (G,) units; None without units.

    The variance is that of a ratio over clusters, G/(G-1) sum (x - p m)^2 / n^2, and the effective
    number p (1 - p) over it, never above n.  Where nothing varies it is the number of clusters.
    Cochran (1977), Sampling Techniques, 3rd edition, section 2.11.
    """
    n = float(sizes.sum())
    if n <= 0.0:
        return None
    used = int((sizes > 0).sum())
    rate = float(hits.sum()) / n
    grow = math.sqrt(used / (used - 1)) if used > 1 else 1.0
    influence = grow * (hits - rate * sizes) / n
    variance = float((influence**2).sum())
    spread = rate * (1.0 - rate)
    effective = min(n, spread / variance) if variance > 1e-15 and spread > 0.0 else float(used)
    return ClusteredRate(rate=rate, n=n, effective=effective, influence=influence)


def score_ends(given: ClusteredRate, z: float) -> tuple[float, float]:
    """Return the ends of Wilson's interval at a normal quantile, with the effective number.

    Wilson (1927), JASA 22, 209-212.
    """
    p, n = given.rate, given.effective
    centre, half = p + z * z / (2.0 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4.0 * n * n))
    scale = 1.0 + z * z / n
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)


def gap_ends(left: ClusteredRate, right: ClusteredRate, z: float) -> tuple[float, float]:
    """Return the ends of the interval of left minus right at a normal quantile.

    Squares of the distances to the score ends add up, less twice their product times the
    correlation of the two rates.  Newcombe (1998), Statistics in Medicine 17, 873-890, method 10,
    and 2635-2650 for correlated rates; Zou and Donner (2008), Statistics in Medicine 27, 1693-1702.
    """
    gap, rho = left.rate - right.rate, _correlation(left, right)
    (low, high), (below, above) = score_ends(left, z), score_ends(right, z)
    down = _joined(left.rate - low, above - right.rate, rho)
    up = _joined(high - left.rate, right.rate - below, rho)
    return gap - down, gap + up


def _joined(a: float, b: float, rho: float) -> float:
    return math.sqrt(max(0.0, a * a + b * b - 2.0 * rho * a * b))


def _correlation(left: ClusteredRate, right: ClusteredRate) -> float:
    scale = math.sqrt(float((left.influence**2).sum()) * float((right.influence**2).sum()))
    if scale <= 1e-15:
        return 0.0
    shared = float((left.influence * right.influence).sum()) / scale
    return min(1.0, max(-1.0, shared))


def gap_p(left: ClusteredRate, right: ClusteredRate) -> float:
    """Return the two-sided p: 1 - the level at which the interval of the gap begins at 0."""
    gap = left.rate - right.rate
    if gap == 0.0:
        return 1.0

    def is_outside(z: float) -> bool:
        low, high = gap_ends(left, right, z)
        return low > 0.0 if gap > 0.0 else high < 0.0

    near, far = 0.0, FARTHEST
    if is_outside(far):
        return 0.0
    for _ in range(60):
        middle = (near + far) / 2.0
        near, far = (middle, far) if is_outside(middle) else (near, middle)
    return float(2.0 * special.ndtr(-near))


def quantile_of(level: float) -> float:
    """Return the normal quantile of a two-sided level."""
    return float(special.ndtri((1.0 + level) / 2.0))
