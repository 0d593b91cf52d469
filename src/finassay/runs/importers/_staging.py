"""Where an import keeps what it has read.  In: a file and how it is read.  Out: a folder, a state.

The folder stands in the study, so that an import that was stopped can be taken up again by the same
command: its name follows from the file, its size and time, and everything that decides how rows are
read.  Nothing in it belongs to the study until it is committed; `finassay study clean` removes what
nobody took up.
"""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TypedDict

from finassay.errors import DiskError, FinassayError, InputError
from finassay.records import content_id
from finassay.runs.importers._gathering import GatheringState
from finassay.runs.importers._rows import BadRow, Progress, tell_rows
from finassay.runs.importers.options import ImportOptions, TableReader
from finassay.study import Commit, Snapshot
from finassay.study.config import write_aside
from finassay.study.disk import writing
from finassay.study.locking import lock_at_once

STATE = "state.json"
LOCK = "lock"


class Landed(TypedDict):
    """A commit of an import that was stopped later on."""

    table: str
    version: int
    rows: int
    changed: bool


class ImportState(TypedDict):
    """How far an import came.

    Attributes:
        rows_read: records of the file that are dealt with, bad ones included.
        is_whole: whether that is all of them.
        bad: how many cannot be used.
        bad_rows: (file, line, reason, snippet) of the first of these.
        systems: what was counted of each.
        landed: system id -> its commits.
    """

    rows_read: int
    is_whole: bool
    bad: int
    bad_rows: list[tuple[str, int, str, str]]
    systems: list[GatheringState]
    landed: dict[str, list[Landed]]


class Staging:
    """A folder of rows that were read and not committed yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def load(self) -> ImportState | None:
        """Return the state that a stopped import left, or None."""
        try:
            found: ImportState = json.loads((self.folder / STATE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found

    def save(self, state: ImportState) -> None:
        """Write a state down, in place of an earlier one."""
        write_aside(self.folder / STATE, json.dumps(state, ensure_ascii=False))

    def restart(self) -> None:
        """Remove everything that was kept."""
        for path in self.folder.iterdir():
            if path.name != LOCK:
                path.unlink()


def state_of(
    reader: TableReader,
    systems: list[GatheringState],
    landed: Mapping[str, Sequence[Commit]],
    *,
    is_whole: bool,
) -> ImportState:
    """Return how far an import came, as it is written down."""
    shown = reader.bad.shown
    return {
        "rows_read": reader.rows_read,
        "is_whole": is_whole,
        "bad": reader.bad.count,
        "bad_rows": [(row.file, row.line, row.reason, row.snippet) for row in shown],
        "systems": systems,
        "landed": {
            system_id: [
                {
                    "table": one.table,
                    "version": one.version,
                    "rows": one.rows,
                    "changed": one.changed,
                }
                for one in commits
            ]
            for system_id, commits in landed.items()
        },
    }


def landed_in(state: ImportState) -> dict[str, list[Commit]]:
    """Return the commits that a stopped import had made, by system id."""
    found = state["landed"].items()
    return {system_id: [Commit(**one) for one in commits] for system_id, commits in found}


def restore_reader(reader: TableReader, state: ImportState) -> None:
    """Give a reader the counts of rows that a stopped import had dealt with."""
    reader.rows_read = state["rows_read"]
    reader.bad.count = state["bad"]
    reader.bad.shown = [
        BadRow(file=file, line=line, reason=reason, snippet=shown)
        for file, line, reason, shown in state["bad_rows"]
    ]


def skip_rows(reader: TableReader, rows: int, progress: Progress | None) -> None:
    """Pass over rows that were dealt with; states are written between batches only.

    Raises:
        InputError: the file does not have these rows any more.
    """
    for batch in reader.batches():
        tell_rows(progress, len(batch.rows))
        if reader.rows_read >= rows:
            break
    if reader.rows_read != rows:
        raise InputError(
            f"{reader.path}: {reader.rows_read:,} rows where {rows:,} were read before; the file "
            f"changes while it is read; wait until it is whole, and import it again"
        )


def staging_key(snapshot: Snapshot, path: Path, options: ImportOptions) -> str:
    """Return what an import must share with a stopped one to go on from it."""
    found = path.stat()
    how = replace(options, received="")
    return content_id(
        str(path.resolve()),
        str(found.st_size),
        str(found.st_mtime_ns),
        repr(how),
        str(snapshot.versions["items"]),
        version("finassay"),
    )


@contextmanager
def staging(snapshot: Snapshot, path: Path, options: ImportOptions) -> Iterator[Staging]:
    """Yield the folder of an import; it stays only where the import was stopped midway.

    A second import of the same file at the same time gets a folder of its own.
    """
    key = staging_key(snapshot, path, options) if path.is_file() else uuid.uuid4().hex
    folder = snapshot.root / f"import-{key}.tmp"
    with writing(f"the study at {snapshot.root}"):
        folder.mkdir(exist_ok=True)
    with (folder / LOCK).open("wb") as lock:
        if lock_at_once(lock.fileno()):
            yield from _within(folder)
            return
    alone = folder.with_name(f"import-{key}-{uuid.uuid4().hex}.tmp")
    alone.mkdir()
    yield from _within(alone)


def _within(folder: Path) -> Iterator[Staging]:
    is_over = False
    try:
        yield Staging(folder)
        is_over = True
    except FinassayError as error:
        is_over = not isinstance(error, DiskError)
        raise
    finally:
        # Stopped, or out of room: what was written down is worth taking up again.
        if is_over or not (folder / STATE).exists():
            shutil.rmtree(folder, ignore_errors=True)
