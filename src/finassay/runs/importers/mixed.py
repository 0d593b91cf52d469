"""A mixture of logs and tables into a study.  In: files and folders.  Out: what came of each.

Logs of other harnesses are told by their content; what no reader of logs knows is read as a table
of items, predictions, verdicts or printed scores.
"""

from __future__ import annotations

import glob
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from finassay.errors import FinassayError, InputError, UsageError
from finassay.runs.importers.auto import (
    PlannedFile,
    Request,
    TablesReport,
    import_tables,
    plan_tables,
)
from finassay.runs.importers.logs.base import Source
from finassay.runs.importers.logs.candidates import Candidate
from finassay.runs.importers.logs.importing import find_logs, import_logs
from finassay.runs.importers.logs.landing import LandingOptions
from finassay.runs.importers.logs.report import PassedOver
from finassay.runs.importers.sources import Progress
from finassay.study import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class MixedPlan:
    """What the files of a request are, before anything is made or committed.

    Attributes:
        request: with the paths of the tables alone.
        tables: what each table holds.
        logs: logs of other harnesses.
        passed_over: files in folders that are neither.
    """

    request: Request
    tables: tuple[PlannedFile, ...]
    logs: tuple[Source, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()


def plan_import(request: Request, *, log_format: str | None = None) -> MixedPlan:
    """Return what each file of a request is.

    A request that says what its tables hold, or how they are read, has no logs among its files.  A
    file that is named itself must be readable as something; one that was found in a folder is
    passed over if it is not.

    Args:
        request: as for `plan_tables`; its paths may be folders.
        log_format: name of the reader that all files are for.

    Raises:
        InputError: a pattern fits no file, the folders hold none, or a table that is named cannot
            be read.
        MappingError: the columns of a table that is named fit no kind of table.
        UnknownNameError: there is no reader of that name.
        UsageError: options do not go together; see also `plan_tables`.
    """
    if _says_tables(request):
        if log_format is not None:
            raise UsageError(
                f"`finassay import --log-format {log_format}` reads logs of other harnesses, while "
                f"`finassay import --table --map --format --delimiter --scorer "
                f"--items-from-predictions` are options for tables; give one or the other"
            )
        return MixedPlan(request=request, tables=plan_tables(request))
    found = find_logs(_expanded(request.paths), tool=log_format)
    if request.paths and not (found.sources or found.others):
        raise InputError(
            f"there is no file in {', '.join(repr(str(path)) for path in request.paths)}; "
            f"expected tables or logs; check the path"
        )
    named = tuple(one.path for one in found.others if one.is_named)
    inner, passed_over = _tables_within(found.others, request)
    asked = replace(request, paths=(*named, *inner))
    return MixedPlan(
        request=asked, tables=plan_tables(asked), logs=found.sources, passed_over=passed_over
    )


def import_mixed(
    study: Study, plan: MixedPlan, *, progress: Progress | None = None
) -> TablesReport:
    """Import items, then logs, then the other tables, and return the reports.

    Args:
        study: where they go.
        plan: what `plan_import` says of the files.
        progress: called with bytes done and bytes in all, file by file.

    Raises:
        InputError: a table cannot be read.
        MappingError: the columns of a table are ambiguous.
        BadRowsError: something cannot be used and `options.strict` is set.
        UsageError: several files that are not items were to go under one `options.source`.
    """
    request = plan.request
    if not plan.logs:
        tables = import_tables(study, request, plan=plan.tables, progress=progress)
        return replace(tables, passed_over=plan.passed_over)
    items = [file for file in plan.tables if file.kind == "items"]
    rest = [file for file in plan.tables if file.kind != "items"]
    first = import_tables(study, request, plan=items, progress=progress)
    logs = import_logs(study, plan.logs, options=landing_options(request), progress=progress)
    second = import_tables(study, replace(request, items=None), plan=rest, progress=progress)
    return TablesReport(
        reports=(*first.reports, *second.reports), logs=logs, passed_over=plan.passed_over
    )


def landing_options(request: Request) -> LandingOptions:
    """Return what a request says of logs."""
    options = request.options
    return LandingOptions(
        name=options.name,
        kind=options.kind,
        benchmark=request.log_benchmark,
        strict=options.strict,
        replace_redacted=options.replace_redacted,
        error_text=options.error_pattern(),
    )


def _says_tables(request: Request) -> bool:
    """Return whether a request says what its tables hold, or how they are read."""
    options = request.options
    said = (
        *(request.table, request.unit, options.mapping, options.format, options.delimiter),
        *(options.source, options.items_from_predictions),
    )
    return bool(request.scorers) or any(one is not None for one in said)


def _expanded(paths: Sequence[str | Path]) -> list[Path]:
    """Return the paths with patterns resolved; those that are missing are left to the reader."""
    found: dict[Path, None] = {}
    for given in paths:
        path = Path(given)
        if path.exists() or not glob.has_magic(str(path)):
            found[path] = None
            continue
        matches = sorted(Path(match) for match in glob.glob(str(path), recursive=True))  # noqa: PTH207
        if not matches:
            raise InputError(f"no file fits the pattern {str(path)!r}; check the path")
        found.update(dict.fromkeys(matches))
    return list(found)


def _tables_within(
    others: Sequence[Candidate], request: Request
) -> tuple[list[Path], tuple[PassedOver, ...]]:
    """Return the files of folders that are tables, and those that are not, with reasons."""
    tables: list[Path] = []
    passed_over: list[PassedOver] = []
    for candidate in others:
        if candidate.is_named or _is_items(candidate.path, request):
            continue
        try:
            plan_tables(replace(request, paths=(candidate.path,), items=None))
        except FinassayError as error:
            passed_over.append(_passed_over(candidate.path, error))
            continue
        tables.append(candidate.path)
    return tables, tuple(passed_over)


def _is_items(path: Path, request: Request) -> bool:
    return request.items is not None and path.resolve() == Path(request.items).resolve()


def _passed_over(path: Path, error: FinassayError) -> PassedOver:
    """Return why a file is no table either, in the first words of the error."""
    said = str(error).partition(";")[0].partition("\n")[0]
    for name in (str(path), path.name):
        said = said.removeprefix(f"{name}: ")
    return PassedOver(file=path.name, reason=f"no known log, and no table: {said}")
