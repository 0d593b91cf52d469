import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

from finassay.analyses.kernels.intervals import wilson
from finassay.analyses.kernels.rate_gap import (
    ClusteredRate,
    clustered_rate,
    gap_ends,
    gap_p,
    quantile_of,
    score_ends,
)

Z95 = quantile_of(0.95)


def alone(hits: int, n: int, groups: int = 0, at: int = 0) -> ClusteredRate:
    """Units one by one, of `groups` clusters in all, from cluster `at` on."""
    size = groups or n
    made, sizes = np.zeros(size), np.zeros(size)
    sizes[at : at + n] = 1.0
    made[at : at + hits] = 1.0
    found = clustered_rate(made, sizes)
    assert found is not None
    return found


def test_units_one_by_one_have_the_interval_of_wilson():
    found = alone(7, 25)
    # The ratio variance divides by G - 1, so the effective number is 24.
    assert found.effective == pytest.approx(24.0)
    expected = wilson(right=7 / 25 * 24, n=24)
    assert score_ends(found, Z95) == pytest.approx(expected)


def test_the_gap_of_independent_rates_is_newcombes():
    """Newcombe (1998), table II (a): 56/70 against 48/80, method 10 gives 0.0524 to 0.3339."""

    def exact(hits: int, n: int) -> ClusteredRate:
        return ClusteredRate(rate=hits / n, n=n, effective=n, influence=np.zeros(1))

    low, high = gap_ends(exact(56, 70), exact(48, 80), Z95)
    assert (low, high) == (pytest.approx(0.0524, abs=5e-5), pytest.approx(0.3339, abs=5e-5))


def test_no_errors_at_all_still_leave_an_interval():
    left, right = alone(0, 20, 40), alone(0, 20, 40, at=20)
    low, high = gap_ends(left, right, Z95)
    assert low < 0.0 < high
    assert gap_p(left, right) == 1.0


def test_clusters_that_answer_alike_count_once():
    hits, sizes = np.array([4.0, 0.0] * 10), np.full(20, 4.0)
    found = clustered_rate(hits, sizes)
    assert found is not None
    assert (found.n, found.effective) == (80.0, pytest.approx(19.0))


def test_the_variance_is_that_of_a_ratio_over_clusters():
    hits, sizes = np.array([1.0, 2.0, 0.0, 3.0]), np.array([2.0, 2.0, 3.0, 3.0])
    found = clustered_rate(hits, sizes)
    assert found is not None
    p = 6 / 10
    slow = sum((h - p * m) ** 2 for h, m in zip(hits, sizes, strict=True)) * 4 / 3 / 100
    assert float((found.influence**2).sum()) == pytest.approx(slow)
    assert found.effective == pytest.approx(min(10.0, p * (1 - p) / slow))


def test_nothing_to_count_is_no_rate():
    assert clustered_rate(np.zeros(3), np.zeros(3)) is None


def test_rates_that_rise_together_have_a_shorter_interval():
    hits, sizes = np.array([1.0, 0.0] * 15), np.ones(30)
    one = clustered_rate(hits, sizes)
    apart = clustered_rate(hits[::-1].copy(), sizes)
    assert one is not None
    assert apart is not None
    together, against = gap_ends(one, one, Z95), gap_ends(one, apart, Z95)
    assert together == pytest.approx((0.0, 0.0), abs=1e-6)
    assert against[1] - against[0] > 0.4


@settings(deadline=None)
@given(a=st.integers(0, 12), b=st.integers(0, 15))
def test_p_is_the_level_at_which_the_interval_begins_at_nothing(a: int, b: int):
    left, right = alone(a, 12, 27), alone(b, 15, 27, at=12)
    p = gap_p(left, right)
    assert 0.0 <= p <= 1.0
    if left.rate == right.rate:
        assert p == 1.0
        return
    ends = gap_ends(left, right, -float(special.ndtri(p / 2.0)))
    nearer = ends[0] if left.rate > right.rate else ends[1]
    assert nearer == pytest.approx(0.0, abs=1e-6)


@settings(deadline=None)
@given(a=st.integers(0, 12), b=st.integers(0, 15))
def test_the_gap_turns_its_sign_with_its_sides(a: int, b: int):
    left, right = alone(a, 12, 27), alone(b, 15, 27, at=12)
    low, high = gap_ends(left, right, Z95)
    assert gap_ends(right, left, Z95) == pytest.approx((-high, -low))
    assert gap_p(left, right) == pytest.approx(gap_p(right, left))
    assert -1.0 <= low <= left.rate - right.rate <= high <= 1.0
