"""Study room: the only code that reads and writes a study on disk."""

from finassay.study.config import StudyConfig
from finassay.study.schemas import TABLES, TableSchema, table_schema
from finassay.study.snapshot import Snapshot
from finassay.study.study import Commit, Study

__all__ = [
    "TABLES",
    "Commit",
    "Snapshot",
    "Study",
    "StudyConfig",
    "TableSchema",
    "table_schema",
]
