"""Spreadsheets from outside.  In: an XLSX file that nobody vouches for.  Out: one object a row.

What a cell says must be what its author typed.  A formula says nothing until somebody computes it,
and a number under a format (5%, a date, a currency) is stored as another number than it shows:
such cells are told, by row and column, and never guessed at.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from finassay.errors import InputError, MissingExtraError
from finassay.runs.importers._rows import BadRow

MOST_PARTS = 2_000
"""Parts of an archive; a workbook of one sheet has about ten."""

_CHUNK = 1 << 18
_PLAIN_FORMATS = frozenset({"General", "0", "@"})
_DECLARATIONS = (b"<!DOCTYPE", b"<!ENTITY")
_OVERLAP = 16
_LOOKED_AT = 50
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)


def rows_of_workbook(
    path: Path, out: Path, *, file: str, expanded_bytes: int, rows: int
) -> list[BadRow]:
    """Write the rows of a workbook's one sheet as JSON Lines, and return those that cannot be used.

    Line n of `out` is row n of the sheet, so that errors in it name rows of the sheet; the line of
    the header, and those of blank rows and of bad ones, are blank.

    Args:
        path: the workbook.
        out: where the lines go.
        file: name of the workbook for errors.
        expanded_bytes: most bytes of its parts once they are unpacked.
        rows: most rows.

    Raises:
        InputError: it is no workbook, unpacks to more than it may, has several sheets with rows or
            more rows than it may, or its header cannot be used.
        MissingExtraError: openpyxl is not installed.
    """
    _require_sound(path, file, expanded_bytes)
    bad: list[BadRow] = []
    with out.open("w", encoding="utf-8") as lines:
        for number, cells in enumerate(_cells(path, file), start=1):
            if number > rows + 1:
                raise InputError(
                    f"{file}: the sheet has more than {rows:,} rows; expected at most so many; "
                    f"split it"
                )
            if number == 1:
                columns = _header(cells, file)
                lines.write("\n")
                continue
            values, trouble = _row(columns, cells, number)
            if trouble:
                bad.append(BadRow(file=file, line=number, reason=trouble))
            lines.write("\n" if trouble or not values else json.dumps(values) + "\n")
    return bad


def _require_sound(path: Path, file: str, expanded_bytes: int) -> None:
    """Unpack every part without keeping it, and raise where it is more than it may be.

    What an archive says of its sizes is not believed.

    Raises:
        InputError: it is no archive, too large, or declares entities.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
            if len(parts) > MOST_PARTS:
                raise InputError(
                    f"{file}: the workbook holds {len(parts):,} parts, expected at most "
                    f"{MOST_PARTS:,}; save it anew"
                )
            left = expanded_bytes
            for part in parts:
                with archive.open(part) as stream:
                    left -= _unpacked(stream, file, left)
    except _UNREADABLE as error:
        raise InputError(
            f"{file}: this is no XLSX workbook that can be read ({error}); save it anew as .xlsx, "
            f"without a password, or as CSV in UTF-8"
        ) from error


def _unpacked(stream: IO[bytes], file: str, left: int) -> int:
    total, tail = 0, b""
    while chunk := stream.read(_CHUNK):
        total += len(chunk)
        if total > left:
            raise InputError(
                f"{file}: the workbook unpacks to more than it may; expected less, as an archive "
                f"that grows on opening can fill a machine; split it, or save it as CSV"
            )
        seen = tail + chunk
        if any(mark in seen for mark in _DECLARATIONS):
            raise InputError(
                f"{file}: a part of the workbook declares a document type or entities, which no "
                f"spreadsheet needs; save it anew as .xlsx"
            )
        tail = chunk[-_OVERLAP:]
    return total


def _cells(path: Path, file: str) -> Iterator[Sequence[Any]]:
    """Yield the rows of the only sheet that has any, from the first row of the sheet on."""
    try:
        import openpyxl  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtraError(
            f"{file}: XLSX files need the package 'openpyxl', which cannot be imported ({error}); "
            f"install it with `pip install finassay[sheets]`, or save the sheet as CSV in UTF-8"
        ) from error
    from xml.etree.ElementTree import ParseError  # noqa: PLC0415 - parts were looked through

    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=False, keep_links=False)
        try:
            filled = [sheet for sheet in book.worksheets if _has_rows(sheet)]
            if len(filled) != 1:
                names = [sheet.title for sheet in filled]
                raise InputError(
                    f"{file}: expected one sheet with rows, got {len(filled)}: {names!r}; keep one"
                )
            yield from filled[0].iter_rows()
        finally:
            book.close()
    except (*_UNREADABLE, ParseError, KeyError, ValueError, TypeError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{file}: the workbook is damaged ({error}); save it anew as .xlsx, or as CSV in UTF-8"
        ) from error


def _has_rows(sheet: Any) -> bool:  # noqa: ANN401 - openpyxl has no types
    rows = sheet.iter_rows(max_row=_LOOKED_AT, values_only=True)
    return any(value is not None for row in rows for value in row)


def _header(cells: Sequence[Any], file: str) -> dict[int, str]:
    """Return the column name at each place that has one."""
    named = {at: str(cell.value).strip() for at, cell in enumerate(cells) if cell.value is not None}
    if not named:
        raise InputError(f"{file}: row 1 is empty; expected the names of columns there")
    twice = sorted({name for name in named.values() if list(named.values()).count(name) > 1})
    if twice:
        raise InputError(
            f"{file}: row 1: columns must have different names, got {twice!r} more than once"
        )
    return named


def _row(columns: dict[int, str], cells: Sequence[Any], number: int) -> tuple[dict[str, str], str]:
    """Return what a row says by column, and what is wrong with it."""
    values: dict[str, str] = {}
    for at, cell in enumerate(cells):
        if cell.value is None:
            continue
        if at not in columns:
            return {}, f"there is a cell beyond the columns that row 1 names: {_place(at, number)}"
        text, trouble = _said(cell)
        if trouble:
            return {}, f"cell {_place(at, number)} ({columns[at]!r}) {trouble}"
        values[columns[at]] = text
    return values, ""


def _place(at: int, number: int) -> str:
    letters = ""
    rest = at + 1
    while rest:
        rest, digit = divmod(rest - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return f"{letters}{number}"


def _said(cell: Any) -> tuple[str, str]:  # noqa: ANN401 - openpyxl has no types
    """Return the text of a cell, and what is wrong with it."""
    value, kind = cell.value, cell.data_type
    if kind == "f":
        return "", "holds a formula; paste it as a value"
    if kind == "e":
        return "", f"holds the error {value!r}; correct it"
    if isinstance(value, bool):
        return ("true" if value else "false"), ""
    if isinstance(value, str):
        return value, ""
    shown = str(cell.number_format)
    if isinstance(value, int | float) and shown in _PLAIN_FORMATS:
        return str(int(value) if float(value).is_integer() else value), ""
    return "", (
        f"is a number or a date shown in the format {shown!r}, so what it says is not what is "
        f"stored ({value}); make the column text, and type the answer as it is to be read"
    )
