import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.estimates import Settings, column_estimates, count_rate, macro_mean
from finassay.analyses.kernels.intervals import wilson
from finassay.analyses.results import Estimate
from finassay.errors import UsageError
from finassay.records import UNSCORED_POLICIES, Unscored
from small_boards import board

letters = st.text(alphabet="10nuaf", min_size=1, max_size=20)


def estimate_of(column: str, policy: Unscored) -> Estimate:
    return column_estimates(board({"s": column}), Settings(policy=policy))[0]


def test_refusal_is_wrong_only_under_the_policy_wrong():
    values = {policy: estimate_of("11nu", policy).value for policy in UNSCORED_POLICIES}
    assert values == {"wrong": 0.5, "exclude": 1.0, "bounds": None}


def test_bounds_run_from_all_unscored_wrong_to_all_unscored_right():
    found = estimate_of("110nu", "bounds")
    assert (found.worst, found.best) == (2 / 5, 4 / 5)
    assert found.low == wilson(right=2, n=5)[0]
    assert found.high == wilson(right=4, n=5)[1]


def test_bounds_without_unscored_verdicts_are_one_value():
    found = estimate_of("110", "bounds")
    assert found.value == found.best == found.worst == 2 / 3


@pytest.mark.parametrize("policy", UNSCORED_POLICIES)
def test_failed_inapplicable_and_missing_verdicts_are_counted_and_in_no_denominator(
    policy: Unscored,
):
    matrix = board({"s": "11f a.0".replace(" ", ""), "t": "111111"})
    found = column_estimates(matrix, Settings(policy=policy))[0]
    assert (found.n, found.value) == (3, 2 / 3)
    assert (found.n_failed, found.n_not_applicable, found.n_missing) == (1, 1, 1)


@pytest.mark.parametrize("policy", UNSCORED_POLICIES)
def test_no_observation_gives_no_value(policy: Unscored):
    found = estimate_of("fa", policy)
    assert (found.n, found.value, found.low, found.high) == (0, None, None, None)
    assert (found.best, found.worst) == (None, None)


def test_only_unscored_verdicts_have_no_value_when_excluded():
    found = estimate_of("nn", "exclude")
    assert (found.n, found.value, found.n_unscored) == (0, None, 2)


def test_graded_scores_get_a_t_interval_and_say_so():
    found = estimate_of("hhhhhhh1", "wrong")
    assert found.method == "student-t"
    assert found.value == 4.5 / 8
    # seven halves and a one have variance 1/32; t(0.975, 7) = 2.364624 in printed tables
    assert found.high - found.value == pytest.approx(2.364624 * (1 / 256) ** 0.5, rel=1e-6)


@given(column=letters)
@settings(deadline=None)
def test_the_policies_are_ordered_and_agree_on_what_was_left_out(column: str):
    wrong, exclude, bounds = (estimate_of(column, policy) for policy in UNSCORED_POLICIES)
    assert wrong.n_unscored == exclude.n_unscored == bounds.n_unscored
    assert wrong.n == bounds.n == exclude.n + exclude.n_unscored
    assert wrong.n + wrong.n_failed + wrong.n_not_applicable == len(column)
    if wrong.n:
        assert bounds.worst == wrong.value
        assert bounds.low == wrong.low
        if exclude.value is not None:
            assert bounds.worst <= exclude.value <= bounds.best


def test_an_unknown_policy_is_refused():
    with pytest.raises(UsageError, match="`policy` must be one of"):
        Settings(policy="skip")


def test_a_level_in_percent_is_refused():
    with pytest.raises(UsageError, match=r"for 95% pass 0\.95"):
        Settings(policy="wrong", level=95)


def test_an_unknown_interval_is_refused():
    with pytest.raises(UsageError, match="`interval` must be one of"):
        Settings(policy="wrong", interval="wald")


def test_no_count_has_no_rate():
    assert count_rate(0, 0).rate is None


def test_the_macro_mean_weighs_families_alike_and_needs_all_of_them():
    whole, half = estimate_of("1111", "wrong"), estimate_of("10", "wrong")
    assert macro_mean((whole, half)) == 0.75
    assert macro_mean((whole, estimate_of("f", "wrong"))) is None
    assert macro_mean(()) is None


def test_a_mask_chooses_the_rows():
    matrix = board({"s": "1100"})
    found = column_estimates(
        matrix, Settings(policy="wrong"), rows=np.array([True, True, False, False])
    )
    assert found[0].value == 1.0
