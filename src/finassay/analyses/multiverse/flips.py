"""The nearest rule that turns something over.  In: a board.  Out: the fewest changes that do it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.multiverse.board import Board, number
from finassay.analyses.results_multiverse import Change, Flip
from finassay.marking.multiverse.cube import Multiverse

Bools = NDArray[np.bool_]

MOST_SHOWN = 10


def changes_of(multiverse: Multiverse) -> NDArray[np.int64]:
    """Return (R,) the number of choices in which each rule differs from the base choices."""
    return np.array(
        [multiverse.grid.n_changes(dict(cell.choices)) for cell in multiverse.cells],
        dtype=np.int64,
    )


def flips(board: Board) -> tuple[Flip, ...]:
    """Return the nearest rules that dethrone the leader, then those that swap a pair.

    A pair is swapped when the system that stood strictly higher stands strictly lower; a leader is
    dethroned when somebody scores higher.  Pairs that tie under the base rule are left out.
    """
    changes = changes_of(board.multiverse)
    scores = board.accuracy
    base = scores[board.base]
    if not len(base) or np.isnan(base).any():
        return ()
    found = [
        _flip("pair", board, changes, scores[:, j] > scores[:, i], (i, j))
        for i in range(len(base))
        for j in range(len(base))
        if base[i] > base[j]
    ]
    ordered = sorted(found, key=lambda f: (f.n_changes is None, f.n_changes or 0, -f.n_rules))
    leaders = [_dethroned(board, changes, i) for i in range(len(base)) if base[i] == base.max()]
    return (*leaders, *ordered)


def _dethroned(board: Board, changes: NDArray[np.int64], i: int) -> Flip:
    scores = board.accuracy
    others = np.delete(np.arange(scores.shape[1]), i)
    if not len(others):
        return _flip("leader", board, changes, np.zeros(len(scores), dtype=bool), (i, i))
    best = np.where(np.isnan(scores[:, others]), -1.0, scores[:, others])
    is_down = best.max(axis=1) > scores[:, i]
    first = _nearest(board, changes, is_down)
    new = int(others[int(np.argmax(best[first[0]]))]) if len(first) else i
    return _flip("leader", board, changes, is_down, (i, new))


def _nearest(board: Board, changes: NDArray[np.int64], does: Bools) -> NDArray[np.intp]:
    """Return the places of the rules that do it with the fewest changes, plausible ones first."""
    where = np.flatnonzero(does)
    if not len(where):
        return where
    nearest = where[changes[where] == changes[where].min()]
    return np.asarray(nearest[np.argsort(-board.weights[nearest], kind="stable")])


def _flip(
    kind: str, board: Board, changes: NDArray[np.int64], does: Bools, pair: tuple[int, int]
) -> Flip:
    nearest = _nearest(board, changes, does)
    i, j = pair
    gaps = board.accuracy[:, i] - board.accuracy[:, j]
    first = int(nearest[0]) if len(nearest) else None
    return Flip(
        kind=kind,
        above=board.systems[i],
        below="" if first is None and kind == "leader" else board.systems[j],
        n_changes=None if first is None else int(changes[first]),
        rules=tuple(nearest[:MOST_SHOWN].tolist()),
        n_rules=len(nearest),
        changes=() if first is None else _changes(board.multiverse, first),
        base_difference=number(float(gaps[board.base])),
        difference=None if first is None else number(float(gaps[first])),
    )


def _changes(multiverse: Multiverse, rule: int) -> tuple[Change, ...]:
    chosen = dict(multiverse.cells[rule].choices)
    return tuple(
        Change(dimension=one.name, base=one.base, other=chosen[one.name])
        for one in multiverse.grid.dimensions
        if one.name in chosen and chosen[one.name] != one.base
    )
