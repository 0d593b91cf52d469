"""The date rule.  In: an item whose reference is a date or a financial year.  Out: 0 or 1."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias, get_args

from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import Rule, require_flag, require_one_of
from finassay.text.dates import DateReading
from finassay.text.financial_years import FinancialYear
from finassay.text.readings import read_all

Take = Literal["first", "last", "only"]
Order = Literal["day-first", "month-first", "either", "reject"]
Precision = Literal["same", "reference"]

Day: TypeAlias = "tuple[int | None, int | None, int | None]"
"""Year, month and day, None where they are not written."""

_Years: TypeAlias = "tuple[int | None, int | None, int | None, int | None] | None"

_CUE = re.compile(r"(?:final\s)?answer\W{0,6}(?:is|[:：=])|答案\W{0,3}[:：是为]", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class OneDate:
    """A date or a financial year as one side gives it.

    Attributes:
        shown: as written.
        day: (year, month, day).
        other: the same figures with day and month changed places, where that is a date too.
        years: (first, last, quarter, half) of a financial year, None for a date.
    """

    shown: str
    day: Day = (None, None, None)
    other: Day | None = None
    years: _Years = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DatesMeasure:
    """The dates of both sides.

    Attributes:
        expected: the date of the reference, or None.
        read: the dates of the reply, each once: those after its last answer cue, or all.
    """

    expected: OneDate | None
    read: tuple[OneDate, ...]


@dataclass(frozen=True, kw_only=True)
class Dates(Rule[DatesMeasure]):
    """`date`: right when the reply gives the date of the reference, however it is written.

    A reference with a date is compared by date, one with a financial year only by year; durations
    and bare numbers are no dates.

    Attributes:
        take: which date of the reply counts after its last answer cue, or in all of it where
            there is none: "first", "last", or "only", which reads nothing where several differ.
        order: how "01/02/2027" is read on either side: "day-first", "month-first", "either"
            (right when one reading is), or "reject" (such a reply is unparsed).
        precision: "same" asks for the same parts; "reference" compares only the parts that the
            reference has, so that "1 April 2027" answers "April 2027".
        months_of_year: "1 April 2026 to 31 March 2027" answers "FY 2026-27".
    """

    take: Take = "first"
    order: Order = "day-first"
    precision: Precision = "same"
    months_of_year: bool = False

    name: ClassVar[str] = "date"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "dates"
    decision_fields: ClassVar[frozenset[str]] = frozenset(
        {"take", "order", "precision", "months_of_year"}
    )

    def __post_init__(self) -> None:
        require_one_of(self, "take", self.take, get_args(Take))
        require_one_of(self, "order", self.order, get_args(Order))
        require_one_of(self, "precision", self.precision, get_args(Precision))
        require_flag(self, "months_of_year", self.months_of_year)

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> DatesMeasure:  # noqa: ARG002
        """Return the dates of both sides."""
        expected = _dates(reference)
        read = _dates(prediction.text)
        wanted = bool(expected) and expected[0].years is not None
        if not wanted:
            read = tuple(one for one in read if one.years is None)
        return DatesMeasure(expected=expected[0] if expected else None, read=read)

    def decide(self, measured: DatesMeasure) -> Verdict:
        """Return right when the date that counts is that of the reference."""
        if measured.expected is None:
            return Verdict(status="not_applicable", reason="no date in the reference")
        if not measured.read:
            return Verdict(status="unparsed", reason="no date in the reply")
        flags = ("several-dates",) if len(measured.read) > 1 else ()
        if self.months_of_year and (said := _whole_year(measured.read)) is not None:
            return self._verdict(measured.expected, said, ("financial-year",))
        if measured.expected.years and _whole_year(measured.read) is not None:
            flags = (*flags, "financial-year")
        if self.take == "only" and len(measured.read) > 1:
            reason = f"the reply gives {len(measured.read)} dates"
            return Verdict(status="unparsed", reason=reason, flags=flags)
        taken = measured.read[-1 if self.take == "last" else 0]
        if taken.other is not None and self.order == "reject":
            reason = f"{taken.shown!r} may be read day or month first"
            return Verdict(status="unparsed", reason=reason, flags=(*flags, "ambiguous-date"))
        return self._verdict(measured.expected, taken, flags)

    def _verdict(self, expected: OneDate, taken: OneDate, flags: tuple[str, ...]) -> Verdict:
        pairs = [(left, right) for left in self._days(expected) for right in self._days(taken)]
        if expected.years is not None or taken.years is not None:
            is_right, is_coarser = _same_years(expected.years, taken.years), False
        else:
            is_right = any(left == right for left, right in pairs)
            is_coarser = not is_right and any(_agree(left, right) for left, right in pairs)
        if is_coarser and self.precision == "reference":
            is_right = any(_agree(left, right) and _covers(left, right) for left, right in pairs)
        ambiguous = expected.other is not None or taken.other is not None
        flags += ("ambiguous-date",) if ambiguous else ()
        flags += ("coarser-date",) if is_coarser else ()
        return Verdict(
            status="scored",
            value=float(is_right),
            extracted=taken.shown,
            flags=flags,
            reason=f"{taken.shown!r} {'is' if is_right else 'is not'} {expected.shown!r}",
        )

    def _days(self, one: OneDate) -> tuple[Day, ...]:
        if one.other is None or self.order in {"day-first", "reject"}:
            return (one.day,)
        return (one.other,) if self.order == "month-first" else (one.day, one.other)


def _dates(text: str) -> tuple[OneDate, ...]:
    """Return the distinct dates, then financial years, after the last answer cue, or of all."""
    found = read_all(text)
    cue = next(iter(deque(_CUE.finditer(text), 1)), None)
    start = 0 if cue is None else cue.end()
    for after in dict.fromkeys((start, 0)):
        dates = [_of_date(text, one) for one in found.dates if one.start >= after]
        years = [_of_year(text, one) for one in found.financial_years if one.start >= after]
        if dates or years:
            return _distinct([*dates, *years])
    return ()


def _of_date(text: str, one: DateReading) -> OneDate:
    return OneDate(
        shown=text[one.start : one.end],
        day=(one.year, one.month, one.day),
        other=one.alternative,
    )


def _of_year(text: str, one: FinancialYear) -> OneDate:
    return OneDate(
        shown=text[one.start : one.end],
        years=(one.first_year, one.last_year, one.quarter, one.half),
    )


def _distinct(dates: Sequence[OneDate]) -> tuple[OneDate, ...]:
    seen: dict[tuple[Day, _Years], OneDate] = {}
    for one in dates:
        seen.setdefault((one.day, one.years), one)
    return tuple(seen.values())


def _agree(left: Day, right: Day) -> bool:
    """Return whether two dates share a part and differ in none that both have."""
    both = [(a, b) for a, b in zip(left, right, strict=True) if a is not None and b is not None]
    return bool(both) and all(a == b for a, b in both)


def _covers(reference: Day, reply: Day) -> bool:
    return all(b is not None for a, b in zip(reference, reply, strict=True) if a is not None)


def _same_years(left: _Years, right: _Years) -> bool:
    """Return whether two financial years end in one year; the first one may be left out."""
    if left is None or right is None or None in {left[1], right[1]}:
        return False
    return left[1:] == right[1:] and (None in {left[0], right[0]} or left[0] == right[0])


def _whole_year(dates: Sequence[OneDate]) -> OneDate | None:
    """Return two dates from 1 April to 31 March as the financial year, or None."""
    if len(dates) != 2:
        return None
    first, last = dates[0].day, dates[1].day
    if first[1:] != (4, 1) or last[1:] != (3, 31) or first[0] is None or last[0] != first[0] + 1:
        return None
    return OneDate(
        shown=f"{dates[0].shown} to {dates[1].shown}", years=(first[0], last[0], None, None)
    )
