"""What an interval will reach before a label is given.  In: chances.  Out: widths and power.

The interval of a difference is exact in every cell, so where labels are few it is wider than its
standard error says; a budget that forgot this would promise too much.  Its reach is therefore
computed from the counts that are expected, by the rules of `kernels.finite_shares`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from finassay.analyses.kernels.designs import Allocation
from finassay.analyses.kernels.finite_shares import Share, difference, effective_interval
from finassay.analyses.label_frame import Bools, Floats, Frame, Ints
from finassay.analyses.label_plan import LabelPlan
from finassay.analyses.results_few_labels import BudgetPoint


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedCell:
    """Answers that the judge says the same of, in one stratum.

    Attributes:
        stratum: which, as a place in the plan.
        size: answers (or items) in it.
        of_stratum: its part of the units of the stratum.
        weight: its part of the answers that the score is over.
        chance: chance that people mark one right (of an item: that the two answers differ so).
    """

    stratum: int
    size: int
    of_stratum: float
    weight: float
    chance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedDifference:
    """What is known of a difference beforehand: two shares, the first less the second.

    Attributes:
        first: cells of the first share.
        second: cells of the second.
        exclusive: whether both are shares of the same items, of which none has both.
    """

    first: tuple[ExpectedCell, ...]
    second: tuple[ExpectedCell, ...]
    exclusive: bool

    def interval(self, drawn: Sequence[int], *, level: float) -> Share:
        """Return the difference with its expected interval, with so many units drawn a stratum."""
        sides = [_share(cells, drawn, level) for cells in (self.first, self.second)]
        correlation = 0.0
        if self.exclusive:
            shared = sum(
                one.weight**2 * one.chance * other.chance * _scale(one, drawn)
                for one, other in zip(self.first, self.second, strict=True)
            )
            product = sides[0].variance * sides[1].variance
            correlation = max(-1.0, -shared / math.sqrt(product)) if product > 0.0 else 0.0
        return difference(*sides, correlation=correlation)

    def power(self, drawn: Sequence[int], aim: float, *, level: float) -> tuple[float, float]:
        """Return (chance that the interval leaves 0 out, its expected reach towards 0).

        The estimate is taken as normal around `aim`.
        """
        found = self.interval(drawn, level=level)
        reach = found.value - found.low if aim > 0.0 else found.high - found.value
        error = math.sqrt(found.variance)
        if error == 0.0:
            return 1.0, 0.0
        return float(special.ndtr((abs(aim) - reach) / error)), reach


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """A difference that is to be found, and how labels are drawn for it.

    Attributes:
        plan: strata and their sizes.
        expected: what is known of the difference.
        difference: what is to be found.
        level: confidence level of the interval.
        rule: how labels are shared among strata.
        certain: strata that are labelled whole.
        step: labels that one drawn unit takes.
    """

    plan: LabelPlan
    expected: ExpectedDifference
    difference: float
    level: float = 0.95
    rule: Allocation = "proportional"
    certain: tuple[str, ...] = ()
    step: int = 1

    def point(self, labels: int) -> BudgetPoint:
        """Return what so many labels would find."""
        drawn = self.plan.shared(labels // self.step, rule=self.rule, certain=self.certain)
        if drawn is None:
            return BudgetPoint(labels=labels, power=0.0, half_width=1.0)
        power, reach = self.expected.power(drawn, self.difference, level=self.level)
        return BudgetPoint(labels=labels, power=power, half_width=min(1.0, reach))

    def needed(self, power: float) -> int:
        """Return the fewest labels with a given power, by bisection."""
        # With every answer labelled the difference is known, so all labels always do.
        low, high = 0, sum(self.plan.sizes)
        while high - low > 1:
            middle = (low + high) // 2
            reaches = self.point(middle * self.step).power >= power
            low, high = (low, middle) if reaches else (middle, high)
        return high * self.step

    def around(self, needed: int) -> tuple[int, ...]:
        """Return ten numbers of labels around what is needed."""
        most = sum(self.plan.sizes)
        middle = needed // self.step
        factors = (0.2, 0.3, 0.45, 0.6, 0.8, 1.0, 1.3, 1.7, 2.5, 4.0)
        counts = sorted({min(most, max(1, math.ceil(factor * middle))) for factor in factors})
        return tuple(count * self.step for count in counts)


def _scale(cell: ExpectedCell, drawn: Sequence[int]) -> float:
    """Return 1 / n - 1 / N for the labels that the cell will get."""
    n = min(float(cell.size), drawn[cell.stratum] * cell.of_stratum)
    return max(0.0, 1.0 / max(n, 0.5) - 1.0 / cell.size)


def _share(cells: Sequence[ExpectedCell], drawn: Sequence[int], level: float) -> Share:
    value = below = above = variance = unknown = inside = 0.0
    for cell in cells:
        value += cell.weight * cell.chance
        scale = _scale(cell, drawn)
        if scale == 0.0:
            continue
        n = drawn[cell.stratum] * cell.of_stratum
        shrink = cell.weight * math.sqrt(max(0.0, 1.0 - n / cell.size))
        low, high = effective_interval(cell.chance, max(n, 0.5), level)
        below += (shrink * (cell.chance - low)) ** 2
        above += (shrink * (high - cell.chance)) ** 2
        variance += cell.weight**2 * cell.chance * (1.0 - cell.chance) * scale
        unknown, inside = unknown + cell.weight, inside + cell.weight * cell.chance
    reach = [math.sqrt(below), math.sqrt(above)]
    if variance > 0.0:
        part = inside / unknown
        ends = effective_interval(part, part * (1.0 - part) * unknown**2 / variance, level)
        reach = [
            max(reach[0], unknown * (part - ends[0])),
            max(reach[1], unknown * (ends[1] - part)),
        ]
    return Share(value=value, low=value - reach[0], high=value + reach[1], variance=variance)


def expected_difference(
    frame: Frame, codes: Sequence[int], chances: Floats, strata: Sequence[str], *, blind: bool
) -> ExpectedDifference:
    """Return what is known of the difference of two systems before labels are given.

    Args:
        frame: the answers.
        codes: the two systems.
        chances: (U,) chance that people mark each answer right.
        strata: names of the strata of the plan, in its order.
        blind: whether the judge's verdicts are not used.
    """
    places = np.array([strata.index(name) if name in strata else -1 for name in frame.names])
    if frame.rows_are_units:
        units = np.isin(frame.systems, codes)
        sides = [
            _cells(frame, frame.systems == code, chances, places, units=units, blind=blind)
            for code in codes
        ]
        return ExpectedDifference(first=sides[0], second=sides[1], exclusive=False)
    return _paired(frame, codes, chances, places, blind=blind)


def _cells(
    frame: Frame, rows: Bools, chances: Floats, places: Ints, *, units: Bools, blind: bool
) -> tuple[ExpectedCell, ...]:
    out = []
    whole = float(rows.sum())
    groups = np.zeros_like(frame.systems) if blind else frame.says_right.astype(np.int64)
    for code in np.unique(frame.strata[rows]).tolist():
        of_stratum = float((units & (frame.strata == code)).sum())
        for group in (0, 1):
            inside = rows & (frame.strata == code) & (groups == group)
            size = int(inside.sum())
            if size:
                out.append(
                    ExpectedCell(
                        stratum=int(places[code]),
                        size=size,
                        of_stratum=size / of_stratum,
                        weight=size / whole,
                        chance=float(chances[inside].mean()),
                    )
                )
    return tuple(out)


def _paired(
    frame: Frame, codes: Sequence[int], chances: Floats, places: Ints, *, blind: bool
) -> ExpectedDifference:
    rows = [np.flatnonzero(frame.systems == code) for code in codes]
    _, first, second = np.intersect1d(
        frame.items[rows[0]], frame.items[rows[1]], return_indices=True
    )
    left, right = rows[0][first], rows[1][second]
    says = frame.says_right.astype(np.int64)
    groups = np.zeros_like(left) if blind else says[left] - says[right]
    only_left = chances[left] * (1.0 - chances[right])
    only_right = chances[right] * (1.0 - chances[left])
    sides: list[list[ExpectedCell]] = [[], []]
    for code in np.unique(frame.strata[left]).tolist():
        of_stratum = float((frame.strata[left] == code).sum())
        for group in np.unique(groups).tolist():
            inside = (frame.strata[left] == code) & (groups == group)
            size = int(inside.sum())
            if not size:
                continue
            for side, chance in zip(sides, (only_left, only_right), strict=True):
                side.append(
                    ExpectedCell(
                        stratum=int(places[code]),
                        size=size,
                        of_stratum=size / of_stratum,
                        weight=size / len(left),
                        chance=float(chance[inside].mean()),
                    )
                )
    return ExpectedDifference(first=tuple(sides[0]), second=tuple(sides[1]), exclusive=True)
