"""Marking many answers at once.  In: mappings or a frame.  Out: verdicts, in order."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from finassay.marking.batch import Batch, Row
from finassay.marking.columns import verdicts_of
from finassay.marking.rowwise import Marker
from finassay.marking.single import as_scorer
from finassay.records import Verdict
from finassay.scorers.base import Scorer


def mark_many(scorer: str | Scorer, rows: Iterable[Row] | pl.DataFrame) -> list[Verdict]:
    """Return the verdicts of a scorer on many replies, in order; the vectorised path.

    Args:
        scorer: a scorer, or the id of one.
        rows: mappings with the keys `reference` and `reply`, and where known `question`,
            `choices`, `context`, `task`, `contract`, `alternatives`, `finish`; or a polars frame
            with such columns.

    Raises:
        UnknownNameError: there is no such scorer.
        UsageError: a row lacks a key or has an unknown one.

    Example:
        >>> [v.value for v in mark_many("exact", [{"reference": "5%", "reply": "5%"}])]
        [1.0]
    """
    return list(verdicts_of(mark_frame(scorer, rows)))


def mark_frame(scorer: str | Scorer, rows: Iterable[Row] | pl.DataFrame) -> pl.DataFrame:
    """Return the same verdicts as a frame: status, value, label, extracted, flags, reason."""
    return Marker(Batch.from_rows(rows)).mark(as_scorer(scorer))
