"""Figures marked in a text.  In: a text and what was read in it.  Out: pieces, each with a mark."""

from __future__ import annotations

from collections.abc import Iterable

from finassay.marking.browsing.records import Segment
from finassay.records import Item, Prediction
from finassay.scorers.financial_measure import FinancialMeasure, measure_financial
from finassay.text.quantities import read_quantities

ANSWER, NUMBER, PLAIN = "answer", "number", ""

Span = tuple[int, int, str]
"""(start, end, mark)"""

LONGEST = 20_000
"""Characters of a text in which figures are marked; what follows stands as it is."""


def marked_text(text: str) -> tuple[Segment, ...]:
    """Return a text in pieces, its figures marked as numbers."""
    return pieces(text, _numbers(text))


def marked_reply(item: Item, prediction: Prediction) -> tuple[Segment, ...]:
    """Return a reply in pieces: what `financial` takes for its answer, and other figures."""
    text = prediction.text
    return pieces(text, [*_answers(item, prediction), *_numbers(text)])


def pieces(text: str, spans: Iterable[Span]) -> tuple[Segment, ...]:
    """Return a text in pieces, each with its mark; joined they are the text.

    Where two spans overlap the one named first stays.  Spans that do not lie within the text are
    left out.
    """
    kept: list[Span] = []
    for start, end, mark in spans:
        inside = 0 <= start < end <= len(text)
        if inside and all(end <= other[0] or other[1] <= start for other in kept):
            kept.append((start, end, mark))
    found: list[Segment] = []
    at = 0
    for start, end, mark in sorted(kept):
        if at < start:
            found.append((PLAIN, text[at:start]))
        found.append((mark, text[start:end]))
        at = end
    if at < len(text):
        found.append((PLAIN, text[at:]))
    return tuple(found)


def _numbers(text: str) -> list[Span]:
    return [(one.start, one.end, NUMBER) for one in read_quantities(text[:LONGEST])]


def _answers(item: Item, prediction: Prediction) -> list[Span]:
    if item.reference is None or len(prediction.text) > LONGEST:
        return []
    found: list[Span] = []
    for reference in (item.reference, *item.alternatives):
        measured = measure_financial(reference=reference, item=item, prediction=prediction)
        found += [(start, end, ANSWER) for start, end in _spans(measured, prediction.text)]
    return found


def _spans(measured: FinancialMeasure, text: str) -> list[tuple[int, int]]:
    if measured.route == "same":
        whole = text.strip()
        start = text.find(whole)
        return [(start, start + len(whole))]
    # A figure in brackets alone is read without them, and its place is counted from there.
    if measured.number is not None and not text.strip().startswith("("):
        return [(match.start, match.end) for match in measured.number.chosen]
    if measured.polarity is not None:
        return [(measured.polarity.start, measured.polarity.end)]
    return []
