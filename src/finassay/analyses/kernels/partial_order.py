"""Partial orders.  In: who stands above whom.  Out: the lines of a Hasse diagram, its levels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]


def closure(above: Bools) -> Bools:
    """Return the transitive closure of a (C, C) relation, without pairs that lie on a cycle.

    `above[i, j]` says that i stands above j.  Warshall (1962), JACM 9, 11-12.
    """
    found = above.copy()
    for k in range(len(found)):
        found |= found[:, [k]] & found[[k], :]
    return np.asarray(found & ~found.T)


def reduction(order: Bools) -> Bools:
    """Return the pairs of a strict partial order that follow from no others (its Hasse diagram)."""
    through = (order.astype(np.int64) @ order.astype(np.int64)) > 0
    return np.asarray(order & ~through)


def levels(order: Bools) -> NDArray[np.int64]:
    """Return (C,) the length of the longest chain above each element of a strict partial order."""
    depth = np.zeros(len(order), dtype=np.int64)
    for _ in range(len(order)):
        deeper = np.where(order, depth[:, None] + 1, 0).max(axis=0, initial=0)
        if (deeper == depth).all():
            break
        depth = deeper.astype(np.int64)
    return depth
