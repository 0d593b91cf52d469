"""Elements of one large JSON array.  In: bytes of a document.  Out: slices, one for each element.

The document is never parsed whole, so memory stays that of one element, bare NaN and Infinity do no
harm, and what a cut document holds before the cut is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from mmap import mmap
from typing import NamedTuple

Buffer = bytes | mmap

_MARK = re.compile(rb'[{}\[\]"]')
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BLANK = re.compile(rb"[\s,]*")


class Span(NamedTuple):
    """Where a value begins and ends."""

    start: int
    end: int


def top_values(data: Buffer) -> dict[str, Span]:
    """Return name -> place of the values at the top of an object, up to where it was cut."""
    found: dict[str, Span] = {}
    blank = re.compile(rb"\s*\{").match(data, 3 if data[:3] == b"\xef\xbb\xbf" else 0)
    at = blank.end() if blank else len(data)
    name_and_colon = re.compile(rb'[\s,]*("(?:[^"\\]|\\.)*")\s*:\s*', re.DOTALL)
    while (name := name_and_colon.match(data, at)) is not None:
        end = value_end(data, name.end())
        key = name.group(1)[1:-1].decode("utf-8", "replace")
        found[key] = Span(name.end(), len(data) if end is None else end)
        if end is None:
            return found
        at = end
    return found


def elements(data: Buffer, array: Span) -> Iterator[Span]:
    """Yield the place of every element of an array; the last may be cut."""
    at = array.start + 1
    closing = _indented_end(data, array)
    while True:
        blank = _BLANK.match(data, at, array.end)
        at = blank.end() if blank else at
        if at >= array.end or data[at : at + 1] == b"]":
            return
        end = _element_end(data, at, array.end, closing)
        yield Span(at, array.end if end is None else end)
        if end is None:
            return
        at = end


def _indented_end(data: Buffer, array: Span) -> re.Pattern[bytes] | None:
    """Return how an element of a document written with indents ends, or None without indents.

    A line end within a string is escaped, so a brace under the one that opened the element closes
    it: one search of the text in place of a look at every bracket.
    """
    opening = re.compile(rb"\[\r?\n([ \t]+)\{").match(data, array.start)
    if opening is None:
        return None
    return re.compile(rb"\r?\n" + re.escape(opening.group(1)) + rb"\}(?=[\s,\]])")


def _element_end(data: Buffer, at: int, most: int, closing: re.Pattern[bytes] | None) -> int | None:
    if closing is None:
        return value_end(data, at)
    found = closing.search(data, at, most)
    return None if found is None else found.end()


def value_end(data: Buffer, at: int) -> int | None:
    """Return where the value that begins at a place ends, or None where the data end first."""
    first = data[at : at + 1]
    if first == b'"':
        string = _STRING.match(data, at)
        return None if string is None else string.end()
    if first not in (b"{", b"["):
        plain = re.compile(rb"[^\s,\]}]+").match(data, at)
        return None if plain is None or plain.end() == len(data) else plain.end()
    depth = 0
    while (mark := _MARK.search(data, at)) is not None:
        character = mark.group()
        if character == b'"':
            string = _STRING.match(data, mark.start())
            if string is None:
                return None
            at = string.end()
            continue
        at = mark.end()
        depth += 1 if character in b"{[" else -1
        if depth == 0:
            return at
    return None
