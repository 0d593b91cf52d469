"""How far a reply says what a reference says.  In: three texts, read.  Out: features.

Words that stand in the question too carry little: any reply repeats them.  Numbers of the
reference that the question does not give, its yes or no, its choice among what the question offers,
and what the reply says in the sentences that answer (the first, the last conclusion, the one that
repeats the question) are looked at apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from finassay.scorers.expectations import Expectation
from finassay.scorers.quantity_match import same_quantity
from finassay.scorers.replies import KEPT, Reply
from finassay.text.final_answers import Statement
from finassay.text.once import ReadOnce
from finassay.text.polarity import PolarityReading, asks_yes_no, read_negations, read_polarity
from finassay.text.quantities import Quantity

REPEATED = 0.25
"""Weight of a word of the reference that the question holds too."""
ELABORATED = 0.5
"""Weight of what stands after the first sentence of the reference, which elaborates."""
NAMED = 1.5
"""Weight of a word that the reference writes with a capital inside a sentence: a name."""
NUMBERED = 2.0
"""Weight of a number of the reference that the question does not give."""

_CONCLUDING = frozenset({"answer", "box", "conclusion"})
_SMALL = 12
"""Number words up to this count things that the reference lists ("both", "the three")."""


class TextAgreement:
    """Features of a reply to an item whose reference is prose; shares are in [0, 1].

    Each is read when it is first asked for: what settles an answer seldom needs all.
    """

    def __init__(
        self, question: Reply, reference: Reply, reply: Reply, wanted: Expectation
    ) -> None:
        self._texts = question, reference, reply
        self._wanted = wanted

    @ReadOnce
    def answers(self) -> tuple[Statement, ...]:
        """The sentences of the reply that answer."""
        question, _, reply = self._texts
        return answering(question, reply)

    @ReadOnce
    def _weights(self) -> dict[str, float]:
        question, reference, _ = self._texts
        return _weights(question, reference)

    @ReadOnce
    def _own(self) -> tuple[Quantity, ...]:
        question, reference, _ = self._texts
        return own_quantities(question, reference, self._wanted)

    @ReadOnce
    def _found(self) -> list[Quantity]:
        _, _, reply = self._texts
        return [q for q in self._own if _holds(reply.quantities, q, self._wanted)]

    @ReadOnce
    def _numbered(self) -> list[float]:
        _, reference, _ = self._texts
        return _number_weights(reference, self._own)

    @ReadOnce
    def _total(self) -> float:
        return sum(self._weights.values()) + sum(self._numbered)

    @ReadOnce
    def coverage(self) -> float:
        """Weighted share of the reference's words and numbers that the reply holds."""
        _, _, reply = self._texts
        covered = _covered(self._weights, reply.stems) + sum(
            weight for q, weight in zip(self._own, self._numbered, strict=True) if q in self._found
        )
        return _share(covered, self._total)

    @ReadOnce
    def own_coverage(self) -> float:
        """Share of what the question does not hold; 1 where the reference has no such part."""
        question, _, reply = self._texts
        return _own_coverage(question, self._weights, reply, self._own, self._found)

    @ReadOnce
    def head_coverage(self) -> float:
        """Coverage of the first sentence of the reference alone."""
        return _head_coverage(*self._texts, self._weights)

    @ReadOnce
    def precision(self) -> float:
        """Share of the reply's own words, beyond the question, that the reference holds.

        0 for a reply of more than a dozen.
        """
        return _precision(*self._texts)

    @ReadOnce
    def numbers(self) -> float:
        """Share of the reference's own numbers in the reply.

        From -1 (it gives others of the same kind) over 0 (none on either side) to 1.
        """
        question, _, reply = self._texts
        return _numbers(question, self._own, self._found, reply, self._wanted)

    @ReadOnce
    def number_share(self) -> float:
        """Share of the reference's weight that its own numbers make up."""
        return _share(sum(self._numbered), self._total)

    @ReadOnce
    def polarity(self) -> int:
        """Return +1 for the same yes or no, -1 for the other, 0 where none was read."""
        return _polarity(*self._texts)

    @ReadOnce
    def asked_polarity(self) -> bool:
        """Whether the reference is a yes, a no or a denial."""
        question, reference, _ = self._texts
        return _is_polar(question, reference)

    @ReadOnce
    def choice(self) -> int:
        """+1 the same of the options that the question offers, -1 another, 0 none read."""
        return _choice(*self._texts, self.answers)


def _own_coverage(
    question: Reply,
    weights: dict[str, float],
    reply: Reply,
    own: Sequence[Quantity],
    found: Sequence[Quantity],
) -> float:
    stems = frozenset(weights) - question.stems
    total = len(stems) + len(own)
    return (len(stems & reply.stems) + len(found)) / total if total else 1.0


_BRIEF = 12


def _precision(question: Reply, reference: Reply, reply: Reply) -> float:
    own = reply.stems - question.stems
    if not own or not question.stems:
        return 0.0
    if len(reply.stems) > _BRIEF or reply.length > _BRIEF:
        return 0.0
    return len(own & reference.stems) / len(own)


_PROVISION = frozenset({"regulation", "regul", "section", "claus", "schedul", "chapter", "articl"})


def _head_coverage(
    question: Reply, reference: Reply, reply: Reply, weights: dict[str, float]
) -> float:
    """Return how much of the first sentence of a reference the reply holds, its citations apart."""
    if not reference.statements:
        return 0.0
    stems = reference.stems_in(reference.statements[0]) - _PROVISION - question.stems
    held = {stem: weights[stem] for stem in stems if stem in weights}
    return _share(_covered(held, reply.stems), sum(held.values())) if len(held) > 1 else 0.0


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


@lru_cache(maxsize=KEPT)
def _weights(question: Reply, reference: Reply) -> dict[str, float]:
    """Return the weight of every word of a reference."""
    first = reference.statements[0].end if reference.statements else len(reference.text)
    weights: dict[str, float] = {}
    spans = [(q.start, q.end) for q in reference.quantities]
    for at, word in enumerate(reference.words):
        if any(start <= word.start < end for start, end in spans):
            continue
        weight = REPEATED if word.stem in question.stems else 1.0
        if at and weight == 1.0 and reference.text[word.start].isupper():
            weight = NAMED
        if word.start >= first:
            weight *= ELABORATED
        weights[word.stem] = max(weight, weights.get(word.stem, 0.0))
    return _capped(weights, question.stems)


CAP = 0.5
"""Most that the words of the question may weigh beside the reference's own words."""


def _capped(weights: dict[str, float], asked: frozenset[str]) -> dict[str, float]:
    own = sum(weight for stem, weight in weights.items() if stem not in asked)
    repeated = sum(weights.values()) - own
    if not own or repeated <= CAP * own:
        return weights
    factor = CAP * own / repeated
    return {stem: w * factor if stem in asked else w for stem, w in weights.items()}


def _number_weights(reference: Reply, own: Sequence[Quantity]) -> list[float]:
    first = reference.statements[0].end if reference.statements else len(reference.text)
    return [NUMBERED if q.start < first else NUMBERED * ELABORATED for q in own]


def _covered(weights: dict[str, float], stems: Iterable[str]) -> float:
    held = stems if isinstance(stems, frozenset) else frozenset(stems)
    return sum(weight for stem, weight in weights.items() if stem in held)


def answering(question: Reply, reply: Reply) -> tuple[Statement, ...]:
    """Return the sentences that answer: the lead, the last conclusion, the closest one."""
    long = [s for s in reply.statements if len(reply.stems_in(s)) >= 2] or list(reply.statements)
    if not long:
        return ()
    chosen = [long[0]]
    chosen += [s for s in long if s.cue in _CONCLUDING][-1:]
    chosen.append(max(long, key=lambda s: reply.shared(s, question.stems)))
    return tuple(dict.fromkeys([*chosen, *_listed(reply, chosen)]))


_MOST_LISTED = 16


def _listed(reply: Reply, chosen: Sequence[Statement]) -> list[Statement]:
    """Return the lines of a list that a sentence which ends in a colon opens."""
    opens = [s for s in chosen if reply.text[s.start : s.end].rstrip().rstrip("*").endswith(":")]
    if not opens:
        return []
    later = [s for s in reply.statements if s.start >= opens[0].end]
    return later[:_MOST_LISTED]


@lru_cache(maxsize=KEPT)
def own_quantities(
    question: Reply, reference: Reply, wanted: Expectation, *, words: bool = False
) -> tuple[Quantity, ...]:
    """Return the quantities of a reference that its question does not give.

    Years count only where the reference has nothing else, small number words when asked for.
    """
    years = not reference.stems
    return tuple(
        q
        for q in reference.quantities
        if (years or not q.bare_year)
        and not (not words and q.words and q.kind in {"plain", "count"} and q.value <= _SMALL)
        and not _holds(question.quantities, q, wanted)
    )


def _holds(quantities: Sequence[Quantity], wanted: Quantity, expected: Expectation) -> bool:
    return any(same_quantity(wanted, q, expected) for q in quantities)


def _numbers(
    question: Reply,
    own: Sequence[Quantity],
    found: Sequence[Quantity],
    reply: Reply,
    wanted: Expectation,
) -> float:
    if not own:
        return 0.0
    if found:
        return len(found) / len(own)
    kinds = {q.kind for q in own}
    others = (
        q for q in reply.quantities
        if q.kind in kinds and not q.bare_year and not _holds(question.quantities, q, wanted)
    )  # fmt: skip
    return -1.0 if next(others, None) is not None else -0.5


def _asks_polarity(question: Reply) -> bool:
    return asks_yes_no(question.text) or not question.stems


def _is_polar(question: Reply, reference: Reply) -> bool:
    """Return whether a reference is a yes, a no or a denial."""
    if _asks_polarity(question):
        return _said(question, reference) is not None
    return _is_denial(question, reference)


def _polarity(question: Reply, reference: Reply, reply: Reply) -> int:
    """Return whether both say yes, or both deny: +1; whether only one does: -1; else 0."""
    if _asks_polarity(question):
        said = _said(question, reference)
        if said is None:
            return 0
        theirs = read_polarity(reply.text, question.text, reply.vocabulary)
        return 0 if theirs is None else 1 if theirs.value == said.value else -1
    if not _is_denial(question, reference):
        return 0
    return 1 if _denies(question, reply) else -1


@lru_cache(maxsize=KEPT)
def _said(question: Reply, reference: Reply) -> PolarityReading | None:
    return read_polarity(reference.text, question.text, reference.vocabulary)


_NONE = re.compile(
    r"\b(?:there (?:is|are|was|were) (?:no|none)\b|(?:did|does|do|has|have|had) not\b"
    r"|none\b|no \w+)"
)
_NONE_ALONE = re.compile(r"(?:^|[\n:*\u2022-])\s*\**(?:none|nil|n/?a|no)\**\s*(?:[.\n(]|$)")


@lru_cache(maxsize=KEPT)
def _is_denial(question: Reply, reference: Reply) -> bool:
    """Return whether a reference says of what the question asks for that there is none."""
    found = _NONE.search(reference.low)
    return (
        found is not None
        and found.start() < 60
        and len(reference.statements) == 1
        and len(reference.stems - question.stems) <= 2
    )


def _denies(question: Reply, reply: Reply) -> bool:
    """Return whether a reply says that there is none of what the question asks for."""
    if _NONE_ALONE.search(reply.low):
        return True
    least = max(1, len(question.stems) // 3)
    missing = [r.start for r in reply.refusals if _SOURCE.search(reply.low, r.start, r.end + 60)]
    return any(
        reply.shared(s, question.stems) >= least
        and read_negations(reply.low[s.start : s.end], reply.vocabulary)
        and not any(s.start <= at < s.end for at in missing)
        for s in reply.statements
    )


_SOURCE = re.compile(r"\b(?:information|data|details?|answer|access|provided)\b")


_OFFERS = re.compile(
    r"\b(?:among|between|which of)\s+(?:the )?((?:[^,?.;:]{2,40},\s*)+(?:and|or)?\s*[^,?.;:]{2,40})"
    r"|[,:\u2014\u2013-]\s*((?:the )?[^,?.;:]{2,60}?\s+or\s+[^,?.;:]{2,60})\?"
)
_SPLIT = re.compile(r",\s*(?:and |or )?|\s+(?:and|or)\s+")


@lru_cache(maxsize=KEPT)
def _offered(question: str) -> list[frozenset[str]]:
    """Return the options between which a question asks to choose, as words that tell them apart."""
    found = _OFFERS.search(question.lower())
    if found is None:
        return []
    parts = [
        Reply(part).stems
        for part in _SPLIT.split(found[1] or found[2])
        if part.strip() and not part.strip().startswith(("which", "what", "who", "how"))
    ]
    if len(parts) < 2:
        return []
    # "operations, investing, and financing activities": the last noun belongs to all.
    longest = max(len(part) for part in parts[:-1])
    last = _SPLIT.split(found[1] or found[2])[len(parts) - 1].split()
    if len(parts[-1]) > longest and last:
        parts[-1] -= Reply(last[-1]).stems
    shared = frozenset.intersection(*parts)
    return [own for part in parts if (own := part - shared)]


def _choice(question: Reply, reference: Reply, reply: Reply, answers: tuple[Statement, ...]) -> int:
    options = _offered(question.text)
    if len(options) < 2:
        return 0
    ours = _selected(options, [reference.stems])
    ordered = sorted(answers, key=lambda s: s.cue not in _CONCLUDING)
    ordered += reversed(reply.statements)
    theirs = _selected(options, [reply.stems_in(s) for s in ordered])
    if ours is None or theirs is None:
        return 0
    return 1 if ours == theirs else -1


def _selected(options: list[frozenset[str]], texts: list[frozenset[str]]) -> int | None:
    for stems in texts:
        held = [at for at, option in enumerate(options) if option & stems]
        if len(held) == 1:
            return held[0]
    return None
