"""The command that writes a study in the formats of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer

from finassay.apps.cli import show
from finassay.apps.cli.completions import complete_scorer, complete_system
from finassay.apps.cli.options import JsonTarget, NoText, StudyPath, scorer_id


def export(
    study: StudyPath,
    format: Annotated[  # noqa: A002 - the name of the option
        str, typer.Option(metavar="NAME", help="csv, eee (Every Eval Ever) or inspect-scores.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Directory to write to.")],
    scorer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID|@FILE",
            help="Scorer whose verdicts are written; repeat. By default all; in csv the source's.",
            autocompletion=complete_scorer,
        ),
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Only this system; repeat.", autocompletion=complete_system
        ),
    ] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="LOG", help="Log of Inspect that scores are for.")
    ] = None,
    unscored: Annotated[
        str,
        typer.Option(
            metavar="POLICY", help="Replies without an answer: wrong, or exclude (no score)."
        ),
    ] = "wrong",
    no_text: NoText = False,
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there.")] = False,
    json: JsonTarget = None,
) -> None:
    """Write predictions and verdicts for other tools."""
    from finassay.integrations.score_values import require_policy
    from finassay.reports.exports.export import ExportOptions, Format, export_study
    from finassay.study import Study

    options = ExportOptions(
        unscored=require_policy(unscored),
        systems=system,
        scorers=None if scorer is None else [scorer_id(name) for name in scorer],
        log=log,
        no_text=no_text,
        force=force,
    )
    snapshot = Study.open(study).snapshot()
    report = export_study(snapshot, out, format=cast("Format", format), options=options)
    show.result("export", report, json, report.to_lines())
