"""A study under every rule of a grid.  In: a snapshot and a grid.  Out: a multiverse.

Predictions are read and marked in blocks, so that only one byte for each rule and prediction is
held for long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from finassay.errors import MissingVerdictsError, UsageError
from finassay.marking.batch import Batch
from finassay.marking.multiverse.coder import Coder
from finassay.marking.multiverse.codes import FAILED, OUT, RIGHT, STATUS_CODE, WRONG, Codes
from finassay.marking.multiverse.cube import Multiverse, collapsed
from finassay.marking.multiverse.dimensions import JUDGE, Task
from finassay.marking.multiverse.grid import Grid
from finassay.marking.regimes import choose_judge, require_held
from finassay.marking.rows import chosen_systems, item_columns
from finassay.marking.scoring import Progress, chunks_of_systems
from finassay.marking.table import newest_versions
from finassay.records import RIGHT as LEAST_RIGHT
from finassay.records import SystemSpec
from finassay.scorers.base import Scorer
from finassay.study.schemas import REDACTED
from finassay.study.snapshot import Snapshot

BLOCK = 25_000
"""Replies whose texts, normal forms and similarities are held at once."""

_IS_REDACTED = pl.col("flags").list.contains(REDACTED).fill_null(value=False)
_KEYS = ["item_id", "system_id"]
_OFFERS = pl.col("choices").list.len().gt(0)
_LOWERED = pl.col("choices").list.eval(pl.element().str.to_lowercase()).list.sort()
# Yes and no are answers in words too: rules for answers have a stage for them.
_IS_CLOSED = _OFFERS & _LOWERED.list.join("/").ne("no/yes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Where a judge has a say.

    Attributes:
        name: scorer id of the judge.
        verdicts: item_id, system_id and `judge_code` of its first-trial verdicts.
        families: families in which it judged something: elsewhere the rule decides alone.
        systems: ids of the systems that it judged.
    """

    name: str
    verdicts: pl.DataFrame
    families: tuple[str, ...]
    systems: tuple[str, ...]


def task_of(snapshot: Snapshot) -> Task:
    """Return what the items of a study ask for: labels where every item offers a card of them."""
    is_closed = snapshot.frame("items").select(_IS_CLOSED).to_series()
    return "labels" if len(is_closed) and is_closed.all() else "qa"


def mark_multiverse(
    snapshot: Snapshot,
    grid: Grid,
    *,
    judge: str | None = None,
    systems: Sequence[str] | None = None,
    weighted: bool = True,
    progress: Progress | None = None,
) -> Multiverse:
    """Return the verdicts of every rule of a grid on the first-trial replies of a study.

    A grid for labels is applied to the items that offer choices, one for answers to those that
    offer none, or yes and no only.  A dimension that asks for a judge is taken out where the study
    holds no verdicts of one.

    Args:
        snapshot: pinned tables.
        grid: the rules.
        judge: scorer id of the judge; the first by name by default.
        systems: display names or id prefixes; all by default.
        weighted: False takes all choices of a dimension for equally plausible.
        progress: called before each block of systems.

    Raises:
        UsageError: the study holds no item of the grid's task, or no reply to one.
        MissingVerdictsError: the judge asked for holds no verdicts.
    """
    grid, said, warnings = _with_judge(snapshot, grid, judge)
    items = _items(snapshot, grid.task)
    chosen = [spec for spec in chosen_systems(snapshot, systems) if spec.kind != "person"]
    cells = grid.cells(judge=None if said is None else said.name, weighted=weighted)
    scorers = list(dict.fromkeys(cell.scorer for cell in cells))
    codes = np.full((len(scorers), items.height, len(chosen)), OUT, dtype=np.uint8)
    present = np.zeros(codes.shape[1:], dtype=bool)
    done = 0
    for chunk in chunks_of_systems(snapshot, chosen):
        if progress is not None:
            progress(done, len(chosen), chunk[0].name)
        rows = _rows(snapshot, items, chunk, said)
        for block in rows.iter_slices(BLOCK):
            at = block["item_at"].to_numpy(), done + block["system_at"].to_numpy()
            present[at] = True
            _fill(codes, at, scorers, Coder(Batch(block), _imported(block, said)))
        done += len(chunk)
    if progress is not None:
        progress(done, len(chosen), "")
    if not present.any():
        raise UsageError(
            f"the study at {snapshot.root} holds no reply to an item for the grid {grid.name!r}; "
            "import predictions first"
        )
    sheets, where = collapsed(codes)
    place = {scorer: at for at, scorer in enumerate(scorers)}
    return Multiverse(
        grid=grid,
        cells=cells,
        items=tuple(items["item_id"].to_list()),
        systems=tuple(spec.name for spec in chosen),
        sheets=sheets,
        sheet=where[[place[cell.scorer] for cell in cells]],
        present=present,
        unjudged=_unjudged(said, chosen),
        warnings=(*warnings, *_other_trials(snapshot)),
    )


def _fill(
    codes: Codes,
    at: tuple[NDArray[np.int64], NDArray[np.int64]],
    scorers: Sequence[Scorer],
    coder: Coder,
) -> None:
    for number, scorer in enumerate(scorers):
        codes[number, at[0], at[1]] = coder.codes(scorer)


def _items(snapshot: Snapshot, task: Task) -> pl.DataFrame:
    items = item_columns(snapshot).filter(_OFFERS if task == "labels" else ~_IS_CLOSED)
    if not items.height and not snapshot.frame("items").height:
        raise UsageError(f"the study at {snapshot.root} holds no items; import some first")
    if not items.height:
        what = "offers choices" if task == "labels" else "asks for an answer without choices"
        raise UsageError(
            f"no item of the study at {snapshot.root} {what}; ask for the other task with --task"
        )
    return items.sort("item_id").with_row_index("item_at")


def _rows(
    snapshot: Snapshot, items: pl.DataFrame, specs: Sequence[SystemSpec], said: Judged | None
) -> pl.DataFrame:
    ids = [spec.system_id for spec in specs]
    place = pl.DataFrame({"system_id": ids, "system_at": range(len(ids))})
    predictions = snapshot.frame("predictions", system_id=ids).filter(
        pl.col("trial").eq(0), ~_IS_REDACTED
    )
    rows = predictions.join(items, on="item_id").filter(~pl.col("item_is_redacted"))
    rows = rows.join(place, on="system_id")
    if said is None:
        return rows
    joined = rows.join(said.verdicts, on=_KEYS, how="left", maintain_order="left")
    takes_part = pl.col("family").is_in(list(said.families)) & pl.col("system_id").is_in(
        list(said.systems)
    )
    # A gap must not read as "does not apply", or the rule would decide where it was never asked.
    gap = pl.when(takes_part).then(pl.lit(FAILED)).otherwise(pl.lit(OUT))
    return joined.with_columns(pl.col("judge_code").fill_null(gap))


def _imported(rows: pl.DataFrame, said: Judged | None) -> Mapping[str, Codes]:
    if said is None:
        return {}
    return {said.name: rows["judge_code"].to_numpy().astype(np.uint8)}


def _with_judge(
    snapshot: Snapshot, grid: Grid, judge: str | None
) -> tuple[Grid, Judged | None, tuple[str, ...]]:
    held = snapshot.scan("verdicts").select("scorer_id").unique().collect()["scorer_id"].to_list()
    require_held(judge, "judge", held)
    name = judge or choose_judge(held)
    if not grid.has_judge:
        return grid, None, ()
    if name is None:
        note = "the study holds no verdicts of a judge: the dimension 'judge' was taken out"
        return grid.without(JUDGE), None, (note,)
    return grid, _judged(snapshot, name), ()


def _judged(snapshot: Snapshot, name: str) -> Judged:
    verdicts = newest_versions(
        snapshot.scan("verdicts")
        .filter(pl.col("scorer_id").eq(name), pl.col("trial").eq(0), pl.col("repeat").eq(0))
        .collect()
    )
    if not verdicts.height:
        raise MissingVerdictsError(
            f"the judge {name!r} holds no verdict on a first trial; choose another with --judge"
        )
    items = snapshot.frame("items").select("item_id", "family")
    coded = verdicts.select(
        *_KEYS,
        judge_code=pl.when(pl.col("value").is_not_null())
        .then(pl.when(pl.col("value") >= LEAST_RIGHT).then(pl.lit(RIGHT)).otherwise(pl.lit(WRONG)))
        .otherwise(pl.col("status").replace_strict(dict(STATUS_CODE), default=FAILED)),
    )
    families = items.join(coded, on="item_id", how="semi")["family"].unique().sort().to_list()
    return Judged(
        name=name,
        verdicts=coded,
        families=tuple(families),
        systems=tuple(coded["system_id"].unique().sort().to_list()),
    )


def _other_trials(snapshot: Snapshot) -> tuple[str, ...]:
    count = snapshot.scan("predictions").filter(pl.col("trial").gt(0)).select(pl.len()).collect()
    others = int(count.item())
    return (
        (f"first trials only: {others} replies of later trials are not marked",) if others else ()
    )


def _unjudged(said: Judged | None, chosen: Sequence[SystemSpec]) -> tuple[str, ...]:
    if said is None:
        return ()
    return tuple(spec.name for spec in chosen if spec.system_id not in said.systems)
