"""What documents are.  In: side tables and front matter.  Out: fields of documents, and problems.

A side table (CSV or JSON) has one row for each document, found by its file name or the name without
its ending.  Columns have their own names, or those that published tables of circulars use.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from finassay.errors import InputError, MappingError
from finassay.retrieval.encodings import decoded
from finassay.retrieval.records import Problem
from finassay.text.dates import read_dates

KEYS = ("document_id", "filename", "file", "document", "path", "name")
"""Columns that say which document a row is about, the first that is there."""

FIELDS: Mapping[str, tuple[str, ...]] = {
    "title": ("title",),
    "regulator": ("regulator", "source", "issuer", "authority"),
    "regulation": ("regulation",),
    "date": ("date", "issued", "date_of_issue"),
    "in_force_from": ("in_force_from", "effective_from", "effective_date"),
    "in_force_until": ("in_force_until", "effective_until", "repealed_on"),
    "encoding": ("encoding",),
    "url": ("url",),
}
"""Fields, each with the columns that it is read from, the first that is there."""

DATES = ("date", "in_force_from", "in_force_until")

_FRONT = re.compile(
    r"\A\ufeff?---[ \t]*\r?\n(.{0,20000}?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL
)
_LINE = re.compile(r"([A-Za-z][\w -]{0,40}):[ \t]*(.*)\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """What is said of one document, as it is written."""

    where: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return a field, "" where nothing is said."""
        return self.fields.get(name, "")

    def day(self, name: str) -> tuple[dt.date | None, Problem | None]:
        """Return a field as a day, or what is wrong with it."""
        written = self.text(name)
        found = day_of(written)
        if found is not None or not written:
            return found, None
        return None, Problem(
            where=self.where,
            what=f"the {name.replace('_', ' ')} cannot be read",
            expected="one day, as 2024-03-31, 31 March 2024 or Mar 31, 2024",
            got=repr(written[:80]),
            advice="correct it, or leave it empty",
            is_loaded=True,
        )


NOTHING = Details()


@dataclass(frozen=True, slots=True, kw_only=True)
class SideTable:
    """Details by document.

    Attributes:
        by_name: under the key as it is written, and under its file name.
        by_stem: under the file name without its ending.
    """

    by_name: Mapping[str, Details] = field(default_factory=dict)
    by_stem: Mapping[str, Details] = field(default_factory=dict)

    def of(self, document_id: str) -> Details:
        """Return what is said of a document."""
        name = PurePosixPath(document_id).name
        for table, key in (
            (self.by_name, document_id), (self.by_name, name), (self.by_stem, _stem(name))
        ):  # fmt: skip
            if key in table:
                return table[key]
        return NOTHING


def read_side_tables(paths: Iterable[Path]) -> SideTable:
    """Return what side tables say; of two rows for a document, the first counts.

    Raises:
        InputError: a table cannot be read.
        MappingError: no column says which document a row is about.
    """
    by_name: dict[str, Details] = {}
    by_stem: dict[str, Details] = {}
    for path in paths:
        for number, row in enumerate(_rows(path), start=1):
            key = _key(row, path)
            details = Details(where=f"{path.name} row {number} ({key})", fields=_fields(row))
            name = PurePosixPath(key.replace("\\", "/")).name
            by_name.setdefault(key, details)
            by_name.setdefault(name, details)
            by_stem.setdefault(_stem(name), details)
    return SideTable(by_name=by_name, by_stem=by_stem)


def front_matter(text: str, *, where: str) -> tuple[Details, str]:
    """Return what the lines between "---" at the start of a text say, and the text behind them.

    Lines are "field: value"; anything else is no front matter, and stays part of the text.
    """
    found = _FRONT.match(text)
    lines = [line for line in found[1].splitlines() if line.strip()] if found else []
    matches = [_LINE.match(line) for line in lines]
    if found is None or not lines or not all(matches):
        return NOTHING, text
    row = {m[1].strip().lower().replace(" ", "_"): m[2].strip("\"' \t") for m in matches if m}
    return Details(where=where, fields=_fields(row)), text[found.end() :]


def merged_details(first: Details, second: Details) -> Details:
    """Return what the first says, and the second where the first says nothing."""
    said = {name: value for name, value in first.fields.items() if value}
    return Details(where=first.where or second.where, fields={**second.fields, **said})


def day_of(written: str) -> dt.date | None:
    """Return the day that a text names, and nothing else; day first where figures leave it open."""
    written = written.strip()
    found = [one for one in read_dates(written) if one.day is not None]
    if len(found) != 1 or found[0].year is None or found[0].month is None:
        return None
    one = found[0]
    rest = written[: one.start] + written[one.end :]
    if any(c.isalnum() for c in rest) and not _TIME.fullmatch(rest.strip()):
        return None
    try:
        return dt.date(found[0].year, found[0].month, found[0].day or 0)
    except ValueError:
        return None


_TIME = re.compile(r"T?\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?")


def _fields(row: Mapping[str, str]) -> dict[str, str]:
    found = {}
    for name, columns in FIELDS.items():
        said = [row[column] for column in columns if row.get(column)]
        found[name] = said[0].strip() if said else ""
    return found


def _key(row: Mapping[str, str], path: Path) -> str:
    for key in KEYS:
        if row.get(key):
            return row[key].strip()
    raise MappingError(
        f"{path}: expected a column that names the document of a row, one of {', '.join(KEYS)}; "
        f"got {', '.join(row) or 'no columns'}; rename the column that holds the file names"
    )


def _stem(name: str) -> str:
    return PurePosixPath(name).stem


def _rows(path: Path) -> Sequence[Mapping[str, str]]:
    try:
        text, _ = decoded(path.read_bytes(), where=str(path))
    except OSError as error:
        raise InputError(
            f"{path}: this side table cannot be opened: {error.strerror or error}; name a CSV or "
            f"JSON file that can be read"
        ) from error
    if path.suffix.lower() == ".json":
        return _json_rows(text, path)
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        return [
            {_column(name): value for name, value in row.items() if isinstance(value, str) and name}
            for row in reader
        ]
    except csv.Error as error:
        raise InputError(
            f"{path}: expected a table of comma-separated values: {error}; save it again as CSV"
        ) from error


def _json_rows(text: str, path: Path) -> Sequence[Mapping[str, str]]:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: expected JSON: {error}") from error
    if isinstance(read, dict):
        read = [{"filename": name, **row} for name, row in read.items() if isinstance(row, dict)]
    if not isinstance(read, list) or not all(isinstance(row, dict) for row in read):
        raise InputError(
            f"{path}: expected a list of objects, or an object with one for each document"
        )
    return [
        {_column(str(name)): str(value) for name, value in row.items() if value is not None}
        for row in read
    ]


def _column(name: str) -> str:
    return name.strip().lower().replace(" ", "_")
