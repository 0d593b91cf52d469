"""Verdicts against length.  In: columns of replies.  Out: a slope with clustered error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

FEWEST_CLUSTERS = 10


class Slope(NamedTuple):
    """A regression coefficient.

    Attributes:
        value: change of the outcome for one unit of the column.
        error: standard error, clustered.
        p: two-sided p of t with G - 1 degrees of freedom.
        clusters: G.
    """

    value: float
    error: float
    p: float
    clusters: int

    def interval(self, level: float) -> tuple[float, float]:
        """Return both ends of the interval at a level in (0, 1)."""
        reach = float(special.stdtrit(self.clusters - 1, (1.0 + level) / 2.0)) * self.error
        return self.value - reach, self.value + reach


def clustered_slope(
    outcome: NDArray[np.float64],
    column: NDArray[np.float64],
    *,
    factors: Sequence[NDArray[np.int64]],
    clusters: NDArray[np.int64],
) -> Slope | None:
    """Return the least-squares slope of an outcome on a column, with factors held fixed.

    Both are cleared of the factors (dummies, by QR); with x and residuals r so cleared, the slope
    is x'y / x'x and its variance the sum over clusters of (sum of x r)^2, divided by (x'x)^2,
    times G / (G - 1) times (N - 1) / (N - K).  Liang and Zeger (1986), Biometrika 73, 13-22;
    Cameron and Miller (2015), Journal of Human Resources 50, 317-372, section II.

    None where the factors leave nothing of the column, the outcome does not vary, or there are
    fewer than 10 clusters, of which such an error cannot be told.

    Args:
        outcome: (N,) outcomes.
        column: (N,) values.
        factors: (N,) codes of each factor.
        clusters: (N,) codes of the clusters.
    """
    n = len(outcome)
    groups, inside = np.unique(clusters, return_inverse=True)
    if len(groups) < FEWEST_CLUSTERS or np.ptp(outcome) == 0.0:
        return None
    basis = _basis(factors, n)
    x = column - basis @ (basis.T @ column)
    y = outcome - basis @ (basis.T @ outcome)
    norm = float(x @ x)
    parameters = basis.shape[1] + 1
    if norm <= 1e-9 * float(column @ column) or n <= parameters:
        return None
    value = float(x @ y) / norm
    scores = np.bincount(inside, weights=x * (y - value * x))
    count = len(groups)
    spread = count / (count - 1) * (n - 1) / (n - parameters)
    error = math.sqrt(float(scores @ scores) * spread) / norm
    if error == 0.0:
        return None
    p = 2.0 * float(special.stdtr(count - 1, -abs(value) / error))
    return Slope(value, error, p, count)


def _basis(factors: Sequence[NDArray[np.int64]], n: int) -> NDArray[np.float64]:
    """Return (N, K) orthonormal columns that span the constant and the dummies of all factors."""
    columns = [np.ones((n, 1))]
    for codes in factors:
        _, inside = np.unique(codes, return_inverse=True)
        columns.append(np.eye(int(inside.max(initial=0)) + 1)[inside][:, 1:])
    left, sizes, _ = np.linalg.svd(np.hstack(columns), full_matrices=False)
    return np.asarray(left[:, sizes > 1e-9 * sizes[0]])
