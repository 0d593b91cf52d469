"""Analysis of variance as a textbook writes it: full factorials, sums over cells, no arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean

Point = tuple[int, ...]


def mean_where(values: Mapping[Point, float], fixed: Mapping[int, int]) -> float:
    """Return the mean over the points that have these levels."""
    return fmean(v for p, v in values.items() if all(p[f] == level for f, level in fixed.items()))


def shares(values: Mapping[Point, float], factors: int) -> tuple[float, list[float], dict]:
    """Return (variance, main effects, interactions by pair) of a balanced full factorial.

    Montgomery, Design and Analysis of Experiments, chapter 5: SS of a factor is the sum over its
    levels of the squared deviation of the level mean, and of a pair that of the cell mean less
    both main effects; here divided by the number of points.
    """
    grand = fmean(values.values())
    total = fmean((v - grand) ** 2 for v in values.values())
    mains = [
        fmean((mean_where(values, {f: p[f]}) - grand) ** 2 for p in values) for f in range(factors)
    ]
    pairs = {
        (f, g): fmean(
            (
                mean_where(values, {f: p[f], g: p[g]})
                - mean_where(values, {f: p[f]})
                - mean_where(values, {g: p[g]})
                + grand
            )
            ** 2
            for p in values
        )
        for f, g in combinations(range(factors), 2)
    }
    return total, mains, pairs


def hasse(above: Sequence[Sequence[bool]]) -> set[tuple[int, int]]:
    """Return the pairs of a strict order between which nothing stands, by trying every third."""
    n = range(len(above))
    return {
        (i, j)
        for i in n
        for j in n
        if above[i][j] and not any(above[i][k] and above[k][j] for k in n)
    }


def chain(above: Sequence[Sequence[bool]], at: int) -> int:
    """Return the length of the longest chain above an element, by recursion."""
    return max((1 + chain(above, i) for i in range(len(above)) if above[i][at]), default=0)
