"""What a pilot says of the whole.  In: its answers.  Out: tokens and cost of all items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import polars as pl

from finassay.records import Item, SystemSpec
from finassay.runs.plan import stratum_of
from finassay.runs.report import Projection
from finassay.study import Snapshot

_TOLD = ("tokens_in", "tokens_out", "cost_usd")


def project(
    snapshot: Snapshot, items: Sequence[Item], spec: SystemSpec, *, trials: int
) -> Projection:
    """Return what asking all items would take, from the answers that the study holds.

    Each stratum's mean over the answers that tell it, times its items and trials, summed.
    """
    strata = {item.item_id: stratum_of(item) for item in items}
    held = snapshot.frame("predictions", system_id=spec.system_id)
    seen = held.filter(
        pl.col("item_id").is_in(list(strata)), pl.col("finish").ne("error")
    ).with_columns(pl.col("item_id").replace_strict(strata, default="").alias("stratum"))
    means = {
        str(row["stratum"]): row
        for row in seen.group_by("stratum").agg(pl.col(_TOLD).mean()).iter_rows(named=True)
    }
    sizes = Counter(strata.values())
    totals: dict[str, float | None] = {}
    for name in _TOLD:
        told = {s: row[name] for s, row in means.items() if row[name] is not None}
        totals[name] = sum(told[s] * sizes[s] * trials for s in told) if told else None
    return Projection(
        name=spec.name,
        answers=seen.height,
        requests=len(items) * trials,
        unseen=sum(n for stratum, n in sizes.items() if stratum not in means) * trials,
        tokens_in=totals["tokens_in"],
        tokens_out=totals["tokens_out"],
        usd=totals["cost_usd"],
    )
