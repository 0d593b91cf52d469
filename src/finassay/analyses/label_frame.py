"""A labelled sample as arrays.  In: a LabelSample.  Out: one row an answer, and cells of a part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.finite_shares import Cells
from finassay.analyses.label_sample import LabelSample
from finassay.records import RIGHT

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MANY = 5
"""Distinct verdicts beyond which a graded judge is read in four classes of equal width."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """All answers, U rows.

    Attributes:
        sample: where it comes from.
        items: (U,) item, numbered.
        systems: (U,) system, as an index into `sample.systems`.
        strata: (U,) stratum, as an index into `names`.
        names: names of the strata.
        judged: (U,) the judge's verdict; 0 where it gave none.
        is_judged: (U,) whether it gave one.
        groups: (U,) verdicts that are told apart, as codes; none is a code of its own.
        labels: (U,) label; 0 where there is none.
        is_labelled: (U,) whether there is one.
        weights: (U,) answers of the stratum for each labelled one; 0 where none is.
        is_binary: whether every label is 0 or 1.
    """

    sample: LabelSample
    items: Ints
    systems: Ints
    strata: Ints
    names: tuple[str, ...]
    judged: Floats
    is_judged: Bools
    groups: Ints
    labels: Floats
    is_labelled: Bools
    weights: Floats
    is_binary: bool

    @classmethod
    def of(cls, sample: LabelSample) -> Frame:
        """Return the arrays of a sample."""
        units = sample.units
        names = tuple(dict.fromkeys(one.stratum for one in units))
        strata = _codes([one.stratum for one in units], names)
        is_judged = np.array([one.judge is not None for one in units])
        judged = np.array([one.judge or 0.0 for one in units])
        is_labelled = np.array([one.label is not None for one in units])
        labels = np.array([one.label or 0.0 for one in units])
        sizes = np.bincount(strata, minlength=len(names)).astype(np.float64)
        counts = np.bincount(strata[is_labelled], minlength=len(names))
        scale = np.divide(sizes, counts, out=np.zeros(len(names)), where=counts > 0)
        items = [one.item_id for one in units]
        return cls(
            sample=sample,
            items=_codes(items, tuple(dict.fromkeys(items))),
            systems=_codes([one.system for one in units], sample.systems),
            strata=strata,
            names=names,
            judged=judged,
            is_judged=is_judged,
            groups=_groups(judged, is_judged),
            labels=labels,
            is_labelled=is_labelled,
            weights=scale[strata],
            is_binary=bool(np.isin(labels[is_labelled], (0.0, 1.0)).all()),
        )

    @property
    def says_right(self) -> Bools:
        """(U,) whether the judge marks the answer right; no verdict is not."""
        return self.is_judged & (self.judged >= RIGHT)

    @property
    def rows_are_units(self) -> bool:
        """Whether answers were drawn one by one."""
        return self.sample.unit == "prediction"

    def unlabelled_strata(self, rows: Bools) -> tuple[str, ...]:
        """Return the strata in which these answers lie and nothing is labelled."""
        empty = np.unique(self.strata[rows & (self.weights == 0.0)])
        return tuple(self.names[code] for code in empty.tolist())

    def count(self, state: str, rows: Bools | None = None) -> int:
        """Return how many answers are in a state."""
        inside = np.ones(len(self.items), dtype=bool) if rows is None else rows
        units = self.sample.units
        return sum(units[at].state == state for at in np.flatnonzero(inside).tolist())


def _codes(values: Sequence[str], names: Sequence[str]) -> Ints:
    at = {name: code for code, name in enumerate(names)}
    return np.array([at[value] for value in values], dtype=np.int64)


def _groups(judged: Floats, is_judged: Bools) -> Ints:
    levels = np.unique(judged[is_judged])
    if len(levels) > MANY:
        codes = np.minimum(np.floor(judged * 4.0), 3.0).astype(np.int64)
    else:
        codes = np.searchsorted(levels, judged).astype(np.int64)
    return np.where(is_judged, codes, -1)


def cells_of(strata: Ints, groups: Ints, is_labelled: Bools, weights: Floats) -> tuple[Cells, Ints]:
    """Return the cells of some answers, and (U,) the cell of each answer."""
    lowest = int(groups.min())
    span = int(groups.max()) - lowest + 1
    found, first, where = np.unique(
        strata * span + (groups - lowest), return_index=True, return_inverse=True
    )
    return Cells(
        strata=strata[first],
        groups=groups[first],
        sizes=np.bincount(where, minlength=len(found)).astype(np.int64),
        labels=np.bincount(where[is_labelled], minlength=len(found)).astype(np.int64),
        weights=weights[first],
    ), where.astype(np.int64)


def counts_in(where: Ints, hits: Bools, cells: Cells) -> Floats:
    """Return (C,) how many answers of each cell are hit."""
    return np.bincount(where[hits], minlength=len(cells.sizes)).astype(np.float64)
