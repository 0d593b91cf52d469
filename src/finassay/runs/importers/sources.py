"""Reading tables from outside.  In: a path.  Out: batches of rows in which all is text.

Nothing is converted: "NA", "No", "null", "007", "1e5" and " x " come through as they stand,
JSON numbers by the digits of the source.  A file is never held whole.
"""

from __future__ import annotations

import itertools
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TextIO, get_args

from finassay.errors import InputError, UsageError
from finassay.runs.importers._delimited import DELIMITERS, delimited_rows, read_header
from finassay.runs.importers._json import KEY_COLUMN, json_document, json_lines
from finassay.runs.importers._opening import (
    OpenFile,
    effective_encoding,
    is_gzipped,
    open_bytes,
    open_text,
)
from finassay.runs.importers._parquet import parquet_rows
from finassay.runs.importers._rows import BadRow, Progress, Row, Value, bad, snippet

__all__ = [
    "DELIMITERS",
    "KEY_COLUMN",
    "BadRow",
    "Batch",
    "Format",
    "Progress",
    "Reading",
    "Row",
    "Value",
    "bad",
    "read_records",
    "snippet",
]

Format = Literal["csv", "tsv", "jsonl", "json", "parquet"]
FORMATS: tuple[Format, ...] = get_args(Format)

_SUFFIXES: dict[str, Format] = {
    ".csv": "csv",
    ".txt": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_BATCH_ROWS = 5_000
_BATCH_BYTES = 8 << 20
_LOOK_EVERY = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a file is read: its format, encoding and delimiter ("" where there is none)."""

    format: Format
    encoding: str = "utf-8"
    delimiter: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Some rows of a file, in order.

    Attributes:
        columns: names in the order of the header, or of first appearance in this batch.
        rows: what can be used.
        bad: what cannot, with reasons.
        bytes_done: bytes of the file read so far.
    """

    file: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    bad: tuple[BadRow, ...]
    reading: Reading
    bytes_done: int
    bytes_total: int


def format_of(path: Path) -> Format:
    """Return the format that the name of a file says.

    Raises:
        UsageError: the ending is not a known one.
    """
    stem = path.with_suffix("") if is_gzipped(path) else path
    known = _SUFFIXES.get(stem.suffix.lower())
    if known is None:
        raise UsageError(
            f"{path}: the ending must be one of {sorted(_SUFFIXES)} (and .gz), got "
            f"{stem.suffix!r}; say what it is with `finassay import --format`"
        )
    return known


def read_records(
    path: str | Path,
    *,
    encoding: str = "utf-8",
    format: Format | None = None,  # noqa: A002 - the word a user would look for
    delimiter: str | None = None,
    progress: Progress | None = None,
) -> Iterator[Batch]:
    r"""Return the batches of a CSV, TSV, JSONL, JSON or Parquet file, read as they are asked for.

    Text is UTF-8 unless said otherwise; a byte-order mark is honoured.  CSV follows RFC 4180 with
    any of \n, \r\n and \r as line ends; its delimiter is the one of comma, semicolon, tab and bar
    that splits the header into most fields.

    Args:
        path: the file; a name ending in .gz is uncompressed on the way.
        encoding: a Python codec name.
        format: what the file is, where its ending does not say.
        delimiter: what separates fields, where the header does not say.
        progress: called after each batch with bytes done and bytes in all.

    Raises:
        InputError: the file is missing, empty, has no rows, or is damaged.
        EncodingError: bytes are not text in this encoding.
        MappingError: two columns have one name.
        UsageError: an option is not one of those there are.
    """
    where = Path(path)
    kind = format or format_of(where)
    if kind not in FORMATS:
        raise UsageError(f"`format` must be one of {FORMATS}, got {kind!r}")
    if delimiter is not None and delimiter not in DELIMITERS:
        raise UsageError(f"`delimiter` must be one of {DELIMITERS}, got {delimiter!r}")
    if kind == "parquet":
        reading = Reading(format=kind, encoding="")
    else:
        mark = "\t" if kind == "tsv" and delimiter is None else delimiter or ""
        reading = Reading(format=kind, encoding=effective_encoding(where, encoding), delimiter=mark)
    return _batches(where, reading, progress)


def _batches(path: Path, reading: Reading, progress: Progress | None) -> Iterator[Batch]:
    count = 0
    # The inner generator is closed first, so that an abandoned reading lets go of its file.
    with open_bytes(path) as opened, closing(_opened_batches(opened, reading)) as made:
        for batch in made:
            count += len(batch.rows) + len(batch.bad)
            if progress is not None:
                progress(batch.bytes_done, batch.bytes_total)
            yield batch
        if not count:
            raise InputError(f"{path}: there are no rows in the file; expected at least one")
        if progress is not None:
            progress(opened.bytes_total, opened.bytes_total)


def _opened_batches(opened: OpenFile, reading: Reading) -> Generator[Batch, None, None]:
    if reading.format == "parquet":
        rows = parquet_rows(opened.path, file=opened.path.name)
        yield from _grouped(rows, opened, reading, None)
        return
    with open_text(opened, reading.encoding) as text:
        yield from _parsed(text, opened, reading)


def _parsed(text: TextIO, opened: OpenFile, reading: Reading) -> Iterator[Batch]:
    file = opened.path.name
    if reading.format == "jsonl":
        return _grouped(json_lines(text, file=file), opened, reading, None)
    if reading.format == "json":
        return _grouped(json_document(text, file=file), opened, reading, None)
    columns, delimiter, header = read_header(text, file, reading.delimiter or None)
    rows = delimited_rows(text, file=file, delimiter=delimiter, columns=columns, header=header)
    return _grouped(rows, opened, replace(reading, delimiter=delimiter), tuple(columns))


def _grouped(
    records: Iterator[Row | BadRow],
    opened: OpenFile,
    reading: Reading,
    columns: tuple[str, ...] | None,
) -> Iterator[Batch]:
    for group in _groups(records, opened):
        rows = tuple(record for record in group if isinstance(record, Row))
        yield Batch(
            file=opened.path.name,
            columns=_columns(rows) if columns is None else columns,
            rows=rows,
            bad=tuple(record for record in group if isinstance(record, BadRow)),
            reading=reading,
            bytes_done=opened.bytes_done,
            bytes_total=opened.bytes_total,
        )


def _groups(records: Iterator[Row | BadRow], opened: OpenFile) -> Iterator[list[Row | BadRow]]:
    """Yield lists bounded in rows and in bytes, so that long texts do not fill the memory."""
    group: list[Row | BadRow] = []
    begin = opened.bytes_done
    while True:
        some = list(itertools.islice(records, _LOOK_EVERY))
        group.extend(some)
        is_end = len(some) < _LOOK_EVERY
        if is_end or len(group) >= _BATCH_ROWS or opened.bytes_done - begin >= _BATCH_BYTES:
            if group:
                yield group
            if is_end:
                return
            group, begin = [], opened.bytes_done


def _columns(rows: tuple[Row, ...]) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row.values))
    return tuple(names)
