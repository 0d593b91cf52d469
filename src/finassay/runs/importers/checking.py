"""A look at a file of predictions before it is taken.  In: a file.  Out: everything wrong with it.

Nothing is written to the study.  The file is read by the very code that imports it, so that what
passes here is imported as it was counted here.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from finassay.errors import FinassayError, InputError, UsageError
from finassay.runs.importers._known import Catalogue, Systems
from finassay.runs.importers._staging import Staging
from finassay.runs.importers.mapping import ColumnMap
from finassay.runs.importers.options import ImportOptions, TableReader, UnreadableRowsError
from finassay.runs.importers.predictions import FileImport, Known
from finassay.runs.importers.report import SystemReport
from finassay.runs.importers.sources import BadRow, Batch, Row, snippet
from finassay.runs.importers.values import as_text
from finassay.runs.importers.workbooks import rows_of_workbook
from finassay.study import Study

WHOLE_FILE = 0
"""Line of an error that is about the file as a whole."""

ENDINGS = (".csv", ".tsv", ".tab", ".txt", ".jsonl", ".ndjson", ".json", ".xlsx")
"""Endings of files that are looked at; none of them is compressed, but for workbooks."""

LONGEST_REASON = 600
"""Characters of the reason of an error: it quotes the file, whose cells can be long."""

_HELD_ERRORS = 20_000
"""Errors that are held until they can be sorted: lines that cannot be read come batch by batch,
before those that cannot be used."""

UnknownItems = Literal["error", "skip"]

_ARCHIVES = (
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "compressed by gzip"),
    (b"PAR1", "a Parquet file"),
    (b"%PDF", "a PDF document"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckLimits:
    """How much of a file is borne with.

    Attributes:
        rows: most rows.
        cell_characters: most characters of one cell.
        expanded_bytes: most bytes of the parts of a workbook, unpacked.
        errors: errors that are kept; all are counted.
    """

    rows: int = 200_000
    cell_characters: int = 200_000
    expanded_bytes: int = 128 * 2**20
    errors: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkCoverage:
    """How many items of a benchmark a file answers.

    Attributes:
        benchmark: its name.
        answered: items with a row.
        items: items of the benchmark.
    """

    benchmark: str
    answered: int
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCheck:
    """What a file of predictions holds, and what is wrong with it.

    Attributes:
        file: name of the file.
        format: how it is read, in words; "" where it cannot be read.
        mapping: which column is what; None where it cannot be told.
        columns: all its columns.
        rows: records in it.
        errors: what is wrong, by line; line 0 is the file as a whole; the first so many.
        n_errors: how many errors there are in all.
        system: what came of the rows of the one system; None without rows that can be used.
        coverage: one entry a benchmark that the file touches.
        skipped: (line, id) of rows left out because the study does not hold their items, the
            first so many.
        n_skipped: how many there are.
    """

    file: str
    format: str = ""
    mapping: ColumnMap | None = None
    columns: tuple[str, ...] = ()
    rows: int = 0
    errors: tuple[BadRow, ...] = ()
    n_errors: int = 0
    system: SystemReport | None = None
    coverage: tuple[BenchmarkCoverage, ...] = ()
    skipped: tuple[tuple[int, str], ...] = ()
    n_skipped: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether the file can be taken as it is."""
        return not self.n_errors and self.system is not None and self.system.imported > 0


def check_file(
    study: Study,
    path: Path,
    *,
    options: ImportOptions,
    file: str = "",
    unknown_items: UnknownItems = "error",
    limits: CheckLimits | None = None,
) -> FileCheck:
    """Return everything that is wrong with a file of predictions of one system, by line.

    Args:
        study: it holds the items; nothing is written to it.
        path: the file.
        options: how it is read; its `name` is the system.
        file: name under which the file is told of; its own by default.
        unknown_items: whether a row of an item that the study does not hold is an error, or is
            left out and counted.
        limits: how much is borne with.

    Raises:
        StudyError: the study cannot be read.
        MissingExtraError: a workbook was given, and its package is not installed.
    """
    bounds = limits or CheckLimits()
    shown = file or path.name
    with tempfile.TemporaryDirectory(prefix="finassay-check-") as folder:
        try:
            table, bad = readable_table(path, Path(folder), file=shown, limits=bounds)
        except InputError as error:
            return FileCheck(file=shown, errors=(_whole(shown, error, path),), n_errors=1)
        found = _checked(study, table, (options, unknown_items, bounds), bad, shown)
    if table == path:
        return found
    return replace(found, format="xlsx", rows=found.rows + len(bad))


def readable_table(
    path: Path, folder: Path, *, file: str, limits: CheckLimits
) -> tuple[Path, list[BadRow]]:
    """Return the table that importers read of a file, and the rows that are not in it.

    A workbook becomes JSON Lines in `folder`, row n of the sheet on line n; any other file is
    itself.

    Raises:
        InputError: the file is not what its name says, or a workbook cannot be used.
        MissingExtraError: openpyxl is not installed.
    """
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(
            f"{file}: the name must end in one of {', '.join(ENDINGS)}, got {ending!r}"
        )
    if ending == ".xlsx":
        out = folder / f"{path.stem}.jsonl"
        bad = rows_of_workbook(
            path, out, file=file, expanded_bytes=limits.expanded_bytes, rows=limits.rows
        )
        return out, bad
    with path.open("rb") as stream:
        head = stream.read(8)
    for mark, what in _ARCHIVES:
        if head.startswith(mark):
            raise InputError(
                f"{file}: expected text, as the name says, got {what}; unpack it, or save it as "
                f"CSV in UTF-8"
            )
    return path, []


def _whole(file: str, error: FinassayError, path: Path | None = None) -> BadRow:
    said = str(error)
    if path is not None:
        said = said.replace(str(path), file).replace(path.name, file)
    return BadRow(file=file, line=WHOLE_FILE, reason=_shortened(said))


def _checked(
    study: Study,
    table: Path,
    how: tuple[ImportOptions, UnknownItems, CheckLimits],
    bad: Sequence[BadRow],
    file: str,
) -> FileCheck:
    options, unknown_items, limits = how
    snapshot = study.snapshot()
    known = Known(Catalogue(snapshot), Systems.of(snapshot))
    stopped: list[BadRow] = []
    unlisted = 0
    with tempfile.TemporaryDirectory(prefix="finassay-check-") as folder:
        try:
            one = _Looking(
                study, table, replace(options, strict=False), known, Staging(Path(folder))
            )
        except InputError as error:
            told = [*bad, _whole(file, error, table)]
            return _joined(FileCheck(file=file), told, limits.errors)
        one.bear(limits, unknown_items)
        try:
            one.read(None)
        except UnreadableRowsError as error:
            stopped += error.rows
            unlisted = error.count - len(error.rows)
        except (InputError, UsageError) as error:
            stopped.append(_whole(file, error, table))
        found = one.found(file)
    joined = _joined(found, [*bad, *stopped], limits.errors)
    return replace(joined, n_errors=joined.n_errors + unlisted)


def _joined(found: FileCheck, more: Sequence[BadRow], most: int) -> FileCheck:
    """Return a check with further errors, in the order of lines."""
    rows = sorted((*found.errors, *more), key=lambda row: row.line)[:most]
    errors = tuple(replace(row, file=found.file, reason=_shortened(row.reason)) for row in rows)
    return replace(found, errors=errors, n_errors=found.n_errors + len(more))


def _shortened(reason: str) -> str:
    """Return a reason without the middle of what it quotes; what to do stands at its end."""
    if len(reason) <= LONGEST_REASON:
        return reason
    half = LONGEST_REASON // 2
    return f"{reason[:half]} … {reason[-half:]}"


class _TooLongError(InputError):
    """A file has more rows than are borne with."""


class _Looking(FileImport):
    """A prediction file that is read as for an import, and not committed."""

    limits = CheckLimits()
    unknown_items: UnknownItems = "error"

    def bear(self, limits: CheckLimits, unknown_items: UnknownItems) -> None:
        """Set how much of the file is borne with."""
        self.limits = limits
        self.unknown_items = unknown_items
        self.most_shown = _HELD_ERRORS
        self.seen = 0
        self.skipped: list[tuple[int, str]] = []
        self.n_skipped = 0

    def accept(self, row: Row, batch: Batch) -> None:
        """Keep a row, after a look at what only a stranger's file holds.

        Raises:
            ValueError: the row cannot be used; says why.
        """
        self.seen += 1
        if self.seen > self.limits.rows:
            raise _TooLongError(
                f"the file has more than {self.limits.rows:,} rows; expected at most so many; "
                f"split it"
            )
        for column, value in row.values.items():
            self._require_sound(column, as_text(value))
        item_id = self.cell(row, "item_id")
        if item_id and self.catalogue.find(item_id) is None:
            self._miss(row, item_id)
            return
        super().accept(row, batch)

    def _require_sound(self, column: str, text: str) -> None:
        if "\0" in text:
            raise ValueError(
                f"column {column!r} holds a NUL character, which no text needs; remove it"
            )
        if len(text) > self.limits.cell_characters:
            raise ValueError(
                f"column {column!r} holds {len(text):,} characters, expected at most "
                f"{self.limits.cell_characters:,}"
            )

    def _miss(self, row: Row, item_id: str) -> None:
        if self.unknown_items == "error":
            raise ValueError(f"the study holds no item {item_id!r}; check the id")
        self.n_skipped += 1
        if len(self.skipped) < self.limits.errors:
            self.skipped.append((row.line, snippet(item_id)))

    def found(self, file: str) -> FileCheck:
        """Return what was found so far."""
        reader: TableReader | None = getattr(self, "reader", None)
        if reader is None:
            return FileCheck(file=file)
        report = reader.report()
        systems = self.reports()
        held = [item_id for one in self.gatherings.values() for item_id in one.item_ids()]
        how = (report.reading.format, report.reading.delimiter, report.reading.encoding)
        return FileCheck(
            file=file,
            format=", ".join(repr(part) if part in ",;|\t" else part for part in how if part),
            mapping=report.mapping,
            columns=report.columns,
            rows=report.rows_read,
            errors=report.bad_rows,
            n_errors=report.bad,
            system=systems[0] if systems else None,
            coverage=tuple(
                BenchmarkCoverage(benchmark=name, answered=answered, items=items)
                for name, answered, items in self.catalogue.coverage(held)
            ),
            skipped=tuple(self.skipped),
            n_skipped=self.n_skipped,
        )
