"""What a correction does to ranks.  In: verdicts before and after.  Out: moves of every system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned
from finassay.analyses.provenance.results import BoardRow, RankEffect, RankMove
from finassay.marking.matrix import ABSENT, VerdictMatrix
from finassay.records import Item

Counts = Mapping[str, tuple[int, int]]
"""System -> (right, n)."""


def counts(
    matrix: VerdictMatrix,
    items: Sequence[Item],
    *,
    systems: Sequence[str] | None = None,
    keep: NDArray[np.bool_] | None = None,
) -> dict[str, tuple[int, int]]:
    """Return (right, verdicts) of each complete system; what has no value counts as wrong.

    Args:
        matrix: items x systems verdicts.
        items: every item.
        systems: systems to count; default those with a verdict on every item that is kept.
        keep: (R,) items to count; all by default.
    """
    table = aligned(matrix, items)
    rows = np.ones(len(items), dtype=np.bool_) if keep is None else keep
    whole = (table.status[rows] != ABSENT).all(axis=0)
    names = [
        name
        for name, is_whole in zip(table.columns, whole, strict=True)
        if is_whole and (systems is None or name in systems)
    ]
    right, n = table.right, int(rows.sum())
    return {name: (int(right[rows, table.columns.index(name)].sum()), n) for name in names}


def board_rows(standing: Counts) -> tuple[BoardRow, ...]:
    """Return the rows of a leaderboard, best first; equal shares share the better rank."""
    shares = {name: right / n for name, (right, n) in standing.items() if n}
    order = sorted(shares, key=lambda name: (-shares[name], name))
    return tuple(
        BoardRow(
            system=name,
            right=standing[name][0],
            n=standing[name][1],
            rank=_rank(shares, name),
        )
        for name in order
    )


def _rank(shares: Mapping[str, float], name: str) -> int:
    return 1 + sum(other > shares[name] for other in shares.values())


def rank_effect(before: Counts, after: Counts, *, correction: str, rule: str) -> RankEffect | None:
    """Return what a correction does to the ranks; None with fewer than two systems before."""
    first = board_rows(before)
    if len(first) < 2:
        return None
    then = {row.system: row for row in board_rows(after)}
    moves = []
    for row in first:
        now = then.get(row.system)
        moves.append(
            RankMove(
                system=row.system,
                right_before=row.right,
                n_before=row.n,
                rank_before=row.rank,
                right_after=None if now is None else now.right,
                n_after=None if now is None else now.n,
                rank_after=None if now is None else now.rank,
            )
        )
    return RankEffect(
        correction=correction,
        rule=rule,
        moves=tuple(moves),
        n_moved=sum(m.rank_after not in (None, m.rank_before) for m in moves),
        leaders_before=tuple(row.system for row in first if row.rank == 1),
        leaders_after=tuple(row.system for row in then.values() if row.rank == 1),
    )


def effect_text(effect: RankEffect | None) -> str:
    """Return the effect in one clause; "" without one."""
    if effect is None:
        return ""
    moved = [m for m in effect.moves if m.rank_after not in (None, m.rank_before)]
    if not moved:
        return f"; {effect.correction}, no rank changes"
    most = max(moved, key=lambda m: abs((m.rank_after or 0) - m.rank_before))
    return (
        f"; {effect.correction}, {len(moved)} of {len(effect.moves)} systems change rank, most of "
        f"all {most.system}: {most.rank_before} to {most.rank_after}"
    )
