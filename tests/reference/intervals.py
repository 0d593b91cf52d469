"""Intervals by their definitions: bisection on the statement that each end must satisfy."""

import math
from collections.abc import Callable
from statistics import NormalDist


def bisect(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Return where `holds` turns from true to false between low and high."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return (low + high) / 2


def wilson(right: int, n: int, level: float) -> tuple[float, float]:
    """Return the p at which the observed share lies exactly z standard errors away."""
    z, share = NormalDist().inv_cdf((1 + level) / 2), right / n

    def outside(p: float) -> bool:
        return (share - p) ** 2 > z * z * p * (1 - p) / n

    low = 0.0 if right == 0 else bisect(outside, 0.0, share)
    high = 1.0 if right == n else bisect(lambda p: not outside(p), share, 1.0)
    return low, high


def at_least(right: int, n: int, p: float) -> float:
    return math.fsum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(right, n + 1))


def clopper_pearson(right: int, n: int, level: float) -> tuple[float, float]:
    """Return the p at which the count is just extreme enough in each tail."""
    tail = (1 - level) / 2
    low = bisect(lambda p: at_least(right, n, p) < tail, 0.0, 1.0) if right else 0.0
    high = bisect(lambda p: 1 - at_least(right + 1, n, p) > tail, 0.0, 1.0) if right < n else 1.0
    return low, high


def _simpson(f: Callable[[float], float], high: float, steps: int = 300) -> float:
    width = high / steps
    inner = math.fsum((4 if i % 2 else 2) * f(i * width) for i in range(1, steps))
    return width / 3 * (f(0.0) + inner + f(high))


def jeffreys(right: int, n: int, level: float) -> tuple[float, float]:
    """Return quantiles of Beta(right + 1/2, n - right + 1/2), integrated after x = sin^2 t."""

    def density(t: float) -> float:
        return math.sin(t) ** (2 * right) * math.cos(t) ** (2 * (n - right))

    whole = _simpson(density, math.pi / 2)

    def quantile(q: float) -> float:
        t = bisect(lambda t: _simpson(density, t) < q * whole, 0.0, math.pi / 2)
        return math.sin(t) ** 2

    tail = (1 - level) / 2
    return (quantile(tail) if right else 0.0), (quantile(1 - tail) if right < n else 1.0)
