"""Which items are drawn together.  In: items.  Out: cluster codes for resampling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.clusters import FEW, clusters_of
from finassay.records import Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """What is resampled.

    Attributes:
        name: "items", or the columns that make clusters.
        codes: (R,) cluster of each item, 0..G-1.
        n_alone: items without a value in any of the columns; each is a cluster by itself.
    """

    name: str
    codes: NDArray[np.int64]
    n_alone: int = 0

    @property
    def size(self) -> int:
        """Number of clusters."""
        return int(self.codes.max()) + 1 if len(self.codes) else 0

    def within(self, keep: NDArray[np.bool_]) -> Units:
        """Return the units of the items where the (R,) mask is true, numbered anew."""
        found = np.unique(self.codes[keep], return_inverse=True)[1]
        return replace(self, codes=found.astype(np.int64))

    def warnings(self) -> tuple[str, ...]:
        """Return what a reader must know of their number."""
        out = []
        if self.size < FEW:
            out.append(
                f"only {self.size} {self.name} to draw from: intervals and tests that resample "
                f"are too sure of themselves below about {FEW}"
            )
        if self.n_alone:
            out.append(f"{self.n_alone} items are in no {self.name}: each is drawn by itself")
        return tuple(out)


def units_of(items: Sequence[Item], columns: Sequence[str] = ()) -> Units:
    """Return what is resampled: items one by one, or the clusters that columns make.

    Raises:
        UnknownNameError: no item has one of the columns.
    """
    if not columns:
        return Units(name="items", codes=np.arange(len(items), dtype=np.int64))
    found = clusters_of(items, columns)
    name = f"clusters ({', '.join(columns)})"
    return Units(name=name, codes=found.labels, n_alone=found.n_alone)
