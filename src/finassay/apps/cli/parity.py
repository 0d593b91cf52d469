"""The command about the verdicts that came with logs of other tools."""

from __future__ import annotations

from typing import Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.options import JsonTarget, StudyPath

Scorers = Annotated[
    list[str] | None,
    typer.Option(
        "--scorer", metavar="ID", help="A scorer of a tool, as imported/helm/exact_match; repeat."
    ),
]
Shown = Annotated[
    int, typer.Option(min=0, help="Differing answers to list for each scorer (in the JSON).")
]


def parity(
    study: StudyPath,
    scorer: Scorers = None,
    shown: Shown = 50,
    json: JsonTarget = None,
) -> None:
    """Show how far our rules say what the tools said.

    For each rule of a tool that we have too: how many of the tool's verdicts ours repeats, and on
    which answers the two differ.  For every score of a tool: its value with unscored verdicts left
    out and counted as wrong, beside what the tool printed.
    """
    from finassay.analyses.parity import parity_of_study
    from finassay.reports.plain import joined_lines
    from finassay.reports.tables_parity import tables
    from finassay.study import Study

    found = parity_of_study(Study.open(study).snapshot(), scorers=scorer, shown=shown)
    show.result("parity", found, json, joined_lines(tables(found)))
