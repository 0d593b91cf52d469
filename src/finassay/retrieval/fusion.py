"""Rankings, and how they are joined.  In: scores or rankings.  Out: passages, best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.intp]


def best(scores: NDArray[np.floating[Any]], k: int) -> Numbers:
    """Return the places of the `k` highest scores above minus infinity, best first.

    Equal scores stand in order of place, at the last place taken too.
    """
    n = len(scores)
    if k < n:
        least = np.partition(scores, n - k)[n - k]
        above = np.flatnonzero(scores > least)
        equal = np.flatnonzero(scores == least)[: k - len(above)]
        chosen = np.concatenate([above, equal])
    else:
        chosen = np.arange(n)
    chosen = chosen[scores[chosen] > -np.inf]
    order: Numbers = chosen[np.lexsort((chosen, -scores[chosen]))]
    return order


def reciprocal_ranks(
    rankings: Sequence[Sequence[int]], *, k: int = 60, weights: Sequence[float] | None = None
) -> Mapping[int, float]:
    """Return the sum of weight / (k + rank) over the rankings that hold a passage, for each.

    Source: Cormack, Clarke and Büttcher (2009), "Reciprocal rank fusion outperforms Condorcet and
    individual rank learning methods", where k is 60 and weights are 1.
    """
    shares = [1.0] * len(rankings) if weights is None else weights
    fused: dict[int, float] = {}
    for ranking, weight in zip(rankings, shares, strict=True):
        for rank, passage in enumerate(ranking, start=1):
            fused[passage] = fused.get(passage, 0.0) + weight / (k + rank)
    return fused


def fused_order(fused: Mapping[int, float], first: Sequence[int] = ()) -> list[int]:
    """Return passages by fused score, equal ones in order of number, behind those put first."""
    ahead = {passage: place for place, passage in enumerate(first)}
    return sorted(
        fused, key=lambda passage: (ahead.get(passage, len(ahead)), -fused[passage], passage)
    )
