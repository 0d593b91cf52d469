"""JSON documents too large to be held.  In: a file.  Out: its members and elements, one by one.

The text is read in chunks, and only the value that is asked for is decoded.  NaN and Infinity,
which strict JSON has not, are read as Python does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from json.scanner import NUMBER_RE
from pathlib import Path
from typing import TextIO

from finassay.errors import InputError
from finassay.runs.importers._opening import effective_encoding, open_bytes, open_text

_CHUNK = 1 << 20
_NEAR = 16
"""Characters before the end of what was read within which an error may be that more is needed."""

MOST_CHARACTERS = 256 << 20
"""Characters of one value beyond which it is not read."""

_SPACE = " \t\r\n"
_DECODER = json.JSONDecoder(strict=False)


class BrokenJsonError(InputError):
    """A JSON document ends, or cannot be read, in the middle."""


class Walker:
    """Walks through one JSON document, from its beginning to its end.

    Args:
        source: the text.
        name: of the file, for messages.
    """

    def __init__(self, source: TextIO, name: str) -> None:
        self._source = source
        self._name = name
        self._text = ""
        self._at = 0
        self._is_end = False

    def broken(self, what: str) -> BrokenJsonError:
        """Return the error that says what is wrong."""
        return BrokenJsonError(
            f"{self._name}: {what}; expected a whole JSON document; copy or write the log again"
        )

    def _more(self) -> bool:
        """Read on; return False at the end of the file."""
        if self._is_end:
            return False
        if self._at:
            self._text = self._text[self._at :]
            self._at = 0
        if len(self._text) > MOST_CHARACTERS:
            raise self.broken(f"one value has more than {MOST_CHARACTERS} characters")
        # What is long already is likely to be longer still: reading it again and again is slow.
        chunk = self._source.read(max(_CHUNK, len(self._text)))
        self._is_end = not chunk
        self._text += chunk
        return bool(chunk)

    def peek(self) -> str:
        """Return the next character that is no white space, "" at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _take(self, mark: str) -> None:
        found = self.peek()
        if found != mark:
            raise self.broken(
                f"{found!r} where {mark!r} should be" if found else "it ends in the middle"
            )
        self._at += 1

    def value(self) -> object:
        """Return the next value, decoded.

        Raises:
            BrokenJsonError: there is none, or it is no JSON.
        """
        self.peek()
        while True:
            try:
                found, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if self._may_go_on(error) and self._more():
                    continue
                raise self.broken(f"{error.msg}") from error
            except RecursionError as error:
                raise self.broken("nested too deeply to be read") from error
            except ValueError as error:
                raise self.broken(f"a number cannot be read ({error})") from error
            if end < len(self._text) or self._is_end or not _is_open(self._text, self._at):
                self._at = end
                return found
            self._more()

    def _may_go_on(self, error: json.JSONDecodeError) -> bool:
        near = error.pos >= len(self._text) - _NEAR
        return near or error.msg.startswith("Unterminated string")

    def members(self) -> Iterator[str]:
        """Yield the names of the object that comes next; take or skip each value in between.

        Raises:
            BrokenJsonError: there is no object, or it is broken.
        """
        self._take("{")
        if self.peek() == "}":
            self._at += 1
            return
        while True:
            name = self.value()
            if not isinstance(name, str):
                raise self.broken(f"{name!r:.40} where a name should be")
            self._take(":")
            yield name
            if self._ends("}"):
                return

    def elements(self) -> Iterator[int]:
        """Yield the numbers (from 1) of the array that comes next; take each value in between.

        Raises:
            BrokenJsonError: there is no array, or it is broken.
        """
        self._take("[")
        if self.peek() == "]":
            self._at += 1
            return
        number = 0
        while True:
            number += 1
            yield number
            if self._ends("]"):
                return

    def _ends(self, mark: str) -> bool:
        if self.peek() == mark:
            self._at += 1
            return True
        self._take(",")
        return False


def _is_open(text: str, at: int) -> bool:
    """Return whether what stands at the end of the text may be the beginning of a number."""
    return NUMBER_RE.match(text, at) is not None


@contextmanager
def open_walker(path: Path, encoding: str = "utf-8") -> Iterator[Walker]:
    """Yield a walker at the beginning of a document.

    Raises:
        InputError: the file cannot be opened.
        EncodingError: bytes are not text in this encoding.
    """
    codec = effective_encoding(path, encoding)
    with open_bytes(path) as opened, open_text(opened, codec) as source:
        yield Walker(source, path.name)


def json_lines(path: Path, encoding: str = "utf-8") -> Iterator[tuple[int, object, str]]:
    r"""Yield (number, value, what is wrong) for each line; blank lines are passed over.

    Lines end at \n only: other separators of Unicode may stand inside a string.

    Raises:
        InputError: the file cannot be opened.
        EncodingError: bytes are not text in this encoding.
    """
    codec = effective_encoding(path, encoding)
    with open_bytes(path) as opened, open_text(opened, codec) as source:
        for place, line in enumerate(source, start=1):
            if not line.strip():
                continue
            try:
                yield place, _DECODER.decode(line), ""
            except RecursionError:
                yield place, None, "nested too deeply to be read"
            except ValueError as error:
                yield place, None, f"not JSON: {error}"
