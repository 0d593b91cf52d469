"""Figures with intervals and tests.  In: resampled samples.  Out: results, corrected by family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from finassay.analyses.judges.results import Difference, Family, Figure
from finassay.analyses.kernels.block_bootstrap import Sample
from finassay.analyses.kernels.families import Adjustment, adjusted

CORRECTION: Adjustment = "holm"


def figure(found: Sample, level: float) -> Figure:
    """Return a figure with its interval."""
    if not found.is_defined:
        return Figure(value=None, low=None, high=None)
    low, high = found.ends(level) or (None, None)
    return Figure(value=found.point, low=low, high=high, n_undefined=found.n_undefined)


def difference(found: Sample, level: float) -> Difference:
    """Return a difference with its p, not corrected yet."""
    return Difference(figure=figure(found, level), p=found.p(), p_adjusted=None, differs=False)


def corrected(
    made: Sequence[Difference], *, name: str, level: float
) -> tuple[tuple[Difference, ...], Family]:
    """Return differences with p corrected for all that have one, and their family."""
    known = [one.p for one in made if one.p is not None]
    values = iter(adjusted(np.array(known, dtype=np.float64), method=CORRECTION).tolist())
    out = []
    for one in made:
        p = None if one.p is None else float(next(values))
        out.append(replace(one, p_adjusted=p, differs=p is not None and p < 1.0 - level))
    return tuple(out), Family(name=name, size=len(known), method=CORRECTION)
