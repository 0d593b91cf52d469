"""Any tables into a study.  In: files of items, predictions, verdicts or printed scores.

Out: what was imported.  What a file holds is read off its columns unless the caller says it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from finassay.errors import MappingError
from finassay.runs.importers._scorer_ids import outside_id
from finassay.runs.importers.guessing import guess_kind
from finassay.runs.importers.items import import_items
from finassay.runs.importers.logs.report import LogsReport, PassedOver
from finassay.runs.importers.mapping import Kind
from finassay.runs.importers.named_columns import (
    import_named,
    items_options,
    names_in,
    with_named_columns,
)
from finassay.runs.importers.options import (
    ImportOptions,
    TableReader,
    expand_paths,
    opening_batches,
)
from finassay.runs.importers.predictions import import_predictions
from finassay.runs.importers.report import ImportReport
from finassay.runs.importers.reported import import_reported
from finassay.runs.importers.sources import Progress, read_records
from finassay.runs.importers.verdicts import import_verdicts
from finassay.study import Study

_SAMPLE_ROWS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to import.

    Attributes:
        paths: files or patterns.
        items: a file of items, read first; None where the study holds them.
        benchmark: name of the benchmark that the items form.
        table: what the files hold; None to read it off their columns.
        scorers: column of a table of verdicts or of predictions -> scorer id; without any, each
            column of a verdict table is filed under `imported/COLUMN`.
        unit: what the numbers of printed tables are; see `import_reported`.
        options: how to read them.
        log_benchmark: benchmark of the items in logs of other harnesses, in place of the names of
            their tasks.
    """

    paths: tuple[str | Path, ...]
    items: str | Path | None = None
    benchmark: str = "benchmark"
    table: Kind | None = None
    scorers: Mapping[str, str] = field(default_factory=dict)
    unit: str | None = None
    options: ImportOptions = field(default_factory=ImportOptions)
    log_benchmark: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TablesReport:
    """What came of importing several tables, in the order in which they were read.

    Attributes:
        logs: what came of logs of other harnesses, if there were any among the files.
        passed_over: files in folders that are neither logs nor tables.
    """

    reports: tuple[ImportReport, ...]
    logs: LogsReport | None = None
    passed_over: tuple[PassedOver, ...] = ()

    def to_lines(self) -> list[str]:
        """Return the reports in plain lines."""
        lines = [line for report in self.reports for line in report.to_lines()]
        lines += [] if self.logs is None else self.logs.to_lines()
        return [*lines, *map(str, self.passed_over)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFile:
    """A file that was looked into.

    Attributes:
        kind: what it holds.
        scorers: those of the request's scorers that are columns (or, in a long table, names) of it.
    """

    path: Path
    kind: Kind
    scorers: Mapping[str, str]


def plan_tables(request: Request) -> tuple[PlannedFile, ...]:
    """Return what each file of a request holds, before anything is made or committed.

    Raises:
        InputError: a file cannot be read.
        MappingError: its columns are ambiguous, or fit no kind of table; or a scorer's column is in
            none of the files.
        UsageError: several files that are not items were to go under one `options.source`, or a
            scorer id is one under which a rule is computed.
    """
    for scorer_id in request.scorers.values():
        outside_id(scorer_id)
    if request.items is not None:
        TableReader(Path(request.items), "items", items_options(request.options))
    paths = expand_paths(request.paths) if request.paths else ()
    files = tuple(_planned(path, request) for path in paths)
    for kind in dict.fromkeys(file.kind for file in files):
        if kind != "items":
            request.options.check_source([file.path for file in files if file.kind == kind])
    used = {column for file in files for column in file.scorers}
    absent = [column for column in request.scorers if column not in used]
    if absent:
        names = [file.path.name for file in files]
        raise MappingError(
            f"{absent[0]!r} was named as a column of verdicts, and no table of verdicts or "
            f"predictions among {names!r} has a column (or a scorer) of that name; check "
            f"`--scorer-column COLUMN=ID`"
        )
    return files


def _planned(path: Path, request: Request) -> PlannedFile:
    options = request.options
    batches = read_records(
        path, encoding=options.encoding, format=options.format, delimiter=options.delimiter
    )
    first = opening_batches(batches, path.name)[-1]
    kind = request.table or guess_kind(
        first.columns, first.rows[:_SAMPLE_ROWS], given=options.mapping
    )
    reader = TableReader(path, kind, options)
    return PlannedFile(path=path, kind=kind, scorers=names_in(reader, request.scorers))


def import_tables(
    study: Study,
    request: Request,
    *,
    plan: Sequence[PlannedFile] | None = None,
    progress: Progress | None = None,
) -> TablesReport:
    """Import items, then predictions, then verdicts and printed scores, and return the reports.

    Args:
        study: where they go.
        request: what to import.
        plan: what `plan_tables` says of the request, if it was asked before.
        progress: called with bytes done and bytes in all, file by file.

    Raises:
        InputError: a file cannot be read.
        MappingError: its columns are ambiguous, or fit no kind of table; see `plan_tables`.
        BadRowsError: a row cannot be used and `options.strict` is set.
        UsageError: several files that are not items were to go under one `options.source`.
    """
    files = plan_tables(request) if plan is None else plan
    reports = []
    if request.items is not None:
        reports.append(
            import_items(
                study,
                request.items,
                benchmark=request.benchmark,
                options=items_options(request.options),
                progress=progress,
            )
        )
    order: tuple[Kind, ...] = ("items", "predictions", "verdicts", "reported")
    for kind in order:
        own = [file for file in files if file.kind == kind]
        if own:
            reports.extend(_import(study, kind, own, request, progress))
    return TablesReport(reports=tuple(reports))


def _import(
    study: Study,
    kind: Kind,
    files: Sequence[PlannedFile],
    request: Request,
    progress: Progress | None,
) -> list[ImportReport]:
    options = request.options
    if kind == "predictions":
        return _import_predictions(study, files, options, progress)
    if kind == "items":
        return [
            import_items(
                study, file.path, benchmark=request.benchmark, options=options, progress=progress
            )
            for file in files
        ]
    if kind == "verdicts":
        return [
            import_verdicts(
                study, file.path, scorers=file.scorers or None, options=options, progress=progress
            )
            for file in files
        ]
    return [
        import_reported(
            study,
            file.path,
            source=options.source or file.path.name,
            table=file.path.stem,
            unit=request.unit,
            options=options,
            progress=progress,
        )
        for file in files
    ]


def _import_predictions(
    study: Study,
    files: Sequence[PlannedFile],
    options: ImportOptions,
    progress: Progress | None,
) -> list[ImportReport]:
    """Import predictions; a file with named columns of verdicts is read a second time for them."""
    if not any(file.scorers for file in files):
        paths = [file.path for file in files]
        return [import_predictions(study, paths, options=options, progress=progress)]
    reports = []
    for file in files:
        chosen = with_named_columns(file.path, file.scorers, options)
        made = import_predictions(study, file.path, options=chosen, progress=progress)
        reports.append(made)
        reports.extend(import_named(study, file.path, file.scorers, made.files[0].mapping, options))
    return reports
