"""Prose answers: how far they agree, and what forbids it.  In: texts, read.  Out: a measure.

A guard looks at one thing that must not differ however many words agree: negation, direction,
bounds, numbers, an added exception, the order of the parties.  It compares the reference with the
sentence of the reply that is closest to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from finassay.scorers.expectations import Expectation
from finassay.scorers.figures import contradicts_figure
from finassay.scorers.key_answer import KeyAgreement, date_agreement, number_agreement
from finassay.scorers.quantity_match import bounds_conflict, same_quantity
from finassay.scorers.replies import KEPT, Reply
from finassay.scorers.restatements import OfferAgreement, is_faithful, offer_agreement
from finassay.scorers.text_agreement import (
    TextAgreement,
    answering,
    own_quantities,
    text_agreement,
)
from finassay.scorers.text_guards import (
    Near,
    adds_exception,
    changes_order,
    directions_differ,
    gives_alternatives,
    leaves_parts_out,
    measures_differ,
    negations_differ,
    stands_elsewhere,
)
from finassay.text.final_answers import Statement
from finassay.text.polarity import read_hedges

Guard = Literal[
    "polarity", "choice", "numbers", "unit", "negation", "direction", "comparator", "exception",
    "order", "parts", "alternatives", "elsewhere", "length", "figures",
]  # fmt: skip

SHORT = 14
"""Words of content up to which a reference is one statement that can be compared as a whole."""
NAMED = 4
"""Words of content up to which a reference is a name or a term."""
MOSTLY_NUMBERS = 0.55
"""Share of weight from which on a reference is its numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextMeasure:
    """A prose answer beside its reference.

    Attributes:
        agreement: features.
        broken: guards that the reply breaks.
        hedged: the sentence closest to the reference commits to nothing.
        repeats: the reference repeats a word that the reply gives once.
        words: words of content in the reference.
        key: whether the value that the reference answers with is the reply's.
        blended: the reference is one word that the reply joins to another with a hyphen.
        faithful: nearly all that the reply adds to the question stands in the reference.
        offer: whether the reply chooses what the reference does of what the question offers.
    """

    agreement: TextAgreement
    broken: tuple[Guard, ...]
    hedged: bool
    repeats: bool
    words: int
    key: KeyAgreement
    blended: bool
    faithful: bool
    offer: OfferAgreement


def text_measure(
    question: Reply, reference: Reply, reply: Reply, wanted: Expectation
) -> TextMeasure:
    """Return how far a reply says what a prose reference says, and what forbids it."""
    answers = answering(question, reply)
    agreement = text_agreement(question, reference, reply, wanted, answers)
    ours = [word.stem for word in reference.words]
    near = Near.of(reference, reply)
    key = _key(question, reference, reply, wanted)
    broken = _broken(_Texts(question, reference, reply, answers), wanted, agreement, near)
    if key == "same":
        # The value asked for is there: what else the reference tells may be left out.
        broken = tuple(guard for guard in broken if guard not in _BESIDE_VALUE)
    elif key == "other" and _asks_date(question, reference, wanted):
        broken = ("numbers", *broken)
    return TextMeasure(
        agreement=agreement,
        broken=broken,
        key=key,
        hedged=bool(read_hedges(near.text, near.words))
        and not read_hedges(reference.low, reference.vocabulary),
        repeats=reply.stems == frozenset(ours) and len(ours) > reply.length > 0,
        words=len(ours),
        blended=len(ours) == 1 and _is_joined(reference, reply),
        faithful=is_faithful(question, reference, reply),
        offer=offer_agreement(question, reference, reply),
    )


_BESIDE_VALUE = frozenset({"numbers", "parts", "elsewhere", "exception", "negation"})


def _key(question: Reply, reference: Reply, reply: Reply, wanted: Expectation) -> KeyAgreement:
    if _asks_date(question, reference, wanted):
        return date_agreement(question, reference, reply)
    return number_agreement(question, reference, reply, wanted)


@lru_cache(maxsize=KEPT)
def _asks_date(question: Reply, reference: Reply, wanted: Expectation) -> bool:
    asks = wanted.wanted == "date" or _ASKS_DATE.search(question.low) is not None
    return asks and bool(reference.dates)


_ASKS_DATE = re.compile(r"\b(?:date|deadline|latest|earliest|by when)\b")


def _is_joined(reference: Reply, reply: Reply) -> bool:
    word = reference.low.strip()
    return f"{word}-" in reply.low or f"-{word}" in reply.low


class _Texts(NamedTuple):
    """Question, reference and reply, and the sentences of the reply that answer."""

    question: Reply
    reference: Reply
    reply: Reply
    answers: tuple[Statement, ...]


def _broken(
    texts: _Texts, wanted: Expectation, agreement: TextAgreement, near: Near
) -> tuple[Guard, ...]:
    question, reference, reply, answers = texts
    short = len(reference.words) <= SHORT
    named = len(reference.words) <= NAMED and not reference.quantities
    several = _asks_several(question, reference)
    checks: tuple[tuple[Guard, bool], ...] = (
        ("polarity", agreement.polarity < 0),
        ("choice", agreement.choice < 0),
        ("numbers", _numbers_break(agreement, short=short, compares=several)),
        ("unit", measures_differ(reference, reply, wanted)),
        (
            "figures",
            not agreement.asked_polarity and contradicts_figure(question, reference, reply, wanted),
        ),
        (
            "negation",
            short and not agreement.asked_polarity and negations_differ(question, reference, near),
        ),
        ("direction", short and directions_differ(reference, near)),
        ("comparator", _bounds_differ(question, reference, reply, wanted)),
        ("exception", short and adds_exception(question, reference, near)),
        ("order", short and changes_order(question, reference, near)),
        ("parts", leaves_parts_out(question, reference, reply, answers)),
        ("alternatives", named and gives_alternatives(question, reference, near)),
        ("elsewhere", named and stands_elsewhere(question, reference, reply, answers)),
        ("length", _is_much_shorter(question, reference, reply)),
    )
    return tuple(guard for guard, is_broken in checks if is_broken)


def _is_much_shorter(question: Reply, reference: Reply, reply: Reply) -> bool:
    if _is_cut(reference, reply):
        return True
    if not question.text.strip() and len(reference.words) == 1:
        return reply.length > 2
    return False


def _is_cut(reference: Reply, reply: Reply) -> bool:
    """Return whether a reply is the beginning of its reference and no more."""
    if len(reference.words) < _FEW:
        return False
    whole, told = reference.low.strip(), reply.low.strip()
    return (
        0.3 * len(whole) < len(told) < len(whole)
        and whole.startswith(told)
        and told[-1].isalnum()
        and whole[len(told)].isalnum()
    )


_FEW = 4


HALF = 0.5
"""Share of a reference's numbers that is enough, unless the question asks for several."""

_COMPARES = re.compile(
    r"\b(?:compare[sd]?|respectively|both|and what|and how|which years|what were|what are"
    r"|for which)\b"
)


def _numbers_break(agreement: TextAgreement, *, short: bool, compares: bool) -> bool:
    if agreement.number_share < MOSTLY_NUMBERS:
        return False
    if agreement.numbers == -1.0:
        return True
    return short and 0 < agreement.numbers < (1.0 if compares else HALF)


@lru_cache(maxsize=KEPT)
def _asks_several(question: Reply, reference: Reply) -> bool:
    calculates = "=" in reference.text or "(" in reference.text
    return not calculates and (not question.text or _COMPARES.search(question.low) is not None)


def _bounds_differ(question: Reply, reference: Reply, reply: Reply, wanted: Expectation) -> bool:
    own = own_quantities(question, reference, wanted)
    for ours in (q for q in own if q.comparator not in {"none", "about"}):
        same = [q for q in reply.quantities if same_quantity(ours, q, wanted)]
        if same and all(bounds_conflict(ours, q) for q in same):
            return True
    return False
