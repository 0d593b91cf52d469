"""Where a reply gives its final answer.  In: a reply.  Out: its statements, and the cue of each.

A statement is a sentence or a line.  Its cue says why the answer may stand in it: an explicit
answer line, a box, a conclusion ("therefore"), bold type, the end of a calculation, or none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from finassay.text.spans import lowered
from finassay.text.tuples import new_tuple

Cue = Literal["answer", "box", "conclusion", "calculation", "bold", "none"]
CUES: tuple[Cue, ...] = ("answer", "box", "conclusion", "calculation", "bold", "none")

MOST_FIRST, MOST_LAST = 100, 300
"""A longer reply (a copied table, a loop) is looked at in its first and last statements only."""
_LONGEST_BOX = 400

# The pattern opens with one set of characters, so that it is only tried where one of them stands.
_END = re.compile(
    r"[\n.!?。！？；](?:(?<=\n)\n*|(?<=[.!?])[\"'\u201d\u2019)\]*_`]*(?=\s|$)|(?<=[。！？；]))"
)
_ABBREVIATIONS = frozenset(
    str.split(
        "rs no nos art arts sec reg regs para cl ch vs cf e.g i.e approx inc ltd co corp "
        "st dr mr mrs ms u.s u.k jan feb mar apr jun jul aug sep sept oct nov dec fig eq "
        "adj est "
    )
)
_MARKS = " \t\r*_#>\u2022-\u2013\u2014\"'\u201c("
_ANSWER = re.compile(
    "\\bfinal (?:answer|value|result)\\b|\\b(?:right|correct|actual|true) (?:number|figure"
    "|value|amount|date"
    "|rate|one) (?:is|was)\\b"
    "|\\b(?:the|my|correct|short"
    "|direct) (?:[a-z]+ )?answer(?: to [^.:\\n]{0,40}?)?(?: is\\b|[\\s*_]*[:\uff1a=])"
    "|^(?:answer|ans|antwort)\\b[.\\s*_]*[:\uff1a=]|答案(?:是|为|[:：])|答[:：]|उत्तर"
)
_ANSWER_WORDS = (
    "answer",
    "final ",
    "right ",
    "correct ",
    "actual ",
    "true ",
    "ans",
    "antwort",
    "答",
    "उत्तर",
)
_CONCLUDES = (
    "therefore", "thus", "hence", "so ", "so,", "accordingly", "consequently", "in summary",
    "in conclusion", "in short", "in total", "to summari", "to conclude", "overall", "as a result",
    "this means", "this gives", "this yields", "this results in", "which gives", "which yields",
    "rounded", "rounding", "when rounded", "we get", "we have", "we find", "we obtain",
    "the result is", "that is a", "this is a", "that makes", "this makes", "and so ",
    "and therefore", "but overall", "因此", "所以", "综上", "故", "总之",
    "अतः", "इसलिए",
)  # fmt: skip
_CONCLUDES_BY: dict[str, tuple[str, ...]] = {
    first: tuple(words for words in _CONCLUDES if words[0] == first)
    for first in {words[0] for words in _CONCLUDES}
}
_CONCLUDES_WITHIN = (
    " therefore ",
    ", so ",
    ", therefore",
    ", hence ",
    ", thus ",
    ", giving ",
    ", yielding ",
    "% of that is",
    "% of this is",
    "% of which is",
    "；所以",
    "，因此",
    "，所以",
    "，故",
)
_NUMBERED = re.compile(r"\d{1,2}[.)]\s+|(?:step|schritt) \d{1,2}[.:]?\s*")


class Statement(NamedTuple):
    """A sentence or line of a reply: its span and its cue."""

    start: int
    end: int
    cue: Cue


def statements(text: str) -> tuple[Statement, ...]:
    """Return the statements of a text, in order, without blank ones.

    Of more than 400, the first 100 and the last 300.
    """
    low = lowered(text)
    found = _pieces(low)
    if len(found) > MOST_FIRST + MOST_LAST:
        found = [*found[:MOST_FIRST], *found[-MOST_LAST:]]
    cues = _Cues(low)
    return tuple(
        [
            new_tuple(Statement, (start, end, cues.of(low[start:end].strip(_MARKS))))
            for start, end in found
        ]
    )


def _pieces(low: str) -> list[tuple[int, int]]:
    pieces: list[tuple[int, int]] = []
    start = 0
    for found in _END.finditer(low):
        at, end = found.span()
        if low[at] == "." and _abbreviates(low, start, at):
            continue
        # Most open with a letter, or with a space and a letter.
        if (at - start > 1 and low[start + 1].isalnum()) or low[start:at].strip(_BLANK).strip():
            pieces.append((start, end))
        start = end
    if low[start:].strip(_BLANK).strip():
        pieces.append((start, len(low)))
    return pieces


_BLANK = " \t\r\n*_#>-=|\u2022.:"


def _abbreviates(low: str, start: int, dot: int) -> bool:
    """Return whether the stop after a word belongs to it: "Rs.", an initial, or "2." in a list."""
    word = low[max(start, dot - 8) : dot]
    if not word or word[-1].isspace():
        return True
    token = word.rsplit(None, 1)[-1].lstrip("(\"'*")
    if token in _ABBREVIATIONS or (len(token) == 1 and token.isalpha()):
        return True
    return token.isdigit() and len(token) <= 2 and not low[start:dot].strip(_MARKS + "\n" + token)


class _Cues:
    """The cues of the statements of one text; what the whole does not hold, none of them does."""

    def __init__(self, low: str) -> None:
        self._boxed = "\\boxed" in low or "\\fbox" in low
        self._answers = [word for word in _ANSWER_WORDS if word in low]
        self._concludes = [words for words in _CONCLUDES_WITHIN if words in low]
        self._calculates = "=" in low or "\u2248" in low
        self._bold = "**" in low

    def of(self, piece: str) -> Cue:
        """Return the cue of a statement in lower case, without marks around it."""
        first = piece[:1]
        if self._boxed and ("\\boxed" in piece or "\\fbox" in piece):
            return "box"
        if self._answers and _holds(piece, self._answers) and _ANSWER.search(piece):
            return "answer"
        rest = piece
        if first == "s" or first.isdigit():
            numbered = _NUMBERED.match(piece)
            if numbered:
                rest = piece[numbered.end() :]
                first = rest[:1]
        words = _CONCLUDES_BY.get(first)
        if (words and rest.startswith(words)) or (
            self._concludes and _holds(piece, self._concludes)
        ):
            return "conclusion"
        if self._calculates and ("=" in piece or "\u2248" in piece):
            return "calculation"
        return "bold" if self._bold and "**" in piece else "none"


def _holds(piece: str, words: Sequence[str]) -> bool:
    for word in words:  # noqa: SIM110 - a loop costs less than a generator, and this one runs a lot
        if word in piece:
            return True
    return False


def boxes(text: str) -> tuple[tuple[int, int], ...]:
    r"""Return the spans of what stands in \boxed{}, braces balanced, in order.

    Of more than 100, the last 100; a box of more than 400 characters is none.
    """
    if "\\boxed" not in text and "\\fbox" not in text:
        return ()
    openings = [found.end() for found in _BOX.finditer(text)]
    closed = ((start, _closing(text, start)) for start in openings[-100:])
    return tuple((start, end) for start, end in closed if end >= 0)


_BOX = re.compile(r"\\(?:boxed|fbox)\s?\{")


def _closing(text: str, start: int) -> int:
    depth = 1
    for at in range(start, min(len(text), start + _LONGEST_BOX)):
        depth += (text[at] == "{") - (text[at] == "}")
        if not depth:
            return at
    return -1
