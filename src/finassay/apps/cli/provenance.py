"""The command that asks where numbers come from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.completions import complete_scorer
from finassay.apps.cli.options import Encoding, JsonTarget, StudyPath
from finassay.errors import UsageError

if TYPE_CHECKING:
    from finassay.records import ReportedScore


def provenance(
    study: StudyPath,
    scorer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID",
            help="Candidate rule; repeat.  By default those of `score`.",
            autocompletion=complete_scorer,
        ),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Judge to compare boards with; the first by default."),
    ] = None,
    table: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Printed table to check too; repeat."),
    ] = None,
    n: Annotated[
        list[str] | None,
        typer.Option("--n", metavar="COLUMN=N", help="Items behind a printed column; repeat."),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="ROW=SYSTEM", help="System of a printed row; repeat."),
    ] = None,
    log: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Label log to look into too; repeat."),
    ] = None,
    encoding: Encoding = "utf-8",
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Also write DIR/provenance.md.")
    ] = None,
    json: JsonTarget = None,
) -> None:
    """Find out which rule, files and slips made the numbers of a study.

    Systems marked by another rule than the rest, cut texts, failed calls, copies, contradictions,
    printed numbers that no count gives.  Nothing in the study is changed.
    """
    from finassay.analyses.provenance.study import ProvenanceOptions, study_provenance
    from finassay.apps.cli.audit import require_directory
    from finassay.marking.scoring import DEFAULT_SCORERS
    from finassay.reports.provenance import provenance_lines, write_provenance
    from finassay.runs.importers.label_logs import read_label_log
    from finassay.study import Study

    if out is not None:
        require_directory(out)
    options = ProvenanceOptions(
        scorers=tuple(scorer or DEFAULT_SCORERS),
        judge=judge,
        tables=_tables(table or [], encoding),
        sizes=_sizes(n or []),
        printed_names=dict(_pair("--name", text, "ROW=SYSTEM") for text in name or []),
        logs=tuple(read_label_log(path, encoding=encoding) for path in log or []),
    )
    found = study_provenance(Study.open(study).snapshot(), options)
    lines = provenance_lines(found)
    if out is not None:
        lines.append(f"written: {write_provenance(found, out)}")
    show.result("provenance", found, json, lines)


def _tables(paths: list[Path], encoding: str) -> tuple[ReportedScore, ...]:
    from finassay.runs.importers.options import ImportOptions
    from finassay.runs.importers.reported import read_reported_table

    options = ImportOptions(encoding=encoding)
    return tuple(
        score
        for path in paths
        for score in read_reported_table(
            path, source=path.absolute().parent.name, table=path.name, options=options
        )
    )


def _pair(option: str, text: str, form: str) -> tuple[str, str]:
    """Return both sides of LEFT=RIGHT; the last sign of equality separates."""
    left, sign, right = text.rpartition("=")
    if not (sign and left and right):
        raise UsageError(f"{option} must have the form {form}, got {text!r}")
    return left, right


def _sizes(texts: list[str]) -> dict[str, int]:
    sizes = {}
    for text in texts:
        column, number = _pair("--n", text, "COLUMN=N")
        if not number.isdecimal() or int(number) < 1:
            raise UsageError(f"--n must give a number of items, as COLUMN=406, got {text!r}")
        sizes[column] = int(number)
    return sizes
