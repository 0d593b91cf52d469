"""Numbers of a reply beside the number of a reference.  In: both, read.  Out: matches.

Three answers are kept, so that the choice between them stays a policy: the chosen final answer,
the last quantity of the right kind, and any quantity.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from finassay.scorers.expectations import Expectation
from finassay.scorers.final_quantity import FinalQuantity, final_quantity
from finassay.scorers.quantity_match import Match, best_match, bounds_conflict
from finassay.scorers.replies import Reply
from finassay.text.polarity import Direction, read_directions
from finassay.text.quantities import Quantity

_SHARES = frozenset({"percent", "percentage_points", "basis_points", "ratio"})
_BY = frozenset({"by", "of", ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberMatches:
    """What the decision needs to know of a reply to an item whose answer is one number.

    Attributes:
        chosen: matches of the final answer, with its restatements.
        last: matches of the last quantity of the right kind.
        any: the best match among all quantities of the right kind.
        answer: the final answer as the reply writes it.
        last_answer: the last quantity as the reply writes it.
        any_answer: the best match as the reply writes it.
        reference: the reference's number as people read it.
        why: why this was taken as the final answer.
        several: the final answer gives several values that are not the same.
        bounds_conflict: both sides state a bound, and not the same.
    """

    chosen: tuple[Match, ...]
    last: tuple[Match, ...]
    any: tuple[Match, ...]
    answer: str
    last_answer: str
    any_answer: str
    reference: str
    why: str
    several: bool
    bounds_conflict: bool


def number_matches(
    reference: Quantity, shown: str, reply: Reply, wanted: Expectation, asked: Asked
) -> NumberMatches | None:
    """Return how the numbers of a reply compare with the reference's, or None without any."""
    tiers = _Tiers(reference, wanted, asked)
    final = final_quantity(reply, tiers.rank, asked.stems)
    if final is None:
        return None
    fitting = [q for q in reply.quantities if tiers.rank(q) < _NEVER]
    compare = _Comparison(reference, reply, wanted, asked)
    chosen = tuple(compare(q) for q in final.quantities)
    every = [compare(q) for q in fitting]
    best = min(every, key=lambda m: (m.gap > m.size * 0.01, len(m.demands), m.gap))
    return NumberMatches(
        chosen=chosen,
        last=(every[-1],),
        any=(best,),
        answer=_words(reply, final.quantities),
        last_answer=_words(reply, fitting[-1:]),
        any_answer=reply.text[best.start : best.end].strip(),
        reference=shown,
        why=final.why,
        several=_disagree(final),
        bounds_conflict=bounds_conflict(reference, final.quantities[0]),
    )


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question says: its content stems, its quantities and its directions."""

    stems: frozenset[str]
    quantities: tuple[Quantity, ...]
    direction: int


_NEVER = 9


class _Tiers:
    """How well the kind of a quantity fits what is asked: 0 best, `_NEVER` not at all."""

    def __init__(self, reference: Quantity, wanted: Expectation, asked: Asked) -> None:
        self._wanted = _target(reference, wanted)
        self._years = reference.bare_year or wanted.wanted == "year"
        self._asked = {(q.value, q.kind) for q in asked.quantities} - {
            (reference.value, reference.kind)
        }

    def rank(self, quantity: Quantity) -> int:
        if quantity.bare_year and not self._years:
            return _NEVER
        if self._years:
            return 0 if quantity.bare_year else _NEVER
        ranks = _RANKS[self._wanted]
        rank = ranks.get(quantity.kind, _NEVER)
        if rank < _NEVER and (quantity.value, quantity.kind) in self._asked:
            return 4
        return rank


_RANKS: dict[str, dict[str, int]] = {
    "money": {"money": 0, "plain": 1},
    "share": {
        "percent": 0, "percentage_points": 0, "basis_points": 0, "ratio": 0, "plain": 0,
        "duration": 1,
    },
    "percent": {"percent": 0, "percentage_points": 0, "basis_points": 0, "plain": 1, "ratio": 2},
    "duration": {"duration": 0, "plain": 1},
    "count": {"count": 0, "plain": 0, "ratio": 3},
    "number": {
        "plain": 0, "count": 0, "ratio": 0, "duration": 0, "money": 1, "percent": 2,
        "percentage_points": 2, "basis_points": 2,
    },
}  # fmt: skip


def _target(reference: Quantity, wanted: Expectation) -> str:
    if reference.kind == "money" or wanted.currency or wanted.wanted == "money":
        return "money"
    if reference.kind in _SHARES:
        return "share" if reference.kind == "ratio" else "percent"
    if reference.kind == "duration" or wanted.wanted == "duration":
        return "duration"
    if wanted.asks_percent or wanted.speaks_of_share:
        return "share"
    return "count" if wanted.wanted == "count" else "number"


class _Comparison:
    """Compares quantities of one reply with the reference, with the direction that words give."""

    def __init__(
        self, reference: Quantity, reply: Reply, wanted: Expectation, asked: Asked
    ) -> None:
        self._reference = reference
        self._reply = reply
        self._wanted = wanted
        self._asked = asked

    def __call__(self, quantity: Quantity) -> Match:
        return best_match(self._reference, quantity, self._wanted, turned=self._turned(quantity))

    def _turned(self, quantity: Quantity) -> bool:
        """Return whether the words around a quantity turn its direction against the question's."""
        if quantity.value <= 0:
            return False
        sign = direction_of(self._reply, quantity)
        if not sign:
            return False
        return sign < 0 if self._asked.direction >= 0 else sign > 0


def direction_of(reply: Reply, quantity: Quantity) -> int:
    """Return +1 or -1 when words beside a quantity say which way it goes, else 0.

    "declined by 3%", "a 3% decline" and "down 3%" do; "declined to 3%" is a level.
    """
    before = reply.low[max(0, quantity.start - 40) : quantity.start]
    found = read_directions(before)
    if found and _leads_to(before[found[-1].end :]):
        return found[-1].sign
    after = reply.low[quantity.end : quantity.end + 24]
    later = read_directions(after)
    if later and not after[: later[0].start].strip(" -"):
        return later[0].sign
    return 0


def _leads_to(between: str) -> bool:
    words = between.replace("about", "").replace("approximately", "").replace("~", "").split()
    return len(words) <= 1 and "".join(words).strip("(:") in _BY


def question_direction(question: str) -> int:
    """Return the direction that a question asks for: +1, -1, or 0 where it names none or both."""
    signs = {direction.sign for direction in _moves(question)}
    return signs.pop() if len(signs) == 1 else 0


def _moves(text: str) -> Iterable[Direction]:
    return read_directions(text)


def _words(reply: Reply, quantities: Iterable[Quantity]) -> str:
    return " or ".join(reply.text[q.start : q.end].strip() for q in quantities)


def _disagree(final: FinalQuantity) -> bool:
    """Return whether the restatements of the final answer are different values."""
    first, *others = final.quantities
    if not others:
        return False
    wanted = Expectation(speaks_of_share=True, asks_percent=True)
    return any(_differ(best_match(first, other, wanted)) for other in others)


def _differ(match: Match) -> bool:
    allowed = max(match.reference_half, match.reply_half) * 1.01 + match.size * 0.002
    return match.gap_unsigned > allowed
