"""Composites on columns.  In: the parts' verdict columns.  Out: the composite's.

The combination itself is `Composite.combine`, called once for each distinct tuple of part
verdicts: with a handful of statuses, values and reasons there are few of those however many
predictions there are.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from finassay.marking.columns import OUTPUT_SCHEMA, columns_of, verdicts_of
from finassay.records import Verdict
from finassay.scorers.composites import Composite


def combine(composite: Composite, parts: Sequence[tuple[str, pl.DataFrame]]) -> pl.DataFrame:
    """Return the composite's verdicts, row by row.

    Args:
        composite: says how parts combine.
        parts: (name of the part, its verdicts as `columns.OUTPUT_SCHEMA`), all of one length; a
            null status means that the part holds no verdict there, and takes no part.
    """
    wide = pl.concat(
        [_numbered(columns, f"part{number}") for number, (_, columns) in enumerate(parts)],
        how="horizontal",
    )
    distinct = wide.unique(maintain_order=True)
    lists = [_verdicts(columns) for _, columns in parts]
    verdicts = [
        composite.combine(
            [
                (name, verdict)
                for (name, _), known, number in zip(parts, lists, row, strict=True)
                if (verdict := known[number]) is not None
            ]
        )
        for row in distinct.iter_rows()
    ]
    found = pl.concat([distinct, columns_of(verdicts)], how="horizontal")
    joined = wide.join(found, on=wide.columns, how="left", maintain_order="left")
    return joined.select(OUTPUT_SCHEMA.names())


def _numbered(columns: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return for each row the number of the first row with the same verdict."""
    names = OUTPUT_SCHEMA.names()
    first = pl.col("row").first().over(names)
    return columns.select(names).with_row_index("row").select(first.cast(pl.Int64).alias(name))


def _verdicts(columns: pl.DataFrame) -> dict[int, Verdict | None]:
    first = _numbered(columns, "row").to_series().unique().sort()
    rows = columns[first.to_list()]
    held = rows.filter(pl.col("status").is_not_null())
    known = iter(verdicts_of(held))
    return {
        number: None if status is None else next(known)
        for number, status in zip(first.to_list(), rows["status"].to_list(), strict=True)
    }
