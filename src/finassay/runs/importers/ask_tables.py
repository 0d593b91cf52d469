"""Tables of printed ask-or-proceed metrics.  In: a CSV file.  Out: its cells as printed."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from finassay.errors import InputError, MappingError

ALIASES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "ERA": ("era", "evidencerequestalignment"),
        "BAcc": ("bacc", "balancedaccuracy", "balancedrecordedactionagreement"),
        "AskR": ("askr", "askrecall", "recordedaskrecall"),
        "ProceedR": ("proceedr", "proceedrecall"),
        "RAA": ("raa", "recordedactionagreement"),
        "CRA": ("cra", "conditionalrequestalignment"),
        "DEH": ("deh", "directevidencehit"),
        "REH": ("reh", "relevantevidencehit"),
    }
)
"""Metric -> the column names, without case, spaces and marks, under which it is known."""

SYSTEM_NAMES = ("model", "system", "name", "configuration")
NEEDED = ("ERA", "BAcc", "AskR", "ProceedR")
"""Columns without which a table is not one of ask-or-proceed metrics."""

DASHES = frozenset({"", "-", "–", "—", "n/a", "na"})
EVALUATOR_MARK = "†"
"""Behind a name: this row evaluated the requests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskTableRow:
    """One row: cells as printed, None for a dash, by metric."""

    system: str
    cells: Mapping[str, str | None]
    is_evaluator: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AskTable:
    """A table of printed metrics, rows in the order of the file."""

    name: str
    rows: tuple[AskTableRow, ...]


def is_ask_table(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a CSV whose header names the metrics of an ask table."""
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            header = next(csv.reader(file), [])
    except (OSError, UnicodeDecodeError, csv.Error):
        return False
    return set(NEEDED) <= set(_columns(header))


def read_ask_table(path: str | os.PathLike[str], *, encoding: str = "utf-8-sig") -> AskTable:
    """Return a table of printed metrics.

    Args:
        path: a CSV file with a column of system names and one for each metric.
        encoding: a Python codec name.

    Raises:
        InputError: the file cannot be read, a row is short, or a system stands twice.
        MappingError: a column that is needed is missing.
    """
    file = Path(path)
    try:
        text = file.read_text(encoding=encoding)
    except (OSError, UnicodeDecodeError, LookupError) as error:
        raise InputError(
            f"{str(file)!r}: the table cannot be read: {error}; name a CSV table in UTF-8"
        ) from error
    return parse_ask_table(text, name=file.name)


def parse_ask_table(text: str, *, name: str) -> AskTable:
    """Return the table that a CSV text holds; see `read_ask_table`.

    Raises:
        InputError: a row is not what a table of these metrics holds, or a system stands twice.
        MappingError: a column that is needed is missing.
    """
    listed = list(csv.reader(io.StringIO(text, newline="")))
    header = listed[0] if listed else []
    columns = _columns(header)
    missing = [metric for metric in NEEDED if metric not in columns]
    if missing:
        raise MappingError(
            f"{name}:1: a table of ask-or-proceed metrics needs the columns {', '.join(NEEDED)}; "
            f"{', '.join(missing)} missing among {header!r}"
        )
    at = _system_column(header, columns, name)
    rows = [
        _row(cells, (at, columns), f"{name}:{line}", len(header))
        for line, cells in enumerate(listed[1:], start=2)
        if any(cell.strip() for cell in cells)
    ]
    names = [row.system for row in rows]
    twice = sorted({system for system in names if names.count(system) > 1})
    if twice:
        raise InputError(f"{name}: the system {twice[0]!r} stands in two rows; keep one")
    return AskTable(name=name, rows=tuple(rows))


def _plain(text: str) -> str:
    return re.sub(r"[^a-z]", "", text.casefold())


def _columns(header: list[str]) -> dict[str, int]:
    """Return the place of each known metric; a note in brackets, as in "AskR (%)", is ignored."""
    plain = [_plain(cell.partition("(")[0]) for cell in header]
    found = {}
    for metric, names in ALIASES.items():
        places = [at for at, cell in enumerate(plain) if cell in names]
        if places:
            found[metric] = places[0]
    return found


def _system_column(header: list[str], columns: Mapping[str, int], name: str) -> int:
    plain = [_plain(cell) for cell in header]
    for word in SYSTEM_NAMES:
        if word in plain:
            return plain.index(word)
    rest = [at for at in range(len(header)) if at not in columns.values()]
    if not rest:
        raise MappingError(
            f"{name}:1: no column names the systems among {header!r}"
            "; call the column of names system"
        )
    return rest[0]


def _row(
    cells: list[str], where: tuple[int, Mapping[str, int]], place: str, width: int
) -> AskTableRow:
    if len(cells) != width:
        raise InputError(f"{place}: expected {width} cells, got {len(cells)}: {cells!r}")
    at, columns = where
    written = cells[at].strip()
    return AskTableRow(
        system=written.removesuffix(EVALUATOR_MARK).strip(),
        cells={
            metric: None if cells[place_].strip().casefold() in DASHES else cells[place_].strip()
            for metric, place_ in columns.items()
        },
        is_evaluator=written.endswith(EVALUATOR_MARK),
    )
