"""The tables of a study.  In: nothing.  Out: columns, types, keys, partitions and rules by name.

Everything that is written passes through these declarations, and everything that checks, digests
or redacts reads them, so that a column is described in one place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from finassay.errors import UnknownNameError
from finassay.records import FINISHES, STATUSES, SYSTEM_KINDS

SCHEMA_VERSION = 1
"""Version of the layout that this code writes; see `migrations` for the way from older ones."""

REDACTED = "redacted"
"""Flag of a row whose text was masked, so that its digests no longer follow from its text."""

WINNERS = ("left", "right", "tie")

Block = Mapping[str, str | Sequence[str]]
"""A value, or several, for each partition column: one partition, or all their combinations."""

_TEXT, _INT, _REAL = pl.String(), pl.Int64(), pl.Float64()
_TEXTS = pl.List(pl.String())
_PAIRS = pl.List(pl.Struct({"key": pl.String(), "value": pl.String()}))


@dataclass(frozen=True, slots=True)
class Constraint:
    """A rule that every row of a table satisfies; `holds` is true exactly where it does."""

    column: str
    expected: str
    holds: pl.Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSchema:
    """One table of a study.

    Attributes:
        columns: polars types by column name, in the order in which they are stored and digested.
        key: columns that together name one row; never null.
        partition: columns whose values name the unit of commit; never null or empty.
        volatile: columns left out of the canonical digest (times, costs, run names).
        text_columns: columns that hold people's or models' words, which redaction may mask.
        required: columns beyond the key that are never null.
        constraints: rules on the values of a row.
    """

    name: str
    columns: Mapping[str, pl.DataType]
    key: tuple[str, ...]
    partition: tuple[str, ...]
    volatile: tuple[str, ...] = ()
    text_columns: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = field(default=(), repr=False)

    @property
    def digested(self) -> tuple[str, ...]:
        """Columns that enter the canonical digest, in schema order."""
        return tuple(name for name in self.columns if name not in self.volatile)

    @property
    def polars_schema(self) -> pl.Schema:
        """The schema as polars writes it."""
        return pl.Schema(dict(self.columns))

    def empty(self) -> pl.DataFrame:
        """Return a frame with all columns and no rows."""
        return pl.DataFrame(schema=self.polars_schema)

    def complete(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the frame with missing optional columns as nulls, in schema order.

        Columns of the key and required ones are not made up: they stay missing, and a commit
        refuses the frame.
        """
        made = [
            pl.lit(None, dtype=dtype).alias(name)
            for name, dtype in self.columns.items()
            if name not in frame.columns and name not in (*self.key, *self.required)
        ]
        grown = frame.with_columns(made)
        known = [name for name in self.columns if name in grown.columns]
        return grown.select(*known, *[name for name in grown.columns if name not in self.columns])


def _one_of(column: str, allowed: tuple[str, ...]) -> Constraint:
    return Constraint(column, f"one of {allowed}", pl.col(column).is_in(list(allowed)))


def _no_less_than_zero(column: str) -> Constraint:
    return Constraint(column, "0 or more", pl.col(column).is_null() | pl.col(column).ge(0))


_VALUE_RULES = (
    _one_of("status", STATUSES),
    Constraint(
        "value",
        "a value exactly where status is 'scored'",
        pl.col("value").is_not_null() == pl.col("status").eq("scored"),
    ),
    Constraint(
        "value",
        "a fraction in [0, 1]",
        pl.col("value").is_null() | (pl.col("value").is_between(0.0, 1.0)),
    ),
    _no_less_than_zero("repeat"),
    _no_less_than_zero("revision"),
)

_COMPARISON_RULES = (
    _one_of("status", STATUSES),
    Constraint(
        "winner",
        f"one of {WINNERS} exactly where status is 'scored'",
        pl.col("winner").is_in(list(WINNERS)).fill_null(value=False)
        == pl.col("status").eq("scored"),
    ),
    _no_less_than_zero("repeat"),
)

ITEMS = TableSchema(
    name="items",
    columns={
        "benchmark": _TEXT,
        "item_id": _TEXT,
        "family": _TEXT,
        "task": _TEXT,
        "difficulty": _TEXT,
        "language": _TEXT,
        "split": _TEXT,
        "question": _TEXT,
        "context": _TEXT,
        "contexts": _TEXTS,
        "reference": _TEXT,
        "alternatives": _TEXTS,
        "choices": _TEXTS,
        "contract_id": _TEXT,
        "contract_type": _TEXT,
        "contract_unit": _TEXT,
        "contract_scale": _TEXT,
        "contract_decimals": _INT,
        "contract_comparator": _TEXT,
        "contract_percent": _TEXT,
        "documents": _TEXTS,
        "strata": _PAIRS,
        "erratum_old_reference": _TEXT,
        "erratum_by": _TEXT,
        "erratum_reason": _TEXT,
        "item_digest": _TEXT,
        "flags": _TEXTS,
    },
    key=("benchmark", "item_id"),
    partition=("benchmark",),
    text_columns=(
        "question",
        "context",
        "contexts",
        "reference",
        "alternatives",
        "choices",
        "erratum_old_reference",
        "erratum_reason",
    ),
    required=("question", "context", "item_digest"),
)

SYSTEMS = TableSchema(
    name="systems",
    columns={
        "system_id": _TEXT,
        "name": _TEXT,
        "kind": _TEXT,
        "model": _TEXT,
        "provider": _TEXT,
        "decoding": _PAIRS,
        "budget": _TEXT,
        "stop": _TEXTS,
        "prompt_arm": _TEXT,
        "prompt_hash": _TEXT,
        "few_shot": _TEXTS,
        "model_family": _TEXT,
    },
    key=("system_id",),
    partition=("system_id",),
    required=("name", "kind"),
    constraints=(_one_of("kind", SYSTEM_KINDS),),
)

RUNS = TableSchema(
    name="runs",
    columns={
        "run_id": _TEXT,
        "system_id": _TEXT,
        "started": _TEXT,
        "ended": _TEXT,
        "retries": _INT,
        "served_model": _TEXT,
        "packages": _PAIRS,
        "environment": _TEXT,
        "prediction_digest": _TEXT,
    },
    key=("run_id",),
    partition=("run_id",),
    volatile=("run_id", "started", "ended", "retries"),
    text_columns=("environment",),
    required=("system_id",),
)

PREDICTIONS = TableSchema(
    name="predictions",
    columns={
        "item_id": _TEXT,
        "system_id": _TEXT,
        "trial": _INT,
        "prediction_id": _TEXT,
        "text": _TEXT,
        "text_digest": _TEXT,
        "reasoning": _TEXT,
        "finish": _TEXT,
        "tool_extracted": _TEXT,
        "tokens_in": _INT,
        "tokens_out": _INT,
        "latency_s": _REAL,
        "cost_usd": _REAL,
        "run_id": _TEXT,
        "flags": _TEXTS,
    },
    key=("item_id", "system_id", "trial"),
    partition=("system_id", "run_id"),
    volatile=("latency_s", "cost_usd", "run_id"),
    text_columns=("text", "reasoning", "tool_extracted"),
    required=("prediction_id", "text", "text_digest", "finish", "run_id"),
    constraints=(_one_of("finish", FINISHES), _no_less_than_zero("trial")),
)

VERDICTS = TableSchema(
    name="verdicts",
    columns={
        "item_id": _TEXT,
        "system_id": _TEXT,
        "trial": _INT,
        "scorer_id": _TEXT,
        "scorer_version": _TEXT,
        "repeat": _INT,
        "status": _TEXT,
        "value": _REAL,
        "label": _TEXT,
        "extracted": _TEXT,
        "flags": _TEXTS,
        "reason": _TEXT,
        "evidence_id": _TEXT,
        "revision": _INT,
        "text_digest": _TEXT,
        "item_digest": _TEXT,
    },
    key=("item_id", "system_id", "trial", "scorer_id", "scorer_version", "repeat"),
    partition=("scorer_id", "scorer_version", "system_id"),
    text_columns=("extracted", "reason"),
    required=("status", "revision"),
    constraints=_VALUE_RULES,
)

COMPARISONS = TableSchema(
    name="comparisons",
    columns={
        "item_id": _TEXT,
        "left_system_id": _TEXT,
        "left_trial": _INT,
        "right_system_id": _TEXT,
        "right_trial": _INT,
        "scorer_id": _TEXT,
        "scorer_version": _TEXT,
        "order": _TEXT,
        "repeat": _INT,
        "winner": _TEXT,
        "status": _TEXT,
        "flags": _TEXTS,
        "reason": _TEXT,
        "evidence_id": _TEXT,
        "left_text_digest": _TEXT,
        "right_text_digest": _TEXT,
        "item_digest": _TEXT,
    },
    key=(
        "item_id",
        "left_system_id",
        "left_trial",
        "right_system_id",
        "right_trial",
        "scorer_id",
        "scorer_version",
        "order",
        "repeat",
    ),
    partition=("scorer_id", "scorer_version"),
    text_columns=("reason",),
    required=("status",),
    constraints=_COMPARISON_RULES,
)

REPORTED = TableSchema(
    name="reported",
    columns={
        "source": _TEXT,
        "table": _TEXT,
        "row": _TEXT,
        "column": _TEXT,
        "value": _REAL,
        "printed": _TEXT,
        "unit": _TEXT,
        "n": _INT,
        "note": _TEXT,
    },
    key=("source", "table", "row", "column"),
    partition=("source",),
    text_columns=("note",),
    required=("value", "unit"),
)

SCORERS = TableSchema(
    name="scorers",
    columns={
        "scorer_id": _TEXT,
        "scorer_version": _TEXT,
        "name": _TEXT,
        "spec": _TEXT,
        "package_version": _TEXT,
    },
    key=("scorer_id", "scorer_version"),
    partition=("scorer_id",),
    required=("name", "spec"),
)

TABLES: Mapping[str, TableSchema] = {
    table.name: table
    for table in (
        ITEMS,
        SYSTEMS,
        RUNS,
        PREDICTIONS,
        VERDICTS,
        COMPARISONS,
        REPORTED,
        SCORERS,
    )
}


def table_schema(name: str) -> TableSchema:
    """Return the schema of one table.

    Raises:
        UnknownNameError: there is no table of that name.
    """
    if name not in TABLES:
        raise UnknownNameError(
            f"a study has no table {name!r}; expected one of {', '.join(TABLES)}"
        )
    return TABLES[name]
