"""Delta tables on disk.  In: frames and partitions.  Out: versions, and the files they refer to.

This is the one place that knows the storage format.  A partition is replaced by one commit to the
table's log, which is a rename: readers see the old rows or the new rows, never a mixture.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import polars as pl
from arro3.core import RecordBatch, RecordBatchReader, Table
from deltalake import CommitProperties, DeltaTable, Field, Schema, write_deltalake
from deltalake.exceptions import CommitFailedError, DeltaError
from deltalake.schema import ArrayType, PrimitiveType, StructType
from polars.datatypes import DataType, DataTypeClass

from finassay import stopping
from finassay.errors import StudyError
from finassay.study.config import CONFIG_NAME
from finassay.study.disk import in_one_line, require_room, writing
from finassay.study.schemas import TABLES, Block, TableSchema

UNREADABLE: tuple[type[Exception], ...] = (OSError, pl.exceptions.PolarsError, DeltaError)
"""What reading a table raises where files of it are lost or damaged, and for other reasons."""

STREAM_ROWS = 100_000
"""Rows per batch while a lazy frame is written."""

LOOKED_AT = 100
"""Newest entries of a table's log that must not be empty."""

_PRIMITIVES: Mapping[DataTypeClass, str] = {
    pl.String: "string",
    pl.Int64: "long",
    pl.Float64: "double",
    pl.Boolean: "boolean",
}

# Old versions stay readable until somebody removes them on purpose, so the log is never trimmed.
_LOG_PROPERTIES = {
    "delta.enableExpiredLogCleanup": "false",
    "delta.logRetentionDuration": "interval 36500 days",
    "delta.deletedFileRetentionDuration": "interval 36500 days",
}


def _delta_type(dtype: DataType | DataTypeClass) -> PrimitiveType | ArrayType | StructType:
    if isinstance(dtype, pl.List):
        return ArrayType(_delta_type(dtype.inner), contains_null=True)
    if isinstance(dtype, pl.Struct):
        return StructType(
            [Field(f.name, _delta_type(f.dtype), nullable=True) for f in dtype.fields]
        )
    return PrimitiveType(_PRIMITIVES[dtype.base_type()])


def create_table(root: Path, schema: TableSchema) -> None:
    """Make one empty table under a study directory; a table that is there already stays.

    Only key columns have statistics in the log: the smallest and largest value of a text column
    would otherwise stay readable there after the text itself was redacted.
    """
    columns = [Field(name, _delta_type(dtype)) for name, dtype in schema.columns.items()]
    keys = ",".join(name for name in schema.key if name not in schema.partition)
    try:
        with writing(f"table {schema.name!r} of the study at {root}"):
            DeltaTable.create(
                root / schema.name,
                schema=Schema(columns),
                mode="ignore",
                partition_by=list(schema.partition),
                name=schema.name,
                configuration={
                    "delta.dataSkippingStatsColumns": keys or schema.key[0],
                    **_LOG_PROPERTIES,
                },
            )
    except (CommitFailedError, StudyError):
        # Another process made it between the look and the commit: theirs is as good.
        if not DeltaTable.is_deltatable(str(root / schema.name)):
            raise


class LocalTable(DeltaTable):
    """A table whose paths read as they stand on disk.

    The storage library gives the directory of a table as a URL, with %20 for a space, and the frame
    library opens that as it is: studies in directories with spaces or letters beyond ASCII would
    not be found.  The paths below that directory are quoted on disk too, and stay as they are.
    """

    @property
    def table_uri(self) -> str:
        """Return the table's directory as it stands on disk, after file://."""
        return f"file://{self._directory()[1]}"

    def file_uris(self, *args: Any, **kwargs: Any) -> list[str]:  # noqa: ANN401 - passed through
        """Return the paths of the table's files as they stand on disk."""
        quoted, plain = self._directory()
        found = super().file_uris(*args, **kwargs)
        return [plain + path.removeprefix("file://").removeprefix(quoted) for path in found]

    def _directory(self) -> tuple[str, str]:
        quoted = super().table_uri.removeprefix("file://")
        return quoted, unquote(quoted)


def open_table(root: Path, name: str, version: int | None = None) -> DeltaTable:
    """Return a table pinned at a version (the latest by default).

    Raises:
        StudyError: the table, or its version, is not there, or its log is damaged.
    """
    try:
        table = LocalTable(root / name, version=version)
    except (DeltaError, OSError) as error:
        raise _unopened(root, name, version, in_one_line(error)) from error
    empty = _empty_entry(root / name, table.version())
    if empty is not None:
        raise _unopened(root, name, version, f"entry {empty.name!r} of its log is empty")
    return table


def _unopened(root: Path, name: str, version: int | None, cause: str) -> StudyError:
    wanted = "the table" if version is None else f"version {version} of it"
    return StudyError(
        f"table {name!r} of the study at {root} cannot be opened: {cause}; expected {wanted} to "
        f"be there; restore it from a copy, or ask for another version"
    )


def _empty_entry(folder: Path, version: int) -> Path | None:
    """Return the newest entry of a table's log without content: what a power cut leaves of it.

    The storage library takes it for a commit of nothing, and rows would be missing without a word.
    """
    for number in range(version, max(version - LOOKED_AT, -1), -1):
        entry = folder / "_delta_log" / f"{number:020d}.json"
        try:
            is_empty = entry.stat().st_size == 0
        except OSError:
            continue
        if is_empty:
            return entry
    return None


def scan_table(table: DeltaTable, schema: TableSchema) -> pl.LazyFrame:
    """Return the rows of a pinned table lazily, columns in schema order."""
    return pl.scan_delta(table).select(list(schema.columns))


def scan_partition(table: DeltaTable, schema: TableSchema, partition: Block) -> pl.LazyFrame:
    """Return the rows of one partition, or of a block, of a pinned table lazily."""
    wanted = [_equals(name, given) for name, given in partition.items()]
    return pl.scan_delta(table).filter(*wanted).select(list(schema.columns))


def _equals(name: str, given: str | Sequence[str]) -> pl.Expr:
    return pl.col(name).eq(given) if isinstance(given, str) else pl.col(name).is_in(list(given))


def partition_predicate(partition: Block) -> str:
    """Return the SQL predicate that selects exactly one partition, or one block."""
    return " AND ".join(_predicate(name, given) for name, given in partition.items())


def _predicate(name: str, given: str | Sequence[str]) -> str:
    values = [given] if isinstance(given, str) else given
    quoted = ["'" + value.replace("'", "''") + "'" for value in values]
    if len(quoted) == 1:
        return f'"{name}" = {quoted[0]}'
    return f'"{name}" IN ({", ".join(quoted)})'


def _batches(rows: pl.LazyFrame) -> Iterator[RecordBatch]:
    for frame in rows.collect_batches(chunk_size=STREAM_ROWS):
        yield from Table.from_arrow(frame).to_batches()


def replace_partition(
    table: DeltaTable,
    schema: TableSchema,
    rows: pl.LazyFrame,
    partition: Block,
    *,
    alone: bool = False,
) -> None:
    """Replace one partition, or one block, by these rows in one commit on the pinned version.

    Args:
        table: pinned; a commit by somebody else since then to the same partition is a conflict.
        schema: of the table.
        rows: streamed in batches, never held whole.
        partition: column values that name the partition.
        alone: whether a commit by somebody else to any partition is a conflict too, for rules
            that span the table.

    Raises:
        CommitFailedError: somebody else committed in between; nothing was changed.
        DiskError: the disk is full or cannot be written to; nothing was changed.
    """
    head = Table.from_arrow(schema.empty()).schema
    reader = RecordBatchReader.from_batches(head, _batches(rows.select(list(schema.columns))))
    stopping.checkpoint()
    retries = CommitProperties(max_commit_retries=0) if alone else None
    root = Path(unquote(table.table_uri.removeprefix("file://"))).parent
    with writing(f"table {schema.name!r} of the study at {root}"):
        require_room(root / schema.name)
        write_deltalake(
            table,
            reader,
            mode="overwrite",
            predicate=partition_predicate(partition),
            commit_properties=retries,
        )


def refuse_orphans(root: Path) -> None:
    """Refuse tables that rows were committed to: a killed creation leaves none of those.

    Raises:
        StudyError: study.toml is gone, and with it the study's name and policy.
    """
    filled = [name for name in TABLES if log_files(root / name)[1:]]
    if filled:
        raise StudyError(
            f"{str(root)!r} holds the tables of a study ({filled[0]!r} has rows) and no "
            f"{CONFIG_NAME}; restore that file from a copy, write it by hand, or name another "
            f"directory"
        )


def log_files(folder: Path) -> list[Path]:
    """Return the commit files of a table, oldest first."""
    return sorted((folder / "_delta_log").glob("*.json"))


def _entries(log: Path) -> list[dict[str, Any]]:
    """Return the actions of one entry of a table's log."""
    try:
        actions = [json.loads(line) for line in log.read_bytes().splitlines()]
    except ValueError as error:
        raise _damaged_entry(log, str(error)) from error
    if not actions:
        raise _damaged_entry(log, "it is empty")
    return actions


def _damaged_entry(log: Path, cause: str) -> StudyError:
    return StudyError(
        f"{log}: this entry of a table's log is damaged ({cause}), so nobody can say which files "
        f"are needed; nothing was removed; restore the study from a copy"
    )


def referred_files(folder: Path) -> set[Path]:
    """Return every data file that any version of a table refers to.

    Raises:
        StudyError: an entry of the log is damaged.
    """
    found: set[Path] = set()
    for log in log_files(folder):
        entries = _entries(log)
        added = (entry.get("add") for entry in entries)
        found.update(folder / unquote(one["path"]) for one in added if one is not None)
    return found


def live_files(table: DeltaTable, folder: Path) -> dict[Path, int]:
    """Return the data files that the pinned version refers to, with their sizes in bytes."""
    actions = pl.DataFrame(table.get_add_actions(flatten=True))
    sizes = zip(actions["path"], actions["size_bytes"], strict=True)
    return {folder / unquote(path): int(size) for path, size in sizes}


def damaged_file(table: DeltaTable, folder: Path) -> str | None:
    """Return what is wrong with the first file that is missing or has another size, or None.

    A cut file must be found before it is opened: readers fail on it in ways that cannot be caught.
    """
    for path, size in live_files(table, folder).items():
        try:
            found = path.stat().st_size
        except OSError as error:
            return f"the file {path.name!r} cannot be read ({error.strerror})"
        if found != size:
            return f"the file {path.name!r} has {found} bytes, expected {size}"
    return None
