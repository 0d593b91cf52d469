"""Filled-in sheets.  In: a CSV or XLSX file.  Out: rows of text with the place where they stand.

Spreadsheets reorder rows, choose other delimiters and encodings, and write numbers for words; what
they did is undone where it can be, and named where it cannot.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import islice
from pathlib import Path

from finassay.errors import EncodingError, InputError, MappingError, MissingExtraError
from finassay.runs.importers._delimited import delimited_rows, read_header
from finassay.runs.importers._opening import effective_encoding, open_bytes, open_text
from finassay.runs.importers._rows import BadRow, Row
from finassay.study.adjudication.cells import xml_unescaped
from finassay.study.adjudication.sheets import LABEL, SHEET, UNIT

NEEDED = (UNIT, LABEL, SHEET)
"""Columns by which a table is known as a sheet."""

FALLBACK = "cp1252"
"""Encoding that Western spreadsheets write when nobody asks for another."""

HEADER_ROWS = 20
"""Rows in which the header is looked for."""

MOST_BYTES = 1 << 30
"""Most bytes that a workbook may unpack to."""

_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*ref="([A-Z0-9:]+)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFile:
    """A file that was read.

    Attributes:
        name: its name, for messages.
        digest: SHA-256 of its bytes.
        columns: titles as they stand, without spaces at the ends, lower case.
        rows: rows by title, with the line (CSV) or row (XLSX) where they stand.
        bad: rows that cannot be read.
        codec: encoding where it is not Unicode, so that letters may be lost; else None.
    """

    name: str
    digest: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    bad: tuple[BadRow, ...]
    codec: str | None = None


def read_sheet_file(path: str | Path, *, encoding: str = "utf-8") -> SheetFile:
    """Return the rows of a filled-in sheet, CSV or XLSX by its first bytes.

    Args:
        path: the file.
        encoding: of a CSV file; a byte-order mark wins, and what is not UTF-8 is read as cp1252.

    Raises:
        InputError: it cannot be read, or is empty.
        MappingError: it is no sheet: needed columns are missing, or one stands twice.
        MissingExtraError: it is XLSX and openpyxl is not installed.
    """
    where = Path(path)
    with open_bytes(where) as opened:
        raw = opened.stream.read(4)
        is_workbook = raw.startswith(b"PK\x03\x04")
    digest = hashlib.sha256(where.read_bytes()).hexdigest()
    if raw.startswith(b"\xd0\xcf\x11\xe0"):
        raise InputError(
            f"{where}: this is a workbook of the old format (.xls), or one with a password; save "
            f"it as .xlsx without a password, or as CSV"
        )
    if is_workbook:
        columns, rows, bad = _read_xlsx(where)
        return SheetFile(name=where.name, digest=digest, columns=columns, rows=rows, bad=bad)
    try:
        codec = effective_encoding(where, encoding)
        columns, rows, bad = _read_csv(where, codec)
    except EncodingError:
        if encoding != "utf-8":
            raise
        codec = FALLBACK
        columns, rows, bad = _read_csv(where, codec)
    is_unicode = codec.replace("_", "-").startswith("utf")
    return SheetFile(
        name=where.name,
        digest=digest,
        columns=columns,
        rows=rows,
        bad=bad,
        codec=None if is_unicode else codec,
    )


_Read = tuple[tuple[str, ...], tuple[Row, ...], tuple[BadRow, ...]]


def _read_csv(path: Path, codec: str) -> _Read:
    with open_bytes(path) as opened, open_text(opened, codec) as text:
        header, delimiter, lines = read_header(text, path.name, None)
        columns = _titles(header, path.name)
        rows, bad = [], []
        for row in delimited_rows(
            text, file=path.name, delimiter=delimiter, columns=list(columns), header=lines
        ):
            if isinstance(row, BadRow):
                bad.append(row)
            elif any(str(cell or "").strip() for cell in row.values.values()):
                rows.append(row)
    return columns, tuple(rows), tuple(bad)


def _titles(header: Iterable[str], file: str) -> tuple[str, ...]:
    titles = tuple(" ".join(title.split()).casefold() for title in header)
    missing = [name for name in NEEDED if name not in titles]
    if missing:
        raise MappingError(
            f"{file}: a sheet has the columns {', '.join(NEEDED)}, missing is "
            f"{', '.join(missing)}; found {list(titles)!r}; restore the header that the sheet had"
        )
    twice = sorted({name for name in titles if name and titles.count(name) > 1})
    if twice:
        raise MappingError(
            f"{file}: columns must have different names, got {twice[0]!r} more than once; rename "
            f"or remove one"
        )
    return titles


def _read_xlsx(path: Path) -> _Read:
    try:
        import openpyxl  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtraError(
            f"{path}: XLSX sheets need the package 'openpyxl', which cannot be imported ({error}); "
            f"install it with: pip install 'finassay[sheets]', or save the sheet as CSV"
        ) from error
    bad = list(_merged(path))
    try:
        with path.open("rb") as raw:
            book = openpyxl.load_workbook(raw, read_only=True, keep_links=False)
            for tab in book.worksheets:
                found = _tab(tab.iter_rows(values_only=True), path.name)
                if found is not None:
                    return found[0], found[1], (*bad, *found[2])
    except (zipfile.BadZipFile, KeyError, OSError, SyntaxError, TypeError, ValueError) as error:
        raise InputError(
            f"{path}: the workbook cannot be read ({type(error).__name__}: {error}); open it, save "
            f"it again as .xlsx, or as CSV"
        ) from error
    raise MappingError(
        f"{path}: no worksheet has the columns {', '.join(NEEDED)} in its first {HEADER_ROWS} "
        f"rows; expected a sheet that `finassay adjudicate sheet` wrote"
    )


def _merged(path: Path) -> Iterator[BadRow]:
    """Yield merged cells: all of them but the first lose what they held."""
    try:
        with zipfile.ZipFile(path) as packed:
            if sum(one.file_size for one in packed.infolist()) > MOST_BYTES:
                raise InputError(
                    f"{path}: the workbook unpacks to more than {MOST_BYTES} bytes, which no "
                    f"sheet does; expected a sheet that `finassay adjudicate sheet` wrote"
                )
            for name in packed.namelist():
                if name.startswith("xl/worksheets/") and name.endswith(".xml"):
                    for ref in _MERGED.findall(packed.read(name)):
                        cells = ref.decode("ascii")
                        line = int("".join(filter(str.isdigit, cells.partition(":")[0])) or 0)
                        yield BadRow(
                            file=path.name,
                            line=line,
                            reason=f"the cells {cells} are merged and hide labels; unmerge them",
                        )
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError) as error:
        raise InputError(
            f"{path}: the workbook is damaged or locked ({error}); save it again without a password"
        ) from error


def _tab(cells: Iterable[Sequence[object]], file: str) -> _Read | None:
    lines = enumerate(cells, 1)
    for _, header in islice(lines, HEADER_ROWS):
        titles = [" ".join(_cell_text(cell).split()).casefold() for cell in header]
        if set(NEEDED) <= set(titles):
            break
    else:
        return None
    columns = _titles((title for title in titles if title), file)
    places = [at for at, title in enumerate(titles) if title]
    rows = []
    for line, found in lines:
        texts = [_cell_text(found[at]) if at < len(found) else "" for at in places]
        if any(text.strip() for text in texts):
            rows.append(Row(file, line, dict(zip(columns, texts, strict=True))))
    return columns, tuple(rows), ()


def _cell_text(cell: object) -> str:
    """Return what stands in a cell as text: a number without a needless fraction."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return xml_unescaped(cell)
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        return f"{cell:.15g}"
    if isinstance(cell, datetime | date | time):
        return cell.isoformat()
    return str(cell)
