"""At-cap rate against change of score.  In: rates and scores.  Out: correlations over systems."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.correlation import pearson, spearman
from finassay.analyses.results_configuration import AtCapAssociation, AtCapPoint
from finassay.analyses.results_overturns import CountRate
from finassay.analyses.wording import plural

METHOD = (
    "one point a system: share of its replies at the cap, and score after minus score before; r of "
    "the systems that are not left out, and again without each of them"
)

FEW = 20


def at_cap_association(
    rates: Mapping[str, CountRate],
    before: Mapping[str, float],
    after: Mapping[str, float],
    *,
    names: tuple[str, str],
    leave_out: Collection[str] = (),
) -> AtCapAssociation:
    """Return whether systems that are cut more often change more.

    Args:
        rates: system -> replies at its cap.
        before: system -> first score.
        after: system -> second score.
        names: what the scores are, for instance ("stored", "regime/judge-only").
        leave_out: systems that are shown and not counted.
    """
    points = [
        AtCapPoint(
            system=system,
            at_cap=rate,
            before=before[system],
            after=after[system],
            change=after[system] - before[system],
            left_out=system in leave_out,
            r_without=None,
        )
        for system, rate in rates.items()
        if system in before and system in after and rate.rate is not None
    ]
    counted = [point for point in points if not point.left_out]
    x, y = _columns(counted)
    r, r_p, r_how = pearson(x, y)
    rho, rho_p, rho_how = spearman(x, y)
    return AtCapAssociation(
        before=names[0],
        after=names[1],
        points=tuple(replace(point, r_without=_without(point, counted)) for point in points),
        n=len(counted),
        pearson=r,
        pearson_p=r_p,
        pearson_method=r_how,
        spearman=rho,
        spearman_p=rho_p,
        spearman_method=rho_how,
        missing=tuple(system for system in rates if system not in before or system not in after),
        method=METHOD,
        warnings=_warnings(len(counted)),
    )


def _columns(points: Sequence[AtCapPoint]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    x = np.array([point.at_cap.rate or 0.0 for point in points])
    return x, np.array([point.change for point in points])


def _without(point: AtCapPoint, counted: Sequence[AtCapPoint]) -> float | None:
    if point.left_out:
        return None
    return pearson(*_columns([other for other in counted if other is not point]))[0]


def _warnings(n: int) -> tuple[str, ...]:
    if n >= FEW:
        return ()
    return (
        f"one of {plural(n, 'system')} can make or unmake a correlation: look at r without each",
    )
