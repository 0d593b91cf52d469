"""Normal forms of whole columns.  In: a column of texts.  Out: the mapped column.

The normal forms of `finassay.text.normalisers` are defined by Python's lower-casing and by what
Python's `re` takes for a word character.  Rust's tables differ from Python's in places (Indic
vowel signs, newer Unicode versions), so nothing here asks Rust: each distinct character of the
column is put through Python once, and the column is then rewritten by that table.  Lower-casing
depends on context for one character only, the Greek capital sigma: rows that hold it are left to
the row-wise path, as `exceptions` says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from finassay.text import normalisers

SIGMA = "\u03a3"

_FORMS: dict[str, Callable[[str], str]] = {
    "words": normalisers.words,
    "words-percent-stop": normalisers.words_percent_stop,
}

HAS_FORM = frozenset(_FORMS)
"""Normalisers that can be applied to whole columns."""

_ASCII = tuple(chr(code) for code in range(128))


@dataclass(frozen=True, slots=True, eq=False)
class MappedColumn:
    r"""A column after a character table.

    Attributes:
        texts: (N,) mapped texts.  Runs of spaces are not collapsed: tokens, and so RapidFuzz's
            token ratios, do not depend on them.
        exceptions: (N,) rows that must be read one by one.
        foreign_digits: (N,) rows with digits outside ASCII, which Python's `\d` matches.
    """

    texts: pl.Series
    exceptions: NDArray[np.bool_]
    foreign_digits: NDArray[np.bool_]

    def collapsed(self) -> pl.Series:
        """Return the texts with runs of spaces as one and none outside: the full normal form."""
        return self.texts.str.replace_all(" +", " ").str.strip_chars(" ")


def _mapped_character(form: Callable[[str], str], character: str) -> str:
    # The normaliser trims; a character between two letters keeps its own width.
    return form(f"x{character}x")[1:-1] or " "


def foreign_characters(*columns: pl.Series) -> frozenset[str]:
    """Return the distinct characters outside ASCII of columns of texts."""
    found: set[str] = set()
    for column in columns:
        # Counting bytes and characters is quick, and most texts are ASCII through and through.
        is_foreign = column.str.len_bytes().ne(column.str.len_chars())
        rest = column.filter(is_foreign).str.replace_all(r"[\x00-\x7F]+", "").unique()
        found.update(*rest.to_list())
    return frozenset(found)


def map_columns(
    left: pl.Series, right: pl.Series, normaliser: str
) -> tuple[MappedColumn, MappedColumn]:
    """Return two columns of texts (no nulls) under a normaliser of `HAS_FORM`, by one table."""
    form = _FORMS[normaliser]
    foreign = foreign_characters(left, right)
    table = {c: _mapped_character(form, c) for c in (*_ASCII, *sorted(foreign - {SIGMA}))}
    changed = {c: to for c, to in table.items() if c != to}
    frame = pl.DataFrame({"left": left, "right": right}).lazy()
    mapped = frame.select(pl.all().str.replace_many(list(changed), list(changed.values())))
    texts = mapped.collect()
    digits = sorted(c for c in foreign if c.isdecimal())
    sigma = [SIGMA] if SIGMA in foreign else []
    return (
        MappedColumn(texts["left"], _contains(left, sigma), _contains(left, digits)),
        MappedColumn(texts["right"], _contains(right, sigma), _contains(right, digits)),
    )


def _contains(column: pl.Series, characters: list[str]) -> NDArray[np.bool_]:
    if not characters:
        return np.zeros(len(column), dtype=bool)
    found: NDArray[np.bool_] = column.str.contains_any(characters).to_numpy()
    return found
