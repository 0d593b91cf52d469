"""Financial years and quarters in a text.  In: any string.  Out: readings with their spans.

"FY 2012-13", "FY2018", "FY'22", "fiscal 2020", "financial year ended 31 March 2013", "Q2 FY2023".  A
year that is named by one number is the year in which it ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from finassay.text.folding import Folded, fold

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_MONTH_NUMBERS = dict(
    zip(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
        range(1, 13),
        strict=True,
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FinancialYear:
    """A financial year, or a part of one.

    Attributes:
        start: where it starts in the text.
        end: where it ends.
        last_year: the calendar year in which it ends; None for a quarter without a year ("Q2").
        first_year: the calendar year in which it begins, where both are written ("2012-13").
        quarter: 1 to 4, None for a longer period.
        half: 1 or 2, None otherwise.
        end_month: month in which it ends, where the text says so.
        calendar: whether no word says that it is a financial year ("Q2 2023", "CY2018").
    """

    start: int
    end: int
    last_year: int | None
    first_year: int | None = None
    quarter: int | None = None
    half: int | None = None
    end_month: int | None = None
    calendar: bool = False


_Y = r"(?:19|20)\d\d"
_LABEL = (
    r"(?:fiscal[ \xa0]years?|financial[ \xa0]years?|assessment[ \xa0]years?|fiscal|f\.y\.|fye|fys?|cy|ay|"
    r"calendar[ \xa0]years?)"
)
_YEARS = rf"(?P<first>{_Y}|'?\d\d)(?!\d|[,.]\d)(?:[ \xa0]?[-–/][ \xa0]?(?P<last>{_Y}|'?\d\d)(?!\d|[,.]\d))?(?P<tail>[ae]\b)?"
_PART = (
    r"(?:(?P<q>q[1-4]|[1-4]q|[1-4](?:st|nd|rd|th)[ \xa0]quarter|(?:first|second|third|fourth)[ \xa0-]quarter"
    r"|h[12]|[12]h|(?:first|second)[ \xa0-]half))"
)
_NAMED = re.compile(
    rf"(?<![a-z\d])(?:{_PART}(?:[ \xa0]of)?(?:[ \xa0]the)?[ \xa0/:,-]{{0,2}})?(?P<label>{_LABEL})"
    rf"(?:[ \xa0:-]{{0,2}}|[ \xa0]?[(][ \xa0]?){_YEARS}(?![\w%])"
)
_PART_YEAR = re.compile(
    rf"(?<![a-z\d]){_PART}(?:[ \xa0]of)?[ \xa0/:,'-]{{0,3}}(?P<first>{_Y}|(?<=')\d\d)(?![\w%]|[,.]\d)"
)
_SHORT_PART = re.compile(
    r"(?<![a-z\d])(?:(?P<q>q[1-4]|[1-4]q|[12]h|h[12])(?P<year>\d\d)?)(?![a-z\d])"
)
_YEAR_PART = re.compile(rf"(?<![\w.,])(?P<first>{_Y})[ \xa0-]?(?P<q>q[1-4])(?![a-z\d])")
_PAIR = re.compile(
    rf"(?<![\w.,/-])(?P<first>{_Y})[ \xa0]?[-–/][ \xa0]?(?P<last>\d\d)(?![\w%]|[-–/.,]\d)"
)
_ENDED = re.compile(
    r"(?<![a-z])(?P<label>(?:financial|fiscal)[ \xa0]year|year|quarter|half[ -]year|(?:three|six|nine|twelve)"
    r"[ \xa0]months)(?:[- \xa0])(?:ended|ending|end)(?:[ \xa0]on)?[ \xa0]"
    rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[ \xa0](?:of[ \xa0])?(?P<m1>{_MONTH})\b\.?,?[ \xa0](?P<y1>{_Y})"
    rf"|(?P<m2>{_MONTH})\b\.?[ \xa0]\d{{1,2}}(?:st|nd|rd|th)?,?[ \xa0](?P<y2>{_Y}))(?!\d)"
)
_LABEL_WORDS = frozenset(
    (
        "fiscal",
        "financial",
        "fy",
        "fys",
        "fye",
        "cy",
        "ay",
        "calendar",
        "assessment",
        "f",
        "q",
        "h",
        "quarter",
        "half",
    )
)
_WORDED = frozenset(("q", "h", "quarter", "half"))
_ORDER = {"first": 1, "second": 2, "third": 3, "fourth": 4}


def read_financial_years(text: str) -> tuple[FinancialYear, ...]:
    """Return the financial years and quarters of a text, with spans in the text as written."""
    folded = fold(text)
    return tuple(mapped(folded, reading) for reading in financial_years_in(folded))


def mapped(folded: Folded, reading: FinancialYear) -> FinancialYear:
    """Return a reading of a folded text with its span in the text as written."""
    if not folded.cuts:
        return reading
    start, end = folded.span(reading.start, reading.end)
    return FinancialYear(
        start=start,
        end=end,
        last_year=reading.last_year,
        first_year=reading.first_year,
        quarter=reading.quarter,
        half=reading.half,
        end_month=reading.end_month,
        calendar=reading.calendar,
    )


def financial_years_in(folded: Folded) -> list[FinancialYear]:
    """Return the financial years of a folded text, in order, with spans in it."""
    low = folded.low
    found: list[FinancialYear] = []
    if not _LABEL_WORDS.isdisjoint(folded.words):
        found += _worded(folded)
    if "ended" in folded.words or "ending" in folded.words or "end" in folded.words:
        found += (_ended(match) for match in _ENDED.finditer(low))
    for match in _PAIR.finditer(low):
        first, last = _year(match["first"]), _century(match["first"], match["last"])
        if last == first + 1:
            found.append(
                FinancialYear(
                    start=match.start(), end=match.end(), last_year=last, first_year=first
                )
            )
    return _without_overlap(found)


def _without_overlap(found: list[FinancialYear]) -> list[FinancialYear]:
    found.sort(key=lambda reading: (reading.start, -reading.end))
    kept: list[FinancialYear] = []
    for reading in found:
        if not kept or reading.start >= kept[-1].end:
            kept.append(reading)
    return kept


def _worded(folded: Folded) -> Iterator[FinancialYear]:
    low = folded.low
    for match in _NAMED.finditer(low):
        yield from _named(match)
    for pattern in (_PART_YEAR, _YEAR_PART):
        for match in pattern.finditer(low):
            quarter, half = _part(match["q"])
            yield FinancialYear(
                start=match.start(),
                end=match.end(),
                last_year=_year(match["first"]),
                quarter=quarter,
                half=half,
                calendar=True,
            )
    for match in _SHORT_PART.finditer(low):
        quarter, half = _part(match["q"])
        yield FinancialYear(
            start=match.start(),
            end=match.end(),
            last_year=_year(match["year"]) if match["year"] else None,
            quarter=quarter,
            half=half,
            calendar=True,
        )


def _named(match: re.Match[str]) -> Iterator[FinancialYear]:
    first, last = _year(match["first"]), None
    if match["last"]:
        last = _century(match["first"], match["last"])
        if last <= first:
            return
    quarter, half = _part(match["q"])
    yield FinancialYear(
        start=match.start(),
        end=match.end(),
        last_year=first if last is None else last,
        first_year=None if last is None else first,
        quarter=quarter,
        half=half,
        calendar=match["label"].startswith(("cy", "calendar")),
    )


def _ended(match: re.Match[str]) -> FinancialYear:
    year = int(match["y1"] or match["y2"])
    month = _MONTH_NUMBERS[(match["m1"] or match["m2"])[:3]]
    label = match["label"]
    return FinancialYear(
        start=match.start(), end=match.end(), last_year=year, end_month=month,
        calendar=label == "year",
    )  # fmt: skip


def _part(written: str | None) -> tuple[int | None, int | None]:
    if not written:
        return None, None
    digit = next((int(c) for c in written if c.isdigit()), None)
    number = (
        digit if digit is not None else _ORDER[written.split()[0].split("-")[0].split("\xa0")[0]]
    )
    is_half = "h" in (written[0], written[-1]) or written.endswith("half")
    return (None, number) if is_half and "quarter" not in written else (number, None)


def _year(written: str) -> int:
    digits = written.removeprefix("'")
    if len(digits) == 4:
        return int(digits)
    return 2000 + int(digits) if int(digits) < 70 else 1900 + int(digits)


def _century(first: str, last: str) -> int:
    """Return the second year of a pair, in the century that the first begins in."""
    digits = last.removeprefix("'")
    if len(digits) == 4:
        return int(digits)
    begins = _year(first)
    year = begins - begins % 100 + int(digits)
    return year if year > begins else year + 100
