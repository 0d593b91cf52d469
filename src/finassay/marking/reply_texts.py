"""Texts of replies by item.  In: a snapshot.  Out: item -> system -> text, models only."""

from __future__ import annotations

import polars as pl

from finassay.marking.reply_matrix import ERROR_LIKE
from finassay.study.schemas import REDACTED
from finassay.study.snapshot import Snapshot


def reply_texts(snapshot: Snapshot, *, trial: int = 0) -> dict[str, dict[str, str]]:
    """Return item -> system -> reply of one trial.

    People and baselines are left out, and so are replies that are blank, removed from the study or
    read like a failed call.
    """
    names = {spec.system_id: spec.name for spec in snapshot.systems() if spec.kind == "model"}
    text = pl.col("text")
    rows = (
        snapshot.scan("predictions")
        .filter(
            pl.col("trial").eq(trial),
            pl.col("system_id").is_in(sorted(names)),
            text.str.strip_chars().ne(""),
            text.ne(REDACTED),
            ~text.str.contains(ERROR_LIKE),
        )
        .select("item_id", "system_id", "text")
        .sort("item_id", "system_id")
        .collect()
    )
    found: dict[str, dict[str, str]] = {}
    for item_id, system_id, reply in rows.iter_rows():
        found.setdefault(item_id, {})[names[system_id]] = reply
    return found
