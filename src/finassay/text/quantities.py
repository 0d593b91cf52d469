"""Financial quantities in a text.  In: any string.  Out: the quantities in it, with their spans.

A quantity is a figure with its sign, currency, scale and unit.  Dates, financial years, times,
references to provisions, list markers and identifiers hold digits too; they are none.  Time is
linear in the length of the text, and no text makes a reader raise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from finassay.text.chinese_numbers import chinese_numerals
from finassay.text.comparators import Comparator
from finassay.text.dates import dates_in
from finassay.text.financial_years import financial_years_in
from finassay.text.folding import Folded, both_ends, fold
from finassay.text.no_quantity import is_numbered, is_referred, names_with, reserved
from finassay.text.number_words import holds_words, word_numerals
from finassay.text.numerals import ONE, Numeral, digit_numerals, vulgar_fractions
from finassay.text.provisions import provisions_in
from finassay.text.quantity_drafts import Draft, draft
from finassay.text.quantity_joins import joined
from finassay.text.tuples import new_tuple
from finassay.text.units import Kind

__all__ = ["Comparator", "Kind", "Quantity", "numerals_in", "quantities_in", "read_quantities"]


class Quantity(NamedTuple):
    """A figure with all that belongs to it.

    Attributes:
        start: where it starts in the text, with sign, currency, scale and unit.
        end: where it ends.
        value: the value with its scale applied ("12.5 crore" is 125000000).  A percentage stays in
            per cent and basis points in basis points.  Of a range, the lower end.
        high: upper end of a range ("5-7%"), None otherwise.
        kind: what it measures.
        unit: currency code (the sign "¥", yen or yuan, stays "¥"), unit of time, "x" for a ratio,
            "" otherwise.
        scale: the factor applied, 1 if no scale was written beside the figure.
        step: one unit of the last digit shown, scaled ("8.7 billion": 100000000); 0 for a
            fraction, which is exact.
        comparator: bound or approximation read from the words beside it.
        words: whether it is written in words.
        bare_year: whether it is a bare whole number from 1900 to 2100, which may be a year.
    """

    start: int
    end: int
    value: Decimal
    high: Decimal | None = None
    kind: Kind = "plain"
    unit: str = ""
    scale: Decimal = ONE
    step: Decimal = ONE
    comparator: Comparator = "none"
    words: bool = False
    bare_year: bool = False


def read_quantities(text: str) -> tuple[Quantity, ...]:
    """Return the quantities of a text, in order; spans are positions in the text as written."""
    folded = fold(text)
    numerals = numerals_in(folded)
    taken = [(date.start, date.end) for date in dates_in(folded)]
    taken += [(year.start, year.end) for year in financial_years_in(folded)]
    taken += [(provision.start, provision.end) for provision in provisions_in(folded)]
    return quantities_in(folded, numerals, taken)


def quantities_in(
    folded: Folded, numerals: Sequence[Numeral], taken: Iterable[tuple[int, int]]
) -> tuple[Quantity, ...]:
    """Return the quantities of a folded text, with spans in the text as written.

    Args:
        folded: the text.
        numerals: the numerals in it.
        taken: spans of the folded text that dates, years and provisions hold.
    """
    drafts: list[Draft] = []
    until = named_until = 0
    for numeral in _free(numerals, sorted([*taken, *reserved(folded)])):
        if numeral.start < until:
            continue
        if named_until and names_with(folded, named_until, numeral):
            named_until = numeral.end
            continue
        made = draft(folded, numeral)
        if made is None:
            named = is_numbered(folded.text, numeral) or is_referred(folded, numeral.start)
            named_until = numeral.end if named else 0
        elif made.start >= until:
            drafts.append(made)
            until, named_until = made.end, 0
    if len(drafts) > 1:
        drafts = joined(folded, drafts)
    return tuple([_finished(folded, made) for made in drafts])


def numerals_in(folded: Folded) -> list[Numeral]:
    """Return the numerals of a folded text: what quantities, dates and provisions are made of."""
    text = folded.text
    found = digit_numerals(folded)
    in_digits = len(found)
    if holds_words(folded):
        found += word_numerals(folded)
    if not text.isascii():
        found += vulgar_fractions(text)
        found += chinese_numerals(text)
    if len(found) > in_digits:
        # The longer of two readings that start together wins.
        found.sort(key=lambda numeral: (numeral.start, -numeral.end))
        return both_ends(found)
    return found


def _free(numerals: Sequence[Numeral], taken: Sequence[tuple[int, int]]) -> Iterator[Numeral]:
    """Yield the numerals that no other reading holds."""
    index, until = 0, -1
    for numeral in numerals:
        while index < len(taken) and taken[index][0] < numeral.end:
            until = max(until, taken[index][1])
            index += 1
        if until <= numeral.start:
            yield numeral


def _finished(folded: Folded, made: Draft) -> Quantity:
    start, end = folded.span(made.start, made.end) if folded.cuts else (made.start, made.end)
    is_year = made.high is None and made.kind == "plain" and made.is_bare_year
    return new_tuple(
        Quantity,
        (start, end, made.value, made.high, made.kind, made.unit, made.scale, made.step,
         made.comparator, made.numeral.words, is_year),
    )  # fmt: skip
