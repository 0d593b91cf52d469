"""What a commit refuses.  In: rows for one partition.  Out: rows in schema form, or an error."""

from __future__ import annotations

from urllib.parse import quote

import polars as pl

from finassay.errors import KeyClashError, SchemaError, UsageError
from finassay.study.schemas import Block, TableSchema

LONGEST_FOLDER = 255


def block_values(value: object) -> tuple[object, ...]:
    """Return the values that a block gives to a partition column: one, or several."""
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def check_partition(schema: TableSchema, partition: Block) -> None:
    """Check that a partition, or a block of partitions, is named completely.

    Raises:
        UsageError: a column is missing or too many, or a value is not text, is empty or too long.
    """
    if set(partition) != set(schema.partition):
        raise UsageError(
            f"a partition of {schema.name!r} is named by {schema.partition}, got "
            f"{tuple(partition)}; give exactly these columns"
        )
    for name, given in partition.items():
        # The caller may come from untyped code, or from a frame.
        for value in block_values(given) or ("",):
            _check_value(schema, name, value)


def _check_value(schema: TableSchema, name: str, value: object) -> None:
    if not isinstance(value, str) or not value:
        raise UsageError(
            f"partition column {name!r} of {schema.name!r} must be text that is not empty, "
            f"got {value!r}; give every row one"
        )
    # Each value names a folder, percent-encoded; file systems take 255 bytes.
    if len(f"{name}={quote(value, safe='')}") > LONGEST_FOLDER:
        raise UsageError(
            f"partition column {name!r} of {schema.name!r} must fit the name of a folder "
            f"({LONGEST_FOLDER} bytes, percent-encoded), got {len(value)} characters: "
            f"{value!r}; give it a shorter name"
        )


def _is_nullish(found: pl.DataType, expected: pl.DataType) -> bool:
    """Whether nulls alone, or lists of nothing else, were found: they fit any type."""
    nothing: list[pl.DataType] = [pl.Null()]
    if isinstance(expected, pl.List):
        nothing.append(pl.List(pl.Null()))
    return found in nothing


def conform(schema: TableSchema, rows: pl.LazyFrame) -> pl.LazyFrame:
    """Return the rows with columns in schema order; columns of nulls alone take their type.

    Raises:
        SchemaError: a column is missing, unknown, or of another type.
    """
    found = rows.collect_schema()
    unknown = [name for name in found if name not in schema.columns]
    if unknown:
        raise SchemaError(
            f"table {schema.name!r} has no column {unknown[0]!r}; expected {list(schema.columns)}, "
            f"got {list(found)}; drop or rename it"
        )
    casts = []
    for name, expected in schema.columns.items():
        if name not in found:
            raise SchemaError(
                f"table {schema.name!r}: column {name!r} is missing; expected {expected}, got "
                f"columns {list(found)}; add it (nulls will do where it is optional)"
            )
        if _is_nullish(found[name], expected):
            casts.append(pl.col(name).cast(expected))
        elif found[name] != expected:
            raise SchemaError(
                f"table {schema.name!r}: column {name!r} has another type; expected {expected}, "
                f"got {found[name]}; cast it before committing"
            )
    return rows.with_columns(casts).select(list(schema.columns))


def check_rows(schema: TableSchema, rows: pl.LazyFrame) -> None:
    """Check nulls and the table's rules on every row.

    Raises:
        SchemaError: a value is missing or outside what the table allows; names column and key.
    """
    rules = [
        (name, "a value", pl.col(name).is_not_null())
        for name in dict.fromkeys((*schema.key, *schema.partition, *schema.required))
    ]
    rules += [(rule.column, rule.expected, rule.holds) for rule in schema.constraints]
    broken = (
        rows.select(
            pl.col(list(schema.key)),
            pl.struct(list(schema.columns)).alias("_row"),
            pl.concat_list([~holds.fill_null(value=False) for _, _, holds in rules]).alias("_bad"),
        )
        .filter(pl.col("_bad").list.any())
        .head(1)
        .collect(engine="streaming")
    )
    if broken.height:
        row = broken.row(0, named=True)
        column, expected, _ = rules[row["_bad"].index(True)]
        where = {name: row[name] for name in schema.key}
        raise SchemaError(
            f"table {schema.name!r}: column {column!r} must hold {expected}, got "
            f"{row['_row'][column]!r} in the row {where}; correct the row before committing"
        )


def check_keys(schema: TableSchema, rows: pl.LazyFrame) -> None:
    """Check that no two rows stand under one key.

    Raises:
        KeyClashError: two do; names the key.
    """
    twice = duplicated_keys(schema, rows)
    if twice.height:
        raise KeyClashError(
            f"table {schema.name!r}: {twice.height} keys stand on more than one row, the first "
            f"being {twice.row(0, named=True)}; expected one row for each {schema.key}; number "
            f"repeats as trials or repeats, or remove the duplicates"
        )


def duplicated_keys(schema: TableSchema, rows: pl.LazyFrame) -> pl.DataFrame:
    """Return the keys that stand on more than one row, sorted."""
    return (
        rows.group_by(list(schema.key))
        .agg(pl.len().alias("_n"))
        .filter(pl.col("_n") > 1)
        .select(list(schema.key))
        .sort(list(schema.key))
        .collect()
    )


def check_in_partition(schema: TableSchema, rows: pl.LazyFrame, partition: Block) -> None:
    """Check that every row belongs to the partition, or to one of the block.

    Raises:
        SchemaError: a row has another value in a partition column.
    """
    for name, given in partition.items():
        values = list(block_values(given))
        strays = rows.filter(~pl.col(name).is_in(values)).select(name).head(1)
        other = strays.collect(engine="streaming")
        if other.height:
            raise SchemaError(
                f"table {schema.name!r}: column {name!r} must equal the partition's "
                f"{' or '.join(map(repr, values))}, got {other.item()!r}; commit each partition by "
                f"itself"
            )


def check_all(schema: TableSchema, rows: pl.LazyFrame, partition: Block) -> None:
    """Check rules, partition and keys of rows that `conform` put in schema form.

    Raises:
        SchemaError: a value is missing, not allowed, or belongs to another partition.
        KeyClashError: two rows stand under one key.
    """
    check_rows(schema, rows)
    check_in_partition(schema, rows, partition)
    check_keys(schema, rows)
