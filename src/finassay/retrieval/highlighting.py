"""What a passage shares with a query.  In: both texts.  Out: the passage in parts, some marked."""

from __future__ import annotations

import re
from typing import NamedTuple

from finassay.retrieval.tokenising import tokeniser_named

_RUN = re.compile(r"\S+")
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_EDGES = ".,;:!?()[]{}\"'“”‘’…"
_QUESTION_WORDS = frozenset(("what", "when", "how", "why", "do", "does", "did", "must", "can"))
"""Words of nearly every question: marked, they would stand out in every passage."""

_OF_IDENTIFIERS = ("/", ":", "%")
"""Marks of tokens that stand for an identifier and not for a word."""


class Segment(NamedTuple):
    """A part of a passage, and whether the query has it too."""

    text: str
    is_shared: bool


def segments(text: str, query: str, *, tokeniser: str = "identifiers") -> tuple[Segment, ...]:
    """Return a passage in parts whose texts joined are the passage.

    A word is shared when a token of it is one of the query's; a circular number, an amount or
    another identifier is shared as a whole.

    Args:
        text: the passage.
        query: what was asked.
        tokeniser: that of the index.

    Raises:
        UnknownNameError: there is no such tokeniser.
    """
    made = tokeniser_named(tokeniser)
    wanted = frozenset(made.query(query).tokens) - _QUESTION_WORDS
    if not wanted:
        return (Segment(text, is_shared=False),) if text else ()
    known: dict[tuple[str, bool], bool] = {}

    def is_shared(part: str, *, whole: bool) -> bool:
        key = part, whole
        if key not in known:
            tokens = made.passage(part)
            known[key] = any(
                token in wanted
                for token in tokens
                if (
                    any(mark in token for mark in _OF_IDENTIFIERS)
                    if whole
                    else _counts(token, part)
                )
            )
        return known[key]

    spans: list[tuple[int, int]] = []
    for run in _RUN.finditer(text):
        inner = run[0].strip(_EDGES)
        start = run.start() + run[0].find(inner) if inner else run.start()
        if inner and not inner.isalnum() and is_shared(inner, whole=True):
            spans.append((start, start + len(inner)))
            continue
        spans += [
            (run.start() + word.start(), run.start() + word.end())
            for word in _WORD.finditer(run[0])
            if is_shared(word[0], whole=False)
        ]
    return _cut(text, spans)


def _counts(token: str, word: str) -> bool:
    """Return whether a token says anything of a word: the s of "company's" does not."""
    return len(token) > 1 or not token.isascii() or len(word) == 1


def _cut(text: str, spans: list[tuple[int, int]]) -> tuple[Segment, ...]:
    """Return the text cut at spans; neighbours that only a blank parts are one."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and text[joined[-1][1] : start].isspace() and start - joined[-1][1] == 1:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    made: list[Segment] = []
    at = 0
    for start, end in joined:
        if start > at:
            made.append(Segment(text[at:start], is_shared=False))
        made.append(Segment(text[start:end], is_shared=True))
        at = end
    if at < len(text):
        made.append(Segment(text[at:], is_shared=False))
    return tuple(made)
