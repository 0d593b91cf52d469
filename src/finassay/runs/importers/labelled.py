"""Replies that people labelled.  In: a table and the names of its columns.  Out: frozen rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from finassay.errors import BadRowsError, InputError, MappingError
from finassay.records import content_digest
from finassay.runs.importers._json import is_json_number
from finassay.runs.importers.sources import BadRow, Progress, Row, Value, bad, read_records
from finassay.runs.importers.values import as_text, is_number, read_number

REFERENCE_TYPE = "reference-type"
"""Stratum that needs no column: "number" or "text"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledColumns:
    """Which column of a table of labelled replies is what.

    Attributes:
        reference: the accepted answer.
        reply: what the system wrote, whole.
        label: what people said of the reply.
        group: rows with the same value are not independent, for instance the question.
        question: the question; "" where the table has none.
        strata: further columns to cut by.
    """

    reference: str
    reply: str
    label: str
    group: str
    question: str = ""
    strata: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledReply:
    """One reply with the label that people gave it.

    Attributes:
        row: line or number of the record in the table.
        reference: the accepted answer; None where the field is empty.
        is_number: whether the reference is a JSON number, or, outside JSON, reads as one.
        reply: the reply, whole.
        label: the label as it stands.
        group: value of the group column.
        question: the question, or "".
        strata: values of the stratum columns, in their order.
    """

    row: int
    reference: str | None
    is_number: bool
    reply: str
    label: str
    group: str
    question: str = ""
    strata: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledTable:
    """A table of labelled replies.

    Attributes:
        source: name of the file.
        columns: which column is what.
        rows: rows that can be used, in the order of the file.
        bad: rows that cannot, with reasons.
    """

    source: str
    columns: LabelledColumns
    rows: tuple[LabelledReply, ...]
    bad: tuple[BadRow, ...] = ()

    @property
    def digest(self) -> str:
        """Return the SHA-256 (64 digits) over references, replies, labels, groups, questions."""
        parts = (
            content_digest(row.reference or "", row.reply, row.label, row.group, row.question)
            for row in self.rows
        )
        return content_digest(*parts)

    def stratum(self, name: str) -> tuple[str, ...]:
        """Return the value of a stratum for every row.

        Raises:
            MappingError: the table has no such stratum.
        """
        if name == REFERENCE_TYPE and name not in self.columns.strata:
            return tuple("number" if row.is_number else "text" for row in self.rows)
        own = {f.name for f in fields(LabelledColumns) if getattr(self.columns, f.name) == name}
        for part in ("label", "group", "question", "reference"):
            if part in own:
                return tuple(str(getattr(row, part) or "") for row in self.rows)
        if name not in self.columns.strata:
            known = [REFERENCE_TYPE, self.columns.label, self.columns.group, *self.columns.strata]
            raise MappingError(f"{self.source}: no stratum {name!r}; there are {known!r}")
        at = self.columns.strata.index(name)
        return tuple(row.strata[at] for row in self.rows)


def read_labelled(
    path: str | Path,
    columns: LabelledColumns,
    *,
    encoding: str = "utf-8",
    strict: bool = False,
    progress: Progress | None = None,
) -> LabelledTable:
    """Return the labelled replies of a CSV, TSV, JSONL, JSON or Parquet table.

    Texts come through exactly as they stand.  A row without a label or a group is left out and
    listed; a row without a reference stays, and no rule can mark it.

    Args:
        path: the file.
        columns: which column is what.
        encoding: a Python codec name.
        strict: a row that cannot be used is an error.
        progress: called with bytes done and bytes in all.

    Raises:
        InputError: the file cannot be read, or none of its rows can be used.
        MappingError: a column is not there.
        BadRowsError: under `strict`, a row without a label or a group.
    """
    where = Path(path)
    rows: list[LabelledReply] = []
    unusable: list[BadRow] = []
    names: dict[str, None] = {}
    is_json = False
    for batch in read_records(where, encoding=encoding, progress=progress):
        unusable.extend(batch.bad)
        names.update(dict.fromkeys(batch.columns))
        is_json = batch.reading.format in ("json", "jsonl")
        for row in batch.rows:
            try:
                rows.append(_labelled(row, columns, is_json=is_json))
            except ValueError as error:
                unusable.append(bad(row, str(error)))
    # Columns of JSON Lines may first appear in a late record, so names are checked at the end.
    _check_columns(where, columns, names)
    _check_rows(where, rows, unusable, strict=strict)
    return LabelledTable(source=where.name, columns=columns, rows=tuple(rows), bad=tuple(unusable))


def _labelled(row: Row, columns: LabelledColumns, *, is_json: bool) -> LabelledReply:
    """Return the row as a labelled reply.

    Raises:
        ValueError: it has no label or no group.
    """

    def text(column: str) -> str:
        return as_text(row.values.get(column)) if column else ""

    for part, column in (("label", columns.label), ("group", columns.group)):
        if not text(column).strip():
            raise ValueError(f"the row has no {part} (column {column!r})")
    reference = row.values.get(columns.reference)
    return LabelledReply(
        row=row.line,
        reference=str(as_text(reference)) if as_text(reference).strip() else None,
        is_number=_is_number(reference, is_json=is_json),
        reply=text(columns.reply),
        label=text(columns.label).strip(),
        group=text(columns.group),
        question=text(columns.question),
        strata=tuple(text(column) for column in columns.strata),
    )


def _is_number(reference: Value, *, is_json: bool) -> bool:
    if is_json:
        return is_json_number(reference)
    return is_number(reference) and read_number(reference) is not None


def _check_columns(path: Path, columns: LabelledColumns, there: Mapping[str, None]) -> None:
    for field in fields(LabelledColumns):
        value: str | Iterable[str] = getattr(columns, field.name)
        for name in (value,) if isinstance(value, str) else value:
            if name and name not in there:
                raise MappingError(
                    f"{path}: `{field.name}` must be a column of the table, got {name!r}; there "
                    f"are {list(there)!r}"
                )


def _check_rows(
    path: Path, rows: Sequence[LabelledReply], unusable: Sequence[BadRow], *, strict: bool
) -> None:
    first = unusable[0] if unusable else "none"
    if unusable and strict:
        raise BadRowsError(
            f"{path}: {len(unusable)} rows cannot be used, the first: {first}; mend the file, or "
            f"leave `strict` out to pass over them"
        )
    if not rows:
        raise InputError(
            f"{path}: no row can be used, the first: {first}; expected a label and a group in each"
        )
