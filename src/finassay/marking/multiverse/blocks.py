"""Blocks of replies under every rule of a grid.  In: a pinned study and rules.  Out: their codes.

A block depends on nothing but the study, the rules and its rows, so it may be coded by any process.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from finassay.errors import MissingVerdictsError, UsageError
from finassay.marking.batch import Batch
from finassay.marking.multiverse.coder import Coder
from finassay.marking.multiverse.codes import FAILED, OUT, RIGHT, STATUS_CODE, WRONG, Codes
from finassay.marking.multiverse.dimensions import Task
from finassay.marking.rows import IS_REDACTED, item_columns
from finassay.marking.scoring import chunks_of_systems
from finassay.marking.table import newest_versions
from finassay.marking.there import Versions, snapshot_there
from finassay.records import RIGHT as LEAST_RIGHT
from finassay.records import SystemSpec
from finassay.scorers.base import Scorer
from finassay.study.pieces import Piece, scan_pieces, slices
from finassay.study.snapshot import Snapshot

BLOCK = 25_000
"""Replies whose texts, normal forms and similarities are held at once."""

_KEYS = ["item_id", "system_id"]
_OFFERS = pl.col("choices").list.len().gt(0)
_LOWERED = pl.col("choices").list.eval(pl.element().str.to_lowercase()).list.sort()
# Yes and no are answers in words too: rules for answers have a stage for them.
IS_CLOSED = _OFFERS & _LOWERED.list.join("/").ne("no/yes")


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What every block is coded with.

    Attributes:
        snapshot: pinned tables.
        items: the items of the task, numbered in `item_at`.
        scorers: U rules.
        said: where a judge has a say, if it has.
    """

    snapshot: Snapshot
    items: pl.DataFrame
    scorers: tuple[Scorer, ...]
    said: Judged | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundJob:
    """A ground in words, as a process elsewhere sets it up.

    Attributes:
        root: absolute path of the study's directory.
        versions: versions of the tables.
        task: what the items ask for.
        scorers: U rules.
        judge: scorer id of the judge that has a say, if one has.
    """

    root: str
    versions: Versions
    task: Task
    scorers: tuple[Scorer, ...]
    judge: str | None


@lru_cache(maxsize=1)
def _ground_of(job: GroundJob) -> Ground:
    snapshot = snapshot_there(job.root, job.versions)
    return Ground(
        snapshot=snapshot,
        items=items_of_task(snapshot, job.task),
        scorers=job.scorers,
        said=None if job.judge is None else judged(snapshot, job.judge),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Replies that are coded together.

    Attributes:
        label: display name of the first system.
        systems: (system id, place among all systems).
        pieces: the rows of the one system; all rows of all systems if None.
    """

    label: str
    systems: tuple[tuple[str, int], ...]
    pieces: tuple[Piece, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Coded:
    """A block under every rule.

    Attributes:
        item_at: (N,) places of the items.
        system_at: (N,) places of the systems.
        codes: (U, N) verdicts.
    """

    item_at: NDArray[np.int64]
    system_at: NDArray[np.int64]
    codes: Codes


def blocks_of(snapshot: Snapshot, systems: Sequence[SystemSpec]) -> Iterator[Block]:
    """Yield blocks of at most `BLOCK` replies that together hold all of these systems."""
    at = {spec.system_id: place for place, spec in enumerate(systems)}
    sizes = snapshot.rows_of_systems("predictions")
    for chunk in chunks_of_systems(snapshot, systems, most=BLOCK):
        own = tuple((spec.system_id, at[spec.system_id]) for spec in chunk)
        first = chunk[0]
        if sizes.get(first.system_id, 0) <= BLOCK:
            yield Block(label=first.name, systems=own)
            continue
        for pieces in slices(snapshot, "predictions", first.system_id, most=BLOCK):
            yield Block(label=first.name, systems=own, pieces=pieces)


def code_there(job: GroundJob, block: Block) -> Coded:
    """Return what `code_block` makes, for a process that has only the job."""
    return code_block(_ground_of(job), block)


def code_block(ground: Ground, block: Block) -> Coded:
    """Return a block under every rule."""
    rows = _rows(ground, block)
    coder = Coder(Batch(rows), _imported(rows, ground.said))
    codes = np.empty((len(ground.scorers), rows.height), dtype=np.uint8)
    for number, scorer in enumerate(ground.scorers):
        codes[number] = coder.codes(scorer)
    return Coded(
        item_at=rows["item_at"].cast(pl.Int64).to_numpy(),
        system_at=rows["system_at"].cast(pl.Int64).to_numpy(),
        codes=codes,
    )


def items_of_task(snapshot: Snapshot, task: Task) -> pl.DataFrame:
    """Return the items that ask for a task, numbered.

    Raises:
        UsageError: there are none.
    """
    items = item_columns(snapshot).filter(_OFFERS if task == "labels" else ~IS_CLOSED)
    if not items.height and not snapshot.frame("items").height:
        raise UsageError(f"the study at {snapshot.root} holds no items; import some first")
    if not items.height:
        what = "offers choices" if task == "labels" else "asks for an answer without choices"
        raise UsageError(
            f"no item of the study at {snapshot.root} {what}; ask for the other task with --task"
        )
    return items.sort("item_id").with_row_index("item_at")


def _rows(ground: Ground, block: Block) -> pl.DataFrame:
    said = ground.said
    ids, places = [name for name, _ in block.systems], [place for _, place in block.systems]
    place = pl.DataFrame({"system_id": ids, "system_at": places})
    if block.pieces is None:
        predictions = ground.snapshot.frame("predictions", system_id=ids)
    else:
        predictions = scan_pieces(ground.snapshot, "predictions", block.pieces).collect()
    first_trials = predictions.filter(pl.col("trial").eq(0), ~IS_REDACTED)
    rows = first_trials.join(ground.items, on="item_id").filter(~pl.col("item_is_redacted"))
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


def judged(snapshot: Snapshot, name: str) -> Judged:
    """Return where a judge has a say.

    Raises:
        MissingVerdictsError: it holds no verdict on a first trial.
    """
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
