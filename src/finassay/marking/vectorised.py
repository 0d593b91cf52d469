"""Rules on whole columns.  In: a batch and a rule.  Out: the verdicts that the rule gives by rows.

Only what can be proven equal to the row-wise path is done here; the rows that cannot (`exceptions`)
are handed back.  Expensive parts (mapped texts, ratios, sets of numbers) are kept in the workspace
under the rule's measure key, so rules that differ in thresholds share them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from finassay.marking.batch import Batch
from finassay.marking.columns import scored_columns
from finassay.marking.normal_forms import (
    HAS_FORM,
    MappedColumn,
    foreign_characters,
    map_columns,
)
from finassay.scorers import strict
from finassay.scorers.base import FAILED_FINISHES, MeasureKey, Rule
from finassay.scorers.similarity import BELOW, REACHES, Partial, Similarity, TokenSet, TokenSort

Bools = NDArray[np.bool_]
Rows = NDArray[np.intp]

RATIOS: dict[type[Similarity], Callable[..., float]] = {
    TokenSet: fuzz.token_set_ratio,
    TokenSort: fuzz.token_sort_ratio,
    Partial: fuzz.partial_ratio,
}
"""Rules on one RapidFuzz ratio."""


@dataclass(frozen=True, slots=True, eq=False)
class Stages:
    """What the stages of a rule see, for rows that are marked by columns.

    Attributes:
        rows: (M,) row numbers in the batch; the other rows must be read one by one.
        silent, yes_no, equal, numbers, yes_no_agrees: (M,) see `strict.StrictMeasure`.
        ratio: (M,) RapidFuzz ratio in [0, 100]; 0 where no stage asks for it.
    """

    rows: Rows
    ratio: NDArray[np.float64]
    silent: Bools
    yes_no: Bools
    equal: Bools
    numbers: Bools
    yes_no_agrees: Bools


@dataclass(slots=True)
class Workspace:
    """What rules share over one batch."""

    batch: Batch
    mapped: dict[str, tuple[MappedColumn, MappedColumn]] = field(default_factory=dict)
    stages: dict[MeasureKey, Stages] = field(default_factory=dict)

    def column(self, name: str) -> pl.Series:
        """Return a text column of the batch, nulls as empty texts."""
        return self.batch.frame[name].fill_null("")

    def map(self, normaliser: str) -> tuple[MappedColumn, MappedColumn]:
        """Return references and replies under a normaliser, made once."""
        if normaliser not in self.mapped:
            columns = self.column("reference"), self.column("text")
            self.mapped[normaliser] = map_columns(*columns, normaliser)
        return self.mapped[normaliser]


def mark_columns(rule: Rule[Any], work: Workspace) -> tuple[Rows, pl.DataFrame] | None:
    """Return (row numbers, verdicts) for the rows that can be marked by columns.

    None when the rule has no vectorised form.
    """
    # Exact types: a rule that someone derives from these may measure or decide otherwise.
    if type(rule) is strict.NumbersFirst:
        return _by_stages(rule, work, _numbers_first, _decide_numbers_first)
    if type(rule) is strict.FuzzyFirst:
        return _by_stages(rule, work, _fuzzy_first, _decide_fuzzy_first)
    if type(rule) in RATIOS and isinstance(rule, Similarity) and rule.normaliser in HAS_FORM:
        return _by_stages(rule, work, _similarity, _decide_similarity)
    return None


def _by_stages(
    rule: Rule[Any],
    work: Workspace,
    measure: Callable[..., Stages],
    decide: Callable[..., pl.DataFrame],
) -> tuple[Rows, pl.DataFrame]:
    key = rule.measure_key
    if key not in work.stages:
        work.stages[key] = measure(rule, work, _open_rows(rule, work.batch))
    return work.stages[key].rows, decide(rule, work.stages[key])


def _open_rows(rule: Rule[Any], batch: Batch) -> Bools:
    """Return the rows whose text is read: those that the gate of `scorers.base` lets pass."""
    frame = batch.frame
    is_open = frame["reference"].is_not_null() & ~frame["finish"].is_in(list(FAILED_FINISHES))
    if not rule.published:
        # Blank texts, refusals, cut replies and alternatives carry statuses and flags: by rows.
        plain = frame["finish"].is_in(["stop", "not_logged"]) & frame["alternatives"].list.len().eq(
            0
        )
        is_open = is_open & plain & _has_text(frame["text"]) & _has_text(frame["reference"])
    found: Bools = is_open.to_numpy()
    return found


def _has_text(column: pl.Series) -> pl.Series:
    # Python's white space is Rust's with the four separators U+001C to U+001F.
    return column.str.contains(r"[^\s\x1c-\x1f]").fill_null(value=False)


def ratios(
    left: pl.Series, right: pl.Series, rows: Rows, scorer: Callable[..., float]
) -> NDArray[np.float64]:
    """Return the (len(rows),) ratios in [0, 100] of the texts in these rows."""
    found: NDArray[np.float64] = process.cpdist(
        _taken(left, rows).to_list(),
        _taken(right, rows).to_list(),
        scorer=scorer,
        workers=-1,
        dtype=np.float64,
    )
    return found


def equal_sets(left: pl.Series, right: pl.Series, pattern: str) -> Bools:
    """Return whether both texts hold matches of a pattern and the sets of matches are equal.

    Equal lists are equal sets, and sets that are equal share the first and last match of either
    list; the sets themselves are built only for the rows that neither settles.
    """
    texts = pl.DataFrame({"left": left, "right": right}).lazy()
    found = texts.select(pl.all().str.extract_all(pattern)).collect()
    a, b = found["left"], found["right"]
    is_equal: Bools = (a.list.len().gt(0) & a.eq(b)).to_numpy(writable=True)
    shares_ends = (
        b.list.contains(a.list.first())
        & a.list.contains(b.list.first())
        & b.list.contains(a.list.last())
        & a.list.contains(b.list.last())
    )
    open_rows = np.flatnonzero(shares_ends.fill_null(value=False).to_numpy() & ~is_equal)
    sets = found[open_rows].lazy().select(pl.all().list.unique().list.sort())
    is_equal[open_rows] = sets.select(pl.col("left").eq(pl.col("right"))).collect().to_series()
    return is_equal


def _taken(column: pl.Series, rows: Rows) -> pl.Series:
    return column if len(rows) == len(column) else column.gather(rows)


def _yes_no_rows(rule: strict.StrictRule, work: Workspace, rows: Rows) -> Bools:
    tasks = work.batch.frame["task"].gather(rows)
    named = [task for task in tasks.unique().to_list() if rule.is_yes_no(task)]
    found: Bools = tasks.is_in(named).to_numpy()
    return found


def _numbers_first(rule: strict.NumbersFirst, work: Workspace, is_open: Bools) -> Stages:
    left, right = work.map("words-percent-stop")
    hard = left.exceptions | right.exceptions | left.foreign_digits | right.foreign_digits
    rows = np.flatnonzero(is_open & ~hard)
    text = work.column("text").gather(rows)
    phrases = text.str.contains_any(list(strict.SILENCES), ascii_case_insensitive=True)
    silent = (text.eq("") | phrases).to_numpy()
    yes_no = _yes_no_rows(rule, work, rows) & ~silent
    read = ~silent & ~yes_no
    ratio = np.zeros(len(rows))
    ratio[read] = ratios(left.texts, right.texts, rows[read], fuzz.token_set_ratio)
    numbers = np.zeros(len(rows), dtype=bool)
    numbers[read] = equal_sets(
        _taken(left.texts, rows[read]), _taken(right.texts, rows[read]), r"[0-9]+\.?[0-9]*"
    )
    agrees = np.zeros(len(rows), dtype=bool)
    agrees[yes_no] = (
        _prefixes(left, rows[yes_no]).eq_missing(_prefixes(right, rows[yes_no])).to_numpy()
    )
    return Stages(
        rows=rows,
        ratio=ratio,
        silent=silent,
        yes_no=yes_no,
        equal=np.zeros(len(rows), dtype=bool),
        numbers=numbers,
        yes_no_agrees=agrees,
    )


def _prefixes(column: MappedColumn, rows: Rows) -> pl.Series:
    texts = MappedColumn(
        column.texts.gather(rows), column.exceptions[rows], column.foreign_digits[rows]
    ).collapsed()
    return pl.select(
        pl.when(texts.str.starts_with("yes"))
        .then(pl.lit("yes"))
        .when(texts.str.starts_with("no"))
        .then(pl.lit("no"))
        .otherwise(texts)
    ).to_series()


def _decide_numbers_first(rule: strict.NumbersFirst, stages: Stages) -> pl.DataFrame:
    passes = stages.ratio / 100 >= rule.threshold
    reasons = (
        strict.SILENT,
        strict.YES_NO_AGREES,
        strict.YES_NO_DIFFERS,
        strict.NUMBERS_AGREE,
        strict.TOKENS_AGREE,
        strict.NOTHING_AGREES,
    )
    codes = np.select(
        [
            stages.silent,
            stages.yes_no & stages.yes_no_agrees,
            stages.yes_no,
            stages.numbers,
            passes,
        ],
        [0, 1, 2, 3, 4],
        default=5,
    )
    return scored_columns(np.isin(codes, (1, 3, 4)), codes, reasons)


def _fuzzy_first(rule: strict.FuzzyFirst, work: Workspace, is_open: Bools) -> Stages:
    columns = {name: work.column(name) for name in ("reference", "text")}
    digits = [c for column in columns.values() for c in foreign_characters(column) if c.isdecimal()]
    hard = np.zeros(len(is_open), dtype=bool)
    if digits:
        for column in columns.values():
            hard |= column.str.contains_any(digits).to_numpy()
    rows = np.flatnonzero(is_open & ~hard)
    # Lower-casing and stripping are Python's: both are cheap beside the ratio.
    left, right = (
        pl.Series(
            [text.lower().strip() for text in columns[name].gather(rows).to_list()], dtype=pl.String
        )
        for name in ("reference", "text")
    )
    everything = np.arange(len(rows), dtype=np.intp)
    yes_no = _yes_no_rows(rule, work, rows)
    where = np.flatnonzero(yes_no)
    agrees = np.zeros(len(rows), dtype=bool)
    agrees[where] = [
        (found := strict.first_yes_no(a)) is not None and found == strict.first_yes_no(b)
        for a, b in zip(left.gather(where).to_list(), right.gather(where).to_list(), strict=True)
    ]
    return Stages(
        rows=rows,
        ratio=ratios(left, right, everything, fuzz.token_set_ratio),
        silent=work.column("text").gather(rows).eq("").to_numpy(),
        yes_no=yes_no,
        equal=left.eq(right).to_numpy(),
        numbers=equal_sets(
            left.str.replace_many([",", "₹"], ["", ""]),
            right.str.replace_many([",", "₹"], ["", ""]),
            r"[0-9]+(?:\.[0-9]+)?",
        ),
        yes_no_agrees=agrees,
    )


def _decide_fuzzy_first(rule: strict.FuzzyFirst, stages: Stages) -> pl.DataFrame:
    passes = stages.ratio >= round(rule.threshold * 100, 9)
    reasons = (
        strict.EMPTY,
        strict.TEXTS_EQUAL,
        strict.TOKENS_AGREE,
        strict.NUMBERS_AGREE,
        strict.YES_NO_AGREES,
        strict.YES_NO_DIFFERS,
        strict.NOTHING_AGREES,
    )
    codes = np.select(
        [
            stages.silent,
            stages.equal,
            passes,
            stages.numbers,
            stages.yes_no & stages.yes_no_agrees,
            stages.yes_no,
        ],
        [0, 1, 2, 3, 4, 5],
        default=6,
    )
    return scored_columns(np.isin(codes, (1, 2, 3, 4)), codes, reasons)


def _similarity(rule: Similarity, work: Workspace, is_open: Bools) -> Stages:
    left, right = work.map(rule.normaliser)
    # A reference of which nothing is left has no ratio: it is read by rows, as not applicable.
    has_words = left.texts.str.strip_chars(" ").ne("").to_numpy()
    rows = np.flatnonzero(is_open & has_words & ~(left.exceptions | right.exceptions))
    # Windows of characters see every space, tokens see none.
    sides = (
        (left.collapsed(), right.collapsed())
        if type(rule) is Partial
        else (left.texts, right.texts)
    )
    nothing = np.zeros(len(rows), dtype=bool)
    return Stages(
        rows=rows,
        ratio=ratios(*sides, rows, RATIOS[type(rule)]),
        silent=nothing,
        yes_no=nothing,
        equal=nothing,
        numbers=nothing,
        yes_no_agrees=nothing,
    )


def _decide_similarity(rule: Similarity, stages: Stages) -> pl.DataFrame:
    passes = (stages.ratio / 100 >= rule.threshold) & (stages.ratio > 0)
    reasons = (BELOW.format(rule.measure_name), REACHES.format(rule.measure_name))
    return scored_columns(passes, passes.astype(np.intp), reasons)
