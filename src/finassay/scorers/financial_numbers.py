"""Numbers of a reply beside the number of a reference.  In: both, read.  Out: matches.

Three answers are kept, so that the choice between them stays a policy: the chosen final answer,
the last quantity of the right kind, and any quantity.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from finassay.scorers.clauses import Subject, local_clause
from finassay.scorers.expectations import Expectation
from finassay.scorers.final_quantity import FinalQuantity, final_quantity
from finassay.scorers.measures import measure_after
from finassay.scorers.qualifiers import leaves_qualifier_out
from finassay.scorers.quantity_match import Match, best_match, bounds_conflict, near_a_factor
from finassay.scorers.replies import Reply
from finassay.text.once import ReadOnce
from finassay.text.polarity import Direction, read_directions, read_hedges
from finassay.text.quantities import Quantity

_SHARES = frozenset({"percent", "ratio"})
_BY = frozenset({"by", "of", ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberMatches:
    """What the decision needs to know of a reply to an item whose answer is one number.

    Attributes:
        chosen: matches of the final answer, with its restatements.
        answer: the final answer as the reply writes it.
        others: the last quantity and the best match, for policies that ask for them.
        reference: the reference's number as people read it.
        why: why this was taken as the final answer.
        several: the final answer gives several values that are not the same.
        bounds_conflict: both sides state a bound, and not the same.
        measure_differs: the two are given in different units of measure ("tonnes", "kg").
        beside_another: another number stands right beside the final answer ("3 5").
        hedged: the sentence of the final answer commits to nothing.
        negated: the clause of the final answer denies it.
        beside_question: the reply answers another question (a level for a change, and so on).
        declined: the sentence of the final answer declines to answer.
        explicit: the final answer stands under a cue, in a conclusion or at the end of a sum.
        start: where the final answer stands.
    """

    chosen: tuple[Match, ...]
    answer: str
    others: OtherMatches
    reference: str
    why: str
    several: bool
    bounds_conflict: bool
    measure_differs: bool
    beside_another: bool
    hedged: bool
    negated: bool
    beside_question: bool
    declined: bool
    explicit: bool
    start: int


def number_matches(
    reference: Quantity,
    shown: str,
    expected: Reply,
    reply: Reply,
    wanted: Expectation,
    asked: Asked,
) -> NumberMatches | None:
    """Return how the numbers of a reply compare with the reference's, or None without any."""
    tiers = _Tiers(reference, wanted, asked)
    final = final_quantity(reply, tiers.rank, asked.subject)
    if final is None:
        return None
    fitting = [q for q in reply.quantities if tiers.rank(q) < _NEVER]
    compare = _Comparison(reference, expected, reply, wanted, asked)
    chosen = tuple(compare(q) for q in final.quantities)
    return NumberMatches(
        chosen=chosen,
        answer=_words(reply, final.quantities),
        others=OtherMatches(reference, reply, fitting, chosen, compare),
        reference=shown,
        why=final.why,
        several=_disagree(final) or _numbered_answers_differ(reply, fitting, wanted),
        negated=_is_negated(reply, final),
        beside_question=not _speaks_of(asked, reply, final),
        declined=_declined(reply, final),
        explicit=final.statement.cue in {"answer", "box", "conclusion", "calculation"},
        start=final.quantities[0].start,
        bounds_conflict=bounds_conflict(reference, final.quantities[0])
        or _starts_after(reference, reply, final.quantities[0]),
        measure_differs=_measure_differs(expected, reference, reply, final.quantities[0]),
        beside_another=_beside_another(reply, final, fitting),
        hedged=bool(
            read_hedges(reply.low[final.statement.start : final.statement.end], reply.vocabulary)
        ),
    )


class OtherMatches:
    """The last quantity of a reply and the one that matches best; read when a policy asks."""

    def __init__(
        self,
        reference: Quantity,
        reply: Reply,
        fitting: Sequence[Quantity],
        chosen: tuple[Match, ...],
        compare: _Comparison,
    ) -> None:
        self._reference = reference
        self._reply = reply
        self._fitting = fitting
        self._chosen = chosen
        self._compare = compare

    @ReadOnce
    def last(self) -> Match:
        """The last quantity of the right kind."""
        return self._compare(self._fitting[-1])

    @ReadOnce
    def any(self) -> Match:
        """The best match among all quantities of the right kind."""
        factors = _factors(self._compare.scale)
        near = [q for q in self._fitting if _may_be(self._reference, q, factors)]
        return min(
            (self.last, *self._chosen, *(self._compare(q) for q in near)),
            key=lambda m: (m.gap > m.size * 0.01, len(m.demands), m.gap),
        )

    def written(self, match: Match) -> str:
        """Return a quantity that was matched, as the reply writes it."""
        return self._reply.text[match.start : match.end].strip()


_FACTORS = (1.0, 100.0, 0.01, 12.0, 1 / 12, 7.0, 1 / 7, 3.0, 1 / 3)


@cache
def _factors(scale: Decimal | None) -> tuple[float, ...]:
    """Return what the ratio of two values may be that some reading makes the same, rising."""
    by = {1.0} if scale is None else {1.0, float(scale), 1 / float(scale)}
    return tuple(sorted({factor * one for factor in _FACTORS for one in by}))


def _may_be(reference: Quantity, quantity: Quantity, factors: Sequence[float]) -> bool:
    """Return whether two quantities come near each other in some reading, cheaply."""
    ours, theirs = abs(reference.value), abs(quantity.value)
    if not ours or not theirs:
        return ours == theirs
    room = 0.02 + float((reference.step / ours + quantity.step / theirs) / 2)
    return near_a_factor(float(theirs / ours), factors, room)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question says: its subject, values and kinds of its quantities, and its direction."""

    subject: Subject
    values: frozenset[tuple[Decimal, str]]
    direction: int


_NEVER = 9


class _Tiers:
    """How well the kind of a quantity fits what is asked: 0 best, `_NEVER` not at all."""

    def __init__(self, reference: Quantity, wanted: Expectation, asked: Asked) -> None:
        self._wanted = _target(reference, wanted)
        counted = {"count", "money", "percent", "duration"}
        self._years = wanted.wanted == "year" or (
            reference.bare_year and wanted.wanted not in counted
        )
        self._words = reference.words
        self._known: dict[int, int] = {}
        self._asked = asked.values
        self._own = reference.value, reference.kind

    def rank(self, quantity: Quantity) -> int:
        """Return the rank of a quantity of one reply."""
        found = self._known.get(quantity.start)
        if found is None:
            found = self._known[quantity.start] = self._rank(quantity)
        return found

    def _rank(self, quantity: Quantity) -> int:
        if quantity.bare_year and not self._years:
            return _NEVER
        if self._years:
            return 0 if quantity.bare_year else _NEVER
        rank = _RANKS[self._wanted].get(quantity.kind, _NEVER)
        if self._wanted == "money" and quantity.kind == "plain" and quantity.scale != 1:
            rank = 0
        if self._asked and rank < _NEVER:
            told = quantity.value, quantity.kind
            if told in self._asked and told != self._own:
                return 4
        small = quantity.words and quantity.value <= 12 and quantity.kind in {"plain", "count"}
        return 5 if rank < _NEVER and small and not self._words else rank


_RANKS: dict[str, dict[str, int]] = {
    "money": {"money": 0, "plain": 1},
    "share": {
        "percent": 0, "percentage_points": 0, "basis_points": 0, "ratio": 0, "plain": 0,
        "duration": 1,
    },
    "percent": {"percent": 0, "percentage_points": 0, "basis_points": 0, "plain": 1, "ratio": 2},
    "points": {"percentage_points": 0, "basis_points": 0, "percent": 1, "plain": 2},
    "duration": {"duration": 0, "plain": 1},
    "count": {"count": 0, "plain": 0, "ratio": 3},
    "number": {
        "plain": 0, "count": 0, "ratio": 0, "duration": 0, "money": 0, "percent": 0,
        "percentage_points": 0, "basis_points": 0,
    },
}  # fmt: skip


def _target(reference: Quantity, wanted: Expectation) -> str:
    if reference.kind == "money" or wanted.currency or wanted.wanted == "money":
        return "money"
    if reference.kind in {"percentage_points", "basis_points"}:
        return "points"
    if reference.kind in _SHARES:
        return "share" if reference.kind == "ratio" else "percent"
    if reference.kind == "duration" or wanted.wanted == "duration":
        return "duration"
    if wanted.wanted == "count" and not wanted.asks_percent:
        # "How many shares?" counts; "how many basis points?" measures.
        return "points" if wanted.unit in _POINTS else "count"
    return "share" if wanted.asks_percent or wanted.speaks_of_share else "number"


_POINTS = frozenset({"percentage_points", "basis_points"})


class _Comparison:
    """Compares quantities of one reply with the reference, with the direction that words give."""

    def __init__(
        self, reference: Quantity, expected: Reply, reply: Reply, wanted: Expectation, asked: Asked
    ) -> None:
        self._reference = reference
        self._direction = direction_of(expected, reference) or asked.direction
        self._reply = reply
        self._wanted = wanted
        self.scale = wanted.scale

    def __call__(self, quantity: Quantity) -> Match:
        return best_match(self._reference, quantity, self._wanted, turned=self._turned(quantity))

    def _turned(self, quantity: Quantity) -> bool:
        """Return whether the words around a quantity turn its direction against the question's."""
        if quantity.value <= 0:
            return False
        sign = direction_of(self._reply, quantity)
        if not sign:
            return False
        return sign < 0 if self._direction >= 0 else sign > 0


_MINUS = re.compile(r"\b(?:loss|deficit|negative|shortfall|outflow|minus|lost)\b(?: \w+){0,3}$")
_BELOW = re.compile(r"\s*(?:below|short of|less than|lower than|loss\b)")


def direction_of(reply: Reply, quantity: Quantity) -> int:
    """Return +1 or -1 when words beside a quantity say which way it goes, else 0.

    "declined by 3%", "a 3% decline" and "down 3%" do; "declined to 3%" is a level.
    """
    before = reply.low[max(0, quantity.start - 40) : quantity.start]
    words = reply.direction_words
    found = read_directions(before, words)
    if found and _leads_to(before[found[-1].end :]):
        return found[-1].sign
    after = reply.low[quantity.end : quantity.end + 24]
    later = read_directions(after, words)
    if later and not after[: later[0].start].strip(" -"):
        return later[0].sign
    return -1 if _MINUS.search(before.rstrip("$€£₹ ")) or _BELOW.match(after) else 0


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


def _declined(reply: Reply, final: FinalQuantity) -> bool:
    start, end = final.statement.start, final.statement.end
    return any(start <= r.start < end and not r.advises for r in reply.refusals)


_NUMBERED_ANSWERS = re.compile(
    r"\b(?:answer|option|candidate) ?(?:1|one|a)\b.*\b(?:answer|option|candidate) ?(?:2|two|b)\b",
    re.DOTALL,
)


_NUMBERED_NOUNS = frozenset(("answer", "option", "candidate"))


def _measure_differs(
    expected: Reply, reference: Quantity, reply: Reply, quantity: Quantity
) -> bool:
    ours, theirs = measure_after(expected, reference.end), measure_after(reply, quantity.end)
    return ours is not None and theirs is not None and ours != theirs


def _starts_after(reference: Quantity, reply: Reply, quantity: Quantity) -> bool:
    """Return whether "after 30 days" stands for "within 30 days"."""
    if reference.kind != "duration" or reference.comparator not in {"at_most", "less_than"}:
        return False
    return reply.low[max(0, quantity.start - 12) : quantity.start].rstrip().endswith(" after")


def _beside_another(reply: Reply, final: FinalQuantity, fitting: list[Quantity]) -> bool:
    one = final.quantities[0]
    return any(
        other is not one
        and not reply.low[min(one.end, other.end) : max(one.start, other.start)].strip()
        for other in fitting
        if abs(other.start - one.start) < 40
    )


def _numbered_answers_differ(reply: Reply, fitting: list[Quantity], wanted: Expectation) -> bool:
    """Return whether a reply gives "answer 1" and "answer 2", and they differ."""
    if _NUMBERED_NOUNS.isdisjoint(reply.vocabulary):
        return False
    found = _NUMBERED_ANSWERS.search(reply.low)
    if found is None:
        return False
    told = [q for q in fitting if q.start >= found.start() and q.kind != "plain"]
    return bool(told) and any(_differ(best_match(told[0], other, wanted)) for other in told[1:])


def _is_negated(reply: Reply, final: FinalQuantity) -> bool:
    """Return whether the clause of the final answer says that it is not that."""
    one = final.quantities[0]
    if "not" not in reply.vocabulary:
        return False
    if reply.low[final.statement.start : one.start].rstrip().endswith(" not"):
        return True
    if " not yet " in reply.low[one.end : final.statement.end]:
        return True
    return _DENIES.search(local_clause(reply, final.statement, one)) is not None


_DENIES = re.compile(
    r"\b(?:is|are|was|were|does|do|did|has|have|had|will|would|should|shall|must"
    r"|can) not (?!only|less|more"
    r"|exceed|include|provid|stat|disclos|given|explicit|specif|appear|fewer|later|fall"
    r"|below|earlier)\w|\bnot yet\b"
)


def _speaks_of(asked: Asked, reply: Reply, final: FinalQuantity) -> bool:
    """Return whether a reply in words speaks of what the question singles out."""
    if not leaves_qualifier_out(asked.subject.question, reply.low):
        return True
    return not reply.shared(final.statement, asked.subject.stems)


def _disagree(final: FinalQuantity) -> bool:
    """Return whether the restatements of the final answer are different values."""
    first, *others = (*final.quantities, *final.rivals)
    if not others:
        return False
    wanted = Expectation(speaks_of_share=True, asks_percent=True)
    return any(_differ(best_match(first, other, wanted)) for other in others)


def _differ(match: Match) -> bool:
    allowed = max(match.reference_half, match.reply_half) * 1.01 + match.size * 0.002
    return match.gap_unsigned > allowed
