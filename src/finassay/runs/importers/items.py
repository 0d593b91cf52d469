"""Reading items into a study.  In: a table of questions and references.  Out: a benchmark."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from finassay.errors import InputError
from finassay.records import Item
from finassay.runs.importers._redacted import KEPT, keep_redacted
from finassay.runs.importers._rows import Progress, Row, Value, bad
from finassay.runs.importers.contracts import row_contract, row_erratum
from finassay.runs.importers.mapping import ColumnMap
from finassay.runs.importers.options import ImportOptions, TableReader
from finassay.runs.importers.report import ImportReport
from finassay.runs.importers.values import as_text, as_texts
from finassay.study import Commit, Study
from finassay.study.rows import items_frame

Build = Callable[[Row, ColumnMap], Item]
"""Makes an item of a row, or raises ValueError with the reason."""


def import_items(
    study: Study,
    path: str | Path,
    *,
    benchmark: str,
    options: ImportOptions | None = None,
    build: Build | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Return what came of importing the items of a benchmark, replacing those it had.

    Args:
        study: where the items go.
        path: a table with one item a row.
        benchmark: name of the benchmark.
        options: how to read the table.
        build: makes an item of a row, for tables whose shape needs more than a mapping.
        progress: called with bytes done and bytes in all.

    Raises:
        InputError: the table cannot be read, or no row of it is an item.
        MappingError: columns are ambiguous, or there is no id, question or reference.
        BadRowsError: a row cannot be used and `options.strict` is set.
        KeyClashError: another benchmark of the study has an item of the same id.
    """
    chosen = options or ImportOptions()
    reader = TableReader(Path(path), "items", chosen, progress)
    reader.require("item_id")
    if not reader.mapping.reference:
        reader.require("question")
    items, duplicates = collected(reader, build)
    if chosen.strict:
        reader.bad.refuse(reader.path.name)
    if not items:
        raise InputError(
            f"{reader.path.name}: none of {reader.rows_read} rows is an item; the first: "
            f"{reader.bad.shown[0]}"
        )
    commit, redacted = _commit(study, items, benchmark, chosen)
    counts = {
        "same items collapsed": duplicates,
        "items without a reference, which no rule can mark": sum(
            item.reference is None for item in items.values()
        ),
        KEPT: redacted,
    }
    notes = tuple(f"{label}: {count}" for label, count in counts.items() if count)
    return ImportReport(files=(reader.report(),), items=len(items), notes=notes, commits=(commit,))


def _commit(
    study: Study, items: Mapping[str, Item], benchmark: str, options: ImportOptions
) -> tuple[Commit, int]:
    """Replace the items of a benchmark; return how many redacted ones stayed as they were."""
    if options.replace_redacted:
        return study.add_items(items.values(), benchmark=benchmark), 0
    partition = {"benchmark": benchmark}
    named = (replace(item, benchmark=item.benchmark or benchmark) for item in items.values())
    kept = keep_redacted(study.snapshot(), "items", items_frame(named), partition)
    if not kept.keys.height:
        return study.add_items(items.values(), benchmark=benchmark), 0
    return study.commit("items", kept.data.collect(), partition=partition), kept.keys.height


def collected(reader: TableReader, build: Build | None = None) -> tuple[dict[str, Item], int]:
    """Return the items of a table by id, and how many rows repeat one; bad rows are kept aside."""
    build = build or item_of
    items: dict[str, Item] = {}
    duplicates = 0
    for row in reader.rows():
        try:
            item = build(row, reader.mapping)
        except ValueError as error:
            reader.bad.add(bad(row, str(error)))
            continue
        earlier = items.setdefault(item.item_id, item)
        if earlier is item:
            continue
        if earlier == item:
            duplicates += 1
        else:
            reason = f"another row for item {item.item_id!r} differs; the first is kept"
            reader.bad.add(bad(row, reason))
    return items, duplicates


def item_of(row: Row, mapping: ColumnMap) -> Item:
    """Return the item that a row describes under a mapping.

    Raises:
        ValueError: the id is empty, or a contract or an erratum cannot be used.
    """

    def value(column: str | None) -> Value:
        return row.values.get(column) if column else None

    def text(column: str | None) -> str:
        return as_text(value(column))

    if not text(mapping.item_id):
        raise ValueError("the item's id is empty")
    reference = value(mapping.reference)
    cells = reference if isinstance(reference, list) else [reference]
    # A blank cell says that there is no reference, and not that nothing is the right answer.
    references = [one for one in cells if one is not None and one.strip()]
    return Item(
        item_id=text(mapping.item_id),
        question=text(mapping.question),
        reference=references[0] if references else None,
        alternatives=(
            *references[1:],
            *(one for one in as_texts(value(mapping.alternatives)) if one.strip()),
        ),
        context=text(mapping.context),
        contexts=tuple(text(column) for column in mapping.contexts if text(column)),
        task=text(mapping.task),
        family=text(mapping.family) or text(mapping.task),
        difficulty=text(mapping.difficulty),
        language=text(mapping.language) or "en",
        split=text(mapping.split),
        choices=as_texts(value(mapping.choices)),
        contract_id=text(mapping.contract_id),
        contract=row_contract(row, mapping),
        erratum=row_erratum(row, mapping, references[0] if references else None),
        documents=tuple(one for column in mapping.documents for one in as_texts(value(column))),
        strata=tuple((column, text(column)) for column in mapping.strata if text(column)),
    )
