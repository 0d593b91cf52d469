"""Verdicts from outside as rows.  In: verdicts with what they stand on.  Out: frames, commits."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version

import polars as pl

from finassay.runs.importers.options import IMPORTED_VERSION
from finassay.study import TABLES, Commit, Snapshot, Study
from finassay.study.schemas import Block


def verdicts_frame(
    rows: Iterable[Mapping[str, object]], *, scorer_id: str, system_id: str
) -> pl.DataFrame:
    """Return rows of the table `verdicts` of one imported scorer on one system."""
    schema = TABLES["verdicts"].polars_schema
    same = {
        "scorer_id": scorer_id,
        "scorer_version": IMPORTED_VERSION,
        "system_id": system_id,
    }
    return pl.DataFrame([{**row, **same} for row in rows], schema=schema)


def record_scorer(study: Study, scorer_id: str) -> None:
    """Record in the study that a scorer's verdicts are imported, not made."""
    study.add_scorer(
        scorer_id,
        IMPORTED_VERSION,
        name=scorer_id,
        spec=json.dumps({"name": scorer_id, "imported": True}),
        package_version=version("finassay"),
    )


def partition_of(*, scorer_id: str, system_id: str | Sequence[str]) -> Block:
    """Return the partition, or block, that holds what an imported scorer says of systems."""
    return {
        "scorer_id": scorer_id,
        "scorer_version": IMPORTED_VERSION,
        "system_id": system_id,
    }


def commit_verdicts(
    study: Study,
    data: pl.DataFrame | pl.LazyFrame,
    *,
    scorer_id: str,
    system_id: str | Sequence[str],
) -> Commit:
    """Replace what an imported scorer says of a system, or of several at once."""
    partition = partition_of(scorer_id=scorer_id, system_id=system_id)
    return study.commit("verdicts", data, partition=partition)


def held_verdicts(
    snapshot: Snapshot, *, scorer_id: str, system_id: str | Sequence[str]
) -> pl.LazyFrame:
    """Return what a study holds of an imported scorer on a system, or on several."""
    systems = [system_id] if isinstance(system_id, str) else list(system_id)
    return snapshot.scan("verdicts").filter(
        pl.col("scorer_id").eq(scorer_id),
        pl.col("scorer_version").eq(IMPORTED_VERSION),
        pl.col("system_id").is_in(systems),
    )
