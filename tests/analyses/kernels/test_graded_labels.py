"""Means of graded labels, by leaving out one label at a time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.kernels.design_estimates import stratified_mean, stratified_variance
from finassay.analyses.kernels.judge_correction import (
    FEWEST,
    GradedLabels,
    PoweredMean,
    bounded_ends,
    jackknifed_mean,
)
from reference import few_labels as textbook

row = st.tuples(st.integers(0, 4), st.integers(0, 4))
samples = st.tuples(st.lists(row, min_size=3, max_size=8), st.lists(row, min_size=3, max_size=8))

SIZES = (20, 9)


def given_labels(
    rows: list[tuple[float, float, int]], middle: float, *, drawn: list[int] | None = None
) -> GradedLabels:
    strata = np.array([one[2] for one in rows])
    counts = np.bincount(strata, minlength=2) if drawn is None else np.array(drawn)
    return GradedLabels(
        labels=np.array([one[0] for one in rows]),
        verdicts=np.array([one[1] for one in rows]),
        weights=(np.array(SIZES) / np.maximum(1, counts))[strata],
        strata=strata,
        drawn=counts,
        sizes=np.array(SIZES),
        mean_verdict=middle,
    )


@given(sample=samples, middle=st.floats(0, 1), tuning=st.sampled_from([None, 0.0]))
@settings(deadline=None, max_examples=60)
def test_the_mean_and_its_variance_are_those_of_leaving_out_by_hand(
    sample: tuple[list[tuple[int, int]], list[tuple[int, int]]], middle: float, tuning: float | None
):
    rows = [(y / 4, f / 4, code) for code, part in enumerate(sample) for y, f in part]
    found = jackknifed_mean(given_labels(rows, middle), tuning=tuning)
    value, variance = textbook.jackknife(rows, SIZES, middle, tuned=tuning is None)
    assert found.value == pytest.approx(value, abs=1e-9)
    assert found.variance == pytest.approx(variance, abs=1e-9)


def test_labels_alone_have_the_variance_of_the_stratified_mean():
    rng = np.random.default_rng(2)
    rows = [(float(rng.random()), 0.5, code) for code in (0,) * 7 + (1,) * 5]
    found = jackknifed_mean(given_labels(rows, 0.5), tuning=0.0)
    labels, strata = np.array([one[0] for one in rows]), np.array([one[2] for one in rows])
    assert found.value == pytest.approx(stratified_mean(labels, strata, np.array(SIZES)))
    expected = stratified_variance(labels, strata, np.array(SIZES)).value
    assert found.variance == pytest.approx(expected)


def test_labels_outside_the_part_make_its_share_of_the_sample_uncertain():
    rng = np.random.default_rng(3)
    rows = [(float(rng.random()), 0.5, 0) for _ in range(6)]
    rows += [(float(rng.random()) / 2, 0.5, 1) for _ in range(4)]
    alone = jackknifed_mean(given_labels(rows, 0.5, drawn=[6, 4]), tuning=0.0)
    among = jackknifed_mean(given_labels(rows, 0.5, drawn=[12, 4]), tuning=0.0)
    assert among.variance != pytest.approx(alone.variance)


def test_one_label_of_a_stratum_has_the_largest_variance_there_can_be():
    rows = [(0.5, 0.5, 0), (0.5, 0.5, 0), (0.5, 0.5, 1)]
    found = jackknifed_mean(given_labels(rows, 0.5), tuning=0.0)
    assert found.variance == pytest.approx((9 / 29) ** 2 / 4)


def test_verdicts_that_follow_the_labels_take_variance_away():
    rng = np.random.default_rng(4)
    labels = rng.random(12)
    rows = [(float(y), float(y), 0) for y in labels]
    rows += [(0.2, 0.2, 1), (0.4, 0.4, 1)]
    plain = jackknifed_mean(given_labels(rows, 0.6), tuning=0.0)
    tuned = jackknifed_mean(given_labels(rows, 0.6))
    assert tuned.tuning == pytest.approx(1.0)
    assert tuned.value == pytest.approx(0.6)
    assert tuned.variance < plain.variance / 1000


def mean_of(value: float, variance: float, n: int) -> PoweredMean:
    return PoweredMean(value=value, variance=variance, low=None, high=None, tuning=0.0, n=n)


def test_the_interval_stays_in_range_and_is_left_out_for_few_labels():
    few = bounded_ends(mean_of(0.9, 0.01, FEWEST - 1), level=0.95, ends=(0.0, 1.0))
    assert few.low is None
    wide = bounded_ends(mean_of(0.9, 0.01, FEWEST), level=0.95, ends=(0.0, 1.0))
    assert 0.0 <= wide.low < 0.9 < wide.high <= 1.0
    flat = bounded_ends(mean_of(0.0, 0.0, 50), level=0.95, ends=(0.0, 1.0))
    assert flat.low == 0.0
    assert flat.high == pytest.approx(1 - 0.025 ** (1 / 50))  # Clopper-Pearson of 0 of 50


@pytest.mark.parametrize("kind", ["rare", "high", "halves"])
def test_the_interval_holds_as_often_as_it_says(kind: str):
    rng, runs, held = np.random.default_rng(9), 400, 0
    for _ in range(runs):
        u, v = rng.random(200), rng.random(200)
        labels = {
            "rare": np.where(u < 0.93, 0.0, 0.5 + v / 2),
            "high": 1.0 - np.where(u < 0.85, 0.0, v),
            "halves": np.round(2 * v) / 2,
        }[kind]
        verdicts = np.clip(np.round(labels + rng.normal(0, 0.2, 200), 1), 0, 1)
        chosen = rng.permutation(200)[:FEWEST]
        sample = GradedLabels(
            labels=labels[chosen],
            verdicts=verdicts[chosen],
            weights=np.full(FEWEST, 200 / FEWEST),
            strata=np.zeros(FEWEST, dtype=np.int64),
            drawn=np.array([FEWEST]),
            sizes=np.array([200]),
            mean_verdict=float(verdicts.mean()),
        )
        found = bounded_ends(jackknifed_mean(sample), level=0.95, ends=(0.0, 1.0))
        held += found.low <= labels.mean() <= found.high
    assert held / runs > 0.95 - 3 * np.sqrt(0.95 * 0.05 / runs)
