"""What commands print.  In: results.  Out: lines on stdout, progress on stderr, JSON in files."""

from __future__ import annotations

import errno
import json
import os
import sys
import time
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from finassay import stopping
from finassay.errors import DiskError, FinassayError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.progress import Progress

    from finassay.scorers.registry import Json


def lines(texts: Iterable[str], target: str | None = None) -> None:
    """Print lines on stdout, or on stderr where JSON goes to stdout (target "-")."""
    stream = sys.stderr if target == "-" else sys.stdout
    for text in texts:
        stream.write(f"{harmless(text)}\n")


def harmless(text: str) -> str:
    """Return a text without what could steer a terminal: names and replies come from anywhere.

    Control, format and bidirectional override characters are shown as their code, new lines stay.
    """
    return "".join(
        character
        if character == "\n" or unicodedata.category(character) not in {"Cc", "Cf", "Cs"}
        else f"<U+{ord(character):04X}>"
        for character in text
    )


def result(name: str, value: object, target: str | None, texts: Iterable[str]) -> None:
    """Show a result as lines, and as JSON where it was asked for.

    With `--json -` the JSON stands alone on stdout and the lines go to stderr.

    Args:
        name: name of the result's JSON Schema, as in `finassay schema NAME`.
        value: a frozen result.
        target: a file, "-" for stdout, or None for no JSON.
        texts: the result in lines.

    Raises:
        UsageError: the file cannot be written.
    """
    from finassay.analyses.results import to_jsonable

    lines(texts, target)
    if target is not None:
        body = to_jsonable(value)
        named: dict[str, Json] = {"schema": ""}
        named |= body if isinstance(body, dict) else {}
        # The name of the published schema, in place of the name of the class.
        write_json({**named, "schema": f"finassay/{name}/1"}, target)


def write_json(document: Json, target: str) -> None:
    """Write a JSON document to a file, aside and renamed, or to stdout for "-".

    Raises:
        UsageError: the file cannot be written.
    """
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    if target == "-":
        sys.stdout.write(text)
        return
    path = Path(os.path.realpath(target))
    if path.exists() and not path.is_file():
        # A pipe or a device cannot be replaced by a file: it is written to.
        try:
            path.write_text(text, encoding="utf-8")
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _unwritten(target, error) from error
        return
    stopping.checkpoint()
    aside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        aside.write_text(text, encoding="utf-8")
        aside.replace(path)
    except OSError as error:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
        raise _unwritten(target, error) from error


def _unwritten(target: str, error: OSError) -> FinassayError:
    if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO}:
        return DiskError(f"cannot write {target!r}: {error.strerror}; name a file on another disk")
    return UsageError(f"cannot write {target!r}: {error.strerror}; name another file")


@contextmanager
def steps(what: str) -> Iterator[Callable[[int, int, str], None]]:
    """Yield a callback (done, in all, label) that draws a bar on stderr, on a terminal only."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(what, total=None)

        def advance(done: int, total: int, label: str) -> None:
            stopping.checkpoint()
            bar.update(task, completed=done, total=total, description=f"{what} {label}".strip())

        yield advance


class Transfer:
    """A bar of bytes that also counts rows, and the systems that are in the study."""

    def __init__(self, bar: Progress, what: str) -> None:
        self._bar = bar
        self._what = what
        self._task = bar.add_task(what, total=None)
        self._began = time.monotonic()
        self._rows = 0

    def __call__(self, done: int, total: int | None) -> None:
        """Show bytes done and bytes in all."""
        stopping.checkpoint()
        self._bar.update(self._task, completed=done, total=total)

    def rows(self, count: int) -> None:
        """Count rows that were read, and show how fast they come."""
        self._rows += count
        rate = self._rows / max(time.monotonic() - self._began, 1e-3)
        self._say(f"{self._rows:,} rows, {rate:,.0f}/s")

    def commits(self, done: int, total: int) -> None:
        """Show how many of the systems are in the study."""
        stopping.checkpoint()
        self._say(f"{self._rows:,} rows; {done} of {total} systems in the study")

    def _say(self, more: str) -> None:
        self._bar.update(self._task, description=f"{self._what} {more}")


@contextmanager
def transfer(what: str) -> Iterator[Transfer]:
    """Yield a callback (bytes done, bytes in all) that draws a bar on stderr."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        yield Transfer(bar, what)
