"""Reading printed tables into a study.  In: labels and numbers.  Out: reported scores."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path

from finassay.errors import InputError
from finassay.records import ReportedScore
from finassay.runs.importers._rows import Progress, Row, bad
from finassay.runs.importers.options import ImportOptions, TableReader
from finassay.runs.importers.report import ImportReport
from finassay.runs.importers.values import as_text, read_number
from finassay.study import Commit, Study
from finassay.study.rows import reported_frame, reported_from


def import_reported(
    study: Study,
    path: str | Path,
    *,
    source: str,
    table: str,
    unit: str | None = None,
    options: ImportOptions | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Return what came of importing a printed table: rows with a label, columns with numbers.

    Percents are kept as fractions with their printed digits beside them.  Other tables of the same
    source stay.

    Args:
        study: where the scores go.
        path: the table.
        source: where it was printed.
        table: its name there.
        unit: "percent", "fraction", or any other word, for which numbers are kept as they stand;
            by default percent if a number is above 1 and all are in [-100, 100], or has a percent
            sign; fraction if all are in [-1, 1].
        options: how to read the table.
        progress: called with bytes done and bytes in all.

    Raises:
        InputError: the table cannot be read, or its unit cannot be told.
        MappingError: there is no label or no numeric column.
        BadRowsError: a row cannot be used and `options.strict` is set.
    """
    chosen = options or ImportOptions()
    reader, decided, scores = _table(path, (source, table), unit, chosen, progress)
    commit = commit_reported(study, scores, source=source, table=table)
    return ImportReport(
        files=(reader.report(),),
        reported=len(scores),
        notes=(f"numbers of table {table!r} read as {decided}",),
        commits=(commit,),
    )


def read_reported_table(
    path: str | Path,
    *,
    source: str,
    table: str,
    unit: str | None = None,
    options: ImportOptions | None = None,
) -> tuple[ReportedScore, ...]:
    """Return the scores of a printed table, without a study.

    The arguments and errors are those of `import_reported`.
    """
    return tuple(_table(path, (source, table), unit, options or ImportOptions(), None)[2])


def _table(
    path: str | Path,
    named: tuple[str, str],
    unit: str | None,
    chosen: ImportOptions,
    progress: Progress | None,
) -> tuple[TableReader, str, list[ReportedScore]]:
    """Return the reader, the unit and the scores of a printed table."""
    reader = TableReader(Path(path), "reported", chosen, progress)
    reader.require("row", "values")
    cells: dict[tuple[str, str], tuple[Decimal, str]] = {}
    signed = _read(reader, cells)
    if chosen.strict:
        reader.bad.refuse(reader.path.name)
    decided = unit or _unit([number for number, _ in cells.values()], reader.path.name, signed)
    source, table = named
    scores = [
        ReportedScore(
            source=source,
            table=table,
            row=row,
            column=column,
            value=float(number / 100 if decided == "percent" else number),
            printed=printed,
            unit="fraction" if decided in ("percent", "fraction") else decided,
        )
        for (row, column), (number, printed) in cells.items()
    ]
    return reader, decided, scores


def _read(reader: TableReader, cells: dict[tuple[str, str], tuple[Decimal, str]]) -> bool:
    """Fill in the cells; return whether one of them has a percent sign."""
    signed = False
    labels: set[str] = set()
    for row in reader.rows():
        try:
            label, numbers = _numbers(row, reader, labels)
        except ValueError as error:
            reader.bad.add(bad(row, str(error)))
            continue
        labels.add(label)
        for column, (number, printed, is_percent) in numbers.items():
            cells[label, column] = (number, printed)
            signed = signed or is_percent
    return signed


def _numbers(
    row: Row, reader: TableReader, earlier: set[str]
) -> tuple[str, dict[str, tuple[Decimal, str, bool]]]:
    label = as_text(row.values.get(reader.mapping.row or ""))
    if not label.strip():
        raise ValueError("the label of the row is empty")
    if label in earlier:
        raise ValueError(f"the row label {label!r} stands twice; the first is kept")
    found: dict[str, tuple[Decimal, str, bool]] = {}
    for column in reader.mapping.values:
        value = row.values.get(column)
        read = read_number(value)
        if read is not None:
            found[column] = (read[0], as_text(value).strip(), read[1])
    return label, found


def _unit(numbers: list[Decimal], file: str, signed: bool) -> str:  # noqa: FBT001 - private
    if not numbers:
        raise InputError(f"{file}: there is no number in the table; expected one at least")
    greatest = max(abs(number) for number in numbers)
    if signed or 1 < greatest <= 100:
        return "percent"
    if greatest <= 1:
        return "fraction"
    raise InputError(
        f"{file}: the unit cannot be told: the greatest number is {greatest}, expected percents "
        f"up to 100 or fractions up to 1; say it with `finassay import --unit`"
    )


def commit_all_reported(study: Study, scores: Iterable[ReportedScore]) -> int:
    """File printed scores of any number of sources and tables, and return how many there are."""
    listed = list(scores)
    for source in dict.fromkeys(score.source for score in listed):
        own = [score for score in listed if score.source == source]
        for table in dict.fromkeys(score.table for score in own):
            rows = [score for score in own if score.table == table]
            commit_reported(study, rows, source=source, table=table)
    return len(listed)


def commit_reported(
    study: Study, scores: Iterable[ReportedScore], *, source: str, table: str
) -> Commit:
    """Replace one table of a source, leaving its other tables as they are."""
    held = reported_from(study.snapshot().frame("reported", source=source))
    others = [score for score in held if score.table != table]
    data = reported_frame([*others, *scores])
    return study.commit("reported", data, partition={"source": source})
