"""Rows marked again by the rule of the rest.  In: two leaderboards.  Out: new standings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from finassay.analyses.results_rules import Remarked
from finassay.analyses.results_scores import Leaderboard


def remarked(
    stored: Leaderboard, common: Leaderboard, systems: Sequence[str]
) -> tuple[Remarked, ...]:
    """Return where systems would stand if they were marked by the rule of the rest.

    Both readings are given: this row alone marked again beside the other rows as they are stored,
    and every row marked again.  Only systems ranked on both boards, with whole numbers of right
    verdicts, are compared.

    Args:
        stored: the board of the stored verdicts.
        common: the board of the rule that the rest follows.
        systems: the rows that follow another rule.
    """
    before, after = _right(stored), _right(common)
    shared = [name for name in before if name in after]
    return tuple(
        Remarked(
            system=name,
            rule=common.rule,
            n=stored.n_items,
            stored_right=before[name],
            stored_rank=_rank(before[name], before, shared),
            remarked_right=after[name],
            rank_alone=_rank(after[name], {**before, name: after[name]}, shared),
            rank_together=_rank(after[name], after, shared),
            ties_together=sum(after[other] == after[name] for other in shared) - 1,
        )
        for name in systems
        if name in shared
    )


def _right(board: Leaderboard) -> dict[str, int]:
    ranked = [row for row in board.rows if row.ranks is not None and row.estimate.value is not None]
    return {row.system: round(row.estimate.total) for row in ranked}


def _rank(score: int, scores: Mapping[str, int], systems: Sequence[str]) -> int:
    return 1 + sum(scores[name] > score for name in systems)
