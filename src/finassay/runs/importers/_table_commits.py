"""Commits of what a prediction file holds.  In: systems set aside.  Out: commits, many at once.

A commit costs as much as some thousand rows, so systems that are new to the study are committed
together, up to a number of rows.  One that the study holds from the same source is committed by
itself: nothing is written where nothing changed, and its neighbours stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from finassay.errors import KeyClashError
from finassay.records import RunRecord
from finassay.runs.importers._gathering import Gathering
from finassay.runs.importers._known import Systems, other_runs, run_source
from finassay.runs.importers._marks import (
    commit_verdicts,
    held_verdicts,
    partition_of,
    record_scorer,
)
from finassay.runs.importers._redacted import keep_redacted
from finassay.runs.importers.options import ImportOptions
from finassay.study import Commit, Study

GROUP_ROWS = 100_000
"""Predictions of new systems that are committed together; a larger system is one by itself."""

_OWN_KEY = ["item_id", "trial"]
_KEY = ["system_id", *_OWN_KEY]


class TableCommits:
    """Commits the systems of one file.

    Args:
        study: where they go.
        path: the file.
        options: of the import.
        systems: those that the study holds; new ones are added.
        has_marks: whether the file holds verdicts.
    """

    def __init__(
        self,
        study: Study,
        path: Path,
        *,
        options: ImportOptions,
        systems: Systems,
        has_marks: bool,
    ) -> None:
        self._study = study
        self._path = path
        self._options = options
        self._systems = systems
        self._has_marks = has_marks
        # Fresh for each file: an earlier file of the same import may hold the same keys.
        self._snapshot = study.snapshot()
        self._others = pl.DataFrame()

    def open(self, found: Sequence[Gathering]) -> None:
        """Look at what the study holds of the systems, before anything is committed.

        Raises:
            KeyClashError: another source of a system holds a key of it.
        """
        if not found:
            return
        self._others = other_runs(self._snapshot, {one.system_id: one.run_id for one in found})
        held = self._others.partition_by("system_id", as_dict=True)
        for one in found:
            others = held.get((one.system_id,))
            if others is not None:
                self._refuse_clash(one, others)
        if self._has_marks:
            record_scorer(self._study, self._options.stored_scorer)

    def _refuse_clash(self, one: Gathering, others: pl.DataFrame) -> None:
        ours = one.predictions().select(_OWN_KEY).collect()
        clash = others.join(ours, on=_OWN_KEY, how="semi").sort(_OWN_KEY)
        if clash.height:
            item_id, trial, run_id = clash.select(*_OWN_KEY, "run_id").row(0)
            raise KeyClashError(
                f"{self._path.name}: the study holds {clash.height} predictions of "
                f"{one.spec.name!r} for the same items already, the first being item "
                f"{item_id!r}, trial {trial}, from another source "
                f"({run_source(self._snapshot, run_id)}); to replace them, import under that "
                f"source's name with `finassay import --source`; to keep both, give this one "
                f"another name with `finassay import --system`"
            )

    def groups(self, found: Sequence[Gathering]) -> Iterator[list[Gathering]]:
        """Yield systems to commit together, each once, in their order as far as possible."""
        runs = self._snapshot.frame("runs", run_id=[one.run_id for one in found])
        known = frozenset(runs["run_id"])
        group: list[Gathering] = []
        rows = 0
        for one in found:
            if one.run_id in known:
                yield [one]
                continue
            if group and rows + one.keys > GROUP_ROWS:
                yield group
                group, rows = [], 0
            group.append(one)
            rows += one.keys
        if group:
            yield group

    def commit(self, group: Sequence[Gathering]) -> dict[str, list[Commit]]:
        """Return the commits of some systems by system id: one of each table for each of them."""
        self._systems.add(self._study, [one.spec for one in group])
        runs = self._study.add_runs([self._run(one) for one in group])
        partition = {
            "system_id": [one.system_id for one in group],
            "run_id": [one.run_id for one in group],
        }
        data = pl.concat([one.predictions() for one in group])
        if not self._options.replace_redacted:
            data, kept = keep_redacted(self._snapshot, "predictions", data, partition)
            for one in group:
                one.redacted = kept.filter(pl.col("system_id").eq(one.system_id))
        predictions = self._study.commit("predictions", data, partition=partition)
        found = {
            one.system_id: [replace(runs, rows=1), replace(predictions, rows=one.keys)]
            for one in group
        }
        if self._has_marks:
            marks = self._commit_marks(group)
            for one in group:
                found[one.system_id].append(replace(marks, rows=one.verdicts))
        return found

    def _run(self, one: Gathering) -> RunRecord:
        return RunRecord(
            run_id=one.run_id,
            system_id=one.system_id,
            started=self._options.received,
            ended=self._options.received,
            served_model=one.spec.model,
            environment=f"imported from {self._options.source or self._path.name}",
            prediction_digest=one.digest(),
        )

    def _commit_marks(self, group: Sequence[Gathering]) -> Commit:
        """Commit the source's verdicts beside those on what other sources hold of the systems.

        Verdicts on redacted predictions stay as they are too.
        """
        data = pl.concat([one.marks() for one in group])
        scorer_id, systems = self._options.stored_scorer, [one.system_id for one in group]
        frames = (self._others, *(one.redacted for one in group))
        apart = [frame.select(_KEY) for frame in frames if frame.height]
        if apart:
            known = pl.concat(apart).lazy()
            held = held_verdicts(self._snapshot, scorer_id=scorer_id, system_id=systems)
            kept = held.join(known, on=_KEY, how="semi")
            data = pl.concat([data.join(known, on=_KEY, how="anti"), kept])
        if not self._options.replace_redacted:
            partition = partition_of(scorer_id=scorer_id, system_id=systems)
            data, _ = keep_redacted(self._snapshot, "verdicts", data, partition)
        return commit_verdicts(self._study, data, scorer_id=scorer_id, system_id=systems)
