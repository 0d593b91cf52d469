"""Replies cut to a length and marked again.  In: a snapshot and a scorer.  Out: matrices."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from finassay.errors import UsageError
from finassay.marking.batch import INPUT_SCHEMA, Batch
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.regimes import BASE_CHOICES, REGIME_PREFIX
from finassay.marking.rows import item_columns
from finassay.marking.rowwise import Marker
from finassay.marking.single import as_scorer
from finassay.records import Status
from finassay.scorers.base import Scorer
from finassay.scorers.registry import is_imported
from finassay.study.snapshot import Snapshot


def marked_when_cut(
    snapshot: Snapshot, scorer: str | Scorer, lengths: Sequence[int], *, systems: Sequence[str]
) -> dict[int, VerdictMatrix]:
    """Return items x systems verdicts of a scorer on the replies cut to each length.

    A reply that is shorter stays whole.  Nothing is written to the study.

    Args:
        snapshot: pinned tables.
        scorer: what marks.
        lengths: characters that are kept.
        systems: display names of the systems whose replies are marked.

    Raises:
        UsageError: a length below 1, or a scorer whose verdicts are imported.
        UnknownNameError: there is no such scorer or system.
    """
    for length in lengths:
        if length < 1:
            raise UsageError(f"replies are cut to at least 1 character, got {length!r}")
    names = {snapshot.resolve_system(name): name for name in systems}
    replies = snapshot.frame("predictions", system_id=list(names), trial=0)
    rows = replies.join(
        item_columns(snapshot), on="item_id", how="inner", maintain_order="left"
    ).with_columns(system=pl.col("system_id").replace_strict(names, return_dtype=pl.String()))
    rule = as_scorer(scorer)
    return {length: _marked(rows, rule, length) for length in lengths}


def computed_rule(scorer_id: str) -> str:
    """Return the scorer, or the strict rule in place of verdicts that come from outside.

    Imported verdicts and regimes cannot be made again on other texts.
    """
    is_given = is_imported(scorer_id) or scorer_id.startswith(REGIME_PREFIX)
    return BASE_CHOICES[1] if is_given else scorer_id


def _marked(rows: pl.DataFrame, rule: Scorer, length: int) -> VerdictMatrix:
    cut = rows.with_columns(text=pl.col("text").str.slice(0, length))
    held = [name for name in INPUT_SCHEMA if name in cut.columns]
    made = Marker(Batch(cut.select(held))).mark(rule).select("status", "value")
    cells: list[tuple[tuple[str, ...], str, Status, float | None]] = [
        ((item,), system, status, value)
        for (item, system), (status, value) in zip(
            rows.select("item_id", "system").iter_rows(), made.iter_rows(), strict=True
        )
    ]
    return VerdictMatrix.from_cells(cells, row_names=("item_id",), column_name="system")
