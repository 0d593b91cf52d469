"""Rules that span the partitions of a table.  In: new rows, the table.  Out: nothing, or an error.

Items and systems are small, so a commit to them tolerates no other commit in between and these
rules hold always.  Predictions are large and written by several processes at once: there the rule
can be passed by two runs of one system that commit in the same moment, which `check` reports.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import polars as pl
from deltalake import DeltaTable

from finassay.errors import KeyClashError, UsageError
from finassay.study.schemas import ITEMS, PREDICTIONS, SYSTEMS, TableSchema
from finassay.study.tables import scan_partition, scan_table

COMMITTED_ALONE = ("items", "systems")
"""Tables whose commits are made again after any other commit to the table."""


def check_across(schema: TableSchema, current: DeltaTable, rows: pl.LazyFrame) -> None:
    """Check new rows against the other partitions of their table.

    Raises:
        KeyClashError: an item id stands in another benchmark, or a prediction in another run.
        UsageError: another system has the display name.
    """
    guard = _GUARDS.get(schema.name)
    if guard is not None:
        guard(current, rows)


def _refuse_second_benchmark(current: DeltaTable, rows: pl.LazyFrame) -> None:
    mine = rows.select("item_id", "benchmark").collect()
    others = scan_table(current, ITEMS).select("item_id", pl.col("benchmark").alias("other"))
    clash = (
        others.join(mine.lazy(), on="item_id", how="inner")
        .filter(pl.col("other") != pl.col("benchmark"))
        .sort("item_id")
        .collect()
    )
    if clash.height:
        item_id, other, benchmark = clash.row(0)
        raise KeyClashError(
            f"{clash.height} item ids of benchmark {benchmark!r} stand in another benchmark too, "
            f"the first being {item_id!r} in {other!r}; an item id must be unique in a study; "
            f"qualify the ids, for instance as {benchmark + '/' + item_id!r}, or keep it "
            f"in a study of its own"
        )


def _refuse_second_name(current: DeltaTable, rows: pl.LazyFrame) -> None:
    mine = rows.select("name", "system_id").collect()
    known = scan_table(current, SYSTEMS).select("name", pl.col("system_id").alias("other"))
    new = mine.lazy().select("name", pl.col("system_id").alias("other"))
    clash = (
        pl.concat([known, new])
        .join(mine.lazy(), on="name", how="inner")
        .filter(pl.col("other") != pl.col("system_id"))
        .sort("name", "system_id", "other")
        .collect()
    )
    if clash.height:
        name, other, _ = clash.row(0)
        raise UsageError(
            f"the display name {name!r} belongs to another system of this study ({other}); a "
            f"system that differs in model, prompt, decoding or budget needs a name of its own"
        )


def _refuse_second_run(current: DeltaTable, rows: pl.LazyFrame) -> None:
    mine = rows.select(*PREDICTIONS.key, "run_id").collect()
    if not mine.height:
        return
    systems = mine["system_id"].unique().to_list()
    others = scan_partition(current, PREDICTIONS, {"system_id": systems})
    clash = (
        others.select(*PREDICTIONS.key, pl.col("run_id").alias("other"))
        .join(mine.lazy(), on=list(PREDICTIONS.key), how="inner")
        .filter(pl.col("other") != pl.col("run_id"))
        .sort("system_id", "item_id", "trial")
        .collect()
    )
    if clash.height:
        first = clash.row(0, named=True)
        raise KeyClashError(
            f"run {first['run_id']!r} of system {first['system_id']!r} answers {clash.height} "
            f"items that run {first['other']!r} answered in the same trial, the first being item "
            f"{first['item_id']!r}, trial {first['trial']}; expected one prediction for each "
            f"{PREDICTIONS.key}; number the new ones as further trials, commit them under the old "
            f"run, or drop the old run first"
        )


_GUARDS: Mapping[str, Callable[[DeltaTable, pl.LazyFrame], None]] = {
    "items": _refuse_second_benchmark,
    "systems": _refuse_second_name,
    "predictions": _refuse_second_run,
}
