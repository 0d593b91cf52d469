"""Frozen results about kinds of error.  In: nothing.  Out: categories before and after a judge."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.analyses.results_items import ErrorCategories
from finassay.analyses.results_overturns import CountRate


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryMeaning:
    """What a category of errors is made of.

    Attributes:
        category: its short name.
        name: in words.
        cells: (family, difficulty, items) that fall into it: it says no more than these.
    """

    category: str
    name: str
    cells: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reclassified:
    """How many of a system's errors the judge clears.

    Attributes:
        system: display name.
        cleared: errors that the judge marks right, of all errors.
        by_category: (category, cleared of the errors of it).
    """

    system: str
    cleared: CountRate
    by_category: tuple[tuple[str, CountRate], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """Errors by category, before and after a judge.

    Attributes:
        study: name of the study.
        restatement: what the labels can and cannot say, to be printed beside them.
        table: counts by category, strict and residual.
        meanings: what each category is made of.
        reclassified: one entry a system that the judge decided.
        n_items: items with a category.
        method: how it was computed.
        warnings: what a reader must know.
    """

    study: str
    restatement: str
    table: ErrorCategories
    meanings: tuple[CategoryMeaning, ...]
    reclassified: tuple[Reclassified, ...]
    n_items: int
    method: str
    warnings: tuple[str, ...] = ()
