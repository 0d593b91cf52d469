"""References of several sources, from a table.  In: a file.  Out: items with turns and sources."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from finassay.errors import MappingError, UsageError
from finassay.runs.importers.options import BadRows
from finassay.runs.importers.sources import read_records
from finassay.runs.importers.values import as_text

ID_COLUMNS = ("item_id", "question_id", "id", "qid", "key")
TURN_COLUMNS = ("turn", "turn_id", "turn_number")
QUESTION_COLUMNS = ("question", "turns", "prompt", "questions", "query", "input")
SOURCE_WORDS = ("reference", "answer", "gold", "target", "solution")
"""A column whose name holds one of these words is a source of references."""

_NO_SOURCE = ("answer_type", "answer_format", "reference_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceTurn:
    """One turn of an item: its question, and its reference by source; "" where it is empty."""

    question: str
    references: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceItem:
    """An item with its turns, in order."""

    item_id: str
    turns: tuple[ReferenceTurn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Which columns hold what; "" where there is no such column.

    Attributes:
        item_id: of the id.
        question: of the question, or of the list of turns.
        turn: of the number of the turn, in tables of one row a turn.
        sources: columns of references; each is a source.
    """

    item_id: str
    question: str
    turn: str
    sources: tuple[str, ...]


def read_references(
    path: str | os.PathLike[str],
    *,
    sources: Sequence[str] = (),
    trusted: str = "",
    encoding: str = "utf-8",
) -> tuple[ReferenceItem, ...]:
    """Return the items of a CSV, JSONL, JSON or Parquet table of references.

    A field of references or questions may be a list with one entry a turn; or the table has a
    column of turns and one row for each.

    Args:
        path: the table.
        sources: columns of references; by default those whose names say so.
        trusted: a source that must be among them.
        encoding: a Python codec name.

    Raises:
        InputError: the file cannot be read.
        BadRowsError: a row cannot be read; what is not looked at is not found right.
        MappingError: a column that is needed is missing.
        UsageError: the trusted source is none of those that are read.
    """
    rows: list[Mapping[str, str | list[str] | None]] = []
    bad = BadRows()
    for batch in read_records(Path(path), encoding=encoding):
        rows += [row.values for row in batch.rows]
        for unusable in batch.bad:
            bad.add(unusable)
    bad.refuse(Path(path).name, "nothing was audited; correct them, or take them out of the file")
    names = tuple(dict.fromkeys(name for row in rows for name in row))
    columns = _columns(names, Path(path).name, tuple(dict.fromkeys(sources)))
    if trusted and trusted not in columns.sources:
        raise UsageError(
            f"--trusted must be a source, one of {list(columns.sources)}, got {trusted!r}"
        )
    turns: dict[str, list[ReferenceTurn]] = {}
    for number, row in enumerate(rows, start=1):
        item_id = as_text(row.get(columns.item_id)) or str(number)
        turns.setdefault(item_id, []).extend(_turns(row, columns))
    return tuple(ReferenceItem(item_id=key, turns=tuple(found)) for key, found in turns.items())


def _columns(names: Sequence[str], file: str, sources: Sequence[str]) -> Columns:
    plain = {name.lower(): name for name in names}

    def first(options: Iterable[str]) -> str:
        return next((plain[option] for option in options if option in plain), "")

    missing = [source for source in sources if source not in names]
    if missing:
        raise MappingError(
            f"{file}: no column {missing[0]!r}; there are {list(names)}; name one with --source"
        )
    found = tuple(sources) or tuple(
        name
        for name in names
        if any(word in name.lower() for word in SOURCE_WORDS) and name.lower() not in _NO_SOURCE
    )
    if not found:
        raise MappingError(
            f"{file}: no column of references among {list(names)}; expected a name with one of "
            f"{', '.join(SOURCE_WORDS)}, or --source COLUMN"
        )
    return Columns(
        item_id=first(ID_COLUMNS),
        question=first(QUESTION_COLUMNS),
        turn=first(TURN_COLUMNS),
        sources=found,
    )


def _turns(row: Mapping[str, str | list[str] | None], columns: Columns) -> list[ReferenceTurn]:
    fields = {name: _parts(row.get(name)) for name in (columns.question, *columns.sources) if name}
    n = max((len(parts) for parts in fields.values()), default=1)

    def part(name: str, at: int) -> str:
        parts = fields.get(name, [])
        return parts[at] if at < len(parts) else ""

    return [
        ReferenceTurn(
            question=part(columns.question, at),
            references=tuple((name, part(name, at)) for name in columns.sources),
        )
        for at in range(max(n, 1))
    ]


def _parts(value: str | list[str] | None) -> list[str]:
    """Return a field by turns."""
    return list(value) if isinstance(value, list) else [as_text(value)]
