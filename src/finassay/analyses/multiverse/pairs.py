"""Who beats whom, and under how many rules.  In: a board.  Out: shares, and orders that hold."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels import rule_draws as kernel
from finassay.analyses.kernels.partial_order import closure, levels, reduction
from finassay.analyses.multiverse.board import Board, number
from finassay.analyses.multiverse.ranges import Chance, resampled_blocks
from finassay.analyses.results_multiverse import PairShare, RobustOrder

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

BLOCK = 4_000_000
"""Verdicts that are held at once."""


def significant(board: Board, given: Chance, *, alpha: float) -> Bools:
    """Return (V, C, C) whether the first system beats the second significantly, by vector.

    Over items the test is McNemar's exact one; over clusters the centred bootstrap of the
    difference in accuracy, all rules and pairs from the same draws.
    """
    found = [
        p < alpha for p in (_exact(board) if given.codes is None else _clustered(board, given))
    ]
    stacked = np.concatenate(found)
    accuracy = board.accuracy[board.multiverse.firsts()]
    return np.asarray(stacked & (accuracy[:, :, None] > accuracy[:, None, :]))


def _exact(board: Board) -> Iterable[Floats]:
    for _, right, counted in board.multiverse.blocks(
        board.multiverse.firsts().tolist(), cells=BLOCK
    ):
        gained = kernel.discordant(right, counted)
        yield kernel.exact_paired_p(gained, gained.transpose(0, 2, 1))


def _clustered(board: Board, given: Chance) -> Iterable[Floats]:
    observed = board.accuracy[board.multiverse.firsts()]
    for places, accuracies in resampled_blocks(board, given):
        yield np.stack(
            [kernel.centred_p(accuracies[k], observed[at]) for k, at in enumerate(places)]
        )


def pair_shares(board: Board, beats: Bools) -> tuple[PairShare, ...]:
    """Return one entry an ordered pair of systems.

    Args:
        board: scores under every rule.
        beats: (V, C, C) as `significant` returns it.
    """
    by_rule = beats[board.multiverse.verdicts]
    count = len(board.systems)
    return tuple(
        _pair(board, by_rule[:, i, j], i, j) for i in range(count) for j in range(count) if i != j
    )


def _pair(board: Board, is_significant: Bools, i: int, j: int) -> PairShare:
    gaps = board.accuracy[:, i] - board.accuracy[:, j]
    known = ~np.isnan(gaps)
    gaps, weights, beats = gaps[known], board.weights[known], is_significant[known]
    n, above = len(gaps), gaps > 0
    total = float(weights.sum())

    def share(mask: Bools) -> float | None:
        return float(weights[mask].sum()) / total if n else None

    return PairShare(
        above=board.systems[i],
        below=board.systems[j],
        n_rules=n,
        n_above=int(above.sum()),
        n_tied=int((gaps == 0).sum()),
        n_significant=int(beats.sum()),
        share=float(above.mean()) if n else None,
        weighted_share=share(above),
        significant_share=float(beats.mean()) if n else None,
        weighted_significant_share=share(beats),
        least=float(gaps.min()) if n else None,
        most=float(gaps.max()) if n else None,
        base=number(float(board.accuracy[board.base, i] - board.accuracy[board.base, j])),
    )


def orders(
    board: Board, pairs: Iterable[PairShare], *, plausible: float
) -> tuple[RobustOrder, ...]:
    """Return the orders that hold: under every rule, significantly, and under most rules.

    Args:
        board: the systems.
        pairs: shares of every ordered pair.
        plausible: least share of plausibility for the last order, above 0.5.
    """
    listed = list(pairs)
    names = board.systems
    held = (
        ("every rule", 1.0, {(p.above, p.below) for p in listed if _every(p, p.n_above)}),
        (
            "every rule, significantly",
            1.0,
            {(p.above, p.below) for p in listed if _every(p, p.n_significant)},
        ),
        (
            "plausible rules",
            plausible,
            {(p.above, p.below) for p in listed if (p.weighted_share or 0.0) >= plausible},
        ),
    )
    return tuple(robust_order(name, share, names, found) for name, share, found in held)


def _every(pair: PairShare, count: int) -> bool:
    return pair.n_rules > 0 and count == pair.n_rules


def robust_order(
    name: str, least_share: float, names: tuple[str, ...], held: set[tuple[str, str]]
) -> RobustOrder:
    """Return the order of the pairs that hold, and of what follows from them."""
    above = np.array([[(a, b) in held for b in names] for a in names], dtype=bool)
    above = above.reshape(len(names), len(names))
    order = closure(above)
    depth = levels(order)
    lines = reduction(order)
    count = len(names)
    return RobustOrder(
        name=name,
        least_share=least_share,
        n_pairs=count * (count - 1) // 2,
        n_held=int(above.sum()),
        edges=tuple((names[i], names[j]) for i, j in np.argwhere(lines).tolist()),
        levels=tuple(
            tuple(names[i] for i in np.flatnonzero(depth == level).tolist())
            for level in range(int(depth.max(initial=-1)) + 1)
        ),
        open_pairs=tuple(
            (names[i], names[j])
            for i in range(count)
            for j in range(i + 1, count)
            if not (above[i, j] or above[j, i])
        ),
    )
