"""Which ranks the items leave open.  In: items x systems verdicts.  Out: rank confidence sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from finassay.analyses.alignment import aligned, complete_columns
from finassay.analyses.estimates import Settings, points, silent
from finassay.analyses.kernels.rank_sets import clustered_sums, rank_sets, resample
from finassay.analyses.kernels.ranks import ranks
from finassay.analyses.results_ranks import RankSet, RankSets
from finassay.analyses.units import Units, units_of
from finassay.errors import UsageError
from finassay.marking.matrix import VerdictMatrix
from finassay.records import Item, Unscored

METHOD = (
    "simultaneous differences of means: studentised bootstrap, largest statistic over all ordered "
    "pairs, stepwise (Mogstad, Romano, Shaikh and Wilhelm, 2024); rank = 1 + systems that are "
    "better; ties of true means widen no set"
)

MOST_STATISTICS = 2e8
"""Largest number of (draw, system, system) statistics held at once, about 0.8 GB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """How resamples are drawn.

    Attributes:
        draws: number of resamples.
        seed: seed of the generator.
        cluster: columns of items that make the clusters that are drawn; items are drawn one by
            one without.

    Raises:
        UsageError: fewer than 100 draws, or a negative seed.
    """

    draws: int = 4000
    seed: int = 0
    cluster: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.draws < 100:
            raise UsageError(f"`draws` must be at least 100, got {self.draws!r}")
        if self.seed < 0:
            raise UsageError(f"`seed` must be 0 or more, got {self.seed!r}")


def rank_confidence(
    matrix: VerdictMatrix,
    *,
    items: Sequence[Item],
    rule: str,
    settings: Settings,
    resampling: Resampling | None = None,
    systems: Sequence[str] | None = None,
) -> RankSets:
    """Return which ranks each system may have, with superiority and rank shares.

    Only items on which every system has a usable verdict count, so that all differences are
    paired.

    Args:
        matrix: items x systems verdicts of the rule.
        items: every item.
        rule: scorer id.
        settings: policy for the unscored, and confidence level.
        resampling: draws, seed and clusters.
        systems: systems to rank; default those with a verdict on every item.

    Raises:
        UsageError: fewer than two systems or two clusters, or more statistics than memory allows.
    """
    how = resampling or Resampling()
    table = aligned(matrix, items)
    names = tuple(systems) if systems is not None else complete_columns(table)
    table = table.select(columns=names)
    values, counted = points(table, settings.policy)
    keep = np.asarray(counted.all(axis=1), dtype=np.bool_)
    units = units_of(items, how.cluster).within(keep)
    _check(names, units, how)
    data = clustered_sums(values[keep], units.codes)
    found = resample(data, draws=how.draws, rng=np.random.default_rng(how.seed))
    alone, together = rank_sets(data, found.statistics, level=settings.level)
    place = ranks(np.round(data.means, 12), convention="competition")
    order = np.argsort(-data.means, kind="stable").tolist()
    return RankSets(
        rule=rule,
        rows=tuple(
            RankSet(
                system=names[j],
                value=float(data.means[j]),
                rank=int(place[j]),
                marginal=alone[j],
                simultaneous=together[j],
                rank_shares=tuple(found.ranks[j].tolist()),
                above=tuple(found.above[j, order].tolist()),
                ties=tuple(found.level_with[j, order].tolist()),
            )
            for j in order
        ),
        level=settings.level,
        draws=how.draws,
        seed=how.seed,
        resampled=units.name,
        n_items=int(keep.sum()),
        n_excluded=len(items) - int(keep.sum()),
        n_clusters=units.size,
        n_unscored=int(silent(table.status).sum()),
        policy=settings.policy,
        standard_error=0.5 / float(np.sqrt(how.draws)),
        n_open=_open_pairs(together),
        method=METHOD,
        warnings=units.warnings(),
    )


def n_shared_items(
    matrix: VerdictMatrix, items: Sequence[Item], *, systems: Sequence[str], policy: Unscored
) -> int:
    """Return on how many items every one of these systems counts: those that ranks rest on."""
    _, counted = points(aligned(matrix, items).select(columns=systems), policy)
    return int(counted.all(axis=1).sum())


def _check(names: Sequence[str], units: Units, how: Resampling) -> None:
    if len(names) < 2:
        raise UsageError(
            f"rank sets need at least two complete systems, got {len(names)}"
            "; a system is complete when it has an answer to every item: import the missing ones"
        )
    if units.size < 2:
        raise UsageError(
            f"rank sets need at least two {units.name} to draw from, got {units.size}; draw items"
        )
    cells = float(how.draws) * len(names) ** 2
    if cells > MOST_STATISTICS:
        raise UsageError(
            f"{how.draws} draws for {len(names)} systems make {cells:.3g} statistics, more than "
            f"{MOST_STATISTICS:.3g}; use fewer draws or systems"
        )


def _open_pairs(sets: Sequence[tuple[int, int]]) -> int:
    """Return the unordered pairs that are not settled: each system's set has 1 + its open pairs."""
    return sum(worst - best for best, worst in sets) // 2
