"""Prose answers: how far they agree, and what forbids it.  In: texts, read.  Out: a measure.

A guard looks at one thing that must not differ however many words agree: negation, direction,
bounds, numbers, an added exception, the order of the parties.  It compares the reference with the
whole reply where the reply is about as long, else with its sentence that is closest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from finassay.scorers.expectations import Expectation
from finassay.scorers.quantity_match import bounds_conflict
from finassay.scorers.replies import Reply
from finassay.scorers.text_agreement import (
    TextAgreement,
    answering,
    own_quantities,
    same_quantity,
    text_agreement,
)
from finassay.text.polarity import read_directions, read_hedges, read_negations

Guard = Literal[
    "negation", "direction", "comparator", "numbers", "exception", "order", "polarity", "choice",
    "length",
]  # fmt: skip
GUARDS: tuple[Guard, ...] = (
    "negation", "direction", "comparator", "numbers", "exception", "order", "polarity", "choice",
    "length",
)  # fmt: skip

SHORT = 14
"""Words of content up to which a reference is one statement that can be compared as a whole."""

_EXCEPTION = re.compile(r"\b(?:unless|except(?:ing)?|other than|provided that|but not|excluding)\b|除非|除外")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextMeasure:
    """A prose answer beside its reference.

    Attributes:
        agreement: features.
        broken: guards that the reply breaks.
        same_words: the reply has the reference's words in its order, and no others.
        hedged: the sentences that answer commit to nothing.
        repeats: the reference repeats a word that the reply gives once.
        words: words of content in the reference.
    """

    agreement: TextAgreement
    broken: tuple[Guard, ...]
    same_words: bool
    hedged: bool
    repeats: bool
    words: int


def text_measure(
    question: Reply, reference: Reply, reply: Reply, wanted: Expectation
) -> TextMeasure:
    """Return how far a reply says what a prose reference says, and what forbids it."""
    agreement = text_agreement(question, reference, reply, wanted)
    ours = [word.stem for word in reference.words]
    theirs = [word.stem for word in reply.words]
    return TextMeasure(
        agreement=agreement,
        broken=_broken(question, reference, reply, wanted, agreement),
        same_words=_letters(reference) == _letters(reply),
        hedged=_hedged(question, reply),
        repeats=len(ours) > len(theirs) > 0 and set(ours) == set(theirs),
        words=len(ours),
    )


def _letters(side: Reply) -> str:
    return "".join(character for character in side.low if character.isalnum() or character in "%-+.")


def _hedged(question: Reply, reply: Reply) -> bool:
    answers = answering(question, reply)
    return any(read_hedges(reply.text[s.start : s.end]) for s in answers)


def _broken(
    question: Reply, reference: Reply, reply: Reply, wanted: Expectation, agreement: TextAgreement
) -> tuple[Guard, ...]:
    near = _closest(reference, reply)
    short = len(reference.words) <= SHORT
    checks: tuple[tuple[Guard, bool], ...] = (
        ("polarity", agreement.polarity < 0),
        ("choice", agreement.choice < 0),
        ("numbers", _numbers_break(agreement, short=short)),
        ("negation", short and agreement.polarity == 0 and _negations_differ(reference, near)),
        ("direction", short and _directions_differ(reference, near)),
        ("comparator", _bounds_differ(question, reference, reply, wanted)),
        ("exception", short and _adds_exception(reference, near)),
        ("order", _changes_order(reference, reply)),
        ("length", len(reply.words) * 3 < len(reference.words)),
    )
    return tuple(guard for guard, is_broken in checks if is_broken)


def _closest(reference: Reply, reply: Reply) -> str:
    """Return what of a reply stands beside the reference: all of it, or its closest sentence."""
    if len(reply.words) <= 2 * len(reference.words) + 6 or not reply.statements:
        return reply.low
    best = max(reply.statements, key=lambda s: reply.shared(s, reference.stems))
    return reply.low[best.start : best.end]


def _numbers_break(agreement: TextAgreement, *, short: bool) -> bool:
    return agreement.numbers == -1.0 or (short and 0 < agreement.numbers < 1)


def _negations_differ(reference: Reply, near: str) -> bool:
    return len(read_negations(reference.low)) % 2 != len(read_negations(near)) % 2


def _directions_differ(reference: Reply, near: str) -> bool:
    ours = {direction.sign for direction in read_directions(reference.low)}
    theirs = {direction.sign for direction in read_directions(near)}
    return len(ours) == 1 and len(theirs) == 1 and ours != theirs


def _bounds_differ(
    question: Reply, reference: Reply, reply: Reply, wanted: Expectation
) -> bool:
    bounded = [
        q for q in own_quantities(question, reference, wanted) if q.comparator not in {"none", "about"}
    ]
    for ours in bounded:
        same = [q for q in reply.quantities if same_quantity(ours, q, wanted)]
        if same and all(bounds_conflict(ours, q) for q in same):
            return True
    return False


def _adds_exception(reference: Reply, near: str) -> bool:
    return _EXCEPTION.search(near) is not None and _EXCEPTION.search(reference.low) is None


def _changes_order(reference: Reply, reply: Reply) -> bool:
    """Return whether a short reply has the same words in another order, and is no list."""
    ours = [word.stem for word in reference.words]
    theirs = [word.stem for word in reply.words]
    if ours == theirs or sorted(ours) != sorted(theirs) or not 2 < len(ours) <= 30:
        return False
    return not re.search(r"[,;、，\n]|\band\b|\bor\b", reference.low)
