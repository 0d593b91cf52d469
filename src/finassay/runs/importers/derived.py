"""Items made from prediction files.  In: their question and reference columns.  Out: items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path

import polars as pl

from finassay.errors import InputError
from finassay.records import Item
from finassay.runs.importers.items import item_of
from finassay.runs.importers.options import ImportOptions, TableReader
from finassay.runs.importers.report import ImportReport, LengthWatch
from finassay.runs.importers.values import as_text
from finassay.study import Study
from finassay.study.rows import items_frame

_TEXTS = ("question", "reference")


def derive_items(
    study: Study, files: Sequence[Path], options: ImportOptions, *, benchmark: str
) -> ImportReport:
    """Return what came of making the items that the study does not hold yet.

    Raises:
        InputError: two rows disagree on an item, or its texts pile up at one length, which is how
            a log that cuts texts looks: cut questions and references must not be marked with.
        MappingError: a file has neither a question nor a reference column.
    """
    snapshot = study.snapshot()
    known = set(snapshot.frame("items")["item_id"])
    made: dict[str, Item] = {}
    for path in files:
        _derive(path, options, made, known)
    _refuse_cut(made)
    if not made:
        return ImportReport()
    # Rows, not records: what is flagged as redacted must stay so.
    earlier = snapshot.frame("items", benchmark=benchmark)
    new = items_frame(replace(item, benchmark=benchmark) for item in made.values())
    data = pl.concat([earlier.select(new.columns), new])
    commit = study.commit("items", data, partition={"benchmark": benchmark})
    without = sum(item.reference is None for item in made.values())
    notes = (f"items without a reference, which no rule can mark: {without}",) if without else ()
    return ImportReport(items=len(made), notes=notes, commits=(commit,))


def _derive(path: Path, options: ImportOptions, made: dict[str, Item], known: set[str]) -> None:
    reader = TableReader(path, "predictions", options)
    reader.require("item_id")
    if not (reader.mapping.question or reader.mapping.reference):
        reader.require("question")
    for row in reader.rows():
        if not as_text(row.values.get(reader.mapping.item_id or "")):
            continue  # the predictions' own reading of the file counts it as a bad row
        item = item_of(row, reader.mapping)
        if item.item_id in known:
            continue
        earlier = made.setdefault(item.item_id, item)
        if earlier != item:
            raise InputError(
                f"{path.name}:{row.line}: item {item.item_id!r} is described otherwise than in an "
                f"earlier row: {_difference(earlier, item)}; import an items file "
                f"instead"
            )


def _difference(earlier: Item, item: Item) -> str:
    return ", ".join(
        f"{field.name} {getattr(earlier, field.name)!r} and {getattr(item, field.name)!r}"
        for field in fields(Item)
        if getattr(earlier, field.name) != getattr(item, field.name)
    )


def _refuse_cut(made: dict[str, Item]) -> None:
    for part in _TEXTS:
        watch = LengthWatch()
        for item in made.values():
            watch.add(getattr(item, part) or "")
        if watch.cap is not None:
            raise InputError(
                f"items cannot be made from these predictions: the {part}s look cut ({watch.cap}); "
                f"import the benchmark's own items file instead"
            )
