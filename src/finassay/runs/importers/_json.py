"""JSON in its shapes.  In: text.  Out: rows in which numbers keep the digits of the source."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TextIO

from finassay.errors import InputError
from finassay.runs.importers._rows import BadRow, Row, Value, snippet

KEY_COLUMN = "_key"
"""Column that holds the key of each record of an object of objects."""

_CHUNK = 1 << 18
_TOO_DEEP = "nested too deeply to be read"
MAX_RECORD_CHARACTERS = 256 * 1024 * 1024


class Literal(str):
    """A number, NaN or Infinity, as its characters stand in the source."""

    __slots__ = ()


def is_json_number(value: object) -> bool:
    """Whether a field was a number, and not a string of digits, in a JSON source."""
    return isinstance(value, Literal)


class _Object(dict[str, object]):
    """An object that remembers a key it held twice."""

    repeated: str | None = None


def _object(members: list[tuple[str, object]]) -> _Object:
    made = _Object(members)
    if len(made) != len(members):
        seen: set[str] = set()
        for key, _ in members:
            if key in seen:
                made.repeated = key
            seen.add(key)
    return made


# strict=False admits raw control characters in strings: they are kept, like everything else.
_DECODER = json.JSONDecoder(
    parse_float=Literal,
    parse_int=Literal,
    parse_constant=Literal,
    object_pairs_hook=_object,
    strict=False,
)


def _dump(value: object) -> str:
    if isinstance(value, Literal):
        return str(value)
    if isinstance(value, dict):
        inner = ", ".join(f"{_dump(key)}: {_dump(item)}" for key, item in value.items())
        return "{" + inner + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_dump(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def as_value(value: object) -> Value:
    """Return a JSON value as text: numbers by their digits, null as None, booleans in words.

    A list of scalars stays a list; anything nested becomes its JSON text.
    """
    if value is None:
        return None
    if isinstance(value, str):
        # A literal stays one: readers can ask `is_json_number`.
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list) and all(isinstance(item, str | bool) for item in value):
        return [_dump(item) if isinstance(item, bool) else str(item) for item in value]
    return _dump(value)


def _record(value: object, file: str, line: int, raw: str, key: str | None) -> Row | BadRow:
    """Return the row of a record; what was read at some depth may be too deep to be written."""
    try:
        return _row(value, file, line, raw, key)
    except RecursionError:
        return BadRow(file=file, line=line, reason=_TOO_DEEP, snippet=snippet(raw))


def _row(value: object, file: str, line: int, raw: str, key: str | None) -> Row | BadRow:
    reason = ""
    if not isinstance(value, _Object):
        reason = f"expected an object, got {snippet(_dump(value))!r}"
    elif value.repeated is not None:
        reason = f"the key {value.repeated!r} stands twice in the object"
    elif r"\ud" in raw.lower() and not is_writable(_dump(value)):
        reason = "half of a surrogate pair stands alone, which no UTF-8 file can hold"
    if reason or not isinstance(value, _Object):
        return BadRow(file=file, line=line, reason=reason, snippet=snippet(raw))
    values = {name: as_value(item) for name, item in value.items()}
    if key is not None:
        values.setdefault(KEY_COLUMN, key)
    return Row(file, line, values)


def is_writable(text: str) -> bool:
    """Return whether UTF-8 can hold the text: half of a surrogate pair it cannot."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def json_lines(text: TextIO, *, file: str) -> Iterator[Row | BadRow]:
    """Yield a row for each line that holds an object, or a bad row; blank lines are passed over."""
    for number, line in enumerate(text, start=1):
        stripped = line.strip(" \t\r\n")
        if not stripped:
            continue
        try:
            value = _DECODER.decode(stripped)
        except json.JSONDecodeError as error:
            reason = f"not JSON: {error.msg} at character {error.pos + 1}"
            yield BadRow(file=file, line=number, reason=reason, snippet=snippet(stripped))
        except RecursionError:
            yield BadRow(file=file, line=number, reason=_TOO_DEEP, snippet=snippet(stripped))
        else:
            yield _record(value, file, number, stripped, None)


class _Window:
    """A moving window over JSON text, so that a long array is never held whole."""

    def __init__(self, text: TextIO, file: str) -> None:
        self._text = text
        self._file = file
        self._buffer = ""
        self._at = 0
        self._base = 0
        self._ended = False

    def _refill(self) -> None:
        kept = self._buffer[self._at :]
        self._base += self._at
        # Twice what is there, so that one long record costs linear and not quadratic time.
        more = self._text.read(max(_CHUNK, len(kept)))
        self._ended = not more
        self._buffer = kept + more
        self._at = 0

    def peek(self) -> str:
        """Return the next character that is not white space, or "" at the end."""
        while True:
            while self._at < len(self._buffer):
                character = self._buffer[self._at]
                if character not in " \t\r\n":
                    return character
                self._at += 1
            if self._ended:
                return ""
            self._refill()

    def take(self, expected: str) -> None:
        """Step over one character that must stand here."""
        got = self.peek()
        if got != expected:
            raise self.error(f"expected {expected!r}, got {got or 'the end of the file'!r}")
        self._at += 1

    def value(self) -> tuple[object, str]:
        """Return the JSON value that begins here, with its text."""
        self.peek()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._buffer, self._at)
            except json.JSONDecodeError as error:
                if self._ended or len(self._buffer) - self._at > MAX_RECORD_CHARACTERS:
                    raise self.error(f"not JSON: {error.msg}", at=error.pos) from error
            except RecursionError as error:
                raise self.error(_TOO_DEEP) from error
            else:
                # A number at the edge of the window may go on behind it.
                if self._ended or end < len(self._buffer):
                    raw = self._buffer[self._at : end]
                    self._at = end
                    return value, raw
            self._refill()

    def error(self, message: str, at: int | None = None) -> InputError:
        """Return an error that says where in the file it arose."""
        place = self._base + (self._at if at is None else at) + 1
        return InputError(
            f"{self._file}: character {place}: {message}; expected one JSON array or object "
            f"(for one object a line, use `finassay import --format jsonl`)"
        )


def json_document(text: TextIO, *, file: str) -> Iterator[Row | BadRow]:
    """Yield the records of an array of objects, an object of objects, or {"data": [...]}.

    Raises:
        InputError: the text is not JSON, is cut short, or has another shape.
    """
    window = _Window(text, file)
    first = window.peek()
    if first == "[":
        yield from _array(window, file)
    elif first == "{":
        yield from _members(window, file)
    elif not first:
        raise InputError(f"{file}: the file is empty: no rows; expected a JSON array or object")
    else:
        raise window.error(f"expected '[' or '{{', got {first!r}")
    if window.peek():
        raise window.error("there is more after the end of the document")


def _array(window: _Window, file: str) -> Iterator[Row | BadRow]:
    window.take("[")
    number = 0
    while window.peek() != "]":
        if number:
            window.take(",")
        number += 1
        value, raw = window.value()
        yield _record(value, file, number, raw, None)
    window.take("]")


def _members(window: _Window, file: str) -> Iterator[Row | BadRow]:
    """Yield the records of a top-level object: those of its one array, or its own members."""
    array_key: str | None = None
    waiting: Row | BadRow | None = None
    number = 0
    is_map = False
    window.take("{")
    while window.peek() != "}":
        number += 1
        if number > 1:
            window.take(",")
        key = str(window.value()[0])
        window.take(":")
        if window.peek() == "[":
            if array_key is not None or is_map:
                raise window.error(f"{key!r} is a second place with records, after {array_key!r}")
            array_key, waiting = key, None
            yield from _array(window, file)
            continue
        value, raw = window.value()
        if array_key is not None or not isinstance(value, _Object):
            continue
        if waiting is not None:
            # A single object before an array is a heading; two objects are records.
            is_map = True
            yield waiting
        waiting = _record(value, file, number, raw, key)
    window.take("}")
    if waiting is not None:
        yield waiting
