"""References that a rule of their own is made for.  In: item and reply, read.  Out: its verdict.

Dates, choices, sets of provisions and records are left to the rules of those names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal

from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import MeasureT, Rule
from finassay.scorers.choice import Choice
from finassay.scorers.dates import Dates
from finassay.scorers.expectations import Expectation
from finassay.scorers.fields import Fields
from finassay.scorers.replies import KEPT, Reply, item_side
from finassay.scorers.sets import SetExact
from finassay.text.values import ValueType, typed_value

Route = Literal[
    "same", "nothing", "number", "yes_no", "refusal", "date", "choice", "set", "fields", "text"
]
"""Which comparison the type of a reference asks for."""

_LETTERS = re.compile(r"\s*\(?[A-J]\)?\.?(?:\s*(?:[,;/]|and|&)\s*\(?[A-J]\)?)*\s*")


def settled_by_rule(
    expected: Reply, item: Item, prediction: Prediction, reply: Reply, wanted: Expectation
) -> tuple[Route, Verdict] | None:
    """Return the verdict of the rule that this type of reference is left to, or None."""
    for route, rule, text in _rules(expected, item, reply, wanted):
        found = _by_rule(rule, expected.text, item, replace(prediction, text=text))
        if found.status not in {"not_applicable", "failed"}:
            return route, found
    return None


def _by_rule(rule: Rule[MeasureT], reference: str, item: Item, prediction: Prediction) -> Verdict:
    return rule.decide(rule.measure(reference=reference, item=item, prediction=prediction))


def _rules(
    expected: Reply, item: Item, reply: Reply, wanted: Expectation
) -> Iterator[tuple[Route, Rule[Any], str]]:
    """Yield the rules that a reference of this type is left to, with the text that they read."""
    if item.choices or wanted.wanted == "choice" or _LETTERS.fullmatch(expected.text):
        yield "choice", Choice(), reply.text
    if wanted.wanted == "fields" or expected.text.lstrip().startswith(("{", "[{")):
        yield "fields", Fields(threshold=1.0), reply.text
    kind = _kind_of(expected)
    if wanted.wanted == "set" or kind == "provision":
        yield "set", SetExact(), reply.text
    dated = wanted.wanted == "date" and len(expected.words) <= _FEW and len(expected.dates) == 1
    if dated or kind == "date" or _is_financial_year(expected.text):
        part = dated_part(reply, item_side(item.question))
        moved = _MOVED.search(part.lower()) is not None
        yield "date", Dates(take="last" if moved else "first"), part


_FEW = 4


_MOVED = re.compile(r"\b(?:moved|postponed|rescheduled|extended|brought forward|changed|then)\b")
_YEAR_ALONE = re.compile(
    r"\s*(?:fy|financial year|fiscal year|fiscal)\s*'?\d{2,4}(?:\s*[-/\u2013]\s*\d{2,4})?\s*\.?\s*",
    re.IGNORECASE,
)


def _is_financial_year(reference: str) -> bool:
    return _YEAR_ALONE.fullmatch(reference) is not None


def dated_part(reply: Reply, question: Reply) -> str:
    """Return what of a reply gives its date: the answer, the last conclusion, or the closest."""
    starts = [date.start for date in reply.dates]
    held = [s for s in reply.statements if any(s.start <= at < s.end for at in starts)]
    if len(held) < 2:
        return reply.text
    told = [s for s in held if s.cue in {"answer", "box"}] or [
        s for s in held if s.cue == "conclusion"
    ]
    best = told[-1] if told else max(held, key=lambda s: reply.shared(s, question.stems))
    return reply.text[best.start : best.end]


@lru_cache(maxsize=KEPT)
def _kind_of(reference: Reply) -> ValueType:
    """Return whether a reference is a provision, a date or a quantity and nothing else."""
    if len(reference.text) > _LONGEST_VALUE:
        return "text"
    typed = typed_value(reference.text, reference.readings)
    return "text" if typed is None else typed.type


_LONGEST_VALUE = 120
