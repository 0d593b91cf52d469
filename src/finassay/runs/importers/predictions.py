"""Reading prediction files into a study.  In: files.  Out: predictions, verdicts of the source.

Rows whose item the study does not hold are counted and listed, and not imported: a prediction
without its item can never be marked.  Add the items first, or let them be made from the files'
own columns (`items_from_predictions`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from finassay.errors import MappingError
from finassay.records import content_id
from finassay.runs.importers._gathering import Answer, Gathering
from finassay.runs.importers._known import Catalogue, Systems
from finassay.runs.importers._rows import tell_commits, tell_rows
from finassay.runs.importers._staging import (
    ImportState,
    Staging,
    landed_in,
    restore_reader,
    skip_rows,
    staging,
    state_of,
)
from finassay.runs.importers._table_commits import TableCommits
from finassay.runs.importers.derived import derive_items
from finassay.runs.importers.options import (
    ImportOptions,
    TableReader,
    expand_paths,
    summed_progress,
)
from finassay.runs.importers.report import SHOWN, FileReport, ImportReport, SystemReport
from finassay.runs.importers.sources import Batch, Progress, Row, bad
from finassay.runs.importers.values import as_text, read_finish, read_trial, read_verdict
from finassay.study import Commit, Study

MAX_PENDING_CHARACTERS = 16 << 20
"""Characters of predictions that are held in memory while a file is read."""

STATE_ROWS = 200_000
"""Rows after which it is written down how far reading came, for the case that it is stopped."""


def import_predictions(
    study: Study,
    paths: str | Path | Sequence[str | Path],
    *,
    options: ImportOptions | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Return what came of importing prediction files.

    A file holds one system, named by its stem or `options.name`, or several, told apart by a
    system column.  Importing the same file again changes nothing; a file of the same name with
    other texts replaces what came from it before, as a new version of the table.

    Args:
        study: where predictions go; it must hold the items.
        paths: files, or patterns such as `predictions/*.csv`.
        options: how to read them.
        progress: called with bytes done and bytes in all, over all files.

    Raises:
        InputError: a file cannot be read (see also its subclasses).
        MappingError: columns are ambiguous or missing, or there are no items to refer to.
        BadRowsError: a row cannot be used and `options.strict` is set.
        KeyClashError: the study holds a prediction for the same key from another source.
        UsageError: another system of the study has the same display name, or there are several
            files for one `options.source`.
    """
    chosen = options or ImportOptions()
    files = expand_paths(paths)
    chosen.check_source(files)
    commits: list[Commit] = []
    made = 0
    notes: tuple[str, ...] = ()
    if chosen.items_from_predictions is not None:
        derived = derive_items(study, files, chosen, benchmark=chosen.items_from_predictions)
        commits.extend(derived.commits)
        made, notes = derived.items, derived.notes
    snapshot = study.snapshot()
    known = Known(Catalogue(snapshot), Systems.of(snapshot))
    reports: list[FileReport] = []
    systems: list[SystemReport] = []
    for path, tick in zip(files, summed_progress(files, progress), strict=True):
        with staging(snapshot, path, chosen) as aside:
            one = FileImport(study, path, chosen, known, aside)
            one.read(tick)
            commits.extend(one.commit(tick))
            reports.append(one.reader.report())
            systems.extend(one.reports())
            notes += one.notes
    return ImportReport(
        files=tuple(reports),
        systems=tuple(systems),
        items=made,
        notes=notes,
        commits=tuple(commits),
    )


class Known(NamedTuple):
    """What the study holds when the import begins; systems are added as they come."""

    catalogue: Catalogue
    systems: Systems


class FileImport:
    """One prediction file on its way into the study."""

    most_shown = SHOWN
    """Rows that cannot be used, of which the report keeps the place and the reason."""

    def __init__(
        self, study: Study, path: Path, options: ImportOptions, known: Known, aside: Staging
    ) -> None:
        self.study = study
        self.path = path
        self.options = options
        self.staging = aside
        self.notes: tuple[str, ...] = ()
        self.landed: dict[str, list[Commit]] = {}
        self.catalogue, self.systems = known
        self.error_text = options.error_pattern()
        self.gatherings: dict[str, Gathering] = {}
        self.columns: dict[str, str] = {}
        if not len(self.catalogue):
            raise MappingError(
                f"{path.name}: the study holds no items for the predictions to refer to; import "
                f"the items first, or make them from these files with "
                f"`finassay import --items-from-predictions --benchmark NAME`"
            )

    def read(self, progress: Progress | None) -> None:
        """Read the file to its end, setting rows aside by system."""
        self.reader = TableReader(
            self.path, "predictions", self.options, progress, most_shown=self.most_shown
        )
        self.reader.require("item_id", "prediction")
        # Looked up once: asking the mapping for every cell takes as long as reading the cells.
        self.columns = dict(self.reader.mapping.parts)
        whole = self._take_up(progress)
        written = self.reader.rows_read
        for batch in () if whole else self.reader.batches():
            for row in batch.rows:
                try:
                    self.accept(row, batch)
                except ValueError as error:
                    self.reader.bad.add(bad(row, str(error)))
            self._bound_memory()
            tell_rows(progress, len(batch.rows))
            if self.reader.rows_read - written >= STATE_ROWS:
                written = self.reader.rows_read
                self._write_down(is_whole=False)
        if self.options.strict:
            self.reader.bad.refuse(self.path.name)

    def _take_up(self, progress: Progress | None) -> bool:
        """Go on from where a stopped import was; return whether it had read everything."""
        state = self.staging.load()
        if state is None:
            return False
        began = time.perf_counter()
        try:
            self._restore(state)
        except (KeyError, TypeError, ValueError, OSError, pl.exceptions.PolarsError):
            # What was left cannot be used: everything is read anew.
            self.gatherings.clear()
            self.landed.clear()
            self.staging.restart()
            return False
        if not state["is_whole"]:
            skip_rows(self.reader, state["rows_read"], progress)
        restore_reader(self.reader, state)
        note = (
            f"{self.path.name}: an import of it was stopped; its first {state['rows_read']:,} rows "
            f"were taken over in {time.perf_counter() - began:.1f} s"
        )
        self.notes = (note,)
        return state["is_whole"]

    def _restore(self, state: ImportState) -> None:
        for kept in state["systems"]:
            gathering = self._made(kept["name"], kept["model"])
            gathering.restore(kept)
        self.landed = landed_in(state)

    def _write_down(self, *, is_whole: bool) -> None:
        """Write down how far the import came; every row is on disk then."""
        for one in self.gatherings.values():
            if one.pending:
                one.flush()
        systems = [one.state() for one in self.gatherings.values()]
        self.staging.save(state_of(self.reader, systems, self.landed, is_whole=is_whole))

    def _bound_memory(self) -> None:
        """Set rows aside on disk, the largest share first, once all systems' rows grow large."""
        pending = sum(one.pending for one in self.gatherings.values())
        if pending < MAX_PENDING_CHARACTERS:
            return
        for one in sorted(self.gatherings.values(), key=lambda gathering: -gathering.pending):
            pending -= one.pending
            one.flush()
            if pending < MAX_PENDING_CHARACTERS // 2:
                return

    def accept(self, row: Row, batch: Batch) -> None:
        """Keep a row with its system.

        Raises:
            ValueError: the row cannot be used; says why.
        """
        item_id = self.cell(row, "item_id")
        if not item_id:
            raise ValueError("the item's id is empty")
        gathering = self._gathering(self._system(row), batch)
        item = self.catalogue.find(item_id)
        if item is None:
            gathering.add_extra(item_id)
            return
        model = self.cell(row, "model")
        if model and len(gathering.models) < 10:
            gathering.models[model] = None
        if not gathering.add(self._answer(row), item):
            raise ValueError(
                f"another row for item {item_id!r} of {gathering.spec.name!r} says something else; "
                f"the first is kept (repeats need a trial column)"
            )

    def cell(self, row: Row, part: str) -> str:
        """Return what a row says in the column of a part; "" without one."""
        column = self.columns.get(part)
        if column is None:
            return ""
        value = row.values.get(column)
        return value if isinstance(value, str) else as_text(value)

    def _system(self, row: Row) -> str:
        columns = self.reader.mapping.system
        if not columns:
            return self.options.name or stem_of(self.path)
        parts = [as_text(row.values.get(column)) for column in columns]
        if not all(parts):
            raise ValueError(f"the system's name is empty in {list(columns)!r}")
        return " / ".join(parts)

    def _answer(self, row: Row) -> Answer:
        mapping = self.reader.mapping
        text = self.cell(row, "prediction")
        word = self.cell(row, "finish")
        return Answer(
            trial=read_trial(row.values.get(mapping.trial)) if mapping.trial else 0,
            text=text,
            finish=read_finish(text=text, word=word, error_text=self.error_text),
            verdict=read_verdict(row.values.get(mapping.correct)) if mapping.correct else None,
            reference=self.cell(row, "reference"),
            question=self.cell(row, "question"),
            finish_word=word,
        )

    def _gathering(self, name: str, batch: Batch) -> Gathering:
        known = self.gatherings.get(name)
        return self._made(name, self._model(name, batch)) if known is None else known

    def _made(self, name: str, model: str) -> Gathering:
        spec = self.systems.spec(name, kind=self.options.kind, model=model)
        source = self.options.source or self.path.name
        # Not the content: an edited file must take the place of its earlier state.
        run_id = content_id("import", spec.system_id, source)
        made = Gathering(
            spec, run_id, self.options.stored_scorer, self.staging.folder, self.catalogue
        )
        self.gatherings[name] = made
        return made

    def _model(self, name: str, batch: Batch) -> str:
        """Return the first model name that the batch gives for a system."""
        if not self.reader.mapping.model:
            return ""
        for row in batch.rows:
            model = self.cell(row, "model")
            if model and (not self.reader.mapping.system or self._names(row, name)):
                return model
        return ""

    def _names(self, row: Row, name: str) -> bool:
        try:
            return self._system(row) == name
        except ValueError:
            return False

    def commit(self, progress: Progress | None = None) -> list[Commit]:
        """Commit every system of the file, after a look at keys that other sources hold.

        Systems that a stopped import committed already are left alone.
        """
        found = [one for one in self.gatherings.values() if one.keys]
        has_marks = self.reader.mapping.correct is not None
        commits = TableCommits(
            self.study, self.path, options=self.options, systems=self.systems, has_marks=has_marks
        )
        commits.open(found)
        waiting = [one for one in found if one.system_id not in self.landed]
        done = len(found) - len(waiting)
        is_long = self.reader.rows_read >= STATE_ROWS
        for group in commits.groups(waiting):
            tell_commits(progress, done, len(found))
            if is_long:
                self._write_down(is_whole=True)
            self.landed.update(commits.commit(group))
            done += len(group)
        return [commit for made in self.landed.values() for commit in made]

    def reports(self) -> list[SystemReport]:
        """Return what came of each system, in the order of the file."""
        has_verdicts = self.reader.mapping.correct is not None
        return [
            gathering.report(has_verdicts=has_verdicts) for gathering in self.gatherings.values()
        ]


def stem_of(path: Path) -> str:
    """Return the name of a file without its ending (and without .gz), which names its system."""
    name = path.name[: -len(".gz")] if path.suffix.lower() == ".gz" else path.name
    return Path(name).stem
