"""Rows that were redacted.  In: rows on their way in.  Out: rows that do not undo a redaction."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from finassay.study import TABLES, Snapshot
from finassay.study.schemas import REDACTED, Block
from finassay.study.validate import block_values

KEPT = "redacted rows kept as they are (`finassay import --replace-redacted` replaces them)"
"""What an import says of them, before their number."""


class Kept(NamedTuple):
    """Rows to commit, with the keys of those that were kept because they are redacted."""

    data: pl.LazyFrame
    keys: pl.DataFrame


def keep_redacted(
    snapshot: Snapshot,
    table: str,
    data: pl.DataFrame | pl.LazyFrame,
    partition: Block,
) -> Kept:
    """Return the rows with those that the study holds redacted put in place of their new state.

    Args:
        snapshot: what the study holds.
        table: where the rows go.
        data: the rows.
        partition: value, or values, of each partition column of theirs.

    A redacted row for which there is no new one is not kept: it goes as any other row does.
    """
    schema, lazy = TABLES[table], data.lazy()
    keys, columns = list(schema.key), list(schema.columns)
    own = [pl.col(name).is_in(list(block_values(given))) for name, given in partition.items()]
    flagged = pl.col("flags").list.contains(REDACTED).fill_null(value=False)
    held = snapshot.scan(table).filter(*own, flagged).collect()
    if held.is_empty():
        return Kept(lazy, held.select(keys))
    kept = held.join(lazy.select(keys).collect(), on=keys, how="semi")
    rest = lazy.join(kept.lazy(), on=keys, how="anti")
    rows = pl.concat([rest.select(columns), kept.lazy().select(columns)])
    return Kept(rows, kept.select(keys))
