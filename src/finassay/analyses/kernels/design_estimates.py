"""Estimates from samples with known inclusion probabilities.  In: values.  Out: means, variances.

Values are of drawn units; every mean is over the whole population.  A difference of two systems,
or the mean over a part, is the mean of other values: of a_i - b_i, or of N / N_part times the value
inside the part and 0 outside (Saerndal, Swensson and Wretman 1992, Model Assisted Survey Sampling,
section 10.3), so the same functions serve.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from finassay.analyses.kernels.finite_shares import effective_interval

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def horvitz_thompson(values: Floats, probabilities: Floats, *, size: int) -> float:
    """Return sum(y / pi) / N, an unbiased estimate of the mean of N units.

    Horvitz and Thompson (1952), JASA 47, 663-685.

    Raises:
        ValueError: arrays of different lengths, or a probability outside (0, 1].
    """
    _check(values, probabilities)
    return float((values / probabilities).sum()) / size


def hajek(values: Floats, probabilities: Floats) -> float | None:
    """Return sum(y / pi) / sum(1 / pi), which stays between the values; None without values.

    Hajek (1971), in Foundations of Statistical Inference, page 236.

    Raises:
        ValueError: arrays of different lengths, or a probability outside (0, 1].
    """
    _check(values, probabilities)
    weights = 1.0 / probabilities
    return float((weights * values).sum() / weights.sum()) if len(values) else None


def effective_size(probabilities: Floats) -> float:
    """Return the labels of equal weight that weights 1 / pi are worth: (sum w)^2 / sum w^2.

    Kish (1965), Survey Sampling, section 11.7; 0 without labels.
    """
    weights = 1.0 / probabilities
    return float(weights.sum()) ** 2 / float((weights**2).sum()) if len(weights) else 0.0


def yates_grundy(values: Floats, probabilities: Floats, joint: Floats) -> float | None:
    """Return the unbiased variance of the Horvitz-Thompson total under a design of fixed size.

    1/2 sum_ij (pi_i pi_j - pi_ij) / pi_ij (y_i / pi_i - y_j / pi_j)^2; None when some pair can
    never be drawn together (a stratum of which one unit is drawn), for then there is none.  Yates
    and Grundy (1953), JRSS B 15, 253-261; Sen (1953).

    Args:
        values: (n,) values of the drawn units.
        probabilities: (n,) inclusion probabilities.
        joint: (n, n) joint inclusion probabilities, see `designs.joint_probabilities`.
    """
    _check(values, probabilities)
    apart = ~np.eye(len(values), dtype=bool)
    if (joint[apart] <= 0.0).any():
        return None
    expanded = values / probabilities
    gaps = (expanded[:, None] - expanded[None, :]) ** 2
    pull = (np.outer(probabilities, probabilities) - joint) / joint
    return max(0.0, 0.5 * float((pull * gaps)[apart].sum()))


def independent_variance(values: Floats, probabilities: Floats) -> float:
    """Return the variance of the Horvitz-Thompson total when units are drawn independently.

    sum (1 - pi) y^2 / pi^2.  Hajek (1964), Annals of Mathematical Statistics 35, 1491-1523.
    """
    _check(values, probabilities)
    return float(((1.0 - probabilities) * (values / probabilities) ** 2).sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignVariance:
    """The variance of a stratified mean.

    Attributes:
        value: estimated variance.
        degrees: labels less strata that were not drawn whole, at least 1: degrees of freedom for
            Student's t.
        lone: strata of more than one unit with a single label; nothing is known of their spread,
            so the largest that the range of the values allows stands in.
    """

    value: float
    degrees: int
    lone: tuple[int, ...]


def stratified_mean(values: Floats, strata: Ints, sizes: Ints) -> float | None:
    """Return sum_h N_h mean_h / N; None when a stratum has no value at all.

    Args:
        values: (n,) values of the drawn units.
        strata: (n,) stratum of each, 0..H-1.
        sizes: (H,) units of each stratum.
    """
    counts = np.bincount(strata, minlength=len(sizes))
    if (counts == 0).any():
        return None
    sums = np.bincount(strata, weights=values, minlength=len(sizes))
    return float((sizes * sums / counts).sum() / sizes.sum())


def stratified_variance(
    values: Floats, strata: Ints, sizes: Ints, *, span: float = 1.0
) -> DesignVariance:
    """Return the variance of the stratified mean, with the correction for finite strata.

    sum_h (N_h / N)^2 (1 - n_h / N_h) s_h^2 / n_h.  Cochran (1977), Sampling Techniques, theorem
    5.4.  A stratum with one label contributes (N_h / N)^2 span^2 / 4, the most it can.

    Args:
        values: (n,) values of the drawn units.
        strata: (n,) stratum of each, 0..H-1; a stratum without values contributes nothing.
        sizes: (H,) units of each stratum.
        span: largest distance that two values of a stratum can have.
    """
    total = float(sizes.sum())
    variance, lone, degrees = 0.0, [], 0
    for code in np.unique(strata).tolist():
        inside = values[strata == code]
        n, size = len(inside), int(sizes[code])
        if n == size:
            continue
        degrees += n - 1
        if n == 1:
            lone.append(code)
            variance += (size / total * span) ** 2 / 4.0
            continue
        variance += (size / total) ** 2 * (1.0 - n / size) * float(inside.var(ddof=1)) / n
    return DesignVariance(value=variance, degrees=max(1, degrees), lone=tuple(lone))


def cluster_totals(values: Floats, strata: Ints, clusters: Ints) -> tuple[Floats, Ints]:
    """Return (C,) sums of the values of each drawn cluster, and (C,) the stratum of each.

    Where whole clusters (documents with all their items) are drawn, they are the units: pass these
    to `stratified_variance` with the number of clusters of each stratum as `sizes`.

    Raises:
        ValueError: a cluster stands in two strata.
    """
    names, first, where = np.unique(clusters, return_index=True, return_inverse=True)
    found = strata[first]
    if (found[where] != strata).any():
        raise ValueError("a cluster must lie in one stratum; cut the strata by cluster")
    sums = np.bincount(where, weights=values, minlength=len(names))
    return sums.astype(np.float64), found


def korn_graubard(
    share: float, variance: float, *, labels: int, most: float, level: float = 0.95
) -> tuple[float, float]:
    """Return the exact binomial interval of a share at the effective number of labels.

    share (1 - share) / variance labels, but no more than `labels`; where all labels agree, so that
    the variance says nothing, it is `most`, their number by weight (Kish).  Korn and Graubard
    (1998), Survey Methodology 24, 193-201.

    Args:
        share: in [0, 1].
        variance: its estimated variance.
        labels: labels that entered.
        most: labels of equal weight that they are worth.
        level: confidence level.
    """
    spread = share * (1.0 - share)
    found = spread / variance if variance > 0.0 and spread > 0.0 else most
    return effective_interval(share, min(found, float(labels)), level)


def t_interval(
    value: float, variance: DesignVariance, *, level: float = 0.95
) -> tuple[float, float]:
    """Return value -+ t sqrt(variance) with the degrees of freedom of the design, not cut."""
    t = float(special.stdtrit(variance.degrees, (1.0 + level) / 2.0))
    half = t * math.sqrt(variance.value)
    return value - half, value + half


def bootstrap_weights(
    strata: Ints, sizes: Ints, clusters: Ints | None, *, draws: int, rng: np.random.Generator
) -> Floats:
    """Return (draws, n) factors for the weights of the drawn units, by the rescaled bootstrap.

    In each stratum n_h - 1 of the n_h drawn units (or clusters) are drawn with replacement, and the
    weight of one drawn r times becomes 1 - c + c r n_h / (n_h - 1) times what it was, with
    c = sqrt(1 - n_h / N_h), so that the spread of a resampled mean is that of the stratified mean.
    Rao and Wu (1988), JASA 83, 231-241; Rao, Wu and Yue (1992), Survey Methodology 18, 209-217.

    Args:
        strata: (n,) stratum of each unit.
        sizes: (H,) units (or clusters) of each stratum in the population.
        clusters: (n,) cluster of each unit; None where units were drawn one by one.
        draws: resamples.
        rng: generator.

    Raises:
        ValueError: a stratum of which one unit (or cluster) of several was drawn: nothing can be
            resampled there.
    """
    units = (
        np.arange(len(strata)) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    )
    out = np.ones((draws, len(strata)))
    for code in np.unique(strata).tolist():
        members = np.flatnonzero(strata == code)
        names, where = np.unique(units[members], return_inverse=True)
        n, size = len(names), int(sizes[code])
        if n == size:
            continue
        if n == 1:
            raise ValueError(
                f"stratum {code} has one drawn unit of {size}: there is nothing to resample; draw "
                f"two or more from every stratum, or merge it with another"
            )
        scale = math.sqrt(1.0 - n / size)
        counts = rng.multinomial(n - 1, np.full(n, 1.0 / n), size=draws)
        out[:, members] = (1.0 - scale + scale * counts * n / (n - 1.0))[:, where]
    return out


def _check(values: Floats, probabilities: Floats) -> None:
    if values.shape != probabilities.shape:
        raise ValueError(
            f"values and probabilities must be of one shape, got {values.shape} and "
            f"{probabilities.shape}"
        )
    if len(values) and not (float(probabilities.min()) > 0.0 and float(probabilities.max()) <= 1.0):
        raise ValueError(
            "inclusion probabilities must be in (0, 1]; a unit that could not be drawn was not"
        )
