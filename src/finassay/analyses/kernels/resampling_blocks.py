"""Shared-resample Monte Carlo in blocks.  In: sums over units, and a seed.  Out: shares of draws.

Each block of draws has a stream of random numbers of its own, made of the seed and the block's
number, so that it does not matter which worker draws it: the figures are those of one process.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.resampling import Floats, Sampled, UnitSums, pair_tails, rank_shares
from finassay.marking.engines import LOCAL, Engine

DRAWS_EACH = 1_000
"""Draws of a block; the figures depend on it, as they do on the seed."""


class DrawBlock(NamedTuple):
    """Some of the draws.

    Attributes:
        seed: of all draws.
        number: of the block.
        draws: in the block.
    """

    seed: int
    number: int
    draws: int

    @property
    def rng(self) -> np.random.Generator:
        """Return the block's own stream: child `number` of the seed."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(self.number,)))


def blocks(draws: int, seed: int) -> Iterator[DrawBlock]:
    """Yield blocks that add up to `draws`.

    Raises:
        ValueError: there is nothing to draw.
    """
    if draws < 1:
        raise ValueError(f"`draws` must be 1 or more, got {draws!r}")
    for number, start in enumerate(range(0, draws, DRAWS_EACH)):
        yield DrawBlock(seed, number, min(DRAWS_EACH, draws - start))


def pair_tails_in_blocks(
    units: UnitSums,
    pairs: NDArray[np.int64],
    *,
    draws: int,
    seed: int,
    engine: Engine = LOCAL,
) -> tuple[Sampled, ...]:
    """Return the p of the paired bootstrap test of (P, 2) pairs of columns, from shared draws.

    The test of `resampling.pair_tails`.

    Args:
        units: sums over the units that are drawn.
        pairs: (P, 2) columns of each pair.
        draws: resamples.
        seed: where randomness comes from.
        engine: where blocks are drawn.

    Raises:
        ValueError: there is nothing to draw.
    """
    reached = np.zeros((2, len(pairs)))
    with closing(engine.map(partial(_tails, units, pairs), list(blocks(draws, seed)))) as drawn:
        for _, counts in drawn:
            reached += counts
    return tuple(
        Sampled(inclusive=float(a) / draws, exclusive=float(b) / draws, draws=draws)
        for a, b in reached.T
    )


def rank_shares_in_blocks(
    sums: Floats, sizes: Floats, *, draws: int, seed: int, engine: Engine = LOCAL
) -> Floats:
    """Return (C, C) the share of resamples in which each column (row) has each rank (column).

    As `resampling.rank_shares` counts them.

    Args:
        sums: (U, C) sums of each column over the items of a unit.
        sizes: (U,) items of each unit, at least 1.
        draws: resamples.
        seed: where randomness comes from.
        engine: where blocks are drawn.

    Raises:
        ValueError: there is nothing to draw.
    """
    counts = np.zeros((sums.shape[1], sums.shape[1]))
    with closing(engine.map(partial(_ranks, sums, sizes), list(blocks(draws, seed)))) as drawn:
        for _, found in drawn:
            counts += found
    return counts / draws


# Whole numbers add up to the same in any order; shares would not.


def _tails(units: UnitSums, pairs: NDArray[np.int64], block: DrawBlock) -> Floats:
    found = pair_tails(units, pairs, draws=block.draws, rng=block.rng)
    shares = np.array([(one.inclusive, one.exclusive) for one in found]).reshape(-1, 2)
    return np.asarray(np.rint(shares.T * block.draws))


def _ranks(sums: Floats, sizes: Floats, block: DrawBlock) -> Floats:
    shares = rank_shares(sums, sizes, draws=block.draws, rng=block.rng)
    return np.asarray(np.rint(shares * block.draws))
