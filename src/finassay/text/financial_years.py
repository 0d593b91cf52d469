"""Financial years and quarters in a text.  In: any string.  Out: readings with their spans.

"FY 2012-13", "FY2018", "FY'22", "fiscal 2020", "financial year ended 31 March 2013", "Q2 FY2023".
A year that is named by one number is the year in which it ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from finassay.text.folding import Folded, ends_of, fold


class FinancialYear(NamedTuple):
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


_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_MONTH_NUMBERS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}
_Y = r"(?:19|20)\d\d"
_S = "[ \xa0]"

_LABEL_WORDS = frozenset(
    ("fiscal", "financial", "assessment", "calendar", "fy", "fys", "fye", "cy", "ay", "f")
)
_PART_WORDS = frozenset(("q", "h", "quarter", "half"))
_END_WORDS = frozenset(("ended", "ending", "end"))
_ANY_WORDS = _LABEL_WORDS | _PART_WORDS

_LABEL = re.compile(
    rf"(?:(?:fiscal|financial|assessment|calendar){_S}years?|fiscal|fye|fys?|cy|ay|f\.y\.)(?![a-z])"
)
_YEARS = re.compile(
    rf"(?:[ \xa0:-]{{0,2}}|{_S}?\({_S}?)(?P<first>{_Y}|'?\d\d)(?!\d|[,.]\d)"
    rf"(?:{_S}?[-–/]{_S}?(?P<last>{_Y}|'?\d\d)(?!\d|[,.]\d))?(?:[ae](?![a-z\d]))?"
    rf"(?:{_S}?-?(?P<part>q[1-4]))?(?![a-z\d%])"
)
_PART = (
    r"(?P<part>q[1-4]|[1-4]q|[1-4](?:st|nd|rd|th)[ \xa0]quarter"
    r"|(?:first|second|third|fourth)[ \xa0-]quarter|h[12]|[12]h|(?:first|second)[ \xa0-]half)"
)
_PART_BEFORE = re.compile(rf"(?<![a-z\d]){_PART}(?:{_S}of)?(?:{_S}the)?[ \xa0/:,-]{{0,2}}\Z")
_PART_HERE = re.compile(
    rf"{_PART}(?:(?:{_S}of)?(?:{_S}the)?[ \xa0/:,'-]{{0,3}}"
    rf"(?P<year>{_Y}|(?<=')\d\d)(?![a-z\d%]|[,.]\d)"
    r"|(?P<short>\d\d)(?![a-z\d]))?(?![a-z\d])"
)
_YEAR_BEFORE = re.compile(rf"(?<![a-z\d.,])(?P<year>{_Y})[ \xa0-]?\Z")
_PAIR = re.compile(rf"[12]\d{{3}}{_S}?[-–/]{_S}?(\d\d)(?![a-z\d%]|[-–/.,]\d)")
_PERIOD = re.compile(
    rf"(?<![a-z])(?P<label>(?:financial|fiscal){_S}year|year|quarter|half[ -]year"
    rf"|(?:three|six|nine|twelve){_S}months)[- \xa0]\Z"
)
_ENDS_ON = re.compile(
    rf"(?:ended|ending|end)(?:{_S}on)?{_S}"
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)?{_S}(?:of{_S})?(?P<m1>{_MONTH})(?![a-z])\.?,?{_S}(?P<y1>{_Y})"
    rf"|(?P<m2>{_MONTH})(?![a-z])\.?{_S}\d{{1,2}}(?:st|nd|rd|th)?,?{_S}(?P<y2>{_Y}))(?!\d)"
)
_ORDER = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_PART_REACH = 30


def read_financial_years(text: str) -> tuple[FinancialYear, ...]:
    """Return the financial years and quarters of a text, with spans in the text as written."""
    folded = fold(text)
    return tuple(mapped(folded, reading) for reading in financial_years_in(folded))


def mapped(folded: Folded, reading: FinancialYear) -> FinancialYear:
    """Return a reading of a folded text with its span in the text as written."""
    if not folded.cuts:
        return reading
    start, end = folded.span(reading.start, reading.end)
    return reading._replace(start=start, end=end)


def financial_years_in(folded: Folded) -> list[FinancialYear]:
    """Return the financial years of a folded text, in order, with spans in it."""
    found: list[FinancialYear] = []
    if not _ANY_WORDS.isdisjoint(folded.words):
        found += _labelled(folded)
        found += _parts(folded)
    if not _END_WORDS.isdisjoint(folded.words):
        found += _ended(folded)
    if folded.ties:
        found += _pairs(folded.low)
    return _without_overlap(found) if len(found) > 1 else found


def _without_overlap(found: list[FinancialYear]) -> list[FinancialYear]:
    found.sort(key=lambda reading: (reading.start, -reading.end))
    kept: list[FinancialYear] = []
    for reading in found:
        if not kept or reading.start >= kept[-1].end:
            kept.append(reading)
    return kept


def _labelled(folded: Folded) -> Iterator[FinancialYear]:
    """Yield what a label names: "FY2018", "Q2 of fiscal 2020", "financial year 2012-13"."""
    low = folded.low
    parted = not _PART_WORDS.isdisjoint(folded.words)
    for start, _ in folded.places(_LABEL_WORDS):
        label = _LABEL.match(low, start)
        if label is None or low[start - 1 : start].isdigit():
            continue
        years = _YEARS.match(low, label.end())
        if years is None:
            continue
        first, last = _year(years["first"]), None
        if years["last"]:
            last = _century(years["first"], years["last"])
            if last <= first:
                continue
        begin = max(0, start - _PART_REACH)
        part = _PART_BEFORE.search(low, begin, start) if parted else None
        written = part["part"] if part else years["part"]
        quarter, half = _part(written) if written else (None, None)
        yield FinancialYear(
            start=part.start() if part else start,
            end=years.end(),
            last_year=first if last is None else last,
            first_year=None if last is None else first,
            quarter=quarter,
            half=half,
            calendar=label[0].startswith(("cy", "calendar")),
        )


def _parts(folded: Folded) -> Iterator[FinancialYear]:
    """Yield quarters and halves that no label names: "Q2 2023", "second half of 2020", "2Q23"."""
    low = folded.low
    for at, word in folded.places(_PART_WORDS):
        begin = _part_start(low, at, word)
        here = _PART_HERE.match(low, begin) if begin is not None else None
        if here is None or begin is None:
            continue
        start = begin
        written = here["year"] or here["short"]
        if written is None:
            before = _YEAR_BEFORE.search(low, max(0, begin - 6), begin)
            if before is not None and low[begin] in "qh":
                start, written = before.start(), before["year"]
        if written is None and len(word) > 1:
            continue
        quarter, half = _part(here["part"])
        yield FinancialYear(
            start=start,
            end=here.end(),
            last_year=None if written is None else _year(written),
            quarter=quarter,
            half=half,
            calendar=True,
        )


_ORDINAL_BEFORE = re.compile(
    r"(?<![a-z\d])(?:[1-4](?:st|nd|rd|th)|first|second|third|fourth)[ \xa0-]\Z"
)


def _part_start(low: str, at: int, word: str) -> int | None:
    """Return where "q2", "2q" or "second quarter" starts; None if nothing goes with the word."""
    before = low[at - 1 : at]
    if len(word) == 1:
        if before.isdigit():
            return at - 1 if not low[at - 2 : at - 1].isalnum() else None
        return at
    ordinal = _ORDINAL_BEFORE.search(low, max(0, at - 8), at)
    return ordinal.start() if ordinal else None


def _ended(folded: Folded) -> Iterator[FinancialYear]:
    """Yield "financial year ended 31 March 2013"."""
    low = folded.low
    for at, _ in folded.places(_END_WORDS):
        ends = _ENDS_ON.match(low, at)
        period = _PERIOD.search(low, max(0, at - 17), at) if ends else None
        if ends and period:
            yield FinancialYear(
                start=period.start(),
                end=ends.end(),
                last_year=int(ends["y1"] or ends["y2"]),
                end_month=_MONTH_NUMBERS[(ends["m1"] or ends["m2"])[:3]],
                calendar=period["label"] == "year",
            )


def _pairs(low: str) -> Iterator[FinancialYear]:
    """Yield two years in a row ("2012-13")."""
    for match in ends_of(_PAIR, low):
        start = match.start()
        first, last = match[0][:4], match[1]
        before = low[start - 1 : start]
        tied = before.isdigit() or "a" <= before <= "z" or (before and before in ".,/-")
        if not tied and 1900 <= int(first) <= 2099 and _century(first, last) == int(first) + 1:
            yield FinancialYear(
                start=start, end=match.end(), last_year=int(first) + 1, first_year=int(first)
            )


def _part(written: str) -> tuple[int | None, int | None]:
    """Return (quarter, half) of "q2", "second half" and the like."""
    digit = next((int(character) for character in written if character.isdigit()), None)
    number = _ORDER[re.split("[ \xa0-]", written)[0]] if digit is None else digit
    if written.endswith("half") or (len(written) == 2 and "h" in written):
        return None, number
    return number, None


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
