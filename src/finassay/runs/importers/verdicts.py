"""Reading verdict tables into a study.  In: who says what of which answer.  Out: verdicts.

A verdict needs a prediction to stand on.  Those on systems of which the study holds no
predictions are added up by family of items and kept as reported scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from finassay.errors import MappingError
from finassay.records import PERSON_PREFIX
from finassay.runs.importers._filing import ORPHANS_TABLE, Filing, Key, Marks
from finassay.runs.importers._known import Catalogue
from finassay.runs.importers._rows import Progress, Row, bad
from finassay.runs.importers._scorer_ids import id_of, is_outside, outside_id
from finassay.runs.importers.options import ImportOptions, TableReader
from finassay.runs.importers.report import ImportReport
from finassay.runs.importers.values import as_text, read_trial, read_verdict
from finassay.study import Study

__all__ = ["ORPHANS_TABLE", "import_verdicts"]

ANNOTATORS = frozenset({"annotator", "adjudicator"})
"""Names of a scorer column whose names are people's."""


def import_verdicts(
    study: Study,
    path: str | Path,
    *,
    scorers: Mapping[str, str] | None = None,
    only_reported: frozenset[str] = frozenset(),
    options: ImportOptions | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Return what came of importing a table of verdicts.

    The table is wide (a column for each scorer) or long (a scorer column and a value column).  It
    holds all that its scorers say of a system: earlier verdicts of theirs are replaced, unless it
    only repeats a part of them.

    Args:
        study: must hold the items, and the predictions that are marked.
        path: the table.
        scorers: scorer id by column (wide) or by the table's own name (long); in a wide table only
            these columns are read.  Without one, a name that is not `stored`, `judge/...`,
            `person/...` or `imported/...` is filed under `imported/NAME`, so that a column called
            as a rule is not taken for what the rule computes; in a long table with a column
            `annotator`, under `person/NAME`.
        only_reported: scorer ids that are taken only on systems without predictions, because the
            study has their verdicts on the others from elsewhere.
        options: how to read the table.
        progress: called with bytes done and bytes in all.

    Raises:
        InputError: the table cannot be read.
        MappingError: columns are ambiguous or missing, a name of `scorers` is not in the table, or
            the study holds no items.
        UsageError: a scorer id is one under which a rule is computed; see `outside_id`.
        BadRowsError: a row cannot be used and `options.strict` is set.
        KeyClashError: the study holds verdicts of a scorer on a system that the table lacks, and
            the table contradicts some of the rest.
    """
    chosen = options or ImportOptions()
    snapshot = study.snapshot()
    catalogue = Catalogue(snapshot)
    if not len(catalogue):
        raise MappingError(f"{path}: the study holds no items; import items and predictions first")
    reader = _open(Path(path), chosen, scorers, progress)
    marks = _read(reader, chosen, scorers or {})
    if reader.mapping.scorer:
        _require_named(reader, scorers or {}, {scorer_id for _, scorer_id in marks})
    if chosen.strict:
        reader.bad.refuse(reader.path.name)
    filing = Filing(study, snapshot, catalogue, chosen.source or reader.path.name)
    filing.replace_redacted = chosen.replace_redacted
    filing.take(marks, only_reported=only_reported)
    if not chosen.replace:
        filing.keep_held()
    filing.commit()
    return ImportReport(
        files=(reader.report(),),
        systems=tuple(filing.systems),
        reported=filing.reported,
        notes=tuple(filing.notes),
        commits=tuple(filing.commits),
    )


def _open(
    path: Path,
    options: ImportOptions,
    scorers: Mapping[str, str] | None,
    progress: Progress | None,
) -> TableReader:
    named = scorers or {}
    for scorer_id in named.values():
        outside_id(scorer_id)
    reader = TableReader(path, "verdicts", options, progress)
    reader.require("item_id")
    if options.name is None:
        reader.require("system")
    if reader.mapping.scorer:
        reader.require("value")
        return reader
    for column in named:
        if column not in reader.columns:
            raise MappingError(
                f"{path.name}: there is no column {column!r} for a scorer; the columns are "
                f"{list(reader.columns)!r}"
            )
    if named:
        reader.mapping = replace(reader.mapping, values=tuple(named))
    reader.require("values")
    for column in reader.mapping.values:
        named.get(column) or id_of(column)
    return reader


def _require_named(reader: TableReader, scorers: Mapping[str, str], found: set[str]) -> None:
    absent = [name for name, scorer_id in scorers.items() if scorer_id not in found]
    if absent:
        raise MappingError(
            f"{reader.path.name}: no row of column {reader.mapping.scorer!r} is of the scorer "
            f"{absent[0]!r}; the scorers are {sorted(found)!r}"
        )


def _read(
    reader: TableReader,
    options: ImportOptions,
    scorers: Mapping[str, str],
) -> dict[tuple[str, str], Marks]:
    marks: dict[tuple[str, str], Marks] = {}
    for row in reader.rows():
        try:
            system, key = _key(row, reader, options)
            said = [
                (name, read_verdict(row.values.get(col)))
                for name, col in _cells(row, reader, scorers)
            ]
            for scorer_id, verdict in said:
                marks.setdefault((system, scorer_id), Marks()).add(key, verdict)
        except ValueError as error:
            reader.bad.add(bad(row, str(error)))
    return marks


def _key(row: Row, reader: TableReader, options: ImportOptions) -> tuple[str, Key]:
    mapping = reader.mapping
    item_id = as_text(row.values.get(mapping.item_id or ""))
    if not item_id:
        raise ValueError("the item's id is empty")
    parts = [as_text(row.values.get(column)) for column in mapping.system]
    system = options.name or " / ".join(parts)
    if not (system and all(parts)):
        raise ValueError("the system's name is empty")
    trial = read_trial(row.values.get(mapping.trial)) if mapping.trial else 0
    return system, (item_id, trial)


def _cells(row: Row, reader: TableReader, scorers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield (scorer id, column that holds its verdict) for a row."""
    mapping = reader.mapping
    if mapping.scorer and mapping.value:
        name = as_text(row.values.get(mapping.scorer))
        if not name:
            raise ValueError("the scorer's name is empty")
        yield scorers.get(name) or _marker_id(name, mapping.scorer), mapping.value
    else:
        for column in mapping.values:
            yield scorers.get(column) or id_of(column), column


def _marker_id(name: str, column: str) -> str:
    """Return the scorer id of who marked a row: annotators are people."""
    is_person = column.strip().lower() in ANNOTATORS and not is_outside(name)
    return outside_id(f"{PERSON_PREFIX}{name}") if is_person else id_of(name)
