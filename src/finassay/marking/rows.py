"""Rows that marking reads and makes.  In: a snapshot, verdict columns.  Out: frames."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from finassay.marking.columns import OUTPUT_SCHEMA
from finassay.records import SystemSpec
from finassay.study.schemas import REDACTED, VERDICTS
from finassay.study.snapshot import Snapshot

KEYS = ("item_id", "system_id", "trial")
DIGESTS = ("text_digest", "item_digest")
CONTRACT_COLUMNS = (
    "contract_type",
    "contract_unit",
    "contract_scale",
    "contract_decimals",
    "contract_comparator",
    "contract_percent",
)

IS_REDACTED = pl.col("flags").list.contains(REDACTED).fill_null(value=False)


def chosen_systems(snapshot: Snapshot, names: Sequence[str] | None) -> list[SystemSpec]:
    """Return the systems of these names, or all."""
    everyone = snapshot.systems()
    if names is None:
        return everyone
    wanted = {snapshot.resolve_system(name) for name in names}
    return [spec for spec in everyone if spec.system_id in wanted]


def item_columns(snapshot: Snapshot) -> pl.DataFrame:
    """Return the items of a study with the columns that marking reads."""
    return snapshot.frame("items").select(
        "item_id",
        "family",
        "item_digest",
        "reference",
        "question",
        "task",
        "context",
        "contexts",
        "choices",
        "alternatives",
        *CONTRACT_COLUMNS,
        "contract_id",
        item_is_redacted=IS_REDACTED,
    )


def verdict_rows(
    rows: pl.DataFrame, columns: pl.DataFrame, scorer_id: str, scorer_version: str
) -> pl.DataFrame:
    """Return verdicts as rows of the study's table.

    Args:
        rows: predictions with their keys and digests.
        columns: their verdicts in the same order, as `columns.OUTPUT_SCHEMA`.
        scorer_id: what made them.
        scorer_version: its version.
    """
    keys = rows.select(*KEYS, *DIGESTS)
    table = pl.concat([keys, columns.select(OUTPUT_SCHEMA.names())], how="horizontal")
    return VERDICTS.complete(
        table.with_columns(
            scorer_id=pl.lit(scorer_id),
            scorer_version=pl.lit(scorer_version),
            repeat=pl.lit(0, dtype=pl.Int64),
            revision=pl.lit(0, dtype=pl.Int64),
        )
    )
