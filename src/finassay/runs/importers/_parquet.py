"""Parquet.  In: a path.  Out: rows of strings, as the columns print them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
from polars.exceptions import PolarsError

from finassay.errors import InputError
from finassay.runs.importers._rows import Row, Value

_CHUNK_ROWS = 5_000


def parquet_rows(path: Path, *, file: str) -> Iterator[Row]:
    """Yield a row for each record; numbers are written in their shortest form.

    Raises:
        InputError: the file is not Parquet, or holds binary columns.
    """
    try:
        lazy = pl.scan_parquet(path, glob=False)
        schema = lazy.collect_schema()
    except (PolarsError, OSError) as error:
        raise InputError(f"{path}: cannot be read as Parquet: {error}") from error
    binary = [name for name, dtype in schema.items() if dtype == pl.Binary]
    if binary:
        raise InputError(f"{path}: columns must hold text or numbers, got bytes in {binary!r}")
    flat = [name for name, dtype in schema.items() if not dtype.is_nested()]
    number = 0
    for frame in lazy.with_columns(pl.col(flat).cast(pl.String)).collect_batches(
        chunk_size=_CHUNK_ROWS
    ):
        for values in frame.iter_rows(named=True):
            number += 1
            yield Row(file, number, {name: _value(value) for name, value in values.items()})


def _value(value: object) -> Value:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return [str(item) for item in value]
    return json.dumps(value, ensure_ascii=False, default=str)
