"""Printed numbers.  In: digits as printed.  Out: the counts and grids that they allow.

All arithmetic is exact, on fractions: whether 85.7% of 53 exists must not hang on a last bit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from scipy import special

_NUMBER = re.compile(r"^([-+−]?)(\d+)(?:\.(\d+))?\s*(%?)$")


class Printed(NamedTuple):
    """A number as printed.

    Attributes:
        value: the number, in the unit it is printed in.
        decimals: digits after the point.
    """

    value: Fraction
    decimals: int

    @property
    def half(self) -> Fraction:
        """Half a unit of the last digit: what rounding may hide."""
        return Fraction(1, 2 * 10**self.decimals)

    @property
    def significant_decimals(self) -> int:
        """Digits after the point without zeros at the end."""
        digits = self.decimals
        while digits and (self.value * 10 ** (digits - 1)).denominator == 1:
            digits -= 1
        return digits


def read_printed(text: str) -> Printed | None:
    """Return the number that a cell prints, None where it prints none: "85.7", "85.7%", "7"."""
    found = _NUMBER.match(text.strip())
    if found is None:
        return None
    sign, whole, decimals, _ = found.groups()
    value = Fraction(f"{whole}.{decimals or '0'}")
    return Printed(-value if sign in {"-", "−"} and sign else value, len(decimals or ""))


def possible_counts(printed: Printed, n: int, *, scale: int = 100) -> tuple[int, ...]:
    """Return every k of 0..n for which scale * k / n is printed so, by rounding or by cutting.

    A number d with h half a unit of its last digit may stand for all of [d - h, d + h], and for
    [d, d + 2h) where digits were cut off.

    Raises:
        ValueError: n is not positive.
    """
    if n < 1:
        raise ValueError(f"`n` must be positive, got {n!r}")
    low = (printed.value - printed.half) * n / scale
    high = (printed.value + 2 * printed.half) * n / scale
    first = max(0, -((-low.numerator) // low.denominator))
    last = min(n, high.numerator // high.denominator)
    cut_end = printed.value + 2 * printed.half
    return tuple(k for k in range(first, last + 1) if Fraction(scale * k, n) < cut_end)


def rounded_counts(printed: Printed, n: int, *, scale: int = 100) -> tuple[int, ...]:
    """Return every k of 0..n for which scale * k / n rounds to the number, halves either way."""
    found = possible_counts(printed, n, scale=scale)
    return tuple(k for k in found if abs(Fraction(scale * k, n) - printed.value) <= printed.half)


def weighted_range(parts: Sequence[tuple[Printed, int]]) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest mean of parts (number, items) that rounding allows.

    Raises:
        ValueError: there are no items.
    """
    total = sum(n for _, n in parts)
    if total < 1:
        raise ValueError(f"parts must hold items, got {[n for _, n in parts]!r}")
    low = sum((p.value - p.half) * n for p, n in parts)
    high = sum((p.value + p.half) * n for p, n in parts)
    return Fraction(low) / total, Fraction(high) / total


def chance_of_grid(coarse: int, cells: int, others_coarse: int, others: int) -> float:
    """Return the chance that a row has at least so many coarse cells, each with the others' rate.

    The rate of the other rows is taken one cell higher than it is, (c + 1) / (n + 1), so that a
    rate of 0 is never believed.

    Args:
        coarse: cells of the row with fewer digits than the table prints.
        cells: cells of the row.
        others_coarse: such cells in the other rows.
        others: cells of the other rows.
    """
    rate = (others_coarse + 1) / (others + 1)
    return float(special.bdtrc(coarse - 1, cells, min(1.0, rate))) if coarse else 1.0
