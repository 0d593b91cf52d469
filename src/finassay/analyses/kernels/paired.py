"""Tests and effect sizes for two systems on the same items.  In: paired scores.  Out: numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from finassay.analyses.kernels.intervals import clopper_pearson
from finassay.analyses.kernels.lattice import Draw, Tail

_WHOLE = 2_000
"""Discordant items up to which binomial tails are summed in whole numbers."""


def binomial_tail(k: int, n: int) -> float:
    """Return P(X <= k) for X binomial (n, 1/2); exact rational arithmetic up to 2,000 trials."""
    if k < 0:
        return 0.0
    if n > _WHOLE:
        return float(special.bdtr(k, n, 0.5))
    ways: int = sum(math.comb(n, i) for i in range(k + 1))
    share: float = ways / 2**n
    return share


def mcnemar(left_only: int, right_only: int) -> tuple[float, float]:
    """Return (exact p, mid-p) of the counts of items that only one of two systems gets right.

    Exact: 2 P(X <= min) with X binomial (left_only + right_only, 1/2), at most 1; mid-p takes
    P(X = min) off.  McNemar (1947), Psychometrika 12, 153-157; Fagerland, Lydersen and Laake
    (2013), BMC Medical Research Methodology 13, 91.  Without a discordant item both are 1.
    """
    fewer, n = min(left_only, right_only), left_only + right_only
    if n == 0:
        return 1.0, 1.0
    below, upto = binomial_tail(fewer - 1, n), binomial_tail(fewer, n)
    return min(1.0, 2.0 * upto), min(1.0, below + upto)


def sign_flip_tail(differences: NDArray[np.int64]) -> Tail:
    """Return the exact p of the permutation test that swaps the two systems on each item.

    |S'| >= |S| (inclusive) and > (exclusive) over all 2^n signs of the (n,) differences on a
    lattice: a convolution of one binomial for each size of difference.  Fisher (1935), The
    Design of Experiments, section 21.
    """
    observed = abs(int(differences.sum()))
    pmf = np.ones(1)
    levels, counts = np.unique(np.abs(differences[differences != 0]), return_counts=True)
    for level, count in zip(levels.tolist(), counts.tolist(), strict=True):
        # In steps of two above the smallest sum: each difference adds 0 or its size.
        flips = np.zeros(level * count + 1)
        flips[::level] = Draw.of(np.array([0, 1])).pmf(count)
        pmf = np.convolve(pmf, flips)
    sums = np.abs(2 * np.arange(len(pmf)) - (len(pmf) - 1))
    beyond, ties = pmf[sums > observed].sum(), pmf[sums == observed].sum()
    inclusive = 1.0 if observed == 0 else min(1.0, float(beyond + ties))
    return Tail(inclusive=inclusive, exclusive=min(1.0, float(beyond)))


def sign_flip_sampled(
    differences: NDArray[np.float64], *, draws: int, rng: np.random.Generator
) -> float:
    """Return the inclusive p of the sign-flip test by Monte Carlo: (k + 1) / (draws + 1).

    The observed signs count as one draw, which keeps the level: Phipson and Smyth (2010),
    Statistical Applications in Genetics and Molecular Biology 9, 39.
    """
    observed, reached = abs(float(differences.sum())), 0
    rows = max(1, 1_000_000 // max(1, len(differences)))
    for start in range(0, draws, rows):
        size = min(rows, draws - start), len(differences)
        signs = 2.0 * rng.integers(0, 2, size) - 1.0
        reached += int((np.abs(signs @ differences) >= observed * (1.0 - 1e-9)).sum())
    return (reached + 1) / (draws + 1)


def paired_t(differences: NDArray[np.float64]) -> tuple[float, int, float] | None:
    """Return (t, degrees of freedom, two-sided p) of the mean of (n,) differences.

    None with fewer than two items, or when all differences are equal, so that nothing is known of
    their spread.  Student (1908), Biometrika 6, 1-25.
    """
    n = len(differences)
    spread = float(differences.std(ddof=1)) if n > 1 else 0.0
    if spread == 0.0:
        return None
    t = float(differences.mean()) / (spread / math.sqrt(n))
    return t, n - 1, float(2.0 * special.stdtr(n - 1, -abs(t)))


def tango(*, left_only: int, right_only: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the score interval of the difference of two paired shares, ends in [-1, 1].

    The differences D at which (left_only - right_only - n D)^2 = z^2 n (2 q + D (1 - D)), with q
    the likeliest share of items that only the right system gets right, given D.  Tango (1998),
    Statistics in Medicine 17, 891-908.

    Raises:
        ValueError: n < 1, counts that do not fit n, or `level` outside (0, 1).
    """
    if n < 1 or min(left_only, right_only) < 0 or left_only + right_only > n:
        raise ValueError(
            f"the discordant counts must be 0 or more and add up to at most n >= 1, got "
            f"{left_only!r} and {right_only!r} of {n!r}"
        )
    if not 0.0 < level < 1.0:
        raise ValueError(f"`level` must be in (0, 1), got {level!r}; for 95% pass 0.95")
    z = float(special.ndtri((1.0 + level) / 2.0))
    estimate = (left_only - right_only) / n

    def score(difference: float) -> float:
        lean = 2.0 * n
        linear = -left_only - right_only + (2 * n - left_only + right_only) * difference
        constant = -right_only * difference * (1.0 - difference)
        root = math.sqrt(max(0.0, linear * linear - 4.0 * lean * constant))
        q = (root - linear) / (2.0 * lean)
        variance = n * (2.0 * q + difference * (1.0 - difference))
        gap = left_only - right_only - n * difference
        return gap * gap - z * z * max(0.0, variance)

    return _crossing(score, estimate, -1.0), _crossing(score, estimate, 1.0)


def _crossing(score: Callable[[float], float], inside: float, outside: float) -> float:
    """Return where the score turns positive on the way from the estimate to the end."""
    if score(outside) <= 0.0:
        return outside
    for _ in range(60):
        middle = (inside + outside) / 2.0
        inside, outside = (middle, outside) if score(middle) <= 0.0 else (inside, middle)
    return (inside + outside) / 2.0


def cohen_h(left: float, right: float) -> float:
    """Return 2 asin sqrt(left) - 2 asin sqrt(right) of two shares.

    Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, chapter 6.
    """
    return 2.0 * math.asin(math.sqrt(left)) - 2.0 * math.asin(math.sqrt(right))


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """Ratio of discordant items; an end or value is None where it has no finite number."""

    value: float | None
    low: float
    high: float | None


def discordant_odds(left_only: int, right_only: int, *, level: float = 0.95) -> Odds | None:
    """Return left_only / right_only with its exact conditional interval; None without either.

    The Clopper-Pearson interval of left_only / (left_only + right_only), as odds.  Breslow and
    Day (1980), Statistical Methods in Cancer Research 1, section 5.2.
    """
    n = left_only + right_only
    if n == 0:
        return None
    low, high = clopper_pearson(right=left_only, n=n, level=level)
    return Odds(
        value=left_only / right_only if right_only else None,
        low=low / (1.0 - low),
        high=high / (1.0 - high) if right_only else None,
    )


def standardised_mean(differences: NDArray[np.float64]) -> float | None:
    """Return the mean of the differences over their standard deviation (Cohen's d for pairs)."""
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    return float(differences.mean()) / spread if spread else None
