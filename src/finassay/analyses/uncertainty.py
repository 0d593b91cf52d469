"""Intervals that know what was drawn.  In: verdicts of one rule.  Out: means with their errors.

Items of one cluster, and trials of one item, are not independent; the intervals here draw
clusters, or items and then their trials.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned
from finassay.analyses.clusters import clusters_of
from finassay.analyses.estimates import points, silent
from finassay.analyses.kernels.clustered import check_clusters
from finassay.analyses.kernels.intervals import student_t, wilson
from finassay.analyses.kernels.mean_intervals import (
    bca,
    cluster_bootstrap,
    cluster_error,
    cluster_robust,
)
from finassay.analyses.kernels.resampling import two_level_means
from finassay.errors import UsageError
from finassay.marking.matrix import VerdictMatrix
from finassay.records import Item, Unscored

Floats = NDArray[np.float64]
Ends = tuple[float, float]
TRIAL_ROWS = ("item_id", "trial")


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedInterval:
    """An interval of a mean and how it was computed."""

    method: str
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanEstimate:
    """A mean of verdicts with the intervals that its design allows.

    Attributes:
        system: the system.
        n: verdicts in the denominator.
        n_unscored: verdicts without an answer or that could not be read.
        units: what is drawn: clusters, or items with several trials.
        value: the mean; None without verdicts, and under "bounds" when some are unscored.
        standard_error: error of the mean over the units; None with fewer than two.
        design_effect: its square over that of independent verdicts; None without spread.
        intervals: under "bounds", from the low end of the worst to the high end of the best case.
        policy: what was done with the unscored.
        seed: seed of what was drawn.
    """

    system: str
    n: int
    n_unscored: int
    units: int
    value: float | None
    standard_error: float | None
    design_effect: float | None
    intervals: tuple[NamedInterval, ...]
    policy: Unscored
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """How intervals are drawn.

    Attributes:
        policy: what is done with verdicts without a value; required.
        level: confidence level in (0, 1).
        draws: resamples.
        seed: seed of the resamples.
    """

    policy: Unscored
    level: float = 0.95
    draws: int = 10_000
    seed: int = 0

    def rng(self) -> np.random.Generator:
        """Return the source of randomness, the same for every system."""
        return np.random.default_rng(self.seed)


def clustered_means(
    matrix: VerdictMatrix, items: Sequence[Item], *, clusters: Sequence[str], drawing: Drawing
) -> tuple[MeanEstimate, ...]:
    """Return one mean a system with intervals over items and over clusters of items.

    Over items: Wilson for right/wrong verdicts, Student's t and BCa for graded ones.  Over
    clusters: t with cluster-robust error, and the percentile bootstrap of clusters.

    Raises:
        UsageError: the rows are not items.
        UnknownNameError: a cluster column that is not there.
    """
    sheet = aligned(matrix, items)
    labels = clusters_of(items, clusters).labels
    values, counted = points(sheet, drawing.policy)
    found = []
    for at, name in enumerate(sheet.columns):
        rows = counted[:, at]
        best = np.where(silent(sheet.status[:, at]), 1.0, values[:, at])[rows]
        worst = values[rows, at]
        low, high = (_over_clusters(v, labels[rows], drawing) for v in (worst, best))
        error, independent, units = _errors(worst, labels[rows])
        found.append(
            MeanEstimate(
                system=name,
                n=len(worst),
                n_unscored=int(silent(sheet.status[:, at]).sum()),
                units=units,
                value=_settled(worst, best, drawing.policy),
                standard_error=error,
                design_effect=(error / independent) ** 2 if error and independent else None,
                intervals=_spanned(low, high if drawing.policy == "bounds" else low),
                policy=drawing.policy,
                seed=drawing.seed,
            )
        )
    return tuple(found)


def _settled(worst: Floats, best: Floats, policy: Unscored) -> float | None:
    if not len(worst) or (policy == "bounds" and bool((worst != best).any())):
        return None
    return float(worst.mean())


def _spanned(
    low: Sequence[NamedInterval], high: Sequence[NamedInterval]
) -> tuple[NamedInterval, ...]:
    """Return intervals from the low ends of one list to the high ends of the other."""
    ends = {one.method: one for one in high}
    return tuple(
        NamedInterval(method=one.method, low=one.low, high=ends[one.method].high)
        for one in low
        if one.method in ends
    )


def _summed(values: Floats, labels: NDArray[np.int64]) -> tuple[Floats, NDArray[np.int64]]:
    levels, where, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    sums = np.bincount(where, weights=values, minlength=len(levels)).astype(np.float64)
    return sums, sizes.astype(np.int64)


def _errors(values: Floats, labels: NDArray[np.int64]) -> tuple[float | None, float | None, int]:
    """Return the errors of the mean over clusters and over items, and the number of clusters."""
    if not len(values):
        return None, None, 0
    sums, sizes = _summed(values, labels)
    ones = np.ones(len(values))
    return cluster_error(sums, sizes.astype(float)), cluster_error(values, ones), len(sizes)


def _over_clusters(
    values: Floats, labels: NDArray[np.int64], drawing: Drawing
) -> tuple[NamedInterval, ...]:
    if not len(values):
        return ()
    sums, sizes = _summed(values, labels)
    check_clusters(sums, sizes)
    level, whole = drawing.level, sizes.astype(np.float64)
    ends: dict[str, Ends] = _over_items(values, drawing)
    ends["cluster-robust"] = cluster_robust(sums, whole, level=level)
    low, high = cluster_bootstrap(
        sums[:, None], whole, level=level, draws=drawing.draws, rng=drawing.rng()
    )
    ends["cluster-bootstrap"] = float(low[0]), float(high[0])
    return tuple(NamedInterval(method=k, low=a, high=b) for k, (a, b) in ends.items())


def _over_items(values: Floats, drawing: Drawing) -> dict[str, Ends]:
    n, level = len(values), drawing.level
    if not ((values != 0.0) & (values != 1.0)).any():
        return {"wilson": wilson(right=int(values.sum()), n=n, level=level)}
    total, squares = math.fsum(values.tolist()), math.fsum((values**2).tolist())
    found = {"student-t": student_t(total=total, squares=squares, n=n, level=level)}
    if n > 1:
        found["bca"] = bca(values, level=level, draws=drawing.draws, rng=drawing.rng())
    return found


def trial_means(matrix: VerdictMatrix, *, drawing: Drawing) -> tuple[MeanEstimate, ...]:
    """Return one mean a system over items of the means over their trials.

    The rows of the matrix are (item_id, trial).  The interval draws items, then trials within each
    item drawn, and the error is that of the item means; items count alike, however many trials
    they have.

    Raises:
        UsageError: the rows are not trials of items, or the policy is "bounds".
    """
    if matrix.row_names != TRIAL_ROWS:
        raise UsageError(
            f"trials need a matrix with the row axes {TRIAL_ROWS}, got {matrix.row_names!r}"
            "; lay the verdicts out with these rows"
        )
    if drawing.policy == "bounds":
        raise UsageError(
            'trials are estimated under "wrong" or "exclude", got \'bounds\''
            "; pass one of these as the policy"
        )
    values, counted = points(matrix, drawing.policy)
    names = matrix.labels("item_id")
    return tuple(
        _over_trials(matrix, at, (values[:, at], counted[:, at]), names, drawing)
        for at in range(len(matrix.columns))
    )


def _over_trials(
    matrix: VerdictMatrix,
    at: int,
    column: tuple[Floats, NDArray[np.bool_]],
    names: Sequence[str],
    drawing: Drawing,
) -> MeanEstimate:
    values, counted = column
    kept = np.flatnonzero(counted)
    used = [names[i] for i in kept.tolist()]
    place = {name: code for code, name in enumerate(dict.fromkeys(used))}
    codes = np.array([place[name] for name in used], dtype=np.int64)
    order = np.argsort(codes, kind="stable")
    verdicts, trials = values[kept][order], np.bincount(codes).astype(np.int64)
    intervals: tuple[NamedInterval, ...] = ()
    value = error = None
    if len(trials):
        means = np.bincount(codes, weights=values[kept]) / trials
        value, error = float(means.mean()), cluster_error(means, np.ones(len(means)))
        chunks = two_level_means(verdicts[:, None], trials, draws=drawing.draws, rng=drawing.rng())
        tail = (1.0 - drawing.level) / 2.0
        ends = np.quantile(np.concatenate(list(chunks)), [tail, 1.0 - tail]).tolist()
        intervals = (NamedInterval(method="two-level-bootstrap", low=ends[0], high=ends[1]),)
    independent = cluster_error(verdicts, np.ones(len(verdicts))) if len(verdicts) else None
    return MeanEstimate(
        system=matrix.columns[at],
        n=len(verdicts),
        n_unscored=int(silent(matrix.status[:, at]).sum()),
        units=len(trials),
        value=value,
        standard_error=error,
        design_effect=(error / independent) ** 2 if error and independent else None,
        intervals=intervals,
        policy=drawing.policy,
        seed=drawing.seed,
    )
