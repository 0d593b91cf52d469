"""What labels in each stratum would bring.  In: a frame of labels.  Out: costs and allocations."""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from finassay.analyses.kernels.designs import LEAST, Allocation, allocate
from finassay.analyses.label_frame import Bools, Floats, Frame

GUESS = 0.6
"""Correlation of a judge's verdict with the label where nothing is known."""

PILOT = 10
"""Labels from which the judge's errors are taken from them, not from the guess."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelPlan:
    """What labels in each stratum would take off a variance: sum of cost (1 / n - 1 / size).

    Attributes:
        names: strata.
        sizes: units in each.
        labelled: units labelled in each.
        spreads: standard deviation that the judge's verdict leaves in a label of each.
        costs: see above.
    """

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    labelled: tuple[int, ...]
    spreads: tuple[float, ...]
    costs: tuple[float, ...]

    @classmethod
    def of(
        cls,
        frame: Frame,
        codes: Sequence[int],
        chances: Floats,
        *,
        divide: int = 1,
    ) -> LabelPlan:
        """Return the plan for the sum of the variances of some systems' scores.

        That is the variance of the difference of two systems, as far as the verdicts explain what
        their answers share.

        Args:
            frame: the answers.
            codes: systems.
            chances: (U,) chance that people mark each answer right, see `right_chances`.
            divide: what the sum is divided by: the number of systems gives the mean.
        """
        of_systems = np.isin(frame.systems, codes)
        # Where items are drawn, the rows of one system stand for the items.
        units = of_systems if frame.rows_are_units else frame.systems == codes[0]
        strata = np.unique(frame.strata[units]).tolist()
        inside = [units & (frame.strata == code) for code in strata]
        answers = [of_systems & (frame.strata == code) for code in strata]
        spread = chances * (1.0 - chances)
        costs = [
            sum(_cost(frame, drawn, given, one, chances) for one in codes) / divide
            for drawn, given in zip(inside, answers, strict=True)
        ]
        return cls(
            names=tuple(frame.names[code] for code in strata),
            sizes=tuple(int(rows.sum()) for rows in inside),
            labelled=tuple(int((rows & frame.is_labelled).sum()) for rows in inside),
            spreads=tuple(math.sqrt(float(spread[rows].mean())) for rows in answers),
            costs=tuple(costs),
        )

    def one(self, at: int, labels: int) -> float:
        """Return the variance that comes from one stratum; without a label, as if from half."""
        return self.costs[at] * max(0.0, 1.0 / max(0.5, labels) - 1.0 / self.sizes[at])

    def variance(self, labels: Sequence[int]) -> float:
        """Return the variance with so many labels in each stratum."""
        return math.fsum(self.one(at, n) for at, n in enumerate(labels))

    def shared(
        self, units: int, *, rule: Allocation, certain: Collection[str]
    ) -> tuple[int, ...] | None:
        """Return how many units are drawn from each stratum; None where they are too few."""
        whole = {name for name in certain if name in self.names}
        sizes = dict(zip(self.names, self.sizes, strict=True))
        least = sum(n if name in whole else min(LEAST, n) for name, n in sizes.items())
        if units < least:
            return None
        spreads = {
            name: math.sqrt(cost) / size
            for name, cost, size in zip(self.names, self.costs, self.sizes, strict=True)
        }
        drawn = allocate(sizes, total=units, rule=rule, spreads=spreads, certain=whole)
        return tuple(one.take for one in drawn)

    def greedy(self, units: int) -> tuple[int, ...]:
        """Return the labels of each stratum after a batch whose units go where they help most."""
        has = list(self.labelled)

        def turn(at: int) -> tuple[float, int]:
            return -(self.one(at, has[at]) - self.one(at, has[at] + 1)), at

        heap = [turn(at) for at in range(len(has)) if has[at] < self.sizes[at]]
        heapq.heapify(heap)
        for _ in range(min(units, sum(self.sizes) - sum(has))):
            _, at = heapq.heappop(heap)
            has[at] += 1
            if has[at] < self.sizes[at]:
                heapq.heappush(heap, turn(at))
        return tuple(has)


def _cost(frame: Frame, units: Bools, answers: Bools, system: int, chances: Floats) -> float:
    """Return what one system's answers in one stratum cost: N_h N_hs S_hs^2 / N_s^2."""
    inside = answers & (frame.systems == system)
    if not inside.any():
        return 0.0
    own = chances[inside]
    whole = int((frame.systems == system).sum())
    return float(units.sum() * inside.sum()) * float((own * (1.0 - own)).mean()) / whole**2


def right_chances(frame: Frame, correlation: float | None) -> Floats:
    """Return (U,) the chance that people mark each answer right, given the judge's verdict.

    From the labels, stratum by stratum, drawn towards the rate over all strata; with few labels
    from a judge that is right on average and correlates with people as assumed: q + r (1 - q) where
    it marks right and q (1 - r) where not, q being its rate on the system.
    """
    says = frame.says_right
    out = np.zeros(len(says))
    if correlation is not None or int(frame.is_labelled.sum()) < PILOT:
        guess = GUESS if correlation is None else correlation
        for system in np.unique(frame.systems):
            rows = frame.systems == system
            q = float(says[rows].mean())
            out[rows] = np.where(says[rows], q + guess * (1.0 - q), q * (1.0 - guess))
        return out
    for verdict in (True, False):
        alike = says == verdict
        seen = alike & frame.is_labelled
        overall = (float(frame.labels[seen].sum()) + 1.0) / (int(seen.sum()) + 2.0)
        for code in np.unique(frame.strata[alike]):
            rows = alike & (frame.strata == code)
            own = rows & frame.is_labelled
            out[rows] = (float(frame.labels[own].sum()) + 2.0 * overall) / (int(own.sum()) + 2.0)
    return out
