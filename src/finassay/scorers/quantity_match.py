"""Whether a quantity of a reply is that of the reference.  In: two quantities.  Out: a match.

A match says by how much the two differ and which policies must allow it; whether it passes is the
decision's business.  Values are compared as decimals in the unit of the reference.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Literal, NamedTuple

from finassay.scorers.expectations import Expectation
from finassay.text.quantities import Quantity

Family = Literal["money", "percent", "number", "exact"]
"""Kinds of tolerance: amounts of money; percents, points and ratios; other numbers; and years,
counts and durations, which are exact."""

Demand = Literal[
    "percent-as-fraction", "missing-unit", "comparator", "currency", "sign", "calendar",
    "points", "unit",
]  # fmt: skip
"""What would have to be allowed for two quantities to be the same; "unit" never is."""

_HUNDRED = Decimal(100)
_PERCENTS = frozenset({"percent", "percentage_points", "basis_points"})
_LOWER = frozenset({"at_least", "more_than"})
_UPPER = frozenset({"at_most", "less_than"})
# Exact between themselves; days, weeks and hours are another clock than months and years.
_MONTHS = {"month": Decimal(1), "quarter": Decimal(3), "half_year": Decimal(6), "year": Decimal(12)}
_HOURS = {
    "second": Decimal(1) / 3600, "minute": Decimal(1) / 60, "hour": Decimal(1),
    "day": Decimal(24), "week": Decimal(168), "fortnight": Decimal(336),
}  # fmt: skip
_HOURS_A_MONTH = Decimal(730)


class Match(NamedTuple):
    """One quantity of a reply beside one of the reference.

    Attributes:
        start: where the reply's quantity stands.
        end: where it ends.
        gap: how far apart the values are, in the unit of the reference, as they must be counted
            when the signs are to agree.
        gap_unsigned: the same without regard to signs.
        size: absolute value of the reference.
        reference_half: half a unit of the last digit that the reference shows.
        reply_half: half a unit of the last digit that the reply shows.
        family: which tolerance applies.
        demands: policies that must allow the match.
        bare_zero: the reference is zero.
    """

    start: int
    end: int
    gap: float
    gap_unsigned: float
    size: float
    reference_half: float
    reply_half: float
    family: Family
    demands: tuple[Demand, ...]
    bare_zero: bool


class _Sides(NamedTuple):
    """Both values and steps in one unit, and what must be allowed for that."""

    reference: Decimal
    reply: Decimal
    reference_step: Decimal
    reply_step: Decimal
    family: Family
    demands: tuple[Demand, ...] = ()


def best_match(
    reference: Quantity, reply: Quantity, wanted: Expectation, *, turned: bool = False
) -> Match:
    """Return the closest reading of two quantities: few demands first, then a small gap.

    Args:
        reference: quantity of the reference.
        reply: quantity of the reply.
        wanted: what the item asks for; a bare number takes its scale and currency.
        turned: the reply says in words that its quantity goes down ("fell by 3%").
    """
    sides = [
        scaled for pair in _scaled(reference, reply, wanted) for scaled in _sides(*pair, wanted)
    ]
    bounds = _bound_demand(reference, reply)
    matches = [_match(reply, side, bounds, turned=turned) for side in sides]
    if wanted.decimals is not None:
        # So many decimals were asked for: fewer hide nothing.
        matches = [match._replace(reply_half=0.0) for match in matches]
    return min(matches, key=_merit)


def near_a_factor(ratio: float, factors: Sequence[float], room: float) -> bool:
    """Return whether a ratio of two values is one of the factors, give or take.

    Args:
        ratio: the ratio.
        factors: what it may be, rising.
        room: relative difference that is allowed.
    """
    at = bisect_left(factors, ratio)
    return any(abs(ratio / factor - 1) <= room for factor in factors[max(0, at - 1) : at + 1])


def _merit(match: Match) -> tuple[bool, float]:
    # A reading within rounding beats one that needs fewer policies but is another number.
    near = max(match.reference_half, match.reply_half, match.size * 0.01) or 1.0
    return "unit" in match.demands, match.gap / near + 0.3 * len(match.demands)


def _match(reply: Quantity, side: _Sides, bounds: tuple[Demand, ...], *, turned: bool) -> Match:
    reference, value = side.reference, side.reply
    if turned and value > 0 > reference:
        value = -value
    gap, unsigned = abs(reference - value), abs(abs(reference) - abs(value))
    demands = (*side.demands, *bounds)
    if gap != unsigned or (turned and value > 0 and reference > 0):
        demands = (*demands, "sign")
    return Match(
        start=reply.start,
        end=reply.end,
        gap=_float(gap),
        gap_unsigned=_float(unsigned),
        size=_float(abs(reference)),
        reference_half=_float(abs(side.reference_step) / 2),
        reply_half=_float(abs(side.reply_step) / 2),
        family=side.family,
        demands=demands,
        bare_zero=reference == 0,
    )


def _float(value: Decimal) -> float:
    try:
        return float(value)
    except (OverflowError, InvalidOperation):
        return float("inf")


def _bound_demand(reference: Quantity, reply: Quantity) -> tuple[Demand, ...]:
    ours, theirs = reference.comparator, reply.comparator
    if ours == theirs or {ours, theirs} <= {"none", "about"}:
        return ()
    return ("comparator",)


def bounds_conflict(reference: Quantity, reply: Quantity) -> bool:
    """Return whether both state a bound and the bounds differ: at least, at most, more than."""
    ours, theirs = reference.comparator, reply.comparator
    bounds = _LOWER | _UPPER
    return ours in bounds and theirs in bounds and ours != theirs


def _scaled(
    reference: Quantity, reply: Quantity, wanted: Expectation
) -> list[tuple[Quantity | _Bare, Quantity | _Bare]]:
    """Return the pairs to compare: bare numbers as they stand, or in the scale asked for."""
    factor = wanted.scale
    left: list[Quantity | _Bare] = [reference]
    right: list[Quantity | _Bare] = [reply]
    if factor is not None:
        if _is_bare(reference):
            left = [_Bare.of(reference, factor, wanted.currency)]
        if _is_bare(reply):
            right = [_Bare.of(reply, factor, wanted.currency), reply]
    return [(ours, theirs) for ours in left for theirs in right]


class _Bare(NamedTuple):
    """A number written without scale, read in the scale that the item asks for."""

    value: Decimal
    step: Decimal
    kind: str
    unit: str
    bare_year: bool = False

    @classmethod
    def of(cls, quantity: Quantity, factor: Decimal, currency: str) -> _Bare:
        return cls(
            value=quantity.value * factor,
            step=quantity.step * factor,
            kind="money" if currency or quantity.kind == "money" else "plain",
            unit=quantity.unit or currency,
        )


def _is_bare(quantity: Quantity) -> bool:
    return quantity.scale == 1 and quantity.kind in {"plain", "money"}


def _sides(ours: Quantity | _Bare, theirs: Quantity | _Bare, wanted: Expectation) -> list[_Sides]:
    if ours.kind in _PERCENTS or theirs.kind in _PERCENTS:
        return _percents(ours, theirs, wanted)
    if "duration" in {ours.kind, theirs.kind}:
        return _durations(ours, theirs, wanted)
    if "money" in {ours.kind, theirs.kind}:
        return [_plain(ours, theirs, "money", _money_demands(ours, theirs, wanted))]
    if "ratio" in {ours.kind, theirs.kind}:
        return [_plain(ours, theirs, "percent")]
    family: Family = "number"
    if ours.kind == "count" or ours.bare_year or wanted.wanted in {"count", "year"}:
        family = "exact"
    elif wanted.speaks_of_share:
        family = "percent"
    demands: tuple[Demand, ...] = ()
    if ours.unit and theirs.unit and ours.unit != theirs.unit:
        demands = ("missing-unit",)
    return [_plain(ours, theirs, family, demands)]


def _plain(
    ours: Quantity | _Bare,
    theirs: Quantity | _Bare,
    family: Family,
    demands: tuple[Demand, ...] = (),
    *,
    by: tuple[Decimal, Decimal] = (Decimal(1), Decimal(1)),
) -> _Sides:
    return _Sides(
        ours.value * by[0], theirs.value * by[1], ours.step * by[0], theirs.step * by[1],
        family, demands,
    )  # fmt: skip


def _same_currency(ours: str, theirs: str) -> bool:
    if not ours or not theirs or ours == theirs:
        return True
    # The sign is both yen and yuan.
    return "¥" in {ours, theirs} and bool({ours, theirs} & {"JPY", "CNY"})


def _money_demands(
    ours: Quantity | _Bare, theirs: Quantity | _Bare, wanted: Expectation
) -> tuple[Demand, ...]:
    if ours.kind == theirs.kind == "money":
        return () if _same_currency(ours.unit, theirs.unit) else ("currency",)
    stated = ours.unit if ours.kind == "money" else theirs.unit
    if ours.kind == "money":
        # The reply leaves the currency out; the question may have fixed it.
        return () if wanted.currency else ("missing-unit",)
    if ours.kind == "count":
        return ("unit",)
    return ("currency",) if wanted.currency and stated and wanted.currency != stated else ()


def _percents(
    ours: Quantity | _Bare, theirs: Quantity | _Bare, wanted: Expectation
) -> list[_Sides]:
    one, cent = Decimal(1), Decimal(1) / _HUNDRED
    if ours.kind in _PERCENTS and theirs.kind in _PERCENTS:
        return [_plain(ours, theirs, "percent", _point_demands(ours, theirs),
                       by=(_in_percent(ours), _in_percent(theirs)))]  # fmt: skip
    unlike = {"money", "duration", "count"}
    if ours.kind in unlike or theirs.kind in unlike:
        return [_plain(ours, theirs, "percent", ("unit",))]
    asked = _percent_left_out(wanted)
    if theirs.kind in _PERCENTS:
        return [
            _plain(
                ours,
                theirs,
                "percent",
                ("percent-as-fraction",),
                by=(one, cent * _in_percent(theirs)),
            ),
            _plain(ours, theirs, "percent", asked, by=(one, _in_percent(theirs))),
        ]
    return [
        _plain(ours, theirs, "percent", ("percent-as-fraction",), by=(_in_percent(ours), _HUNDRED)),
        _plain(ours, theirs, "percent", asked, by=(_in_percent(ours), one)),
    ]


def _percent_left_out(wanted: Expectation) -> tuple[Demand, ...]:
    """Return what a percentage beside a bare number asks for."""
    if wanted.asks_percent or wanted.unit in _PERCENTS:
        return ()
    others = {"count", "duration", "year", "money"}
    return ("unit",) if wanted.wanted in others else ("missing-unit",)


def _in_percent(quantity: Quantity | _Bare) -> Decimal:
    return Decimal(1) / _HUNDRED if quantity.kind == "basis_points" else Decimal(1)


def _point_demands(ours: Quantity | _Bare, theirs: Quantity | _Bare) -> tuple[Demand, ...]:
    # A level of 75 basis points is 0.75%; a change of two points is not one of two per cent.
    kinds = {ours.kind, theirs.kind}
    return ("points",) if kinds == {"percent", "percentage_points"} else ()


def _durations(
    ours: Quantity | _Bare, theirs: Quantity | _Bare, wanted: Expectation
) -> list[_Sides]:
    """Return durations in one unit; a computed one with decimals is a number like any other."""
    computed = ours.value != ours.value.to_integral_value()
    found = _clocks(ours, theirs, wanted)
    return [sides._replace(family="number") for sides in found] if computed else found


def _clocks(ours: Quantity | _Bare, theirs: Quantity | _Bare, wanted: Expectation) -> list[_Sides]:
    left = ours.unit if ours.kind == "duration" else wanted.unit
    right = theirs.unit if theirs.kind == "duration" else ""
    if "money" in {ours.kind, theirs.kind}:
        return [_plain(ours, theirs, "exact", ("unit",))]
    if not left or not right:
        # One side is a bare number; only a reply without the unit leaves something out.
        left_out: tuple[Demand, ...] = () if right or wanted.unit else ("missing-unit",)
        return [_plain(ours, theirs, "exact", left_out)]
    if left == right:
        return [_plain(ours, theirs, "exact")]
    for clock in (_MONTHS, _HOURS):
        if left in clock and right in clock:
            return [_plain(ours, theirs, "exact", by=(clock[left], clock[right]))]
    hours = {**_HOURS, **{unit: months * _HOURS_A_MONTH for unit, months in _MONTHS.items()}}
    if left in hours and right in hours:
        return [_calendar(_plain(ours, theirs, "exact", by=(hours[left], hours[right])))]
    return [_plain(ours, theirs, "exact", ("unit",))]


def _calendar(sides: _Sides) -> _Sides:
    """Return sides of different clocks: 180 days are six months if anybody allows it at all."""
    step = abs(sides.reference) * Decimal("0.03")
    return sides._replace(reference_step=step, family="number", demands=("calendar",))


_FIRM = frozenset({"unit", "points"})


def same_quantity(reference: Quantity, reply: Quantity, wanted: Expectation) -> bool:
    """Return whether two quantities in prose are the same, signs left to the words around them."""
    if not _may_be_near(reference, reply, wanted):
        return False
    match = best_match(reference, reply, wanted)
    return not _FIRM.intersection(match.demands) and is_near(match)


def is_near(match: Match) -> bool:
    """Return whether a match lies within rounding: half a digit of the coarser side."""
    if match.family == "exact":
        return match.gap_unsigned == 0
    half = max(match.reference_half, min(match.reply_half, 0.012 * match.size))
    return match.gap_unsigned <= half * 1.0001 + 0.002 * match.size


def _may_be_near(reference: Quantity, reply: Quantity, wanted: Expectation) -> bool:
    """Return False, cheaply, for quantities that no reading could make the same."""
    ours, theirs = abs(reference.value), abs(reply.value)
    if not ours or not theirs:
        return not ours and not theirs
    if reference.kind == "duration" or reply.kind == "duration":
        return True
    if reference.kind == reply.kind and wanted.scale is None:
        room = max(reference.step, reply.step) + ours / 50
        return abs(ours - theirs) <= room
    half = float(reference.step / ours) / 2
    return near_a_factor(float(theirs / ours), _factors(wanted.scale), max(half, 0.012) + 0.003)


@cache
def _factors(scale: Decimal | None) -> tuple[float, ...]:
    """Return what per cent, basis points and a scale make of a ratio of two values, rising."""
    by = {1.0} if scale is None else {1.0, float(scale), 1 / float(scale)}
    return tuple(sorted({factor * one for factor in (1.0, 1e2, 1e-2, 1e4, 1e-4) for one in by}))
