"""A pairwise judge beside people.  In: counts of pairs.  Out: kappa, F1 and accuracy.

People prefer one answer of every pair; a judge prefers the same, the other, or neither.  Which of
two answers is called left is a matter of names, so each pair counts once in either arrangement,
with half its weight: kappa then does not change when systems are renamed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels import judge_tables as tables
from finassay.analyses.kernels.judge_tables import Treatment, Values

__all__ = ["Values", "accuracy", "as_cells", "f1", "kappa", "pair_features"]

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

MISSING = -1
OTHER, SAME, NEITHER = 0, 1, 2
"""The judge prefers the answer that people reject, the one they prefer, or none."""

CELLS = 3


def pair_features(codes: Codes) -> Floats:
    """Return (P, 3) in which cell each pair lies; zeros where the judge was not asked."""
    out = np.zeros((len(codes), CELLS))
    used = np.flatnonzero(codes != MISSING)
    out[used, codes[used]] = 1.0
    return out


def as_cells(sums: Floats, treatment: Treatment) -> Floats:
    """Return (B, 6) counts by what people and the judge say, from (B, 3) counts of pairs.

    Under "wrong" a pair without a decision counts as one decided for the answer that people
    reject.  The other treatments are those of `judge_tables`.
    """
    other, same, neither = (sums[:, k] / 2.0 for k in (OTHER, SAME, NEITHER))
    if treatment == "wrong":
        other, neither = other + neither, np.zeros_like(neither)
    return np.stack([same, other, neither, other, same, neither], axis=1)


def kappa(sums: Floats, treatment: Treatment) -> Floats:
    """Return (B,) Cohen's kappa over both arrangements of every pair.

    Without pairs that are undecided it is 2 (share of agreement) - 1, since both sides are then
    used equally often by construction.  Cohen (1960), Educational and Psychological Measurement
    20, 37-46.
    """
    return tables.kappa(as_cells(sums, treatment), treatment)


def f1(sums: Floats, treatment: Treatment) -> Floats:
    """Return (B,) F1 of a side; it is the same for both sides."""
    return tables.f1_macro(as_cells(sums, treatment), treatment)


def accuracy(sums: Floats, treatment: Treatment) -> Floats:
    """Return (B,) share of pairs on which the judge prefers what people prefer."""
    return tables.accuracy(as_cells(sums, treatment), treatment)
