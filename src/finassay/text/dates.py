"""Dates and financial years in a text.  In: any string.  Out: readings with their spans.

Only strict formats are read: a day needs its month, and nothing is completed from the calendar.
Figures alone ("01/02/2027") are read day first; where the other order is a date too, the reading
is marked ambiguous and carries the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from finassay.text.folding import Folded, ends_of, fold


class DateReading(NamedTuple):
    """A date, as precise as it is written.

    Attributes:
        start: where it starts in the text.
        end: where it ends.
        year: the year; None for "31 March".
        month: 1 to 12, None where only a year is named as a date (2024年).
        day: 1 to 31, None for "March 2021".
        ambiguous: whether figures alone leave the order of day and month open.
        alternative: (year, month, day) in the other order, where that is a date too.
    """

    start: int
    end: int
    year: int | None
    month: int | None = None
    day: int | None = None
    ambiguous: bool = False
    alternative: tuple[int, int, int] | None = None


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
_MONTH_WORDS = frozenset(_MONTHS)
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_YEAR = r"(?:1[89]|2[01])\d\d"
_GAP = "[ \xa0]"

_REACH = 28
# "April 20-24" names two days of one month.
_FROM_DAY = rf"(?:(?P<since>\d{{1,2}})(?:st|nd|rd|th)?(?:{_GAP}?[-–]{_GAP}?|{_GAP}to{_GAP}))"
_DAY_BEFORE = re.compile(
    rf"(?<![a-z\d.,/-])(?:{_FROM_DAY}?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:{_GAP}day)?|(?P<first>first)(?:{_GAP}day)?)"
    rf"(?:{_GAP}of)?(?:{_GAP}{{1,2}}|-)?\Z"
)
_YEAR_AFTER = re.compile(
    rf"\.?(?:(?:,?{_GAP}{{0,2}}(?:of{_GAP})?|-)(?P<year>{_YEAR})(?![a-z\d%]|[.,]\d)"
    r"|[-'.][ \xa0]?'?(?P<short>\d\d)(?![a-z\d%]|[.,-]\d))"
)
_DAY_AFTER = re.compile(
    rf"\.?{_GAP}{{1,2}}{_FROM_DAY}?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![a-z\d%]|[.,]\d|[-–/]\d)"
    rf"(?:,?{_GAP}{{1,2}}(?P<year>{_YEAR})(?![a-z\d%]|[.,]\d))?"
)
_MARKED = re.compile(r"[0-9][-/.]\d{1,2}[-/.]\d")
_ISO = re.compile(
    rf"(?P<year>{_YEAR})(?P<mark>[-/.])(?P<month>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}})(?![\d%]|[-/.,]\d)"
)
_FIGURES = re.compile(
    r"(?P<first>\d{1,2})(?P<mark>[-/.])(?P<second>\d{1,2})(?P=mark)"
    rf"(?P<year>{_YEAR}|(?<=/)\d\d|(?<=-)\d\d)(?![\d%]|[-/.,]\d)"
)
_EIGHT = re.compile(r"[12]\d{7}(?![\d%a-z]|[.,/-]\d)")
_EIGHT_DIGITS = 8
_TIED = frozenset(".,/-$₹€£")
_MONEY = frozenset("$₹€£")
_HAN = "〇零一二三四五六七八九十两"
_HAN_DATE = re.compile(
    rf"(?P<year>\d{{4}}|[{_HAN}]{{4}})[ ]?年"
    rf"(?:[ ]?(?P<month>\d{{1,2}}|[{_HAN}]{{1,3}})[ ]?月(?!内)"
    rf"(?:[ ]?(?P<day>\d{{1,2}}|[{_HAN}]{{1,3}})[ ]?[日号號])?)?"
)
_HAN_DAY = re.compile(
    rf"(?<![\d{_HAN}年])(?P<month>\d{{1,2}}|[{_HAN}]{{1,3}})[ ]?月[ ]?"
    rf"(?P<day>\d{{1,2}}|[{_HAN}]{{1,3}})[ ]?[日号號]"
)
_UNIT_NEXT = re.compile(
    r"[ \xa0]?(?:%|per ?cent|percent|million|billion|crore|lakh|thousand|bn\b|mn\b|basis|bps"
    r"|days|months|years)"
)


def read_dates(text: str) -> tuple[DateReading, ...]:
    """Return the dates of a text, in order; spans are positions in the text as written."""
    folded = fold(text)
    return tuple(mapped(folded, reading) for reading in dates_in(folded))


def mapped(folded: Folded, reading: DateReading) -> DateReading:
    """Return a reading of a folded text with its span in the text as written."""
    if not folded.cuts:
        return reading
    start, end = folded.span(reading.start, reading.end)
    return reading._replace(start=start, end=end)


def dates_in(folded: Folded) -> list[DateReading]:
    """Return the dates of a folded text, in order, with spans in it."""
    found: list[DateReading] = []
    low = folded.low
    if not _MONTH_WORDS.isdisjoint(folded.words):
        found += _with_month_names(folded)
    if folded.ties and _MARKED.search(low):
        found += _in_figures(low)
    if any(end - start >= _EIGHT_DIGITS for start, end in folded.runs):
        found += _compact(low)
    if "月" in low or "年" in low:
        found += _in_han(low)
    return _without_overlap(found) if len(found) > 1 else found


def _without_overlap(found: list[DateReading]) -> list[DateReading]:
    found.sort(key=lambda reading: (reading.start, -reading.end))
    kept: list[DateReading] = []
    for reading in found:
        if not kept or reading.start >= kept[-1].end:
            kept.append(reading)
    return kept


def _is_date(year: int | None, month: int, day: int | None) -> bool:
    if not 1 <= month <= 12:
        return False
    if day is None:
        return True
    leap = year is None or (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
    return 1 <= day <= (_DAYS[month - 1] if month != 2 or leap else 28)


def _year(written: str | None, short: str | None = None) -> int | None:
    if written is not None and len(written) == 4:
        return int(written)
    short = written or short
    if short is None:
        return None
    return 2000 + int(short) if int(short) < 70 else 1900 + int(short)


def _with_month_names(folded: Folded) -> Iterator[DateReading]:
    for start, month in folded.places(_MONTH_WORDS):
        reading, since = _around_month(folded, start, month)
        if reading is None or (
            reading.year is None and not _names_a_day(folded, start, month, reading)
        ):
            continue
        if since is not None:
            # "April 20-24" is two dates: the first ends where its day does.
            day, edge, rest = since
            first = _date(reading.start, edge, reading.year, _MONTHS[month], day)
            if first is not None:
                yield first
                reading = reading._replace(start=rest)
        yield reading


_Since = tuple[int, int, int]


def _around_month(
    folded: Folded, start: int, month: str
) -> tuple[DateReading | None, _Since | None]:
    """Return the date around the name of a month, and the day from which it reaches, if any.

    The second is (day, where that day ends, where the day of the date starts).
    """
    low, end = folded.low, start + len(month)
    number = _MONTHS[month]
    lead = _DAY_BEFORE.search(low, max(0, start - _REACH), start)
    after = _YEAR_AFTER.match(low, end)
    year = None if after is None else _year(after["year"], after["short"])
    if lead is not None:
        until = end if after is None else after.end()
        if not _rises(lead):
            return None, None
        day = 1 if lead["first"] else int(lead["day"])
        return _date(lead.start(), until, year, number, day), _since(lead)
    behind = _DAY_AFTER.match(low, end)
    if behind is not None and _rises(behind):
        year = int(behind["year"]) if behind["year"] else None
        return _date(start, behind.end(), year, number, int(behind["day"])), _since(behind)
    if after is None or behind is not None:
        return None, None
    return _date(start, after.end(), year, number, None), None


def _rises(match: re.Match[str]) -> bool:
    """Return whether two days of one month stand in order; one day does."""
    return not match["since"] or int(match["since"]) < int(match["day"])


def _since(match: re.Match[str]) -> _Since | None:
    if not match["since"]:
        return None
    return int(match["since"]), match.end("since"), match.start("day")


def _date(
    start: int, end: int, year: int | None, month: int, day: int | None
) -> DateReading | None:
    if not _is_date(year, month, day):
        return None
    return DateReading(start=start, end=end, year=year, month=month, day=day)


_HEAD_BEFORE = re.compile(
    r"(?:sections?|regulations?|rules?|articles?|clauses?|tier|note|item|step|table|page|part|no\.?)"
    r"[ \xa0]\Z"
)


def _names_a_day(folded: Folded, at: int, month: str, reading: DateReading) -> bool:
    """Return whether a day and a month without a year are a date, not "Section 5 may apply"."""
    if month in ("may", "march", "mar") and not folded.text[at].isupper():
        return False
    if _HEAD_BEFORE.search(folded.low, max(0, reading.start - 13), reading.start):
        return False
    return _UNIT_NEXT.match(folded.low, reading.end) is None


def _is_free(low: str, start: int) -> bool:
    """Return whether figures start at a position: nothing that belongs to them stands before."""
    before = low[start - 1 : start]
    if not before:
        return True
    if before in _TIED:
        return before not in _MONEY and not low[start - 2 : start - 1].isalnum()
    return not before.isdecimal() and not ("a" <= before <= "z")


def _in_figures(low: str) -> Iterator[DateReading]:
    for match in ends_of(_ISO, low):
        if _is_free(low, match.start()):
            yield from _from_parts(match)
    for match in ends_of(_FIGURES, low):
        if _is_free(low, match.start()):
            yield from _either_order(match)


def _from_parts(match: re.Match[str]) -> Iterator[DateReading]:
    year, month, day = int(match["year"]), int(match["month"]), int(match["day"])
    reading = _date(match.start(), match.end(), year, month, day)
    if reading is not None:
        yield reading


def _either_order(match: re.Match[str]) -> Iterator[DateReading]:
    year = _year(match["year"])
    first, second = int(match["first"]), int(match["second"])
    day_first, month_first = _is_date(year, second, first), _is_date(year, first, second)
    if year is None or not (day_first or month_first):
        return
    day, month = (first, second) if day_first else (second, first)
    both = day_first and month_first and first != second
    yield DateReading(
        start=match.start(),
        end=match.end(),
        year=year,
        month=month,
        day=day,
        ambiguous=both,
        alternative=(year, first, second) if both else None,
    )


def _compact(low: str) -> Iterator[DateReading]:
    """Yield dates in eight figures (20270101)."""
    for match in ends_of(_EIGHT, low):
        year, month, day = int(match[0][:4]), int(match[0][4:6]), int(match[0][6:])
        if 1900 <= year <= 2100 and _is_free(low, match.start()):
            reading = _date(match.start(), match.end(), year, month, day)
            if reading is not None:
                yield reading


_HAN_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
}


def _han_number(written: str) -> int:
    """Return a whole number below 100 written in digits or Han numerals; -1 if it is none."""
    if written.isdigit():
        return int(written)
    if "十" not in written:
        return int("".join(str(_HAN_DIGITS[c]) for c in written))
    tens, _, ones = written.partition("十")
    if len(tens) > 1 or len(ones) > 1:
        return -1
    return (_HAN_DIGITS[tens] if tens else 1) * 10 + (_HAN_DIGITS[ones] if ones else 0)


def _in_han(low: str) -> Iterator[DateReading]:
    for match in ends_of(_HAN_DATE, low):
        if "十" in match["year"]:
            continue
        year = _han_number(match["year"])
        month = _han_number(match["month"]) if match["month"] else None
        day = _han_number(match["day"]) if match["day"] else None
        if 1000 <= year <= 2999 and (month is None or _is_date(year, month, day)):
            yield DateReading(start=match.start(), end=match.end(), year=year, month=month, day=day)
    for match in ends_of(_HAN_DAY, low):
        month, day = _han_number(match["month"]), _han_number(match["day"])
        if _is_date(None, month, day):
            yield DateReading(start=match.start(), end=match.end(), year=None, month=month, day=day)
