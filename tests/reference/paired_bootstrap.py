"""Paired bootstrap tests by their definitions: every resample, in whole numbers and fractions."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product


def _tails(chances: dict[tuple[int, int], int], observed: Fraction) -> tuple[Fraction, Fraction]:
    """Return both p from {(sum, items): resamples} with the statement as it is printed."""
    whole = sum(chances.values())
    apart = [
        (abs(Fraction(total, items) - observed), count) for (total, items), count in chances.items()
    ]
    reached = sum(count for distance, count in apart if distance >= abs(observed))
    passed = sum(count for distance, count in apart if distance > abs(observed))
    return Fraction(reached, whole), Fraction(passed, whole)


def every_resample(clusters: Sequence[tuple[int, int]]) -> tuple[Fraction, Fraction]:
    """Return p of (sum, size) clusters by listing all G^G resamples."""
    found = Counter(
        (sum(total for total, _ in drawn), sum(items for _, items in drawn))
        for drawn in product(clusters, repeat=len(clusters))
    )
    return _tails(found, _mean(clusters))


def by_polynomial(clusters: Sequence[tuple[int, int]]) -> tuple[Fraction, Fraction]:
    """Return the same p by G-fold multiplication of polynomials with whole coefficients."""
    one = Counter(clusters)
    ways: dict[tuple[int, int], int] = {(0, 0): 1}
    for _ in clusters:
        grown: Counter[tuple[int, int]] = Counter()
        for (total, items), count in ways.items():
            for (more, added), times in one.items():
                grown[total + more, items + added] += count * times
        ways = grown
    return _tails(ways, _mean(clusters))


def _mean(clusters: Sequence[tuple[int, int]]) -> Fraction:
    return Fraction(sum(total for total, _ in clusters), sum(items for _, items in clusters))


def singles(differences: Sequence[int]) -> list[tuple[int, int]]:
    """Return items as clusters of one."""
    return [(difference, 1) for difference in differences]
