"""What a paired comparison can find.  In: items, discordance, level.  Out: power, differences."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special


@lru_cache(maxsize=64)
def _critical(n: int, alpha: float) -> NDArray[np.float64]:
    """Return (n + 1,) the largest k with 2 P(X <= k) <= alpha, X binomial (m, 1/2), m = 0..n.

    -1 where there is none.
    """
    m = np.arange(n + 1)
    with np.errstate(invalid="ignore"):
        guess = np.floor(special.bdtrik(alpha / 2.0, m.astype(np.float64), 0.5))
    k = np.minimum(np.nan_to_num(guess, nan=-1.0) + 1.0, np.floor((m - 1.0) / 2.0))
    for _ in range(4):
        over = (k >= 0) & (2.0 * special.bdtr(np.maximum(k, 0.0), m, 0.5) > alpha)
        k = np.where(over, k - 1.0, k)
    out = np.asarray(k, dtype=np.float64)
    out.flags.writeable = False
    return out


def mcnemar_power(*, n: int, discordance: float, difference: float, alpha: float = 0.05) -> float:
    """Return the chance that the exact McNemar test on n items gives p <= alpha.

    Items are right under one system alone with chance (discordance +- difference) / 2.  Exact: the
    test's power given m discordant items, over the binomial number m.  Duffy (1984), Biometrics
    40, 1005-1015.

    Raises:
        ValueError: n < 1, a discordance outside [0, 1], a difference beyond the discordance, or an
            alpha outside (0, 1).
    """
    if n < 1 or not 0.0 <= discordance <= 1.0 or abs(difference) > discordance:
        raise ValueError(
            f"power needs n >= 1 and |difference| <= discordance <= 1, got n {n!r}, difference "
            f"{difference!r}, discordance {discordance!r}"
        )
    if not 0.0 < alpha < 1.0:
        raise ValueError(f"`alpha` must be in (0, 1), got {alpha!r}")
    if discordance == 0.0:
        return 0.0
    m = np.arange(n + 1)
    k = _critical(n, alpha)
    share = (discordance + difference) / 2.0 / discordance
    reachable = k >= 0
    low = np.where(reachable, special.bdtr(np.maximum(k, 0.0), m, share), 0.0)
    high = np.where(reachable, special.bdtr(np.maximum(k, 0.0), m, 1.0 - share), 0.0)
    return float(_binomial(n, discordance) @ (low + high))


def _binomial(n: int, p: float) -> NDArray[np.float64]:
    """Return (n + 1,) the pmf of a binomial."""
    m = np.arange(n + 1, dtype=np.float64)
    logs = special.gammaln(n + 1.0) - special.gammaln(m + 1.0) - special.gammaln(n - m + 1.0)
    return np.asarray(np.exp(logs + special.xlogy(m, p) + special.xlog1py(n - m, -p)))


def detectable_share(
    *, n: int, discordance: float, alpha: float = 0.05, power: float = 0.8
) -> float | None:
    """Return the smallest difference of two paired shares that McNemar's exact test finds.

    It is found with the given power at this discordance; None when not even a difference as large
    as the discordance is.  Power grows with the difference, so bisection finds it.
    """

    def reaches(difference: float) -> bool:
        found = mcnemar_power(n=n, discordance=discordance, difference=difference, alpha=alpha)
        return found >= power

    low, high = 0.0, discordance
    if not reaches(high):
        return None
    for _ in range(30):
        middle = (low + high) / 2.0
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


def detectable_mean(
    *, standard_error: float, degrees: int, alpha: float = 0.05, power: float = 0.8
) -> float | None:
    """Return the difference of means that a t test finds with the given power.

    (t at 1 - alpha/2 + t at power) x standard error; None without a spread.  Cohen (1988),
    chapter 2, with t quantiles in place of the noncentral t.
    """
    if degrees < 1 or standard_error <= 0.0:
        return None
    quantiles = special.stdtrit(degrees, 1.0 - alpha / 2.0) + special.stdtrit(degrees, power)
    return float(quantiles) * standard_error
