"""Kendall's coefficient of concordance.  In: ratings.  Out: W with its test."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from finassay.analyses.kernels.ranks import ranks

Concordant = tuple[float, float, int, float, NDArray[np.float64]]


def kendall_w(ratings: NDArray[np.float64]) -> Concordant | None:
    """Return (W, chi squared, degrees of freedom, p, mean ranks) of (m raters, n objects) ratings.

    W = 12 S / (m^2 (n^3 - n) - m T): S is the sum of squared deviations of the objects' rank sums
    from their mean, T the sum of t^3 - t over the tie groups of every rater; average ranks, 1 for
    the highest rating.  chi squared = m (n - 1) W with n - 1 degrees of freedom.  The (n,) mean
    ranks run over the objects.  Kendall and Babington Smith (1939), Annals of Mathematical
    Statistics 10, 275-287; ties after Kendall and Gibbons (1990), section 6.

    None with fewer than two raters or objects, or when every rater ties all objects.
    """
    m, n = ratings.shape
    if m < 2 or n < 2:
        return None
    ranked = np.vstack([ranks(row, convention="average") for row in ratings])
    sums = ranked.sum(axis=0)
    spread = float(((sums - sums.mean()) ** 2).sum())
    ties = 0
    for row in ratings:
        sizes = np.unique(row, return_counts=True)[1].astype(np.int64)
        ties += int((sizes**3 - sizes).sum())
    bottom = m * m * (n**3 - n) - m * ties
    if bottom == 0:
        return None
    w = min(1.0, 12.0 * spread / bottom)
    chi2 = m * (n - 1) * w
    return w, chi2, n - 1, float(special.chdtrc(n - 1, chi2)), sums / m
