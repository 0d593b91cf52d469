"""Item statistics by their definitions: loops, an analysis of variance, brute force."""

import math
from collections.abc import Sequence
from itertools import combinations, pairwise
from statistics import mean

Rows = Sequence[Sequence[float]]


def pearson(x: Sequence[float], y: Sequence[float]) -> float | None:
    a, b = [v - mean(x) for v in x], [v - mean(y) for v in y]
    bottom = math.sqrt(math.fsum(v * v for v in a) * math.fsum(v * v for v in b))
    return math.fsum(p * q for p, q in zip(a, b, strict=True)) / bottom if bottom > 1e-12 else None


def rest_scores(rows: Rows, at: int) -> list[float]:
    return [math.fsum(row[c] for i, row in enumerate(rows) if i != at) for c in range(len(rows[0]))]


def hoyt(rows: Rows) -> float | None:
    """Return reliability as 1 - residual over system mean square: Hoyt (1941), Psychometrika 6."""
    items, systems = len(rows), len(rows[0])
    grand = mean(v for row in rows for v in row)
    by_system = [mean(row[c] for row in rows) for c in range(systems)]
    between = items * math.fsum((m - grand) ** 2 for m in by_system) / (systems - 1)
    residual = math.fsum(
        (row[c] - mean(row) - by_system[c] + grand) ** 2 for row in rows for c in range(systems)
    ) / ((items - 1) * (systems - 1))
    return 1 - residual / between if between > 1e-12 else None


def order_of(sums: Sequence[float]) -> list[int]:
    pairs = combinations(range(len(sums)), 2)
    return [(sums[i] > sums[j]) - (sums[i] < sums[j]) for i, j in pairs]


def smallest_size(rows: Rows) -> int:
    """Return the size of the smallest subset that ranks the systems as all rows do."""
    systems = len(rows[0])
    whole = order_of([sum(row[c] for row in rows) for c in range(systems)])
    for size in range(len(rows) + 1):
        for chosen in combinations(rows, size):
            if order_of([sum(row[c] for row in chosen) for c in range(systems)]) == whole:
                return size
    raise AssertionError("all rows keep their own ranking")


def declines(shares: Sequence[float]) -> bool:
    return all(left > right for left, right in pairwise(shares))


def marginal_log_likelihood(
    rows: Rows, parameters: Sequence[tuple[float, float]], grid: Sequence[tuple[float, float]]
) -> float:
    """Return the 2PL log-likelihood over (node, weight): one product of shares a system."""
    total = 0.0
    for c in range(len(rows[0])):
        mass = 0.0
        for node, weight in grid:
            product = weight
            for row, (log_a, b) in zip(rows, parameters, strict=True):
                p = 1 / (1 + math.exp(-math.exp(log_a) * (node - b)))
                product *= p if row[c] else 1 - p
            mass += product
        total += math.log(mass)
    return total
