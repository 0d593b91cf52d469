"""How far accuracy and rank are open.  In: a board.  Out: rule only, sampling only, and both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels import rule_draws as kernel
from finassay.analyses.kernels.resampling import draw_counts
from finassay.analyses.multiverse.board import NO_ENDS, Board, ends_of, number
from finassay.analyses.results_multiverse import Ends, SystemRange

Floats = NDArray[np.float64]

HELD = 6_000_000
"""Resampled accuracies that are held at once."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chance:
    """What is drawn, the same for every rule.

    Attributes:
        counts: (B, U) how often each unit is drawn.
        codes: (I,) unit of each item; None where each item is a unit.
        level: confidence level.
    """

    counts: Floats
    codes: NDArray[np.int64] | None
    level: float

    @property
    def tails(self) -> tuple[float, float]:
        """Return the two quantiles of a central interval."""
        return (1.0 - self.level) / 2.0, (1.0 + self.level) / 2.0


def chance(
    codes: NDArray[np.int64] | None, *, items: int, draws: int, seed: int, level: float
) -> Chance:
    """Return the draws of units, from one seed."""
    units = items if codes is None else int(codes.max()) + 1
    rng = np.random.default_rng(seed)
    return Chance(counts=draw_counts(units, draws, rng), codes=codes, level=level)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RuleDraws:
    """Resamples of every verdict vector.

    Attributes:
        low: (V, C) lower end of accuracy.
        high: (V, C) upper end.
        ranks: (V, C, C) share of draws by rank.
        bins: (C, BINS + 1) weighted share of rules and draws together by accuracy.
    """

    low: Floats
    high: Floats
    ranks: Floats
    bins: Floats


def resampled_blocks(board: Board, given: Chance) -> Iterator[tuple[list[int], Floats]]:
    """Yield places of verdict vectors with their (K, C, B) resampled accuracies, in order."""
    firsts = board.multiverse.firsts().tolist()
    per_rule = max(1, given.counts.shape[0] * len(board.systems), 2 * board.multiverse.present.size)
    size = max(1, HELD // per_rule)
    at = 0
    for rules, right, counted in board.multiverse.blocks(
        firsts, cells=size * board.multiverse.present.size
    ):
        sums = (kernel.unit_sums(marks, given.codes) for marks in (right & counted, counted))
        yield list(range(at, at + len(rules))), kernel.resampled(given.counts, *sums)
        at += len(rules)


def rule_draws(board: Board, given: Chance) -> RuleDraws:
    """Return what the resamples say of every verdict vector."""
    vectors, systems = board.multiverse.n_distinct, len(board.systems)
    weights = _by_vector(board)
    low, high = np.empty((vectors, systems)), np.empty((vectors, systems))
    ranks = np.empty((vectors, systems, systems))
    bins = np.zeros((systems, kernel.BINS + 1))
    for places, accuracies in resampled_blocks(board, given):
        found = kernel.drawn(accuracies, weights[places], given.tails)
        low[places], high[places], ranks[places] = found.low, found.high, found.ranks
        bins += found.bins
    return RuleDraws(low=low, high=high, ranks=ranks, bins=bins)


def _by_vector(board: Board) -> Floats:
    """Return (V,) plausibility of each verdict vector."""
    out = np.zeros(board.multiverse.n_distinct)
    np.add.at(out, board.multiverse.verdicts, board.weights)
    return out


def system_ranges(board: Board, drawn: RuleDraws, given: Chance) -> tuple[SystemRange, ...]:
    """Return how far accuracy and rank of each system are open, in the order of the board."""
    vectors = board.multiverse.verdicts
    weights = _by_vector(board)
    base = int(vectors[board.base])
    rank_ends = _rank_ends(drawn.ranks, given.tails)
    mixed = np.einsum("v,vcr->cr", weights, drawn.ranks)
    return tuple(
        _range(board, drawn, given, at, (base, rank_ends, mixed))
        for at in range(len(board.systems))
    )


def _range(
    board: Board,
    drawn: RuleDraws,
    given: Chance,
    at: int,
    shared: tuple[int, NDArray[np.int64], Floats],
) -> SystemRange:
    base, rank_ends, mixed = shared
    accuracy, ranks = board.accuracy[:, at], board.ranks[:, at]
    known = ~np.isnan(accuracy)
    shares = np.bincount(
        ranks[known].astype(np.int64) - 1,
        weights=board.weights[known],
        minlength=len(board.systems),
    )
    has_any = bool(known.any())
    return SystemRange(
        system=board.systems[at],
        accuracy=number(accuracy[board.base]),
        rank=number(ranks[board.base]),
        rule_accuracy=ends_of(accuracy),
        weighted_accuracy=_central(accuracy[known], board.weights[known], given.tails),
        sampling_accuracy=_ends(drawn.low[base, at], drawn.high[base, at]),
        both_accuracy=Ends(low=ends_of(drawn.low[:, at]).low, high=ends_of(drawn.high[:, at]).high),
        weighted_both_accuracy=_binned(drawn.bins[at], given.tails),
        rule_rank=ends_of(ranks),
        weighted_rank=_central(ranks[known], board.weights[known], given.tails),
        sampling_rank=_ends(*rank_ends[base, at]),
        both_rank=_ends(rank_ends[:, at, 0].min(), rank_ends[:, at, 1].max()),
        weighted_both_rank=_ends(*_rank_ends(mixed[None, [at]], given.tails)[0, 0]),
        rank_shares=tuple((shares / shares.sum()).tolist()) if has_any else (),
        lowest_rule=int(np.nanargmin(accuracy)) if has_any else None,
        highest_rule=int(np.nanargmax(accuracy)) if has_any else None,
    )


def _ends(low: float, high: float) -> Ends:
    return Ends(low=number(float(low)), high=number(float(high)))


def _central(values: Floats, weights: Floats, tails: tuple[float, float]) -> Ends:
    if not len(values):
        return NO_ENDS
    low, high = kernel.weighted_ends(values, weights, tails)
    return Ends(low=low, high=high)


def _binned(shares: Floats, tails: tuple[float, float]) -> Ends:
    if not shares.sum() > 0:
        return NO_ENDS
    places = np.arange(len(shares)) / kernel.BINS
    return _central(places, shares, tails)


def _rank_ends(shares: Floats, tails: tuple[float, float]) -> NDArray[np.int64]:
    """Return (V, C, 2) central ranks of (V, C, C) shares; ranks without a share get the whole."""
    below = np.cumsum(shares, axis=-1)
    whole = below[..., -1:]
    ends = [(below < whole * tail - 1e-12).sum(axis=-1) + 1 for tail in tails]
    return np.asarray(np.minimum(np.stack(ends, axis=-1), shares.shape[-1]))
