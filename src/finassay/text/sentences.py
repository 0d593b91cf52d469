"""Sentences of a text.  In: a string.  Out: its sentences, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A stop ends a sentence when white space and a capital, a digit or an opening mark follow; not
# after the abbreviations that regulatory prose is full of.
_END = re.compile(r"[.!?][\"')\]]*(\s+)(?=[\"'(\[]*[A-Z0-9])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Rs|No|Nos|Art|Arts|Sec|Reg|Regs|Para|Cl|Ch|vs|cf|e\.g|i\.e|approx|Inc|Ltd|Co|Corp|St"
    r"|Dr|Mr|Ms|U\.S|U\.K)|\b[A-Z])\.$",
)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, without outer white space; none for a blank text."""
    # Only the last piece is looked at and pieces are joined once, so that time stays linear where a
    # text holds nothing but abbreviations.
    found: list[list[str]] = []
    for piece in _pieces(text):
        if found and _ABBREVIATION.search(found[-1][-1]):
            found[-1].append(piece)
        else:
            found.append([piece])
    return [stripped for sentence in found if (stripped := " ".join(sentence).strip())]


def _pieces(text: str) -> Iterator[str]:
    begin = 0
    for end in _END.finditer(text):
        yield text[begin : end.start(1)]
        begin = end.end(1)
    yield text[begin:]
