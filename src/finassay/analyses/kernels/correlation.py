"""Rank correlation.  In: two columns of scores.  Out: coefficient, two-sided p, and how."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from finassay.analyses.kernels.ranks import ranks

PERMUTATION_LIMIT = 9
"""Largest n for which all n! orders are listed (9! = 362,880)."""

KENDALL_EXACT_LIMIT = 33
"""Largest n for which the exact null distribution of Kendall's statistic is used."""

NO_COEFFICIENT = (None, None, "no coefficient: fewer than two systems, or a constant column")

RankCorrelation = tuple[float | None, float | None, str]


def spearman(x: NDArray[np.float64], y: NDArray[np.float64]) -> RankCorrelation:
    """Return Spearman's rho of two (n,) columns, its two-sided p, and how p was computed.

    Rho is Pearson's correlation of average ranks.  Up to 9 systems p is the share of all n!
    orders with |rho| at least as large, counted in integers; beyond, t with n - 2 degrees of
    freedom.  Spearman (1904), American Journal of Psychology 15, 72-101; the approximation after
    Kendall and Gibbons (1990), Rank Correlation Methods, section 4.

    Raises:
        ValueError: the columns differ in length.
    """
    left, right = _doubled(x, y)
    n = len(left)
    cross, norm_left, norm_right = _moments(left, right)
    if n < 2 or not norm_left or not norm_right:
        return NO_COEFFICIENT
    rho = cross / math.sqrt(norm_left * norm_right)
    rho = max(-1.0, min(1.0, rho))
    if n <= PERMUTATION_LIMIT:
        return rho, _permutation_p(left, right, abs(cross)), "exact permutation"
    if abs(rho) == 1.0:
        return rho, 0.0, f"t with {n - 2} degrees of freedom"
    t = abs(rho) * math.sqrt((n - 2) / (1.0 - rho * rho))
    return rho, float(2.0 * special.stdtr(n - 2, -t)), f"t with {n - 2} degrees of freedom"


def pearson(x: NDArray[np.float64], y: NDArray[np.float64]) -> RankCorrelation:
    """Return Pearson's r of two (n,) columns, its two-sided p, and how p was computed.

    Up to 9 systems p is the share of all n! orders with |r| at least as large (to 12 digits, so
    that sums in another order tie); beyond, t with n - 2 degrees of freedom.  Pearson (1896),
    Philosophical Transactions A 187, 253-318.

    Raises:
        ValueError: the columns differ in length.
    """
    if x.shape != y.shape:
        raise ValueError(f"two columns must be of one length, got {x.shape} and {y.shape}")
    n = len(x)
    if n < 3 or np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return None, None, "no coefficient: fewer than three systems, or a constant column"
    left, right = x - x.mean(), y - y.mean()
    scale = math.sqrt(float(left @ left) * float(right @ right))
    r = max(-1.0, min(1.0, float(left @ right) / scale))
    if n <= PERMUTATION_LIMIT:
        every = np.abs(right[_orders(n)] @ left) / scale
        return r, float(np.mean(every >= abs(r) - 1e-12)), "exact permutation"
    how = f"t with {n - 2} degrees of freedom"
    if abs(r) == 1.0:
        return r, 0.0, how
    t = abs(r) * math.sqrt((n - 2) / (1.0 - r * r))
    return r, float(2.0 * special.stdtr(n - 2, -t)), how


def _doubled(
    x: NDArray[np.float64], y: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return twice the average ranks, which are whole numbers."""
    if x.shape != y.shape:
        raise ValueError(f"two columns must be of one length, got {x.shape} and {y.shape}")
    both = (2.0 * ranks(column, convention="average") for column in (x, y))
    left, right = (np.rint(column).astype(np.int64) for column in both)
    return left, right


def _moments(left: NDArray[np.int64], right: NDArray[np.int64]) -> tuple[int, int, int]:
    """Return n times the centred cross product and squares of two integer columns."""
    n, sums = len(left), (int(left.sum()), int(right.sum()))
    cross = n * int(left @ right) - sums[0] * sums[1]
    squares = [n * int(column @ column) - int(column.sum()) ** 2 for column in (left, right)]
    return cross, squares[0], squares[1]


@cache
def _orders(n: int) -> NDArray[np.int8]:
    """Return all n! orders of 0..n-1 as rows, built by inserting n-1 into the orders of n-1."""
    if n == 0:
        return np.zeros((1, 0), dtype=np.int8)
    smaller = _orders(n - 1)
    blocks = [np.insert(smaller, at, n - 1, axis=1) for at in range(n)]
    return np.concatenate(blocks).astype(np.int8)


def _permutation_p(left: NDArray[np.int64], right: NDArray[np.int64], observed: int) -> float:
    n = len(left)
    products = right[_orders(n)] @ left
    centred = np.abs(n * products - int(left.sum()) * int(right.sum()))
    return float(np.mean(centred >= observed))


def kendall(x: NDArray[np.float64], y: NDArray[np.float64]) -> RankCorrelation:
    """Return Kendall's tau-b of two (n,) columns, its two-sided p, and how p was computed.

    tau-b = (C - D) / sqrt((P - Tx)(P - Ty)) with C concordant and D discordant of P pairs, Tx and
    Ty tied in a column.  Without ties and up to 33 systems p is exact (orders by their number of
    inversions); otherwise normal with the tie-corrected variance.  Kendall (1945), Biometrika 33,
    239-251; Kendall and Gibbons (1990), sections 5.2-5.4.

    Raises:
        ValueError: the columns differ in length.
    """
    if x.shape != y.shape:
        raise ValueError(f"two columns must be of one length, got {x.shape} and {y.shape}")
    n = len(x)
    pairs = n * (n - 1) // 2
    ties_x, ties_y = _tie_sizes(x), _tie_sizes(y)
    tied_x, tied_y = (int((t * (t - 1) // 2).sum()) for t in (ties_x, ties_y))
    if n < 2 or pairs in (tied_x, tied_y):
        return NO_COEFFICIENT
    upper = np.triu_indices(n, 1)
    signs = np.sign(np.subtract.outer(x, x)[upper]) * np.sign(np.subtract.outer(y, y)[upper])
    score = int(signs.sum())
    tau = score / math.sqrt((pairs - tied_x) * (pairs - tied_y))
    if not tied_x and not tied_y and n <= KENDALL_EXACT_LIMIT:
        return tau, _inversions_p(n, score), "exact (no ties)"
    variance = _tied_variance(n, ties_x, ties_y)
    p = math.erfc(abs(score) / math.sqrt(2.0 * variance))
    return tau, p, "normal, variance corrected for ties"


def _tie_sizes(column: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.asarray(np.unique(column, return_counts=True)[1], dtype=np.int64)


def _tied_variance(n: int, ties_x: NDArray[np.int64], ties_y: NDArray[np.int64]) -> float:
    """Return the null variance of C - D given the sizes of the tie groups of both columns."""
    pair, triple, whole = [], [], float(n * (n - 1) * (2 * n + 5))
    for t in (ties_x, ties_y):
        whole -= float((t * (t - 1) * (2 * t + 5)).sum())
        pair.append(float((t * (t - 1)).sum()))
        triple.append(float((t * (t - 1) * (t - 2)).sum()))
    variance = whole / 18.0 + pair[0] * pair[1] / (2.0 * n * (n - 1))
    if n > 2:
        variance += triple[0] * triple[1] / (9.0 * n * (n - 1) * (n - 2))
    return variance


@cache
def _inversion_counts(n: int) -> tuple[int, ...]:
    """Return how many orders of n things have 0, 1, 2, ... inversions."""
    counts = [1]
    for size in range(2, n + 1):
        wider = [0] * (len(counts) + size - 1)
        for at, count in enumerate(counts):
            for step in range(size):
                wider[at + step] += count
        counts = wider
    return tuple(counts)


def _inversions_p(n: int, score: int) -> float:
    """Return the share of orders of n things with |C - D| >= |score|."""
    pairs = n * (n - 1) // 2
    counts = _inversion_counts(n)
    extreme = sum(c for at, c in enumerate(counts) if abs(pairs - 2 * at) >= abs(score))
    return extreme / math.factorial(n)
