"""Which labels replies name, counted at speed.  In: batches of replies.  Out: one histogram.

The histogram holds how often each set of named labels stands beside each accepted label in each
stratum; every count of label extraction that needs no positions follows from it (`analyses`).
Batches are read once and let go, so the memory in use does not grow with the number of replies.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from finassay.errors import InputError, MappingError, UsageError
from finassay.text.labels import LabelFinder, Matcher, finder

MOST_LABELS = 63
"""A set of labels is one 64-bit number with a sign."""

BATCH_ROWS = 250_000

_REPEATED = 2
"""A batch is reduced to its distinct rows when each stands this often or more on average."""

Cell = tuple[str, int, int]
"""Stratum, index of the accepted label, set of named labels (bit j is label j)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelHistogram:
    """How often each set of named labels stands beside each accepted label.

    Attributes:
        choices: k labels as offered, in card order.
        matcher: what counts as an occurrence of a label.
        cells: ((stratum, index of the accepted label, set), count), sorted; bit j of a set is
            label j.
    """

    choices: tuple[str, ...]
    matcher: Matcher
    cells: tuple[tuple[Cell, int], ...]

    @property
    def n(self) -> int:
        """Number of replies."""
        return sum(count for _, count in self.cells)


def label_histogram(
    batches: Iterable[pl.DataFrame], *, choices: Sequence[str], matcher: Matcher | None = None
) -> LabelHistogram:
    """Return which labels the replies name, from frames with `reply`, `gold` and maybe `stratum`.

    Substring and word matching under the norms `none` and `lower` run on whole columns; every
    other matcher is asked reply by reply, once for each distinct one of a batch that repeats.

    Args:
        batches: frames; a null reply or accepted label is an error.
        choices: labels in card order, at most 63.
        matcher: what counts as an occurrence; lower-cased substrings by default.

    Raises:
        UsageError: labels that are empty, equal under the norm, or too many.
        InputError: an accepted label is not among the choices, or there is no reply.
    """
    found = finder(matcher or Matcher(), tuple(choices))
    if len(found.choices) > MOST_LABELS:
        raise UsageError(
            f"`choices` must be at most {MOST_LABELS} labels, got {len(found.choices)}; count "
            f"with `analyses.extraction`, which takes any number"
        )
    total = Counter[Cell]()
    for batch in batches:
        for cell, count in _batch_cells(batch, found):
            total[cell] += count
    if not total:
        raise InputError("there are no replies to count; expected at least one")
    return LabelHistogram(
        choices=found.choices, matcher=found.matcher, cells=tuple(sorted(total.items()))
    )


def parquet_replies(
    path: str | Path,
    *,
    reply: str = "reply",
    gold: str = "gold",
    stratum: str | None = None,
    rows: int = BATCH_ROWS,
) -> Iterator[pl.DataFrame]:
    """Yield batches of a Parquet file for `label_histogram`, so that it is never held whole.

    Args:
        path: the file.
        reply: column of the replies.
        gold: column of the accepted labels.
        stratum: column of the declared subgroups.
        rows: rows of a batch, about.

    Raises:
        InputError: there is no such file, or it is no Parquet file.
        MappingError: there is no such column.
    """
    frame = pl.scan_parquet(path)
    try:
        there = frame.collect_schema().names()
    except (OSError, pl.exceptions.ComputeError) as error:
        raise InputError(
            f"{path}: cannot be read as a Parquet file: {error}; name a Parquet file that is whole"
        ) from error
    for name in (reply, gold, *([] if stratum is None else [stratum])):
        if name not in there:
            raise MappingError(f"{path}: there is no column {name!r}; there are {there!r}")
    columns = [pl.col(reply).alias("reply"), pl.col(gold).alias("gold")]
    if stratum is not None:
        columns.append(pl.col(stratum).alias("stratum"))
    yield from frame.select(columns).collect_batches(chunk_size=rows)


def _batch_cells(batch: pl.DataFrame, found: LabelFinder) -> Iterator[tuple[Cell, int]]:
    frame = batch if "stratum" in batch.columns else batch.with_columns(stratum=pl.lit(""))
    frame = frame.select("reply", "gold", pl.col("stratum").fill_null(""))
    if frame["reply"].null_count() or frame["gold"].null_count():
        raise InputError("a reply or an accepted label is null; leave such rows out, and say so")
    frame = _distinct(frame)
    gold = _gold_indices(frame["gold"], found)
    counted = (
        pl.DataFrame(
            {
                "stratum": frame["stratum"],
                "gold": gold,
                "named": pl.Series(_named_sets(frame["reply"], found)),
                "count": frame["count"],
            }
        )
        .group_by("stratum", "gold", "named")
        .agg(pl.col("count").sum())
    )
    for stratum, index, named, count in counted.iter_rows():
        yield (stratum, index, named), count


def _distinct(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with their `count`: distinct ones where that saves work, else each once."""
    # Hashes only decide whether it pays; the grouping itself compares whole texts.
    if frame["reply"].hash().n_unique() * _REPEATED > len(frame):
        return frame.with_columns(count=pl.lit(1, dtype=pl.Int64))
    return frame.group_by("reply", "gold", "stratum").agg(count=pl.len().cast(pl.Int64))


def _gold_indices(gold: pl.Series, found: LabelFinder) -> pl.Series:
    written: list[str] = gold.unique().to_list()
    places = [_place(text, found) for text in written]
    codes = gold.cast(pl.Enum(written)).to_physical().to_numpy()
    return pl.Series(np.array(places, dtype=np.int64)[codes])


def _place(gold: str, found: LabelFinder) -> int:
    index = found.index_of(gold)
    if index is None:
        raise InputError(
            f"the accepted label {gold!r} is not among the choices {list(found.choices)!r}; give "
            f"all labels that were offered"
        )
    return index


def _named_sets(replies: pl.Series, found: LabelFinder) -> NDArray[np.int64]:
    """(N,) the set of labels each reply names; bit j is label j."""
    matcher = found.matcher
    is_plain = matcher.kind in {"substring", "word"} and matcher.norm in {"none", "lower"}
    if not is_plain or matcher.longest:
        sets = [sum(1 << j for j in found.labels(text)) for text in replies.to_list()]
        return np.array(sets, dtype=np.int64)
    folded = _lowered(replies) if matcher.norm == "lower" else replies
    named = np.zeros(len(folded), dtype=np.int64)
    for j, word in enumerate(found.forms):
        hit = folded.str.contains(word, literal=True).to_numpy()
        if matcher.kind == "word":
            hit = _confirmed(folded, hit, found, j)
        named |= hit.astype(np.int64) << j
    return named


def _lowered(replies: pl.Series) -> pl.Series:
    """Return the replies under `str.lower`, exactly as Python does it."""
    plain = replies.str.len_bytes() == replies.str.len_chars()
    lowered = replies.str.to_lowercase()
    if plain.all():
        return lowered
    # Libraries differ in the Unicode version and in special cases, such as the final sigma.
    rest = [text.lower() for text in replies.filter(~plain).to_list()]
    return lowered.scatter((~plain).arg_true(), rest)


def _confirmed(
    folded: pl.Series, hit: NDArray[np.bool_], found: LabelFinder, label: int
) -> NDArray[np.bool_]:
    """Return which of the hits stand between characters that belong to no word."""
    beside = r"[\w\-\u2010\u2011]" if found.matcher.hyphen_joins else r"\w"
    word = re.compile(f"(?<!{beside}){re.escape(found.forms[label])}(?!{beside})")
    where = np.flatnonzero(hit)
    confirmed = np.zeros(len(hit), dtype=np.bool_)
    confirmed[where] = [word.search(text) is not None for text in folded.gather(where).to_list()]
    return confirmed
