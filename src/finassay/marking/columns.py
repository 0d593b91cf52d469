"""Verdicts as columns.  In: verdict records or arrays of codes.  Out: frames of one shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from finassay.records import STATUSES, Verdict

_FLAGS = pl.List(pl.String())

OUTPUT_SCHEMA = pl.Schema(
    {
        "status": pl.String(),
        "value": pl.Float64(),
        "label": pl.String(),
        "extracted": pl.String(),
        "flags": pl.List(pl.String()),
        "reason": pl.String(),
    }
)
"""The columns of a verdict that a scorer fills."""


def columns_of(verdicts: Iterable[Verdict]) -> pl.DataFrame:
    """Return verdicts as a frame of `OUTPUT_SCHEMA`, in order."""
    rows = [(v.status, v.value, v.label, v.extracted, list(v.flags), v.reason) for v in verdicts]
    return pl.DataFrame(rows, schema=OUTPUT_SCHEMA, orient="row")


def verdicts_of(columns: pl.DataFrame) -> Iterator[Verdict]:
    """Yield the verdict records of a frame of `OUTPUT_SCHEMA`, in order."""
    rows = columns.select(OUTPUT_SCHEMA.names()).with_columns(
        pl.col("reason").fill_null(""), pl.col("flags").fill_null(pl.lit([], dtype=_FLAGS))
    )
    for status, value, label, extracted, flags, reason in rows.iter_rows():
        yield Verdict(
            status=status,
            value=value,
            label=label,
            extracted=extracted,
            flags=tuple(flags),
            reason=reason,
        )


def scored_columns(
    is_right: NDArray[np.bool_], reason_codes: NDArray[np.intp], reasons: Sequence[str]
) -> pl.DataFrame:
    """Return scored verdicts of 1 or 0.

    Args:
        is_right: (N,) whether the value is 1.
        reason_codes: (N,) index into `reasons`.
        reasons: the distinct reasons.
    """
    count = len(is_right)
    nothing = pl.Series([None], dtype=pl.String).new_from_index(0, count)
    return pl.DataFrame(
        {
            "status": pl.Series([STATUSES[0]]).new_from_index(0, count),
            "value": pl.Series(is_right.astype(np.float64)),
            "label": nothing,
            "extracted": nothing,
            "flags": pl.Series([[]], dtype=pl.List(pl.String)).new_from_index(0, count),
            "reason": pl.Series(list(reasons), dtype=pl.String).gather(reason_codes),
        },
        schema=OUTPUT_SCHEMA,
    )


def merge(parts: Sequence[tuple[NDArray[np.intp], pl.DataFrame]], count: int) -> pl.DataFrame:
    """Return `count` rows put together from (row numbers, verdicts) that cover them once."""
    where = np.concatenate([rows for rows, _ in parts]) if parts else np.empty(0, np.intp)
    back = np.empty(count, np.intp)
    back[where] = np.arange(count)
    stacked = pl.concat([columns for _, columns in parts]) if parts else OUTPUT_SCHEMA.to_frame()
    return stacked[back] if len(parts) > 1 else stacked[back] if count else stacked
