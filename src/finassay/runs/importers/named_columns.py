"""Columns that were named as verdicts.  In: column -> scorer id.  Out: their verdicts, imported.

A column of a prediction file may hold what a judge or a person says of the reply beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from finassay.errors import MappingError
from finassay.records import STORED
from finassay.runs.importers._rows import bad
from finassay.runs.importers.mapping import ColumnMap
from finassay.runs.importers.options import ImportOptions, TableReader
from finassay.runs.importers.predictions import stem_of
from finassay.runs.importers.report import ImportReport
from finassay.runs.importers.values import as_text, read_verdict
from finassay.runs.importers.verdicts import import_verdicts
from finassay.study import Study

Scorers = Mapping[str, str]
"""Column of a table -> scorer id."""


def items_options(options: ImportOptions) -> ImportOptions:
    """Return the options for an items file beside other tables, whose columns are others."""
    return replace(options, name=None, mapping=None)


def names_in(reader: TableReader, scorers: Scorers) -> dict[str, str]:
    """Return the scorers whose columns a table has; in a long one, whose names stand in its rows.

    Raises:
        MappingError: two columns of the table were given one scorer id.
    """
    if not scorers or reader.kind not in ("predictions", "verdicts"):
        return {}
    known = set(reader.columns)
    if reader.kind == "verdicts" and reader.mapping.scorer:
        column = reader.mapping.scorer
        known = {as_text(row.values.get(column)) for row in reader.rows()}
    found = {name: scorer_id for name, scorer_id in scorers.items() if name in known}
    by_id: dict[str, str] = {}
    for name, scorer_id in found.items():
        if by_id.setdefault(scorer_id, name) != name:
            raise MappingError(
                f"{reader.path.name}: the columns {by_id[scorer_id]!r} and {name!r} were both "
                f"named {scorer_id!r}; one column is one scorer"
            )
    return found


def with_named_columns(path: Path, scorers: Scorers, options: ImportOptions) -> ImportOptions:
    """Return options under which a column with a name of its own is not the source's verdict.

    A column that was named `stored` is the source's verdict.

    Raises:
        BadRowsError: a cell of such a column is no verdict and `options.strict` is set.
    """
    if not scorers:
        return options
    if options.strict:
        _refuse_other_words(TableReader(path, "predictions", options), scorers)
    given = options.mapping or ColumnMap()
    stored = [name for name, scorer_id in scorers.items() if scorer_id == STORED]
    if stored:
        return replace(options, mapping=replace(given, correct=stored[0]))
    if TableReader(path, "predictions", options).mapping.correct in scorers:
        given = replace(given, correct=None, without=(*given.without, "correct"))
    return replace(options, mapping=given)


def _refuse_other_words(reader: TableReader, scorers: Scorers) -> None:
    """Raise on a cell that is no verdict, before the predictions beside it are committed."""
    for row in reader.rows():
        try:
            for name in scorers:
                read_verdict(row.values.get(name))
        except ValueError as error:
            reader.bad.add(bad(row, str(error)))
    reader.bad.refuse(reader.path.name)


def import_named(
    study: Study, path: Path, scorers: Scorers, mapping: ColumnMap, options: ImportOptions
) -> list[ImportReport]:
    """Import the named columns of a prediction file as verdicts, and return the reports.

    Args:
        study: holds the predictions of the file.
        path: the file.
        scorers: the named columns.
        mapping: the columns of its predictions.
        options: how it was read.
    """
    named = {name: scorer_id for name, scorer_id in scorers.items() if scorer_id != STORED}
    if not named:
        return []
    parts = {part: getattr(mapping, part) for part in ("item_id", "trial", "system")}
    absent = tuple(part for part, column in parts.items() if not column)
    own = ColumnMap(**parts, values=tuple(named), without=("scorer", "value", *absent))
    name = None if mapping.system else options.name or stem_of(path)
    chosen = replace(options, name=name, mapping=own)
    return [import_verdicts(study, path, scorers=named, options=chosen)]
