"""Long texts folded.  In: pieces of a text.  Out: its beginning, and the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finassay.marking.browsing.records import Segment

LINES = 12
CHARACTERS = 1200
SPARE = 200
"""Characters that are not worth a fold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """A text as it is shown.

    Attributes:
        head: pieces that are shown at once.
        rest: pieces behind the fold; () where all is shown.
        lines: lines behind the fold.
    """

    head: tuple[Segment, ...]
    rest: tuple[Segment, ...] = ()
    lines: int = 0


def folded(segments: Sequence[Segment]) -> Folded:
    """Return a text folded after about 12 lines; pieces joined stay the text."""
    text = "".join(piece for _, piece in segments)
    cut = _cut(text)
    if len(text) - cut <= SPARE and text[cut:].count("\n") < LINES // 3:
        return Folded(head=tuple(segments))
    head, rest = _split(segments, cut)
    return Folded(head=head, rest=rest, lines=text[cut:].count("\n") + 1)


def _cut(text: str) -> int:
    """Return where the fold lies: after so many lines, or before a word after enough characters."""
    at = 0
    for _ in range(LINES):
        following = text.find("\n", at) + 1
        if not following:
            at = len(text)
            break
        at = following
    if at <= CHARACTERS:
        return at
    space = text.rfind(" ", CHARACTERS // 2, CHARACTERS)
    return space + 1 if space > 0 else CHARACTERS


def _split(
    segments: Sequence[Segment], cut: int
) -> tuple[tuple[Segment, ...], tuple[Segment, ...]]:
    head: list[Segment] = []
    rest: list[Segment] = []
    at = 0
    for mark, piece in segments:
        inside = max(0, min(len(piece), cut - at))
        if inside:
            head.append((mark, piece[:inside]))
        if inside < len(piece):
            rest.append((mark, piece[inside:]))
        at += len(piece)
    return tuple(head), tuple(rest)
