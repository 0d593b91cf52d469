"""Predictions and items that could be drawn.  In: a snapshot.  Out: units."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import polars as pl

from finassay.marking.drawing.units import (
    SILENT,
    SUSPECT,
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


def prediction_units(
    snapshot: Snapshot,
    items: Mapping[str, Row],
    systems: Sequence[SystemSpec],
    scorers: Sequence[str],
    trial: int,
) -> tuple[list[PopulationUnit], tuple[int, ...]]:
    """Return every prediction of the systems in one trial, and the lengths that cut them."""
    rows = replies_of(snapshot, items, systems, trial)
    cuts = length_cuts([int(str(row["length"])) for row in rows])
    said = _verdicts(snapshot, scorers, trial)
    names = {spec.system_id: spec.name for spec in systems}
    units = []
    for row in rows:
        item_id, system_id = str(row["item_id"]), str(row["system_id"])
        verdicts = tuple(
            said[scorer].get((item_id, system_id), FrozenVerdict(scorer_id=scorer))
            for scorer in scorers
        )
        tags = tags_of(items[item_id], verdicts) | {
            "system": names[system_id],
            "length": length_class(int(str(row["length"])), cuts),
            "truncation": "cut" if row["finish"] == "truncated" else "whole",
        }
        key = UnitKey(item_id, system_id, trial)
        units.append(
            PopulationUnit(
                unit_id=unit_id_of(key),
                key=key,
                digests=(str(row["text_digest"]),),
                item_digest=str(items[item_id]["item_digest"]),
                verdicts=verdicts,
                tags=tags,
            )
        )
    return units, cuts


def _verdicts(
    snapshot: Snapshot, scorers: Sequence[str], trial: int
) -> dict[str, dict[tuple[str, str], FrozenVerdict]]:
    wanted = pl.col("scorer_id").is_in(list(scorers))
    first = wanted & pl.col("trial").eq(trial) & pl.col("repeat").eq(0)
    columns = ("scorer_id", "scorer_version", "status", "value", "label")
    rows = snapshot.scan("verdicts").filter(first).collect()
    require_known(snapshot, scorers, rows, "verdicts")
    found: dict[str, dict[tuple[str, str], FrozenVerdict]] = {name: {} for name in scorers}
    frame = newest_versions(rows).select("item_id", "system_id", *columns)
    for item_id, system_id, *said in frame.iter_rows():
        found[said[0]][item_id, system_id] = FrozenVerdict(**dict(zip(columns, said, strict=True)))
    return found


def item_units(
    snapshot: Snapshot,
    items: Mapping[str, Row],
    systems: Sequence[SystemSpec],
    scorers: Sequence[str],
    trial: int,
) -> list[PopulationUnit]:
    """Return every item; what a scorer says of it is the mean of its values over the systems."""
    said = _verdicts(snapshot, scorers, trial)
    wanted = {spec.system_id for spec in systems}
    units = []
    for item_id, row in items.items():
        verdicts = tuple(_mean(said[scorer], item_id, wanted, scorer) for scorer in scorers)
        key = UnitKey(item_id)
        tags = tags_of(row, verdicts)
        tags["disagreement"] = _item_class([verdict.value for verdict in verdicts])
        units.append(
            PopulationUnit(
                unit_id=unit_id_of(key),
                key=key,
                digests=(),
                item_digest=str(row["item_digest"]),
                verdicts=verdicts,
                tags=tags,
            )
        )
    return units


def _mean(
    said: Mapping[tuple[str, str], FrozenVerdict],
    item_id: str,
    systems: Collection[str],
    scorer_id: str,
) -> FrozenVerdict:
    own = [verdict for system in systems if (verdict := said.get((item_id, system))) is not None]
    values = [verdict.value for verdict in own if verdict.value is not None]
    if not values:
        return FrozenVerdict(scorer_id=scorer_id)
    return FrozenVerdict(
        scorer_id=scorer_id,
        scorer_version=own[0].scorer_version,
        status="scored",
        value=sum(values) / len(values),
    )


def _item_class(shares: Sequence[float | None]) -> str:
    known = [share for share in shares if share is not None]
    if not known:
        return SILENT
    if max(known) == 0.0:
        return SUSPECT
    return "every system is right" if min(known) == 1.0 else "some systems are right"
