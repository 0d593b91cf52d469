"""Items of logs.  In: ids and items as logs tell them.  Out: ids of the study, and new items.

A log's bare index ("0", "17") is no id outside its task, so it becomes TASK/INDEX.  Any other id
stands as it is, and is matched with an item of that id that the study holds, unless that is an item
of another benchmark with another reference or question: then it becomes TASK/ID too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from operator import attrgetter
from pathlib import Path

import polars as pl

from finassay.records import Item
from finassay.runs.importers._known import Catalogue, KnownItem
from finassay.runs.importers._redacted import keep_redacted
from finassay.study import Commit, Snapshot, Study
from finassay.study.rows import items_frame

_FLUSH_ITEMS = 5_000
_FIELDS = tuple(field.name for field in fields(Item))
_values_of = attrgetter(*_FIELDS)


class Placement:
    """Gives every item of the logs its id in the study, and keeps the new ones on disk."""

    def __init__(self, snapshot: Snapshot, folder: Path, benchmark: str | None) -> None:
        self._catalogue = Catalogue(snapshot)
        self._folder = folder
        self._benchmark = benchmark
        self._ids: dict[str, dict[str, str]] = {}
        self._new: dict[str, tuple[str, str, int]] = {}
        self._pending: list[Item] = []
        self._digests: list[str] = []
        self._parts = 0
        self._benchmarks: dict[str, None] = {}
        self.other_references = 0

    def find(self, task: str, raw: str, item: Item | None) -> tuple[str, str] | None:
        """Return the id and digest of an item; None if neither the study nor the log tells it."""
        known = self._ids.setdefault(task, {})
        item_id = known.get(raw)
        if item_id is None:
            item_id = self._place(task, raw, item)
            if item_id is None:
                return None
            known[raw] = item_id
        new = self._new.get(item_id)
        if new is not None:
            if item is not None and new[2] != hash(item.reference):
                self.other_references += 1
            return item_id, new[1]
        held = self._catalogue.find(item_id)
        if held is None:
            return None
        if item is not None and not _agrees(item.reference, held.reference):
            self.other_references += 1
        return item_id, held.digest

    def _place(self, task: str, raw: str, item: Item | None) -> str | None:
        benchmark = self._benchmark or task
        qualified = f"{benchmark}/{raw}"
        held = self._catalogue.find(raw)
        is_index = raw.isascii() and raw.isdigit()
        if held is not None and (
            held.benchmark == benchmark or (not is_index and _is_same(held, item))
        ):
            return raw
        made = self._new.get(raw)
        taken = held is not None or (made is not None and made[0] != benchmark)
        item_id = qualified if is_index or taken else raw
        if self._catalogue.find(item_id) is None and item_id not in self._new:
            if item is None:
                return None
            self._add(_renamed(item, item_id, benchmark))
        return item_id

    def _add(self, item: Item) -> None:
        digest = item.item_digest
        self._new[item.item_id] = (item.benchmark, digest, hash(item.reference))
        self._benchmarks[item.benchmark] = None
        self._pending.append(item)
        self._digests.append(digest)
        if len(self._pending) >= _FLUSH_ITEMS:
            self._flush()

    def _flush(self) -> None:
        if self._pending:
            self._parts += 1
            made = items_frame(self._pending, item_digests=self._digests)
            made.write_parquet(self._folder / f"items-{self._parts:06d}.parquet")
            self._digests.clear()
            self._pending.clear()

    @property
    def made(self) -> int:
        """How many items are new."""
        return len(self._new)

    def commit(self, study: Study, snapshot: Snapshot) -> Iterator[Commit]:
        """Add the new items to their benchmarks; what the study holds of them stays."""
        self._flush()
        for benchmark in self._benchmarks:
            mine = pl.col("benchmark").eq(benchmark)
            new = pl.scan_parquet(self._folder / "items-*.parquet").filter(mine)
            held = snapshot.scan("items").filter(mine)
            data = pl.concat([held, new.select(held.collect_schema().names())])
            partition = {"benchmark": benchmark}
            kept = keep_redacted(snapshot, "items", data, partition)
            yield study.commit("items", kept.data, partition=partition)


def _renamed(item: Item, item_id: str, benchmark: str) -> Item:
    """Return the item under another id and benchmark; `replace` takes five times as long."""
    told = dict(zip(_FIELDS, _values_of(item), strict=True))
    return Item(**{**told, "item_id": item_id, "benchmark": benchmark})


def _agrees(told: str | None, held: str | None) -> bool:
    return told is None or told.strip() == (held or "").strip()


def _is_same(held: KnownItem, item: Item | None) -> bool:
    """Return whether a log's item can be the one that another benchmark holds under its id."""
    if item is None:
        return True
    if not _agrees(item.reference, held.reference):
        return False
    question, other = item.question.strip(), held.question.strip()
    return not question or not other or other in question or question in other
