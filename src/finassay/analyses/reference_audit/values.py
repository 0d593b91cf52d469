"""Values in words.  In: fractions.  Out: short texts."""

from __future__ import annotations

from fractions import Fraction

POINTS = (Fraction(3, 7), Fraction(-11, 5), Fraction(17, 3))
"""Values that letters are given where two expressions are compared at several points."""

_MOST_DIGITS = 12
_SMALL = 1000


def written(value: Fraction) -> str:
    """Return a value as a reader writes it: whole, a short decimal, a small fraction, or rounded.

    Example:
        >>> [written(Fraction(v)) for v in ("8", "5/2", "1/3", "22222/7")]
        ['8', '2.5', '1/3', '3174.5714']
    """
    if value.denominator == 1:
        return str(value.numerator)
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest == 1 and value.denominator <= 10**_MOST_DIGITS:
        digits = len(str(value.denominator)) * 4
        text = f"{value.numerator * 10**digits // value.denominator}".zfill(digits + 1)
        if value < 0:
            return f"-{written(-value)}"
        return f"{text[:-digits]}.{text[-digits:]}".rstrip("0")
    if abs(value.numerator) < _SMALL and value.denominator < _SMALL:
        return f"{value.numerator}/{value.denominator}"
    return f"{float(value):.8g}"
