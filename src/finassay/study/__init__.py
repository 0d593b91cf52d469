"""Study room: the only code that reads and writes a study on disk.

Names are loaded when they are first used: some modules of the room need no frame library.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from finassay.study.config import StudyConfig
    from finassay.study.schemas import TABLES, TableSchema, table_schema
    from finassay.study.snapshot import Snapshot
    from finassay.study.study import Commit, Study

_HOMES = {
    "TABLES": "finassay.study.schemas",
    "Commit": "finassay.study.study",
    "Snapshot": "finassay.study.snapshot",
    "Study": "finassay.study.study",
    "StudyConfig": "finassay.study.config",
    "TableSchema": "finassay.study.schemas",
    "table_schema": "finassay.study.schemas",
}

__all__ = [
    "TABLES",
    "Commit",
    "Snapshot",
    "Study",
    "StudyConfig",
    "TableSchema",
    "table_schema",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'finassay.study' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
