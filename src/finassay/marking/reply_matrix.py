"""Replies as labelled arrays.  In: a snapshot.  Out: lengths and keys of replies, no texts.

What an audit of provenance asks of replies (are they cut, empty, errors, the same) needs no text,
so it works on arrays as small as those of verdicts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from finassay.errors import MarkingError
from finassay.records import QUESTION_CUT_AT, REFERENCE_CUT_AT
from finassay.study.schemas import REDACTED
from finassay.study.snapshot import Snapshot

ERROR_LIKE = (
    r"(?i)^\s*(?:(?:FAIL(?:ED|URE)?|ERROR|EXCEPTION)\b\s*[:\-]|HTTP(?:/\d\S*)?\s+[45]\d\d\b|"
    r"Traceback \(most recent call last\)|error code:\s*[45]\d\d\b|<!DOCTYPE html|"
    r"(?:rate limit|quota) exceeded\b)"
)
"""How a failed call reads when it was logged as if it were the reply."""

KEY_CHARACTERS = 80
"""Characters of a reply that its key is made of: copies that were cut at other lengths agree."""

ABSENT_LENGTH = -1
"""Length of a reply that is not there."""

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReplyMatrix:
    """What is known of replies without their texts, as items x systems.

    Attributes:
        items: R item ids.
        systems: C display names.
        lengths: (R, C) characters; `ABSENT_LENGTH` where there is no reply.
        keys: (R, C) uint64, equal where the first 80 characters are, whatever case and white
            space; 0 where there is no reply or an empty one.
        whole_keys: (R, C) the same over whole replies.
        empty: (R, C) whether the reply is there and blank.
        error: (R, C) whether it reads like a failed call.
        open_ended: (R, C) whether it ends in a letter or a comma, as a cut text may.
        reference_cut_at: (R, C) length of the log's copy of the reference; 0 where it is not cut.
        question_cut_at: (R, C) the same of the question.
        sources: C names of what each system's replies came from.

    Raises:
        MarkingError: an array has another shape.
    """

    items: tuple[str, ...]
    systems: tuple[str, ...]
    lengths: Ints
    keys: NDArray[np.uint64]
    whole_keys: NDArray[np.uint64]
    empty: Bools
    error: Bools
    open_ended: Bools
    reference_cut_at: Ints
    question_cut_at: Ints
    sources: tuple[str, ...]

    def __post_init__(self) -> None:
        shape = (len(self.items), len(self.systems))
        for name in (*_ARRAYS, "lengths"):
            if getattr(self, name).shape != shape:
                raise MarkingError(
                    f"`{name}` must be {shape[0]} items x {shape[1]} systems, got shape "
                    f"{getattr(self, name).shape}"
                )

    @property
    def present(self) -> Bools:
        """(R, C) whether there is a reply, be it empty."""
        return np.asarray(self.lengths != ABSENT_LENGTH)

    def select(self, systems: Sequence[str]) -> ReplyMatrix:
        """Return the named systems, in the order given."""
        at = [self.systems.index(name) for name in systems]
        arrays = {name: getattr(self, name)[:, at] for name in (*_ARRAYS, "lengths")}
        return ReplyMatrix(
            items=self.items,
            systems=tuple(systems),
            sources=tuple(self.sources[j] for j in at),
            **arrays,
        )


_ARRAYS = (
    "keys",
    "whole_keys",
    "empty",
    "error",
    "open_ended",
    "reference_cut_at",
    "question_cut_at",
)


def reply_matrix(snapshot: Snapshot, items: Sequence[str], *, trial: int = 0) -> ReplyMatrix:
    """Return the replies of a study as items x systems (display names, sorted).

    Replies that were redacted count as not there: nothing is known of their text.

    Args:
        snapshot: pinned tables.
        items: item ids, in the order of the rows.
        trial: the trial to look at.
    """
    names = {spec.system_id: spec.name for spec in snapshot.systems()}
    rows = (
        snapshot.scan("predictions")
        .filter(pl.col("trial").eq(trial), ~_flagged(REDACTED))
        .select("item_id", "system_id", "run_id", *_facts())
        .collect()
    )
    present = set(rows["system_id"].unique().to_list())
    systems = sorted((name, system_id) for system_id, name in names.items() if system_id in present)
    at_item = {item: i for i, item in enumerate(items)}
    at_system = {system_id: j for j, (_, system_id) in enumerate(systems)}
    rows = rows.filter(pl.col("item_id").is_in(list(at_item)))
    place = (
        np.array([at_item[item] for item in rows["item_id"]], dtype=np.intp),
        np.array([at_system[system] for system in rows["system_id"]], dtype=np.intp),
    )
    return ReplyMatrix(
        items=tuple(items),
        systems=tuple(name for name, _ in systems),
        sources=_sources(snapshot, [system_id for _, system_id in systems], rows),
        **_laid(rows, place, (len(items), len(systems))),
    )


def replies_from(
    systems: Sequence[str],
    items: Sequence[str],
    text_of: Callable[[str, str], str | None],
) -> ReplyMatrix:
    """Return replies that are at hand as texts, as `reply_matrix` would.

    Args:
        systems: display names.
        items: item ids.
        text_of: (system, item id) -> reply; None where there is none.
    """
    cells = [
        (i, j, text)
        for i, item in enumerate(items)
        for j, system in enumerate(systems)
        if (text := text_of(system, item)) is not None
    ]
    flags = pl.Series("flags", [[]] * len(cells), dtype=pl.List(pl.String))
    frame = pl.DataFrame({"text": pl.Series([text for _, _, text in cells], dtype=pl.String)})
    rows = frame.with_columns(flags).select(_facts())
    place = (
        np.array([i for i, _, _ in cells], dtype=np.intp),
        np.array([j for _, j, _ in cells], dtype=np.intp),
    )
    return ReplyMatrix(
        items=tuple(items),
        systems=tuple(systems),
        sources=tuple(systems),
        **_laid(rows, place, (len(items), len(systems))),
    )


def _facts() -> list[pl.Expr]:
    text = pl.col("text")
    plain = text.str.to_lowercase().str.replace_all(r"\s+", " ").str.strip_chars()
    blank = plain.eq("")
    return [
        text.str.len_chars().cast(pl.Int64).alias("lengths"),
        _key(plain.str.head(KEY_CHARACTERS), blank).alias("keys"),
        _key(plain, blank).alias("whole_keys"),
        blank.alias("empty"),
        text.str.contains(ERROR_LIKE).alias("error"),
        text.str.contains(r"[\p{L},]\s*$").alias("open_ended"),
        _cut_at(REFERENCE_CUT_AT).alias("reference_cut_at"),
        _cut_at(QUESTION_CUT_AT).alias("question_cut_at"),
    ]


def _key(text: pl.Expr, blank: pl.Expr) -> pl.Expr:
    return pl.when(blank).then(pl.lit(0, dtype=pl.UInt64)).otherwise(text.hash(seed=0))


def _flagged(flag: str) -> pl.Expr:
    return pl.col("flags").list.contains(flag).fill_null(value=False)


def _cut_at(prefix: str) -> pl.Expr:
    joined = pl.lit(" ") + pl.col("flags").list.join(" ").fill_null("")
    found = joined.str.extract(rf" {prefix}(\d+)")
    return found.cast(pl.Int64).fill_null(0)


def _laid(
    rows: pl.DataFrame, place: tuple[NDArray[np.intp], NDArray[np.intp]], shape: tuple[int, int]
) -> dict[str, NDArray[Any]]:
    """Return every fact as an array of this shape, with nothing where there is no reply."""
    out: dict[str, NDArray[Any]] = {}
    for name in (*_ARRAYS, "lengths"):
        values = rows[name].to_numpy()
        array = np.full(shape, ABSENT_LENGTH if name == "lengths" else 0, dtype=values.dtype)
        array[place] = values
        out[name] = array
    return out


def _sources(snapshot: Snapshot, system_ids: Iterable[str], rows: pl.DataFrame) -> tuple[str, ...]:
    told = snapshot.frame("runs").select("run_id", "environment")
    named = rows.select("system_id", "run_id").unique().join(told, on="run_id", how="left")
    by_system: dict[str, set[str]] = {}
    for system_id, _, environment in named.iter_rows():
        by_system.setdefault(system_id, set()).add(environment or "")
    return tuple(
        ", ".join(sorted(text.removeprefix("imported from ") for text in by_system[key] if text))
        for key in system_ids
    )
