"""Where a judge's verdict stands.  In: a reply in plain spelling and a menu.  Out: the verdict.

Places come in three ranks.  Declared ones (double brackets, "Verdict:", tags, boxes, JSON): the
last counts.  Lines that open with a word of the menu: all must agree.  Plain first and last
sentences: they must agree with everything else that the reply says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from finassay.scorers.judge_json import json_verdicts
from finassay.scorers.judge_menus import Menu
from finassay.scorers.judge_sentences import (
    LineReading,
    disagrees,
    is_quoted,
    line_verdicts,
    sentence_label,
    sentence_verdicts,
)
from finassay.scorers.judge_tokens import Token, depends, read_token

Why = Literal["none", "off menu", "several", "conditional", "quoted", "contradiction"]


class Found(NamedTuple):
    """A verdict that was read.

    Attributes:
        label: its label; a rating as printed.
        rating: the number of a rating.
        start: where it begins in the plain text.
        end: where it ends.
        place: the kind of place.
    """

    label: str
    rating: float | None
    start: int
    end: int
    place: str


class Doubt(NamedTuple):
    """Why no verdict was read, and what raised the doubt."""

    why: Why
    start: int = 0
    end: int = 0


class _Place(NamedTuple):
    start: int
    end: int
    token: Token
    name: str


_BRACKETS = re.compile(r"\[\[([^\[\]\n]{0,80})\]\]")
_BOX = re.compile(r"\\boxed\s?\{(?:\\(?:text|textbf|mathrm|texttt)\s?\{)?([^{}\n]{0,80})\}")
_TAG = re.compile(
    r"<(final_?verdict|verdict|grade|judge?ment|decision|ruling|rating|score|winner)>"
    r"([^<>]{0,120})</\1>",
    re.IGNORECASE,
)
_LONGEST_SLOT = 240
_NEARBY = re.compile(r"[\s\"',:(){}]*(?:(?:or|and|vs\.?|versus|/|\||nor)[\s\"'(]*)?\Z")
_LONGEST_GAP = 24
_LOOKED_BACK = 40
_FILLER = "\x00"
_LINE = re.compile(r"[^\n]*")


def find_verdict(text: str, menu: Menu) -> Found | Doubt:
    """Return the verdict of a reply, or why there is none."""
    objects = json_verdicts(text, menu)
    bare = _blank(text, [(one.start, one.end) for one in objects])
    places = [
        _Place(one.start, one.end, one.token, "json") for one in objects if one.token is not None
    ]
    places += [*_bracketed(bare, menu), *_tagged(bare, menu), *_marked(bare, menu)]
    lines = line_verdicts(bare, menu)
    if places:
        places.sort(key=lambda one: one.start)
        found = _last_declared(bare, places, lines)
        return _unless_taken_back(bare, found, menu) if isinstance(found, Found) else found
    if lines.doubt:
        return Doubt(lines.doubt, lines.start, lines.end)
    if lines.label is not None:
        other = disagrees(bare, menu, lines.label, (lines.start, lines.end), strict=False)
        if other is not None:
            return Doubt("contradiction", *other)
        return Found(lines.label, lines.rating, lines.start, lines.end, "line")
    return _plain_sentence(bare, menu)


def _unless_taken_back(text: str, found: Found, menu: Menu) -> Found | Doubt:
    """Return a declared verdict unless a plain sentence after it ends the reply with another."""
    for said in sentence_verdicts(text, menu):
        if said.start >= found.end and said.label != found.label:
            return Doubt("contradiction", said.start, said.end)
    return found


def _plain_sentence(text: str, menu: Menu) -> Found | Doubt:
    said = sentence_verdicts(text, menu)
    if not said:
        return Doubt("none")
    label, start, end = said[-1]
    if any(one.label != label for one in said):
        return Doubt("contradiction", said[0].start, said[0].end)
    other = disagrees(text, menu, label, (start, end), strict=True)
    if other is not None:
        return Doubt("contradiction", *other)
    return Found(label, None, start, end, "sentence")


def _blank(text: str, spans: list[tuple[int, int]]) -> str:
    """Return a text of the same length with spans filled by a character that is in no pattern."""
    pieces: list[str] = []
    begin = 0
    for start, end in spans:
        pieces += (text[begin:start], _FILLER * (end - start))
        begin = end
    pieces.append(text[begin:])
    return "".join(pieces)


def _last_declared(text: str, places: list[_Place], lines: LineReading) -> Found | Doubt:
    """Return the last verdict in a declared place, where nothing speaks against it."""
    last = places[-1]
    if is_quoted(text, last.start, last.end) and not _own_agrees(text, places, last):
        return Doubt("quoted", last.start, last.end)
    if last.token.said != "label":
        return Doubt(last.token.said, last.start, last.end)
    if last.name != "marker" and depends(text, last.end):
        return Doubt("conditional", last.start, last.end)
    before = [one for one in places if one.end <= last.start]
    if before and _side_by_side(text, before[-1], last):
        return Doubt("several", before[-1].start, last.end)
    later = lines.last_whole if lines.last_start >= last.end else None
    if later is not None and later != last.token.label:
        return Doubt("contradiction", last.start, last.end)
    return Found(last.token.label, last.token.rating, last.start, last.end, last.name)


def _own_agrees(text: str, places: list[_Place], last: _Place) -> bool:
    """Return whether the last of the judge's own verdicts is the one that it quotes last."""
    for one in reversed(places[-_LOOKED_BACK:-1]):
        if not is_quoted(text, one.start, one.end):
            return one.token[:2] == last.token[:2] and last.token.said == "label"
    return False


def _side_by_side(text: str, one: _Place, other: _Place) -> bool:
    if one.token[:2] == other.token[:2] or other.start - one.end > _LONGEST_GAP:
        return False
    if "json" in {one.name, other.name} or "\n" in text[one.end : other.start]:
        return False
    return _NEARBY.match(text[one.end : other.start]) is not None


def _bracketed(text: str, menu: Menu) -> Iterator[_Place]:
    for pattern, name in ((_BRACKETS, "brackets"), (_BOX, "box")):
        for found in pattern.finditer(text):
            start, end = found.span(1)
            token = read_token(text, start, end, menu, whole=True)
            if name == "box" and token.said != "label":
                continue
            yield _Place(found.start(), found.end(), token, name)


def _tagged(text: str, menu: Menu) -> Iterator[_Place]:
    for found in _TAG.finditer(text):
        start, end = found.span(2)
        yield _Place(*found.span(), read_token(text, start, end, menu, whole=True), "tag")


@lru_cache(maxsize=256)
def _marker(menu: Menu) -> re.Pattern[str]:
    strong = ["grade", "verdict", "judge?ment", "decision", "ruling"]
    if menu.scale is not None:
        strong += ["rating", "score"]
    if "winner" in menu.keys:
        strong += ["winner"]
    soft = "answer|result|evaluation|assessment|conclusion|label|classification|rating|score"
    return re.compile(
        rf"(?<![\w\-])(?:(?P<strong>{'|'.join(strong)})|(?:final|overall)\s+(?:{soft}))"
        r"(?:\s?\([^()\n]{0,40}\))?[\s\"']{0,3}?"
        r"(?P<sep>:|=(?!=)|->|=>|\u2192|\bis\b\s?:?|\bwould be\b\s?:?|\n|\s-\s|\u2013|\u2014|\|)",
        re.IGNORECASE,
    )


def _marked(text: str, menu: Menu) -> Iterator[_Place]:
    for found in _marker(menu).finditer(text):
        start = _slot_start(text, found.end())
        end = min(len(text), start + _LONGEST_SLOT)
        line_end = text.find("\n", start, end)
        end = end if line_end < 0 else line_end
        if text.startswith(("[[", _FILLER, "\\boxed"), start):
            continue
        token = read_token(text, start, end, menu, whole=False)
        is_firm = found["strong"] is not None and found["sep"] in {":", "="}
        if token.said == "off menu":
            label = sentence_label(text[start:end], menu)
            token = token if label is None else Token("label", label, end)
        if token.said == "off menu" and not is_firm and not _is_one_word(text[start:end]):
            continue
        if found["strong"] is None and (token.said != "label" or token.end - start < 3):
            continue
        stop = max(token.end, found.end()) if token.said == "label" else max(end, found.end())
        contradicted = token.said == "label" and _contradicted(
            text[token.end : end], token.label, menu
        )
        yield _Place(
            found.start(), stop, Token("several", "", stop) if contradicted else token, "marker"
        )


def _contradicted(rest: str, label: str, menu: Menu) -> bool:
    """Return whether the rest of a marker's line says another verdict."""
    return disagrees(rest, menu, label, (0, 0), strict=False) is not None


def _slot_start(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


_SPACE = re.compile(r"\s*")
_ONE_WORD = re.compile(r"[\s\"'(]*[\w+\-/]{1,20}[\s\"')]*[.!]?\s*\Z")


def _is_one_word(slot: str) -> bool:
    return _ONE_WORD.match(slot) is not None
