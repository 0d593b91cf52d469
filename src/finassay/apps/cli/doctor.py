"""The command that says whether this machine and a study are fit for work."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.completions import complete_study
from finassay.apps.cli.options import JsonTarget, LabelsUrl
from finassay.errors import FinassayError, StudyError


def doctor(
    study: Annotated[
        Path | None,
        typer.Argument(
            metavar="[STUDY]",
            help="Directory of a study to look at as well.",
            autocompletion=complete_study,
        ),
    ] = None,
    labels_url: LabelsUrl = None,
    json: JsonTarget = None,
) -> None:
    """Say whether packages, settings, this machine and a study are fit for work.

    Each line is ok, a note, or a problem with what to do.  Nothing is changed.  The exit code is 4
    when only the study has problems, 1 when something else has.
    """
    from finassay.reports.doctor.examine import examine

    found = examine(study, environment=os.environ, labels_url=labels_url)
    show.result("doctor", found, json, found.to_lines())
    if found.in_state("problem"):
        raise typer.Exit((StudyError if found.is_study_to_blame else FinassayError).exit_code)
