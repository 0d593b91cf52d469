from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.kernels.intervals import clopper_pearson, jeffreys, student_t, wilson
from reference import intervals as textbook

counts = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
levels = st.sampled_from([0.8, 0.9, 0.95, 0.99])

TABLE_4 = [
    (364, 86.3, 92.3),
    (347, 81.7, 88.6),
    (340, 79.8, 87.0),
    (338, 79.3, 86.6),
    (331, 77.5, 85.0),
    (320, 74.6, 82.5),
    (317, 73.8, 81.8),
    (313, 72.8, 80.9),
    (312, 72.5, 80.7),
    (309, 71.7, 80.0),
    (308, 71.5, 79.8),
    (305, 70.7, 79.1),
]
"""Right of 406 and the printed 95% interval: arXiv 2604.19298, Table 4."""


@pytest.mark.parametrize(("right", "low", "high"), TABLE_4)
def test_wilson_gives_every_interval_printed_in_table_4(right: int, low: float, high: float):
    found = wilson(right=right, n=406)
    assert (round(100 * found[0], 1), round(100 * found[1], 1)) == (low, high)


def test_wilson_gives_the_printed_interval_of_the_human_reference():
    low, high = wilson(right=48, n=60)  # arXiv 2604.19298, section 6.4
    assert (round(100 * low, 1), round(100 * high, 1)) == (68.2, 88.2)


@given(count=counts, level=levels)
@settings(deadline=None)
def test_wilson_agrees_with_its_definition(count: tuple[int, int], level: float):
    expected = textbook.wilson(*count, level)
    assert wilson(right=count[0], n=count[1], level=level) == pytest.approx(expected, abs=1e-9)


@given(count=counts, level=levels)
@settings(deadline=None, max_examples=40)
def test_clopper_pearson_agrees_with_its_definition(count: tuple[int, int], level: float):
    expected = textbook.clopper_pearson(*count, level)
    found = clopper_pearson(right=count[0], n=count[1], level=level)
    assert found == pytest.approx(expected, abs=1e-8)


@given(count=counts, level=levels)
@settings(deadline=None, max_examples=15)
def test_jeffreys_agrees_with_an_integrated_beta_density(count: tuple[int, int], level: float):
    expected = textbook.jeffreys(*count, level)
    found = jeffreys(right=count[0], n=count[1], level=level)
    assert found == pytest.approx(expected, abs=1e-6)


@given(count=counts)
@settings(deadline=None)
def test_every_interval_holds_the_share_and_mirrors_when_right_and_wrong_swap(
    count: tuple[int, int],
):
    right, n = count
    for interval in (wilson, clopper_pearson, jeffreys):
        low, high = interval(right=right, n=n)
        assert 0.0 <= low <= right / n <= high <= 1.0
        mirrored = interval(right=n - right, n=n)
        assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high), abs=1e-9)


def test_clopper_pearson_of_no_success_is_the_rule_of_the_tail():
    # (1 - p)^n = 0.025, solved for p
    assert clopper_pearson(right=0, n=20)[1] == pytest.approx(1 - 0.025 ** (1 / 20))


def test_the_t_interval_uses_the_printed_quantile_for_nine_degrees_of_freedom():
    scores = [0.0, 0.5, 1.0, 0.5, 0.5, 1.0, 0.0, 0.5, 0.5, 0.5]
    low, high = student_t(total=sum(scores), squares=sum(s * s for s in scores), n=10)
    spread = (sum((s - 0.5) ** 2 for s in scores) / 9) ** 0.5
    assert high - low == pytest.approx(2 * 2.262157 * spread / 10**0.5, rel=1e-6)


def test_one_graded_score_says_nothing_of_its_spread():
    assert student_t(total=0.5, squares=0.25, n=1) == (0.0, 1.0)


@pytest.mark.parametrize("interval", [wilson, clopper_pearson, jeffreys])
@pytest.mark.parametrize(("right", "n"), [(0, 0), (3, 2), (-1, 4)])
def test_an_interval_needs_observations(
    interval: Callable[..., tuple[float, float]], right: int, n: int
):
    with pytest.raises(ValueError, match="no observations there is no interval"):
        interval(right=right, n=n)


def test_a_level_in_percent_is_refused():
    with pytest.raises(ValueError, match=r"for 95% pass 0\.95"):
        wilson(right=1, n=2, level=95)
