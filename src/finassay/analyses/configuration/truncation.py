"""Who is at a cap, and what the rest of the items say.  In: replies, verdicts.  Out: an audit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned, families, rankable
from finassay.analyses.configuration.caps import Caps, at_cap
from finassay.analyses.estimates import count_rate, points
from finassay.analyses.kernels.correlation import spearman
from finassay.analyses.kernels.ranks import ranks
from finassay.analyses.results_configuration import CapRow, FreeBoard, FreeRow
from finassay.analyses.results_overturns import CountRate
from finassay.marking.matrix import VerdictMatrix, is_right
from finassay.marking.reply_facts import ReplyFacts
from finassay.records import FINISHES, Item, Unscored

Cell = TypeVar("Cell", bound=np.generic)


def cap_rows(
    replies: ReplyFacts, caps: Caps, *, items: Sequence[Item], rows: NDArray[np.bool_]
) -> tuple[CapRow, ...]:
    """Return how many replies of each system stand at its cap, and how its replies ended.

    Args:
        replies: lengths, fates and tokens, one row an item.
        caps: the caps of the systems looked at.
        items: every item.
        rows: (R,) the items looked at.
    """
    table = at_cap(replies, caps)
    return tuple(
        _row(name, caps, replies, items=items, rows=rows, capped=table[:, column])
        for column, name in enumerate(caps.caps)
    )


def _row(
    name: str,
    caps: Caps,
    replies: ReplyFacts,
    *,
    items: Sequence[Item],
    rows: NDArray[np.bool_],
    capped: NDArray[np.bool_],
) -> CapRow:
    there = rows & _of(replies, name, replies.present)
    tokens = _of(replies, name, replies.tokens)[there & _of(replies, name, replies.has_tokens)]
    most = int(tokens.max()) if len(tokens) else None
    finishes = Counter(_of(replies, name, replies.finish)[there].tolist())

    def rate(mask: NDArray[np.bool_]) -> CountRate:
        return count_rate(int((capped & mask).sum()), int(mask.sum()))

    return CapRow(
        system=name,
        cap=caps.caps[name],
        is_declared=name in caps.declared,
        at_cap=rate(there),
        families=tuple(
            (family, rate(there & mask)) for family, mask in families(items) if (rows & mask).any()
        ),
        finishes=tuple((FINISHES[code], n) for code, n in sorted(finishes.items())),
        n_tokens=len(tokens),
        most_tokens=most,
        at_most_tokens=int((tokens == most).sum()) if most is not None else 0,
    )


def _of(replies: ReplyFacts, name: str, table: NDArray[Cell]) -> NDArray[Cell]:
    """Return the column of a system, zeros for one without replies."""
    if name not in replies.systems:
        return np.zeros(len(replies.item_ids), dtype=table.dtype)
    return table[:, replies.column(name)]


def free_families(
    items: Sequence[Item], rows: NDArray[np.bool_], free: NDArray[np.bool_]
) -> tuple[tuple[str, int, int], ...]:
    """Return (family, items on which nobody is at the cap, items), of the items looked at."""
    return tuple(
        (family, int((rows & free & mask).sum()), int((rows & mask).sum()))
        for family, mask in families(items)
        if (rows & mask).any()
    )


def free_boards(
    rules: Mapping[str, VerdictMatrix],
    *,
    items: Sequence[Item],
    systems: Sequence[str],
    policy: Unscored,
    rows: NDArray[np.bool_],
    free: NDArray[np.bool_],
) -> tuple[FreeBoard, ...]:
    """Return a leaderboard on all items looked at and on those where nobody is at the cap.

    Rules that do not decide every one of these items for two systems are left out.

    Args:
        rules: scorer id or regime/NAME -> items x systems verdicts.
        items: every item.
        systems: systems to rank.
        policy: what is done with verdicts without a value.
        rows: (R,) the items looked at.
        free: (R,) whether nobody is at the cap.
    """
    made = (
        _board(name, matrix, items=items, systems=systems, policy=policy, masks=(rows, free))
        for name, matrix in rules.items()
    )
    return tuple(board for board in made if board is not None)


def _board(
    name: str,
    matrix: VerdictMatrix,
    *,
    items: Sequence[Item],
    systems: Sequence[str],
    policy: Unscored,
    masks: tuple[NDArray[np.bool_], NDArray[np.bool_]],
) -> FreeBoard | None:
    rows, free = masks
    held = [system for system in systems if system in matrix.columns]
    table = aligned(matrix.select(columns=held), items)
    looked = {row for row, keep in zip(table.rows, rows, strict=True) if keep}
    part = table.select(rows=lambda row: row in looked)
    names = rankable(part, policy)
    inside = free[rows]
    if len(names) < 2 or not inside.any():
        return None
    values, counted = points(part.select(columns=names), policy)
    both = [_rates(values[mask], counted[mask]) for mask in (np.ones_like(inside), inside)]
    if any(rate.rate is None for rate in both[1]):
        return None
    columns = [np.array([rate.rate or 0.0 for rate in column]) for column in both]
    placed = [ranks(column, convention="competition") for column in columns]
    found = [
        FreeRow(
            system=system,
            score_all=both[0][at],
            rank_all=int(placed[0][at]),
            score_free=both[1][at],
            rank_free=int(placed[1][at]),
        )
        for at, system in enumerate(names)
    ]
    return FreeBoard(
        rule=name,
        rows=tuple(sorted(found, key=lambda row: (row.rank_free, row.rank_all, row.system))),
        n_all=int(rows.sum()),
        n_free=int(inside.sum()),
        spearman=spearman(columns[0], columns[1])[0],
        leaders_all=tuple(row.system for row in found if row.rank_all == 1),
        leaders_free=tuple(row.system for row in found if row.rank_free == 1),
        left_out=tuple(system for system in systems if system not in names),
    )


def _rates(values: NDArray[np.float64], counted: NDArray[np.bool_]) -> list[CountRate]:
    right = (is_right(values) & counted).sum(axis=0)
    return [count_rate(int(k), int(n)) for k, n in zip(right, counted.sum(axis=0), strict=True)]
