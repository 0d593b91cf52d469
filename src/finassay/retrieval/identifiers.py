"""What people look rules up by.  In: a text.  Out: its identifiers, with spans and tokens.

Circular numbers, provisions, amounts, shares, terms and dates: each gets a token that does not
depend on how it is written, so that "Reg. 30 (6)" meets "sub-regulation (6) of regulation 30" and
"Rs. 500 crore" meets "₹5,00,00,00,000".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from finassay.retrieval.lettered import with_letters_joined
from finassay.text.canonical_provisions import canonical_provisions
from finassay.text.dates import DateReading
from finassay.text.normalisers import compatible
from finassay.text.quantities import Quantity
from finassay.text.readings import Readings, read_all


class Identifier(NamedTuple):
    """Something that is looked up exactly.

    Attributes:
        start: where it starts in the text.
        end: where it ends.
        tokens: its tokens in a passage.
        asked: its tokens in a query.
        exact: those of a query that name one thing; empty for what many passages share.
        is_name: whether it names a rule or paper.  Amounts and dates do not: in a question they may
            be facts of a case.
    """

    start: int
    end: int
    tokens: tuple[str, ...]
    asked: tuple[str, ...]
    exact: tuple[str, ...] = ()
    is_name: bool = False


# A number of a circular or letter: parts joined by strokes or points, with a digit somewhere.
_NUMBERED = re.compile(
    r"(?<![\w/])[^\W_]+(?:(?: ?[/] ?|[-.&_])[^\W_]+|\([A-Za-z]{1,4}\)){1,24}(?![\w/])"
)
_STROKES = re.compile(r" ?/ ?")
_BARE = re.compile(
    r"(?<![\w.,/(])(\d{1,4}[A-Z]{0,3})((?: ?\((?:[a-z]{1,2}|[ivxlc]{1,6}|\d{1,3}[A-Z]?)\)){1,6})"
    r"|(?<![\w.,/])(\d{1,4}[A-Z]{1,3})(?![\w(])"
)
_LINE_BREAK = re.compile(r"(?<!\n)\n(?!\n)")
_LEVEL = re.compile(r"\([^()]*\)")
_LONGEST_NUMBER = 80
_AMOUNT_FROM = 1000
_MOST_DIGITS = 40


def identifiers_in(text: str) -> Iterator[Identifier]:
    """Yield the identifiers of a text, kind by kind."""
    # A line that is full breaks anywhere, and a space takes as much room.
    text = with_letters_joined(_LINE_BREAK.sub(" ", text))
    readings = read_all(text)
    yield from _numbered(text)
    yield from _provisions(text, readings)
    for quantity in readings.quantities:
        made = _quantity(quantity)
        if made is not None:
            yield made
    for date in readings.dates:
        if date.year is not None:
            yield _date(date)


def provision_marks(clause: str) -> tuple[str, ...]:
    """Return the tokens of a passage in which a provision ("regulation 30(6)") begins."""
    kind, _, number = clause.rpartition(" ")
    number = number.lower()
    own = (f"@{kind}:{number}", f"@:{number}") if kind else (f"@:{number}",)
    return (*own, *_provision_tokens(kind, number))


def _numbered(text: str) -> Iterator[Identifier]:
    for match in _NUMBERED.finditer(text):
        written = match[0]
        if len(written) > _LONGEST_NUMBER or not _is_number_of_paper(written):
            continue
        whole = _STROKES.sub("/", compatible(written))
        parts = whole.split("/")
        tails = tuple("/".join(parts[at:]) for at in range(1, len(parts) - 1))
        found = (whole, *tails)
        yield Identifier(match.start(), match.end(), found, found, (whole,), is_name=True)


def _is_number_of_paper(written: str) -> bool:
    """Whether parts joined by marks name a paper: letters and digits, and not a plain figure."""
    if not any(c.isdigit() for c in written) or not any(c.isalpha() for c in written):
        return False
    return "/" in written or written.count(".") > 1 or written.count("-") > 1


def _provisions(text: str, readings: Readings) -> Iterator[Identifier]:
    spans = [(one.start, one.end) for one in readings.provisions]
    if spans:
        start, end = spans[0]
        for canonical in canonical_provisions(text):
            kind, _, number = canonical.rpartition(" ")
            found = _provision_tokens(kind, number)
            own = (f"@{kind}:{number}", f"@:{number}")
            exact = (f"{kind}:{number}", own[0])
            yield Identifier(start, end, found, (*found, *own), exact, is_name=True)
        for start, end in spans[1:]:
            yield Identifier(start, end, (), ())
    # Spans do not overlap, so their ends rise with their starts.
    ends = [end for _, end in spans]
    for match in _BARE.finditer(text):
        number = (match[3] or f"{match[1]}{match[2]}").replace(" ", "").lower()
        at = bisect_left(ends, match.start() + 1)
        if at == len(spans) or spans[at][0] >= match.end():
            asked = (number, f"@:{number}")
            yield Identifier(match.start(), match.end(), (number,), asked, asked, is_name=True)


def _provision_tokens(kind: str, number: str) -> tuple[str, ...]:
    """Return the exact token of a provision, one for it and everything it is part of, and a bare.

    A passage about 30(6)(a) is within 30(6) and within 30, so a query for 30(6) finds it behind the
    passages that name 30(6) itself.
    """
    levels = _LEVEL.findall(number)
    stem = number[: number.find("(")] if levels else number
    within = []
    for at in range(len(levels), -1, -1):
        upper = stem + "".join(levels[:at])
        if upper:
            within.append(f"{kind}:{upper}>")
    exact = (f"{kind}:{number}",) if kind else ()
    bare = (number,) if levels and stem else ()
    return (*exact, *within, *bare)


def _quantity(quantity: Quantity) -> Identifier | None:
    ends = (quantity.value,) if quantity.high is None else (quantity.value, quantity.high)
    found: list[str] = []
    exact: list[str] = []
    for value in ends:
        # A figure of hundreds of digits is no amount, and its plain form would be as long.
        if value.is_finite() and abs(value.adjusted()) < _MOST_DIGITS:
            mine, names = _amount(quantity, value)
            found += mine
            exact += mine[:1] if names else []
    if not found:
        return None
    return Identifier(quantity.start, quantity.end, tuple(found), tuple(found), tuple(exact))


def _amount(quantity: Quantity, value: Decimal) -> tuple[list[str], bool]:
    """Return the tokens of a figure, and whether the first of them names one thing."""
    shown = _plain(value)
    if quantity.kind == "money":
        return [f"{quantity.unit.lower()}:{shown}", f"={shown}"], True
    if quantity.kind == "percent":
        return [f"%{shown}"], False
    if quantity.kind == "duration":
        return [f"{quantity.unit}:{shown}"], False
    if quantity.scale != 1 or abs(value) >= _AMOUNT_FROM:
        return [f"={shown}"], quantity.scale != 1
    return [], False


def _plain(value: Decimal) -> str:
    shown = format(value, "f")
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def _date(date: DateReading) -> Identifier:
    month = f"date:{date.year}" if date.month is None else f"date:{date.year}-{date.month:02}"
    if date.day is None:
        return Identifier(date.start, date.end, (month,), (month,))
    day = f"{month}-{date.day:02}"
    return Identifier(date.start, date.end, (day, month), (day,), (day,))
