"""A judge beside people.  In: counts of six cells.  Out: kappa, F1 and accuracy.

People say INCORRECT or CORRECT; a judge says one of the two or nothing.  Every figure is a function
of the six counts, so it follows in every resample from resampled counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

Treatment = Literal["category", "wrong", "half", "dropped"]
"""How a verdict without a value enters a figure: as a third category, which agrees with nothing;
as INCORRECT, which is what the policy "wrong" makes of it; half as CORRECT and half as INCORRECT;
or not at all."""

TREATMENTS: tuple[Treatment, ...] = get_args(Treatment)

INCORRECT, CORRECT, NO_VERDICT = 0, 1, 2
MISSING = -1

CELLS = 6
"""Cell 3 y + z: people say y, the judge says z."""

Values = Callable[[Floats], Floats]
"""From (B, F) sums to (B,) values, not a number where undefined."""


def primary_first(primary: Treatment) -> tuple[Treatment, ...]:
    """Return all treatments, the primary one first."""
    return (primary, *(one for one in TREATMENTS if one != primary))


def cell_features(people: Codes, judge: Codes) -> Floats:
    """Return (U, 6) in which cell each unit lies; zeros where one of the two is MISSING."""
    out = np.zeros((len(people), CELLS))
    used = np.flatnonzero((people != MISSING) & (judge != MISSING))
    out[used, 3 * people[used] + judge[used]] = 1.0
    return out


def treated(sums: Floats, treatment: Treatment) -> Floats:
    """Return (B, 2, 3) counts by what people and the judge say, under a treatment."""
    table = sums.reshape(-1, 2, 3).copy()
    none = table[:, :, NO_VERDICT].copy()
    if treatment != "category":
        table[:, :, NO_VERDICT] = 0.0
    if treatment == "wrong":
        table[:, :, INCORRECT] += none
    elif treatment == "half":
        table[:, :, :NO_VERDICT] += none[:, :, None] / 2.0
    return table


def _ratio(top: Floats, bottom: Floats) -> Floats:
    out = np.full(np.shape(top), np.nan)
    return np.asarray(np.divide(top, bottom, out=out, where=bottom > 0))


def _columns(sums: Floats, treatment: Treatment) -> tuple[Floats, ...]:
    """Return the six (B,) counts under a treatment.

    Columns one by one, since sums over axes of two and three are slow.
    """
    table = treated(sums, treatment).reshape(-1, CELLS)
    return tuple(np.ascontiguousarray(table[:, cell]) for cell in range(CELLS))


def kappa(sums: Floats, treatment: Treatment) -> Floats:
    """Return (B,) Cohen's kappa: (observed - expected) / (1 - expected), of the margins.

    Undefined without units, or when chance alone would always agree.  A third category of the judge
    has no counterpart among people, so it agrees with nothing.  Cohen (1960), Educational and
    Psychological Measurement 20, 37-46.
    """
    a, b, c, d, e, f = _columns(sums, treatment)
    low, high = a + b + c, d + e + f
    n = low + high
    observed = _ratio(a + e, n)
    expected = _ratio(low * (a + d) + high * (b + e), n * n)
    left = np.where(expected < 1.0 - 1e-12, 1.0 - expected, 0.0)
    return _ratio(observed - expected, left)


def f1(sums: Floats, treatment: Treatment, positive: int) -> Floats:
    """Return (B,) F1 of one class: 2 TP / (2 TP + FP + FN); undefined where nobody names it.

    A third category is a miss for the class that people name.  Van Rijsbergen (1979), Information
    Retrieval, chapter 7.
    """
    a, b, c, d, e, f = _columns(sums, treatment)
    if positive == CORRECT:
        return _ratio(2.0 * e, (d + e + f) + (b + e))
    return _ratio(2.0 * a, (a + b + c) + (a + d))


def f1_macro(sums: Floats, treatment: Treatment) -> Floats:
    """Return (B,) unweighted mean of the F1 of the two classes."""
    return (f1(sums, treatment, CORRECT) + f1(sums, treatment, INCORRECT)) / 2.0


def accuracy(sums: Floats, treatment: Treatment) -> Floats:
    """Return (B,) share of units on which people and the judge agree."""
    a, b, c, d, e, f = _columns(sums, treatment)
    return _ratio(a + e, a + b + c + d + e + f)


def two_judges(sums: Floats) -> Floats:
    """Return (B,) Cohen's kappa of two judges, from (B, 4) counts of 2 first + second."""
    table = sums.reshape(-1, 2, 2)
    wide = np.concatenate([table, np.zeros((len(table), 2, 1))], axis=2)
    return kappa(wide.reshape(-1, CELLS), "dropped")


def difference(values: Values, width: int) -> Values:
    """Return the values of the first `width` sums minus those of the others."""

    def minus(sums: Floats) -> Floats:
        return values(sums[:, :width]) - values(sums[:, width:])

    return minus
