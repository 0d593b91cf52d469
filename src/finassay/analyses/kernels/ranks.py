"""Ranks.  In: scores.  Out: ranks under a declared convention."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.results_scores import RANK_CONVENTIONS, RankConvention


def ranks(
    scores: NDArray[np.float64], *, convention: RankConvention, higher_is_better: bool = True
) -> NDArray[np.float64]:
    """Return the (n,) ranks of (n,) scores, 1 for the best.

    Ties are exact: two scores tie when they are equal as float64.  A share k/n is rounded
    correctly, so equal shares of different denominators tie, and unequal ones never do for
    denominators below 10 million.

    Raises:
        ValueError: the convention is unknown, or a score is not finite.
    """
    if convention not in RANK_CONVENTIONS:
        raise ValueError(f"`convention` must be one of {RANK_CONVENTIONS}, got {convention!r}")
    if not np.isfinite(scores).all():
        raise ValueError("scores to rank must be finite; leave out systems without a value")
    keys = -scores if higher_is_better else scores
    if convention == "ordinal":
        out = np.empty(len(keys))
        out[np.argsort(keys, kind="stable")] = np.arange(1, len(keys) + 1)
        return out
    levels, where, counts = np.unique(keys, return_inverse=True, return_counts=True)
    if convention == "dense":
        return np.asarray(where + 1.0)
    first = np.cumsum(counts) - counts + 1.0
    per_level = first if convention == "competition" else first + (counts - 1) / 2.0
    return np.asarray(per_level[where] if len(levels) else np.empty(0))
