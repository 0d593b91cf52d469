"""The file of people's labels.  In: its path.  Out: what is wrong with it, if anything."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

RESTORE_LABELS = (
    "move the file away and bring back a copy with `finassay study restore-labels`; verdicts that "
    "were made of labels stand in the study"
)
"""What to do about a damaged file of labels."""

REFUSED = ("SQLITE_FULL", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_IOERR")
"""How errors of SQLite begin that say that the disk refuses."""

DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
"""How errors of SQLite begin that say that the file is not what was written."""


def damaged_label_file(path: Path) -> str | None:
    """Return what is wrong with an SQLite file of labels; None if nothing, or it cannot be said.

    It is only read.  Where SQLite may not open it, for want of rights, nothing can be said.
    """
    if not path.is_file():
        return None
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as file:
            found = [str(row[0]) for row in file.execute("PRAGMA quick_check(3)")]
    except sqlite3.DatabaseError as error:
        kind = getattr(error, "sqlite_errorname", "")
        return str(error) if kind.startswith(DAMAGED) else None
    return None if found == ["ok"] else "; ".join(found)
