"""Exact distributions of resampled sums.  In: integers.  Out: tail probabilities.

Scores on a lattice (0/1, or halves, or k/m) have differences that are whole multiples of one
step, so a sum of n draws has a distribution on integers: the n-fold convolution of the pmf of one
draw.  It is built by halving, with non-negative terms only, so small tails keep their relative
accuracy (a Fourier transform would lose everything below about 1e-16).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import daxpy

LARGEST_DENOMINATOR = 1000
"""Scores count as a lattice when they are whole multiples of 1/m for an m up to this."""

EXACT_WORK = 2_000_000_000
"""Multiply-adds up to which a distribution is computed exactly (a second or two)."""

_CALL = 5_000
"""Multiply-adds that take as long as one call into numpy."""

_BLOCK = 8_192
"""Numbers added at a time: they stay in the fastest cache."""

_NARROW = 64
"""Width up to which a draw is added by a plain convolution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """Two-sided p under both tie conventions: `inclusive` counts ties (>=), `exclusive` not (>)."""

    inclusive: float
    exclusive: float

    @property
    def mid(self) -> float:
        """Return mid-p: ties count half (Lancaster 1961, JASA 56, 223-234)."""
        return self.exclusive + (self.inclusive - self.exclusive) / 2.0


def numerators(
    values: NDArray[np.float64], *, largest: int = LARGEST_DENOMINATOR
) -> tuple[NDArray[np.int64], int] | None:
    """Return integers k and the least m with values = k / m; None when no m <= largest does.

    A value belongs to the lattice when it is the float64 nearest to k / m, so 0.1 does and
    0.1 + 1e-16 does not.

    Raises:
        ValueError: `largest` < 1, or a value that is not finite.
    """
    if largest < 1:
        raise ValueError(f"`largest` must be at least 1, got {largest!r}")
    if not np.isfinite(values).all():
        raise ValueError("scores must be finite; leave out the cells without a value")
    levels, where = np.unique(values, return_inverse=True)
    if len(levels) > 2 * largest + 1:
        return None
    found = [Fraction(level).limit_denominator(largest) for level in levels.tolist()]
    if any(float(part) != level for part, level in zip(found, levels.tolist(), strict=True)):
        return None
    step = math.lcm(*(part.denominator for part in found))
    if step > largest:
        return None
    whole = np.array([int(part * step) for part in found], dtype=np.int64)
    return whole[where].reshape(values.shape), step


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """One draw of an integer with equal chances for every unit.

    Attributes:
        low: the smallest value.
        step: greatest common divisor of the distances between values (at least 1).
        points: (k,) distinct (value - low) / step, rising from 0.
        weights: (k,) their chances; they sum to 1.
    """

    low: int
    step: int
    points: NDArray[np.int64]
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, values: NDArray[np.int64]) -> Draw:
        """Return the draw of one of the (units,) values.

        Raises:
            ValueError: there are no values.
        """
        if not len(values):
            raise ValueError("a draw needs at least one value, got none")
        low = int(values.min())
        apart, counts = _counted(values - low)
        step = math.gcd(*apart.tolist()) or 1
        return cls(low=low, step=step, points=apart // step, weights=counts / len(values))

    @property
    def width(self) -> int:
        """Return the largest point."""
        return int(self.points[-1])

    def work(self, times: int) -> int:
        """Return the multiply-adds of `sum_of` for that many draws."""
        done, half = 0, times // 2
        while half > 1:
            done += min(self._squaring(half // 2), self._stepping(half // 2, half))
            half //= 2
        return done + len(self.points) * self.width * times

    def _squaring(self, half: int) -> int:
        return _CALL + (half * self.width + 1) ** 2

    def _stepping(self, start: int, stop: int) -> int:
        calls = len(self.points) * (stop - start)
        return calls * (_CALL + self.width * (start + stop) // 2)

    def pmf(self, times: int) -> NDArray[np.float64]:
        """Return (times * width + 1,) the pmf of the sum of `times` draws of points."""
        if times == 0:
            return np.ones(1)
        half = times // 2
        out, done = self.pmf(half), half
        if self._squaring(half) <= self._stepping(half, times):
            out, done = np.convolve(out, out), 2 * half
        for _ in range(times - done):
            out = self._one_more(out)
        return out

    def _one_more(self, pmf: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.width <= _NARROW:
            return np.convolve(pmf, np.bincount(self.points, weights=self.weights))
        out = np.zeros(len(pmf) + self.width)
        steps = list(zip(self.points.tolist(), self.weights.tolist(), strict=True))
        for start in range(0, len(pmf), _BLOCK):
            block = pmf[start : start + _BLOCK]
            for point, weight in steps:
                # In place: out[start + point :] += weight * block.
                daxpy(block, out, n=len(block), a=weight, offy=start + point)
        return out

    def sum_of(self, times: int) -> ResampledSum:
        """Return the distribution of the sum of `times` independent draws."""
        left = self.pmf(times // 2)
        right = self._one_more(left) if times % 2 else left
        return ResampledSum(low=self.low * times, step=self.step, left=left, right=right)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResampledSum:
    """The distribution of a sum of draws, kept as two halves: a tail needs no more than these.

    The sum is low + step * (A + B), with A and B independent and distributed as `left` and
    `right`.
    """

    low: int
    step: int
    left: NDArray[np.float64]
    right: NDArray[np.float64]

    def at_least(self, total: int) -> float:
        """Return P(sum >= total)."""
        need = -((self.low - total) // self.step)
        above = np.cumsum(self.right[::-1])[::-1]
        return float(self.left[max(0, need) :].sum()) + _meeting(self.left, above, need, first=1)

    def at_most(self, total: int) -> float:
        """Return P(sum <= total)."""
        room = (total - self.low) // self.step
        certain = self.left[: max(0, room - len(self.right) + 2)].sum()
        below = np.cumsum(self.right)[:-1]
        return float(certain) + _meeting(self.left, below, room)

    def equals(self, total: int) -> float:
        """Return P(sum = total)."""
        at, off = divmod(total - self.low, self.step)
        return _meeting(self.left, self.right, at) if off == 0 else 0.0


def _counted(values: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct values, none negative, and their counts."""
    if int(values.max()) <= 4 * len(values) + 1_000:
        counts = np.bincount(values)
        levels = np.flatnonzero(counts)
        return levels, counts[levels]
    return np.unique(values, return_counts=True)


def _meeting(
    left: NDArray[np.float64], right: NDArray[np.float64], total: int, *, first: int = 0
) -> float:
    """Return sum of left[a] right[total - a] over a, with total - a >= first."""
    low, high = max(0, total - len(right) + 1), min(len(left), total - first + 1)
    if high <= low:
        return 0.0
    # A plain product and a pairwise sum: a BLAS dot would wait for threads on vectors this short.
    return float((left[low:high] * right[total - high + 1 : total - low + 1][::-1]).sum())


def bootstrap_tail(differences: NDArray[np.int64]) -> Tail:
    """Return the exact p of the paired bootstrap test of (n,) differences on a lattice.

    n differences are drawn with replacement n times; p is the chance that the mean of the draws
    lies at least as far from the observed mean as the observed mean lies from 0:
    |S* - S| >= |S|, that is S* >= 2 S or S* <= 0 for S > 0.  Decided in integers, so ties at the
    threshold are ties.  Efron and Tibshirani (1993), An Introduction to the Bootstrap, section
    16.4 (one sample, centred), with the Monte Carlo loop replaced by the whole distribution.

    Raises:
        ValueError: there are no differences.
    """
    observed = int(differences.sum())
    turned = differences if observed >= 0 else -differences
    resampled = Draw.of(turned).sum_of(len(turned))
    return two_tails(
        lower=resampled, upper=resampled, threshold=2 * abs(observed), is_zero=observed == 0
    )


def two_tails(*, lower: ResampledSum, upper: ResampledSum, threshold: int, is_zero: bool) -> Tail:
    """Return P(upper >= threshold) + P(lower <= 0), with and without the ties.

    When the observed difference is 0 every resample is as far from it, so inclusive p is 1.
    """
    beyond = upper.at_least(threshold + 1) + lower.at_most(-1)
    if is_zero:
        return Tail(inclusive=1.0, exclusive=min(1.0, beyond))
    ties = upper.equals(threshold) + lower.equals(0)
    return Tail(inclusive=min(1.0, beyond + ties), exclusive=min(1.0, beyond))
