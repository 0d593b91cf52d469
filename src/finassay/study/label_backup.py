"""Copies of label stores.  In: a store.  Out: one SQLite file that holds all of it, and back.

The copy is of one moment, while people go on labelling.  Sessions stay behind: whoever was logged
out must not be logged in again by an old copy.
"""

from __future__ import annotations

import os
import sqlite3
import uuid
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Table, delete, func, insert, select, text, update
from sqlalchemy.engine import Connection

from finassay.errors import InputError, StudyError, UsageError
from finassay.study.adjudication.ledger_tables import LEDGER_TABLES
from finassay.study.label_tables import LAYOUT, METADATA, SESSIONS
from finassay.study.labels import LabelStore

_ROWS = 1_000
"""Rows that are read and written at a time."""

_MAGIC = b"SQLite format 3\x00"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelCopy:
    """What was copied.

    Attributes:
        path: the file of the copy.
        rows: rows by table.
    """

    path: Path
    rows: Mapping[str, int]

    def to_lines(self) -> list[str]:
        """Return what was copied in plain lines."""
        counted = ", ".join(f"{name} {count}" for name, count in self.rows.items())
        return [f"rows: {counted}"]


def backup_labels(store: LabelStore, path: Path, *, overwrite: bool = False) -> LabelCopy:
    """Copy a label store, SQLite or PostgreSQL, into a new SQLite file, and return what it holds.

    The file is written aside, checked and renamed.

    Args:
        store: with labels, people and draws.
        path: the file.
        overwrite: whether a file that is there is replaced.

    Raises:
        UsageError: there is a file already, or the file cannot be written.
        StudyError: the copy is not whole.
    """
    if path.exists() and (not overwrite or not path.is_file()):
        raise UsageError(f"{str(path)!r} exists already; name another file, or give --overwrite")
    if not path.parent.is_dir():
        raise UsageError(f"there is no directory {str(path.parent)!r}; make it, or name another")
    aside = path.with_name(f"{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        if store.url.get_backend_name() == "sqlite":
            _copy_sqlite(Path(str(store.url.database)), aside)
        else:
            _copy_rows_into_file(store, aside)
        rows = _finish(aside)
        _flush(aside)
        aside.replace(path)
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            with suppress(FileNotFoundError):
                aside.with_name(aside.name + suffix).unlink()
    return LabelCopy(path=path, rows=rows)


def restore_labels(store: LabelStore, path: Path, *, study: str | None = None) -> LabelCopy:
    """Bring a copy into an empty store, whole or not at all, and return what it held.

    A copy that an older version made is led on to today's layout on the way; the file itself
    stays as it is.

    Args:
        store: without labels, people and draws.
        path: the file of the copy.
        study: which study the store serves from now on (`study_name`); as the copy says if None.

    Raises:
        InputError: the file is no copy of a label store, or is damaged.
        UsageError: the store holds something already.
    """
    _require_sqlite(path)
    aside = path.with_name(f"{path.name}.{uuid.uuid4().hex}.tmp")
    if store.url.get_backend_name() == "sqlite":
        aside = Path(f"{store.url.database}.{uuid.uuid4().hex}.tmp")
    try:
        try:
            _copy_sqlite(path, aside)
            _finish(aside)
        except (sqlite3.DatabaseError, StudyError) as error:
            raise InputError(
                f"{str(path)!r} is no whole copy of a label store: {error}; give a file that "
                f"`finassay study backup-labels` wrote"
            ) from error
        with LabelStore(sqlite=aside) as source:
            rows = _copy_rows(source, store, study)
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            with suppress(FileNotFoundError):
                aside.with_name(aside.name + suffix).unlink()
    return LabelCopy(path=path, rows=rows)


def _tables() -> list[Table]:
    """Return the tables of a store, those that others refer to first."""
    kept = [table for table in METADATA.sorted_tables if table is not SESSIONS]
    return [*(table for table in kept if table not in LEDGER_TABLES), *LEDGER_TABLES]


def _copy_sqlite(source: Path, target: Path) -> None:
    # Read-only by URI: a mistyped name must not become an empty database.
    uri = f"{source.resolve().as_uri()}?mode=ro"
    with (
        closing(sqlite3.connect(uri, uri=True)) as from_,
        closing(sqlite3.connect(target)) as to,
    ):
        from_.backup(to)


def _copy_rows_into_file(store: LabelStore, target: Path) -> None:
    with LabelStore(sqlite=target) as made:
        _copy_rows(store, made)


def _copy_rows(source: LabelStore, target: LabelStore, study: str | None = None) -> dict[str, int]:
    """Copy every row of one moment in one transaction, and return how many by table."""
    isolation = "SERIALIZABLE" if source.engine.dialect.name == "sqlite" else "REPEATABLE READ"
    with (
        source.engine.connect().execution_options(isolation_level=isolation) as reading,
        target.engine.begin() as writing,
    ):
        # The row of the layout comes over too; deleting it locks an SQLite file.
        writing.execute(delete(LAYOUT))
        _require_empty(writing)
        counts = {table.name: _copy_table(table, reading, writing) for table in _tables()}
        if study is not None:
            writing.execute(update(LAYOUT).values(study=study))
        if target.engine.dialect.name == "postgresql":
            _set_counters(writing)
    counts.pop(LAYOUT.name)
    return counts


def _copy_table(table: Table, reading: Connection, writing: Connection) -> int:
    total = 0
    order = list(table.primary_key)
    found = reading.execution_options(yield_per=_ROWS).execute(select(table).order_by(*order))
    for rows in found.mappings().partitions(_ROWS):
        writing.execute(insert(table), [dict(row) for row in rows])
        total += len(rows)
    return total


def _set_counters(connection: Connection) -> None:
    """Let the numbers of new rows on PostgreSQL go on after those that were copied."""
    for table in _tables():
        for column in table.primary_key:
            if column.autoincrement is not True:
                continue
            highest = connection.scalar(select(func.max(column)))
            if highest is not None:
                sequence = func.pg_get_serial_sequence(table.name, column.name)
                connection.execute(select(func.setval(sequence, highest)))


def _finish(path: Path) -> dict[str, int]:
    """Check a copy, take the sessions out, and return its rows by table, the layout's aside.

    Raises:
        StudyError: the copy is damaged, or is not of a label store.
    """
    with closing(sqlite3.connect(path)) as plain:
        said = plain.execute("PRAGMA integrity_check").fetchone()[0]
        names = {row[0] for row in plain.execute("SELECT name FROM sqlite_master")}
    if said != "ok":
        raise StudyError(f"the copy of the labels is damaged: {said}; try again")
    if "labels" not in names:
        raise StudyError("there is no table of labels in it; name the file of a label store")
    with LabelStore(sqlite=path) as store, store.engine.begin() as connection:
        connection.execute(delete(SESSIONS))
        counts = {
            table.name: connection.scalar(select(func.count()).select_from(table)) or 0
            for table in _tables()
            if table is not LAYOUT
        }
    with LabelStore(sqlite=path) as store:
        alone = store.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        with alone as connection:
            # One file and no log beside it, without what was taken out.
            connection.execute(text("VACUUM"))
            connection.execute(text("PRAGMA journal_mode=DELETE"))
    return counts


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _require_sqlite(path: Path) -> None:
    try:
        with path.open("rb") as opened:
            head = opened.read(len(_MAGIC))
    except OSError as error:
        raise InputError(
            f"{str(path)!r} cannot be read: {error.strerror}; name a file that can be read"
        ) from error
    if head != _MAGIC:
        raise InputError(
            f"{str(path)!r} is not an SQLite file; give one that `finassay study backup-labels` "
            f"wrote"
        )


def _require_empty(connection: Connection) -> None:
    if connection.engine.dialect.name == "postgresql":
        names = ", ".join(table.name for table in _tables())
        connection.exec_driver_sql(f"LOCK TABLE {names} IN EXCLUSIVE MODE")
    for table in _tables():
        held = connection.scalar(select(func.count()).select_from(table))
        if held:
            where = connection.engine.url.render_as_string()
            raise UsageError(
                f"the label store at {where} is not empty ({table.name}: {held}); a copy is "
                f"brought into an empty store only; move the file away, or name an empty database"
            )
