"""Printed score tables from disk.  In: a file or a folder.  Out: reported scores by table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from finassay.errors import InputError
from finassay.records import ReportedScore
from finassay.runs.importers.options import ImportOptions, TableReader
from finassay.runs.importers.reported import read_reported_table
from finassay.runs.importers.values import as_text

ENDINGS = (".csv", ".tsv", ".parquet")
"""Files of a folder that are taken for tables."""

UNIT = "as printed"


def read_score_tables(
    path: str | Path, *, options: ImportOptions | None = None
) -> tuple[dict[str, tuple[ReportedScore, ...]], tuple[str, ...]]:
    """Return the tables of a file or a folder by name, and what of them was left out.

    Numbers are kept as they are printed.  A table has a column with the names of systems, and one
    column a score; systems are joined on their names afterwards.  Columns in which something else
    than numbers stands, rows without a name of their own and files that are no tables are left
    out, and told.

    Args:
        path: a table, or a folder with tables.
        options: how tables are read.

    Raises:
        InputError: there is nothing at the path, or no table in the folder.
        MappingError: a single file has no column of names or of numbers.
    """
    place = Path(path)
    if not place.exists():
        raise InputError(
            f"{str(path)!r}: there is no such file or folder; expected a study, a table, or a "
            f"folder of tables"
        )
    left: list[str] = []
    if place.is_file():
        return {place.stem: _read(place, options, left)}, tuple(left)
    found = {}
    for file in _files(place):
        try:
            found[file.stem] = _read(file, options, left)
        except InputError as error:
            left.append(f"{file.name} is left out: {error}")
    if not found:
        raise InputError(
            f"{str(path)!r}: no table of scores in this folder, expected files that end in "
            f"{', '.join(ENDINGS)}{'; '.join(['', *left])}"
        )
    return found, tuple(left)


def _files(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.iterdir()):
        if file.is_file() and file.suffix.lower() in ENDINGS:
            yield file


def _read(path: Path, options: ImportOptions | None, left: list[str]) -> tuple[ReportedScore, ...]:
    """Return the scores of one table, and add to `left` what of it is none."""
    scores = read_reported_table(
        path, source=path.name, table=path.stem, unit=UNIT, options=options
    )
    reader = TableReader(path, "reported", options or ImportOptions())
    used = {reader.mapping.row, *reader.mapping.values}
    words = [column for column in reader.columns if column not in used]
    if words:
        left.append(
            f"{path.name}: {', '.join(words)} left out, as something else than numbers stands there"
        )
    seen: set[str] = set()
    for row in reader.rows():
        label = as_text(row.values.get(reader.mapping.row or "")).strip()
        if not label or label in seen:
            left.append(f"{path.name}, line {row.line}: {label or 'without a name'} left out")
        seen.add(label)
    return scores
