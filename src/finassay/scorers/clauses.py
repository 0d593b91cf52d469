"""Whose figure it is.  In: a reply and what its question is about.  Out: how well they go together.

"Net income was 48 million in 2020 and 62 million in 2021" holds two answers to two questions.  The
words between two figures are divided where a clause ends, so that each figure has its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from finassay.scorers.replies import Reply
from finassay.text.content_words import content_stems, stem
from finassay.text.final_answers import Statement
from finassay.text.quantities import Quantity

_PERIOD = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?!\d)|\bq[1-4]\b|\bh[12]\b|\bfy ?'?\d\d\b|\b(?:first|second"
    r"|third|fourth|last)"
    r" (?:quarter|half|year|month)\b|\b(?:start|beginning|end|before|after|previous|prior"
    r"|current)\b"
)
_ENDS = re.compile(
    r"[,;:.()]\s|\b(?:and|while|whereas|but|versus|vs|against|compared (?:to|with)|to)\b"
)
_CHANGE = re.compile(
    r"\bby how (?:much|many)\b|\b(?:was|is|were) the (?:\w+ ){0,2}(?:change|increase"
    r"|decrease|rise|fall|"
    r"decline|growth|drop|difference)\b|\bhow (?:much|many)\b[^?]{0,60}\b(?:change"
    r"|increase|decrease|rise|"
    r"fall|decline|grow|drop|raise|cut)d?\b"
)


@dataclass(frozen=True)
class Subject:
    """What a question is about.

    Attributes:
        question: the question in lower case.
        stems: its content stems.
        names: stems of the words that it writes with a capital inside a sentence.
    """

    question: str
    stems: frozenset[str]
    names: frozenset[str] = frozenset()

    @cached_property
    def periods(self) -> frozenset[str]:
        """Years, quarters and ends of periods that the question names."""
        return frozenset(_period(found[0]) for found in _PERIOD.finditer(self.question))

    @property
    def has_period(self) -> bool:
        """Whether the question names a period."""
        return bool(self.periods)

    @cached_property
    def asks_change(self) -> bool:
        """Whether the question asks for a difference, not for a level."""
        return _CHANGE.search(self.question) is not None

    def score(self, clause: str, head: str = "") -> float:
        """Return how well a clause speaks of the question: words shared, names and periods.

        Words of the head of its sentence count as its own; names and periods do not.
        """
        shared = float(len(self.stems.intersection(content_stems(f"{head} {clause}"))))
        if self.names:
            names = names_of(clause)
            shared += 2 * len(names & self.names) - 3 * bool(names - self.names - self.stems)
        theirs = {_period(found[0]) for found in _PERIOD.finditer(clause.lower())}
        if not self.periods or not theirs:
            return shared
        return shared + (2 if theirs & self.periods else -2)


_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4"}


def _period(written: str) -> str:
    """Return a period in one form: "second quarter" is "q2"."""
    words = written.split()
    if len(words) == 2 and words[0] in _ORDINALS and words[1] in {"quarter", "half"}:
        return f"{words[1][0]}{_ORDINALS[words[0]]}"
    return {"beginning": "start", "previous": "prior"}.get(written, written)


_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)(?<!\n)\b[A-Z][a-z]{2,}\b")
_MONTHS = frozenset(
    [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
        "Therefore",
        "Thus",
        "The",
        "This",
        "That",
        "These",
        "Total",
        "Net",
        "For",
        "And",
        "But",
    ]
)


def names_of(text: str) -> frozenset[str]:
    """Return the stems of words that a text writes with a capital, not at its beginning."""
    return frozenset(
        stem(found[0].lower()) for found in _NAME.finditer(text) if found[0] not in _MONTHS
    )


def local_clause(reply: Reply, statement: Statement, quantity: Quantity) -> str:
    """Return the words around a quantity up to the next comma, colon or semicolon."""
    before = reply.low[statement.start : quantity.start]
    after = reply.low[quantity.end : statement.end]
    return f"{_CUTS.split(before)[-1]} {_CUTS.split(after)[0]}"


def head_of(reply: Reply, statement: Statement) -> str:
    """Return what stands before the first quantity of a statement."""
    held = reply.quantities_in(statement)
    return reply.text[statement.start : held[0].start] if held else ""


_CUTS = re.compile(r"[,;:](?=\s)|\bbut\b|\bwhile\b|\bwhereas\b")


def own_clause(reply: Reply, statement: Statement, quantity: Quantity) -> str:
    """Return the words of a statement that belong to one of its quantities."""
    earlier, later = reply.beside(quantity)
    left = max(statement.start, earlier)
    right = min(statement.end, later)
    before, after = reply.text[left : quantity.start], reply.text[quantity.end : right]
    if left > statement.start:
        first = _ENDS.search(before)
        before = before[first.end() :] if first else before
    if right < statement.end:
        first = _ENDS.search(after)
        after = after[: first.start()] if first else ""
    return f"{before} {after}"
