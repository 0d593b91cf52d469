"""Prose answers: how far they agree, and what forbids it.  In: texts, read.  Out: a measure.

A guard looks at one thing that must not differ however many words agree: negation, direction,
bounds, numbers, an added exception, the order of the parties.  It compares the reference with the
sentence of the reply that is closest to it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from finassay.scorers.expectations import Expectation
from finassay.scorers.figures import contradicts_figure
from finassay.scorers.key_answer import KeyAgreement, date_agreement, number_agreement
from finassay.scorers.quantity_match import bounds_conflict, same_quantity
from finassay.scorers.replies import KEPT, Reply
from finassay.scorers.restatements import OfferAgreement, is_faithful, offer_agreement
from finassay.scorers.text_agreement import TextAgreement, own_quantities
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
from finassay.text.once import ReadOnce
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


class TextMeasure:
    """A prose answer beside its reference; each part is read when it is first asked for.

    Attributes:
        agreement: features.
    """

    def __init__(
        self, question: Reply, reference: Reply, reply: Reply, wanted: Expectation
    ) -> None:
        self._texts = _Texts(question, reference, reply)
        self._wanted = wanted
        self.agreement = TextAgreement(question, reference, reply, wanted)

    @ReadOnce
    def _near(self) -> Near:
        return Near.of(self._texts.reference, self._texts.reply)

    @ReadOnce
    def broken(self) -> tuple[Guard, ...]:
        """Guards that the reply breaks."""
        question, reference, _ = self._texts
        broken = _broken(self._texts, self._wanted, self.agreement, self._near)
        if self.key == "same":
            # The value asked for is there: what else the reference tells may be left out.
            return tuple(guard for guard in broken if guard not in _BESIDE_VALUE)
        if self.key == "other" and _asks_date(question, reference, self._wanted):
            return ("numbers", *broken)
        return broken

    @ReadOnce
    def key(self) -> KeyAgreement:
        """Whether the value that the reference answers with is the reply's."""
        return _key(*self._texts, self._wanted)

    @ReadOnce
    def hedged(self) -> bool:
        """Whether the sentence closest to the reference commits to nothing."""
        near, reference = self._near, self._texts.reference
        return bool(read_hedges(near.text, near.words)) and not read_hedges(
            reference.low, reference.vocabulary
        )

    @ReadOnce
    def repeats(self) -> bool:
        """Whether the reference repeats a word that the reply gives once."""
        _, reference, reply = self._texts
        ours = frozenset(word.stem for word in reference.words)
        if any(not reply.stems_in(statement) <= ours for statement in reply.statements):
            return False
        return reply.stems == ours and self.words > reply.length > 0

    @ReadOnce
    def words(self) -> int:
        """Number of words of content in the reference."""
        return len(self._texts.reference.words)

    @ReadOnce
    def blended(self) -> bool:
        """Whether the reference is one word that the reply joins to another with a hyphen."""
        return self.words == 1 and _is_joined(self._texts.reference, self._texts.reply)

    @ReadOnce
    def faithful(self) -> bool:
        """Whether nearly all that the reply adds to the question stands in the reference."""
        return is_faithful(*self._texts)

    @ReadOnce
    def offer(self) -> OfferAgreement:
        """Whether the reply chooses what the reference does of what the question offers."""
        return offer_agreement(*self._texts)


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
    """Question, reference and reply."""

    question: Reply
    reference: Reply
    reply: Reply


def _broken(
    texts: _Texts, wanted: Expectation, agreement: TextAgreement, near: Near
) -> tuple[Guard, ...]:
    question, reference, reply = texts
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
        ("parts", leaves_parts_out(question, reference, reply)),
        ("alternatives", named and gives_alternatives(question, reference, near)),
        ("elsewhere", named and stands_elsewhere(question, reference, reply, agreement.answers)),
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
