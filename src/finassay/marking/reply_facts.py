"""What is known of replies besides their text.  In: a snapshot.  Out: arrays, no frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from finassay.records import FINISHES
from finassay.study.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReplyFacts:
    """Lengths, fates and tokens of the replies of one trial, items x systems.

    Attributes:
        item_ids: R ids, in row order.
        systems: C display names, in column order.
        present: (R, C) whether there is a reply; every other array holds 0 where there is none.
        lengths: (R, C) characters of the reply.
        finish: (R, C) index into `records.FINISHES`.
        tokens: (R, C) tokens of the reply; 0 where the source did not say.
        has_tokens: (R, C) whether the source said how many tokens.
    """

    item_ids: tuple[str, ...]
    systems: tuple[str, ...]
    present: NDArray[np.bool_]
    lengths: NDArray[np.int64]
    finish: NDArray[np.int8]
    tokens: NDArray[np.int64]
    has_tokens: NDArray[np.bool_]

    def column(self, system: str) -> int:
        """Return the column of a system."""
        return self.systems.index(system)


def reply_facts(snapshot: Snapshot, item_ids: Sequence[str], *, trial: int = 0) -> ReplyFacts:
    """Return the facts about the replies to these items in one trial.

    Args:
        snapshot: pinned tables.
        item_ids: the rows, in order.
        trial: which trial.
    """
    names = {spec.system_id: spec.name for spec in snapshot.systems()}
    rows = (
        snapshot.scan("predictions")
        .filter(pl.col("trial").eq(trial))
        .select(
            "item_id", "system_id", "finish", "tokens_out", length=pl.col("text").str.len_chars()
        )
        .collect()
    )
    systems = tuple(sorted({names[key] for key in rows["system_id"].unique()}))
    at_item = {name: at for at, name in enumerate(item_ids)}
    at_system = {key: systems.index(name) for key, name in names.items() if name in systems}
    kept = rows.filter(pl.col("item_id").is_in(list(at_item)))
    where = (
        np.array([at_item[name] for name in kept["item_id"]], dtype=np.int64),
        np.array([at_system[name] for name in kept["system_id"]], dtype=np.int64),
    )
    shape = (len(item_ids), len(systems))

    def whole(values: pl.Series) -> NDArray[np.int64]:
        table = np.zeros(shape, dtype=np.int64)
        table[where] = values.to_numpy()
        return table

    finishes = kept["finish"].replace_strict(
        FINISHES, list(range(len(FINISHES))), return_dtype=pl.Int64
    )
    known = kept["tokens_out"].is_not_null().cast(pl.Int64)
    return ReplyFacts(
        item_ids=tuple(item_ids),
        systems=systems,
        present=whole(pl.ones(kept.height, dtype=pl.Int64, eager=True)) > 0,
        lengths=whole(kept["length"].cast(pl.Int64)),
        finish=whole(finishes).astype(np.int8),
        tokens=whole(kept["tokens_out"].fill_null(0).cast(pl.Int64)),
        has_tokens=whole(known) > 0,
    )


def reply_digests(snapshot: Snapshot, *, trial: int = 0) -> dict[str, dict[str, str]]:
    """Return system -> item -> digest of its reply in one trial."""
    names = {spec.system_id: spec.name for spec in snapshot.systems()}
    rows = (
        snapshot.scan("predictions")
        .filter(pl.col("trial").eq(trial))
        .select("system_id", "item_id", "text_digest")
        .collect()
    )
    found: dict[str, dict[str, str]] = {}
    for system_id, item_id, digest in rows.iter_rows():
        found.setdefault(names[system_id], {})[item_id] = digest
    return found
