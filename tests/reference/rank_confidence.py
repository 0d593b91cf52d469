"""Rank confidence sets by their definition, with loops over resamples, pairs and clusters."""

import math
from collections.abc import Sequence

Rows = Sequence[Sequence[float]]


def difference_and_error(
    sums: Rows, sizes: Sequence[float], counts: Sequence[float], pair: tuple[int, int]
) -> tuple[float, float]:
    """Return the difference of two means and its clustered standard error in one resample."""
    j, k = pair
    total = sum(c * n for c, n in zip(counts, sizes, strict=True))
    gap = sum(c * (s[j] - s[k]) for c, s in zip(counts, sums, strict=True)) / total
    groups = len(sizes)
    squares = math.fsum(
        c * (s[j] - s[k] - n * gap) ** 2 for c, s, n in zip(counts, sums, sizes, strict=True)
    )
    return gap, math.sqrt(groups / (groups - 1) * squares) / total


def rank_set(
    sums: Rows, sizes: Sequence[float], draws: Rows, system: int | None, level: float
) -> list[tuple[int, int]]:
    """Return (best, worst) ranks: of all systems at once, or of one with its own pairs alone."""
    systems = len(sums[0])
    ones = [1.0] * len(sizes)
    pairs = [
        (j, k)
        for j in range(systems)
        for k in range(systems)
        if j != k and (system is None or system in (j, k))
    ]
    seen = {pair: difference_and_error(sums, sizes, ones, pair) for pair in pairs}
    moved: dict[tuple[int, int], list[float]] = {}
    for pair in pairs:
        gap, error = seen[pair]
        moved[pair] = []
        for counts in draws:
            drawn, own = difference_and_error(sums, sizes, counts, pair)
            scale = own if own > 1e-7 else error
            moved[pair].append((drawn - gap) / scale if scale > 1e-7 else 0.0)
    rejected: set[tuple[int, int]] = set()
    while True:
        standing = [pair for pair in pairs if pair not in rejected]
        if not standing:
            break
        largest = sorted(max(moved[pair][b] for pair in standing) for b in range(len(draws)))
        critical = largest[min(len(largest) - 1, math.ceil(level * len(largest)) - 1)]
        bound = critical + 1e-6 * max(1.0, abs(critical))
        new = {p for p in standing if seen[p][1] > 1e-7 and seen[p][0] / seen[p][1] > bound}
        if not new:
            break
        rejected |= new
    asked = range(systems) if system is None else [system]
    return [
        (
            1 + sum((k, j) in rejected for k in range(systems)),
            systems - sum((j, k) in rejected for k in range(systems)),
        )
        for j in asked
    ]
