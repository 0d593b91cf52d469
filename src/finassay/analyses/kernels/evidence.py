"""Counts of items.  In: right and wrong as booleans.  Out: what separates and what overlaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray


def d_of_k(k: NDArray[np.int64], systems: int) -> NDArray[np.int64]:
    """Return (n,) pairs of systems that each item separates: k (M - k), k right of M systems.

    Raises:
        ValueError: a count lies outside [0, M].
    """
    if len(k) and (int(k.min()) < 0 or int(k.max()) > systems):
        raise ValueError(f"`k` must be in [0, {systems}], got {int(k.min())} to {int(k.max())}")
    return np.asarray(k * (systems - k), dtype=np.int64)


def overlap_counts(
    wrong: NDArray[np.bool_], usable: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return (both, either, shared) counts of every pair of columns, each (C, C).

    `wrong` and `usable` are (R, C); an item counts for a pair when it is usable in both columns.
    Jaccard (1912), New Phytologist 11, 37-50: both / either.
    """
    # float64 products run in BLAS and are exact for counts below 2**53.
    seen = usable.astype(np.float64)
    bad = (wrong & usable).astype(np.float64)
    both, of_left = bad.T @ bad, bad.T @ seen
    tables = both, of_left + of_left.T - both, seen.T @ seen
    counts = [np.rint(table).astype(np.int64) for table in tables]
    return counts[0], counts[1], counts[2]


def recalls(
    labels: Sequence[str], right: NDArray[np.float64], usable: NDArray[np.bool_]
) -> list[tuple[str, float | None, int]]:
    """Return (label, right, n usable) for each distinct label in label order.

    `right` is None for a label without a usable row, which has no recall.
    """
    out: list[tuple[str, float | None, int]] = []
    names = np.asarray(labels, dtype=object)
    for label in sorted(set(labels)):
        rows = usable & (names == label)
        n = int(rows.sum())
        out.append((label, float(right[rows].sum()) if n else None, n))
    return out


def balanced_accuracy(per_label: Iterable[tuple[str, float | None, int]]) -> float | None:
    """Return the mean of the labels' recalls; None without a label, or when one has no recall.

    A mean over the labels that happen to be answered would reward silence on the others.
    Brodersen et al. (2010), ICPR, 3121-3124.
    """
    shares = [None if right is None else right / n for _, right, n in per_label]
    known = [share for share in shares if share is not None]
    return float(np.mean(known)) if known and len(known) == len(shares) else None


def majority(labels: Iterable[str]) -> list[tuple[str, int]]:
    """Return (label, count), most frequent first, ties in label order."""
    return sorted(Counter(labels).items(), key=lambda entry: (-entry[1], entry[0]))


def components(nodes: int, edges: Iterable[tuple[int, int]]) -> NDArray[np.int64]:
    """Return (nodes,) the smallest node of each node's connected component.

    Union by path halving: Tarjan and van Leeuwen (1984), Journal of the ACM 31, 245-281.
    """
    parent = list(range(nodes))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for left, right in edges:
        a, b = root(left), root(right)
        parent[max(a, b)] = min(a, b)
    return np.array([root(node) for node in range(nodes)], dtype=np.int64)
