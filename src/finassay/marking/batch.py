"""Predictions beside what they are marked against.  In: frames or mappings.  Out: a `Batch`.

A batch holds one row per prediction with the columns that scorers may read.  Records are built
only for rows that a rule has to read one by one; whole columns serve the vectorised rules.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias, cast

import polars as pl

from finassay.errors import UsageError
from finassay.marking.single import as_text, fate_of
from finassay.records import FINISHES, AnswerContract, Finish, Item, Prediction

_TEXTS = pl.List(pl.String())

INPUT_SCHEMA = pl.Schema(
    {
        "reference": pl.String(),
        "text": pl.String(),
        "question": pl.String(),
        "task": pl.String(),
        "context": pl.String(),
        "contexts": _TEXTS,
        "choices": _TEXTS,
        "alternatives": _TEXTS,
        "finish": pl.String(),
        "contract_type": pl.String(),
        "contract_unit": pl.String(),
        "contract_scale": pl.String(),
        "contract_decimals": pl.Int64(),
        "contract_comparator": pl.String(),
        "contract_percent": pl.String(),
        "contract_id": pl.String(),
    }
)
"""What a scorer may read of an item and a reply."""

_DEFAULTS: Mapping[str, object] = {
    "text": "",
    "question": "",
    "task": "",
    "context": "",
    "contexts": [],
    "choices": [],
    "alternatives": [],
    "finish": "not_logged",
    "contract_id": "",
}

ROW_KEYS = (
    "reference",
    "reply",
    "question",
    "choices",
    "context",
    "task",
    "contract",
    "alternatives",
    "finish",
)
"""Keys of a mapping given to `mark_many`; `reply` is the prediction's text."""

Row: TypeAlias = Mapping[str, "str | Sequence[str] | AnswerContract | None"]


class Batch:
    """Rows to be marked, as columns.

    Attributes:
        frame: columns of `INPUT_SCHEMA`; `reference` may be null, the others are not (contract
            columns apart).
    """

    def __init__(self, frame: pl.DataFrame) -> None:
        missing = [name for name in ("reference", "text") if name not in frame.columns]
        if missing:
            raise UsageError(
                f"rows to be marked need the columns reference and text, {missing} missing; "
                f"got {frame.columns}"
                "; add or rename the columns"
            )
        made = [
            pl.lit(_DEFAULTS.get(name), dtype=dtype).alias(name)
            for name, dtype in INPUT_SCHEMA.items()
            if name not in frame.columns
        ]
        self.frame = (
            frame.with_columns(made)
            .select(pl.col(name).cast(dtype) for name, dtype in INPUT_SCHEMA.items())
            .with_columns(
                pl.col(name).fill_null(pl.lit(value, dtype=INPUT_SCHEMA[name]))
                for name, value in _DEFAULTS.items()
            )
            .rechunk()
        )

    @classmethod
    def from_rows(cls, rows: Iterable[Row] | pl.DataFrame) -> Batch:
        """Return the batch of mappings with the keys of `ROW_KEYS`, or of a frame with them.

        Raises:
            UsageError: a row lacks `reference` or `reply`, has an unknown key, or a value of the
                wrong kind.
        """
        if isinstance(rows, pl.DataFrame):
            return cls(_checked(rows))
        listed = [_input_row(number, row) for number, row in enumerate(rows)]
        return cls(pl.DataFrame(listed, schema=INPUT_SCHEMA, orient="row"))

    def __len__(self) -> int:
        return self.frame.height

    @cached_property
    def distinct(self) -> tuple[list[int], list[int]]:
        """Rows that differ from all before them, and for every row the number of its like."""
        seen: dict[Hashable, int] = {}
        firsts: list[int] = []
        like: list[int] = []
        for number, row in enumerate(self.frame.iter_rows()):
            key = tuple(tuple(cell) if isinstance(cell, list) else cell for cell in row)
            at = seen.setdefault(key, len(seen))
            if at == len(firsts):
                firsts.append(number)
            like.append(at)
        return firsts, like

    def records(self, rows: Sequence[int]) -> Iterator[tuple[Item, Prediction]]:
        """Yield the item and the prediction of each of these rows."""
        for row in self.frame[list(rows)].iter_rows(named=True):
            item = Item(
                item_id="",
                task=row["task"],
                question=row["question"],
                context=row["context"],
                contexts=tuple(row["contexts"]),
                reference=row["reference"],
                alternatives=tuple(row["alternatives"]),
                choices=tuple(row["choices"]),
                contract_id=row["contract_id"],
                contract=AnswerContract(
                    type=row["contract_type"],
                    unit=row["contract_unit"],
                    scale=row["contract_scale"],
                    decimals=row["contract_decimals"],
                    comparator=row["contract_comparator"],
                    percent=row["contract_percent"],
                ),
            )
            yield item, Prediction(text=row["text"], finish=cast("Finish", row["finish"]))


def _checked(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a caller's frame under our names, refused where a mapping would be."""
    named = frame.rename({"reply": "text"}) if "reply" in frame.columns else frame
    unknown = [name for name in named.columns if name not in INPUT_SCHEMA]
    if unknown:
        raise UsageError(
            f"a frame of rows to mark has the unknown column {unknown[0]!r}; expected reference, "
            f"reply and some of {', '.join(name for name in INPUT_SCHEMA if name != 'text')}"
        )
    if "finish" in named.columns:
        odd = named.filter(~pl.col("finish").is_in(list(FINISHES)))["finish"].to_list()
        if odd:
            raise UsageError(f"`finish` must be one of {', '.join(FINISHES)}, got {odd[0]!r}")
    return named


def _input_row(number: int, row: Row) -> tuple[object, ...]:
    unknown = sorted(set(row) - set(ROW_KEYS))
    if unknown or "reference" not in row or "reply" not in row:
        raise UsageError(
            f"row {number}: expected the keys reference and reply, and optionally "
            f"{', '.join(ROW_KEYS[2:])}; got {', '.join(sorted(row))}"
        )
    read = _contract(number, row.get("contract"))
    reply = _clean(row["reply"]) or ""
    return (
        _clean(row["reference"]),
        reply,
        _clean(row.get("question")),
        _clean(row.get("task")),
        _clean(row.get("context")),
        [],
        _texts(number, row, "choices"),
        _texts(number, row, "alternatives"),
        _finish(number, row.get("finish"), reply),
        read.type,
        read.unit,
        read.scale,
        read.decimals,
        read.comparator,
        read.percent,
        "",
    )


def _clean(value: object) -> str | None:
    return None if value is None else as_text(str(value))


def _texts(number: int, row: Row, key: str) -> list[str | None]:
    value = row.get(key)
    if value is None:
        return []
    if not isinstance(value, (list, tuple)):
        raise UsageError(
            f"row {number}: `{key}` must be a list of texts, got {value!r}; put a single one in "
            f"a list"
        )
    return [_clean(part) for part in value]


def _contract(number: int, value: object) -> AnswerContract:
    if value is None:
        return AnswerContract()
    if not isinstance(value, AnswerContract):
        raise UsageError(
            f"row {number}: `contract` must be an AnswerContract, got {value!r}; build one with "
            f"finassay.AnswerContract(...)"
        )
    return value


def _finish(number: int, value: object, reply: str) -> str:
    if value is None:
        return fate_of(reply)
    if value not in FINISHES:
        raise UsageError(
            f"row {number}: `finish` must be one of {', '.join(FINISHES)}, got {value!r}"
        )
    return str(value)
