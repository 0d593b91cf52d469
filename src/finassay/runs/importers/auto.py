"""Any tables into a study.  In: files of items, predictions, verdicts or printed scores.

Out: what was imported.  What a file holds is read off its columns unless the caller says it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from finassay.runs.importers.guessing import guess_kind
from finassay.runs.importers.items import import_items
from finassay.runs.importers.mapping import Kind
from finassay.runs.importers.options import ImportOptions, expand_paths
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
        scorers: column of a verdict table -> scorer id; without any, each column of verdicts is
            filed under `imported/COLUMN`.
        unit: what the numbers of printed tables are; see `import_reported`.
        options: how to read them.
    """

    paths: tuple[str | Path, ...]
    items: str | Path | None = None
    benchmark: str = "benchmark"
    table: Kind | None = None
    scorers: Mapping[str, str] = field(default_factory=dict)
    unit: str | None = None
    options: ImportOptions = field(default_factory=ImportOptions)


@dataclass(frozen=True, slots=True, kw_only=True)
class TablesReport:
    """What came of importing several tables, in the order in which they were read."""

    reports: tuple[ImportReport, ...]

    def to_lines(self) -> list[str]:
        """Return the reports in plain lines."""
        return [line for report in self.reports for line in report.to_lines()]


def import_tables(
    study: Study, request: Request, *, progress: Progress | None = None
) -> TablesReport:
    """Import items, then predictions, then verdicts and printed scores, and return the reports.

    Args:
        study: where they go.
        request: what to import.
        progress: called with bytes done and bytes in all, file by file.

    Raises:
        InputError: a file cannot be read.
        MappingError: its columns are ambiguous, or fit no kind of table.
        BadRowsError: a row cannot be used and `options.strict` is set.
        UsageError: several files that are not items were to go under one `options.source`.
    """
    by_kind: dict[Kind, list[Path]] = {}
    for path in expand_paths(request.paths) if request.paths else ():
        by_kind.setdefault(request.table or _kind_of(path, request.options), []).append(path)
    for kind, paths in by_kind.items():
        if kind != "items":
            request.options.check_source(paths)
    reports = []
    if request.items is not None:
        reports.append(
            import_items(
                study,
                request.items,
                benchmark=request.benchmark,
                options=replace(request.options, name=None, mapping=None),
                progress=progress,
            )
        )
    order: tuple[Kind, ...] = ("items", "predictions", "verdicts", "reported")
    for kind in order:
        if kind in by_kind:
            reports.extend(_import(study, kind, by_kind[kind], request, progress))
    return TablesReport(reports=tuple(reports))


def _kind_of(path: Path, options: ImportOptions) -> Kind:
    batches = read_records(
        path, encoding=options.encoding, format=options.format, delimiter=options.delimiter
    )
    first = next(batches)
    return guess_kind(first.columns, first.rows[:_SAMPLE_ROWS], given=options.mapping)


def _import(
    study: Study,
    kind: Kind,
    paths: Sequence[Path],
    request: Request,
    progress: Progress | None,
) -> list[ImportReport]:
    options = request.options
    if kind == "predictions":
        return [import_predictions(study, paths, options=options, progress=progress)]
    if kind == "items":
        return [
            import_items(
                study, path, benchmark=request.benchmark, options=options, progress=progress
            )
            for path in paths
        ]
    if kind == "verdicts":
        scorers = dict(request.scorers) or None
        return [
            import_verdicts(study, path, scorers=scorers, options=options, progress=progress)
            for path in paths
        ]
    return [
        import_reported(
            study,
            path,
            source=options.source or path.name,
            table=path.stem,
            unit=request.unit,
            options=options,
            progress=progress,
        )
        for path in paths
    ]
