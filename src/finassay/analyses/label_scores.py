"""The score of one system by every estimator.  In: a frame of labels.  Out: estimates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from finassay.analyses.kernels.design_estimates import (
    DesignVariance,
    effective_size,
    hajek,
    horvitz_thompson,
    korn_graubard,
    stratified_variance,
)
from finassay.analyses.kernels.finite_shares import (
    Share,
    blocks_of,
    net_interval,
    share_interval,
)
from finassay.analyses.kernels.judge_correction import (
    FEWEST,
    Corrected,
    ErrorRate,
    GradedLabels,
    PoweredMean,
    bounded_ends,
    jackknifed_mean,
    regression_tuning,
    rogan_gladen,
)
from finassay.analyses.label_frame import (
    Floats,
    Ints,
    cells_of,
    counts_in,
)
from finassay.analyses.label_parts import Part, made, why_not, without
from finassay.analyses.results_few_labels import Estimator, LabelEstimate

GRADED = "the formula is for right and wrong labels, and these are graded"
NO_RIGHT = "no label says right, so the judge's sensitivity is unknown"
NO_WRONG = "no label says wrong, so the judge's specificity is unknown"
TOO_FEW = f"fewer than {FEWEST} graded labels: an interval would promise too much"
NO_INTERVAL_OF_VERDICTS = "the verdicts are all there; how far they are from people is not known"


def all_estimates(part: Part, whole: Part) -> tuple[LabelEstimate, ...]:
    """Return the score of a part by every estimator, in their order.

    Args:
        part: answers of one system.
        whole: answers of all systems, for the pooled error rates of the judge.
    """
    judge = _of_judge(part)
    rest: tuple[Estimator, ...] = (
        *("human", "horvitz-thompson", "hajek"),
        *("rogan-gladen", "rogan-gladen pooled", "ppi", "ppi++"),
    )
    missing = why_not(part)
    if missing:
        return judge, *(without(name, missing, part.n_labels) for name in rest)
    linear = (_horvitz_thompson(part), _hajek(part))
    if not part.frame.is_binary:
        graded = [_powered(part, name) for name in ("human", "ppi", "ppi++")]
        barred = [without(name, GRADED, part.n_labels) for name in rest[3:5]]
        return judge, graded[0], *linear, *barred, *graded[1:]
    return (
        judge,
        made("human", human_share(part), part),
        *linear,
        corrected_estimate("rogan-gladen", rogan_gladen_of(part, part), part),
        corrected_estimate("rogan-gladen pooled", rogan_gladen_of(part, whole), part),
        made("ppi", _rectified(part), part, tuning=1.0),
        made("ppi++", tuned_share(part), part, tuning=implied_tuning(part)),
    )


def human_share(part: Part) -> Share | None:
    """Return the share by the labels alone, stratum by stratum."""
    return _share(part, np.zeros_like(part.frame.groups), part.frame.labels)


def tuned_share(part: Part) -> Share | None:
    """Return the share by labels and verdicts, each verdict and stratum with its own weight."""
    return _share(part, part.frame.groups, part.frame.labels)


def _share(part: Part, groups: Ints, labels: Floats) -> Share | None:
    frame, rows = part.frame, part.rows
    cells, where = cells_of(
        frame.strata[rows], groups[rows], frame.is_labelled[rows], frame.weights[rows]
    )
    right = counts_in(where, frame.is_labelled[rows] & (labels[rows] > 0.0), cells)
    return share_interval(cells, blocks_of(cells), right, level=part.level)


def _rectified(part: Part) -> Share | None:
    """Return the judge's rate plus the share it missed, less the share it wrongly passed."""
    frame, rows = part.frame, part.rows
    right, says = frame.labels[rows] > 0.0, frame.says_right[rows]
    labelled = frame.is_labelled[rows]
    cells, where = cells_of(
        frame.strata[rows], np.zeros_like(frame.groups[rows]), labelled, frame.weights[rows]
    )
    missed = counts_in(where, labelled & right & ~says, cells)
    passed = counts_in(where, labelled & ~right & says, cells)
    gap = net_interval(cells, blocks_of(cells), missed, passed, level=part.level)
    if gap is None:
        return None
    rate = part.rate
    return replace(gap, value=rate + gap.value, low=rate + gap.low, high=rate + gap.high)


def implied_tuning(part: Part) -> float:
    """Return the weight that the verdicts get over all strata, the lambda of PPI++."""
    labelled, frame = part.labelled, part.frame
    return regression_tuning(
        frame.labels[labelled], frame.judged[labelled], frame.weights[labelled]
    )


def error_rates(part: Part) -> tuple[ErrorRate | None, ErrorRate | None]:
    """Return the judge's sensitivity and specificity on a part; None without labels of the kind."""
    frame, labelled = part.frame, part.labelled
    left = 1.0 - part.n_labels / part.size
    rates: list[ErrorRate | None] = []
    for is_right in (True, False):
        kind = labelled & ((frame.labels > 0.0) == is_right)
        weights = frame.weights[kind]
        if not len(weights):
            rates.append(None)
            continue
        agrees = frame.says_right[kind] == is_right
        value = float((weights * agrees).sum() / weights.sum())
        worth = effective_size(1.0 / weights)
        rates.append(ErrorRate.of(value, worth, left=left, level=part.level))
    return rates[0], rates[1]


def rogan_gladen_of(part: Part, errors: Part) -> Corrected:
    """Return the corrected share of a part, with the judge's error rates on another.

    Error rates found elsewhere hold for this part only up to chance: the judge's rate on it varies
    by (t se (1 - se) + (1 - t) sp (1 - sp)) / n, t being the corrected share; see
    `judged_variance`.
    """
    sensitivity, specificity = error_rates(errors)
    if sensitivity is None or specificity is None:
        reason = NO_RIGHT if sensitivity is None else NO_WRONG
        return Corrected(value=None, raw=None, low=None, high=None, reason=reason)
    found = rogan_gladen(part.rate, sensitivity, specificity, level=part.level)
    if errors is part or found.value is None:
        return found
    chance = judged_variance(found.value, part.size, sensitivity, specificity)
    return rogan_gladen(
        part.rate, sensitivity, specificity, judged_variance=chance, level=part.level
    )


def judged_variance(
    share: float, size: int, sensitivity: ErrorRate, specificity: ErrorRate
) -> float:
    """Return the variance of the judge's rate on answers of which a given share is right.

    With the middle of each rate's interval: few labels that show no error do not make the judge
    free of errors.
    """
    middles = [(rate.low + rate.high) / 2.0 for rate in (sensitivity, specificity)]
    sides = (share, middles[0]), (1.0 - share, middles[1])
    return sum(part * rate * (1.0 - rate) for part, rate in sides) / size


def corrected_estimate(estimator: Estimator, found: Corrected, part: Part) -> LabelEstimate:
    """Return a Rogan-Gladen share as an estimate."""
    if found.value is None:
        return without(estimator, found.reason, part.n_labels)
    if found.low is None or found.high is None:
        blank = without(estimator, found.reason, part.n_labels)
        return replace(blank, value=found.value, clipped=found.clipped)
    error = found.error or 0.0
    share = Share(value=found.value, low=found.low, high=found.high, variance=error**2)
    return replace(made(estimator, share, part), clipped=found.clipped)


def _of_judge(part: Part) -> LabelEstimate:
    frame = part.frame
    judged = part.rows & frame.is_judged
    value = float(frame.judged[judged].mean()) if judged.any() else None
    return LabelEstimate(
        estimator="judge",
        value=value,
        low=None,
        high=None,
        error=None,
        n_labels=0,
        effective_size=None,
        reason=NO_INTERVAL_OF_VERDICTS if judged.any() else "the judge gave no verdict",
    )


def domain_variance(part: Part, values: Floats) -> DesignVariance:
    """Return the design variance of the mean over a part of (U,) values.

    Where answers were drawn one by one the part is a domain: how many of its answers were drawn
    is random too.
    """
    frame = part.frame
    base = np.ones_like(part.rows) if frame.rows_are_units else part.rows
    drawn = base & frame.is_labelled
    scaled = np.where(part.rows, values, 0.0) * (int(base.sum()) / part.size)
    codes = np.unique(frame.strata[base], return_inverse=True)
    where = np.full(len(base), -1, dtype=np.int64)
    where[base] = codes[1]
    sizes = np.bincount(where[base], minlength=len(codes[0])).astype(np.int64)
    span = int(base.sum()) / part.size
    return stratified_variance(scaled[drawn], where[drawn], sizes, span=span)


def _horvitz_thompson(part: Part) -> LabelEstimate:
    frame, labelled = part.frame, part.labelled
    value = horvitz_thompson(frame.labels[labelled], 1.0 / frame.weights[labelled], size=part.size)
    return _linear("horvitz-thompson", part, value, domain_variance(part, frame.labels))


def _hajek(part: Part) -> LabelEstimate:
    frame, labelled = part.frame, part.labelled
    value = hajek(frame.labels[labelled], 1.0 / frame.weights[labelled]) or 0.0
    return _linear("hajek", part, value, domain_variance(part, frame.labels - value))


def _linear(
    estimator: Estimator, part: Part, value: float, variance: DesignVariance
) -> LabelEstimate:
    cut = min(1.0, max(0.0, value))
    if not part.frame.is_binary:
        mean = PoweredMean(
            value=value,
            variance=variance.value,
            low=None,
            high=None,
            tuning=0.0,
            n=part.n_labels,
        )
        return _graded(estimator, part, mean)
    if part.n_labels == part.size:
        low, high = cut, cut
    else:
        low, high = korn_graubard(
            cut,
            variance.value,
            labels=part.n_labels,
            most=effective_size(1.0 / part.frame.weights[part.labelled]),
            level=part.level,
        )
    share = Share(value=value, low=low, high=high, variance=variance.value)
    return made(estimator, share, part)


def _graded(
    estimator: Estimator, part: Part, found: PoweredMean, *, shows_tuning: bool = False
) -> LabelEstimate:
    """Return an estimate from graded labels, with an interval where that can be trusted."""
    bounded = bounded_ends(found, level=part.level, ends=(0.0, 1.0))
    low = found.value if bounded.low is None else bounded.low
    high = found.value if bounded.high is None else bounded.high
    share = Share(value=found.value, low=low, high=high, variance=found.variance)
    made_ = made(estimator, share, part, tuning=found.tuning if shows_tuning else None)
    if bounded.low is not None:
        return made_
    return replace(made_, low=None, high=None, effective_size=None, reason=TOO_FEW)


def filled_verdicts(part: Part) -> Floats:
    """Return (U,) verdicts, with their mean over the part where the judge gave none."""
    frame = part.frame
    judged = part.rows & frame.is_judged
    mean = float(frame.judged[judged].mean()) if judged.any() else 0.0
    return np.where(frame.is_judged, frame.judged, mean)


def _powered(part: Part, estimator: Estimator) -> LabelEstimate:
    """Return the mean of graded labels, with the verdicts at weight 0, 1 or the best."""
    frame, labelled = part.frame, part.labelled
    verdicts = filled_verdicts(part)
    base = np.ones_like(part.rows) if frame.rows_are_units else part.rows
    given = GradedLabels(
        labels=frame.labels[labelled],
        verdicts=verdicts[labelled],
        weights=frame.weights[labelled],
        strata=frame.strata[labelled],
        drawn=np.bincount(frame.strata[base & frame.is_labelled], minlength=len(frame.names)),
        sizes=np.bincount(frame.strata[base], minlength=len(frame.names)),
        mean_verdict=float(verdicts[part.rows].mean()),
    )
    tunings: dict[Estimator, float | None] = {"human": 0.0, "ppi": 1.0, "ppi++": None}
    found = jackknifed_mean(given, tuning=tunings[estimator])
    return _graded(estimator, part, found, shows_tuning=estimator != "human")
