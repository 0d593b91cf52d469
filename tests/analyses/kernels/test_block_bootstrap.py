from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special

from finassay.analyses.kernels.block_bootstrap import (
    Block,
    Sample,
    joined,
    resample,
    sample,
    unpaired,
)
from finassay.analyses.kernels.bootstrap import Statistic, bca_intervals

Floats = NDArray[np.float64]


def mean(sums: Floats) -> Floats:
    size = sums[:, 1]
    return np.divide(sums[:, 0], size, out=np.full(len(sums), np.nan), where=size > 0)


def gap(sums: Floats) -> Floats:
    return mean(sums[:, :2]) - mean(sums[:, 2:])


def clusters(values: list[float]) -> Floats:
    return np.column_stack([values, np.ones(len(values))])


def drawn(*blocks: Floats, draws: int = 4000, seed: int = 1) -> tuple[Block, ...]:
    return resample(blocks, draws=draws, rng=np.random.default_rng(seed))


def test_the_interval_is_the_one_of_the_shared_kernel_at_a_raised_level():
    sums = clusters([0.1, 0.9, 0.4, 0.7, 0.2, 0.8, 0.35, 0.5, 0.6, 0.45])
    (block,) = drawn(sums)
    expected = bca_intervals(
        [Statistic(sums=sums, values=lambda s: (mean(s), np.ones(len(s), dtype=bool)))],
        draws=4000,
        rng=np.random.default_rng(1),
        # Student's t of 9 degrees at 95%, times sqrt(10/9), read as a normal quantile.
        level=2.0 * float(special.ndtr(1.833113 * (10 / 9) ** 0.5)) - 1.0,
    )[0]
    assert sample(block, mean).ends(0.9) == pytest.approx((expected.low, expected.high))


def test_blocks_are_paired_so_a_block_minus_itself_is_nothing():
    sums = clusters([0.0, 1.0, 1.0, 0.0, 1.0] * 2)
    left, right = drawn(sums, sums)
    found = sample(joined(left, right), gap)
    assert found.drawn.tolist() == [0.0] * 4000
    assert found.p() == 1.0


def exact_p(left: list[float], right: list[float]) -> float:
    """Enumerate every resample of the pairs."""
    n = len(left)
    widening = (n / (n - 1)) ** 0.5
    observed = sum(left) / n - sum(right) / n
    far = total = 0
    for chosen in product(range(n), repeat=n):
        one = sum(left[i] - right[i] for i in chosen) / n
        far += widening * abs(one - observed) >= abs(observed) - 1e-12
        total += 1
    return far / total


def test_p_is_the_share_of_all_resamples_at_least_as_far_as_nothing_is():
    left, right = [1.0, 1.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 0.0, 1.0]
    a, b = drawn(clusters(left), clusters(right), draws=20_000)
    # Five clusters are too few for a test, but few enough to enumerate.
    found = replace(sample(joined(a, b), gap), fewest=10).p()
    exact = exact_p(left, right)
    assert found == pytest.approx(exact, abs=4 * (exact * (1 - exact) / 20_000) ** 0.5)


def test_unpaired_differences_vary_as_two_independent_means_do():
    rng = np.random.default_rng(5)
    a, b = rng.random(40).tolist(), rng.random(25).tolist()
    (left,), (right,) = drawn(clusters(a), seed=2), drawn(clusters(b), seed=3)
    found = unpaired(sample(left, mean), sample(right, mean))
    expected = (np.var(a) / 40 + np.var(b) / 25) ** 0.5
    assert float(found.drawn.std()) == pytest.approx(expected, rel=0.05)
    assert found.point == pytest.approx(np.mean(a) - np.mean(b))
    assert len(found.left_out) == 65
    spreads = np.var(a) / 40, np.var(b) / 25
    welch = sum(spreads) ** 2 / (spreads[0] ** 2 / 39 + spreads[1] ** 2 / 24)
    assert found.clusters == pytest.approx(welch + 1, rel=0.05)


def test_clusters_without_a_unit_do_not_count():
    (block,) = drawn(np.array([[1.0, 1.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]]))
    found = sample(block, mean)
    assert found.clusters == 2.0
    assert found.widening == pytest.approx(2**0.5)


def test_resamples_without_a_value_are_counted_and_left_out():
    sums = np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
    (block,) = drawn(sums)
    found = sample(block, mean)
    # A resample of three clusters misses the only one with a unit with chance (2/3)^3.
    assert found.n_undefined / 4000 == pytest.approx((2 / 3) ** 3, abs=0.03)
    assert len(found.drawn) + found.n_undefined == 4000


@pytest.mark.parametrize("sums", [np.zeros((0, 2)), clusters([1.0]), clusters([0.5, 0.2, 1] * 3)])
def test_fewer_than_ten_clusters_give_no_interval_and_no_test(sums: Floats):
    (block,) = drawn(sums)
    found = sample(block, mean)
    assert (found.ends(0.95), found.p()) == (None, None)


def test_an_undefined_figure_has_no_interval():
    nothing = np.zeros(0)
    found = Sample(
        point=float("nan"),
        drawn=np.ones(5),
        left_out=nothing,
        n_undefined=0,
        clusters=20.0,
        fewest=20,
    )
    assert not found.is_defined
    assert (found.ends(0.95), found.p()) == (None, None)
