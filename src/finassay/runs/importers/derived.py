"""Items made from prediction files.  In: their question and reference columns.  Out: items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from finassay.errors import InputError
from finassay.records import Item
from finassay.runs.importers.options import ImportOptions, TableReader
from finassay.runs.importers.report import ImportReport, LengthWatch
from finassay.runs.importers.sources import Row
from finassay.runs.importers.values import as_text
from finassay.study import Study
from finassay.study.rows import items_from

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
    earlier = items_from(snapshot.frame("items", benchmark=benchmark))
    commit = study.add_items([*earlier, *made.values()], benchmark=benchmark)
    return ImportReport(items=len(made), commits=(commit,))


def _derive(path: Path, options: ImportOptions, made: dict[str, Item], known: set[str]) -> None:
    reader = TableReader(path, "predictions", options)
    reader.require("item_id")
    if not (reader.mapping.question or reader.mapping.reference):
        reader.require("question")
    for row in reader.rows():
        item = _item(row, reader)
        if not item.item_id or item.item_id in known:
            continue
        earlier = made.setdefault(item.item_id, item)
        if earlier != item:
            raise InputError(
                f"{path.name}:{row.line}: item {item.item_id!r} has another question or reference "
                f"than in an earlier row: {_difference(earlier, item)}; import an items file "
                f"instead"
            )


def _item(row: Row, reader: TableReader) -> Item:
    mapping = reader.mapping

    def cell(column: str | None) -> str:
        return as_text(row.values.get(column)) if column else ""

    made = Item(
        item_id=cell(mapping.item_id),
        question=cell(mapping.question),
        task=cell(mapping.task),
        difficulty=cell(mapping.difficulty),
    )
    if mapping.reference is None or row.values.get(mapping.reference) is None:
        return made
    return replace(made, reference=cell(mapping.reference))


def _difference(earlier: Item, item: Item) -> str:
    for part in (*_TEXTS, "task", "difficulty"):
        one, other = getattr(earlier, part), getattr(item, part)
        if one != other:
            return f"{part} {one!r} and {other!r}"
    return "nothing"


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
