"""A study under every rule of a grid.  In: a snapshot and a grid.  Out: a multiverse.

Predictions are read and marked in blocks, so that only one byte for each rule and prediction is
held for long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial

import numpy as np
import polars as pl

from finassay.errors import UsageError
from finassay.marking.engines import LOCAL, Engine
from finassay.marking.multiverse.blocks import (
    IS_CLOSED,
    Block,
    Coded,
    Ground,
    GroundJob,
    Judged,
    blocks_of,
    code_block,
    code_there,
    items_of_task,
    judged,
)
from finassay.marking.multiverse.codes import OUT
from finassay.marking.multiverse.cube import Multiverse, collapsed
from finassay.marking.multiverse.dimensions import JUDGE, Task
from finassay.marking.multiverse.grid import Grid
from finassay.marking.regimes import choose_judge, require_held
from finassay.marking.rows import chosen_systems
from finassay.marking.scoring import Progress
from finassay.marking.there import place_of
from finassay.records import SystemSpec
from finassay.study.snapshot import Snapshot


def task_of(snapshot: Snapshot) -> Task:
    """Return what the items of a study ask for: labels where every item offers a card of them."""
    is_closed = snapshot.frame("items").select(IS_CLOSED).to_series()
    return "labels" if len(is_closed) and is_closed.all() else "qa"


def mark_multiverse(
    snapshot: Snapshot,
    grid: Grid,
    *,
    judge: str | None = None,
    systems: Sequence[str] | None = None,
    weighted: bool = True,
    engine: Engine = LOCAL,
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
        engine: where blocks are coded; the codes are the same wherever.
        progress: called before each block of replies.

    Raises:
        UsageError: the study holds no item of the grid's task, or no reply to one.
        MissingVerdictsError: the judge asked for holds no verdicts.
    """
    grid, said, warnings = _with_judge(snapshot, grid, judge)
    items = items_of_task(snapshot, grid.task)
    chosen = [spec for spec in chosen_systems(snapshot, systems) if spec.kind != "person"]
    cells = grid.cells(judge=None if said is None else said.name, weighted=weighted)
    scorers = list(dict.fromkeys(cell.scorer for cell in cells))
    codes = np.full((len(scorers), items.height, len(chosen)), OUT, dtype=np.uint8)
    present = np.zeros(codes.shape[1:], dtype=bool)
    ground = Ground(snapshot=snapshot, items=items, scorers=tuple(scorers), said=said)
    for coded in _coded(ground, grid.task, chosen, engine, progress):
        at = coded.item_at, coded.system_at
        present[at] = True
        codes[:, at[0], at[1]] = coded.codes
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


def _coded(
    ground: Ground,
    task: Task,
    chosen: Sequence[SystemSpec],
    engine: Engine,
    progress: Progress | None,
) -> Iterator[Coded]:
    blocks = list(blocks_of(ground.snapshot, chosen))
    work: Callable[[Block], Coded] = partial(code_block, ground)
    if not engine.is_here:
        root, versions = place_of(ground.snapshot)
        judge = None if ground.said is None else ground.said.name
        job = GroundJob(
            root=root, versions=versions, task=task, scorers=ground.scorers, judge=judge
        )
        work = partial(code_there, job)
    with closing(engine.map(work, blocks)) as results:
        for done, block in enumerate(blocks):
            if progress is not None:
                progress(done, len(blocks), block.label)
            yield next(results)[1]
    if progress is not None:
        progress(len(blocks), len(blocks), "")


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
    return grid, judged(snapshot, name), ()


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
