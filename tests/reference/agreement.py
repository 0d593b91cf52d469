"""Agreement by definitions: loops over pairs of ratings, with fractions."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

Unit = Sequence[int | None]


def given(unit: Unit) -> list[int]:
    return [rating for rating in unit if rating is not None]


def corrected(observed: Fraction, expected: Fraction) -> Fraction | None:
    return None if expected == 1 else (observed - expected) / (1 - expected)


def cohen(units: Sequence[Unit], categories: int) -> Fraction | None:
    pairs = [given(unit) for unit in units if len(given(unit)) == 2]
    if not pairs:
        return None
    n = len(pairs)
    observed = Fraction(sum(a == b for a, b in pairs), n)
    expected = sum(
        Fraction(sum(a == k for a, _ in pairs) * sum(b == k for _, b in pairs), n * n)
        for k in range(categories)
    )
    return corrected(observed, expected)


def fleiss(units: Sequence[Unit], categories: int) -> Fraction | None:
    whole = [given(unit) for unit in units if None not in unit]
    if not whole:
        return None
    shares = [same_pairs(unit) for unit in whole]
    every = [rating for unit in whole for rating in unit]
    expected = sum(Fraction(every.count(k), len(every)) ** 2 for k in range(categories))
    return corrected(sum(shares, Fraction(0)) / len(shares), expected)


def same_pairs(unit: Sequence[int]) -> Fraction:
    pairs = list(permutations(unit, 2))
    return Fraction(sum(a == b for a, b in pairs), len(pairs))


def gwet(units: Sequence[Unit], categories: int) -> Fraction | None:
    several = [same_pairs(given(unit)) for unit in units if len(given(unit)) >= 2]
    if not several:
        return None
    rated = [given(unit) for unit in units if given(unit)]
    shares = [
        sum(Fraction(unit.count(k), len(unit)) for unit in rated) / len(rated)
        for k in range(categories)
    ]
    expected = sum((p * (1 - p) for p in shares), Fraction(0)) / (categories - 1)
    return corrected(sum(several, Fraction(0)) / len(several), expected)
