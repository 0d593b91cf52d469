"""The difference of two systems by every estimator.  In: a frame of labels.  Out: differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from finassay.analyses.kernels.finite_shares import (
    Share,
    blocks_of,
    difference,
    effective_interval,
    net_interval,
)
from finassay.analyses.kernels.judge_correction import (
    NO_BETTER,
    ErrorRate,
    GradedLabels,
    bounded_ends,
    jackknifed_mean,
)
from finassay.analyses.label_frame import Bools, Floats, Frame, Ints, cells_of, counts_in
from finassay.analyses.label_parts import Part, design_effect, why_not
from finassay.analyses.label_scores import (
    GRADED,
    TOO_FEW,
    all_estimates,
    error_rates,
    filled_verdicts,
    human_share,
    judged_variance,
    rogan_gladen_of,
    tuned_share,
)
from finassay.analyses.results_few_labels import Estimator, LabelDifference, Population

SHOWN: tuple[Estimator, ...] = ("judge", "human", "rogan-gladen", "rogan-gladen pooled", "ppi++")
"""Estimators of a difference."""

NO_COMMON = "the two systems have no item in common"
FEW_PAIRS = "no item has labels on both systems' answers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """A difference of two scores with its interval, or why there is none.

    Attributes:
        value: the difference, in [-1, 1].
        low: low end of the interval; None where none is given.
        high: high end.
        reason: why a number is missing; "" where none is.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pair:
    """The answers of two systems that are compared.

    Attributes:
        frame: all answers.
        left: (K,) rows of the left system.
        right: (K,) rows of the right system on the same items; where answers were drawn one by
            one, the two need not be of the same items.
        whole: answers of all systems, for pooled error rates.
        level: confidence level.
        population: of what the difference is meant.
    """

    frame: Frame
    left: Ints
    right: Ints
    whole: Bools
    level: float
    population: Population

    @classmethod
    def of(cls, frame: Frame, codes: tuple[int, int], level: float, population: Population) -> Pair:
        """Return the pair; on common items where items were drawn."""
        rows = [np.flatnonzero(frame.systems == code) for code in codes]
        if not frame.rows_are_units:
            _, first, second = np.intersect1d(
                frame.items[rows[0]], frame.items[rows[1]], return_indices=True
            )
            rows = [rows[0][first], rows[1][second]]
        whole = np.ones(len(frame.items), dtype=bool)
        return cls(
            frame=frame,
            left=rows[0],
            right=rows[1],
            whole=whole,
            level=level,
            population=population,
        )

    def part(self, rows: Ints) -> Part:
        """Return the answers of one system as a part."""
        mask = np.zeros_like(self.whole)
        mask[rows] = True
        return self._part(mask)

    def _part(self, mask: Bools) -> Part:
        return Part(
            frame=self.frame,
            rows=mask,
            level=self.level,
            population=self.population,
            design_effect=design_effect(self.frame, mask, self.frame.judged),
        )

    @property
    def everything(self) -> Part:
        """Return the answers of all systems as a part."""
        return self._part(self.whole)

    @property
    def both(self) -> Bools:
        """(K,) whether both answers to an item are labelled, where items were drawn."""
        return self.frame.is_labelled[self.left] & self.frame.is_labelled[self.right]

    @property
    def n_common(self) -> int:
        """Items on which both answers are labelled."""
        first, second = (
            self.frame.items[rows[self.frame.is_labelled[rows]]] for rows in (self.left, self.right)
        )
        return len(np.intersect1d(first, second))


def all_differences(
    frame: Frame,
    pairs: Sequence[tuple[int, int]],
    *,
    level: float,
    population: Population,
) -> tuple[LabelDifference, ...]:
    """Return the differences of pairs of systems, by every estimator that has one.

    The family ends hold for all pairs at once: level 1 - (1 - level) / pairs (Bonferroni).
    """
    strict = 1.0 - (1.0 - level) / max(1, len(pairs))
    out = []
    for codes in pairs:
        single = Pair.of(frame, codes, level, population)
        family = single if strict == level else replace(single, level=strict)
        names = frame.sample.systems
        for estimator in SHOWN:
            found, wide = ends_of(single, estimator), ends_of(family, estimator)
            out.append(
                LabelDifference(
                    left=names[codes[0]],
                    right=names[codes[1]],
                    estimator=estimator,
                    value=found.value,
                    low=found.low,
                    high=found.high,
                    family_low=wide.low,
                    family_high=wide.high,
                    n_common=single.n_common,
                    paired=not frame.rows_are_units,
                    reason=found.reason,
                )
            )
    return tuple(out)


def ends_of(pair: Pair, estimator: Estimator) -> Ends:
    """Return the difference of a pair by one estimator."""
    if not len(pair.left) or not len(pair.right):
        return Ends(reason=NO_COMMON)
    parts = pair.part(pair.left), pair.part(pair.right)
    if estimator == "judge":
        means = [float(filled_verdicts(part)[part.rows].mean()) for part in parts]
        return Ends(value=means[0] - means[1], reason="the verdicts are all there")
    missing = next((why for why in map(why_not, parts) if why), "")
    return Ends(reason=missing) if missing else _labelled(pair, parts, estimator)


def _labelled(pair: Pair, parts: Sequence[Part], estimator: Estimator) -> Ends:
    if not pair.frame.is_binary:
        return _graded(pair, estimator)
    if estimator in {"rogan-gladen", "rogan-gladen pooled"}:
        return _inverted(parts) if estimator == "rogan-gladen" else _pooled(pair, parts)
    if not pair.frame.rows_are_units:
        return _paired(pair, estimator)
    shares = [(tuned_share if estimator == "ppi++" else human_share)(part) for part in parts]
    return _apart(shares, parts)


def _apart(shares: Sequence[Share | None], parts: Sequence[Part]) -> Ends:
    """Return the difference of two scores whose answers were drawn one by one."""
    left, right = shares
    if left is None or right is None:
        return Ends(reason="answers outside the strata drawn whole lack labels")
    return _ends(difference(parts[0].widened(left), parts[1].widened(right)))


def _ends(share: Share) -> Ends:
    return Ends(value=share.value, low=share.low, high=share.high)


def _paired(pair: Pair, estimator: Estimator) -> Ends:
    """Return the difference over the items, each with both answers."""
    frame, both = pair.frame, pair.both
    if not both.any():
        return Ends(reason=FEW_PAIRS)
    says = frame.says_right
    groups = says[pair.left].astype(np.int64) - says[pair.right].astype(np.int64)
    told = groups if estimator == "ppi++" else np.zeros_like(groups)
    strata = frame.strata[pair.left]
    cells, where = cells_of(strata, told, both, _weights(strata, both))
    gaps = np.where(both, frame.labels[pair.left] - frame.labels[pair.right], 0.0)
    plus, minus = counts_in(where, gaps > 0.0, cells), counts_in(where, gaps < 0.0, cells)
    found = net_interval(cells, blocks_of(cells), plus, minus, level=pair.level)
    if found is None:
        return Ends(reason=FEW_PAIRS)
    if pair.population == "items like these":
        found = _widened(pair, found, gaps[both], _weights(strata, both)[both])
    return _ends(found)


def _weights(strata: Ints, labelled: Bools) -> Floats:
    sizes = np.bincount(strata).astype(np.float64)
    counts = np.bincount(strata[labelled], minlength=len(sizes))
    scale = np.divide(sizes, counts, out=np.zeros(len(sizes)), where=counts > 0)
    return scale[strata]


def _widened(pair: Pair, found: Share, gaps: Floats, weights: Floats) -> Share:
    """Return the difference with what other items would change, square-and-add."""
    verdicts = np.zeros(len(pair.frame.items))
    verdicts[pair.left] = pair.frame.judged[pair.left] - pair.frame.judged[pair.right]
    mask = np.zeros(len(verdicts), dtype=bool)
    mask[pair.left] = True
    items = len(pair.left) / design_effect(pair.frame, mask, verdicts)
    sides = []
    for sign in (1.0, -1.0):
        value = float(weights[gaps == sign].sum() / weights.sum())
        low, high = effective_interval(value, items, pair.level)
        spread = value * (1.0 - value) / items
        sides.append(Share(value=value, low=low, high=high, variance=spread))
    likely = sides[0].value * sides[1].value
    scale = math.sqrt(sides[0].variance * sides[1].variance) * items
    added = difference(*sides, correlation=-likely / scale if scale > 0.0 else 0.0)
    return Share(
        value=found.value,
        low=max(-1.0, found.value - math.hypot(found.value - found.low, added.value - added.low)),
        high=min(1.0, found.value + math.hypot(found.high - found.value, added.high - added.value)),
        variance=found.variance + added.variance,
    )


def _inverted(parts: Sequence[Part]) -> Ends:
    """Return the difference of two Rogan-Gladen shares, each with its own error rates."""
    shares = []
    for part in parts:
        found = rogan_gladen_of(part, part)
        if found.value is None or found.low is None or found.high is None:
            return Ends(reason=found.reason)
        error = found.error or 0.0
        shares.append(Share(value=found.value, low=found.low, high=found.high, variance=error**2))
    return _apart(shares, parts)


def _pooled(pair: Pair, parts: Sequence[Part]) -> Ends:
    """Return the difference of the judge's rates over sensitivity + specificity - 1."""
    sensitivity, specificity = error_rates(pair.everything)
    if sensitivity is None or specificity is None:
        return Ends(reason="the labels are all right or all wrong")
    better, least, most = _youden(sensitivity, specificity)
    gap = parts[0].rate - parts[1].rate
    if better <= 0.0:
        return Ends(reason=NO_BETTER)
    value = gap / better
    if least <= 0.0:
        # The judge may be at chance or worse: then its rates allow every difference.
        return Ends(value=min(1.0, max(-1.0, value)), low=-1.0, high=1.0)
    low, high = sorted(gap / by for by in (least, most))
    chance = 0.0
    for part in parts:
        share = min(1.0, max(0.0, (part.rate + specificity.value - 1.0) / better))
        chance += judged_variance(share, part.size, sensitivity, specificity)
        if pair.population == "items like these":
            chance += share * (1.0 - share) / part.size * part.design_effect * better**2
    half = float(special.ndtri((1.0 + pair.level) / 2.0)) * math.sqrt(chance) / better
    low, high = value - math.hypot(value - low, half), value + math.hypot(high - value, half)
    cut = min(1.0, max(-1.0, value))
    return Ends(value=cut, low=min(cut, max(-1.0, low)), high=max(cut, min(1.0, high)))


def _youden(sensitivity: ErrorRate, specificity: ErrorRate) -> tuple[float, float, float]:
    """Return sensitivity + specificity - 1 with its square-and-add interval."""
    value = sensitivity.value + specificity.value - 1.0
    below = math.hypot(sensitivity.value - sensitivity.low, specificity.value - specificity.low)
    above = math.hypot(sensitivity.high - sensitivity.value, specificity.high - specificity.value)
    return value, value - below, min(1.0, value + above)


def _graded(pair: Pair, estimator: Estimator) -> Ends:
    if estimator not in {"human", "ppi++"}:
        return Ends(reason=GRADED)
    if not pair.frame.rows_are_units:
        return _graded_paired(pair, estimator)
    found = []
    for rows in (pair.left, pair.right):
        part = pair.part(rows)
        named = {one.estimator: one for one in all_estimates(part, part)}
        found.append(named[estimator])
    left, right = found
    if left.value is None or right.value is None:
        return Ends(reason=left.reason or right.reason)
    sides = []
    for one in found:
        if one.value is None or one.low is None or one.high is None or one.error is None:
            return Ends(value=left.value - right.value, reason=TOO_FEW)
        sides.append(Share(value=one.value, low=one.low, high=one.high, variance=one.error**2))
    return _ends(difference(*sides))


def _graded_paired(pair: Pair, estimator: Estimator) -> Ends:
    frame, both = pair.frame, pair.both
    if not both.any():
        return Ends(reason=FEW_PAIRS)
    labels = frame.labels[pair.left] - frame.labels[pair.right]
    verdicts = filled_verdicts(pair.part(pair.left))[pair.left]
    verdicts = verdicts - filled_verdicts(pair.part(pair.right))[pair.right]
    strata = np.unique(frame.strata[pair.left], return_inverse=True)[1].astype(np.int64)
    given = GradedLabels(
        labels=labels[both],
        verdicts=verdicts[both],
        weights=_weights(strata, both)[both],
        strata=strata[both],
        drawn=np.bincount(strata[both], minlength=int(strata.max()) + 1),
        sizes=np.bincount(strata),
        mean_verdict=float(verdicts.mean()),
        span=2.0,
    )
    found = jackknifed_mean(given, tuning=None if estimator == "ppi++" else 0.0)
    found = bounded_ends(found, level=pair.level, ends=(-1.0, 1.0))
    reason = TOO_FEW if found.low is None else ""
    return Ends(value=found.value, low=found.low, high=found.high, reason=reason)
