"""Replies to items that offer choices.  In: a snapshot.  Out: records, no frames."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from finassay.records import Finish
from finassay.study.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceReply:
    """What one system wrote to one item that offers choices, in its first trial."""

    item_id: str
    system_id: str
    text: str
    finish: Finish


def choice_replies(snapshot: Snapshot) -> tuple[ChoiceReply, ...]:
    """Return the first-trial replies to all items with choices, by system and item."""
    offers = pl.col("choices").list.len().fill_null(0).gt(0)
    offering = snapshot.scan("items").filter(offers).select("item_id").collect()["item_id"]
    if offering.is_empty():
        return ()
    rows = (
        snapshot.scan("predictions")
        .filter(pl.col("item_id").is_in(offering.to_list()), pl.col("trial").eq(0))
        .select("item_id", "system_id", "text", "finish")
        .sort("system_id", "item_id")
        .collect()
    )
    return tuple(
        ChoiceReply(item_id=item_id, system_id=system_id, text=text, finish=finish)
        for item_id, system_id, text, finish in rows.iter_rows()
    )
