"""Difficulty labels against what systems get right.  In: verdicts.  Out: trajectories, trends."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.estimates import count_rate
from finassay.analyses.kernels.reliability import trend
from finassay.analyses.results_difficulty import DifficultyTrend, LabelCell, LabelledDifficulty
from finassay.records import DIFFICULTY_ORDER, Item

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

METHOD = (
    "accuracy by label; trend over labels scored 0, 1, 2, ... by the Cochran-Armitage test in "
    "Mantel's form (z = r sqrt(N - 1), two-sided); items are taken to be independent"
)


def label_trends(
    values: Floats,
    counted: Bools,
    *,
    items: Sequence[Item],
    systems: Sequence[str],
    order: Sequence[str] = DIFFICULTY_ORDER,
) -> LabelledDifficulty | None:
    """Return how accuracy moves over difficulty labels, for each system and for all together.

    Args:
        values: (R, C) values.
        counted: (R, C) whether each counts.
        items: the R items.
        systems: the C systems.
        order: labels from easy to hard; items with other labels are left out.
    """
    place = {name: at for at, name in enumerate(order)}
    dose = np.array([place.get(item.difficulty.casefold(), -1) for item in items])
    present = [name for at, name in enumerate(order) if (dose == at).any()]
    if len(present) < 2:
        return None
    every = counted.all(axis=1) & (dose >= 0)
    names = {place[name]: name for name in present}
    trends = tuple(
        _trend(name, values[:, j], dose, counted[:, j] & (dose >= 0), names)
        for j, name in enumerate(systems)
    )
    return LabelledDifficulty(
        labels=tuple(present),
        pooled=_trend("", values.mean(axis=1), dose, every, names),
        systems=trends,
        declining=tuple(row.system for row in trends if row.is_declining),
        n_unlabelled=int((dose < 0).sum()),
        method=METHOD,
    )


def _trend(
    name: str, scores: Floats, dose: NDArray[np.int64], keep: Bools, names: dict[int, str]
) -> DifficultyTrend:
    cells = tuple(_cell(label, scores[keep & (dose == at)]) for at, label in names.items())
    rates = [cell.rate for cell in cells]
    falls = all(
        left is not None and right is not None and left > right for left, right in pairwise(rates)
    )
    found = trend(scores[keep], dose[keep].astype(np.float64))
    z, p = (None, None) if found is None else found
    return DifficultyTrend(system=name, cells=cells, is_declining=falls, z=z, p=p)


def _cell(label: str, scores: Floats) -> LabelCell:
    total, n = float(scores.sum()), len(scores)
    shares = np.isin(scores, (0.0, 1.0)).all()
    found = count_rate(round(total), n) if shares else None
    return LabelCell(
        label=label,
        total=total,
        n=n,
        rate=total / n if n else None,
        low=None if found is None else found.low,
        high=None if found is None else found.high,
    )
