"""Large partitions in pieces.  In: a snapshot and a number of rows.  Out: places in its files.

Data files are never changed, so a piece names the same rows in any process that sees the study's
directory, and reading it does not read the rest of the partition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

import polars as pl

from finassay.study.schemas import TableSchema, table_schema
from finassay.study.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive rows of one data file.

    Attributes:
        path: the file below the table's directory, as the table's log writes it.
        partition: values of the partition columns, in schema order.
        offset: rows of the file before the piece.
        rows: rows of the piece.
    """

    path: str
    partition: tuple[str, ...]
    offset: int
    rows: int


def slices(
    snapshot: Snapshot, table: str, system_id: str, *, most: int
) -> Iterator[tuple[Piece, ...]]:
    """Yield the rows of a system in slices of at most `most`, each once, in a fixed order."""
    at = table_schema(table).partition.index("system_id")
    held: list[Piece] = []
    room = most
    for partition, path, rows in sorted(snapshot.files_with_rows(table)):
        if partition[at] != system_id:
            continue
        offset = 0
        while offset < rows:
            taken = min(room, rows - offset)
            held.append(Piece(path, partition, offset, taken))
            offset, room = offset + taken, room - taken
            if not room:
                yield tuple(held)
                held, room = [], most
    if held:
        yield tuple(held)


def scan_pieces(snapshot: Snapshot, table: str, pieces: Sequence[Piece]) -> pl.LazyFrame:
    """Return the rows of some pieces lazily, columns in schema order."""
    schema = table_schema(table)
    if not pieces:
        return schema.empty().lazy()
    return pl.concat([_scan(snapshot, schema, piece) for piece in pieces])


def _scan(snapshot: Snapshot, schema: TableSchema, piece: Piece) -> pl.LazyFrame:
    path = snapshot.root / schema.name / unquote(piece.path)
    rows = pl.scan_parquet(path, glob=False).slice(piece.offset, piece.rows)
    held = rows.collect_schema()
    # Partition columns stand in the file's path; a file older than a column lacks it.
    made = dict(zip(schema.partition, piece.partition, strict=True))
    return rows.with_columns(
        pl.lit(made.get(name), dtype=dtype).alias(name)
        for name, dtype in schema.columns.items()
        if name not in held
    ).select(list(schema.columns))
