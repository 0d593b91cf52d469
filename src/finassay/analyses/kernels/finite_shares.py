"""Intervals for a share of a finite population.  In: counts of cells.  Out: value and ends.

The population is cut into cells of known size, each of them a simple random sample given how many
of its units were labelled: a stratum of the design, cut further by what a judge said.  The share is
a sum of cell shares with known weights.  The interval is the hull of two:

- the square-and-add rule (Zou and Donner 2008, Statistics in Medicine 27, 1693-1702) over exact
  intervals of the cells, which holds where a cell of weight shows no error in few labels;
- the exact binomial interval at the effective number of labels (Korn and Graubard 1998, Survey
  Methodology 24, 193-201), which holds where many cells show one or two.

Each alone falls short where the other holds; docs/reference/few-labels-simulation.md shows both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

OWN = 20
"""Labels from which a cell is estimated by itself; smaller ones are pooled by inclusion weight."""

LEAST = 2
"""Labels below which a group is not told apart from the others: its own share is too rough."""


@lru_cache(maxsize=65536)
def hypergeometric(right: int, n: int, size: int, level: float = 0.95) -> tuple[float, float]:
    """Return the exact interval of a share of `size` units when `right` of n drawn are right.

    The smallest K / size with P(X >= right | K) > (1 - level) / 2 and the largest with
    P(X <= right | K) > (1 - level) / 2, X hypergeometric.  Buonaccorsi (1987), American
    Statistician 41, 215-218.  When all units were drawn it is the share itself.

    Raises:
        ValueError: not 0 <= right <= n <= size with n >= 1, or `level` outside (0, 1).
    """
    if not (0 <= right <= n <= size and n >= 1) or not 0.0 < level < 1.0:
        raise ValueError(
            f"the interval needs 0 <= right <= n <= size, n >= 1 and a level in (0, 1), got "
            f"right {right!r}, n {n!r}, size {size!r}, level {level!r}"
        )
    low = 0 if right == 0 else _least(right, n, size, (1.0 - level) / 2.0)
    high = 0 if right == n else _least(n - right, n, size, (1.0 - level) / 2.0)
    return low / size, (size - high) / size


def _least(right: int, n: int, size: int, tail: float) -> int:
    """Return the smallest K with P(X >= right | K) > tail, by bisection: it grows with K."""
    low, high = right - 1, size - n + right
    drawn = np.arange(right, n + 1, dtype=np.float64)
    while high - low > 1:
        middle = (low + high) // 2
        x = drawn[(drawn <= middle) & (n - drawn <= size - middle)]
        logs = _choose(middle, x) + _choose(size - middle, n - x) - _choose(size, n)
        low, high = (low, middle) if float(np.exp(logs).sum()) > tail else (middle, high)
    return high


def _choose(n: float, k: float | Floats) -> Floats:
    out = special.gammaln(n + 1.0) - special.gammaln(np.add(k, 1.0))
    return np.asarray(out - special.gammaln(n - np.asarray(k) + 1.0))


def effective_interval(share: float, labels: float, level: float) -> tuple[float, float]:
    """Return the Clopper-Pearson interval of a share at a number of labels that need not be whole.

    Quantiles of beta distributions with x = share * labels successes; (0, 1) without labels.
    """
    if labels <= 0.0:
        return 0.0, 1.0
    tail, right = (1.0 - level) / 2.0, share * labels
    wrong, near = labels - right, 1e-9
    low = 0.0 if right <= near else float(special.betaincinv(right, wrong + 1.0, tail))
    high = 1.0 if wrong <= near else float(special.betaincinv(right + 1.0, wrong, 1.0 - tail))
    return low, high


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """Cells of a population, with how many of their units are labelled.

    Attributes:
        strata: (C,) stratum of the design.
        groups: (C,) what the judge said, as codes.
        sizes: (C,) units, at least 1.
        labels: (C,) labelled units, at most `sizes`.
        weights: (C,) units of the stratum for each labelled unit of it, for pooling.
    """

    strata: Ints
    groups: Ints
    sizes: Ints
    labels: Ints
    weights: Floats

    def ungrouped(self) -> Cells:
        """Return the same cells as if the judge had said nothing."""
        return Cells(
            strata=self.strata,
            groups=np.zeros_like(self.groups),
            sizes=self.sizes,
            labels=self.labels,
            weights=self.weights,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block:
    """Cells that are estimated together.

    Attributes:
        members: (c,) which cells.
        size: units in them.
        labels: labels in them.
        effective: labels of equal weight that they are worth (Kish): (sum w)^2 / sum w^2.
        one_stratum: whether it is a plain random sample of one stratum.
    """

    members: Ints
    size: int
    labels: int
    effective: float
    one_stratum: bool

    @property
    def left(self) -> float:
        """Part of the units that is not labelled."""
        return 1.0 - self.labels / self.size


def blocks_of(cells: Cells, *, own: int = OWN, least: int = LEAST) -> tuple[Block, ...]:
    """Return how cells are pooled: what depends on counts of labels alone, never on the labels.

    The cells of strata that are labelled whole stand alone.  Groups with fewer than `least` labels
    among the others are merged with the next smallest group.  In a group, strata with `own` labels
    or more stand alone and the rest are pooled by weight.
    """
    partly = np.unique(cells.strata[cells.labels < cells.sizes])
    whole = ~np.isin(cells.strata, partly)
    out = [_block(cells, np.array([at])) for at in np.flatnonzero(whole)]
    for members in _groups(cells, np.flatnonzero(~whole), least):
        out += _pooled(cells, members, own, least)
    return tuple(out)


def _groups(cells: Cells, unknown: Ints, least: int) -> list[Ints]:
    """Return the cells that are not labelled whole, by group, small groups merged."""
    found = [unknown[cells.groups[unknown] == code] for code in np.unique(cells.groups[unknown])]
    while len(found) > 1:
        found.sort(key=lambda one: int(cells.labels[one].sum()))
        if int(cells.labels[found[0]].sum()) >= least:
            break
        found[:2] = [np.concatenate(found[:2])]
    return found


def _pooled(cells: Cells, members: Ints, own: int, least: int) -> list[Block]:
    alone: list[Ints] = []
    rest: list[Ints] = []
    for stratum in np.unique(cells.strata[members]):
        inside = members[cells.strata[members] == stratum]
        (alone if int(cells.labels[inside].sum()) >= own else rest).append(inside)
    alone.sort(key=lambda one: int(cells.labels[one].sum()))
    while rest and alone and sum(int(cells.labels[one].sum()) for one in rest) < least:
        rest.append(alone.pop(0))
    made = [_block(cells, one) for one in alone]
    return [*made, _block(cells, np.concatenate(rest))] if rest else made


def _block(cells: Cells, members: Ints) -> Block:
    weights, labels = cells.weights[members], cells.labels[members]
    squares = float((weights**2 * labels).sum())
    return Block(
        members=members,
        size=int(cells.sizes[members].sum()),
        labels=int(labels.sum()),
        effective=float((weights * labels).sum()) ** 2 / squares if squares else 0.0,
        one_stratum=len(np.unique(cells.strata[members])) == 1,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """An estimated share with its interval.

    Attributes:
        value: in [0, 1].
        low: low end.
        high: high end.
        variance: estimated variance of the value.
    """

    value: float
    low: float
    high: float
    variance: float


def share_interval(
    cells: Cells, blocks: Sequence[Block], right: Floats, *, level: float = 0.95
) -> Share | None:
    """Return the share of units that are right; None where a block has no label at all.

    Args:
        cells: the population.
        blocks: how its cells are pooled.
        right: (C,) labelled units that are right.
        level: confidence level.
    """
    if any(block.labels == 0 for block in blocks):
        return None
    total = float(sum(block.size for block in blocks))
    value = below = above = variance = unknown = inside = 0.0
    open_blocks = sum(block.labels < block.size for block in blocks)
    for block in blocks:
        share, low, high = _block_interval(cells, block, right, level)
        weight = block.size / total
        value += weight * share
        below += (weight * (share - low)) ** 2
        above += (weight * (high - share)) ** 2
        if block.labels < block.size:
            unknown, inside = unknown + weight, inside + weight * share
            variance += weight**2 * block.left * _spread(share, block.effective)
    low, high = value - math.sqrt(below), value + math.sqrt(above)
    if variance > 0.0 and open_blocks > 1:
        # Of the part that is not labelled whole: its share, at its effective number of labels.
        part, scaled = inside / unknown, variance / unknown**2
        ends = effective_interval(part, part * (1.0 - part) / scaled, level)
        low = min(low, value - unknown * (part - ends[0]))
        high = max(high, value + unknown * (ends[1] - part))
    return Share(value=value, low=max(0.0, low), high=min(1.0, high), variance=variance)


def _spread(share: float, labels: float) -> float:
    # With one label the spread is unknown, so the largest there can be stands in, never zero.
    return share * (1.0 - share) / (labels - 1.0) if labels > 1.0 + 1e-9 else 0.25


def _block_interval(
    cells: Cells, block: Block, right: Floats, level: float
) -> tuple[float, float, float]:
    """Return the share of a block and the ends of its interval."""
    members = block.members
    weights = cells.weights[members]
    hits = int(right[members].sum())
    share = float((weights * right[members]).sum() / (weights * cells.labels[members]).sum())
    if block.one_stratum:
        return share, *hypergeometric(hits, block.labels, block.size, level)
    low, high = effective_interval(share, block.effective, level)
    shrink = math.sqrt(block.left)
    low = max(share - shrink * (share - low), hits / block.size)
    high = min(share + shrink * (high - share), 1.0 - (block.labels - hits) / block.size)
    return share, min(low, share), max(high, share)


def difference(plus: Share, minus: Share, *, correlation: float = 0.0) -> Share:
    """Return plus minus minus with the square-and-add interval, ends in [-1, 1].

    L = d - sqrt(a^2 + b^2 - 2 r a b) with a, b the distances from the values to the low end of
    `plus` and the high end of `minus`, r their correlation; H likewise.  Zou and Donner (2008).
    """

    def reach(a: float, b: float) -> float:
        return math.sqrt(max(0.0, a * a + b * b - 2.0 * correlation * a * b))

    value = plus.value - minus.value
    low = value - reach(plus.value - plus.low, minus.high - minus.value)
    high = value + reach(plus.high - plus.value, minus.value - minus.low)
    error = math.sqrt(plus.variance * minus.variance)
    variance = max(0.0, plus.variance + minus.variance - 2.0 * correlation * error)
    return Share(value=value, low=max(-1.0, low), high=min(1.0, high), variance=variance)


def exclusive_correlation(
    cells: Cells, blocks: Sequence[Block], first: Floats, second: Floats
) -> float:
    """Return the correlation of two estimated shares of which no unit has both, in [-1, 0].

    - sum W^2 (1 - f) p q / n over the root of the two variances, as for counts of a multinomial.
    """
    total = float(sum(block.size for block in blocks))
    covariance = 0.0
    variances = np.zeros(2)
    for block in blocks:
        if block.labels == block.size:
            continue
        scale = (block.size / total) ** 2 * block.left / max(1.0, block.effective)
        weights = cells.weights[block.members]
        labels = float((weights * cells.labels[block.members]).sum())
        p, q = (float((weights * one[block.members]).sum()) / labels for one in (first, second))
        covariance -= scale * p * q
        variances += scale * np.array([p * (1.0 - p), q * (1.0 - q)])
    product = float(variances.prod())
    return max(-1.0, covariance / math.sqrt(product)) if product > 0.0 else 0.0


def net_interval(
    cells: Cells, blocks: Sequence[Block], plus: Floats, minus: Floats, *, level: float = 0.95
) -> Share | None:
    """Return the share of one kind less the share of another, of which no unit has both.

    None where a block has no label.

    Args:
        cells: the population.
        blocks: how its cells are pooled.
        plus: (C,) labelled units of the first kind.
        minus: (C,) labelled units of the second.
        level: confidence level.
    """
    first = share_interval(cells, blocks, plus, level=level)
    second = share_interval(cells, blocks, minus, level=level)
    if first is None or second is None:
        return None
    correlation = exclusive_correlation(cells, blocks, plus, minus)
    return difference(first, second, correlation=correlation)
