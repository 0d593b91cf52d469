"""Rows that refer to others.  In: a snapshot.  Out: those whose others are missing or changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from finassay.study.problems import Problem, Severity, problem_of
from finassay.study.snapshot import BY_SYSTEM, Snapshot, block_filters


@dataclass(frozen=True, slots=True)
class _Reference:
    """Rows of one table that must be found in another."""

    code: str
    table: str
    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]
    advice: str
    severity: Severity = "error"


_PREDICTION = ("item_id", "system_id", "trial")
_IMPORT = "import what they refer to, or drop them"
_REFERENCES = (
    _Reference("run_without_system", "runs", ("system_id",), "systems", ("system_id",), _IMPORT),
    _Reference(
        "prediction_without_item", "predictions", ("item_id",), "items", ("item_id",), _IMPORT
    ),
    _Reference(
        "prediction_without_system",
        "predictions",
        ("system_id",),
        "systems",
        ("system_id",),
        _IMPORT,
    ),
    _Reference(
        "prediction_without_run",
        "predictions",
        ("run_id",),
        "runs",
        ("run_id",),
        "record the run, so that it can be told how they came about",
        "warning",
    ),
    _Reference(
        "verdict_without_prediction", "verdicts", _PREDICTION, "predictions", _PREDICTION, _IMPORT
    ),
    _Reference(
        "verdict_without_scorer",
        "verdicts",
        ("scorer_id", "scorer_version"),
        "scorers",
        ("scorer_id", "scorer_version"),
        "record the scorer, so that they can be made again",
    ),
    _Reference(
        "comparison_without_left",
        "comparisons",
        ("item_id", "left_system_id", "left_trial"),
        "predictions",
        _PREDICTION,
        _IMPORT,
    ),
    _Reference(
        "comparison_without_right",
        "comparisons",
        ("item_id", "right_system_id", "right_trial"),
        "predictions",
        _PREDICTION,
        _IMPORT,
    ),
)


def dangling(snapshot: Snapshot) -> Iterator[Problem]:
    """Yield rows that refer to rows that are not there."""
    for ref in _REFERENCES:
        columns, targets = list(ref.columns), list(ref.target_columns)
        own = snapshot.scan(ref.table).select(columns)
        there = snapshot.scan(ref.target).select(targets)
        by_system = "system_id" in columns and ref.target in BY_SYSTEM
        blocks = block_filters(snapshot, ref.table) if by_system else [pl.lit(value=True)]
        rows = pl.concat(
            own.filter(block)
            .join(
                there.filter(block) if by_system else there,
                left_on=columns,
                right_on=targets,
                how="anti",
            )
            .collect(engine="streaming")
            for block in blocks
        ).sort(columns)
        what = f"rows refer to {ref.target} that are not there; {ref.advice}"
        yield from problem_of(ref.severity, ref.code, ref.table, rows, what)


def stale(snapshot: Snapshot) -> Iterator[Problem]:
    """Yield verdicts that were made of another text or item than stands there now."""
    key = list(_PREDICTION)
    verdicts = snapshot.scan("verdicts").select(
        "scorer_id", "scorer_version", *key, "text_digest", "item_digest"
    )
    texts = snapshot.scan("predictions").select(*key, now="text_digest")
    items = snapshot.scan("items").select("item_id", now="item_digest").collect().lazy()
    blocks = block_filters(snapshot, "verdicts")
    for code, digest in (("stale_text", "text_digest"), ("stale_item", "item_digest")):
        found = []
        for block in blocks:
            own = verdicts.filter(block)
            joined = (
                own.join(texts.filter(block), on=key)
                if digest == "text_digest"
                else own.join(items, on="item_id")
            )
            rows = joined.filter(pl.col(digest) != pl.col("now")).select("scorer_id", *key)
            found.append(rows.collect(engine="streaming"))
        what = f"verdicts were made of another {code.removeprefix('stale_')}; mark again"
        listed = pl.concat(found).sort("scorer_id", *key)
        yield from problem_of("warning", code, "verdicts", listed, what)
