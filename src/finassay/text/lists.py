"""Elements of a list written in a text.  In: a text.  Out: its elements, as written.

Lists come as lines with bullets, as JSON arrays, and with semicolons or commas.  A comma between
digits belongs to the number, and "and" joins two elements only where the whole is no element
itself: whoever calls says which elements are known.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

LONGEST = 100_000
"""Characters of a text in which elements are looked for."""
MOST = 1_000
"""Elements that are read."""

Known = Callable[[str], bool]
"""Whether a piece is an element of the list that this one is compared with."""

_SPACES = "".join(chr(code) for code in range(0x3001) if chr(code).isspace())
_OUTER = f"{_SPACES}.,;:，。；、\"'“”‘’*_`"

_CUE = re.compile(
    r"\s{0,9}[*_#]{0,3}(?:final\s)?answers?[*_]{0,3}\s?[:：=][*_]{0,3}\s?", re.IGNORECASE
)
_BULLET = re.compile(r"^\s{0,20}(?:[-*•·–—]\s|\(?\d{1,3}[.)]\s|\(?[A-Za-z][.)]\s|[①-⑳])\s{0,9}")
_HARD = re.compile(r"[;；\n]")
_SOFT = re.compile(r"[、，]|,(?!\d{2,3}(?!\d))|(?<!\d),")
_AND = re.compile(r"\s(?:and|or|und|et)\s|\s?&\s?|[和与及]", re.IGNORECASE)
_LEADING_AND = re.compile(r"^\s{0,9}(?:and|or|und|et|&)\s", re.IGNORECASE)
_LEAD_IN = re.compile(
    r"^[^\n]{0,160}?(?::\s|：|\b(?:are|is|include|includes|including|namely)\b\s)", re.IGNORECASE
)


def list_elements(
    text: str, *, whole: Known | None = None, part: Known | None = None
) -> tuple[str, ...]:
    """Return the elements of a list, stripped of bullets and outer marks, in order.

    Args:
        text: the list, with or without a lead-in ("The banks are ...").
        whole: whether a piece is an element as it stands, so that it is not taken apart.
        part: whether a piece is an element that "and" may have joined to another one.
    """
    body = text[:LONGEST]
    for cue in deque(_CUE.finditer(body), 1):
        body = body[cue.end() :]
    array = _json_array(body)
    if array is not None:
        return array[:MOST]
    lines = [_BULLET.sub("", line) for line in _HARD.split(body) if line.strip(_OUTER)]
    if len(lines) > 1 and lines[0].rstrip().endswith((":", "：")):
        lines = lines[1:]
    lists = _Lists(whole or _never, part or _never)
    if len(lines) == 1:
        found = lists.softly(lists.without_lead_in(lines[0]))
    else:
        found = [_LEADING_AND.sub("", line) for line in lines[:MOST]]
    stripped = (piece.strip(_OUTER) for piece in found)
    return tuple(piece for piece in stripped if piece)[:MOST]


def _never(piece: str) -> bool:  # noqa: ARG001 - a `Known`
    return False


class _Lists(NamedTuple):
    """Ways to take a line apart, given what is known of its elements."""

    whole: Known
    part: Known

    def without_lead_in(self, line: str) -> str:
        """Return the line without its lead-in, where an element that is known follows it."""
        lead_in = _LEAD_IN.match(line)
        if lead_in is None or self.whole(line.strip(_OUTER)):
            return line
        rest = line[lead_in.end() :]
        first = _LEADING_AND.sub("", _SOFT.split(rest, maxsplit=1)[0])
        heads = (first.strip(_OUTER), _AND.split(first, maxsplit=1)[0].strip(_OUTER))
        return rest if any(self.whole(head) or self.part(head) for head in heads) else line

    def softly(self, line: str) -> list[str]:
        """Return the pieces between commas, and between "and" where that joins elements."""
        if self.whole(line.strip(_OUTER)):
            return [line]
        pieces = [_LEADING_AND.sub("", piece) for piece in _SOFT.split(line)[:MOST]]
        last = len(pieces) - 1
        return [
            part
            for number, piece in enumerate(pieces)
            for part in self.halves(piece, ends_a_list=0 < last == number)
        ]

    def halves(self, piece: str, *, ends_a_list: bool) -> list[str]:
        """Return the parts that "and" joins, where one is known or a list ends with it."""
        if self.whole(piece.strip(_OUTER)):
            return [piece]
        parts = _AND.split(piece)
        joined = len(parts) > 1 and (
            ends_a_list or any(self.part(one.strip(_OUTER)) for one in parts)
        )
        return parts if joined else [piece]


def _json_array(text: str) -> tuple[str, ...] | None:
    start = text.find("[")
    if start < 0 or text[:start].strip(_OUTER + "json"):
        return None
    try:
        array, _ = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    if not isinstance(array, list) or not array:
        return None
    flat = [str(one).strip(_OUTER) for one in array if isinstance(one, (str, int, float))]
    return tuple(one for one in flat if one) if len(flat) == len(array) else None
