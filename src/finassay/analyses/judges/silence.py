"""Credit for silence.  In: replies without a whole answer.  Out: those marked CORRECT."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from finassay.analyses.estimates import count_rate
from finassay.analyses.judges.board import Board, Bools
from finassay.analyses.judges.references import LISTED
from finassay.analyses.judges.results import JudgeIdentity
from finassay.analyses.judges.results_compare import SilenceKind, SilentCredit
from finassay.analyses.kernels.judge_tables import CORRECT


def silent_credits(
    board: Board,
    judges: Sequence[JudgeIdentity],
    silence: Mapping[SilenceKind, frozenset[tuple[str, str]]],
    level: float,
) -> tuple[SilentCredit, ...]:
    """Return the credit that judges give to replies that hold no whole answer, where they do.

    Args:
        board: verdicts and labels.
        judges: every judge.
        silence: kind -> (item id, system) of such replies.
        level: confidence level.
    """
    masks = {kind: _mask(board, replies) for kind, replies in silence.items()}
    found = [
        _credit(board, one.scorer_id, kind, mask, level)
        for one in judges
        for kind, mask in masks.items()
    ]
    return tuple(one for one in found if one.marked.k)


def _mask(board: Board, replies: frozenset[tuple[str, str]]) -> Bools:
    rows = {item.item_id: i for i, item in enumerate(board.items)}
    columns = {name: j for j, name in enumerate(board.systems)}
    mask = np.zeros(board.truth.shape, dtype=np.bool_)
    for item, system in replies:
        if item in rows and system in columns:
            mask[rows[item], columns[system]] = True
    return mask


def _credit(board: Board, judge: str, kind: SilenceKind, mask: Bools, level: float) -> SilentCredit:
    matrix = board.matrices[judge]
    credited = mask & matrix.right
    listed = sorted((system, item) for item, system in board.pairs(credited))
    counts = Counter(system for system, _ in listed)
    return SilentCredit(
        scorer_id=judge,
        kind=kind,
        marked=count_rate(int(credited.sum()), int((mask & matrix.scored).sum()), level=level),
        by_system=tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))),
        items=tuple(listed[:LISTED]),
        n_people_correct=int((credited & (board.truth == CORRECT)).sum()),
    )
