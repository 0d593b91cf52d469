"""The answers that a score is over.  In: a frame of labels.  Out: parts, and estimates of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from finassay.analyses.kernels.finite_shares import Share, effective_interval
from finassay.analyses.kernels.mean_intervals import cluster_error
from finassay.analyses.label_frame import Bools, Floats, Frame
from finassay.analyses.results_few_labels import Estimator, LabelEstimate, Population

NO_LABELS = "none of its answers is labelled"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """The answers that one score is over.

    Attributes:
        frame: all answers.
        rows: (U,) which of them.
        level: confidence level.
        population: of what the score is meant.
        design_effect: how much more the mean of the verdicts varies because items come in
            clusters.
    """

    frame: Frame
    rows: Bools
    level: float
    population: Population
    design_effect: float = 1.0

    @property
    def size(self) -> int:
        """Number of answers."""
        return int(self.rows.sum())

    @property
    def labelled(self) -> Bools:
        """(U,) labelled answers among them."""
        return self.rows & self.frame.is_labelled

    @property
    def n_labels(self) -> int:
        """Number of labelled answers."""
        return int(self.labelled.sum())

    @property
    def rate(self) -> float:
        """Share of the answers that the judge marks right."""
        return float(self.frame.says_right[self.rows].mean())

    def widened(self, share: Share) -> Share:
        """Return the share with the interval that its population asks for.

        "items like these" adds what the items would vary by if others had been written: the
        distances to the exact interval of n = answers / design effect, square-and-add.
        """
        if self.population == "these items":
            return share
        n = self.size / self.design_effect
        value = min(1.0, max(0.0, share.value))
        low, high = effective_interval(value, n, self.level)
        return Share(
            value=share.value,
            low=max(0.0, share.value - math.hypot(share.value - share.low, value - low)),
            high=min(1.0, share.value + math.hypot(share.high - share.value, high - value)),
            variance=share.variance + value * (1.0 - value) / n,
        )


def design_effect(frame: Frame, rows: Bools, values: Floats) -> float:
    """Return how much more the mean of some values varies because items come in clusters.

    The squared cluster-robust error over that of single answers, at least 1; 1 without clusters.
    """
    clusters = frame.sample.clusters
    if not clusters:
        return 1.0
    units = [frame.sample.units[at].item_id for at in np.flatnonzero(rows).tolist()]
    names = [clusters.get(item, f"item {item}") for item in units]
    where = np.unique(np.array(names, dtype=object), return_inverse=True)[1]
    sums, sizes = np.bincount(where, weights=values[rows]), np.bincount(where)
    error = cluster_error(sums.astype(np.float64), sizes.astype(np.float64))
    plain = float(values[rows].var()) / len(units)
    if error is None or plain <= 0.0:
        return len(units) / len(sizes)
    return max(1.0, error**2 / plain)


def why_not(part: Part) -> str:
    """Return why nothing can be estimated; "" where it can."""
    if not part.n_labels:
        return NO_LABELS
    empty = part.frame.unlabelled_strata(part.rows)
    return f"nothing is labelled yet in stratum {empty[0]!r}" if empty else ""


def without(estimator: Estimator, reason: str, n_labels: int) -> LabelEstimate:
    """Return an estimate that could not be made."""
    return LabelEstimate(
        estimator=estimator,
        value=None,
        low=None,
        high=None,
        error=None,
        n_labels=n_labels,
        effective_size=None,
        reason=reason,
    )


def made(
    estimator: Estimator, share: Share | None, part: Part, *, tuning: float | None = None
) -> LabelEstimate:
    """Return a share, with what its population adds, as an estimate."""
    if share is None:
        return without(estimator, "answers outside the strata drawn whole lack labels", 0)
    wide = part.widened(share)
    value = min(1.0, max(0.0, wide.value))
    low, high = min(value, max(0.0, wide.low)), max(value, min(1.0, wide.high))
    return LabelEstimate(
        estimator=estimator,
        value=value,
        low=low,
        high=high,
        error=math.sqrt(wide.variance),
        n_labels=part.n_labels,
        effective_size=worth(low, high, part.level),
        clipped=value != wide.value,
        tuning=tuning,
    )


def worth(low: float, high: float, level: float) -> float | None:
    """Return how many labels, drawn one by one, would give an interval as wide; None at no width.

    z^2 m (1 - m) / h^2 with m the middle and h half the width.
    """
    half, middle = (high - low) / 2.0, (high + low) / 2.0
    if half <= 0.0:
        return None
    z = float(special.ndtri((1.0 + level) / 2.0))
    return z * z * middle * (1.0 - middle) / half**2
