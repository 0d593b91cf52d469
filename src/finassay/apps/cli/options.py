"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

StudyPath = Annotated[Path, typer.Argument(metavar="STUDY", help="Directory of the study.")]
JsonTarget = Annotated[
    str | None,
    typer.Option("--json", metavar="FILE", help="Also write the result as JSON; - for stdout."),
]
Encoding = Annotated[
    str, typer.Option(help="Encoding of the files, a Python codec name such as cp1252.")
]
Strict = Annotated[bool, typer.Option("--strict", help="A row that cannot be used is an error.")]
NoText = Annotated[
    bool, typer.Option("--no-text", help="Leave questions, references and replies out.")
]
