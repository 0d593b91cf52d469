"""Comparisons of a study that still hold.  In: a snapshot.  Out: records, no frames.

A comparison stands on two replies and an item as they were; where the study has other ones now it
is stale, left out and counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import polars as pl

from finassay.marking.table import newest_versions, still_holds
from finassay.records import Status
from finassay.study.snapshot import Snapshot

Side = Literal["left", "right"]
SIDES: tuple[Side, ...] = get_args(Side)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredComparison:
    """What a scorer said of two replies in one order.

    Attributes:
        item_id: the item.
        left: display name of the system that the study calls left.
        right: the other.
        order: left_first or right_first; "" where it is not known.
        winner: left, right or tie; None where there is no decision.
        status: as in the study.
    """

    item_id: str
    left: str
    right: str
    order: str
    winner: str | None
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredComparisons:
    """Comparisons by scorer.

    Attributes:
        by_scorer: scorer id -> its comparisons, newest version, first repeat, of one trial.
        stale: scorer id -> comparisons left out because a reply or the item has changed.
    """

    by_scorer: Mapping[str, tuple[StoredComparison, ...]]
    stale: Mapping[str, int]


def stored_comparisons(
    snapshot: Snapshot, *, scorers: Sequence[str] = (), trial: int = 0
) -> StoredComparisons:
    """Return the comparisons of a study on the present replies of one trial.

    Args:
        snapshot: pinned tables.
        scorers: scorer ids; all by default.
        trial: which trial.
    """
    rows = snapshot.scan("comparisons").filter(
        pl.col("repeat").eq(0), pl.col("left_trial").eq(trial), pl.col("right_trial").eq(trial)
    )
    if scorers:
        rows = rows.filter(pl.col("scorer_id").is_in(list(scorers)))
    known = newest_versions(rows.collect())
    joined = _with_present(known, snapshot, trial)
    stale = joined.filter(~pl.col("holds"))["scorer_id"].value_counts().sort("scorer_id")
    names = {spec.system_id: spec.name for spec in snapshot.systems()}
    kept = joined.filter("holds").sort(
        "scorer_id", "item_id", "left_system_id", "right_system_id", "order"
    )
    parts = kept.partition_by("scorer_id", as_dict=True, maintain_order=True)
    return StoredComparisons(
        by_scorer={str(key[0]): _records(part, names) for key, part in sorted(parts.items())},
        stale=dict(stale.iter_rows()),
    )


def _with_present(rows: pl.DataFrame, snapshot: Snapshot, trial: int) -> pl.DataFrame:
    """Return the rows with whether both replies and the item are still those that were judged."""
    texts = (
        snapshot.scan("predictions")
        .filter(pl.col("trial").eq(trial))
        .select("item_id", "system_id", now="text_digest")
        .collect()
    )
    asked = snapshot.scan("items").select("item_id", item_now="item_digest").collect()
    for side in SIDES:
        rows = rows.join(
            texts.rename({"system_id": f"{side}_system_id", "now": f"{side}_now"}),
            on=["item_id", f"{side}_system_id"],
            how="left",
        )
    rows = rows.join(asked, on="item_id", how="left")
    pairs = [(f"{side}_text_digest", f"{side}_now") for side in SIDES]
    held = [still_holds(then, now) for then, now in (*pairs, ("item_digest", "item_now"))]
    return rows.with_columns(holds=pl.all_horizontal(held))


def _records(rows: pl.DataFrame, names: Mapping[str, str]) -> tuple[StoredComparison, ...]:
    return tuple(
        StoredComparison(
            item_id=row["item_id"],
            left=names.get(row["left_system_id"], row["left_system_id"]),
            right=names.get(row["right_system_id"], row["right_system_id"]),
            order=row["order"] or "",
            winner=row["winner"],
            status=row["status"],
        )
        for row in rows.iter_rows(named=True)
    )
