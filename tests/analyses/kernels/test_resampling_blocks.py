from collections.abc import Callable, Iterable, Iterator

import numpy as np
import pytest

from finassay.analyses.kernels import resampling_blocks as module
from finassay.analyses.kernels.clustered import clustered_bootstrap_tail
from finassay.analyses.kernels.resampling import UnitSums
from finassay.analyses.kernels.resampling_blocks import (
    blocks,
    pair_tails_in_blocks,
    rank_shares_in_blocks,
)
from finassay.marking.engines import LOCAL

SIZES = np.array([3, 5, 1, 8, 2, 4, 7, 6])
SUMS = np.array(
    [[2, 1, 0], [3, 5, 2], [1, 0, 1], [6, 4, 5], [1, 2, 0], [4, 1, 3], [5, 5, 2], [2, 4, 6]]
)
PAIRS = np.array([[0, 1], [0, 2], [1, 2]])
UNITS = UnitSums(sums=SUMS.astype(float), sizes=SIZES.astype(float), on_lattice=True)


class Backwards:
    """An engine whose last task is done first."""

    name, is_here, width = "backwards", True, 1

    def map(
        self, work: Callable[[object], object], tasks: Iterable[object]
    ) -> Iterator[tuple[int, object]]:
        yield from reversed(list(LOCAL.map(work, tasks)))


def test_blocks_add_up_to_the_draws_and_have_streams_of_their_own():
    found = list(blocks(2_500, seed=4))
    assert [block.draws for block in found] == [1_000, 1_000, 500]
    first = {block.rng.integers(0, 2**62) for block in [*found, *blocks(2_500, seed=5)]}
    assert len(first) == 6
    again = next(blocks(1, seed=4))
    assert again.rng.integers(0, 2**62) == found[0].rng.integers(0, 2**62)
    with pytest.raises(ValueError, match="`draws` must be 1 or more, got 0"):
        list(blocks(0, seed=4))


@pytest.mark.full
def test_p_from_blocks_lies_within_its_error_of_exact_p():
    sampled = pair_tails_in_blocks(UNITS, PAIRS, draws=40_500, seed=1)
    for (left, right), found in zip(PAIRS.tolist(), sampled, strict=True):
        exact = clustered_bootstrap_tail(SUMS[:, left] - SUMS[:, right], SIZES)
        assert exact is not None
        error = 4.5 * found.standard_error
        assert found.inclusive == pytest.approx(exact.inclusive, abs=error)
        assert found.exclusive == pytest.approx(exact.exclusive, abs=error)
        assert found.draws == 40_500


def test_the_order_in_which_blocks_are_done_does_not_matter(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "DRAWS_EACH", 70)
    asked = {"draws": 1_000, "seed": 3}
    here = pair_tails_in_blocks(UNITS, PAIRS, **asked)
    assert here == pair_tails_in_blocks(UNITS, PAIRS, **asked, engine=Backwards())
    ranks = rank_shares_in_blocks(UNITS.sums, UNITS.sizes, **asked)
    assert np.array_equal(
        ranks, rank_shares_in_blocks(UNITS.sums, UNITS.sizes, **asked, engine=Backwards())
    )
    assert here != pair_tails_in_blocks(UNITS, PAIRS, draws=1_000, seed=2)


def test_every_column_has_one_rank_in_every_draw():
    shares = rank_shares_in_blocks(UNITS.sums, UNITS.sizes, draws=1_500, seed=0)
    assert shares.sum(axis=1) == pytest.approx(np.ones(3), abs=1e-12)
    assert shares[:, 0].sum() >= 1.0
