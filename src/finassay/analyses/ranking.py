"""Ranks of estimates.  In: estimates.  Out: ranks under every convention."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.ranks import ranks
from finassay.analyses.results_scores import RANK_CONVENTIONS, Estimate, RankConvention, Ranks
from finassay.errors import UsageError


def check_convention(convention: RankConvention) -> None:
    """Check that a rank convention exists.

    Raises:
        UsageError: it does not.
    """
    if convention not in RANK_CONVENTIONS:
        raise UsageError(f"`rank_convention` must be one of {RANK_CONVENTIONS}, got {convention!r}")


def all_ranks(scores: NDArray[np.float64]) -> tuple[Ranks, ...]:
    """Return the ranks of (n,) scores under every convention, highest first."""
    columns = {name: ranks(scores, convention=name) for name in RANK_CONVENTIONS}
    return tuple(
        Ranks(
            competition=int(columns["competition"][i]),
            dense=int(columns["dense"][i]),
            average=float(columns["average"][i]),
            ordinal=int(columns["ordinal"][i]),
        )
        for i in range(len(scores))
    )


def scores_to_rank(estimates: Sequence[Estimate]) -> tuple[NDArray[np.float64], bool]:
    """Return (n,) numbers to rank estimates by, and whether they are worst cases.

    They are the values; or, when one estimate has no single value (bounds), the worst cases of
    all.

    Raises:
        UsageError: an estimate rests on no verdict at all.
    """
    worst = any(e.value is None for e in estimates)
    picked = [e.worst if worst else e.value for e in estimates]
    scores = [score for score in picked if score is not None]
    if len(scores) < len(picked):
        raise UsageError("a system without a single usable verdict cannot be ranked; leave it out")
    return np.array(scores, dtype=np.float64), worst


def rank_range(estimates: Sequence[Estimate], at: int) -> tuple[int, int] | None:
    """Return the best and worst competition rank that the unscored verdicts allow one system.

    The best has the system's unscored verdicts right and everybody else's wrong, the worst the
    other way round.  A system without a usable verdict has no range, and stands in nobody's way.
    """
    high, low = estimates[at].best, estimates[at].worst
    if high is None or low is None:
        return None
    others = [e for i, e in enumerate(estimates) if i != at]
    ahead = sum(e.worst is not None and e.worst > high for e in others)
    possible = sum(e.best is not None and e.best > low for e in others)
    return 1 + ahead, 1 + possible
