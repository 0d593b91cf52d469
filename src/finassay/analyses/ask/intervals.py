"""Intervals of the metrics.  In: outcomes by trajectory.  Out: ends from resampled trajectories.

States of one review hang together, so whole trajectories are drawn, not states.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.ask.metrics import METRICS, Metric, Outcome, tally
from finassay.analyses.clusters import FEW
from finassay.analyses.kernels.bootstrap import Floats, Interval, Statistic, Values, bca_intervals
from finassay.analyses.results_ask import AskInterval

_ASK, _PROCEED, _ASKED, _WENT_ON, _ALIGNED, _DIRECT, _RELEVANT = range(7)

_RATIOS: dict[Metric, tuple[int, int]] = {
    "ERA": (_ALIGNED, _ASK),
    "AskR": (_ASKED, _ASK),
    "ProceedR": (_WENT_ON, _PROCEED),
    "CRA": (_ALIGNED, _ASKED),
    "DEH": (_DIRECT, _ASK),
    "REH": (_RELEVANT, _ASK),
}


def trajectory_sums(outcomes: Sequence[Outcome]) -> Floats:
    """Return (G, 7) sums of each trajectory, in the order of `Tally`."""
    names = dict.fromkeys(one.trajectory for one in outcomes)
    rows = []
    for name in names:
        inside = tally([one for one in outcomes if one.trajectory == name])
        rows.append(
            [
                *(inside.ask, inside.proceed, inside.asked, inside.went_on),
                *(inside.aligned, inside.direct, inside.relevant),
            ]
        )
    return np.array(rows, dtype=np.float64).reshape(len(rows), 7)


def ask_intervals(
    outcomes: Sequence[Outcome], *, level: float, draws: int, seed: int
) -> tuple[AskInterval, ...]:
    """Return a BCa interval of each metric, trajectories drawn as wholes.

    All metrics see the same resamples; those in which a metric has no denominator are counted and
    left out.  Where no interval can be made, or all resamples agree, a note says why.

    Args:
        outcomes: one for each state.
        level: confidence level.
        draws: resamples.
        seed: of the resamples.
    """
    sums = trajectory_sums(outcomes)
    statistics = [Statistic(sums=sums, values=_values_of(metric)) for metric in METRICS]
    found = bca_intervals(statistics, draws=draws, rng=np.random.default_rng(seed), level=level)
    return tuple(
        _interval(metric, one, len(sums)) for metric, one in zip(METRICS, found, strict=True)
    )


def _interval(metric: Metric, found: Interval, groups: int) -> AskInterval:
    note = ""
    if found.low is None:
        note = "one trajectory or none" if groups < 2 else "the metric has no value"
    elif found.is_degenerate:
        note = "every resample gives this value; the sample cannot show how far it may vary"
    elif groups < FEW:
        note = f"{groups} trajectories are few (fewer than {FEW}): a rough interval"
    return AskInterval(
        metric=metric,
        low=found.low,
        high=found.high,
        n_undefined=found.n_undefined,
        note=note,
    )


def _values_of(metric: Metric) -> Values:
    if metric == "BAcc":
        return _balanced
    if metric == "RAA":
        return _agreement
    top, bottom = _RATIOS[metric]

    def ratio(sums: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        return _divided(sums[:, top], sums[:, bottom])

    return ratio


def _divided(top: Floats, bottom: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    known = bottom > 0
    return np.divide(top, bottom, out=np.zeros_like(top), where=known), known


def _balanced(sums: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    ask, has_ask = _divided(sums[:, _ASKED], sums[:, _ASK])
    proceed, has_proceed = _divided(sums[:, _WENT_ON], sums[:, _PROCEED])
    return (ask + proceed) / 2.0, has_ask & has_proceed


def _agreement(sums: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    return _divided(sums[:, _ASKED] + sums[:, _WENT_ON], sums[:, _ASK] + sums[:, _PROCEED])
