"""Landing logs in a study.  In: blocks of samples.  Out: commits, and what came of each run.

Blocks go to disk as they come; partitions are committed once all sources are read: items, systems,
runs, predictions, then the verdicts of each scorer on each system, then printed scores.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from finassay.records import SystemKind, SystemSpec, content_id
from finassay.runs.importers._known import Systems
from finassay.runs.importers._rows import BadRow
from finassay.runs.importers.logs._committing import Committing
from finassay.runs.importers.logs._duels import PlacedDuel, Side, commit_duels
from finassay.runs.importers.logs._items import Placement
from finassay.runs.importers.logs._spool import RunSpool
from finassay.runs.importers.logs._unicode import whole_block
from finassay.runs.importers.logs.base import (
    Block,
    Duel,
    LogRun,
    Sample,
    Source,
    Unreadable,
    bad_entry,
)
from finassay.runs.importers.logs.report import LogsReport, SourceReport
from finassay.runs.importers.options import BadRows
from finassay.runs.importers.report import Listed, SystemReport
from finassay.study import Snapshot, Study

MAX_PENDING_CHARACTERS = 16 << 20
"""Characters of answers that are held in memory while logs are read."""

_MAX_NAME = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class LandingOptions:
    """What samples become.

    Attributes:
        name: display name of the one system, in place of the log's.
        kind: what the systems are.
        benchmark: benchmark of all items, in place of the tasks' names.
        strict: whether a sample that cannot be used is an error.
        replace_redacted: whether rows that were redacted in the study are replaced.
        error_text: a reply in which it is found is no answer, but a transport error.
    """

    name: str | None = None
    kind: SystemKind = "model"
    benchmark: str | None = None
    strict: bool = False
    replace_redacted: bool = False
    error_text: re.Pattern[str] | None = None


@dataclass(slots=True)
class _Reading:
    """One source while it is read."""

    source: Source
    samples: int = 0
    bad: BadRows = field(default_factory=BadRows)
    tasks: dict[str, None] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)

    def report(self) -> SourceReport:
        return SourceReport(
            tool=self.source.tool,
            what=self.source.what,
            files=tuple(path.name for path in self.source.paths),
            samples=self.samples,
            tasks=tuple(self.tasks),
            bad=self.bad.count,
            bad_rows=tuple(self.bad.shown),
            notes=tuple(self.notes),
        )


class Landing:
    """Logs on their way into a study: give it every block, then `finish`."""

    def __init__(self, study: Study, options: LandingOptions, folder: Path) -> None:
        """Take stock of the study; `folder` is a temporary one, which the caller removes."""
        self.study = study
        self.options = options
        self.folder = folder
        self.snapshot: Snapshot = study.snapshot()
        self.systems = Systems.of(self.snapshot)
        self.placement = Placement(self.snapshot, folder, options.benchmark)
        self.spools: dict[tuple[str, str, str], RunSpool] = {}
        self.specs: dict[str, str] = {}
        self.duels: list[tuple[str, Duel]] = []
        self._readings: list[_Reading] = []

    def begin(self, source: Source) -> None:
        """Say whose blocks come next."""
        self._readings.append(_Reading(source))

    def add(self, told: Block | Unreadable) -> None:
        """Take a block of the source that was begun last."""
        block = whole_block(told)
        reading = self._readings[-1]
        reading.notes.update(dict.fromkeys(block.notes))
        for row in block.bad:
            reading.bad.add(row)
        if isinstance(block, Unreadable):
            return
        reading.tasks[block.task] = None
        self.specs.update(dict(block.specs))
        self.duels.extend((block.task, duel) for duel in block.duels)
        if not (block.samples or block.scores):
            # A run of which the log holds comparisons only is no answer of a system.
            return
        spool = self._spool(block.run, reading.source)
        spool.scores.update(dict.fromkeys((block.task, score) for score in block.scores))
        for row in self._samples(block, spool, reading.source.paths[0]):
            reading.bad.add(row)
        reading.samples += len(block.samples)
        self._bound_memory()

    def _samples(self, block: Block, spool: RunSpool, path: Path) -> Iterator[BadRow]:
        """Add the samples, and yield those that cannot be used."""
        place = f"{block.task}\n{path.name}"
        find = self.placement.find
        for sample in block.samples:
            found = find(block.task, sample.item_id, sample.item)
            if found is None:
                spool.extra[sample.item_id] = None
                continue
            item_id, item_digest = found
            digests = (content_id(sample.text), item_digest)
            reason = spool.add(self._as_error(sample), item_id, place=place, digests=digests)
            if reason:
                yield bad_entry(path, sample.place, reason)

    def _as_error(self, sample: Sample) -> Sample:
        """Return the sample, as an error where its text is one by `error_text`."""
        pattern = self.options.error_text
        if pattern is None or pattern.search(sample.text) is None:
            return sample
        return sample._replace(finish="error")

    def _spool(self, run: LogRun, source: Source) -> RunSpool:
        key = (run.tool, run.key, run.system.system_id)
        known = self.spools.get(key)
        if known is not None:
            return known
        spec = self._named(replace(run.system, kind=self.options.kind))
        made = RunSpool(
            run=run,
            spec=spec,
            run_id=content_id("log", spec.system_id, run.tool, run.key),
            source=source.paths[0].name,
            folder=self.folder,
            number=len(self.spools),
        )
        self.spools[key] = made
        return made

    def _named(self, spec: SystemSpec) -> SystemSpec:
        """Return the system under a name that no other of the study has.

        The second configuration of a model is named by what is set in it.
        """
        for name in _names(replace(spec, name=self.options.name or spec.name)):
            named = replace(spec, name=name)
            held = self.systems.by_name.get(name)
            if held is None or held == named:
                self.systems.by_name.setdefault(name, named)
                return named
        raise AssertionError(spec)  # the last name holds a digest of the whole configuration

    def _bound_memory(self) -> None:
        """Set rows aside on disk, the largest share first, once all runs' rows grow large."""
        pending = sum(spool.pending for spool in self.spools.values())
        if pending < MAX_PENDING_CHARACTERS:
            return
        for spool in sorted(self.spools.values(), key=lambda one: -one.pending):
            pending -= spool.pending
            spool.flush()
            if pending < MAX_PENDING_CHARACTERS // 2:
                return

    def finish(self) -> LogsReport:
        """Commit everything and return what came of it.

        Raises:
            BadRowsError: something could not be used and `strict` is set; nothing is committed.
        """
        for spool in self.spools.values():
            spool.settle()
            self._list_clashes(spool)
        if self.options.strict:
            for reading in self._readings:
                reading.bad.refuse(reading.source.label)
        committing = Committing(self.study, self.snapshot, self.options.replace_redacted)
        committing.items(self.placement)
        committing.runs(tuple(self.spools.values()), self.specs)
        notes = [*committing.notes, *self._commit_duels(committing)]
        if self.placement.other_references:
            count = self.placement.other_references
            notes.append(f"references other than the item's, which stays: {count}")
        return LogsReport(
            sources=tuple(reading.report() for reading in self._readings),
            systems=tuple(_run_report(spool) for spool in self.spools.values()),
            conventions=tuple(committing.conventions),
            items=self.placement.made,
            reported=committing.reported,
            notes=tuple(notes),
            commits=tuple(committing.commits),
        )

    def _commit_duels(self, committing: Committing) -> tuple[str, ...]:
        """Commit the comparisons, now that the study holds the answers; return what to say."""
        placed: list[PlacedDuel] = []
        unplaced: Counter[str] = Counter()
        for task, duel in self.duels:
            left, right = self._side(duel.left), self._side(duel.right)
            found = self.placement.find(task, duel.item_id, None)
            if left is None or right is None or found is None:
                unplaced[duel.scorer_id] += 1
            else:
                item_id, digest = found
                placed.append(
                    PlacedDuel(
                        duel=duel, item_id=item_id, item_digest=digest, left=left, right=right
                    )
                )
        for scorer_id in dict.fromkeys(duel.scorer_id for _, duel in self.duels):
            committing.record_scorer(scorer_id, self.specs)
        report = commit_duels(
            self.study, placed, unplaced=unplaced, redacted=self.options.replace_redacted
        )
        committing.commits.extend(report.commits)
        return report.notes

    def _side(self, run: LogRun) -> Side | None:
        """Return the system of a run: as it was read now, or as the study holds it."""
        spool = self.spools.get((run.tool, run.key, run.system.system_id))
        if spool is not None:
            return Side(spool.spec.system_id, spool.offset)
        held = self.systems.by_name.get(run.system.name)
        return None if held is None else Side(held.system_id)

    def _list_clashes(self, spool: RunSpool) -> None:
        readings = {path.name: one for one in self._readings for path in one.source.paths}
        for scorer_id, item_id, file, place in spool.mark_clashes():
            reason = f"another verdict of {scorer_id!r} on item {item_id!r} stands before it"
            readings[file].bad.add(bad_entry(Path(file), place, reason))


def _names(spec: SystemSpec) -> Iterator[str]:
    yield spec.name
    parts = [*(f"{key}={value}" for key, value in spec.decoding), spec.prompt_arm]
    parts.append(f"max_tokens={spec.budget}" if spec.budget else "")
    said = ", ".join(part for part in parts if part)
    if said and len(said) <= _MAX_NAME:
        yield f"{spec.name} ({said})"
    yield f"{spec.name} #{content_id(json.dumps(parts), spec.system_id)[:8]}"


def _run_report(spool: RunSpool) -> SystemReport:
    return SystemReport(
        system=spool.spec.name,
        system_id=spool.spec.system_id,
        rows_read=spool.rows + len(spool.extra),
        imported=0 if spool.is_folded else spool.keys,
        duplicates=spool.duplicates + (spool.keys if spool.is_folded else 0),
        extra=Listed.of(spool.extra),
        finishes=tuple(sorted(spool.finishes.items())),
        cap=spool.lengths.cap,
    )
