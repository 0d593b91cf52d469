"""Arguments and options that several commands share."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli.completions import complete_study
from finassay.errors import InputError, SpecError, UsageError

if TYPE_CHECKING:
    from finassay.scorers.base import Scorer

SPEC_MARK = "@"
"""Before the name of a file that holds the spec of a scorer, where an id is asked for."""


def writable(target: str | None) -> str | None:
    """Return the target of a document, so that a bad one is refused before the work.

    Raises:
        UsageError: it is a directory, or stands in one that is missing or cannot be written to.
    """
    if target is None or target == "-":
        return target
    path = Path(target)
    if path.is_dir():
        raise UsageError(f"expected a file to write to, got the directory {target!r}")
    if not (path.parent.is_dir() and os.access(path.parent, os.W_OK)):
        raise UsageError(
            f"cannot write {target!r}: {str(path.parent)!r} must be a directory that can be "
            f"written to; name another file"
        )
    return target


def scorer_or_spec(text: str) -> str | Scorer:
    """Return the scorer whose spec stands in a file named @FILE, or the id as it is.

    Raises:
        InputError: the file cannot be read.
        SpecError: it holds no spec, or that of another version.
    """
    if not text.startswith(SPEC_MARK):
        return text
    from finassay.scorers.registry import from_spec

    path = Path(text.removeprefix(SPEC_MARK))
    try:
        spec = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{str(path)!r}: the scorer spec cannot be read: {error}; name a file that `finassay "
            f"calibrate --write-spec` wrote"
        ) from error
    try:
        return from_spec(spec)
    except SpecError as error:
        raise type(error)(f"{path}: {error}") from error


def scorer_id(text: str) -> str:
    """Return the id of the scorer whose spec stands in a file named @FILE, or the id as it is.

    Raises:
        InputError: the file cannot be read.
        SpecError: it holds no spec, or that of another version.
    """
    found = scorer_or_spec(text)
    if isinstance(found, str):
        return found
    from finassay.scorers.registry import scorer_id_of

    return scorer_id_of(found)


def optional_scorer_id(text: str | None) -> str | None:
    """Return the id that an optional argument names, or None for None."""
    return None if text is None else scorer_id(text)


StudyPath = Annotated[
    Path,
    typer.Argument(metavar="STUDY", help="Directory of the study.", autocompletion=complete_study),
]
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
LabelsUrl = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="FINASSAY_LABELS_URL",
        show_envvar=False,
        help="Database of labels, as postgresql+psycopg://...; else SQLite.",
    ),
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

EngineName = Annotated[
    str, typer.Option("--engine", metavar="NAME", help="Where the work runs: local or ray.")
]
Workers = Annotated[
    int | None,
    typer.Option(metavar="N", help="With --engine ray: tasks at once; all cores by default."),
]
Address = Annotated[
    str | None,
    typer.Option(
        metavar="HOST:PORT",
        help="With --engine ray: a running cluster; else RAY_ADDRESS, else this machine.",
    ),
]
