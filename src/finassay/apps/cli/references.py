"""Commands about references: are they right?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.options import Encoding, JsonTarget
from finassay.errors import UsageError

app = typer.Typer(help="Audit the references of a benchmark.", no_args_is_help=True)


@app.callback()
def references() -> None:
    """Audit the references of a benchmark."""


@app.command("audit")
def audit(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="FILE|STUDY", help="A table of references (CSV, JSONL), or a study."
        ),
    ],
    source: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="A column of references; repeat. By default those whose names say so.",
        ),
    ] = None,
    trusted: Annotated[
        str,
        typer.Option(metavar="COLUMN", help="The source to take as right where others differ."),
    ] = "",
    encoding: Encoding = "utf-8",
    json: JsonTarget = None,
) -> None:
    """Find references that contradict themselves or each other.

    Computations written in a reference are done again, stated solutions are put into the equations
    of the question, and final answers of several sources are compared by value.  In a study,
    references are also compared with their accepted alternatives and with what most systems answer.
    No model is asked.
    """
    from finassay.analyses.reference_audit.audit import audit_references
    from finassay.analyses.reference_audit.inputs import read_references
    from finassay.analyses.reference_audit.study import audit_study_references
    from finassay.reports.plain import joined_lines
    from finassay.reports.tables_references import tables
    from finassay.study import Study

    if path.is_dir():
        if source or trusted or encoding != "utf-8":
            raise UsageError(
                f"--source, --trusted and --encoding are of a table, and {str(path)!r} is a "
                f"directory; a study says itself what its references are: leave them out"
            )
        found = audit_study_references(Study.open(path).snapshot())
    else:
        items = read_references(path, sources=source or (), trusted=trusted, encoding=encoding)
        found = audit_references(items, trusted=trusted)
    show.result("references-audit", found, json, joined_lines(tables(found)))
