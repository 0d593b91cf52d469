"""Do two sides of a relation hold?  In: two sides with values.  Out: nothing, or what is wrong.

A lone figure may be rounded or cut at its last digit, unless the exact value can be written with
as many digits.  Figures with decimals on the other side may have been rounded before.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from finassay.analyses.reference_audit.results import ReferenceKind
from finassay.analyses.results_audit import Severity
from finassay.text.arithmetic import (
    Side,
    Value,
    has_operation,
    holds_percent,
    holds_scale,
    lone_number,
    only_adds,
)

LOOSE = Fraction(2, 100)
"""Relative distance up to which a sign of approximation is believed."""

_TEN = tuple(Fraction(10) ** power for power in range(-13, 14) if abs(power) > 1)
_UNITS = tuple(
    Fraction(ratio)
    for whole in (4, 7, 12, 24, 30, 52, 60, 360, 365, 366, 3600, 1440)
    for ratio in (whole, Fraction(1, whole))
)


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A side and its value."""

    side: Side
    value: Value

    @property
    def unit(self) -> Fraction:
        """One unit of the last digit of a lone figure; 0 for anything else."""
        found = None if self.side.node is None else lone_number(self.side.node)
        return Fraction(0) if found is None else found[0]

    @property
    def computes(self) -> bool:
        """Whether the side computes something."""
        return self.side.node is not None and has_operation(self.side.node)

    @property
    def bracketed(self) -> bool:
        """Whether a figure alone in brackets, which may mean a loss, stands in the side."""
        return self.side.is_bracketed

    @property
    def scaled(self) -> bool:
        """Whether a scale word (million, crore) stands in the side."""
        return self.side.node is not None and holds_scale(self.side.node)

    @property
    def percent(self) -> bool:
        """Whether a sign of per cent stands in the side."""
        return self.side.node is not None and holds_percent(self.side.node)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why a relation does not hold: its kind, how grave, and one clause."""

    kind: ReferenceKind
    severity: Severity
    reason: str


def mismatch(left: Evaluated, right: Evaluated, relation: str, *, soft: bool) -> Mismatch | None:
    """Return what is wrong with a relation between two values, None where it holds."""
    if relation in _HOLDS:
        return _compared(left, right, relation)
    if relation == "!=":
        same = left.value.value == right.value.value
        return Mismatch("inequality", "medium", "both sides are equal") if same else None
    if holds_equal(left, right, loose=relation == "~"):
        return None
    graded = _graver(left, right, loose=relation == "~")
    if soft and graded.severity == "high":
        return Mismatch(graded.kind, "medium", graded.reason)
    return graded


_HOLDS = {"<", ">", "<=", ">="}


def _compared(left: Evaluated, right: Evaluated, relation: str) -> Mismatch | None:
    low, high = left.value.value, right.value.value
    if relation[0] == ">":
        low, high = high, low
    if low < high or (low == high and "=" in relation):
        return None
    return Mismatch("inequality", "high" if low != high else "medium", "the comparison is false")


def holds_equal(left: Evaluated, right: Evaluated, *, loose: bool = False) -> bool:
    """Return whether two sides are equal as far as their figures are written."""
    return any(_near(left, right, times, loose=loose) for times in _factors(left, right))


def _factors(left: Evaluated, right: Evaluated) -> tuple[Fraction, ...]:
    """Return what the right side may be multiplied with: "20 / 100 = 20%" occurs, and 20."""
    if left.percent == right.percent:
        return (Fraction(1),)
    return Fraction(1), Fraction(1, 100) if left.percent else Fraction(100)


def _near(left: Evaluated, right: Evaluated, times: Fraction, *, loose: bool) -> bool:
    a, b = left.value.value, right.value.value * times
    gap = abs(a - b)
    if gap == 0 or gap < abs(a) / 10**20:
        return True
    if loose and gap <= LOOSE * max(abs(a), abs(b)):
        return True
    for own, other, unit in ((b, a, right.unit * times), (a, b, left.unit)):
        if (
            unit
            and not _is_written(other, unit)
            and gap < unit * (1 if _is_cut(own, other) else _HALF)
        ):
            return True
        if loose and gap <= unit and (unit < 1 or not _is_written(other, unit)):
            return True
        if unit and not _is_written(other, unit) and gap == unit / 2:
            return True
    return False


_HALF = Fraction(1, 2)


def _is_written(value: Fraction, unit: Fraction) -> bool:
    """Return whether a value can be written without a rest in units of the last digit."""
    return (value / unit).denominator == 1


def _is_cut(written: Fraction, value: Fraction) -> bool:
    return abs(written) < abs(value) and (written >= 0) == (value >= 0)


def _graver(left: Evaluated, right: Evaluated, *, loose: bool) -> Mismatch:
    """Return how grave a difference is, mildest explanation first."""
    a, b = left.value, right.value
    turned = Evaluated(right.side, Value(-b.value, -b.high, -b.low))
    explained: tuple[tuple[bool, ReferenceKind, Severity, str], ...] = (
        (
            a.low <= b.high and b.low <= a.high,
            "rounding",
            "low",
            "the sides differ by no more than rounding may do",
        ),
        (
            _is_scaled(left, right),
            "scale",
            "low",
            "the sides differ by a scale or a change of unit",
        ),
        (
            mixes_units(left.side) or mixes_units(right.side),
            "scale",
            "low",
            "the figures of one side are in different units",
        ),
        (
            any(_is_small(a.value, b.value * times) for times in _factors(left, right)),
            "rounding",
            "medium",
            "the sides differ in the last digits",
        ),
        (
            holds_equal(left, turned),
            "sign",
            "low" if left.bracketed or right.bracketed else "medium",
            "the sides differ by their sign",
        ),
        (
            loose or _other_units(left.side, right.side),
            "arithmetic",
            "medium",
            "the sides are not nearly the same",
        ),
    )
    for applies, kind, severity, why in explained:
        if applies:
            return Mismatch(kind, severity, why)
    return Mismatch("arithmetic", "high", "the two sides have different values")


SMALL = Fraction(5, 1000)
"""Relative distance of two sides up to which a difference is one of the last digits."""


def _is_small(a: Fraction, b: Fraction) -> bool:
    return bool(a) and bool(b) and abs(a - b) <= SMALL * max(abs(a), abs(b)) and _has_rest(a, b)


def _has_rest(a: Fraction, b: Fraction) -> bool:
    """Return whether a value shows decimals, so that somebody rounded."""
    return a.denominator > 1 or b.denominator > 1


def is_scaled(left: Evaluated, right: Evaluated) -> bool:
    """Return whether two values differ by a power of ten, from a hundred on."""
    if not left.value.value or not right.value.value:
        return False
    ratio = left.value.value / right.value.value
    return any(abs(ratio / known - 1) < Fraction(1, 1000) for known in _TEN)


def _is_scaled(left: Evaluated, right: Evaluated) -> bool:
    if not left.value.value or not right.value.value:
        return False
    explained = left.scaled != right.scaled or not (only_added(left) or only_added(right))
    if explained and is_scaled(left, right):
        return True
    ratio = left.value.value / right.value.value
    return _other_units(left.side, right.side) and any(
        abs(ratio / known - 1) < Fraction(1, 100) for known in _UNITS
    )


def mixes_units(side: Side) -> bool:
    """Return whether the figures of one side are in different units, as in 2 years + 6 months."""
    return len({word.rstrip("s") for word in side.units} & _TIMES) > 1


_TIMES = frozenset({"second", "minute", "hour", "day", "week", "month", "quarter", "year"})


def only_added(side: Evaluated) -> bool:
    """Return whether a side is a sum of two figures or more, which no change of unit explains."""
    node = side.side.node
    return node is not None and side.computes and only_adds(node)


def _other_units(left: Side, right: Side) -> bool:
    """Return whether both sides name units, and none in common."""
    ours = {word.rstrip("s") for word in left.units}
    theirs = {word.rstrip("s") for word in right.units}
    return bool(ours) and bool(theirs) and ours.isdisjoint(theirs)
