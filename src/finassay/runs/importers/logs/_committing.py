"""Commits of logs.  In: runs set aside on disk.  Out: partitions, and the tools' scores."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version

import polars as pl

from finassay.records import ReportedScore, RunRecord, reported_column
from finassay.runs.importers._marks import commit_verdicts, held_verdicts, partition_of
from finassay.runs.importers._redacted import keep_redacted
from finassay.runs.importers.logs._items import Placement
from finassay.runs.importers.logs._spool import KEYS, RunSpool
from finassay.runs.importers.logs.report import ToolScore
from finassay.runs.importers.options import IMPORTED_VERSION
from finassay.runs.importers.reported import commit_reported
from finassay.study import Commit, Snapshot, Study

_NAMED = ("item_id", "trial", "text_digest", "finish")


class Committing:
    """Commits what was read, system by system."""

    def __init__(self, study: Study, snapshot: Snapshot, replace_redacted: bool) -> None:  # noqa: FBT001
        self.study = study
        self.snapshot = snapshot
        self.replace_redacted = replace_redacted
        self.commits: list[Commit] = []
        self.conventions: list[ToolScore] = []
        self.notes: list[str] = []
        self.reported = 0

    def items(self, placement: Placement) -> None:
        """Commit the items that the study does not hold."""
        self.commits.extend(placement.commit(self.study, self.snapshot))

    def runs(self, spools: Sequence[RunSpool], specs: Mapping[str, str]) -> None:
        """Commit runs, system by system."""
        by_system: dict[str, list[RunSpool]] = {}
        for spool in sorted(spools, key=lambda one: (one.run.started, one.run.key)):
            by_system.setdefault(spool.spec.system_id, []).append(spool)
        for own in by_system.values():
            answered = [spool for spool in own if spool.keys]
            if answered:
                self._system(answered, specs)
            for spool in own:
                if not spool.is_folded:
                    self._reported(spool)

    def _system(self, spools: Sequence[RunSpool], specs: Mapping[str, str]) -> None:
        spec = spools[0].spec
        self.study.add_system(spec)
        held = self._held(spec.system_id)
        ours = {spool.run_id for spool in spools}
        foreign = held.filter(~pl.col("run_id").is_in(list(ours)))
        taken = foreign
        kept: list[RunSpool] = []
        known = set(held["run_id"])
        # Runs that the study holds keep their trials, so those come first.
        for spool in sorted(spools, key=lambda one: one.run_id not in known):
            keys = self._place(spool, held, taken)
            if keys is None:
                spool.is_folded = True
                continue
            kept.append(spool)
            taken = pl.concat([taken, keys.with_columns(pl.lit(spool.run_id).alias("run_id"))])
            self._predictions(spool)
        scorers = dict.fromkeys(scorer for spool in kept for scorer in spool.scorers)
        for scorer_id in scorers:
            self.record_scorer(scorer_id, specs)
            self._verdicts(scorer_id, kept, foreign)

    def _held(self, system_id: str) -> pl.DataFrame:
        own = self.snapshot.scan("predictions").filter(pl.col("system_id").eq(system_id))
        return own.select(*_NAMED, "run_id").collect()

    def _place(
        self, spool: RunSpool, held: pl.DataFrame, taken: pl.DataFrame
    ) -> pl.DataFrame | None:
        """Return the keys of a run with its trials settled; None if all its answers are there.

        A second run of a system on the same items is a repeat: its trials follow those that are
        taken.  A run that the study holds keeps its trials.
        """
        keys = spool.key_frame()
        own = held.filter(pl.col("run_id").eq(spool.run_id))
        first = _least(keys)
        if own.height:
            spool.offset = max(_least(own) - first, 0)
        clash = taken.join(_moved(keys, spool.offset), on=KEYS, how="semi")
        if not clash.height:
            return _moved(keys, spool.offset)
        if taken.join(keys, on=_NAMED, how="semi", nulls_equal=True).height == keys.height:
            run_id = clash["run_id"][0]
            self.notes.append(
                f"{spool.source}: the study holds the same {keys.height} answers of "
                f"{spool.spec.name!r} from another run ({run_id}); not imported again"
            )
            return None
        spool.offset = _most(taken) + 1 - first
        self.notes.append(
            f"{spool.source}: a further run of {spool.spec.name!r} on items that it answered "
            f"before; its answers are trials from {spool.offset + first} on"
        )
        return _moved(keys, spool.offset)

    def _predictions(self, spool: RunSpool) -> None:
        run = spool.run
        system_id = spool.spec.system_id
        record = RunRecord(
            run_id=spool.run_id,
            system_id=system_id,
            started=run.started,
            ended=run.ended,
            retries=run.retries,
            served_model=run.served_model,
            packages=run.packages,
            environment=f"imported from {spool.source} ({run.tool})",
            prediction_digest=spool.digest(),
        )
        partition = {"system_id": system_id, "run_id": spool.run_id}
        data = spool.predictions()
        if not self.replace_redacted:
            data = keep_redacted(self.snapshot, "predictions", data, partition).data
        self.commits.append(self.study.add_run(record))
        self.commits.append(self.study.commit("predictions", data, partition=partition))

    def record_scorer(self, scorer_id: str, specs: Mapping[str, str]) -> None:
        """Record that a scorer's verdicts are imported, and how the tool says it made them."""
        told = {"name": scorer_id, "imported": True}
        said = specs.get(scorer_id, "")
        self.study.add_scorer(
            scorer_id,
            IMPORTED_VERSION,
            name=scorer_id,
            spec=json.dumps(told | ({"as_logged": said} if said else {})),
            package_version=version("finassay"),
        )

    def _verdicts(self, scorer_id: str, spools: Sequence[RunSpool], foreign: pl.DataFrame) -> None:
        """Commit what one scorer says of a system beside what it says of other runs' answers."""
        ids = {"scorer_id": scorer_id, "system_id": spools[0].spec.system_id}
        parts = []
        for spool in spools:
            found = spool.verdicts(scorer_id)
            if found is not None:
                parts.append(found)
                self._score(spool, scorer_id)
        if foreign.height:
            known = foreign.lazy().select(KEYS)
            held = held_verdicts(self.snapshot, **ids)
            parts.append(held.join(known, on=KEYS, how="semi"))
        data = pl.concat(parts)
        if not self.replace_redacted:
            data = keep_redacted(self.snapshot, "verdicts", data, partition_of(**ids)).data
        self.commits.append(commit_verdicts(self.study, data, **ids))

    def _score(self, spool: RunSpool, scorer_id: str) -> None:
        """Work out the tool's score of a run under both conventions, task by task."""
        marks = spool.marks(scorer_id)
        if marks is None:
            return
        why = pl.when(pl.col("value").is_null()).then(pl.col("reason"))
        applicable = marks.filter(pl.col("status").ne("not_applicable"))
        counts = (
            applicable.group_by("task", why.alias("why"))
            .agg(
                pl.len().alias("n"), pl.col("value").count().alias("scored"), pl.col("value").sum()
            )
            .sort("task", "n", "why", descending=[False, True, False])
            .collect()
        )
        for task in counts["task"].unique(maintain_order=True):
            rows = counts.filter(pl.col("task").eq(task))
            if not rows["n"].sum():
                continue
            self.conventions.append(_tool_score(rows, spool, scorer_id, task))

    def _reported(self, spool: RunSpool) -> None:
        """Keep the aggregates that the tool printed."""
        source = f"{spool.run.tool} {spool.run.key}"
        by_task: dict[str, dict[str, ReportedScore]] = {}
        for task, score in spool.scores:
            said = score.scorer_id if score.is_share else f"{score.scorer_id} {score.metric}"
            made = ReportedScore(
                source=source,
                table=task,
                row=spool.spec.name,
                column=reported_column(said, task),
                value=score.value,
                printed=repr(score.value),
                unit="fraction" if score.is_share and 0 <= score.value <= 1 else "tool",
                n=score.n,
                note=score.metric,
            )
            # A log that prints one score twice has said it the first time.
            by_task.setdefault(task, {}).setdefault(made.column, made)
        for task, scores in by_task.items():
            rows = list(scores.values())
            self.reported += len(rows)
            self.commits.append(commit_reported(self.study, rows, source=source, table=task))


def _moved(keys: pl.DataFrame, offset: int) -> pl.DataFrame:
    return keys.with_columns(pl.col("trial") + offset)


def _least(keys: pl.DataFrame) -> int:
    return int(keys.select(pl.col("trial").min()).item() or 0)


def _most(keys: pl.DataFrame) -> int:
    return int(keys.select(pl.col("trial").max()).item() or 0)


def _tool_score(rows: pl.DataFrame, spool: RunSpool, scorer_id: str, task: str) -> ToolScore:
    n, scored = int(rows["n"].sum()), int(rows["scored"].sum())
    total = float(rows["value"].sum())
    reported = next(
        (
            score.value
            for told, score in spool.scores
            if told == task and score.scorer_id == scorer_id and score.is_share
        ),
        None,
    )
    unscored = rows.filter(pl.col("why").is_not_null())
    return ToolScore(
        scorer=scorer_id,
        system=spool.spec.name,
        task=task,
        n=n,
        scored=scored,
        excluded=total / scored if scored else None,
        wrong=total / n if n else None,
        reported=reported,
        silent=max(spool.answers[task] - n, 0),
        why=tuple((str(why), int(count)) for why, count in unscored.select("why", "n").iter_rows()),
    )
