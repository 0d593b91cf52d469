"""Paired tests, effect sizes and power, against definitions, scipy and statsmodels."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.proportion import proportion_effectsize

from finassay.analyses.kernels.paired import (
    cohen_h,
    discordant_odds,
    mcnemar,
    paired_t,
    sign_flip_sampled,
    sign_flip_tail,
    standardised_mean,
    tango,
)
from finassay.analyses.kernels.power import detectable_mean, detectable_share, mcnemar_power
from reference import paired_tests as slow

COUNTS = st.integers(0, 40)


@given(left=COUNTS, right=COUNTS)
def test_mcnemar_is_the_sum_of_binomial_chances(left: int, right: int):
    exact, mid = slow.mcnemar_p(left, right)
    assert mcnemar(left, right) == (
        pytest.approx(float(exact), rel=1e-12),
        pytest.approx(float(mid), rel=1e-12),
    )


@pytest.mark.parametrize(("left", "right"), [(3, 17), (45, 28), (1300, 1200), (0, 9)])
def test_mcnemar_agrees_with_scipy_and_statsmodels(left: int, right: int):
    exact, _ = mcnemar(left, right)
    assert exact == pytest.approx(stats.binomtest(left, left + right).pvalue, rel=1e-10)
    table = [[100, left], [right, 100]]
    assert exact == pytest.approx(statsmodels_mcnemar(table, exact=True).pvalue, rel=1e-10)


def test_mcnemar_without_a_discordant_item_finds_nothing():
    assert mcnemar(0, 0) == (1.0, 1.0)


@given(differences=st.lists(st.integers(-3, 3), min_size=1, max_size=9))
@settings(deadline=None)
def test_sign_flip_p_is_the_share_of_all_signs(differences: list[int]):
    tail = sign_flip_tail(np.array(differences, dtype=np.int64))
    inclusive, exclusive = slow.sign_flips(differences)
    assert tail.inclusive == pytest.approx(float(inclusive), rel=1e-12)
    assert tail.exclusive == pytest.approx(float(exclusive), rel=1e-12)


@given(left=COUNTS, right=COUNTS, equal=st.integers(0, 5))
def test_sign_flips_of_right_and_wrong_are_mcnemars_test(left: int, right: int, equal: int):
    assume(left + right + equal)
    differences = np.array([1] * left + [-1] * right + [0] * equal, dtype=np.int64)
    assert sign_flip_tail(differences).inclusive == pytest.approx(mcnemar(left, right)[0])


def test_drawn_sign_flips_agree_with_the_exact_ones():
    differences = np.array([1, 1, 1, 1, -1, 2, 0, 2, -1, 1])
    exact = sign_flip_tail(differences).inclusive
    drawn = sign_flip_sampled(
        differences.astype(float), draws=100_000, rng=np.random.default_rng(5)
    )
    assert drawn == pytest.approx(exact, abs=4 * (exact * (1 - exact) / 100_000) ** 0.5)


@given(st.lists(st.integers(-4, 4), min_size=2, max_size=30))
def test_paired_t_agrees_with_scipy(differences: list[int]):
    values = np.array(differences, dtype=float)
    assume(values.std() > 0)
    expected = stats.ttest_1samp(values, 0.0)
    found = paired_t(values)
    assert found is not None
    assert found[0] == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
    assert found[1] == len(values) - 1
    assert found[2] == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.parametrize("values", [[0.5], [1.0, 1.0, 1.0]])
def test_without_spread_there_is_no_t(values: list[float]):
    assert paired_t(np.array(values)) is None
    assert standardised_mean(np.array(values)) is None


def test_standardised_mean_is_mean_over_standard_deviation():
    # Mean 1, squared deviations 1 + 1 over one degree of freedom.
    assert standardised_mean(np.array([0.0, 2.0])) == pytest.approx(1 / 2**0.5)


@given(n=st.integers(1, 60), data=st.data(), level=st.sampled_from([0.8, 0.95, 0.999]))
@settings(deadline=None, max_examples=40)
def test_ends_of_tangos_interval_lie_one_critical_score_away(
    n: int, data: st.DataObject, level: float
):
    left = data.draw(st.integers(0, n))
    right = data.draw(st.integers(0, n - left))
    low, high = tango(left_only=left, right_only=right, n=n, level=level)
    assert -1.0 <= low <= (left - right) / n <= high <= 1.0
    critical = stats.norm.ppf((1 + level) / 2) ** 2
    for end in (low, high):
        if abs(end) < 0.999:
            score = slow.score_statistic(left, right, n, end)
            assert score == pytest.approx(critical, rel=1e-4)


@given(left=COUNTS, right=COUNTS, equal=st.integers(0, 40))
def test_tangos_interval_turns_with_the_systems(left: int, right: int, equal: int):
    n = left + right + equal
    assume(n)
    low, high = tango(left_only=left, right_only=right, n=n)
    assert tango(left_only=right, right_only=left, n=n) == (
        pytest.approx(-high, abs=1e-9),
        pytest.approx(-low, abs=1e-9),
    )


def test_counts_beyond_n_are_refused():
    with pytest.raises(ValueError, match="add up to at most n"):
        tango(left_only=3, right_only=2, n=4)


def test_a_level_given_as_percent_is_refused():
    with pytest.raises(ValueError, match=r"for 95% pass 0\.95"):
        tango(left_only=1, right_only=1, n=4, level=95)


@pytest.mark.parametrize(("left", "right"), [(0.9, 0.8), (0.0, 1.0), (0.3, 0.3)])
def test_cohens_h_agrees_with_statsmodels(left: float, right: float):
    assert cohen_h(left, right) == pytest.approx(proportion_effectsize(left, right), abs=1e-12)


def test_odds_follow_the_exact_binomial_interval():
    found = discordant_odds(12, 5)
    assert found is not None
    ends = stats.binomtest(12, 17).proportion_ci(method="exact")
    assert found.value == pytest.approx(12 / 5)
    assert found.low == pytest.approx(ends.low / (1 - ends.low), rel=1e-9)
    assert found.high == pytest.approx(ends.high / (1 - ends.high), rel=1e-9)


def test_odds_that_are_not_finite_have_no_value():
    found = discordant_odds(4, 0)
    assert found is not None
    assert (found.value, found.high) == (None, None)
    assert discordant_odds(0, 0) is None


@pytest.mark.parametrize(
    ("n", "discordance", "difference", "alpha"),
    [(12, 0.6, 0.5, 0.05), (16, 0.9, 0.3, 0.2), (9, 1.0, 1.0, 0.05), (14, 0.5, 0.0, 0.1)],
)
def test_power_is_the_chance_of_all_tables_that_reject(
    n: int, discordance: float, difference: float, alpha: float
):
    found = mcnemar_power(n=n, discordance=discordance, difference=difference, alpha=alpha)
    expected = slow.mcnemar_power(n, discordance, difference, alpha)
    assert found == pytest.approx(expected, rel=1e-9)


@given(n=st.integers(5, 400), alpha=st.sampled_from([0.05, 0.05 / 66, 1e-5]))
@settings(deadline=None, max_examples=30)
def test_the_test_never_exceeds_its_level(n: int, alpha: float):
    found = mcnemar_power(n=n, discordance=0.3, difference=0.0, alpha=alpha)
    assert 0.0 <= found <= alpha


def test_a_detectable_difference_is_the_smallest_with_the_power():
    found = detectable_share(n=406, discordance=0.2, alpha=0.05 / 66, power=0.8)
    assert found is not None

    def power(difference: float) -> float:
        return mcnemar_power(n=406, discordance=0.2, difference=difference, alpha=0.05 / 66)

    assert power(found) >= 0.8
    assert power(found - 1e-6) < 0.8


def test_too_little_discordance_leaves_nothing_to_detect():
    assert detectable_share(n=20, discordance=0.1) is None


def test_power_refuses_a_difference_beyond_the_discordance():
    with pytest.raises(ValueError, match=r"\|difference\| <= discordance"):
        mcnemar_power(n=10, discordance=0.1, difference=0.2)


def test_power_refuses_a_level_outside_zero_and_one():
    with pytest.raises(ValueError, match="`alpha` must be in"):
        mcnemar_power(n=10, discordance=0.1, difference=0.1, alpha=5)


def test_detectable_mean_is_two_quantiles_of_t_wide():
    found = detectable_mean(standard_error=0.01, degrees=26)
    expected = (stats.t.ppf(0.975, 26) + stats.t.ppf(0.8, 26)) * 0.01
    assert found == pytest.approx(expected, rel=1e-9)
    assert detectable_mean(standard_error=0.0, degrees=26) is None
