"""Selecting by a broad score.  In: scores of systems.  Out: ranks, regret, profiles, spectra.

Arrays may have leading axes, so that resamples go through the same code as the data.  Scores must
be finite, and ties are exact: scale printed decimals to whole numbers, round means of resamples.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def average_ranks(scores: Floats) -> Floats:
    """Return the (..., M) descending ranks of (..., M) scores, 1 the best, ties averaged."""
    above = (scores[..., None, :] > scores[..., :, None]).sum(axis=-1)
    level = (scores[..., None, :] == scores[..., :, None]).sum(axis=-1)
    return np.asarray(1.0 + above + (level - 1) / 2.0)


def competition_ranks(scores: Floats) -> NDArray[np.int64]:
    """Return the (..., M) competition ranks of (..., M) scores: 1 + systems with a higher score."""
    above = (scores[..., None, :] > scores[..., :, None]).sum(axis=-1)
    return np.asarray(1 + above, dtype=np.int64)


def rank_correlations(left: Floats, right: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Return (...) Pearson correlations of (..., M) ranks, and where there is one.

    Of average ranks it is Spearman's rho.  There is none where a column is constant; the value is
    then 0.0 and must not be read.
    """
    a = left - left.mean(axis=-1, keepdims=True)
    b = right - right.mean(axis=-1, keepdims=True)
    scale = np.sqrt((a * a).sum(axis=-1) * (b * b).sum(axis=-1))
    known = np.asarray(scale > 0.0)
    rho = (a * b).sum(axis=-1) / np.where(known, scale, 1.0)
    return np.clip(np.where(known, rho, 0.0), -1.0, 1.0), known


def shortlist_regret(broad: Floats, scores: Floats, *, within: float = 0.0) -> Floats:
    """Return (..., M) the regret of shortlists of k = 1..M systems by a broad score.

    Reg(k) = max of the scores - max of the scores of the systems whose competition rank by the
    broad score is at most k; ties at the cut are kept, so a shortlist may hold more than k.
    FinRiskAtlas (arXiv 2608.25325), equation 2.

    Args:
        broad: (..., M) the score that makes the shortlist.
        scores: (..., M) the scores that are wanted.
        within: systems whose broad score is at most this far below the cut are kept as well.
    """
    falling = -np.sort(-broad, axis=-1)
    best = scores.max(axis=-1)
    kept = [
        np.where(broad >= falling[..., k : k + 1] - within, scores, -np.inf).max(axis=-1)
        for k in range(broad.shape[-1])
    ]
    return np.asarray(best[..., None] - np.stack(kept, axis=-1))


def percentile_profiles(scores: Floats) -> Floats:
    """Return (M, O) percentiles 100 (M - R) / (M - 1) of (M, O) scores, R average ranks.

    FinRiskAtlas, equation 23.

    Raises:
        ValueError: fewer than two systems, for which there is no percentile.
    """
    systems = scores.shape[0]
    if systems < 2:
        raise ValueError(f"percentiles need at least two systems, got {systems}")
    ranks = average_ranks(scores.T).T
    return np.asarray(100.0 * (systems - ranks) / (systems - 1))


def profile_gaps(profiles: Floats) -> Floats:
    """Return the mean absolute difference of the (M, O) profiles of each pair, upper triangle.

    Pairs stand as in `numpy.triu_indices(M, 1)`.  FinRiskAtlas, equation 24.
    """
    left, right = np.triu_indices(profiles.shape[0], 1)
    return np.asarray(np.abs(profiles[left] - profiles[right]).mean(axis=1))


def spectrum(matrix: Floats) -> Floats:
    """Return the eigenvalues of a symmetric (O, O) matrix, largest first."""
    return np.asarray(np.linalg.eigvalsh(matrix)[::-1])
