"""The exact clustered paired bootstrap.  In: sums and sizes of clusters.  Out: a tail.

G clusters are drawn with replacement G times; S* is the sum of their differences and N* their
number of items.  |S*/N* - S/N| >= |S|/N is, for S > 0, one of two linear statements in integers:
S* <= 0, or N S* - 2 S N* >= 0.  Each is a tail of a sum of G draws of one integer, so each is a
one-dimensional convolution.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.lattice import EXACT_WORK, Draw, Tail, two_tails


def clustered_bootstrap_tail(
    sums: NDArray[np.int64], sizes: NDArray[np.int64], *, work: int = EXACT_WORK
) -> Tail | None:
    """Return the exact p of the paired bootstrap test that resamples clusters.

    Args:
        sums: (G,) sums of the differences in each cluster, in steps of the lattice.
        sizes: (G,) items in each cluster, at least 1.
        work: multiply-adds that may be spent; beyond it the answer is None, and the caller
            resamples (Monte Carlo).

    Raises:
        ValueError: no cluster, an empty cluster, or arrays of different lengths.
    """
    check_clusters(sums, sizes)
    observed, items = int(sums.sum()), int(sizes.sum())
    turned = sums if observed >= 0 else -sums
    common = math.gcd(items, 2 * observed)
    scale, slope = items // common, 2 * abs(observed) // common
    lower, upper = Draw.of(turned), Draw.of(scale * turned - slope * sizes)
    draws = len(sums)
    if lower.work(draws) + upper.work(draws) > work:
        return None
    return two_tails(
        lower=lower.sum_of(draws), upper=upper.sum_of(draws), threshold=0, is_zero=observed == 0
    )


def check_clusters(sums: NDArray[np.int64] | NDArray[np.float64], sizes: NDArray[np.int64]) -> None:
    """Check that there are clusters, and that none is empty.

    Raises:
        ValueError: no cluster, an empty cluster, or arrays of different lengths.
    """
    if len(sums) != len(sizes) or not len(sizes):
        raise ValueError(
            f"clusters need as many sums as sizes, at least one, got {len(sums)} and {len(sizes)}"
        )
    if int(sizes.min()) < 1:
        raise ValueError("a cluster without items must be left out before the test")


def cluster_sums(
    values: NDArray[np.int64], labels: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (G,) sums of (n,) integers and (G,) sizes of the clusters that occur, by label."""
    levels, where, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    sums = np.zeros(len(levels), dtype=np.int64)
    np.add.at(sums, where, values)
    return sums, sizes.astype(np.int64)
