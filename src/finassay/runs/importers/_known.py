"""What a study holds already.  In: a snapshot.  Out: the facts that an import compares with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import polars as pl

from finassay.records import SystemKind, SystemSpec
from finassay.study import Snapshot, Study


class KnownItem(NamedTuple):
    """An item as an import sees it."""

    item_id: str
    benchmark: str
    family: str
    reference: str | None
    question: str
    digest: str
    place: int = 0
    """Number of the item among all, by benchmark and id."""


class Catalogue:
    """The items of a study by id, and by benchmark."""

    def __init__(self, snapshot: Snapshot) -> None:
        columns = ("item_id", "benchmark", "family", "reference", "question", "item_digest")
        frame = snapshot.scan("items").select(columns).collect().sort("benchmark", "item_id")
        rows = frame.with_row_index("place").select(*columns, "place")
        self._placed = tuple(KnownItem(*row) for row in rows.iter_rows())
        self._items = {item.item_id: item for item in self._placed}
        self._benchmarks: dict[str, list[str]] = {}
        for item in self._items.values():
            self._benchmarks.setdefault(item.benchmark, []).append(item.item_id)

    def __len__(self) -> int:
        return len(self._items)

    def find(self, item_id: str) -> KnownItem | None:
        """Return an item, or None."""
        return self._items.get(item_id)

    def at(self, place: int) -> KnownItem:
        """Return the item of a number."""
        return self._placed[place]

    def missing(self, held: Iterable[str]) -> list[str]:
        """Return the items that are not held, of the benchmarks of those that are."""
        have = set(held)
        touched = {self._items[item_id].benchmark for item_id in have}
        return [
            item_id
            for benchmark in sorted(touched)
            for item_id in self._benchmarks[benchmark]
            if item_id not in have
        ]

    def coverage(self, held: Iterable[str]) -> list[tuple[str, int, int]]:
        """Return (benchmark, items that are held, its items) for benchmarks that are touched."""
        counts = Counter(self._items[item_id].benchmark for item_id in set(held))
        return [(name, n, len(self._benchmarks[name])) for name, n in sorted(counts.items())]


@dataclass(frozen=True, slots=True)
class Systems:
    """The systems of a study by display name."""

    by_name: dict[str, SystemSpec]

    @classmethod
    def of(cls, snapshot: Snapshot) -> Systems:
        """Return the systems of a snapshot."""
        return cls({spec.name: spec for spec in snapshot.systems()})

    def spec(self, name: str, *, kind: SystemKind, model: str) -> SystemSpec:
        """Return the system of that name, or a new one.

        A system that the study holds is taken when the file says nothing else of its model.
        """
        known = self.by_name.get(name)
        if known is not None and known.kind == kind and model in ("", known.model):
            return known
        return SystemSpec(name=name, kind=kind, model=model)

    def add(self, study: Study, specs: Sequence[SystemSpec]) -> None:
        """Add those systems to the study that are new there.

        Raises:
            UsageError: another system has one of the names.
        """
        new = [spec for spec in specs if self.by_name.get(spec.name) != spec]
        if new:
            study.add_systems(new)
            self.by_name.update((spec.name, spec) for spec in new)


def other_runs(snapshot: Snapshot, own: Mapping[str, str]) -> pl.DataFrame:
    """Return the keys (system_id, item_id, trial, run_id) that other runs of systems hold.

    Args:
        snapshot: what to look at.
        own: run id by system id; no run is one of two systems.
    """
    return (
        snapshot.scan("predictions")
        .filter(
            pl.col("system_id").is_in(list(own)), pl.col("run_id").is_in(list(own.values())).not_()
        )
        .select("system_id", "item_id", "trial", "run_id")
        .collect()
    )


def run_source(snapshot: Snapshot, run_id: str) -> str:
    """Return what a run's record says it came from, or its id."""
    frame = snapshot.frame("runs", run_id=run_id)
    return str(frame["environment"].item()) if frame.height else run_id
