"""The study inside a study.  In: a study.  Out: the one that holds what its judges were asked.

A judge is asked in a study of its own: its items are prompts about the answers of the outer study,
its predictions are the judge's replies.  The outer study holds the verdicts alone, each with the id
of the reply that it rests on.  Whatever looks after a study looks after the inner one with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

import polars as pl

from finassay.records import JUDGE_PREFIX, Item
from finassay.study.config import CONFIG_NAME
from finassay.study.rows import items_frame
from finassay.study.schemas import ITEMS, REDACTED
from finassay.study.snapshot import Snapshot
from finassay.study.study import Commit, Study

JUDGING = "judging"
"""Folder of the inner study, and the benchmark that its prompts stand under."""

SHOWN_SYSTEM = "shows"
"""Stratum of a prompt: id of a system of the outer study whose words it shows; one for each."""

EVIDENCE = "evidence"
"""Field of a scorer's spec that says in which inner study its evidence stands."""


def judging_study(study: Study) -> Study | None:
    """Return the study of what judges were asked, None where none was.

    Raises:
        StudyError: it cannot be opened by this version.
    """
    root = study.root / JUDGING
    return Study.open(root) if (root / CONFIG_NAME).exists() else None


def judging_below(snapshot: Snapshot) -> Snapshot | None:
    """Return what judges were asked, as it stands now; None where none was.

    Args:
        snapshot: of the outer study.

    Raises:
        StudyError: it cannot be opened by this version.
    """
    root = snapshot.root / JUDGING
    return Study.open(root).snapshot() if (root / CONFIG_NAME).exists() else None


def open_judging(study: Study) -> Study:
    """Return the study of what judges are asked, made first if there is none."""
    return Study.open_or_create(study.root / JUDGING, name=f"{study.config.name}: {JUDGING}")


def add_prompts(judging: Study, prompts: Iterable[Item]) -> Commit:
    """Add prompts to those that are held, and return the commit.

    A prompt's id follows from its words, so one that is held stays as it is, redacted or not; only
    the systems that it shows are added to.

    Args:
        judging: the inner study.
        prompts: items whose ids follow from their words; the same id may come several times.
    """
    new = _with_all_systems(items_frame(prompts).with_columns(benchmark=pl.lit(JUDGING)))

    def add(held: pl.DataFrame) -> pl.DataFrame:
        return _with_all_systems(pl.concat([held, new.select(held.columns)]))

    return judging.rewrite("items", {"benchmark": JUDGING}, add)


def _with_all_systems(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the first row of each item, with the strata of all."""
    strata = (
        rows.select("item_id", "strata")
        .explode("strata")
        .drop_nulls("strata")
        .group_by("item_id")
        .agg(pl.col("strata").unique().sort())
    )
    first = rows.unique("item_id", keep="first", maintain_order=True).drop("strata")
    empty = pl.lit([], dtype=ITEMS.columns["strata"])
    joined = first.join(strata, on="item_id", how="left", maintain_order="left")
    return joined.with_columns(pl.col("strata").fill_null(empty)).select(rows.columns)


def prompts_showing(snapshot: Snapshot, system_ids: Sequence[str]) -> list[str]:
    """Return the ids of the prompts of an inner study that show words of these systems."""
    shown = (
        snapshot.scan("items")
        .select("item_id", "strata")
        .explode("strata")
        .filter(
            pl.col("strata").struct.field("key").eq(SHOWN_SYSTEM),
            pl.col("strata").struct.field("value").is_in(list(system_ids)),
        )
    )
    return sorted(shown.select("item_id").unique().collect()["item_id"].to_list())


def verdicts_without_evidence(outer: Snapshot, inner: Snapshot | None) -> Iterator[tuple[str, int]]:
    """Yield (table, rows) of what rests on replies of judges that the inner study lacks."""
    scorers = outer.scan("scorers").select("scorer_id", "scorer_version", "spec").collect()
    own = [
        (scorer_id, version)
        for scorer_id, version, spec in scorers.iter_rows()
        if scorer_id.startswith(JUDGE_PREFIX) and _rests_on_judging(spec)
    ]
    if not own:
        return
    schema = {"scorer_id": pl.String, "scorer_version": pl.String}
    mine = pl.DataFrame(own, schema=schema, orient="row").lazy()
    held = pl.DataFrame(schema={"prediction_id": pl.String}).lazy()
    if inner is not None:
        held = inner.scan("predictions").select("prediction_id")
    for table in ("verdicts", "comparisons"):
        rows = (
            outer.scan(table)
            .filter(pl.col("evidence_id").is_not_null())
            .join(mine, on=list(schema), how="semi")
            .join(held, left_on="evidence_id", right_on="prediction_id", how="anti")
        )
        count = int(rows.select(pl.len()).collect().item())
        if count:
            yield table, count


def _rests_on_judging(spec: str) -> bool:
    try:
        read = json.loads(spec)
    except ValueError:
        return False
    return isinstance(read, dict) and read.get(EVIDENCE) == JUDGING


def is_redacted(flags: object) -> bool:
    """Whether a cell of flags says that its row was redacted."""
    return isinstance(flags, list) and REDACTED in flags
