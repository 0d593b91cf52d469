"""Classical item statistics.  In: right and wrong as numbers.  Out: difficulty, discrimination."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]


def correlations(left: Floats, right: Floats) -> Floats:
    """Return (R,) Pearson correlations of the rows of two (R, C) arrays.

    A row that does not vary has none: its entry is 0.0, and `varies` tells such rows apart.
    """
    a = left - left.mean(axis=1, keepdims=True)
    b = right - right.mean(axis=1, keepdims=True)
    bottom = np.sqrt((a**2).sum(axis=1) * (b**2).sum(axis=1))
    top = (a * b).sum(axis=1)
    out = np.divide(top, bottom, out=np.zeros(len(top)), where=bottom > 1e-12)
    return np.asarray(np.clip(out, -1.0, 1.0))


def varies(rows: Floats) -> NDArray[np.bool_]:
    """Return (R,) whether each row of an (R, C) array holds two different numbers."""
    return np.asarray(np.ptp(rows, axis=1) > 1e-12) if rows.shape[1] else np.zeros(len(rows), bool)


def item_total(values: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Return (R,) point-biserial correlations of each item with the total score, and if defined.

    `values` is (R items, C systems).  Lord and Novick (1968), section 15.5.
    """
    totals = np.broadcast_to(values.sum(axis=0), values.shape)
    return correlations(values, totals), varies(values) & varies(totals)


def item_rest(values: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Return (R,) correlations of each item with the score on all other items, and if defined.

    Without the item itself in the total there is no part-whole inflation: Henrysson (1963),
    Psychometrika 28, 211-218.
    """
    rest = values.sum(axis=0)[None, :] - values
    return correlations(values, rest), varies(values) & varies(rest)


def cronbach_alpha(values: Floats) -> float | None:
    """Return Cronbach's alpha of (R items, C systems) scores; KR-20 when they are 0 and 1.

    R / (R - 1) (1 - sum of item variances / variance of totals).  Cronbach (1951), Psychometrika
    16, 297-334; Kuder and Richardson (1937), Psychometrika 2, 151-160, formula 20.

    None with fewer than two items or systems, or when all totals are equal.
    """
    items, systems = values.shape
    if items < 2 or systems < 2:
        return None
    whole = float(values.sum(axis=0).var(ddof=1))
    if whole <= 1e-12:
        return None
    parts = math.fsum(values.var(axis=1, ddof=1).tolist())
    return float(items / (items - 1) * (1.0 - parts / whole))


def alpha_interval(
    alpha: float, *, items: int, systems: int, level: float
) -> tuple[float, float] | None:
    """Return the interval of alpha from its F distribution; None with fewer than two of either.

    1 - (1 - alpha) F at the two tails, with systems - 1 and (systems - 1)(items - 1) degrees of
    freedom.  Feldt (1965), Psychometrika 30, 357-370.  It assumes that systems are drawn from a
    population and that their errors are alike, so with a dozen chosen systems it is a rough guide.
    """
    if items < 2 or systems < 2:
        return None
    free, rest = systems - 1, (systems - 1) * (items - 1)
    tail = (1.0 - level) / 2.0
    high = 1.0 - (1.0 - alpha) * float(special.fdtri(free, rest, tail))
    low = 1.0 - (1.0 - alpha) * float(special.fdtri(free, rest, 1.0 - tail))
    return low, min(1.0, high)


def trend(scores: Floats, dose: Floats) -> tuple[float, float] | None:
    """Return (z, two-sided p) of a linear trend of scores over ordered groups.

    z = r sqrt(N - 1), r the correlation of the (N,) scores with their (N,) group scores: the
    Cochran-Armitage test in Mantel's form, whose variance is that of all permutations, so that it
    also holds for graded scores.  Armitage (1955), Biometrics 11, 375-386; Mantel (1963), JASA 58,
    690-700.

    None when scores or groups do not vary.
    """
    if len(scores) < 2 or np.ptp(scores) <= 1e-12 or np.ptp(dose) <= 1e-12:
        return None
    r = float(correlations(scores[None, :], dose[None, :])[0])
    z = r * math.sqrt(len(scores) - 1)
    return z, float(special.erfc(abs(z) / math.sqrt(2.0)))
