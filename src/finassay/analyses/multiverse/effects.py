"""What moves the score.  In: a board.  Out: shares of variance by choice, and means by choice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.variance_parts import (
    ABSENT,
    VarianceParts,
    level_means,
    variance_parts,
)
from finassay.analyses.multiverse.board import Board
from finassay.analyses.results_multiverse import ChoiceMean, Decomposition, Effect, Number
from finassay.marking.multiverse.cube import Multiverse

Floats = NDArray[np.float64]
Levels = NDArray[np.int64]
Parts = tuple[VarianceParts, VarianceParts, VarianceParts]
"""Of accuracy, of rank, and of mean accuracy over systems."""
Means = tuple[tuple[Floats, Floats], tuple[Floats, Floats]]
"""(means, weights) by choice, of accuracy and of rank."""

TINY = 1e-18
"""A variance of accuracies or ranks below this is rounding noise around zero."""


def levels_of(multiverse: Multiverse) -> Levels:
    """Return (R, D) place of each rule's choice in each dimension, -1 where it does not apply."""
    at = {
        one.name: {choice.name: place for place, choice in enumerate(one.choices)}
        for one in multiverse.grid.dimensions
    }
    names = list(at)
    out = np.full((len(multiverse.cells), len(names)), ABSENT, dtype=np.int64)
    for row, cell in enumerate(multiverse.cells):
        for name, choice in cell.choices:
            out[row, names.index(name)] = at[name][choice]
    return out


def decomposition(board: Board) -> Decomposition:
    """Return what moves accuracy and rank; rules under which a system has no score are left out."""
    whole = board.is_whole
    levels, weights = levels_of(board.multiverse)[whole], board.weights[whole]
    accuracy, ranks = board.accuracy[whole], board.ranks[whole]
    if not whole.any() or not accuracy.shape[1]:
        return Decomposition(
            effects=(),
            choices=(),
            accuracy_left=None,
            rank_left=None,
            accuracy_sd=None,
            rank_sd=None,
        )
    by_accuracy = variance_parts(accuracy, levels, weights)
    by_rank = variance_parts(ranks, levels, weights)
    by_level = variance_parts(accuracy.mean(axis=1, keepdims=True), levels, weights)
    means = [
        (level_means(accuracy, level, weights), level_means(ranks, level, weights))
        for level in levels.T
    ]
    parts = (by_accuracy, by_rank, by_level)
    return Decomposition(
        effects=_effects(board, parts, means),
        choices=_choices(board, means),
        accuracy_left=_left(by_accuracy),
        rank_left=_left(by_rank),
        accuracy_sd=float(np.sqrt(by_accuracy.total.mean())),
        rank_sd=float(np.sqrt(by_rank.total.mean())),
    )


def _effects(board: Board, parts: Parts, means: Sequence[Means]) -> tuple[Effect, ...]:
    names = [one.name for one in board.multiverse.grid.dimensions]
    found = []
    for a, name in enumerate(names):
        ranges = tuple(_spread(*one) for one in means[a])
        found.append(_effect((name,), [part.mains[a] for part in parts], parts, ranges))
        for b in range(a):
            pair = [part.pairs[a, b] for part in parts]
            found.append(_effect((names[b], name), pair, parts, (None, None)))
    return tuple(sorted(found, key=lambda effect: -(effect.accuracy or 0.0)))


def _effect(
    names: tuple[str, ...], found: Sequence[Floats], parts: Parts, ranges: tuple[Number, ...]
) -> Effect:
    accuracy, rank, level = (
        _share(float(one.sum()), float(part.total.sum()))
        for one, part in zip(found, parts, strict=True)
    )
    each = zip(found[0], parts[0].total, found[1], parts[1].total, strict=True)
    return Effect(
        dimensions=names,
        accuracy=accuracy,
        rank=rank,
        level=level,
        accuracy_range=ranges[0],
        rank_range=ranges[1],
        by_system=tuple(
            (_share(float(a), float(b)), _share(float(c), float(d))) for a, b, c, d in each
        ),
    )


def _share(part: float, total: float) -> Number:
    return part / total if total > TINY else None


def _left(parts: VarianceParts) -> Number:
    return _share(float(parts.rest.sum()), float(parts.total.sum()))


def _spread(means: Floats, size: Floats) -> Number:
    known = means[size > 0]
    return float(np.ptp(known, axis=0).mean()) if len(known) else None


def _choices(board: Board, means: Sequence[Means]) -> tuple[ChoiceMean, ...]:
    found = []
    for one, (accuracy, rank) in zip(board.multiverse.grid.dimensions, means, strict=True):
        for at, choice in enumerate(one.choices):
            has_rules = at < len(accuracy[1]) and accuracy[1][at] > 0
            found.append(
                ChoiceMean(
                    dimension=one.name,
                    choice=choice.name,
                    accuracy=_row(accuracy[0], at, known=has_rules),
                    rank=_row(rank[0], at, known=has_rules),
                )
            )
    return tuple(found)


def _row(means: Floats, at: int, *, known: bool) -> tuple[Number, ...]:
    return tuple(map(float, means[at])) if known else (None,) * means.shape[1]
