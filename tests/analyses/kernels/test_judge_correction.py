"""Scores corrected for a judge's errors, against slow twins and other packages."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.kernels.judge_correction import (
    FEWEST,
    MISFIT,
    NO_BETTER,
    ErrorRate,
    power_tuning,
    ppi_mean,
    regression_tuning,
    rogan_gladen,
)
from reference import few_labels as textbook

GOLDEN = json.loads(
    (Path(__file__).resolve().parents[2] / "golden" / "ppi_means.json").read_text(encoding="utf-8")
)

rates = st.floats(0.55, 1.0)


@given(judged=st.floats(0, 1), sensitivity=rates, specificity=rates)
@settings(deadline=None, max_examples=60)
def test_rogan_gladen_solves_its_equation(judged: float, sensitivity: float, specificity: float):
    found = rogan_gladen(judged, ErrorRate.of(sensitivity, 40), ErrorRate.of(specificity, 40))
    raw = textbook.rogan_gladen(judged, sensitivity, specificity)
    assert found.raw == pytest.approx(raw, abs=1e-6)
    assert found.value == pytest.approx(min(1.0, max(0.0, raw)), abs=1e-6)
    assert found.clipped == (not 0.0 <= found.raw <= 1.0)


@pytest.mark.parametrize(
    ("judged", "right", "wrong"),
    [(0.4, (18, 20), (27, 30)), (0.05, (3, 4), (43, 46)), (0.5, (12, 20), (18, 30))],
)
def test_the_interval_is_that_of_trying_all_shares(
    judged: float, right: tuple[int, int], wrong: tuple[int, int]
):
    found = rogan_gladen(
        judged,
        ErrorRate.of(right[0] / right[1], right[1]),
        ErrorRate.of(wrong[0] / wrong[1], wrong[1]),
    )
    expected = textbook.rogan_gladen_range(judged, right, wrong, 0.95)
    assert (found.low, found.high) == pytest.approx(expected, abs=3e-4)


def test_the_delta_interval_has_the_slopes_of_small_steps():
    sensitivity, specificity = ErrorRate.of(0.9, 40), ErrorRate.of(0.8, 60)
    found = rogan_gladen(0.5, sensitivity, specificity, judged_variance=0.001)
    error = textbook.delta_error(0.5, 0.9, 0.8, (0.001, sensitivity.variance, specificity.variance))
    assert found.error == pytest.approx(error, rel=1e-5)
    assert found.delta_high - found.raw == pytest.approx(1.959963984540054 * error, rel=1e-5)
    assert found.raw - found.delta_low == pytest.approx(1.959963984540054 * error, rel=1e-5)


def test_a_perfect_judge_is_taken_at_its_word():
    sure = ErrorRate(value=1.0, low=1.0, high=1.0, variance=0.0)
    found = rogan_gladen(0.37, sure, sure)
    assert (found.value, found.low, found.high) == pytest.approx((0.37, 0.37, 0.37))
    assert found.error == 0.0


def test_a_judge_no_better_than_chance_is_refused():
    found = rogan_gladen(0.5, ErrorRate.of(0.4, 20), ErrorRate.of(0.6, 20))
    assert (found.value, found.low, found.reason) == (None, None, NO_BETTER)


def test_a_judge_near_chance_leaves_everything_open():
    found = rogan_gladen(0.5, ErrorRate.of(0.6, 10), ErrorRate.of(0.6, 10))
    assert (found.low, found.high) == (0.0, 1.0)


def test_error_rates_that_no_share_fits_are_told():
    sensitivity = ErrorRate(value=0.9, low=0.89, high=0.91, variance=0.0)
    specificity = ErrorRate(value=0.6, low=0.59, high=0.61, variance=0.0)
    found = rogan_gladen(0.1, sensitivity, specificity)
    assert (found.value, found.low, found.high, found.reason) == (0.0, None, None, MISFIT)
    assert found.clipped


def test_a_rate_with_a_variance_of_its_own_widens_the_interval():
    rates = ErrorRate.of(0.9, 50), ErrorRate.of(0.85, 50)
    narrow = rogan_gladen(0.5, *rates)
    wide = rogan_gladen(0.5, *rates, judged_variance=0.01)
    assert wide.low < narrow.low
    assert wide.high > narrow.high


def test_an_error_rate_without_labels_may_be_anything():
    found = ErrorRate.of(0.5, 0.0)
    assert (found.low, found.high, found.variance) == (0.0, 1.0, 0.25)


@pytest.mark.parametrize("case", GOLDEN["cases"])
@pytest.mark.parametrize(("name", "tuning"), [("tuned", None), ("full", 1.0)])
def test_the_mean_is_that_of_ppi_python(case: dict, name: str, tuning: float | None):
    labels, judged, rest = (np.array(case[key]) for key in ("labels", "judged", "rest"))
    found = ppi_mean(labels, judged, rest, tuning=tuning)
    expected = case[name]
    assert found.value == pytest.approx(expected["value"], abs=1e-9)
    # Its interval is normal and divides by n, ours is Student's and divides by n - 1.
    half = (expected["high"] - expected["low"]) / 2
    of_rest = found.tuning**2 * rest.var() / len(rest)
    error = math.sqrt(of_rest + (found.variance - of_rest) * (1 - 1 / len(labels)))
    assert half == pytest.approx(1.959963984540054 * error, rel=1e-9)


@pytest.mark.parametrize("case", GOLDEN["cases"])
def test_the_untuned_mean_and_interval_are_those_of_evalstats(case: dict):
    labels, judged, rest = (np.array(case[key]) for key in ("labels", "judged", "rest"))
    found = ppi_mean(labels, judged, rest, tuning=1.0)
    expected = case["evalstats full"]
    assert found.value == pytest.approx(expected["value"], abs=1e-9)
    if found.low is None:
        assert len(labels) < FEWEST
        return
    # It divides the variance of the other verdicts by N - 1, we by N as its source does.
    assert (found.low, found.high) == pytest.approx((expected["low"], expected["high"]), abs=1e-3)


numbers = st.lists(st.floats(0, 1, width=16), min_size=4, max_size=12)


@given(labels=numbers, judged=numbers, rest=numbers, tuning=st.floats(0, 1))
@settings(deadline=None, max_examples=60)
def test_the_mean_and_variance_are_the_textbooks(
    labels: list[float], judged: list[float], rest: list[float], tuning: float
):
    n = min(len(labels), len(judged))
    found = ppi_mean(np.array(labels[:n]), np.array(judged[:n]), np.array(rest), tuning=tuning)
    value, variance = textbook.powered_mean(labels[:n], judged[:n], rest, tuning)
    assert found.value == pytest.approx(value, abs=1e-9)
    assert found.variance == pytest.approx(variance, abs=1e-9)


@given(labels=numbers, judged=numbers, rest=numbers)
@settings(deadline=None, max_examples=30)
def test_the_tuning_makes_the_variance_smallest(
    labels: list[float], judged: list[float], rest: list[float]
):
    n = min(len(labels), len(judged))
    given_, said = np.array(labels[:n]), np.array(judged[:n])
    found = power_tuning(given_, said, np.array(rest), np.ones(n))
    everything = np.concatenate([said, rest])
    if everything.var() < 1e-6:
        return
    assert found == pytest.approx(textbook.best_tuning(labels[:n], judged[:n], rest), abs=2e-4)


def test_a_constant_judge_gets_no_weight():
    labels = np.array([0.0, 1.0, 1.0, 0.0])
    assert power_tuning(labels, np.ones(4), np.ones(9), np.ones(4)) == 0.0
    assert regression_tuning(labels, np.ones(4), np.ones(4)) == 0.0
    assert ppi_mean(labels, np.ones(4), np.ones(9)).value == 0.5


def test_few_or_flat_labels_have_no_t_interval():
    rng = np.random.default_rng(0)
    few = ppi_mean(rng.random(FEWEST - 1), rng.random(FEWEST - 1), rng.random(50))
    assert (few.low, few.high) == (None, None)
    flat = ppi_mean(np.ones(FEWEST), np.ones(FEWEST), np.ones(50))
    assert (flat.low, flat.high) == (None, None)
    enough = ppi_mean(rng.random(FEWEST), rng.random(FEWEST), rng.random(50))
    assert enough.low < enough.value < enough.high


def test_the_regression_weight_is_the_slope_over_all_verdicts():
    labels, judged = np.array([0.0, 0.2, 0.9, 1.0]), np.array([0.0, 0.5, 0.5, 1.0])
    slope = float(np.polyfit(judged, labels, 1)[0])
    assert regression_tuning(labels, judged, np.ones(4)) == pytest.approx(min(1.0, slope))
    weighted = np.array([1.0, 2.0, 1.0, 1.0])
    slope = float(np.polyfit(judged, labels, 1, w=np.sqrt(weighted))[0])
    assert regression_tuning(labels, judged, weighted) == pytest.approx(min(1.0, slope))


def test_labels_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="two labels or more with a verdict each"):
        ppi_mean(np.ones(3), np.ones(2), np.ones(5))
