"""CSV and its relatives.  In: text with its line ends.  Out: rows of untouched strings."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import TextIO

from finassay.errors import EncodingError, InputError, MappingError
from finassay.runs.importers._rows import BadRow, Row, snippet

DELIMITERS: tuple[str, ...] = (",", ";", "\t", "|")
"""What may separate fields; nothing else is guessed."""

MAX_FIELD_CHARACTERS = 256 * 1024 * 1024
_MAX_HEADER_LINES = 1000

MAX_COLUMNS = 16_384
"""Columns of the widest sheet that spreadsheets write."""


class _Lines:
    """The lines of a text, with the last one kept for the messages."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self.last = ""

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        self.last = next(self._lines)
        return self.last


def read_header(text: TextIO, file: str, delimiter: str | None) -> tuple[list[str], str, list[str]]:
    """Return the column names, the delimiter and the lines read so far.

    Raises:
        InputError: the file is empty, its header cannot be read, or it has too many columns.
        MappingError: two columns have one name.
        EncodingError: the header holds NUL characters, as UTF-16 read as UTF-8 does.
    """
    lines = _header_lines(text, file)
    whole = "".join(lines)
    if "\x00" in whole:
        raise EncodingError(
            f"{file}: the header holds NUL characters, as UTF-16 without a byte-order mark does "
            f"when it is read as UTF-8; try `--encoding utf-16-le`"
        )
    chosen = delimiter or sniff_delimiter(lines, file)
    columns = _split(lines, chosen, file)
    if len(columns) > MAX_COLUMNS:
        raise InputError(
            f"{file}: line 1: expected at most {MAX_COLUMNS:,} columns, got {len(columns):,}; "
            f"leave only the columns that are needed"
        )
    twice = sorted(name for name, count in Counter(columns).items() if count > 1)
    if twice:
        raise MappingError(
            f"{file}: line 1: columns must have different names, got {twice!r} more than once; "
            f"rename them in the header"
        )
    return columns, chosen, lines


def _header_lines(text: TextIO, file: str) -> list[str]:
    lines: list[str] = []
    quotes = 0
    for line in text:
        lines.append(line)
        if not line.strip("\r\n"):
            continue
        quotes += line.count('"')
        if quotes % 2 == 0:
            return lines
        if len(lines) >= _MAX_HEADER_LINES:
            break
    if quotes:
        raise InputError(
            f"{file}: line 1: a quotation mark in the header is never closed, got "
            f"{snippet(''.join(lines))!r}; correct the header"
        )
    raise InputError(f"{file}: the file is empty: no header; expected column names in line 1")


def sniff_delimiter(header: list[str], file: str) -> str:
    """Return the delimiter that splits a header into most fields (a comma if none does).

    Raises:
        InputError: two delimiters split it into equally many fields.
    """
    widths = {mark: len(_split(header, mark, file)) for mark in DELIMITERS}
    most = max(widths.values())
    if most == 1:
        return ","
    best = [mark for mark, width in widths.items() if width == most]
    if len(best) > 1:
        raise InputError(
            f"{file}: line 1: the delimiter may be any of {best!r}, got "
            f"{snippet(''.join(header))!r}; say which with `finassay import --delimiter`"
        )
    return best[0]


def _split(header: list[str], delimiter: str, file: str) -> list[str]:
    try:
        # Blank lines may stand before the header.
        return next(record for record in csv.reader(header, delimiter=delimiter) if record)
    except csv.Error as error:
        raise InputError(
            f"{file}: line 1: the header cannot be read: {error}"
            "; correct line 1, or save the table as CSV again"
        ) from error


def delimited_rows(
    text: TextIO, *, file: str, delimiter: str, columns: list[str], header: list[str]
) -> Iterator[Row | BadRow]:
    """Yield a row for each record, or a bad row that says why it cannot be used.

    The line is the one in which the record begins.  Nothing is converted and no field is split at
    a Unicode line separator.
    """
    # The limit is one for the process, and the module has no other door to it.
    csv.field_size_limit(max(csv.field_size_limit(), MAX_FIELD_CHARACTERS))
    lines = _Lines(chain(header, text))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while not next(reader):
        pass
    width = len(columns)
    while True:
        begin = reader.line_num + 1
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            reason = _reason(error, begin, reader.line_num)
            yield BadRow(file=file, line=begin, reason=reason, snippet=snippet(lines.last))
            continue
        if len(record) == width:
            yield Row(file, begin, dict(zip(columns, record, strict=True)))
        elif record:
            yield BadRow(
                file=file,
                line=begin,
                reason=f"expected {width} fields, got {len(record)}",
                snippet=snippet(delimiter.join(record)),
            )


def _reason(error: csv.Error, begin: int, end: int) -> str:
    message = str(error)
    if "unexpected end of data" in message or "field larger" in message:
        return (
            f"a quoted field of the record that begins in line {begin} is never closed, so lines "
            f"{begin} to {end} cannot be read"
        )
    if end > begin:
        return f"lines {begin} to {end}: {message}"
    return message
