"""Intervals for means of graded or clustered scores.  In: scores.  Out: (low, high)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import special

from finassay.analyses.kernels.resampling import resampled_means

Floats = NDArray[np.float64]


def bca(
    values: Floats, *, level: float = 0.95, draws: int = 10_000, rng: np.random.Generator
) -> tuple[float, float]:
    """Return the bias-corrected and accelerated bootstrap interval of the mean of (n,) scores.

    Percentiles of the resampled means at Phi(z0 + (z0 + z) / (1 - a (z0 + z))), with z0 the normal
    quantile of the share of resampled means below the mean (ties count half) and a the jackknife
    acceleration sum d^3 / (6 (sum d^2)^1.5) of d = value - mean.  Efron (1987), JASA 82, 171-185.
    When all scores are equal the interval is that point.

    Raises:
        ValueError: fewer than two scores, or `level` outside (0, 1).
    """
    _check(len(values), level)
    mean = float(values.mean())
    deviations = values - mean
    squares = float((deviations**2).sum())
    if squares <= 1e-24 * max(1.0, mean * mean) * len(values):
        return mean, mean
    chunks = resampled_means(values[:, None], np.ones(len(values)), draws=draws, rng=rng)
    means = np.concatenate([chunk[:, 0] for chunk in chunks])
    below = (np.count_nonzero(means < mean) + np.count_nonzero(means <= mean)) / 2.0
    bias = float(special.ndtri(min(max(below, 0.5), draws - 0.5) / draws))
    acceleration = float((deviations**3).sum()) / (6.0 * squares**1.5)
    z = bias + special.ndtri(np.array([(1.0 - level) / 2.0, (1.0 + level) / 2.0]))
    ends = np.quantile(means, special.ndtr(bias + z / (1.0 - acceleration * z)))
    return float(ends[0]), float(ends[1])


def cluster_error(sums: Floats, sizes: Floats) -> float | None:
    """Return the cluster-robust standard error of the mean sum(sums) / sum(sizes).

    sqrt(G / (G - 1) sum_g (s_g - mean n_g)^2) / N, with G clusters and N items; None with one
    cluster.  Liang and Zeger (1986), Biometrika 73, 13-22, with the usual correction for G.
    """
    groups, total = len(sizes), float(sizes.sum())
    if groups < 2:
        return None
    residuals = sums - sums.sum() / total * sizes
    return math.sqrt(groups / (groups - 1) * float((residuals**2).sum())) / total


def cluster_robust(
    sums: Floats, sizes: Floats, *, level: float = 0.95, ends: tuple[float, float] = (0.0, 1.0)
) -> tuple[float, float]:
    """Return the t interval of a mean with its cluster-robust error, G - 1 degrees of freedom.

    Cut to `ends`, the range of the scores; with one cluster it is that whole range.

    Raises:
        ValueError: no cluster, or `level` outside (0, 1).
    """
    _check(len(sizes) + 1, level)
    error = cluster_error(sums, sizes)
    if error is None:
        return ends
    mean = float(sums.sum() / sizes.sum())
    half = float(special.stdtrit(len(sizes) - 1, (1.0 + level) / 2.0)) * error
    return max(ends[0], mean - half), min(ends[1], mean + half)


def cluster_bootstrap(
    sums: Floats,
    sizes: Floats,
    *,
    level: float = 0.95,
    draws: int = 10_000,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Return (C,) low and (C,) high percentile ends of the means of (G, C) cluster sums.

    Clusters are drawn as wholes, for all columns at once.  Field and Welsh (2007), JRSS B 69,
    369-390.

    Raises:
        ValueError: no cluster, or `level` outside (0, 1).
    """
    _check(len(sizes) + 1, level)
    means = np.concatenate(list(resampled_means(sums, sizes, draws=draws, rng=rng)))
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(means, [tail, 1.0 - tail], axis=0)
    return low, high


def _check(n: int, level: float) -> None:
    if n < 2:
        raise ValueError(f"the interval needs at least two scores (or one cluster), got {n!r}")
    if not 0.0 < level < 1.0:
        raise ValueError(f"`level` must be in (0, 1), got {level!r}; for 95% pass 0.95")
