"""Parts of the variance over a grid.  In: responses and choices.  Out: main effects, pairs, rest.

A functional analysis of variance (Sobol, 1993; for a full factorial the classical one).  Factors
may be nested: where a factor does not apply, a row has no level of it, and its effect is taken
among the rows where it applies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Levels = NDArray[np.int64]

ABSENT = -1
"""Level of a factor in a row where it does not apply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceParts:
    """Parts of the weighted variance of K responses, in squared units of the response.

    Attributes:
        total: (K,) variance.
        mains: (D, K) main effects.
        pairs: (D, D, K) two-way interactions, symmetric, 0 on the diagonal.
    """

    total: Floats
    mains: Floats
    pairs: Floats

    @property
    def rest(self) -> Floats:
        """(K,) what main effects and pairs leave."""
        both = self.mains.sum(axis=0) + self.pairs.sum(axis=(0, 1)) / 2.0
        return np.asarray(self.total - both)


def variance_parts(values: Floats, levels: Levels, weights: Floats) -> VarianceParts:
    """Return the parts of the variance of (R, K) values over (R, D) levels.

    The main effect of a factor is the weighted variance of the means of its levels, times the
    weight of the rows where it applies.  The interaction of two is what an additive model, fitted
    to the means of their cells by weighted least squares, leaves between cells: in a balanced
    grid the classical one, and never negative in an unbalanced one.

    Args:
        values: responses.
        levels: level of each factor, `ABSENT` where it does not apply.
        weights: (R,) weights; they need not sum to 1.
    """
    share = weights / weights.sum()
    centred = values - share @ values
    factors, responses = levels.shape[1], values.shape[1]
    mains = np.zeros((factors, responses))
    pairs = np.zeros((factors, factors, responses))
    for a in range(factors):
        mains[a] = _main(centred, levels[:, a], share)
        for b in range(a):
            pairs[a, b] = pairs[b, a] = _pair(centred, levels[:, [a, b]], share)
    return VarianceParts(total=share @ centred**2, mains=mains, pairs=pairs)


def level_means(values: Floats, level: Levels, weights: Floats) -> tuple[Floats, Floats]:
    """Return (L, K) weighted means of the rows of each level 0..L-1, and (L,) weights of these.

    A level without a row has weight 0 and mean 0.
    """
    applies = level >= 0
    count = int(level.max()) + 1 if applies.any() else 0
    size = np.zeros(count)
    np.add.at(size, level[applies], weights[applies])
    sums = np.zeros((count, values.shape[1]))
    np.add.at(sums, level[applies], values[applies] * weights[applies, None])
    return sums / np.where(size > 0, size, 1.0)[:, None], size


def _main(centred: Floats, level: Levels, share: Floats) -> Floats:
    means, size = level_means(centred, level, share)
    whole = size.sum()
    if whole == 0.0:
        return np.zeros(centred.shape[1])
    middle = size @ means / whole
    return np.asarray(size @ (means - middle) ** 2)


def _pair(centred: Floats, levels: Levels, share: Floats) -> Floats:
    applies = (levels >= 0).all(axis=1)
    if not applies.any():
        return np.zeros(centred.shape[1])
    wide = int(levels[:, 1].max()) + 1
    cells, where = np.unique(levels[applies] @ np.array([wide, 1]), return_inverse=True)
    means, size = level_means(centred[applies], where.astype(np.int64), share[applies])
    one, other = cells // wide, cells % wide
    design = np.hstack([k[:, None] == np.unique(k) for k in (one, other)]).astype(float)
    root = np.sqrt(size)[:, None]
    fitted = design @ np.linalg.lstsq(root * design, root * means, rcond=None)[0]
    return np.asarray(size @ (means - fitted) ** 2)
