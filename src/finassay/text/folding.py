"""One plain spelling of a text, with the way back.  In: a text as written.  Out: a folded text.

The readers of quantities, dates and provisions work on a folded text: digits of every script are
ASCII digits, full-width marks are ASCII marks, marks of Markdown, LaTeX and HTML that stand inside
a figure are gone.  Every position in the folded text leads back to the text as written, so that
what was read can be highlighted there.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from finassay.text.once import ReadOnce
from finassay.text.spans import lowered

# Spaces that group digits ("1 234 567") share one code, apart from the plain space.
GROUP_SPACE = "\xa0"
_GROUP_SPACES = "\xa0\u2007\u2008\u2009\u202f"
_SPECIAL = {
    "\u2010": "-",
    "\u2011": "-",
    "\u2212": "-",
    "\ufe63": "-",
    "\u066a": "%",
    "\ufe6a": "%",
    "\u066b": ".",
    "\u066c": ",",
    "\uffe5": "¥",
    "\uffe1": "£",
    "\u3001": ",",
    "\u3000": " ",
    "\u02bc": "'",
    "\u2019": "'",
    "\u2018": "'",
    "\u00d7": "×",
}
_FORMAT_MARKS = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"

# What is taken out, or stands for something else.  The pattern opens with one set of characters, so
# that it is only tried where one of them stands.
_EDIT = re.compile(
    rf"[*_\\&{{<$`{_FORMAT_MARKS}](?:"
    rf"(?<=[{_FORMAT_MARKS}])[{_FORMAT_MARKS}]*"
    r"|(?<=\*)\*+(?:(?!\d)|(?<!\d\*\*)(?=\d))"
    r"|(?<=_)_+(?!\w)|(?<=(?<!\w)_)_+(?=\w)"
    r"|(?<=&)(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});"
    r"|(?<=\\)(?:[$%&#_,;!()\[\]]"
    r"|(?:text|textbf|mathbf|mathrm|mathit|boxed|displaystyle)(?![a-z])[ ]?\{?"
    r"|(?:times|approx|cdot|geq?|leq?|quad|left|right)(?![a-z]))"
    r"|(?<=\{),\}"
    r"|(?<=<)/?(?:b|i|u|em|strong|span|p|td)>"
    r"|(?<=(?<!\d)\$)(?=[-+]?[\d.,]{1,30}(?:\\?%)?\$(?!\w|\.\d))"
    r"|(?<=\$)(?=\\\$[\d.,]{1,30}\$)"
    r"|(?P<closing>(?<=[\d%}]\$)(?!\w|\.\d))"
    r")"
)
_MATHS = 200  # how far back the "$" that opens a formula is looked for
_COMMANDS = {
    "\\times": "×",
    "\\cdot": "×",
    "\\approx": "≈",
    "\\ge": "≥",
    "\\geq": "≥",
    "\\le": "≤",
    "\\leq": "≤",
}
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


class _Plain(dict[int, str]):
    """One character for every character, filled as characters are met."""

    def __missing__(self, code: int) -> str:
        self[code] = plain = _plain(chr(code))
        return plain


def _plain(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if character in _GROUP_SPACES:
        return GROUP_SPACE
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if category == "Zs":
        return " "
    if "\uff01" <= character <= "\uff5e":
        return chr(ord(character) - 0xFEE0)
    return character


_PLAIN = _Plain()


@dataclass(frozen=True)
class Folded:
    """A folded text and the way back to the text as written.

    Attributes:
        text: the folded text.
        cuts: folded positions from which `shifts` hold, rising; empty if nothing moved.
        shifts: what to add to a folded position to reach the text as written.
        wide: for a character that stands for several, its end in the text as written.
    """

    text: str
    cuts: tuple[int, ...] = ()
    shifts: tuple[int, ...] = ()
    wide: tuple[tuple[int, int], ...] = ()

    @ReadOnce
    def low(self) -> str:
        """The folded text in lower case, position by position."""
        return lowered(self.text)

    @ReadOnce
    def runs(self) -> list[tuple[int, int]]:
        """Spans of the runs of digits, with the marks between them; the outer ones of too many."""
        return [run.span() for run in ends_of(_RUN, self.text)]

    @ReadOnce
    def ties(self) -> bool:
        """Whether a digit may be tied to another one by two points, a hyphen, a dash or a slash."""
        text, runs = self.text, self.runs
        if len(runs) >= MOST // 2:
            return True
        for start, end in runs:
            mark = text[end : end + 1]
            if mark in _SPACES:
                mark = text[end + 1 : end + 2]
            if mark in _TIES or text.count(".", start, end) > 1:
                return True
        return False

    @ReadOnce
    def words(self) -> frozenset[str]:
        """The runs of ASCII letters, in lower case: what a scanner asks before it looks closer."""
        return vocabulary(self.low)

    def places(self, vocabulary: frozenset[str]) -> list[tuple[int, str]]:
        """Return where words of a vocabulary stand: (position, word), in order.

        A word is a whole run of ASCII letters; digits may touch it ("fy2018").
        """
        held = vocabulary & self.words
        return both_ends(places_of(held, self.low)) if held else []

    @ReadOnce
    def _wide(self) -> dict[int, int]:
        return dict(self.wide)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the text as written; `start` < `end` in the folded text."""
        if not self.cuts:
            return start, end
        last = end - 1
        until = self._wide.get(last)
        return self._back(start), self._back(last) + 1 if until is None else until

    def _back(self, position: int) -> int:
        index = bisect_right(self.cuts, position) - 1
        return position if index < 0 else position + self.shifts[index]


def vocabulary(low: str) -> frozenset[str]:
    """Return the runs of ASCII letters of a text in lower case."""
    letters = low.encode("ascii", "replace").translate(_LETTERS_ONLY)
    return frozenset(letters.decode("ascii").split())


def places_of(words: Iterable[str], low: str) -> list[tuple[int, str]]:
    """Return where some words stand in a text in lower case: (position, word), in order."""
    found: list[tuple[int, str]] = []
    for word in words:
        at = low.find(word)
        while at >= 0:
            end = at + len(word)
            if not ("a" <= low[at - 1 : at] <= "z") and not ("a" <= low[end : end + 1] <= "z"):
                found.append((at, word))
            at = low.find(word, end)
    if len(found) > 1:
        found.sort()
    return found


def is_apart(low: str, start: int, end: int) -> bool:
    """Return whether no letter, digit or underscore touches a span: both its ends are bounds."""
    before, after = low[start - 1 : start], low[end : end + 1]
    return not (before.isalnum() or before == "_" or after.isalnum() or after == "_")


# How many figures, words and marks of one kind are looked at in one text.
MOST = 3000
_RUN = re.compile(r"\d(?:[\d,.'\xa0]*\d)?")
_SPACES = frozenset(" \xa0")
_TIES = frozenset("-–/")
_T = TypeVar("_T")
_LETTERS_ONLY = bytes(c if 97 <= c <= 122 else 32 for c in range(256))


def both_ends(found: Iterable[_T]) -> list[_T]:
    """Return what was found, or the first and last of it where a text holds too much to look at.

    An answer has tens of figures, a long filing some thousands; the bound keeps the time that a
    hostile text takes small, and keeps the end of a text, where answers stand.
    """
    rest = iter(found)
    first = list(islice(rest, MOST // 2))
    return first if len(first) < MOST // 2 else [*first, *deque(rest, MOST // 2)]


def ends_of(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    """Return the matches of a pattern, or the first and last of them, as `both_ends` does.

    Where there are many, the last are looked for from the end, in growing parts of the text.
    """
    if len(text) < MOST // 2:
        return list(pattern.finditer(text))
    first = list(islice(pattern.finditer(text), MOST // 2))
    if len(first) < MOST // 2:
        return first
    until, reach = first[-1].end(), _PART
    while True:
        start = max(until, len(text) - reach)
        last = deque(pattern.finditer(text, start), MOST // 2)
        # The first match of a part may begin inside another one; it is only kept where none can.
        if start == until or (len(last) == MOST // 2 and last[0].start() > start + _OVERLAP):
            return [*first, *last]
        reach *= 4


_PART = 100_000
_OVERLAP = 4_000


def fold(text: str) -> Folded:
    """Return the folded text: one plain spelling, with the way back to the text as written."""
    first = _EDIT.search(text)
    if first is None:
        return Folded(_one_to_one(text))
    return _edited(text, first)


def _one_to_one(text: str) -> str:
    if text.isascii():
        return text
    return _NOT_ASCII.sub(lambda run: run[0].translate(_PLAIN), text)


def _edited(text: str, first: re.Match[str]) -> Folded:
    pieces: list[str] = []
    cuts: list[int] = []
    shifts: list[int] = []
    wide: list[tuple[int, int]] = []
    length = begin = 0
    for edit in _EDIT.finditer(text, first.start()):
        start, end = edit.span()
        if edit["closing"] is not None and not _in_formula(text, start):
            continue
        new = _replacement(edit[0])
        pieces += (text[begin:start], new)
        length += start - begin
        if new:
            cuts.append(length)
            shifts.append(start - length)
            wide.append((length, end))
            length += 1
        cuts.append(length)
        shifts.append(end - length)
        begin = end
    pieces.append(text[begin:])
    return Folded(_one_to_one("".join(pieces)), tuple(cuts), tuple(shifts), tuple(wide))


def _in_formula(text: str, at: int) -> bool:
    """Return whether a "$" after a figure closes a formula; otherwise it is a currency."""
    before = text[max(0, at - _MATHS) : at]
    return (before.count("$") - before.count("\\$")) % 2 == 1


def _replacement(written: str) -> str:
    """Return "" or the one character that stands for an edited mark."""
    if written[0] == "&":
        meant = html.unescape(written)
        return meant if len(meant) == 1 and meant.isprintable() else " "
    if written == "{,}":
        return ","
    if written[0] == "<":
        return " "
    if written[0] != "\\":
        return ""
    if written in _COMMANDS:
        return _COMMANDS[written]
    return written[1] if written[1] in "$%&#_" else " "
