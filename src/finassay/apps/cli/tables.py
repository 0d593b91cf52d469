"""Commands that bring tables into a study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.options import (
    BenchmarkName,
    Encoding,
    ItemsFile,
    JsonTarget,
    KindName,
    Mapped,
    Strict,
    StudyPath,
    SystemName,
)
from finassay.errors import UsageError
from finassay.records import SYSTEM_KINDS, SystemKind

if TYPE_CHECKING:
    from finassay.runs.importers.auto import Request, TablesReport
    from finassay.runs.importers.mapping import Kind
    from finassay.runs.importers.sources import Format

BENCHMARKS = ("indiafinbench",)
TABLE_KINDS = ("items", "predictions", "verdicts", "reported")
FORMATS = ("csv", "tsv", "jsonl", "json", "parquet")
MARKS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}

Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PATH",
        help="CSV, JSONL, JSON or Parquet files, logs of other harnesses, folders or patterns.",
    ),
]
Source = Annotated[
    str | None,
    typer.Option(
        help="Name under which the rows are filed, by which a later import replaces them; "
        "by default the file's name."
    ),
]
TableName = Annotated[
    str | None,
    typer.Option(
        help=f"What the files hold ({', '.join(TABLE_KINDS)}); else read off their columns."
    ),
]
ScorerColumns = Annotated[
    list[str] | None,
    typer.Option(
        "--scorer",
        "--scorer-column",
        metavar="COLUMN=ID",
        help="Scorer id of a column of verdicts, e.g. judge=judge/phi4; also of a column of "
        "a prediction file.",
    ),
]
ErrorText = Annotated[
    str | None, typer.Option(help="Replies that match this pattern are transport errors.")
]
ItemsFromPredictions = Annotated[
    bool,
    typer.Option(
        "--items-from-predictions",
        help="Make unknown items from the questions and references of prediction files.",
    ),
]
Replace = Annotated[
    bool,
    typer.Option("--replace", help="A verdict table may drop verdicts that it does not hold."),
]
ReplaceRedacted = Annotated[
    bool,
    typer.Option(
        "--replace-redacted",
        help="Rows that were redacted in the study may be replaced by the file's.",
    ),
]
Unit = Annotated[
    str | None,
    typer.Option(
        help="Unit of printed scores: percent, fraction, or any other word, for which numbers "
        "are kept as they stand."
    ),
]
FormatName = Annotated[
    str | None,
    typer.Option(
        "--format",
        help=f"What all the files are ({', '.join(FORMATS)}); else told by their endings.",
    ),
]
Delimiter = Annotated[
    str | None,
    typer.Option(
        metavar="MARK",
        help="What separates fields (comma, semicolon, bar or tab); else told by the header.",
    ),
]
LogFormat = Annotated[
    str | None,
    typer.Option(
        metavar="TOOL",
        help="Whose logs all the files are (inspect, lm-eval, lighteval, ...); else told by "
        "their content.",
    ),
]


def import_(
    study: StudyPath,
    paths: Paths = None,
    items: ItemsFile = None,
    benchmark: BenchmarkName = None,
    map_: Mapped = None,
    system: SystemName = None,
    source: Source = None,
    kind: KindName = "model",
    table: TableName = None,
    scorer: ScorerColumns = None,
    error_text: ErrorText = None,
    items_from_predictions: ItemsFromPredictions = False,
    replace: Replace = False,
    replace_redacted: ReplaceRedacted = False,
    unit: Unit = None,
    format_: FormatName = None,
    delimiter: Delimiter = None,
    log_format: LogFormat = None,
    encoding: Encoding = "utf-8",
    strict: Strict = False,
    json: JsonTarget = None,
) -> None:
    """Read tables, and logs of other harnesses, into a study.

    Tables hold items, predictions, verdicts or printed scores.  Logs are told by their content.

    Everything is read as text.  What was read, guessed, left out or found cut is printed.
    """
    from finassay.runs.importers.auto import Request
    from finassay.runs.importers.mapping import read_map
    from finassay.runs.importers.options import ImportOptions

    named = benchmark or (items.stem if items else "benchmark")
    options = ImportOptions(
        name=system,
        kind=system_kind(kind),
        mapping=read_map(map_ or []),
        source=source,
        format=_format(format_),
        delimiter=_delimiter(delimiter),
        encoding=encoding,
        strict=strict,
        replace=replace,
        replace_redacted=replace_redacted,
        error_text=error_text,
        items_from_predictions=named if items_from_predictions else None,
    )
    request = Request(
        paths=tuple(paths or ()),
        items=items,
        benchmark=named,
        table=_table_kind(table),
        scorers=scorer_columns(scorer or []),
        unit=unit,
        options=options,
        log_benchmark=benchmark,
    )
    if not request.paths and items is None:
        raise UsageError("nothing to import: name at least one file, or --items FILE")
    report = read_tables(study, request, log_format=log_format)
    show.result("import", report, json, report.to_lines())


def read_tables(study: Path, request: Request, *, log_format: str | None = None) -> TablesReport:
    """Return what came of a request, with a progress bar; the study is made if need be.

    All files are looked into before the study is made.  A study is never taken back: another
    process may be filling it.
    """
    from finassay.runs.importers.mixed import import_mixed, plan_import
    from finassay.study import Study

    plan = plan_import(request, log_format=log_format)
    with show.transfer("reading") as progress:
        return import_mixed(Study.open_or_create(study), plan, progress=progress)


def fetch(
    benchmark: Annotated[str, typer.Argument(help=f"One of: {', '.join(BENCHMARKS)}.")],
    study: Annotated[Path, typer.Option(help="Directory of the study to build.")],
    from_: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="DIR", help="Your own copy; without it, the public home is read."
        ),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(help="Where downloads are kept; by default STUDY-download beside the study."),
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Another home with the same files (a mirror).")
    ] = None,
    json: JsonTarget = None,
) -> None:
    """Build the study of a public benchmark.

    It holds the items, predictions, stored verdicts, a judge's verdicts, people's answers and the
    figures that the paper prints.
    """
    from finassay.benchmarks.reported import load_reported
    from finassay.runs.importers.indiafinbench import import_indiafinbench, require_layout
    from finassay.runs.importers.reported import commit_all_reported
    from finassay.study import Study

    if benchmark not in BENCHMARKS:
        raise UsageError(f"no benchmark {benchmark!r}; expected one of {', '.join(BENCHMARKS)}")
    directory = from_ or _download(cache or study.with_name(f"{study.name}-download"), base_url)
    require_layout(directory)
    opened = Study.open_or_create(study, name="IndiaFinBench")
    with show.transfer("reading") as progress:
        report = import_indiafinbench(opened, directory, progress=progress)
    printed = commit_all_reported(opened, load_reported(benchmark))
    texts = [*report.to_lines(), f"printed figures of the paper: {printed}"]
    show.result("fetch", report, json, texts)


def _download(directory: Path, base_url: str | None) -> Path:
    from finassay.benchmarks.fetching import fetch_indiafinbench

    with show.transfer("downloading") as progress:
        return fetch_indiafinbench(directory, base_url=base_url, progress=progress)


def system_kind(text: str) -> SystemKind:
    """Return the kind of that name.

    Raises:
        UsageError: there is none.
    """
    for kind in SYSTEM_KINDS:
        if text == kind:
            return kind
    raise UsageError(f"--kind must be one of {', '.join(SYSTEM_KINDS)}, got {text!r}")


def _table_kind(text: str | None) -> Kind | None:
    from finassay.runs.importers.mapping import KINDS

    for kind in KINDS:
        if text == kind:
            return kind
    if text is None:
        return None
    raise UsageError(f"--table must be one of {', '.join(KINDS)}, got {text!r}")


def _format(text: str | None) -> Format | None:
    from finassay.runs.importers.sources import FORMATS as KNOWN

    for kind in KNOWN:
        if text == kind:
            return kind
    if text is None:
        return None
    raise UsageError(f"--format must be one of {', '.join(KNOWN)}, got {text!r}")


def _delimiter(text: str | None) -> str | None:
    """Return the mark itself of a mark or its name."""
    if text is None or text in MARKS.values():
        return text
    if text not in MARKS:
        marks = ", ".join(f"{name} ({mark!r})" for name, mark in MARKS.items())
        raise UsageError(f"--delimiter must be one of {marks}, got {text!r}")
    return MARKS[text]


def scorer_columns(texts: list[str]) -> dict[str, str]:
    """Return column -> scorer id of texts such as judge=judge/phi4-mini."""
    pairs: dict[str, str] = {}
    for text in texts:
        column, equals, scorer_id = text.partition("=")
        if not equals or not column or not scorer_id:
            raise UsageError(
                f"a scorer's column is COLUMN=ID, as judge=judge/phi4-mini; got {text!r}"
            )
        if pairs.setdefault(column, scorer_id) != scorer_id:
            raise UsageError(
                f"the column {column!r} was named {pairs[column]!r} and {scorer_id!r}; name it once"
            )
    return pairs
