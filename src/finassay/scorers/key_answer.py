"""The value that a prose reference answers with.  In: question and reference, read.  Out: it.

"At least 75% of investable funds, under Regulation 16(2)" answers "what minimum percentage?" with
75%; "Rs 80 crore (10% of Rs 800 crore)" answers with what stands before the bracket, and "10% of
200 crore = 20 crore" with what follows the last "=".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from finassay.scorers.expectations import Expectation
from finassay.scorers.quantity_match import same_quantity
from finassay.scorers.replies import KEPT, Reply
from finassay.scorers.text_agreement import own_quantities
from finassay.text.dates import DateReading
from finassay.text.quantities import Quantity

KeyAgreement = Literal["same", "other", "none"]

_ASKS_QUANTITY = re.compile(
    r"\bhow (?:much|many|long|large|high|old|often)\b"
    r"|\bwhat (?:minimum|maximum|is the (?:\w+ ){0,3}"
    r"(?:minimum|maximum|limit|threshold|fee|amount|rate|ratio|percentage|period|tenure|value|price"
    r"|number|cap|size|cost|penalty|net ?worth|deadline|time|share))"
    r"|\b(?:what|which) (?:percentage|share|proportion|fraction|amount|rate|threshold)"
    r"|\bwhat (?:minimum|maximum)"
    r"|\bwithin (?:how|what)\b|\bby how\b|\b(?:above|below|over|under) what\b|\bcalculate\b"
)
_SEVERAL = re.compile(r"\b(?:and (?:what|how|when|by|for|which|who|why)|respectively|both|each)\b")
_BRACKETS = re.compile(r"\([^()]{0,300}\)")
_CALCULATION = re.compile(r"\b(?:calculation|working|since|because|i\.e\.|this is|that is)\b|;")


@lru_cache(maxsize=KEPT)
def asks_one_quantity(question: Reply) -> bool:
    """Return whether a question asks for one quantity and nothing else."""
    low = question.low
    return _ASKS_QUANTITY.search(low) is not None and _SEVERAL.search(low) is None


@lru_cache(maxsize=KEPT)
def key_quantity(question: Reply, reference: Reply, wanted: Expectation) -> Quantity | None:
    """Return the quantity that a prose reference answers with, or None."""
    own = own_quantities(question, reference, wanted, words=True)
    if not own or not reference.statements:
        return None
    first = reference.statements[0]
    inside = [span.span() for span in _BRACKETS.finditer(reference.text)]
    told = [q for q in own if not any(a < q.start < b for a, b in inside)]
    head = [q for q in told if q.start < first.end] or told or own
    cut = _CALCULATION.search(reference.low, head[0].end, first.end)
    last = first.end if cut is None else cut.start()
    equals = reference.low.rfind("=", first.start, last)
    after = [q for q in head if first.start <= equals < q.start]
    return after[0] if after else head[0]


def number_agreement(
    question: Reply, reference: Reply, reply: Reply, wanted: Expectation
) -> KeyAgreement:
    """Return whether a reply gives the quantity that a prose reference answers with."""
    if wanted.wanted == "year":
        return _year_agreement(reference, reply)
    if not asks_one_quantity(question) and not _opens_with_value(reference):
        return "none"
    key = key_quantity(question, reference, wanted)
    if key is None:
        return "none"
    told = _final(reply, key)
    if not told:
        return "none"
    return "same" if any(same_quantity(key, q, wanted) for q in told) else "other"


def _year_agreement(reference: Reply, reply: Reply) -> KeyAgreement:
    ours = [q.value for q in reference.quantities if q.bare_year]
    theirs = [q.value for q in reply.quantities if q.bare_year]
    if not ours or not theirs:
        return "none"
    return "same" if theirs[0] == ours[0] else "other"


@lru_cache(maxsize=KEPT)
def _opens_with_value(reference: Reply) -> bool:
    """Return whether the first sentence of a reference is a quantity, brackets apart."""
    if len(reference.statements) < 2 and "(" not in reference.text:
        return False
    first = reference.statements[0]
    held = reference.quantities_in(first)
    rest = _BRACKETS.sub(" ", reference.low[first.start : first.end])
    if not held or held[0].start - first.start > _OPENS:
        return False
    return len(rest) - (held[0].end - held[0].start) < _FEW_LETTERS


_OPENS = 2
_FEW_LETTERS = 16


def _final(reply: Reply, key: Quantity) -> list[Quantity]:
    """Return the quantities of the key's kind in the sentence that concludes, or in the first."""
    alike = [q for q in reply.quantities if q.kind == key.kind or "plain" in {q.kind, key.kind}]
    concluding = [s for s in reply.statements if s.cue in {"answer", "box", "conclusion"}]
    for statement in reversed(concluding):
        held = [q for q in alike if statement.start <= q.start < statement.end]
        if held:
            return held
    if not alike:
        return []
    calculated = [s for s in reply.statements if s.cue == "calculation"]
    if calculated:
        return alike[-1:]
    first = next(s for s in reply.statements if s.end > alike[0].start)
    return [q for q in alike if q.start < first.end]


def date_agreement(question: Reply, reference: Reply, reply: Reply) -> KeyAgreement:
    """Return whether a reply gives a full date of a prose reference that is asked for a date."""
    expected = {_day(date) for date in reference.dates if date.day is not None}
    told = {_day(date) for date in reply.dates if date.day is not None}
    asked = {_day(date) for date in question.dates}
    if not expected - asked or not told - asked:
        return "none"
    return "same" if (expected - asked) & told else "other"


def _day(date: DateReading) -> tuple[int | None, int | None, int | None]:
    return date.year, date.month, date.day
