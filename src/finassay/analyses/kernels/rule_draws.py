"""Chance within each of many rules.  In: right and counted replies.  Out: resampled scores, ranks.

All rules see the same resamples, so that what differs between them is the rule alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Bools = NDArray[np.bool_]

BINS = 10_000
"""Accuracies of all draws together are counted in this many bins, so their quantiles are right to
four decimals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """What resamples of the units say of K rules.

    Attributes:
        low: (K, C) lower quantile of accuracy.
        high: (K, C) upper quantile.
        ranks: (K, C, C) share of draws in which a system has competition rank 1, 2, ..., C.
        bins: (C, BINS + 1) weighted share of rules and draws together by accuracy.
    """

    low: Floats
    high: Floats
    ranks: Floats
    bins: Floats


def unit_sums(marks: Bools, codes: Counts | None) -> NDArray[np.float32]:
    """Return (K, C, U) sums of (K, I, C) marks over units; items are units without codes."""
    if codes is None:
        return marks.transpose(0, 2, 1).astype(np.float32)
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    ordered = marks[:, order].transpose(0, 2, 1).astype(np.float32)
    return np.add.reduceat(ordered, starts, axis=2)


def resampled(counts: Floats, right: NDArray[np.float32], counted: NDArray[np.float32]) -> Floats:
    """Return (K, C, B) accuracies in each resample; NaN where nothing counts.

    Args:
        counts: (B, U) how often each unit is drawn.
        right: (K, C, U) right replies of each unit.
        counted: (K, C, U) replies that count.
    """
    times = np.ascontiguousarray(counts.T, dtype=np.float32)
    top = _drawn_sums(right, times)
    # Where every rule counts the same replies, they are counted once.
    same = counted[:1, :1] if (counted == counted[:1, :1]).all() else counted
    bottom = _drawn_sums(same, times)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(top / bottom)


def _drawn_sums(sums: NDArray[np.float32], times: NDArray[np.float32]) -> Floats:
    # One product of two tables: a stack of small ones would not reach the fast path.
    flat = sums.reshape(-1, sums.shape[2]) @ times
    return flat.reshape(*sums.shape[:2], -1).astype(np.float64)


def competition(scores: Floats) -> Counts:
    """Return (K, C, B) competition ranks of (K, C, B) scores, 1 for the best; 0 where NaN."""
    better = np.stack(
        [(scores > scores[:, [j]]).sum(axis=1) for j in range(scores.shape[1])], axis=1
    )
    return np.where(np.isnan(scores), 0, better + 1)


def drawn(accuracies: Floats, weights: Floats, tails: tuple[float, float]) -> Drawn:
    """Return the quantiles and rank shares of (K, C, B) accuracies of K rules.

    Args:
        accuracies: accuracies; a draw without a value is left out.
        weights: (K,) weights of the rules.
        tails: the two quantiles.
    """
    systems, draws = accuracies.shape[1:]
    if np.isnan(accuracies).any():
        with np.errstate(all="ignore"):
            low, high = _known_quantiles(accuracies, tails)
    else:
        low, high = np.quantile(accuracies, tails, axis=2)
    ranks = competition(accuracies)
    shares = np.stack([(ranks == rank + 1).mean(axis=2) for rank in range(systems)], axis=-1)
    bins = np.zeros((systems, BINS + 1))
    each = np.repeat(weights / draws, draws)
    for j in range(systems):
        column = accuracies[:, j].ravel()
        known = ~np.isnan(column)
        where = np.rint(column[known] * BINS).astype(np.int64)
        bins[j] = np.bincount(where, weights=each[known], minlength=BINS + 1)
    return Drawn(low=low, high=high, ranks=shares, bins=bins)


def _known_quantiles(accuracies: Floats, tails: tuple[float, float]) -> Floats:
    """Return (2, K, C) quantiles of the draws with a value; NaN where none has one."""
    flat = accuracies.reshape(-1, accuracies.shape[2])
    out = np.full((len(tails), len(flat)), np.nan)
    for at, row in enumerate(flat):
        known = row[~np.isnan(row)]
        if len(known):
            out[:, at] = np.quantile(known, tails)
    return out.reshape(len(tails), *accuracies.shape[:2])


def weighted_ends(values: Floats, weights: Floats, tails: tuple[float, float]) -> tuple[float, ...]:
    """Return the weighted quantiles of (R,) values: the least value that so much lies at or below.

    Raises:
        ValueError: there is no weight at all.
    """
    if not weights.sum() > 0:
        raise ValueError("quantiles need some weight, got none")
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[order])
    below /= below[-1]
    # A share that rounding leaves a hair short still counts as reached.
    places = [min(int(np.searchsorted(below, tail - 1e-12)), len(values) - 1) for tail in tails]
    return tuple(float(values[order[at]]) for at in places)


def discordant(right: Bools, counted: Bools) -> Counts:
    """Return (K, C, C) items that count for both and that the first has right, the second wrong."""
    top = right.astype(np.float32)
    wrong = (counted & ~right).astype(np.float32)
    found = np.matmul(top.transpose(0, 2, 1), wrong)
    return np.asarray(np.rint(found).astype(np.int64))


def exact_paired_p(gained: Counts, lost: Counts) -> Floats:
    """Return the two-sided exact p of McNemar's test, elementwise; 1 without discordant items.

    min(1, 2 P(X <= min(b, c))) with X binomial (b + c, 1/2).
    """
    n = gained + lost
    tail = special.bdtr(np.minimum(gained, lost).astype(np.float64), n, 0.5)
    return np.asarray(np.where(n > 0, np.minimum(1.0, 2.0 * tail), 1.0))


def centred_p(accuracies: Floats, observed: Floats) -> Floats:
    """Return (C, C) two-sided p of the centred bootstrap, inclusive, from (C, B) resamples.

    The share of draws in which a difference lies at least as far from the observed one as the
    observed one from 0; differences within 1e-12 count as tied.
    """
    gaps = accuracies[:, None] - accuracies[None, :]
    seen = (observed[:, None] - observed[None, :])[:, :, None]
    return np.asarray((np.abs(gaps - seen) >= np.abs(seen) - 1e-12).mean(axis=2))
