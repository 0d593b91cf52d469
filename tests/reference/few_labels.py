"""Few labels as a textbook writes them: every sample listed, sums as fractions, no arrays."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from statistics import NormalDist

from reference.intervals import bisect, clopper_pearson

Rows = tuple[int, ...]


def all_samples(strata: Sequence[str], takes: dict[str, int]) -> Iterator[Rows]:
    """Yield every sample of a stratified design; all are equally likely."""
    members = {name: [i for i, s in enumerate(strata) if s == name] for name in takes}
    for parts in product(*(combinations(members[name], takes[name]) for name in takes)):
        yield tuple(sorted(i for part in parts for i in part))


def inclusion(strata: Sequence[str], takes: dict[str, int]) -> list[Fraction]:
    """Return how often each unit is in a sample, by counting."""
    samples = list(all_samples(strata, takes))
    return [Fraction(sum(i in s for s in samples), len(samples)) for i in range(len(strata))]


def joint_inclusion(strata: Sequence[str], takes: dict[str, int], i: int, j: int) -> Fraction:
    samples = list(all_samples(strata, takes))
    return Fraction(sum(i in s and j in s for s in samples), len(samples))


def horvitz_thompson(values: Sequence[Fraction], chances: Sequence[Fraction], size: int):
    return sum((y / p for y, p in zip(values, chances, strict=True)), Fraction(0)) / size


def hajek(values: Sequence[Fraction], chances: Sequence[Fraction]) -> Fraction:
    weight = sum(1 / p for p in chances)
    return sum(y / p for y, p in zip(values, chances, strict=True)) / weight


def mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def variance_over(values: Sequence[Fraction]) -> Fraction:
    """Return the variance of equally likely values."""
    centre = mean(values)
    return mean([(v - centre) ** 2 for v in values])


def chance_of(x: int, right: int, n: int, size: int) -> Fraction:
    """Return the chance that x of n drawn are right when `right` of `size` are."""
    if not 0 <= n - x <= size - right or x > right:
        return Fraction(0)
    return Fraction(math.comb(right, x) * math.comb(size - right, n - x), math.comb(size, n))


def hypergeometric(x: int, n: int, size: int, level: Fraction) -> tuple[Fraction, Fraction]:
    """Return the shares at which neither tail of the count is too small, by trying all."""
    tail = (1 - level) / 2
    fits = [
        right
        for right in range(size + 1)
        if sum(chance_of(k, right, n, size) for k in range(x, n + 1)) > tail
        and sum(chance_of(k, right, n, size) for k in range(x + 1)) > tail
    ]
    return Fraction(min(fits), size), Fraction(max(fits), size)


def rogan_gladen(judged: float, sensitivity: float, specificity: float) -> float:
    """Return the share t at which the judge's rate is t se + (1 - t) (1 - sp), by bisection."""
    return bisect(lambda t: t * sensitivity + (1 - t) * (1 - specificity) < judged, -10.0, 10.0)


def rogan_gladen_range(
    judged: float, right: tuple[int, int], wrong: tuple[int, int], level: float
) -> tuple[float, float]:
    """Return the shares on a fine grid that the judge's rate does not contradict.

    `right` and `wrong` are (answers judged rightly, labels) of the answers that people mark right
    and wrong.
    """
    se, sp = right[0] / right[1], wrong[0] / wrong[1]
    (se_low, se_high), (sp_low, sp_high) = (
        clopper_pearson(*right, level),
        clopper_pearson(*wrong, level),
    )
    kept = []
    for step in range(4001):
        t = step / 4000
        gap = judged - t * se - (1 - t) * (1 - sp)
        if gap > 0:
            reach = math.hypot(t * (se_high - se), (1 - t) * (sp - sp_low))
        else:
            reach = math.hypot(t * (se - se_low), (1 - t) * (sp_high - sp))
        if abs(gap) <= reach + 1e-12:
            kept.append(t)
    return min(kept), max(kept)


def delta_error(judged: float, se: float, sp: float, variances: tuple[float, float, float]):
    """Return the delta-method error of Rogan-Gladen, with slopes by small steps."""
    step = 1e-6

    def value(q: float, a: float, b: float) -> float:
        return (q + b - 1) / (a + b - 1)

    slopes = (
        (value(judged + step, se, sp) - value(judged - step, se, sp)) / (2 * step),
        (value(judged, se + step, sp) - value(judged, se - step, sp)) / (2 * step),
        (value(judged, se, sp + step) - value(judged, se, sp - step)) / (2 * step),
    )
    return math.sqrt(sum(s * s * v for s, v in zip(slopes, variances, strict=True)))


def powered_mean(
    labels: Sequence[float], judged: Sequence[float], rest: Sequence[float], tuning: float
) -> tuple[float, float]:
    """Return (estimate, variance) of prediction-powered inference with a given weight."""
    n, others = len(labels), len(rest)
    gaps = [y - tuning * f for y, f in zip(labels, judged, strict=True)]
    centre, middle = math.fsum(gaps) / n, math.fsum(rest) / others
    spread = math.fsum((g - centre) ** 2 for g in gaps) / (n - 1)
    of_rest = math.fsum((f - middle) ** 2 for f in rest) / others
    return tuning * middle + centre, tuning**2 * of_rest / others + spread / n


def best_tuning(labels: Sequence[float], judged: Sequence[float], rest: Sequence[float]) -> float:
    """Return the weight on a fine grid with the smallest plug-in variance of PPI++."""
    n, others = len(labels), len(rest)
    everything = [*judged, *rest]
    middle = math.fsum(everything) / len(everything)
    spread = math.fsum((f - middle) ** 2 for f in everything) / (len(everything) - 1)
    y, f = math.fsum(labels) / n, math.fsum(judged) / n
    shared = math.fsum((a - y) * (b - f) for a, b in zip(labels, judged, strict=True)) / n

    def variance(tuning: float) -> float:
        return tuning**2 * spread * (1 / others + 1 / n) - 2 * tuning * shared / n

    return min((step / 10_000 for step in range(10_001)), key=variance)


def power(difference: float, error: float, alpha: float) -> float:
    """Return the chance that |Z| > z when Z is normal around difference / error."""
    normal = NormalDist()
    z = normal.inv_cdf(1 - alpha / 2)
    return normal.cdf(difference / error - z) + normal.cdf(-difference / error - z)


def tuned_mean(
    labels: Sequence[float],
    verdicts: Sequence[float],
    weights: Sequence[float],
    middle: float,
    tuning: float | None,
) -> float:
    """Return the weighted mean label, corrected by the verdicts, with the slope as the weight."""
    whole = math.fsum(weights)

    def mean_of(values: Sequence[float]) -> float:
        return math.fsum(w * v for w, v in zip(weights, values, strict=True)) / whole

    y, f = mean_of(labels), mean_of(verdicts)
    if tuning is None:
        spread = mean_of([(v - f) ** 2 for v in verdicts])
        shared = mean_of([(a - y) * (v - f) for a, v in zip(labels, verdicts, strict=True)])
        tuning = min(1.0, max(0.0, shared / spread)) if spread > 1e-12 else 0.0
    return y + tuning * (middle - f)


def jackknife(
    rows: Sequence[tuple[float, float, int]], sizes: Sequence[int], middle: float, *, tuned: bool
) -> tuple[float, float]:
    """Return (mean, variance) by leaving out one label (label, verdict, stratum) at a time."""
    strata = [row[2] for row in rows]

    def estimate(kept: Sequence[int]) -> float:
        counts = [sum(strata[i] == h for i in kept) for h in range(len(sizes))]
        return tuned_mean(
            [rows[i][0] for i in kept],
            [rows[i][1] for i in kept],
            [sizes[strata[i]] / counts[strata[i]] for i in kept],
            middle,
            None if tuned else 0.0,
        )

    everything = list(range(len(rows)))
    variance = 0.0
    for h, size in enumerate(sizes):
        inside = [i for i in everything if strata[i] == h]
        n = len(inside)
        values = [estimate([j for j in everything if j != i]) for i in inside]
        centre = math.fsum(values) / n
        variance += (1 - n / size) * (n - 1) / n * math.fsum((v - centre) ** 2 for v in values)
    return estimate(everything), variance
