"""A judge's reply in one plain spelling.  In: a reply.  Out: text without what says no verdict.

Zero-width characters, marks of Markdown and struck-out words are gone, full-width characters are
plain, thoughts are blank.  Every position leads back to the reply as written.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass

_WORD_MARK = "\u02b9"
"""Stands for a combining mark: it is part of a word, so a word that carries one is another word."""

_FORMAT = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)
_EDIT = re.compile(
    rf"[{_FORMAT}]+"
    r"|\*+|~~[^~\n]{1,200}~~"
    r"|`{3,}(?:[ \t]*(?:json5?|text|txt|plaintext|markdown|md|ya?ml|xml|html|python)\b)?"
    r"|(?<![^\W_])_+|_+(?![^\W_])"
    r"|</?(?:b|i|u|em|strong|span|code|p|div|center|h[1-6])(?:\s[^<>]{0,80})?>|<br\s?/?>"
    r"|&(?:gt|lt|amp|quot|nbsp|\#39|\#x200b|zwj|zwnj|shy);",
    re.IGNORECASE,
)
_ENTITIES = {"&gt;": ">", "&lt;": "<", "&amp;": "&", "&quot;": '"', "&nbsp;": " ", "&#39;": "'"}
_LINES = ("<br", "<p", "</p", "<div", "</div", "<h", "</h")
_SPECIAL = {
    "`": '"', "\u201c": '"', "\u201d": '"', "\u00ab": '"', "\u00bb": '"', "\u2018": "'",
    "\u2019": "'", "\u2010": "-", "\u2011": "-", "\u2212": "-", "\r": "\n", "\x0b": "\n",
    "\x0c": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n", "\u3010": "[", "\u3011": "]",
    "\u27e6": "[", "\u27e7": "]", "\u3002": ".", "\u2016": "|",
}  # fmt: skip


class _Plain(dict[int, str]):
    """One character for every character, filled as characters are met."""

    def __missing__(self, code: int) -> str:
        self[code] = plain = _plain(chr(code))
        return plain


def _plain(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    category = unicodedata.category(character)
    if category in {"Mn", "Me"}:
        return _WORD_MARK
    if category == "Zs":
        return " "
    same = unicodedata.normalize("NFKC", character)
    return same if len(same) == 1 else character


_PLAIN = _Plain()

_OPEN = re.compile(
    r"<(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|seed:think)>"
    r"|\[THINK\]|\u25c1think\u25b7|<\|begin_of_thought\|>"
    r"|<\|channel\|>(?:analysis|commentary)<\|message\|>",
    re.IGNORECASE,
)
_CLOSE = re.compile(
    r"</(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|seed:think)>"
    r"|\[/THINK\]|\u25c1/think\u25b7|<\|end_of_thought\|>|<\|channel\|>final<\|message\|>",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class JudgeText:
    """A reply in plain spelling.

    Attributes:
        text: the plain text; thoughts are blank.
        unclosed: a block of thoughts is opened and never closed.
        cuts: positions in `text` from which on the shift changes.
        shifts: what is to be added from each cut on.
    """

    text: str
    unclosed: bool
    cuts: tuple[int, ...]
    shifts: tuple[int, ...]

    def at(self, position: int) -> int:
        """Return the position in the reply as written of a position in `text`."""
        found = bisect_right(self.cuts, position) - 1
        return position if found < 0 else position + self.shifts[found]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the reply as written of a non-empty span in `text`."""
        return self.at(start), self.at(end - 1) + 1


def plain_reply(reply: str) -> JudgeText:
    """Return a reply in plain spelling, its thoughts blank."""
    pieces: list[str] = []
    cuts: list[int] = []
    shifts: list[int] = []
    length = begin = 0
    for edit in _EDIT.finditer(reply):
        start, end = edit.span()
        pieces.append(reply[begin:start])
        length += start - begin
        new = _replacement(edit[0])
        if new:
            pieces.append(new)
            length += len(new)
        begin = end
        cuts.append(length)
        shifts.append(end - length)
    pieces.append(reply[begin:])
    text = "".join(pieces).translate(_PLAIN)
    blanked, unclosed = _without_thoughts(text)
    return JudgeText(blanked, unclosed, tuple(cuts), tuple(shifts))


def _replacement(written: str) -> str:
    low = written.lower()
    if low.startswith(_LINES):
        return "\n"
    return _ENTITIES.get(low, "")


def _without_thoughts(text: str) -> tuple[str, bool]:
    """Return the text with its thoughts blank, and whether a block of them is never closed.

    What stands before a closing tag is thought even where no tag opens it: chat templates open the
    block in the prompt.
    """
    last = 0
    for close in _CLOSE.finditer(text):
        last = close.end()
    kept = "\n" * last + text[last:]
    opened = _OPEN.search(kept, last)
    if opened is None:
        return kept, False
    at = opened.start()
    return kept[:at] + "\n" * (len(kept) - at), True


_UNIT = re.compile(r"(?<=[.!?])[\"')\]]*\s+|\n+")
_LONGEST = 400


def first_sentence(text: str) -> tuple[int, int]:
    """Return the span of the first sentence or line; an empty span where there is none."""
    start = len(text) - len(text.lstrip())
    end = _UNIT.search(text, start, start + _LONGEST)
    return start, min(len(text), start + _LONGEST) if end is None else end.start()


def last_sentence(text: str) -> tuple[int, int]:
    """Return the span of the last sentence or line; an empty span where there is none."""
    end = len(text.rstrip())
    start = max(0, end - _LONGEST)
    for unit in _UNIT.finditer(text, start, end):
        start = unit.end()
    return start, end
