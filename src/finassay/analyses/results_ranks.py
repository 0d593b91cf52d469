"""Frozen results about ranks.  In: nothing.  Out: which ranks the items leave open."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.records import Unscored


@dataclass(frozen=True, slots=True, kw_only=True)
class RankSet:
    """Which ranks one system may have.

    Attributes:
        system: display name.
        value: mean score on the shared items, in [0, 1].
        rank: competition rank of the observed means.
        marginal: (best, worst) rank of a set that holds this system's rank with the stated level.
        simultaneous: (best, worst) rank of sets that hold all ranks at once with that level.
        rank_shares: share of resamples in which the system has rank 1, 2, ..., C.
        above: share of resamples in which it scores above each system, in row order; 0 for itself.
        ties: share in which it ties with each; 1 for itself.
    """

    system: str
    value: float
    rank: int
    marginal: tuple[int, int]
    simultaneous: tuple[int, int]
    rank_shares: tuple[float, ...]
    above: tuple[float, ...]
    ties: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankSets:
    """Rank confidence sets of all systems, from one set of resamples.

    Attributes:
        rule: scorer id.
        rows: one entry a system, highest mean first.
        level: confidence level.
        draws: resamples.
        seed: seed of the resamples.
        resampled: what is drawn: "items" or the name of the clusters.
        n_items: items on which every system has a usable verdict.
        n_excluded: items left out.
        n_clusters: clusters drawn (items when they are drawn one by one).
        n_unscored: verdicts without an answer (counted by `policy`).
        policy: what was done with unscored verdicts.
        standard_error: largest Monte Carlo standard error of a share.
        n_open: unordered pairs of systems that the simultaneous sets leave undecided.
        method: how the sets are made.
        warnings: what a reader must know.
    """

    rule: str
    rows: tuple[RankSet, ...]
    level: float
    draws: int
    seed: int
    resampled: str
    n_items: int
    n_excluded: int
    n_clusters: int
    n_unscored: int
    policy: Unscored
    standard_error: float
    n_open: int
    method: str
    warnings: tuple[str, ...] = ()
