"""Ranks, rank correlations and concordance by their definitions, with loops and fractions."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations


def sign(a: float, b: float) -> int:
    return (a > b) - (a < b)


def rank(scores: Sequence[Fraction], convention: str, *, higher_is_better: bool) -> list[Fraction]:
    out = []
    for i, own in enumerate(scores):
        better = [s for s in scores if (s > own if higher_is_better else s < own)]
        equal_before = sum(s == own for s in scores[:i])
        ties = sum(s == own for s in scores)
        out.append(
            {
                "competition": Fraction(1 + len(better)),
                "dense": Fraction(1 + len(set(better))),
                "average": 1 + len(better) + Fraction(ties - 1, 2),
                "ordinal": Fraction(1 + len(better) + equal_before),
            }[convention]
        )
    return out


def centred(column: Sequence[Fraction]) -> list[Fraction]:
    mean = sum(column, Fraction(0)) / len(column)
    return [value - mean for value in column]


def average_ranks(scores: Sequence[int]) -> list[Fraction]:
    return rank([Fraction(s) for s in scores], "average", higher_is_better=True)


def cross(x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(centred(x), centred(y), strict=True)), Fraction(0))


def spearman(x: Sequence[int], y: Sequence[int]) -> tuple[float, float] | None:
    """Return rho and the share of all orders of y that are at least as far from 0."""
    a, b = average_ranks(x), average_ranks(y)
    norm = cross(a, a) * cross(b, b)
    if not norm:
        return None
    seen = abs(cross(a, b))
    orders = list(permutations(b))
    extreme = sum(abs(cross(a, order)) >= seen for order in orders)
    return float(cross(a, b)) / math.sqrt(norm), extreme / len(orders)


def kendall_score(x: Sequence[int], y: Sequence[int]) -> int:
    pairs = combinations(range(len(x)), 2)
    return sum(sign(x[i], x[j]) * sign(y[i], y[j]) for i, j in pairs)


def kendall(x: Sequence[int], y: Sequence[int]) -> tuple[float, float, Fraction] | None:
    """Return tau-b, the exact permutation p, and the permutation variance of C - D."""
    pairs = list(combinations(range(len(x)), 2))
    untied_x = sum(x[i] != x[j] for i, j in pairs)
    untied_y = sum(y[i] != y[j] for i, j in pairs)
    if not untied_x or not untied_y:
        return None
    seen = kendall_score(x, y)
    scores = [kendall_score(x, order) for order in permutations(y)]
    extreme = sum(abs(score) >= abs(seen) for score in scores)
    variance = Fraction(sum(score * score for score in scores), len(scores))
    return seen / math.sqrt(untied_x * untied_y), extreme / len(scores), variance


def kendall_w(ratings: Sequence[Sequence[int]]) -> Fraction | None:
    """Return the variance of the rank sums over the largest it could be, given the ties."""
    m, n = len(ratings), len(ratings[0])
    ranked = [average_ranks(row) for row in ratings]
    sums = [sum((row[j] for row in ranked), Fraction(0)) for j in range(n)]
    spread = sum((value * value for value in centred(sums)), Fraction(0))
    ties = sum(row.count(v) ** 3 - row.count(v) for row in ratings for v in set(row))
    bottom = Fraction(m * m * (n**3 - n) - m * ties, 12)
    return spread / bottom if bottom else None
