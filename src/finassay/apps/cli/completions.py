"""What a shell may complete.  In: the beginning of a word.  Out: words, fast and never an error.

A shell waits while these run, so nothing heavy is imported: names are read where they lie.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from typer import Context, Typer

INSTRUCTION = "_FINASSAY_COMPLETE"
"""Variable by which a shell asks for completions, as Typer names it."""

STUDY_FILE = "study.toml"
"""The file by which a folder is known as a study."""

MOST_FOLDERS = 2_000
"""Entries of a folder that are looked at: a shell does not wait for more."""

_SPECIAL = re.compile(r"([\s'\"\\$`&|;<>()\[\]{}*?!#~])")
_GROUP = "finassay.scorers"


def leave_out_the_rest(app: Typer) -> None:
    """Take the parameters off all commands but the one whose line is being completed.

    Working out the parameters of every command takes longer than everything else together.
    """
    _keep(app, _typed())


def _typed() -> list[str]:
    """Return the words of the line after the program, as the shell hands them over."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    try:
        return shlex.split(line)[1:]
    except ValueError:
        # A quote that is still open.
        return line.split()[1:]


def _keep(app: Typer, words: Sequence[str]) -> None:
    named = words[0] if words else ""
    for command in app.registered_commands:
        if command.name != named and command.callback is not None:
            command.callback = _without_parameters(command.callback)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            _keep(group.typer_instance, words[1:] if group.name == named else ())


def _without_parameters(command: Callable[..., object]) -> Callable[[], None]:
    def named() -> None:
        """Stand for a command, of which only the name and the help are shown."""

    named.__doc__ = command.__doc__
    return named


def complete_study(incomplete: str) -> list[str]:
    """Return the paths of studies that begin so, down to two folders deeper.

    Without any, the shell completes files as ever.
    """
    return _ready(_studies(incomplete))


def complete_scorer(ctx: Context, incomplete: str) -> list[str]:
    """Return the names of scorers that begin so: those installed, and those of the study given."""
    known = {*_installed_scorers(), *_scorers_of(_study(ctx))}
    return _ready(name for name in known if name.startswith(incomplete))


def complete_system(ctx: Context, incomplete: str) -> list[str]:
    """Return the names of the systems of the study given that begin so."""
    study = _study(ctx)
    if study is None:
        return []
    from finassay.study.names import system_names

    return _ready(name for name in system_names(study) if name.startswith(incomplete))


def complete_schema(incomplete: str) -> list[str]:
    """Return the names of published schemas that begin so."""
    return _ready(name for name in _schemas() if name.startswith(incomplete))


def _ready(words: Iterable[str]) -> list[str]:
    """Return words sorted, and for bash, which takes them as they are, with blanks escaped."""
    is_bash = os.environ.get(INSTRUCTION, "").endswith("_bash")
    found = sorted(word for word in set(words) if word.isprintable())
    return [_SPECIAL.sub(r"\\\1", word) for word in found] if is_bash else found


def _study(ctx: Context) -> Path | None:
    """Return the study of the line: the command's argument, else the first word that is one.

    After an option without its value the command line is not parsed, and has no arguments.
    """
    given = ctx.params.get("study")
    words = (word for word in _typed() if (Path(word) / STUDY_FILE).is_file())
    return Path(given) if given else next(map(Path, words), None)


def _studies(incomplete: str) -> Iterator[str]:
    above, _, start = incomplete.rpartition("/")
    parent = f"{above}/" if "/" in incomplete else ""
    for name in _folders(Path(parent or "."), start):
        folder = f"{parent}{name}"
        if (Path(folder) / STUDY_FILE).is_file():
            yield folder
        else:
            below = (f"{folder}/{inner}" for inner in _folders(Path(folder), ""))
            yield from (path for path in below if (Path(path) / STUDY_FILE).is_file())


def _folders(parent: Path, start: str) -> Iterator[str]:
    """Yield the names of visible folders that begin so."""
    with suppress(OSError), os.scandir(parent) as entries:
        for _, entry in zip(range(MOST_FOLDERS), entries, strict=False):
            hidden = entry.name.startswith(".") and not start
            if entry.name.startswith(start) and not hidden and entry.is_dir():
                yield entry.name


def _installed_scorers() -> Iterator[str]:
    """Yield the names under the entry-point group, without importlib.metadata, which is slow."""
    for folder in dict.fromkeys(sys.path):
        with suppress(OSError, UnicodeDecodeError):
            for path in Path(folder or ".").glob("*.dist-info/entry_points.txt"):
                yield from _of_group(path.read_text(encoding="utf-8"))


def _of_group(text: str) -> Iterator[str]:
    section = text.partition(f"[{_GROUP}]")[2].partition("\n[")[0]
    for line in section.splitlines():
        name, sign, _ = line.partition("=")
        if sign:
            yield name.strip()


def _scorers_of(study: Path | None) -> Iterator[str]:
    """Yield the scorers that a study holds: each is a partition, which the table's log names."""
    if study is None:
        return
    with suppress(OSError, ValueError):
        for path in sorted((study / "scorers" / "_delta_log").glob("*.json")):
            for line in path.read_text(encoding="utf-8").splitlines():
                added = json.loads(line).get("add") or {}
                name = added.get("partitionValues", {}).get("scorer_id")
                if isinstance(name, str):
                    yield name


def _schemas() -> Iterator[str]:
    """Yield the keys of the table of results: importing it would import every analysis."""
    home = Path(__file__).parents[2] / "reports" / "schemas.py"
    yield "audit"
    with suppress(OSError, SyntaxError):
        for node in ast.parse(home.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "RESULTS":
                keys = node.value.keys if isinstance(node.value, ast.Dict) else []
                names = [key.value for key in keys if isinstance(key, ast.Constant)]
                yield from (name for name in names if isinstance(name, str))
