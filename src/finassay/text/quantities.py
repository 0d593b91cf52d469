"""Financial quantities in a text.  In: any string.  Out: the quantities in it, with their spans.

A quantity is a figure with its sign, currency, scale and unit.  Dates, financial years, times,
references to provisions, list markers and identifiers hold digits too; they are none.  Time is
linear in the length of the text, and no text makes a reader raise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from finassay.text.beside import After, after, currency_before, sign_before
from finassay.text.comparators import Comparator, comparator_after, comparator_before
from finassay.text.dates import date_spans
from finassay.text.financial_years import financial_years_in
from finassay.text.folding import Folded, fold
from finassay.text.no_quantity import is_label, ratio_parts, reserved
from finassay.text.number_words import NUMBER_WORDS, word_numerals
from finassay.text.numerals import ONE, Numeral, digit_numerals, vulgar_fractions
from finassay.text.provisions import provision_spans
from finassay.text.units import Kind

__all__ = ["Comparator", "Kind", "Quantity", "quantities_in", "read_quantities"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
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
        scale: the factor applied, 1 if no scale was written.
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


@dataclass(slots=True)
class _Draft:
    """A quantity under construction, in positions of the folded text."""

    numeral: Numeral
    start: int
    end: int
    value: Decimal
    step: Decimal
    kind: Kind = "plain"
    unit: str = ""
    scale: Decimal = ONE
    high: Decimal | None = None
    comparator: Comparator = "none"
    begin: int = 0
    currency: bool = False
    bracket: bool = False

    @property
    def words(self) -> bool:
        return self.numeral.words

    @property
    def bare(self) -> bool:
        return self.kind == "plain" and self.scale == 1 and self.value == self.numeral.value

    @property
    def bare_year(self) -> bool:
        numeral = self.numeral
        return (
            numeral.bare
            and self.bare
            and numeral.end - numeral.start == 4
            and 1900 <= self.value <= 2100
        )


def read_quantities(text: str) -> tuple[Quantity, ...]:
    """Return the quantities of a text, in order; spans are positions in the text as written."""
    folded = fold(text)
    years = [(year.start, year.end) for year in financial_years_in(folded)]
    return quantities_in(folded, [*date_spans(folded), *years, *provision_spans(folded)])


def quantities_in(folded: Folded, taken: Iterable[tuple[int, int]]) -> tuple[Quantity, ...]:
    """Return the quantities of a folded text.

    Args:
        folded: the text.
        taken: spans of the folded text that dates, years and provisions hold.
    """
    drafts: list[_Draft] = []
    for numeral in _free(_numerals(folded), sorted([*taken, *reserved(folded)])):
        if drafts and numeral.start < drafts[-1].end:
            continue
        draft = _draft(folded, numeral)
        if draft is not None and not (drafts and _same_again(folded, drafts[-1], draft)):
            drafts.append(draft)
    return tuple(_finished(folded, draft) for draft in _ranges(folded, drafts))


def _numerals(folded: Folded) -> list[Numeral]:
    found = list(digit_numerals(folded.text))
    plain = len(found)
    if not NUMBER_WORDS.isdisjoint(folded.words) or "a" in folded.words:
        found += word_numerals(folded.low)
    if not folded.text.isascii():
        found += vulgar_fractions(folded.text)
    if len(found) > plain:
        found.sort(key=lambda numeral: numeral.start)
    return found


def _free(numerals: Sequence[Numeral], taken: Sequence[tuple[int, int]]) -> Iterable[Numeral]:
    """Yield the numerals that no other reading holds."""
    index, until = 0, -1
    for numeral in numerals:
        while index < len(taken) and taken[index][0] < numeral.end:
            until = max(until, taken[index][1])
            index += 1
        if until <= numeral.start:
            yield numeral


def _draft(folded: Folded, numeral: Numeral) -> _Draft | None:
    negative, start = sign_before(folded, numeral.start)
    code, start = currency_before(folded, start)
    if code is not None and not negative:
        negative, start = sign_before(folded, start)
    parts = ratio_parts(folded, numeral)
    if parts and code is None:
        return _ratio(folded, numeral, parts)
    behind = after(folded, numeral, numeral.end, money=code is not None)
    if behind.glued or is_label(folded, numeral, behind, money=code is not None):
        return None
    draft = _Draft(numeral, start, behind.end, numeral.value, numeral.step)
    _measure(draft, code, behind)
    if negative:
        draft.value = -draft.value
    _bracketed(folded, draft)
    if folded.text.startswith("/-", draft.end):
        draft.end += 2
        if draft.kind == "plain":
            draft.kind, draft.unit = "money", "INR"
    _compare(folded, draft)
    return draft


def _ratio(folded: Folded, numeral: Numeral, parts: re.Match[str]) -> _Draft | None:
    """Return "3:1" as the ratio 3."""
    under = Decimal(parts[1])
    if not under or numeral.value > 10**9:
        return None
    value = numeral.value / under
    draft = _Draft(numeral, numeral.start, parts.end(), value, Decimal(0), kind="ratio", unit="x")
    _compare(folded, draft)
    return draft


def _measure(draft: _Draft, code: str | None, behind: After) -> None:
    """Give a draft the scale, kind and unit that stand beside its figure."""
    draft.scale = behind.scale
    draft.value *= behind.scale
    draft.step *= behind.scale
    unit = behind.unit
    if unit is not None and (code is None or unit.kind == "money"):
        draft.kind, draft.unit = unit.kind, unit.name
        draft.value *= unit.factor
        draft.step *= unit.factor
        draft.scale *= unit.factor
    if code is not None:
        draft.currency = True
        if draft.kind != "money":
            draft.kind, draft.unit = "money", code
        elif unit is None or (code != "USD" and unit.name == "USD"):
            draft.unit = code


def _compare(folded: Folded, draft: _Draft) -> None:
    draft.comparator, draft.begin = comparator_before(folded.low, draft.start)
    if draft.comparator == "none":
        draft.comparator = comparator_after(folded.low, draft.end)


_COPULA = re.compile(
    r"(?:\b(?:was|is|are|were|of|to|at|by|be|equals?|loss|deficit|approximately|about)|[=:|≈$])[ \xa0]*\Z"
)
_ROW = re.compile(r"[\d)%|,\t][ \xa0\t]*\Z")
_CLOSES = re.compile(r"[ \xa0]?\)")


def _bracketed(folded: Folded, draft: _Draft) -> None:
    """Read "(1,234)" as negative where accountants write so, and take the brackets in."""
    text = folded.text
    if text[draft.start - 1 : draft.start] != "(" or not draft.start or draft.words:
        return
    close = _CLOSES.match(text, draft.end)
    if close is None:
        return
    opens = draft.start - 1
    code, outer = currency_before(folded, opens)
    glued = code is not None and outer < opens and text[opens - 1] not in " \xa0"
    if not (glued or _accounting(folded, draft, opens)):
        return
    negative = draft.value > 0
    draft.value = -abs(draft.value)
    draft.start, draft.end, draft.bracket = opens, close.end(), True
    if glued and code is not None:
        draft.start, draft.currency = outer, True
        if draft.kind == "plain":
            draft.kind, draft.unit = "money", code
    if negative and draft.kind in ("plain", "money") and draft.scale == 1:
        behind = after(folded, draft.numeral, draft.end, money=draft.currency)
        if not behind.glued:
            unit_kept = draft.kind, draft.unit
            _measure(draft, draft.unit if draft.currency else None, behind)
            draft.end = behind.end
            if unit_kept[0] == "money":
                draft.kind, draft.unit = unit_kept


def _accounting(folded: Folded, draft: _Draft, opens: int) -> bool:
    """Return whether a bracketed figure stands where a negative one would."""
    before = folded.low[max(0, opens - 20) : opens]
    line = before[before.rfind("\n") + 1 :]
    shaped = draft.currency or not draft.numeral.bare or draft.kind == "percent"
    if not line.strip(" \xa0*-•"):
        rest = folded.text[draft.end + 1 : draft.end + 12].split("\n")[0].strip()
        return shaped or (not rest and not draft.bare_year and draft.value >= 10)
    if _COPULA.search(line):
        return not draft.bare_year
    if _ROW.search(line):
        return shaped and draft.kind == "plain"
    return False


_AGAIN = re.compile(r"[ \xa0]*\([ \xa0]*(?:i\.e\.,?[ \xa0]*)?\Z")
_ONLY = re.compile(r"(?:[ \xa0]only)?[ \xa0]?\)")


def _same_again(folded: Folded, first: _Draft, second: _Draft) -> bool:
    """Take "(30)" into "thirty (30)": one quantity, written twice; return whether it was so."""
    if first.words == second.words or abs(second.value) != abs(first.value):
        return False
    opens = second.end if second.bracket else second.start
    between = folded.text[first.end : second.start + 1 if second.bracket else second.start]
    if len(between) > 8 or not _AGAIN.fullmatch(between):
        return False
    if second.bracket:
        first.end = second.end
    else:
        close = _ONLY.match(folded.low, second.end)
        first.end = close.end() if close else opens
    if second.kind != "plain" and first.kind == "plain":
        first.kind, first.unit = second.kind, second.unit
    elif first.kind == "plain":
        behind = after(folded, first.numeral, first.end, money=first.currency)
        if not behind.glued:
            _measure(first, None, behind)
            first.end = behind.end
    return True


_DASH = re.compile(r"-|[ \xa0]?[–—~][ \xa0]?")
_TO = re.compile(
    r"[ \xa0]+(?:to|through|till|and)[ \xa0]+(?:up to )?|[ \xa0]-[ \xa0]|[ ]?[至到][ ]?"
)
_BETWEEN = re.compile(r"\bbetween[ \xa0](?:\w+[ \xa0])?\Z")
_CHANGE = re.compile(r"\bfrom[ \xa0](?:\w+[ \xa0])?\Z")
_RANGING = re.compile(r"\brang\w+[ \xa0]from[ \xa0](?:\w+[ \xa0])?\Z")


def _ranges(folded: Folded, drafts: list[_Draft]) -> list[_Draft]:
    """Join the two ends of a range."""
    joined: list[_Draft] = []
    for draft in drafts:
        if joined and joined[-1].high is None and _spans_range(folded, joined[-1], draft):
            _join(joined[-1], draft)
        else:
            joined.append(draft)
    return joined


def _spans_range(folded: Folded, low: _Draft, high: _Draft) -> bool:
    between = folded.text[low.end : high.start]
    if not 0 < len(between) <= 16 or (low.bare_year and high.bare_year):
        return False
    if not _alike(low, high):
        return False
    if _DASH.fullmatch(between):
        return folded.text[high.end : high.end + 3].strip()[:1] != "="
    if not _TO.fullmatch(between.lower()):
        return False
    before = folded.low[max(0, low.start - 30) : low.start]
    if "and" in between.lower():
        return _BETWEEN.search(before) is not None
    if "-" in between:
        return low.kind == "plain" != high.kind
    return _CHANGE.search(before) is None or _RANGING.search(before) is not None


def _alike(low: _Draft, high: _Draft) -> bool:
    """Return whether two figures can be the ends of one range."""
    if low.kind == "plain" and low.scale == 1:
        factor = high.scale if high.kind != "plain" or high.scale != 1 else ONE
        return 0 <= low.value * factor < high.value
    if high.kind == "plain" and low.currency:
        scale = high.scale if low.scale == 1 else ONE
        return low.value * scale < high.value
    if low.kind != high.kind or low.unit != high.unit:
        return False
    return low.value < high.value or (
        low.scale == 1 != high.scale and low.value * high.scale < high.value
    )


def _join(low: _Draft, high: _Draft) -> None:
    if low.scale == 1 and high.scale != 1 and low.value * high.scale < high.value:
        low.value *= high.scale
        low.step *= high.scale
        low.scale = high.scale
    low.step = min(low.step, high.step)
    low.high, low.end = high.value, high.end
    if low.kind == "plain":
        low.kind, low.unit = high.kind, high.unit
    if low.comparator == "none":
        low.comparator = high.comparator if high.comparator != "at_most" else "none"


def _finished(folded: Folded, draft: _Draft) -> Quantity:
    start, end = folded.span(draft.start, draft.end)
    return Quantity(
        start=start,
        end=end,
        value=draft.value,
        high=draft.high if draft.high is not None else draft.numeral.high,
        kind=draft.kind,
        unit=draft.unit,
        scale=draft.scale,
        step=draft.step,
        comparator=draft.comparator,
        words=draft.words,
        bare_year=draft.high is None and draft.bare_year,
    )
