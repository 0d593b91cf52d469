"""What a system's average and an item's would have one expect.  In: values.  Out: expected values.

The additive logit model: log(p / (1 - p)) = ability of the system - difficulty of the item, with
the values of every item and of every system adding up to what was seen.  Rasch (1960); its joint
maximum likelihood, Wright and Panchapakesan (1969).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

ROUNDS = 500
TOLERANCE = 1e-7
LONGEST_STEP = 1.0
"""Longest step of a parameter in one round, in logits; longer ones overshoot at first."""


def expected_values(values: Floats, counted: Bools) -> Floats:
    """Return (R, C) expected values under the additive model; 0.0 where nothing counts.

    An item on which all systems have 0, or all have 1, has no finite difficulty: its values are
    expected to be what they are.  So has a system; both are left out of the fit, one after another.
    Where a part of the systems has all of some items right and the others none of the rest, the
    maximum lies at infinity, and sums agree to about 0.001 only.

    Args:
        values: (R items, C systems) in [0, 1].
        counted: (R, C) whether each counts.
    """
    seen = np.where(counted, values, 0.0)
    inside = _finite(seen, counted)
    out = seen.copy()
    if not inside.any():
        return out
    rows, columns = inside.any(axis=1), inside.any(axis=0)
    at = np.ix_(rows, columns)
    out[at] = np.where(inside[at], _fitted(seen[at], inside[at]), out[at])
    return out


def _finite(seen: Floats, counted: Bools) -> Bools:
    """Return (R, C) the cells whose item and system both have something between none and all."""
    inside = counted.copy()
    while True:
        before = int(inside.sum())
        for axis in (1, 0):
            total, n = np.where(inside, seen, 0.0).sum(axis=axis), inside.sum(axis=axis)
            keep = (total > 0) & (total < n)
            inside &= keep[:, None] if axis == 1 else keep[None, :]
        if int(inside.sum()) == before:
            return inside


def _fitted(seen: Floats, inside: Bools) -> Floats:
    given = np.where(inside, seen, 0.0)
    easiness = np.zeros((seen.shape[0], 1))
    ability = np.zeros((1, seen.shape[1]))
    for _ in range(ROUNDS):
        easiness += _step(given, inside, easiness + ability, axis=1)
        ability += _step(given, inside, easiness + ability, axis=0)
        p = np.where(inside, special.expit(easiness + ability), 0.0)
        gap = max(np.abs((given - p).sum(axis=axis)).max() for axis in (0, 1))
        if gap < TOLERANCE:
            break
    return p


def _step(given: Floats, inside: Bools, logits: Floats, *, axis: int) -> Floats:
    """Return one step of Newton's method for each item (axis 1) or system (axis 0)."""
    p = np.where(inside, special.expit(logits), 0.0)
    slope = (p * (1.0 - p)).sum(axis=axis, keepdims=True)
    gap = (given - p).sum(axis=axis, keepdims=True)
    step = np.divide(gap, slope, out=np.zeros_like(gap), where=slope > 0)
    return np.asarray(np.clip(step, -LONGEST_STEP, LONGEST_STEP))
