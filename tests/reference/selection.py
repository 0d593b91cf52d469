"""Selection by its definitions, with loops, fractions and decimals."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from math import sqrt
from statistics import median

from reference.ranking import average_ranks, cross

Column = Mapping[str, Decimal]


def whole(values: Sequence[Decimal]) -> list[int]:
    return [int(value * 10_000) for value in values]


def rho(left: Sequence[Decimal], right: Sequence[Decimal]) -> float | None:
    """Return Spearman's rho: Pearson's correlation of average ranks."""
    a, b = average_ranks(whole(left)), average_ranks(whole(right))
    norm = cross(a, a) * cross(b, b)
    return float(cross(a, b)) / sqrt(norm) if norm else None


def regret(broad: Column, wanted: Column, k: int, within: Decimal = Decimal(0)) -> Decimal:
    """Return Reg(k): what the systems of competition rank at most k forgo, near ones kept."""
    rank = {m: 1 + sum(broad[n] > broad[m] for n in broad) for m in broad}
    shortlist = {m for m in broad if rank[m] <= k}
    cut = min(broad[m] for m in shortlist)
    shortlist |= {m for m in broad if cut - broad[m] <= within}
    return max(wanted.values()) - max(wanted[m] for m in shortlist)


def percentiles(column: Column) -> dict[str, Fraction]:
    """Return 100 (M - R) / (M - 1) with R the average rank, highest first."""
    names = list(column)
    ranks = average_ranks(whole([column[name] for name in names]))
    size = len(names)
    return {
        name: 100 * (size - rank) / Fraction(size - 1)
        for name, rank in zip(names, ranks, strict=True)
    }


def gaps(columns: Sequence[Column]) -> dict[tuple[str, str], Fraction]:
    """Return the mean absolute percentile difference of each pair of systems."""
    made = [percentiles(column) for column in columns]
    return {
        (a, b): sum((abs(p[a] - p[b]) for p in made), Fraction(0)) / len(made)
        for a, b in combinations(columns[0], 2)
    }


def median_gap(found: Mapping[tuple[str, str], Fraction]) -> float:
    return float(median(found.values()))


def largest_eigenvalue(matrix: Sequence[Sequence[float]], rounds: int = 2000) -> float:
    """Return the largest eigenvalue by power iteration."""
    vector = [1.0] * len(matrix)
    size = 0.0
    for _ in range(rounds):
        vector = [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]
        size = sqrt(sum(value * value for value in vector))
        vector = [value / size for value in vector]
    return size
