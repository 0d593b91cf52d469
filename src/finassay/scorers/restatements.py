"""Answers that the question itself offers.  In: question, reference, reply.  Out: whether it chose.

"Issued before or after?", "the 2025 or the 2026 directions?": the words of such a reference stand
in the question, so how many of them a reply holds says little.  What counts is that the reply's
answer says the reference's words, without those that the question offers beside them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from finassay.scorers.replies import KEPT, Reply
from finassay.text.content_words import content_stems
from finassay.text.polarity import read_negations

OFFERED = 0.8
"""Share of the words of the reference's first sentence from which on the question offers it."""
TOLD = 0.8
"""Share of those words that the reply has to say."""
OTHERS = 0.5
"""Most of the question's other words that the reply may hold: an echo of the question has all."""
ADDED = 0.5
"""Most of the reply's words that may stand neither in the question nor in the reference."""
FAITHFUL = 0.7
"""Share of a reply's own words that the reference has to hold, so that telling less is enough."""
FEWEST = 5
"""Own words below which that share says nothing."""

OfferAgreement = Literal["same", "other", "none"]

_BRACKETS = re.compile(r"\([^()]{0,300}\)")
_ASIDE = re.compile(
    r" [\u2013\u2014] .*"
    r"|[,;] ?(?:effective|with effect|w\.e\.f|compared|from|i\.e|as|since|because)\b.*",
    re.DOTALL,
)
_FIGURE = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?!\w)")
_YEAR = re.compile(r"(?<![\d./-])(?:19|20)\d\d(?![\d/])")


def offer_agreement(question: Reply, reference: Reply, reply: Reply) -> OfferAgreement:
    """Return whether a reply chooses the words of the question that the reference chooses.

    "none" where the question does not offer the answer, and where the reply says too little of it.
    """
    head = _head(reference)
    ours = frozenset(content_stems(head))
    offered = ours & question.stems
    if not ours or len(offered) < OFFERED * len(ours):
        return "none"
    told = _answer(reply)
    theirs = frozenset(content_stems(told))
    others = question.stems - reference.stems
    if not offered & theirs or len(others & theirs) > OTHERS * len(others):
        return "none"
    if len(theirs - question.stems - reference.stems) > ADDED * len(theirs):
        return "none"
    if _rivals_differ(head, told) or _years_differ(head, told):
        return "other"
    alike = (
        len(offered & theirs) >= TOLD * len(offered)
        and len(read_negations(head)) % 2 == len(read_negations(told)) % 2
        and _same_years(question.low, head, told)
        and _has_own_figures(question.low, head, told)
    )
    return "same" if alike else "none"


def is_faithful(question: Reply, reference: Reply, reply: Reply) -> bool:
    """Return whether nearly all that a reply says beyond the question stands in the reference."""
    own = reply.stems - question.stems
    return len(own) >= FEWEST and len(own & reference.stems) >= FAITHFUL * len(own)


@lru_cache(maxsize=KEPT)
def _head(reference: Reply) -> str:
    """Return the first sentence of a reference without brackets and what it adds after a dash."""
    text = reference.low
    if reference.statements:
        first = reference.statements[0]
        text = text[first.start : first.end]
    return _without_asides(text)


def _without_asides(text: str) -> str:
    return _ASIDE.sub("", _BRACKETS.sub(" ", text))


def _answer(reply: Reply) -> str:
    """Return the first sentence of a reply that has words of content."""
    for statement in reply.statements:
        if len(reply.stems_in(statement)) > 1:
            return _without_asides(reply.low[statement.start : statement.end])
    return _without_asides(reply.low)


def _rivals_differ(head: str, told: str) -> bool:
    """Return whether one side says the one word of a pair of opposites and the other the other."""
    return any(
        bool(left.search(head)) != bool(left.search(told))
        and bool(right.search(head)) != bool(right.search(told))
        for left, right in _RIVALS
    )


_RIVALS = tuple(
    (re.compile(rf"\b(?:{left})\b"), re.compile(rf"\b(?:{right})\b"))
    for left, right in (
        ("before|prior to|earlier", "after|later"),
        ("above|over|exceeds?", "below|under"),
        ("higher|larger|more|greater", "lower|smaller|less|fewer"),
    )
)


def _same_years(question: str, head: str, told: str) -> bool:
    """Return whether a reply has the reference's years, and no other year of the question."""
    ours, theirs = set(_YEAR.findall(head)), set(_YEAR.findall(told))
    return ours <= theirs and theirs & set(_YEAR.findall(question)) <= ours


def _has_own_figures(question: str, head: str, told: str) -> bool:
    """Return whether a reply has the figures of the reference that the question does not give."""
    own = set(_FIGURE.findall(head)) - set(_FIGURE.findall(question))
    return own <= set(_FIGURE.findall(told))


def _years_differ(head: str, told: str) -> bool:
    """Return whether both sides name years, and none of them is the same."""
    ours, theirs = set(_YEAR.findall(head)), set(_YEAR.findall(told))
    return bool(ours) and bool(theirs) and not ours & theirs
