"""The command about printed tables whose columns are arms of one measurement."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.audit import rank_convention
from finassay.apps.cli.options import JsonTarget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from finassay.records import ReportedScore


def arms(
    source: Annotated[
        str,
        typer.Argument(
            metavar="NAME|STUDY",
            help="A benchmark whose printed figures ship, as indiafinbench, or a study.",
        ),
    ],
    table: Annotated[
        str, typer.Option(help="The printed table whose columns are the arms.")
    ] = "Table 11",
    base: Annotated[
        str,
        typer.Option(metavar="TABLE:COLUMN", help="Printed scores that arms are compared with."),
    ] = "Table 6:strict",
    ranks: Annotated[
        str, typer.Option(help="Ranks shown: dense, competition, average or ordinal.")
    ] = "dense",
    json: JsonTarget = None,
) -> None:
    """Show what a printed table's arms change.

    One printed table may give the same systems under several arms, such as rounding tolerances of
    a judge.  Shown are ranks under a declared convention, how far systems move, the order against
    another printed column, and which claims hold in every arm.
    """
    from finassay.analyses.reported_arms import reported_arms
    from finassay.reports.plain import joined_lines
    from finassay.reports.tables_arms import tables

    found = reported_arms(
        _reported(source), table=table, base=base, rank_convention=rank_convention(ranks)
    )
    show.result("arms", found, json, joined_lines(tables(found)))


def _reported(source: str) -> Sequence[ReportedScore]:
    if Path(source).is_dir():
        from finassay.marking.view import view_study
        from finassay.study import Study

        return view_study(Study.open(Path(source)).snapshot(), needs_verdicts=False).reported
    from finassay.benchmarks.reported import load_reported

    return load_reported(source)
