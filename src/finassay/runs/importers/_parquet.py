"""Parquet.  In: a path.  Out: rows of strings, as the columns print them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
from polars.exceptions import PanicException, PolarsError

from finassay.errors import InputError
from finassay.runs.importers._rows import Row, Value

_CHUNK_ROWS = 5_000
_DAMAGED = (PolarsError, PanicException, OSError)
_NO_CAST = (pl.Duration, pl.Object)
"""Types that polars does not turn into text: their values are written as Python prints them."""


def parquet_rows(path: Path, *, file: str) -> Iterator[Row]:
    """Yield a row for each record; numbers are written in their shortest form.

    Raises:
        InputError: the file is not Parquet, is damaged, or holds binary columns.
    """
    try:
        lazy = pl.scan_parquet(path, glob=False)
        schema = lazy.collect_schema()
    except _DAMAGED as error:
        raise InputError(
            f"{path}: cannot be read as Parquet: {error}"
            "; name a Parquet file that is whole, or say what it is with `finassay import --format`"
        ) from error
    binary = [name for name, dtype in schema.items() if dtype == pl.Binary]
    if binary:
        raise InputError(f"{path}: columns must hold text or numbers, got bytes in {binary!r}")
    flat = [
        name
        for name, dtype in schema.items()
        if not (dtype.is_nested() or isinstance(dtype, _NO_CAST))
    ]
    as_text = lazy.with_columns(pl.col(flat).cast(pl.String))
    for number, values in enumerate(_records(as_text, path), start=1):
        yield Row(file, number, {name: _value(value) for name, value in values.items()})


def _records(lazy: pl.LazyFrame, path: Path) -> Iterator[dict[str, object]]:
    try:
        for frame in lazy.collect_batches(chunk_size=_CHUNK_ROWS):
            yield from frame.iter_rows(named=True)
    except _DAMAGED as error:
        raise InputError(
            f"{path}: the Parquet file is damaged: {error}; fetch the file again"
        ) from error


def _value(value: object) -> Value:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return [str(item) for item in value]
    if not isinstance(value, list | dict):
        return str(value)
    return json.dumps(value, ensure_ascii=False, default=str)
