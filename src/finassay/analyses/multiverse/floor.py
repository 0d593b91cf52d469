"""Rules that agree with people, and the rest.  In: a board and labels.  Out: what is then left."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.multiverse.board import Board, ends_of, rows_of
from finassay.analyses.multiverse.pairs import robust_order
from finassay.analyses.results_multiverse import Conclusions, KappaFloor

Floats = NDArray[np.float64]

WRONG, RIGHT, UNLABELLED = 0, 1, -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PeopleLabels:
    """What people said of replies.

    Attributes:
        name: whose labels: a scorer id, or the name of a file.
        items: I item ids.
        systems: C display names.
        labels: (I, C) int8; 1 right, 0 wrong, -1 not labelled.
    """

    name: str
    items: tuple[str, ...]
    systems: tuple[str, ...]
    labels: NDArray[np.int8]


def rule_kappas(board: Board, people: PeopleLabels) -> Floats:
    """Return (R,) Cohen's kappa of each rule with people; NaN where it cannot be computed.

    Compared are the replies that people labelled and the rule counts: right against the rest.
    """
    labels = _aligned(board, people)
    known, said = labels != UNLABELLED, labels == RIGHT
    firsts = board.multiverse.firsts().tolist()
    tables = []
    for _, right, counted in board.multiverse.blocks(firsts, cells=4_000_000):
        inside = counted & known
        tables += [
            [(inside & (right == a) & (said == b)).sum(axis=(1, 2)) for b in (False, True)]
            for a in (False, True)
        ]
    stacked = _joined(tables)
    return np.asarray(_kappa(stacked)[board.multiverse.verdicts])


def _joined(tables: list[list[NDArray[np.int64]]]) -> NDArray[np.int64]:
    """Return (V, 2, 2) counts of blocks that were taken as (rule wrong, rule right) in turn."""
    blocks = [np.array(tables[at : at + 2]) for at in range(0, len(tables), 2)]
    return np.concatenate(blocks, axis=2).transpose(2, 0, 1)


def _kappa(tables: NDArray[np.int64]) -> Floats:
    """Return (V,) Cohen's kappa of (V, 2, 2) tables; NaN without labels or without chance.

    (p_o - p_e) / (1 - p_e).  Cohen (1960), Educational and Psychological Measurement 20, 37-46.
    """
    total = tables.sum(axis=(1, 2)).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        seen = (tables[:, 0, 0] + tables[:, 1, 1]) / total
        rows, columns = tables.sum(axis=2) / total[:, None], tables.sum(axis=1) / total[:, None]
        expected = (rows * columns).sum(axis=1)
        return np.asarray((seen - expected) / (1.0 - expected))


def _aligned(board: Board, people: PeopleLabels) -> NDArray[np.int8]:
    """Return (I, C) labels in the order of the board."""
    item_at = {name: at for at, name in enumerate(people.items)}
    system_at = {name: at for at, name in enumerate(people.systems)}
    multiverse = board.multiverse
    out = np.full(multiverse.present.shape, UNLABELLED, dtype=np.int8)
    for j, system in enumerate(multiverse.systems):
        if system not in system_at:
            continue
        column = people.labels[:, system_at[system]]
        rows = [item_at.get(name, -1) for name in multiverse.items]
        out[:, j] = [column[at] if at >= 0 else UNLABELLED for at in rows]
    return out


def kappa_floor(board: Board, people: PeopleLabels, floor: float) -> KappaFloor:
    """Return what all rules say beside what the rules at or above the floor say."""
    kappas = rule_kappas(board, people)
    # A rule without a kappa has shown nothing, so it does not pass.
    keeps = np.nan_to_num(kappas, nan=-2.0) >= floor
    kept = board.kept(keeps) if keeps.any() else None
    return KappaFloor(
        floor=floor,
        people=people.name,
        n_labels=int((_aligned(board, people) != UNLABELLED).sum()),
        kappas=rows_of(kappas[None, :])[0],
        n_kept=int(keeps.sum()),
        before=conclusions(board),
        after=None if kept is None else conclusions(kept),
        ranges_after=()
        if kept is None
        else tuple(
            (name, ends_of(kept.accuracy[:, at]), ends_of(kept.ranks[:, at]))
            for at, name in enumerate(kept.systems)
        ),
    )


def conclusions(board: Board) -> Conclusions:
    """Return what the rules of a board say."""
    scores, ranks, names = board.accuracy, board.ranks, board.systems
    whole = board.is_whole
    count = len(names)
    held = {
        (names[i], names[j])
        for i in range(count)
        for j in range(count)
        if i != j and whole.any() and bool((scores[whole, i] > scores[whole, j]).all())
    }
    leads = (ranks[whole] == 1.0).mean(axis=0) if whole.any() else np.zeros(count)
    order = np.argsort(-leads, kind="stable")
    robust = robust_order("every rule", 1.0, names, held)
    return Conclusions(
        n_rules=len(board.multiverse.cells),
        n_distinct=board.multiverse.n_distinct,
        leaders=tuple((names[at], float(leads[at])) for at in order.tolist() if leads[at] > 0),
        n_held=robust.n_held,
        n_pairs=robust.n_pairs,
        mean_accuracy_range=_mean_range(scores[whole]),
        mean_rank_range=_mean_range(ranks[whole]),
        robust=robust,
    )


def _mean_range(values: Floats) -> float | None:
    return float(np.ptp(values, axis=0).mean()) if values.size else None
