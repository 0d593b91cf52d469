"""Paired tests and tie groups by their definitions: lists of everything that could have been."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product


def sign_flips(differences: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Return (inclusive, exclusive) p over all signs."""
    observed = abs(sum(differences))
    sums = [
        abs(sum(sign * d for sign, d in zip(signs, differences, strict=True)))
        for signs in product((-1, 1), repeat=len(differences))
    ]
    reached = sum(total >= observed for total in sums)
    passed = sum(total > observed for total in sums)
    return Fraction(reached, len(sums)), Fraction(passed, len(sums))


def mcnemar_p(left_only: int, right_only: int) -> tuple[Fraction, Fraction]:
    """Return (exact, mid) p: the chance of counts at most as likely, ties half for mid."""
    n, fewer = left_only + right_only, min(left_only, right_only)
    below = sum((Fraction(math.comb(n, k), 2**n) for k in range(fewer)), Fraction(0))
    at = Fraction(math.comb(n, fewer), 2**n)
    return min(Fraction(1), 2 * (below + at)), min(Fraction(1), 2 * below + at)


def mcnemar_power(n: int, discordance: float, difference: float, alpha: float) -> float:
    """Return the chance of rejection by listing all counts of discordant items."""
    left, right = (discordance + difference) / 2, (discordance - difference) / 2
    total = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            if float(mcnemar_p(b, c)[0]) <= alpha:
                ways = math.comb(n, b) * math.comb(n - b, c)
                total += ways * left**b * right**c * (1 - discordance) ** (n - b - c)
    return total


def score_statistic(left_only: int, right_only: int, n: int, difference: float) -> float:
    """Return the squared score of a difference of paired shares, nuisance share by search.

    The likelihood in the share q of items that only the right system gets right is unimodal, so
    its top is found by cutting the range in thirds.
    """
    low, high = max(0.0, -difference), (1 - difference) / 2

    def log_likelihood(q: float) -> float:
        parts = (
            (left_only, q + difference),
            (right_only, q),
            (n - left_only - right_only, 1 - 2 * q - difference),
        )
        return sum(k * math.log(max(share, 1e-300)) for k, share in parts if k)

    for _ in range(200):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (a, high) if log_likelihood(a) < log_likelihood(b) else (low, b)
    q = (low + high) / 2
    variance = n * (2 * q + difference - difference**2)
    gap = left_only - right_only - n * difference
    return gap * gap / variance


def largest_tie_groups(differ: Sequence[Sequence[bool]]) -> set[frozenset[int]]:
    """Return all sets without a differing pair that no such set contains."""
    size = len(differ)
    free = [
        frozenset(group)
        for many in range(1, size + 1)
        for group in combinations(range(size), many)
        if not any(differ[i][j] for i, j in combinations(group, 2))
    ]
    return {group for group in free if not any(group < other for other in free)}
