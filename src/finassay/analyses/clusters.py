"""Which items hang together.  In: items and the names of columns.  Out: one cluster an item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.evidence import components
from finassay.errors import UnknownNameError
from finassay.records import Item

FEW = 30
"""Clusters below which a clustered test or interval is shown with a warning."""

_COLUMNS = tuple(
    field.name
    for field in fields(Item)
    if field.name not in {"item_id", "contract", "strata", "erratum"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clusters:
    """The clusters of a list of items: items that share a value of a column are in one.

    Attributes:
        columns: the columns that were read, for instance ("documents",).
        labels: (n,) cluster of each item, 0 for the largest cluster.
        sizes: items of each cluster, largest first.
        n_alone: items without a value in any of the columns; each is a cluster by itself.
    """

    columns: tuple[str, ...]
    labels: NDArray[np.int64]
    sizes: tuple[int, ...]
    n_alone: int

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return what a reader must know: few clusters, and items that name no value."""
        found = []
        if len(self.sizes) < FEW:
            found.append(
                f"{len(self.sizes)} clusters are few (fewer than {FEW}): clustered p and "
                f"intervals are rough"
            )
        if self.n_alone:
            found.append(
                f"{self.n_alone} items name none of {', '.join(self.columns)}; each is a "
                f"cluster by itself"
            )
        return tuple(found)


def clusters_of(items: Sequence[Item], columns: Sequence[str]) -> Clusters:
    """Return the clusters of items by one or several columns.

    An item may have several values (documents): all items that share any value of any of the
    columns, directly or through others, are one cluster (connected components).  A column is a
    field of an item or the name of a stratum.

    Raises:
        UnknownNameError: no item has this field or stratum.
    """
    at: dict[tuple[str, str], int] = {}
    edges: list[tuple[int, int]] = []
    alone = 0
    for number, item in enumerate(items):
        named = [(column, value) for column in columns for value in _values(item, column)]
        edges += [(number, len(items) + at.setdefault(name, len(at))) for name in named]
        alone += not named
    _require(items, columns)
    roots = components(len(items) + len(at), edges)[: len(items)].tolist()
    counts = Counter(roots)
    order = sorted(counts, key=lambda root: (-counts[root], root))
    place = {root: label for label, root in enumerate(order)}
    return Clusters(
        columns=tuple(columns),
        labels=np.array([place[root] for root in roots], dtype=np.int64),
        sizes=tuple(counts[root] for root in order),
        n_alone=alone,
    )


def _values(item: Item, column: str) -> tuple[str, ...]:
    found = getattr(item, column) if column in _COLUMNS else dict(item.strata).get(column, "")
    listed = found if isinstance(found, tuple) else (found,)
    return tuple(value for value in listed if value)


def _require(items: Sequence[Item], columns: Sequence[str]) -> None:
    strata = {name for item in items for name, _ in item.strata}
    for column in columns:
        if column not in _COLUMNS and column not in strata:
            known = ", ".join((*_COLUMNS, *sorted(strata)))
            raise UnknownNameError(
                f"items have no column {column!r} to make clusters of; there are: {known}"
            )


def document_clusters(items: Sequence[Item]) -> tuple[str, ...]:
    """Return documents where most items name one and several clusters are left to draw from."""
    named = sum(bool(item.documents) for item in items)
    if 2 * named <= len(items):
        return ()
    return ("documents",) if len(clusters_of(items, ("documents",)).sizes) > 1 else ()
