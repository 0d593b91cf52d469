"""Intervals for shares and means.  In: counts.  Out: (low, high) as fractions."""

from __future__ import annotations

import math

from scipy import special


def _check(right: float, n: int, level: float) -> None:
    if n < 1 or not 0 <= right <= n:
        raise ValueError(
            f"`right` must be in [0, n] with n >= 1, got right {right!r} and n {n!r}; with no "
            f"observations there is no interval"
        )
    if not 0.0 < level < 1.0:
        raise ValueError(f"`level` must be in (0, 1), got {level!r}; for 95% pass 0.95")


def wilson(*, right: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the score interval of a share, ends in [0, 1].

    (p + z^2/2n -+ z sqrt(p (1 - p)/n + z^2/4n^2)) / (1 + z^2/n) with p = right / n and z the
    normal quantile of (1 + level) / 2.  Wilson (1927), JASA 22, 209-212.

    Raises:
        ValueError: n < 1, `right` outside [0, n], or `level` outside (0, 1).
    """
    _check(right, n, level)
    z = float(special.ndtri((1.0 + level) / 2.0))
    p = right / n
    centre = p + z * z / (2 * n)
    half = z * math.sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n))
    scale = 1.0 + z * z / n
    low = 0.0 if right == 0 else (centre - half) / scale
    high = 1.0 if right == n else (centre + half) / scale
    return max(0.0, low), min(1.0, high)


def clopper_pearson(*, right: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the exact binomial interval of a share: quantiles of beta distributions.

    Low is the (1 - level)/2 quantile of Beta(right, n - right + 1), high the (1 + level)/2
    quantile of Beta(right + 1, n - right); 0 and 1 at the ends.  Clopper and Pearson (1934),
    Biometrika 26, 404-413.

    Raises:
        ValueError: n < 1, `right` outside [0, n], or `level` outside (0, 1).
    """
    _check(right, n, level)
    tail = (1.0 - level) / 2.0
    low = 0.0 if right == 0 else float(special.betaincinv(right, n - right + 1, tail))
    high = 1.0 if right == n else float(special.betaincinv(right + 1, n - right, 1.0 - tail))
    return low, high


def jeffreys(*, right: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the equal-tailed interval of Beta(right + 1/2, n - right + 1/2).

    0 when nothing is right and 1 when everything is, as Brown, Cai and DasGupta (2001),
    Statistical Science 16, 101-133, section 3.1.3, advise.

    Raises:
        ValueError: n < 1, `right` outside [0, n], or `level` outside (0, 1).
    """
    _check(right, n, level)
    tail = (1.0 - level) / 2.0
    shape = right + 0.5, n - right + 0.5
    low = 0.0 if right == 0 else float(special.betaincinv(*shape, tail))
    high = 1.0 if right == n else float(special.betaincinv(*shape, 1.0 - tail))
    return low, high


def student_t(*, total: float, squares: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the t interval of the mean of graded scores, cut to [0, 1].

    `total` and `squares` are the sum and the sum of squares of n scores.  With n = 1 the scores
    say nothing of their spread, so the interval is [0, 1].

    Raises:
        ValueError: n < 1, `total` outside [0, n], or `level` outside (0, 1).
    """
    _check(total, n, level)
    if n == 1:
        return 0.0, 1.0
    mean = total / n
    variance = max(0.0, (squares - total * mean) / (n - 1))
    half = float(special.stdtrit(n - 1, (1.0 + level) / 2.0)) * math.sqrt(variance / n)
    return max(0.0, mean - half), min(1.0, mean + half)
