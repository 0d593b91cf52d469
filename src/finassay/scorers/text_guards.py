"""Guards on prose.  In: a reference and what stands beside it.  Out: whether one breaks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from finassay.scorers.expectations import Expectation
from finassay.scorers.measures import measure_after
from finassay.scorers.quantity_match import same_quantity
from finassay.scorers.replies import KEPT, Reply
from finassay.text.content_words import content_stems
from finassay.text.final_answers import Statement
from finassay.text.polarity import read_directions, read_negations
from finassay.text.quantities import Quantity

_EXCEPTION = re.compile(
    r"\b(?:unless|except(?:ing)?|provided that|save (?:for|that)|other than|barring"
    r"|but not (?:before|until|after|during|if|when))\b|除非|除外"
)
_EXCEPTION_WORDS = frozenset(
    ("unless", "except", "excepting", "provided", "save", "other", "barring", "not")
)
_UNIVERSALS = frozenset(("all", "always", "every", "any", "each", "entirely", "fully", "never"))
_UNIVERSAL = re.compile(r"\b(?:all|always|every|any|each|entirely|fully|never)\b")
_RESTRICTED = re.compile(r"\b(?:only|sometimes|partly|rarely|seldom|some|most|usually|often)\b")
# "X and not Y", "X but not by Y", "not Y but X": a contrast, no denial of X.
_BRACKETS = re.compile(r"\([^()]{0,300}\)")
_AFTER_HEAD = re.compile("\\s[\u2014\u2013-]\\s|; ")
_CONTRAST = re.compile(
    r"(?:,|\band|\bbut)\s+not\s+(?:[\w'-]+\s*){1,6}(?=[.,;]|$)|\bnot\s+[^.,;]{1,60}\s+but\b"
)
_WITHOUT = re.compile(r"\bwithout\s+((?:\w+\s*){1,3})")
_NON = re.compile(r"\bnon[- ]?(\w{3,})")
_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being)\s+(?:\w+\s+)?\w+(?:ed|en|t|de|ld)\b.*\bby\b"
)
_PARTS = re.compile(r"[;,\n]|\band\b|、|，|和|及")
_SEVERAL = re.compile(r"\b(?:two|three|four|both)\b")
_FEW = 3
_LISTED = 14


@dataclass(frozen=True, slots=True)
class Near:
    """The sentence of a reply that is closest to its reference.

    Attributes:
        text: the sentence in lower case, without refusals and contrasts.
        denied: what its contrasts deny ("but not to employees").
        words: the vocabulary of the reply.
    """

    text: str
    denied: str
    words: frozenset[str]

    @classmethod
    def of(cls, reference: Reply, reply: Reply) -> Near:
        """Return the closest sentence; the whole reply where it has no sentences."""
        start, end = 0, len(reply.low)
        if reply.statements:
            best = max(reply.statements, key=lambda s: reply.shared(s, reference.stems))
            start, end = best.start, best.end
        text = reply.low[start:end]
        for refusal in reversed(reply.refusals):
            if start <= refusal.start and refusal.end <= end:
                text = text[: refusal.start - start] + text[refusal.end - start :]
        if "not" not in reply.vocabulary:
            return cls(text, "", reply.vocabulary)
        denied = " ".join(found[0] for found in _CONTRAST.finditer(text))
        return cls(_CONTRAST.sub(" ", text), denied, reply.vocabulary)


def negations_differ(question: Reply, reference: Reply, near: Near) -> bool:
    """Return whether exactly one side denies, or only one has a word with "non-" or "without"."""
    denied = reference.stems.intersection(content_stems(near.denied)) if near.denied else None
    if denied and denied - frozenset(content_stems(near.text)):
        return True
    if read_negations(question.low, question.vocabulary):
        return False
    if _denials_of(reference) % 2 != len(read_negations(near.text, near.words)) % 2:
        return True
    ours = {found[1] for found in _NON.finditer(reference.low)} if "non" in reference.low else set()
    theirs = {found[1] for found in _NON.finditer(near.text)} if "non" in near.text else set()
    return any(word in near.text for word in ours - theirs) or any(
        word in reference.low for word in theirs - ours
    )


@lru_cache(maxsize=KEPT)
def _denials_of(reference: Reply) -> int:
    """Return how many words deny in the head of a reference."""
    return len(read_negations(_AFTER_HEAD.split(_BRACKETS.sub(" ", reference.low))[0]))


def directions_differ(reference: Reply, near: Near) -> bool:
    """Return whether one side only goes up and the other only down."""
    ours = _signs_of(reference)
    if len(ours) != 1:
        return False
    theirs = {direction.sign for direction in read_directions(near.text, near.words)}
    return len(theirs) == 1 and ours != theirs


@lru_cache(maxsize=KEPT)
def _signs_of(reference: Reply) -> frozenset[int]:
    return frozenset(d.sign for d in read_directions(reference.low, reference.vocabulary))


def adds_exception(question: Reply, reference: Reply, near: Near) -> bool:
    """Return whether a reply adds an exception, or restricts what the reference says of all."""
    known = f"{reference.low} {question.low}"
    excepts = not near.text.isascii() or not _EXCEPTION_WORDS.isdisjoint(near.words)
    said = f"{near.text} {near.denied}" if excepts else ""
    if excepts and _EXCEPTION.search(said) and not _EXCEPTION.search(known):
        return True
    if "without" in near.words and "without" not in known:
        lacking = _WITHOUT.search(near.text)
        if lacking is not None:
            return bool(reference.stems.intersection(content_stems(lacking[1])))
    if _UNIVERSALS.isdisjoint(reference.vocabulary):
        return False
    restricts = _RESTRICTED.search(near.text) and not _RESTRICTED.search(known)
    return bool(restricts and _UNIVERSAL.search(reference.low))


@lru_cache(maxsize=KEPT)
def _ordered(reference: Reply) -> tuple[str, ...]:
    """Return the stems of a short statement in order; none of a list."""
    if _LISTS.search(reference.low):
        return ()
    return tuple(dict.fromkeys(word.stem for word in reference.words))


_LISTS = re.compile(r"[,;、，\n]|\band\b|\bor\b")


def changes_order(question: Reply, reference: Reply, near: Near) -> bool:
    """Return whether the parties of a short statement have changed places."""
    ours = _ordered(reference)
    if len(ours) < _FEW:
        return False
    theirs = list(dict.fromkeys(content_stems(near.text)))
    if not set(ours) <= set(theirs):
        return False
    verb_like = [w for w in ours if w in question.stems]
    parties = [w for w in ours if w not in question.stems] if verb_like else ours
    if not 2 <= len(parties) <= _FEW:
        return False
    kept = [w for w in theirs if w in parties]
    reversed_ = kept.index(parties[0]) > kept.index(parties[-1])
    turned = bool(_PASSIVE.search(reference.low)) != bool(_PASSIVE.search(near.text))
    return reversed_ and not turned


def leaves_parts_out(question: Reply, reference: Reply, reply: Reply) -> bool:
    """Return whether a reply lacks one of the few things that the reference lists."""
    return any(len(part & reply.stems) * 2 < len(part) for part in _parts(question, reference))


@lru_cache(maxsize=KEPT)
def _parts(question: Reply, reference: Reply) -> tuple[frozenset[str], ...]:
    """Return the few things that a reference lists where the question counts them."""
    if not _SEVERAL.search(question.low) or len(reference.words) > _LISTED:
        return ()
    parts = [frozenset(content_stems(part)) for part in _PARTS.split(reference.low)]
    own = [part - question.stems for part in parts if part]
    own = [part for part in own if part]
    if not 2 <= len(own) <= _FEW:
        return ()
    shared = frozenset.intersection(*own)
    return tuple(part - shared for part in own if part - shared)


def gives_alternatives(question: Reply, reference: Reply, near: Near) -> bool:
    """Return whether a reply offers something else beside the reference ("X / Y", "X or Y")."""
    if "/" not in near.text and "or" not in near.words:
        return False
    words = re.findall(r"\w+", reference.low)
    if not words or " or " in f" {reference.low} ":
        return False
    last = re.escape(words[-1])
    found = re.search(rf"\b{last}\s*(?:/|,? or)\s+(?:the |an? |of )?(\w+)", near.text)
    if found is None:
        return False
    return found[1] not in question.low and found[1] not in words


def stands_elsewhere(
    question: Reply, reference: Reply, reply: Reply, answers: Sequence[Statement]
) -> bool:
    """Return whether a short reference stands in the reply, but not where it answers."""
    own = reference.stems - question.stems
    if not own or len(reply.statements) < 2 or not own & reply.stems:
        return False
    told: frozenset[str] = frozenset().union(
        *(_answering_stems(question, reply, s) for s in answers)
    )
    if len(own & told) * 2 < len(own):
        return True
    if any(reply.stems_in(s) <= reference.stems for s in answers):
        return False
    topic = max(reply.shared(s, question.stems) for s in reply.statements)
    return len(question.stems) > _FEW and topic * 5 < len(question.stems) * 2


_CLAUSES = re.compile(r",?\s+(?:while|whereas)\s+|;\s+")


def _answering_stems(question: Reply, reply: Reply, statement: Statement) -> frozenset[str]:
    parts = _CLAUSES.split(reply.low[statement.start : statement.end])
    if len(parts) < 2:
        return reply.stems_in(statement)
    held = [frozenset(content_stems(part)) for part in parts]
    return max(held, key=lambda stems: len(stems & question.stems))


def measures_differ(reference: Reply, reply: Reply, wanted: Expectation) -> bool:
    """Return whether a number of the reference is given in another measure ("tonnes", "kg")."""
    for ours, unit in _measured(reference):
        same = [q for q in reply.quantities if same_quantity(ours, q, wanted)]
        found = [measure_after(reply, q.end) for q in same]
        if found and all(other is not None and other != unit for other in found):
            return True
    return False


@lru_cache(maxsize=KEPT)
def _measured(reference: Reply) -> tuple[tuple[Quantity, str], ...]:
    """Return the quantities of a reference that have a unit of measure, with it."""
    found = ((one, measure_after(reference, one.end)) for one in reference.quantities)
    return tuple((one, unit) for one, unit in found if unit is not None)
