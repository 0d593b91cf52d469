"""Pairs that could be drawn.  In: a snapshot.  Out: two answers to one item, as units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import polars as pl

from finassay.marking.drawing.units import (
    DISPUTED,
    PART,
    SILENT,
    PopulationUnit,
    Row,
    length_class,
    length_cuts,
    replies_of,
    require_known,
    tags_of,
)
from finassay.marking.table import newest_versions
from finassay.records import SystemSpec
from finassay.study.adjudication.draws import FrozenVerdict, UnitKey, unit_id_of
from finassay.study.snapshot import Snapshot


def pair_units(
    snapshot: Snapshot,
    items: Mapping[str, Row],
    systems: Sequence[SystemSpec],
    scorers: Sequence[str],
    trial: int,
) -> tuple[list[PopulationUnit], tuple[int, ...]]:
    """Return every pair of systems on every item both answered, left before right by name."""
    replies = replies_of(snapshot, items, systems, trial)
    cuts = length_cuts([int(str(row["length"])) for row in replies])
    names = {spec.system_id: spec.name for spec in systems}
    said = _duels(snapshot, scorers, trial)
    by_item: dict[str, list[Row]] = {}
    for row in sorted(replies, key=lambda row: (row["item_id"], names[str(row["system_id"])])):
        by_item.setdefault(str(row["item_id"]), []).append(row)
    units = []
    for item_id, rows in by_item.items():
        for left, right in combinations(rows, 2):
            sides = str(left["system_id"]), str(right["system_id"])
            verdicts = tuple(said[scorer].verdict((item_id, *sides)) for scorer in scorers)
            longest = max(int(str(row["length"])) for row in (left, right))
            is_cut = "truncated" in (left["finish"], right["finish"])
            tags = tags_of(items[item_id], verdicts) | {
                "disagreement": _pair_class([verdict.value for verdict in verdicts]),
                "system": " vs ".join(names[side] for side in sides),
                "length": length_class(longest, cuts),
                "truncation": "cut" if is_cut else "whole",
            }
            key = UnitKey(item_id, sides[0], trial, sides[1], trial)
            units.append(
                PopulationUnit(
                    unit_id=unit_id_of(key),
                    key=key,
                    digests=(str(left["text_digest"]), str(right["text_digest"])),
                    item_digest=str(items[item_id]["item_digest"]),
                    verdicts=verdicts,
                    tags=tags,
                )
            )
    return units, cuts


def _pair_class(values: Sequence[float | None]) -> str:
    said = {value for value in values if value is not None}
    if len(said) > 1:
        return DISPUTED
    if not said:
        return SILENT
    if None in values:
        return PART
    return "agree: tie" if said == {0.5} else "agree: one is better"


class _Duels:
    """Comparisons of one scorer: both orders of a pair, however it was written down."""

    def __init__(self, scorer_id: str) -> None:
        self.scorer_id = scorer_id
        self.version = ""
        self._said: dict[tuple[str, str, str], list[float]] = {}

    def add(self, pair: tuple[str, str, str], winner: str | None) -> None:
        points = {"left": 1.0, "right": 0.0, "tie": 0.5}
        if winner in points:
            item_id, left, right = pair
            self._said.setdefault(pair, []).append(points[winner])
            self._said.setdefault((item_id, right, left), []).append(1.0 - points[winner])

    def verdict(self, pair: tuple[str, str, str]) -> FrozenVerdict:
        """Return who wins in every order: 1 left, 0 right; orders that differ are a tie."""
        said = set(self._said.get(pair, ()))
        if not said:
            return FrozenVerdict(scorer_id=self.scorer_id, scorer_version=self.version)
        value = said.pop() if len(said) == 1 else 0.5
        return FrozenVerdict(
            scorer_id=self.scorer_id,
            scorer_version=self.version,
            status="scored",
            value=value,
            label={1.0: "left", 0.0: "right"}.get(value, "tie"),
        )


def _duels(snapshot: Snapshot, scorers: Sequence[str], trial: int) -> dict[str, _Duels]:
    trials = pl.col("left_trial").eq(trial) & pl.col("right_trial").eq(trial)
    rows = (
        snapshot.scan("comparisons")
        .filter(pl.col("scorer_id").is_in(list(scorers)) & trials)
        .collect()
    )
    require_known(snapshot, scorers, rows, "comparisons")
    found = {name: _Duels(name) for name in scorers}
    columns = ("scorer_id", "scorer_version", "item_id", "left_system_id", "right_system_id")
    for scorer, version, *pair, winner in (
        newest_versions(rows).select(*columns, "winner").iter_rows()
    ):
        item_id, left, right = pair
        found[scorer].version = version
        found[scorer].add((item_id, left, right), winner)
    return found
