"""Items without a study.  In: a table of questions.  Out: items, for analyses that need no more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from finassay.errors import InputError
from finassay.records import Item
from finassay.runs.importers.items import collected, item_of
from finassay.runs.importers.options import ImportOptions, TableReader

TOLD = ("source", "regulation", "regulation_a", "regulation_b")
"""Columns that say what a passage is of; they become strata."""


def read_items(path: Path, *, encoding: str = "utf-8") -> list[Item]:
    """Return the items of a table, in order; columns are guessed as `finassay import` does.

    Raises:
        InputError: the table cannot be read, or no row of it is an item.
        MappingError: columns are ambiguous, or there is no id or question.
        BadRowsError: a row cannot be used.
    """
    reader = TableReader(path, "items", ImportOptions(strict=True, encoding=encoding), None)
    reader.require("item_id")
    reader.require("question")
    told = tuple(name for name in reader.columns if name in TOLD)
    mapping = reader.mapping
    if told:
        mapping = replace(mapping, strata=tuple(dict.fromkeys((*mapping.strata, *told))))
    items, _ = collected(reader, lambda row, _: item_of(row, mapping))
    reader.bad.refuse(
        reader.path.name, "no item was read; correct them, or take them out of the file"
    )
    if not items:
        raise InputError(f"{path}: the table holds no item; name a table with one item a row")
    return list(items.values())
