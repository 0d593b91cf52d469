"""Scores corrected for the errors of a judge.  In: labels and verdicts.  Out: value and interval.

Both corrections need labels that are a random sample: Rogan-Gladen inverts the judge's error rates,
prediction-powered inference adds the mean error found in the labels to the mean verdict.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import special

from finassay.analyses.kernels.finite_shares import effective_interval

Floats = NDArray[np.float64]

FEWEST = 30
"""Labels below which the interval of graded scores is not given: see the simulation."""

MISFIT = "no share of right answers fits the judge's rate and these error rates together"
NO_BETTER = (
    "the judge marks right answers right no more often than wrong ones, so its rate says nothing"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRate:
    """One minus an error rate of a judge: its sensitivity or its specificity.

    Attributes:
        value: estimate in [0, 1].
        low: low end of its interval.
        high: high end.
        variance: estimated variance.
    """

    value: float
    low: float
    high: float
    variance: float

    @classmethod
    def of(
        cls, value: float, labels: float, *, left: float = 1.0, level: float = 0.95
    ) -> ErrorRate:
        """Return a rate found in labels of equal weight, or in that many effective ones.

        The interval is Clopper-Pearson's, drawn in by sqrt(left) where only that part of the
        population is unlabelled.
        """
        low, high = effective_interval(value, labels, level)
        shrink = math.sqrt(left)
        return cls(
            value=value,
            low=value - shrink * (value - low),
            high=value + shrink * (high - value),
            variance=left * value * (1.0 - value) / labels if labels > 0.0 else 0.25,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """A corrected share.

    Attributes:
        value: the estimate cut to [0, 1]; None where there is none.
        raw: the estimate as the formula gives it.
        low: low end of the interval by inversion of a test.
        high: high end.
        delta_low: low end by the delta method, not cut.
        delta_high: high end by the delta method, not cut.
        error: standard error by the delta method.
        reason: why there is no value or interval; "" where there is.
    """

    value: float | None
    raw: float | None
    low: float | None
    high: float | None
    delta_low: float | None = None
    delta_high: float | None = None
    error: float | None = None
    reason: str = ""

    @property
    def clipped(self) -> bool:
        """Whether the formula gave a share outside [0, 1]."""
        return self.raw is not None and self.raw != self.value


def rogan_gladen(
    judged: float,
    sensitivity: ErrorRate,
    specificity: ErrorRate,
    *,
    judged_variance: float = 0.0,
    level: float = 0.95,
) -> Corrected:
    """Return the share that is right, given how often the judge says so and how often it errs.

    (judged + specificity - 1) / (sensitivity + specificity - 1).  Rogan and Gladen (1978),
    American Journal of Epidemiology 107, 71-76.  `delta_low` and `delta_high` are theirs; they
    fail at the edges.  `low` and `high` hold the shares t at which judged is compatible with
    t sensitivity + (1 - t) (1 - specificity): 0 lies in the square-and-add interval (Zou and
    Donner 2008) of the difference, made of exact intervals of the two rates.  They hold even where
    the judge is near chance, and then may be all of [0, 1].

    Args:
        judged: share that the judge marks right.
        sensitivity: share of right answers that it marks right.
        specificity: share of wrong answers that it marks wrong.
        judged_variance: variance of `judged`; 0 where every answer was judged and the share of
            just these is wanted.
        level: confidence level.
    """
    better = sensitivity.value + specificity.value - 1.0
    spread = float(special.ndtri((1.0 + level) / 2.0)) * math.sqrt(judged_variance)

    def misses(share: Floats) -> NDArray[np.bool_]:
        gap = judged - share * sensitivity.value - (1.0 - share) * (1.0 - specificity.value)
        under = (share * (sensitivity.high - sensitivity.value)) ** 2
        under += ((1.0 - share) * (specificity.value - specificity.low)) ** 2
        over = (share * (sensitivity.value - sensitivity.low)) ** 2
        over += ((1.0 - share) * (specificity.high - specificity.value)) ** 2
        reach = np.where(gap > 0.0, under, over) + spread * spread
        return np.asarray(gap * gap > reach + 1e-15)

    if better <= 0.0:
        return Corrected(value=None, raw=None, low=None, high=None, reason=NO_BETTER)
    raw = (judged + specificity.value - 1.0) / better
    value = min(1.0, max(0.0, raw))
    fits = not misses(np.array([value]))[0]
    ends = _range(misses, value) if fits else (None, None)
    variance = judged_variance + raw**2 * sensitivity.variance
    error = math.sqrt(variance + (1.0 - raw) ** 2 * specificity.variance) / better
    half = float(special.ndtri((1.0 + level) / 2.0)) * error
    return Corrected(
        value=value,
        raw=raw,
        low=ends[0],
        high=ends[1],
        delta_low=raw - half,
        delta_high=raw + half,
        error=error,
        reason="" if fits else MISFIT,
    )


def _range(misses: Callable[[Floats], NDArray[np.bool_]], inside: float) -> tuple[float, float]:
    """Return the smallest and largest share that is not missed, from a grid that is refined."""
    ends = []
    for outside in (0.0, 1.0):
        held, beyond = inside, outside
        for _ in range(3):
            grid = np.linspace(beyond, held, 201)
            first = int(np.argmin(misses(grid)))
            held, beyond = float(grid[first]), float(grid[max(0, first - 1)])
        ends.append(held)
    return ends[0], ends[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class PoweredMean:
    """A mean by prediction-powered inference.

    Attributes:
        value: estimate.
        variance: its estimated variance.
        low: low end of the t interval; None where it cannot be trusted.
        high: high end.
        tuning: the weight that the judge's verdicts got, lambda.
        n: labels.
    """

    value: float
    variance: float
    low: float | None
    high: float | None
    tuning: float
    n: int


def ppi_mean(
    labels: Floats,
    judged: Floats,
    rest: Floats,
    *,
    tuning: float | None = None,
    level: float = 0.95,
    weights: Floats | None = None,
) -> PoweredMean:
    """Return the mean label of a population from labelled and further, judged units.

    mean(l judged_rest) + mean(w (label - l judged)), with variance
    l^2 var(judged_rest) / N + var(w (label - l judged)) / n.  l = 1 is prediction-powered inference
    (Angelopoulos, Bates, Fannjiang, Jordan and Zrnic 2023, Science 382, 669-674); None chooses
    the l that makes the variance smallest, cov(label, judged) / ((1 + n / N) var(judged)), cut to
    [0, 1] (PPI++: Angelopoulos, Duchi and Zrnic 2023, arXiv 2311.01453, section 6.1).  The
    interval is Student's t with n - 1 degrees of freedom, and is left out below `FEWEST` labels or
    when all corrections are equal: there it does not hold.

    Args:
        labels: (n,) labels.
        judged: (n,) verdicts on the labelled units.
        rest: (N,) verdicts on the others.
        tuning: l; None to choose it.
        level: confidence level.
        weights: (n,) inverse inclusion probabilities, scaled to mean 1; None for equal ones.

    Raises:
        ValueError: fewer than two labels, no other unit, or arrays of different lengths.
    """
    n, others = len(labels), len(rest)
    if n < 2 or not others or labels.shape != judged.shape:
        raise ValueError(
            f"this needs two labels or more with a verdict each and verdicts on others, got {n} "
            f"labels, {len(judged)} verdicts on them and {others} on others"
        )
    scale = np.ones(n) if weights is None else weights / float(weights.mean())
    chosen = power_tuning(labels, judged, rest, scale) if tuning is None else tuning
    corrections = scale * (labels - chosen * judged)
    value = chosen * float(rest.mean()) + float(corrections.mean())
    variance = chosen**2 * float(rest.var()) / others + float(corrections.var(ddof=1)) / n
    is_flat = float(np.ptp(corrections)) < 1e-12
    ends: tuple[float | None, float | None] = (None, None)
    if n >= FEWEST and not is_flat:
        half = float(special.stdtrit(n - 1, (1.0 + level) / 2.0)) * math.sqrt(variance)
        ends = value - half, value + half
    return PoweredMean(
        value=value, variance=variance, low=ends[0], high=ends[1], tuning=chosen, n=n
    )


def power_tuning(labels: Floats, judged: Floats, rest: Floats, weights: Floats) -> float:
    """Return the lambda of PPI++ for a mean, in [0, 1]; 0 where the verdicts do not vary.

    cov(w label, w judged) / ((1 + n / N) var(judged)), with the variance over all verdicts.
    """
    spread = float(np.concatenate([weights * judged, rest]).var(ddof=1))
    if spread <= 0.0:
        return 0.0
    first, second = weights * labels, weights * judged
    shared = float(((first - first.mean()) * (second - second.mean())).mean())
    return min(1.0, max(0.0, shared / ((1.0 + len(labels) / len(rest)) * spread)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GradedLabels:
    """Graded labels of a stratified sample with a verdict each, over one part of the population.

    Attributes:
        labels: (n,) labels.
        verdicts: (n,) verdicts on the labelled units.
        weights: (n,) inverse inclusion probabilities.
        strata: (n,) stratum of each, 0..H-1.
        drawn: (H,) labelled units of each stratum, those outside the part among them.
        sizes: (H,) units of each stratum.
        mean_verdict: mean verdict over the whole part.
        span: largest distance between two labels.
    """

    labels: Floats
    verdicts: Floats
    weights: Floats
    strata: NDArray[np.int64]
    drawn: NDArray[np.int64]
    sizes: NDArray[np.int64]
    mean_verdict: float
    span: float = 1.0


def jackknifed_mean(given: GradedLabels, *, tuning: float | None = None) -> PoweredMean:
    """Return the mean label of the part, with the variance of leaving out one label at a time.

    l mean_verdict + the weighted mean of (label - l verdict); the l that is chosen when `tuning` is
    None is chosen anew without each label, so that the variance knows that it was chosen:
    sum_h (1 - n_h / N_h) (n_h - 1) / n_h sum_i (t_hi - mean t_h)^2.  Wolter (2007), Introduction to
    Variance Estimation, section 4.5.  A stratum with one label of several adds the square of its
    share of the weights times span^2 / 4.  The interval is that of `bounded_ends`, and is left out
    below `FEWEST` labels.
    """
    rows = given.weights * np.stack(
        [
            np.ones_like(given.labels),
            given.labels,
            given.verdicts,
            given.verdicts**2,
            given.verdicts * given.labels,
        ]
    )
    total = rows.sum(axis=1)
    value, chosen = _tuned(total[:, None], given.mean_verdict, tuning)
    variance = 0.0
    for code in range(len(given.sizes)):
        inside = rows[:, given.strata == code]
        n, left = int(given.drawn[code]), 1.0 - given.drawn[code] / given.sizes[code]
        if left <= 0.0 or n == 0:
            continue
        if n == 1:
            share = float(inside[0].sum() / total[0])
            variance += (share * given.span) ** 2 / 4.0
            continue
        scale, own = n / (n - 1.0), inside.sum(axis=1)
        base = total - own + scale * own
        without = [_tuned(base[:, None] - scale * inside, given.mean_verdict, tuning)[0]]
        outside = n - inside.shape[1]
        without.append(np.full(outside, _tuned(base[:, None], given.mean_verdict, tuning)[0][0]))
        both = np.concatenate(without)
        variance += float(left) * (n - 1.0) / n * float(((both - both.mean()) ** 2).sum())
    return PoweredMean(
        value=float(value[0]),
        variance=variance,
        low=None,
        high=None,
        tuning=float(chosen[0]),
        n=len(given.labels),
    )


def _tuned(sums: Floats, mean_verdict: float, tuning: float | None) -> tuple[Floats, Floats]:
    """Return (m,) estimates and (m,) weights of the verdicts from (5, m) weighted sums."""
    weight = np.where(sums[0] > 0.0, sums[0], 1.0)
    label, verdict = sums[1] / weight, sums[2] / weight
    if tuning is None:
        spread = sums[3] / weight - verdict**2
        shared = sums[4] / weight - verdict * label
        slope = np.divide(shared, spread, out=np.zeros_like(spread), where=spread > 1e-12)
        chosen = np.clip(slope, 0.0, 1.0)
    else:
        chosen = np.full(len(label), tuning)
    return np.asarray(label + chosen * (mean_verdict - verdict)), np.asarray(chosen)


def bounded_ends(found: PoweredMean, *, level: float, ends: tuple[float, float]) -> PoweredMean:
    """Return the mean with its interval, where labels cannot leave `ends`.

    The hull of Student's interval with n - 1 degrees of freedom, and of the exact binomial interval
    at the effective number of labels that the variance implies, the mean taken as a share of the
    way from one end to the other: the first falls short where labels pile up at an end.
    """
    if found.n < FEWEST:
        return found
    least, most = ends
    length = most - least
    half = float(special.stdtrit(found.n - 1, (1.0 + level) / 2.0)) * math.sqrt(found.variance)
    share = min(1.0, max(0.0, (found.value - least) / length))
    spread, scaled = share * (1.0 - share), found.variance / length**2
    labels = spread / scaled if scaled > 0.0 and spread > 0.0 else float(found.n)
    low, high = effective_interval(share, min(labels, 1e9), level)
    return replace(
        found,
        low=max(least, min(found.value - half, least + length * low)),
        high=min(most, max(found.value + half, least + length * high)),
    )


def regression_tuning(labels: Floats, judged: Floats, scales: Floats) -> float:
    """Return the weight l of the verdicts, in [0, 1], with the smallest sum c (label - l judged)^2.

    Over deviations from the weighted means; for verdicts on the whole population, labelled units
    among them, this is PPI++'s choice.  0 where the verdicts do not vary.

    Args:
        labels: (n,) labels.
        judged: (n,) verdicts.
        scales: (n,) weights c_i.
    """
    whole = float(scales.sum())
    centred = judged - float((scales * judged).sum()) / whole
    spread = float((scales * centred**2).sum())
    if spread <= 0.0:
        return 0.0
    shared = float((scales * centred * labels).sum())
    return min(1.0, max(0.0, shared / spread))
