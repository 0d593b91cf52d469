"""Arguments and options that several commands share."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from finassay.errors import UsageError


def writable(target: str | None) -> str | None:
    """Return the target of a JSON document, so that a bad one is refused before the work.

    Raises:
        UsageError: it is a directory, or stands in one that is missing or cannot be written to.
    """
    if target is None or target == "-":
        return target
    path = Path(target)
    if path.is_dir():
        raise UsageError(f"--json must name a file, got the directory {target!r}")
    if not (path.parent.is_dir() and os.access(path.parent, os.W_OK)):
        raise UsageError(
            f"cannot write {target!r}: {str(path.parent)!r} must be a directory that can be "
            f"written to; name another file"
        )
    return target


StudyPath = Annotated[Path, typer.Argument(metavar="STUDY", help="Directory of the study.")]
JsonTarget = Annotated[
    str | None,
    typer.Option(
        "--json",
        metavar="FILE",
        callback=writable,
        help="Also write the result as JSON; - for stdout.",
    ),
]
Encoding = Annotated[
    str, typer.Option(help="Encoding of the files, a Python codec name such as cp1252.")
]
Strict = Annotated[bool, typer.Option("--strict", help="A row that cannot be used is an error.")]
NoText = Annotated[
    bool, typer.Option("--no-text", help="Leave questions, references and replies out.")
]

ItemsFile = Annotated[Path | None, typer.Option(help="File of items with references, read first.")]
BenchmarkName = Annotated[
    str | None, typer.Option(help="Name of the benchmark; by default the items file's stem.")
]
Mapped = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="PART=COLUMN|FILE",
        help="Which column is what, or a TOML file that says it; repeat for more parts.",
    ),
]
SystemName = Annotated[
    str | None, typer.Option(help="Display name of the one system in the files.")
]
KindName = Annotated[str, typer.Option(help="What the systems are: model or person.")]
