"""The fewest items that keep a ranking.  In: items x systems scores.  Out: rows, and a proof.

One inequality for each pair of neighbours in the ranking is enough, since order is transitive.
Items with equal scores are interchangeable, so the integer programme counts patterns, not items.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

ROUNDING = 9
"""Decimals to which sums of scores are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subset:
    """Rows that keep the ranking.

    Attributes:
        rows: their indices, in row order.
        bound: no subset with fewer rows keeps the ranking.
        is_smallest: whether `bound` equals the number of rows.
        method: "integer programme" or "greedy".
    """

    rows: Rows
    bound: int
    is_smallest: bool
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Programme:
    """Differences between neighbours in the ranking, by pattern.

    Attributes:
        gaps: (K, P) score of the better minus the score of the worse neighbour on each pattern.
        tied: (K,) neighbours whose totals are equal.
        supply: (P,) items of each pattern.
        pattern: (R,) pattern of each item.
        least: smallest lead that counts as one.
    """

    gaps: Floats
    tied: NDArray[np.bool_]
    supply: Floats
    pattern: Rows
    least: float


def keeps_ranking(values: Floats, rows: Rows) -> bool:
    """Return whether the sums over some rows rank the systems as the sums over all do, ties too."""
    whole, part = (np.round(v.sum(axis=0), ROUNDING) for v in (values, values[rows]))
    return bool(
        (np.sign(whole[:, None] - whole[None, :]) == np.sign(part[:, None] - part[None, :])).all()
    )


def smallest_subset(values: Floats, *, node_limit: int = 200) -> Subset:
    """Return the fewest rows of (R, C) scores whose sums rank the C systems as all rows do.

    An integer programme proves that no smaller subset exists; when it runs out of nodes, the
    better of its best answer and a greedy one is returned, with the bound that was reached.

    Args:
        values: scores of R items and C systems.
        node_limit: branches that the programme may look at.
    """
    model = _programme(values)
    if not len(model.gaps):
        return Subset(
            rows=np.arange(0, dtype=np.int64), bound=0, is_smallest=True, method="integer programme"
        )
    spread = optimize.milp(
        np.ones(len(model.supply)),
        integrality=np.ones(len(model.supply)),
        bounds=optimize.Bounds(0, model.supply),
        constraints=optimize.LinearConstraint(
            model.gaps,
            np.where(model.tied, 0.0, model.least),
            np.where(model.tied, 0.0, np.inf),
        ),
        options={"node_limit": node_limit, "mip_rel_gap": 0.0},
    )
    found = [(greedy_subset(values), "greedy")]
    if spread.x is not None:
        rows = _rows_of(np.rint(spread.x).astype(np.int64), model.pattern)
        if keeps_ranking(values, rows):
            found.append((rows, "integer programme"))
    rows, method = min(found, key=lambda pair: (len(pair[0]), pair[1] == "greedy"))
    proven = getattr(spread, "mip_dual_bound", None)
    bound = 0 if proven is None or not math.isfinite(proven) else math.ceil(proven - 1e-6)
    return Subset(
        rows=rows,
        bound=min(bound, len(rows)),
        is_smallest=bound >= len(rows),
        method=method,
    )


def _programme(values: Floats) -> _Programme:
    totals = np.round(values.sum(axis=0), ROUNDING)
    order = np.argsort(-totals, kind="stable")
    patterns, where, supply = np.unique(
        np.round(values, ROUNDING), axis=0, return_inverse=True, return_counts=True
    )
    ahead, behind = order[:-1], order[1:]
    gaps = (patterns[:, ahead] - patterns[:, behind]).T
    sizes = np.abs(gaps[np.abs(gaps) > 0])
    return _Programme(
        gaps=gaps,
        tied=totals[ahead] == totals[behind],
        supply=supply.astype(np.float64),
        pattern=np.asarray(where, dtype=np.int64).reshape(-1),
        # Whole-number gaps lead by one at least; graded ones by a sliver that outlasts rounding.
        least=1.0 if np.equal(sizes, 1.0).all() else 1e-6,
    )


def _rows_of(counts: NDArray[np.int64], pattern: Rows) -> Rows:
    """Return the first rows of each pattern, as many as were chosen."""
    chosen = [np.flatnonzero(pattern == p)[:count] for p, count in enumerate(counts) if count > 0]
    return np.sort(np.concatenate(chosen)) if chosen else np.arange(0, dtype=np.int64)


def greedy_subset(values: Floats) -> Rows:
    """Return rows that keep the ranking, dropped one by one as long as it is kept.

    Rows that separate fewest pairs of systems are tried first.  No row of the answer can be left
    out alone, but a smaller subset may exist.
    """
    k = values.sum(axis=1)
    order = np.argsort(k * (values.shape[1] - k), kind="stable")
    keep = np.ones(len(values), dtype=bool)
    # Keeping a ranking is not monotone: a row that was needed may be free once others are gone, so
    # that passes are repeated until one drops nothing.
    dropped = True
    while dropped:
        dropped = False
        for row in order[keep[order]]:
            keep[row] = False
            if keeps_ranking(values, np.flatnonzero(keep)):
                dropped = True
            else:
                keep[row] = True
    return np.flatnonzero(keep).astype(np.int64)
