"""Canonical digests of tables.  In: rows in any order and layout.  Out: one SHA-256.

The digest of a table is defined so that anybody can compute it again:

1. Leave out the volatile columns of the table (`TableSchema.volatile`).
2. Write each row as the concatenation of its cells in schema order, a cell being

   - null: ``~``
   - text: ``s``, its length in UTF-8 bytes, ``:``, the text
   - integer: ``i``, the decimal digits (with ``-`` before a negative number), ``;``
   - real: ``f``, its IEEE 754 binary64 bits read as an unsigned decimal integer, ``;``
   - truth: ``b1`` or ``b0``
   - list: ``l``, its length, ``:``, its cells
   - struct: ``r``, its fields in order (a null struct is ``~``)

3. Take the SHA-256 of each row in UTF-8, as 32 bytes.
4. Sort these 32-byte strings, keeping duplicates; concatenate; take the SHA-256 in hexadecimal.

Lengths stand before contents, so no two different rows are written alike; null and "" differ.
Row order, chunking, files and compression do not enter.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import polars as pl
from polars.datatypes import DataType, DataTypeClass

from finassay.study.schemas import TableSchema
from finassay.study.sorted_rows import SortedRows

PolarsDataType = DataType | DataTypeClass

BATCH_ROWS = 50_000
"""Rows held as text at a time while digesting."""


def _unnulled(cell: pl.Expr, dtype: PolarsDataType) -> pl.Expr:
    if isinstance(dtype, pl.String):
        return pl.concat_str(pl.lit("s"), cell.str.len_bytes().cast(pl.String), pl.lit(":"), cell)
    if isinstance(dtype, pl.Float64):
        bits = cell.reinterpret(dtype=pl.UInt64)
        return pl.concat_str(pl.lit("f"), bits.cast(pl.String), pl.lit(";"))
    if isinstance(dtype, pl.Boolean):
        return pl.when(cell).then(pl.lit("b1")).otherwise(pl.lit("b0"))
    if isinstance(dtype, pl.List):
        cells = cell.list.eval(_cell(pl.element(), dtype.inner)).list.join("")
        return pl.concat_str(pl.lit("l"), cell.list.len().cast(pl.String), pl.lit(":"), cells)
    if isinstance(dtype, pl.Struct):
        parts = [_cell(cell.struct.field(f.name), f.dtype) for f in dtype.fields]
        return pl.concat_str(pl.lit("r"), *parts)
    return pl.concat_str(pl.lit("i"), cell.cast(pl.String), pl.lit(";"))


def _cell(cell: pl.Expr, dtype: PolarsDataType) -> pl.Expr:
    return pl.when(cell.is_null()).then(pl.lit("~")).otherwise(_unnulled(cell, dtype))


def row_text(schema: TableSchema) -> pl.Expr:
    """Return the expression that writes one row of a table as its canonical text."""
    cells = [_cell(pl.col(name), schema.columns[name]) for name in schema.digested]
    return pl.concat_str(cells).alias("row")


def row_digests(frame: pl.DataFrame | pl.LazyFrame, schema: TableSchema) -> Iterator[bytes]:
    """Yield the 32-byte SHA-256 of rows, those of a batch joined, in no particular order."""
    rows = frame.lazy().select(row_text(schema))
    sha256 = hashlib.sha256
    for batch in rows.collect_batches(chunk_size=BATCH_ROWS, maintain_order=False):
        yield b"".join([sha256(text.encode()).digest() for text in batch.to_series().to_list()])


def table_digest(frame: pl.DataFrame | pl.LazyFrame, schema: TableSchema) -> str:
    """Return the canonical digest of the rows: 64 hexadecimal digits.

    An empty table has the SHA-256 of nothing.  Memory is bounded: see `sorted_rows`.
    """
    with SortedRows() as found:
        for rows in row_digests(frame, schema):
            found.add(rows)
        return found.hexdigest()
