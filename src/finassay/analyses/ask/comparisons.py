"""Comparisons between systems.  In: exact metrics by system.  Out: pairs, gaps, ranks, costs.

Thresholds are met on exact fractions: on printed digits 55.69 and 55.59 differ by 0.1, not by
0.0999.  Whoever evaluated the requests must not be among the systems.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, pairwise
from statistics import median
from typing import Literal

import numpy as np

from finassay.analyses.ask.metrics import Exact, Metric
from finassay.analyses.kernels.correlation import spearman
from finassay.analyses.results_ask import (
    AskCorrelation,
    AskRanks,
    CostCurves,
    CostLine,
    CostSegment,
    NearPair,
    NearPairs,
    RecallAsymmetry,
)

Systems = Mapping[str, Exact]

NEAR = Fraction(1, 1000)
"""Distance of BAcc, 0.1 points, up to which two systems count as near."""

WIDE_GAP = Fraction(1, 5)
"""Gap between the recalls, 20 points, above which it is called wide."""


def near_pairs(systems: Systems, within: Fraction = NEAR) -> NearPairs:
    """Return how many pairs are near in BAcc, and which of them differ most in ERA.

    Args:
        systems: exact metrics; those without BAcc or ERA are left out.
        within: the distance, inclusive.
    """
    known = {
        name: (one["BAcc"], one["ERA"])
        for name, one in systems.items()
        if one["BAcc"] is not None and one["ERA"] is not None
    }
    best: tuple[Fraction, str, str, Fraction] | None = None
    n_near = n_all = 0
    for (a, (bacc_a, era_a)), (b, (bacc_b, era_b)) in combinations(known.items(), 2):
        n_all += 1
        apart = abs(_known(bacc_a) - _known(bacc_b))
        if apart > within:
            continue
        n_near += 1
        differ = _known(era_a) - _known(era_b)
        high, low = (a, b) if differ >= 0 else (b, a)
        if best is None or abs(differ) > best[0]:
            best = abs(differ), high, low, apart
    largest = None
    if best is not None:
        largest = NearPair(
            high=best[1],
            low=best[2],
            era_difference=float(best[0]),
            bacc_difference=float(best[3]),
        )
    return NearPairs(within=float(within), n_pairs=n_near, n_all=n_all, largest=largest)


def _known(value: Fraction | None) -> Fraction:
    if value is None:
        raise ValueError("a metric without a value cannot be compared")
    return value


def recall_asymmetry(systems: Systems, above: Fraction = WIDE_GAP) -> RecallAsymmetry:
    """Return how far ask recall lies above proceed recall, over systems that have both."""
    gaps = {
        name: one["AskR"] - one["ProceedR"]
        for name, one in systems.items()
        if one["AskR"] is not None and one["ProceedR"] is not None
    }
    ordered = sorted(gaps.items(), key=lambda pair: (-pair[1], pair[0]))
    return RecallAsymmetry(
        n=len(gaps),
        n_ask_higher=sum(gap > 0 for gap in gaps.values()),
        median_gap=float(median(gaps.values())) if gaps else None,
        above=float(above),
        n_above=sum(gap > above for gap in gaps.values()),
        gaps=tuple((name, float(gap)) for name, gap in ordered),
    )


def competition_ranks(systems: Systems, metric: Metric) -> dict[str, int]:
    """Return 1 + the number of strictly better systems, for each that has a value."""
    values = {name: one[metric] for name, one in systems.items()}
    known = {name: value for name, value in values.items() if value is not None}
    return {
        name: 1 + sum(other > value for other in known.values()) for name, value in known.items()
    }


def ask_ranks(systems: Systems) -> tuple[AskRanks, ...]:
    """Return the ranks by BAcc, ERA and CRA, by ERA rank; systems without the first two not."""
    bacc, era = competition_ranks(systems, "BAcc"), competition_ranks(systems, "ERA")
    cra = competition_ranks(systems, "CRA")
    rows = [
        AskRanks(system=name, bacc=bacc[name], era=era[name], cra=cra.get(name))
        for name in systems
        if name in bacc and name in era
    ]
    return tuple(sorted(rows, key=lambda row: (row.era, row.bacc, row.system)))


PAIRS_OF_METRICS: tuple[tuple[Metric, Metric], ...] = (
    ("BAcc", "ERA"),
    ("BAcc", "CRA"),
    ("ERA", "CRA"),
    ("AskR", "ERA"),
    ("AskR", "CRA"),
    ("AskR", "ProceedR"),
)


def metric_correlations(systems: Systems) -> tuple[AskCorrelation, ...]:
    """Return Spearman's correlation for pairs of metrics over systems that have both."""
    found = []
    for left, right in PAIRS_OF_METRICS:
        both = [
            (float(_known(one[left])), float(_known(one[right])))
            for one in systems.values()
            if one[left] is not None and one[right] is not None
        ]
        table = np.array(both, dtype=np.float64).reshape(len(both), 2)
        rho, p, method = spearman(table[:, 0], table[:, 1])
        found.append(
            AskCorrelation(left=left, right=right, n=len(both), rho=rho, p=p, method=method)
        )
    return tuple(found)


def cost_curves(
    systems: Systems, ask_share: Fraction, miss: Literal["action", "evidence"]
) -> CostCurves:
    """Return the expected cost per state against the price share of a miss, exact crossings.

    With p the price of a miss over the sum of both prices, the cost of a system is
    p * ask_share * (1 - AskR) + (1 - p) * (1 - ask_share) * (1 - ProceedR), or with ERA in place
    of AskR where a miss is a need that is not met.  Drummond and Holte (2006), Machine Learning
    65, 95-130, draw classifiers so.  An invalid reply counts as the error of its state.

    Args:
        systems: exact metrics, with policies.
        ask_share: share of ask states.
        miss: what a miss is.
    """
    hit: Metric = "AskR" if miss == "action" else "ERA"
    ends = {
        name: (
            (1 - ask_share) * (1 - _known(one["ProceedR"])),
            ask_share * (1 - _known(one[hit])),
        )
        for name, one in systems.items()
        if one[hit] is not None and one["ProceedR"] is not None
    }
    return CostCurves(
        miss=miss,
        ask_share=float(ask_share),
        lines=tuple(
            CostLine(system=name, if_misses_only=float(one), if_needless_only=float(nil))
            for name, (nil, one) in ends.items()
        ),
        segments=_envelope(ends),
    )


def _envelope(ends: Mapping[str, tuple[Fraction, Fraction]]) -> tuple[CostSegment, ...]:
    """Return the lower envelope of lines given at 0 and 1, cut at every exact crossing."""
    if not ends:
        return ()
    crossings = {Fraction(0), Fraction(1)}
    for (a0, a1), (b0, b1) in combinations(set(ends.values()), 2):
        turn = (a0 - b0) - (a1 - b1)
        if turn:
            at = (a0 - b0) / turn
            crossings |= {at} if 0 < at < 1 else set()
    cuts = sorted(crossings)
    segments: list[tuple[Fraction, Fraction, tuple[str, ...]]] = []
    for low, high in pairwise(cuts):
        middle = (low + high) / 2
        cost = {name: nil + middle * (one - nil) for name, (nil, one) in ends.items()}
        least = min(cost.values())
        cheapest = tuple(sorted(name for name, value in cost.items() if value == least))
        if segments and segments[-1][2] == cheapest:
            segments[-1] = (segments[-1][0], high, cheapest)
        else:
            segments.append((low, high, cheapest))
    return tuple(
        CostSegment(low=float(low), high=float(high), systems=names)
        for low, high, names in segments
    )
