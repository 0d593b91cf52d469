"""How far operations rank alike.  In: a sheet.  Out: correlations, percentile profiles."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.selection import (
    average_ranks,
    percentile_profiles,
    profile_gaps,
    rank_correlations,
    spectrum,
)
from finassay.analyses.operations.results import (
    Between,
    OperationAgreement,
    OperationPair,
    Profile,
    ProfilePair,
    Profiles,
)
from finassay.analyses.operations.results_ask import Number
from finassay.analyses.operations.sheet import MEAN_DIGITS, ScoreSheet

Floats = NDArray[np.float64]

BELOW = 0.5
"""Correlation below which a pair of operations is counted as ranking differently."""


def operation_agreement(sheet: ScoreSheet, *, below: float = BELOW) -> OperationAgreement:
    """Return Spearman's rho of every pair of operations over the comparable systems.

    The eigenvalues say how much of the ranking one common order explains.
    """
    kept = sheet.comparable()
    ranks = average_ranks(sheet.scores[kept].T)
    rho, known = rank_correlations(ranks[:, None, :], ranks[None, :, :])
    size = len(sheet.operations)
    pairs = _pairs(sheet.operations, rho, known)
    values = [pair.rho for pair in pairs if pair.rho is not None]
    ordered = sorted((p for p in pairs if p.rho is not None), key=lambda p: p.rho or 0.0)
    eigen = spectrum(rho) if known.all() else np.zeros(0)
    shares = eigen / eigen.sum() if len(eigen) else eigen
    n_below = sum(value < below for value in values)
    return OperationAgreement(
        operations=sheet.operations,
        n_systems=int(kept.sum()),
        matrix=tuple(
            tuple(float(rho[i, j]) if known[i, j] else None for j in range(size))
            for i in range(size)
        ),
        mean=float(np.mean(values)) if values else None,
        mean_interval=Between(low=None, high=None),
        n_pairs=len(values),
        below=below,
        n_below=n_below,
        share_below=n_below / len(values) if values else None,
        lowest=ordered[0] if ordered else None,
        highest=ordered[-1] if ordered else None,
        eigenvalues=tuple(eigen.tolist()),
        explained=tuple(shares.tolist()),
        cumulative=tuple(np.cumsum(shares).tolist()),
    )


def _pairs(
    names: tuple[str, ...], rho: Floats, known: NDArray[np.bool_]
) -> tuple[OperationPair, ...]:
    found = []
    for i, j in zip(*np.triu_indices(len(names), 1), strict=True):
        value: Number = float(rho[i, j]) if known[i, j] else None
        found.append(OperationPair(left=names[i], right=names[j], rho=value))
    return tuple(found)


def profiles(sheet: ScoreSheet, *, near: Decimal) -> Profiles:
    """Return percentile profiles over the comparable systems, and the gaps of pairs.

    Args:
        sheet: the scores.
        near: largest difference in knowledge of a near pair, in the unit of the sheet; compared
            exactly on printed decimals.
    """
    kept = np.flatnonzero(sheet.comparable())
    names = [sheet.systems[i] for i in kept]
    if len(names) < 2:
        return _no_profiles(sheet, near)
    table = percentile_profiles(sheet.scores[kept])
    gaps = profile_gaps(table)
    left, right = np.triu_indices(len(names), 1)
    knowledge = sheet.knowledge[kept]
    apart = np.round(np.abs(knowledge[left] - knowledge[right]), MEAN_DIGITS)
    close = apart <= float(near * sheet.scale)
    found = [
        ProfilePair(
            left=names[left[i]],
            right=names[right[i]],
            knowledge=sheet.native(apart[i]),
            gap=float(gaps[i]),
        )
        for i in np.flatnonzero(close)
    ]
    order = np.argsort(-knowledge, kind="stable")
    return Profiles(
        operations=sheet.operations,
        rows=tuple(Profile(system=names[i], percentiles=tuple(table[i].tolist())) for i in order),
        n_pairs=len(gaps),
        median_gap=float(np.median(gaps)),
        near=float(near),
        n_near=len(found),
        near_median_gap=float(np.median(gaps[close])) if close.any() else None,
        near_pairs=tuple(sorted(found, key=lambda pair: (-pair.gap, pair.left, pair.right))),
    )


def _no_profiles(sheet: ScoreSheet, near: Decimal) -> Profiles:
    return Profiles(
        operations=sheet.operations,
        rows=(),
        n_pairs=0,
        median_gap=None,
        near=float(near),
        n_near=0,
        near_median_gap=None,
        near_pairs=(),
    )
