"""Cells of a study, system by system.  In: a snapshot.  Out: matrices and counts, no texts.

Nothing is held for a single prediction but its cells: nine bytes of value and status for each rule.
Tables are read a block of systems at a time, so memory does not grow with their rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from finassay.errors import CellClashError
from finassay.marking.matrix import ABSENT, STATUS_CODES, VerdictMatrix
from finassay.marking.reply_matrix import ERROR_LIKE
from finassay.marking.table import version_key
from finassay.records import COVERAGE_BASELINE, REFERENCE_CUT, SystemSpec
from finassay.study.schemas import VERDICTS
from finassay.study.snapshot import BLOCK_ROWS, Snapshot

_KEY = list(VERDICTS.key)

T = TypeVar("T")


class Cells:
    """Lays verdicts of a study out as items x systems, one scorer at a time.

    Args:
        snapshot: pinned tables.
        item_ids: the rows, in order.
        systems: those that make columns; others have none.
    """

    def __init__(
        self, snapshot: Snapshot, item_ids: Sequence[str], systems: Sequence[SystemSpec]
    ) -> None:
        self._snapshot = snapshot
        self._rows = tuple((item_id,) for item_id in item_ids)
        self._places = pl.DataFrame(
            {"item_id": item_ids, "place": range(len(item_ids))},
            schema={"item_id": pl.String, "place": pl.Int64},
        ).lazy()
        self._names = {spec.system_id: spec.name for spec in systems}
        self._versions = newest_by_scorer(snapshot)
        most = BLOCK_ROWS * max(1, len(self._versions))
        self._blocks = list(snapshot.blocks("verdicts", most=most))

    @property
    def scorer_ids(self) -> tuple[str, ...]:
        """Return the scorers that hold verdicts, sorted."""
        return tuple(sorted(self._versions))

    def of(self, scorer_id: str, trial: int) -> tuple[VerdictMatrix | None, tuple[str, ...]]:
        """Return the newest verdicts of a scorer in a trial, first repeats, and its baselines.

        The matrix is None without verdicts.  Baselines are the sorted ids of items with a verdict
        that counts what a text mentions and not whether it is right.

        Raises:
            CellClashError: two verdicts stand under one key.
        """
        columns: dict[str, tuple[NDArray[np.float64], NDArray[np.int8]]] = {}
        baselines: set[str] = set()
        for frame in self._frames(scorer_id, trial):
            _refuse_clash(frame)
            baselines.update(frame.filter("is_baseline")["item_id"].to_list())
            for key, part in frame.partition_by("system_id", as_dict=True).items():
                name = self._names.get(str(key[0]))
                if name is not None:
                    columns[name] = self._column(part)
        if not columns:
            return None, ()
        names = tuple(sorted(columns))
        values = np.empty((len(self._rows), len(names)))
        status = np.empty(values.shape, dtype=np.int8)
        for at, name in enumerate(names):
            values[:, at], status[:, at] = columns.pop(name)
        matrix = VerdictMatrix(
            values=values,
            status=status,
            row_names=("item_id",),
            rows=self._rows,
            column_name="system",
            columns=names,
        )
        return matrix, tuple(sorted(baselines))

    def _frames(self, scorer_id: str, trial: int) -> Iterator[pl.DataFrame]:
        flagged = pl.col("flags").list.contains(COVERAGE_BASELINE).fill_null(value=False)
        rows = (
            self._snapshot.scan("verdicts")
            .filter(
                pl.col("scorer_id").eq(scorer_id),
                pl.col("scorer_version").eq(self._versions[scorer_id]),
                pl.col("trial").eq(trial),
                pl.col("repeat").eq(0),
            )
            .select(*_KEY, "status", "value", is_baseline=flagged)
        )
        for block in self._blocks:
            own = rows.filter(pl.col("system_id").is_in(block))
            yield own.join(self._places, on="item_id", how="left").collect()

    def _column(self, part: pl.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        known = part.filter(pl.col("place").is_not_null())
        place = known["place"].to_numpy()
        values = np.zeros(len(self._rows))
        status = np.full(len(self._rows), ABSENT, dtype=np.int8)
        codes = known["status"].replace_strict(STATUS_CODES, return_dtype=pl.Int8)
        values[place] = known["value"].fill_null(0.0).to_numpy()
        status[place] = codes.to_numpy()
        return values, status


def newest_by_scorer(snapshot: Snapshot) -> dict[str, str]:
    """Return the newest version of each scorer that holds verdicts."""
    found: dict[str, str] = {}
    known = snapshot.scan("verdicts").select("scorer_id", "scorer_version").unique()
    for scorer_id, version in known.collect(engine="streaming").iter_rows():
        held = found.setdefault(scorer_id, version)
        found[scorer_id] = max(held, version, key=version_key)
    return found


def _refuse_clash(frame: pl.DataFrame) -> None:
    doubled = frame.select(_KEY).is_duplicated()
    if doubled.any():
        first = frame.select(_KEY).filter(doubled).row(0, named=True)
        raise CellClashError(
            f"two verdicts stand under one key: {first}; `finassay study check` lists all of them; "
            f"import or score that system again"
        )


@dataclass(slots=True)
class Replies:
    """What analyses know of the replies of a study beside the verdicts; see `StudyView`."""

    lengths: dict[str, tuple[int, ...]] = field(default_factory=dict)
    empty: dict[str, tuple[str, ...]] = field(default_factory=dict)
    errors: dict[str, tuple[str, ...]] = field(default_factory=dict)
    cut_references: dict[str, int] = field(default_factory=dict)
    trials: dict[str, int] = field(default_factory=dict)
    count: int = 0


def replies_of(snapshot: Snapshot, names: Mapping[str, str], *, trial: int) -> Replies:
    """Return the facts of the replies of one trial, by display name in alphabetical order.

    Args:
        snapshot: pinned tables.
        names: display name of each system id.
        trial: the trial.
    """
    found = Replies()
    shared: dict[int, int] = {}
    for block in snapshot.blocks("predictions"):
        frame = _reply_facts(snapshot, block)
        found.count += frame.height
        for key, part in frame.partition_by("system_id", as_dict=True).items():
            name = names[str(key[0])]
            trials = part["trial"].n_unique()
            if trials > 1:
                found.trials[name] = trials
            own = part.filter(pl.col("trial").eq(trial))
            if own.height:
                _add(found, name, own, shared)
    return Replies(
        lengths=_sorted(found.lengths),
        empty=_sorted(found.empty),
        errors=_sorted(found.errors),
        cut_references=_sorted(found.cut_references),
        trials=_sorted(found.trials),
        count=found.count,
    )


def _sorted(facts: Mapping[str, T]) -> dict[str, T]:
    return {name: facts[name] for name in sorted(facts)}


def _add(found: Replies, name: str, own: pl.DataFrame, shared: dict[int, int]) -> None:
    # One object for each length that occurs: ten million would take 360 MB.
    lengths = own["length"].to_list()
    found.lengths[name] = tuple([shared.setdefault(length, length) for length in lengths])
    for facts, column in ((found.empty, "is_empty"), (found.errors, "is_error")):
        ids = own.filter(pl.col(column))["item_id"].to_list()
        if ids:
            facts[name] = tuple(ids)
    cut = int(own["is_cut"].sum())
    if cut:
        found.cut_references[name] = cut


def _reply_facts(snapshot: Snapshot, block: Sequence[str]) -> pl.DataFrame:
    text = pl.col("text")
    flags = pl.col("flags").list.contains(REFERENCE_CUT).fill_null(value=False)
    return (
        snapshot.scan("predictions")
        .filter(pl.col("system_id").is_in(list(block)))
        .select(
            "item_id",
            "system_id",
            "trial",
            length=text.str.len_chars(),
            is_empty=text.str.strip_chars().eq(""),
            is_error=text.str.contains(ERROR_LIKE),
            is_cut=flags,
        )
        .collect()
        .sort("system_id", "item_id", "trial")
    )
