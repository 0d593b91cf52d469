"""Estimates from samples with known inclusion probabilities, against all samples listed."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.kernels.design_estimates import (
    bootstrap_weights,
    cluster_totals,
    effective_size,
    hajek,
    horvitz_thompson,
    independent_variance,
    korn_graubard,
    stratified_mean,
    stratified_variance,
    t_interval,
    yates_grundy,
)
from finassay.analyses.kernels.intervals import clopper_pearson
from reference import few_labels as textbook

STRATA = list("aaaaabbb")
TAKES = {"a": 3, "b": 2}
CODES = np.array([0, 0, 0, 0, 0, 1, 1, 1])
SIZES = np.array([5, 3])
CHANCES = np.array([0.6] * 5 + [2 / 3] * 3)

values = st.lists(st.integers(0, 4), min_size=8, max_size=8).map(
    lambda found: [Fraction(v, 4) for v in found]
)


def samples() -> list[np.ndarray]:
    return [np.array(rows) for rows in textbook.all_samples(STRATA, TAKES)]


@given(population=values)
@settings(deadline=None, max_examples=25)
def test_horvitz_thompson_is_right_on_average_and_as_the_textbook(population: list[Fraction]):
    y = np.array([float(v) for v in population])
    chances = [Fraction(3, 5)] * 5 + [Fraction(2, 3)] * 3
    found = []
    for rows in samples():
        one = horvitz_thompson(y[rows], CHANCES[rows], size=8)
        slow = textbook.horvitz_thompson(
            [population[i] for i in rows], [chances[i] for i in rows], 8
        )
        assert one == pytest.approx(float(slow), abs=1e-12)
        ratio = textbook.hajek([population[i] for i in rows], [chances[i] for i in rows])
        assert hajek(y[rows], CHANCES[rows]) == pytest.approx(float(ratio), abs=1e-12)
        found.append(one)
    assert np.mean(found) == pytest.approx(float(textbook.mean(population)), abs=1e-12)


@given(population=values)
@settings(deadline=None, max_examples=25)
def test_both_variances_are_right_on_average(population: list[Fraction]):
    y = np.array([float(v) for v in population])
    exact, means, stratified, pairwise = [], [], [], []
    for rows in samples():
        slow = sum(
            Fraction(STRATA.count(name), 8)
            * textbook.mean([population[i] for i in rows if STRATA[i] == name])
            for name in TAKES
        )
        exact.append(slow)
        means.append(stratified_mean(y[rows], CODES[rows], SIZES))
        stratified.append(stratified_variance(y[rows], CODES[rows], SIZES).value)
        single = CHANCES[rows]
        joint = np.outer(single, single)
        for code, both in ((0, 3 * 2 / (5 * 4)), (1, 2 * 1 / (3 * 2))):
            inside = np.flatnonzero(CODES[rows] == code)
            joint[np.ix_(inside, inside)] = both
        np.fill_diagonal(joint, single)
        pairwise.append(yates_grundy(y[rows], single, joint))
    expected = float(textbook.variance_over(exact))
    assert means == pytest.approx([float(one) for one in exact], abs=1e-12)
    assert np.mean(stratified) == pytest.approx(expected, abs=1e-12)
    # The stratified mean is the Horvitz-Thompson total over N, so one variance is the other / N^2.
    assert np.mean(pairwise) / 64 == pytest.approx(expected, abs=1e-12)


@given(left=values, right=values)
@settings(deadline=None, max_examples=10)
def test_a_difference_is_the_mean_of_differences(left: list[Fraction], right: list[Fraction]):
    gaps = np.array([float(a - b) for a, b in zip(left, right, strict=True)])
    found = [horvitz_thompson(gaps[rows], CHANCES[rows], size=8) for rows in samples()]
    expected = textbook.mean(left) - textbook.mean(right)
    assert np.mean(found) == pytest.approx(float(expected), abs=1e-12)


def test_the_mean_over_a_part_is_the_mean_of_scaled_values():
    part = np.array([1, 0, 1, 1, 0, 1, 1, 0], dtype=float)
    y = np.array([1, 1, 0, 1, 0, 0, 1, 1], dtype=float)
    scaled = y * part * (8 / part.sum())
    found = [horvitz_thompson(scaled[rows], CHANCES[rows], size=8) for rows in samples()]
    assert np.mean(found) == pytest.approx(y[part == 1].mean(), abs=1e-12)


def test_a_stratum_with_one_label_counts_with_the_largest_variance_it_can_have():
    worst = 0.0
    for pattern in range(16):
        y = np.array([pattern >> i & 1 for i in range(4)], dtype=float)
        worst = max(worst, float(np.mean((y - y.mean()) ** 2)))
    found = stratified_variance(np.array([1.0]), np.array([0]), np.array([4]))
    assert found.value == pytest.approx(worst)
    assert found.lone == (0,)
    assert found.degrees == 1


def test_a_stratum_drawn_whole_adds_no_variance_and_is_not_lone():
    found = stratified_variance(np.array([1.0, 0.0, 1.0]), np.array([0, 1, 1]), np.array([1, 2]))
    assert (found.value, found.lone) == (0.0, ())


def test_a_stratum_without_labels_has_no_mean():
    assert stratified_mean(np.array([1.0]), np.array([0]), np.array([4, 4])) is None
    assert hajek(np.zeros(0), np.zeros(0)) is None


def test_a_pair_that_can_never_be_drawn_together_leaves_no_variance():
    assert yates_grundy(np.ones(2), np.full(2, 0.5), np.array([[0.5, 0.0], [0.0, 0.5]])) is None


def test_independent_draws_have_the_variance_of_a_sum_over_all_subsets():
    y, chances = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.25, 0.8])
    moments = [0.0, 0.0, 0.0]
    for pattern in range(8):
        inside = np.array([pattern >> i & 1 for i in range(3)], dtype=bool)
        chance = float(np.prod(np.where(inside, chances, 1 - chances)))
        total = float((y[inside] / chances[inside]).sum())
        moments[0] += chance * total
        moments[1] += chance * total**2
        moments[2] += chance * independent_variance(y[inside], chances[inside])
    assert moments[0] == pytest.approx(6.0)
    assert moments[2] == pytest.approx(moments[1] - 36.0)


def test_the_effective_size_is_the_number_of_labels_when_chances_are_equal():
    assert effective_size(np.full(7, 0.1)) == pytest.approx(7.0)
    assert effective_size(np.array([1.0, 0.5])) == pytest.approx(9 / 5)
    assert effective_size(np.zeros(0)) == 0.0


def test_the_effective_interval_is_clopper_pearsons_for_a_plain_sample():
    share, n = 0.3, 40
    found = korn_graubard(share, share * (1 - share) / n, labels=n, most=n)
    assert found == pytest.approx(clopper_pearson(right=12, n=40))


def test_labels_that_all_agree_still_leave_an_interval():
    low, high = korn_graubard(0.0, 0.0, labels=20, most=12.0)
    assert low == 0.0
    assert high == pytest.approx(clopper_pearson(right=0, n=12)[1])


def test_the_t_interval_has_the_degrees_of_the_design():
    variance = stratified_variance(np.array([0.0, 1.0, 1.0]), np.zeros(3, int), np.array([30]))
    low, high = t_interval(2 / 3, variance)
    half = 4.302652729696142 * math.sqrt(0.9 / 9)  # t(2, 0.975), any table
    assert (low, high) == pytest.approx((2 / 3 - half, 2 / 3 + half))


def test_the_bootstrap_has_the_variance_of_the_stratified_mean():
    rng = np.random.default_rng(5)
    strata = np.repeat([0, 1], [12, 8])
    sizes = np.array([30, 10])
    y = rng.random(20)
    factors = bootstrap_weights(strata, sizes, None, draws=20_000, rng=rng)
    weights = np.where(strata == 0, 30 / 12, 10 / 8)
    means = (factors * weights) @ y / 40
    expected = stratified_variance(y, strata, sizes).value
    assert means.var() == pytest.approx(expected, rel=0.04)
    assert means.mean() == pytest.approx(stratified_mean(y, strata, sizes), abs=0.002)


def test_the_bootstrap_of_clusters_has_the_variance_of_their_totals():
    rng = np.random.default_rng(6)
    clusters = np.repeat(np.arange(9), 4)
    strata = np.zeros(36, dtype=np.int64)
    y = rng.random(9)[clusters] + rng.random(36) / 10
    factors = bootstrap_weights(strata, np.array([20]), clusters, draws=20_000, rng=rng)
    totals, of = cluster_totals(y, strata, clusters)
    expected = stratified_variance(totals, of, np.array([20])).value
    assert (factors @ y / 9).var() == pytest.approx(expected, rel=0.04)
    plain = bootstrap_weights(strata, np.array([80]), None, draws=5_000, rng=rng)
    assert (plain @ y / 9).var() < expected / 2


def test_one_drawn_cluster_of_several_cannot_be_resampled():
    with pytest.raises(ValueError, match="one drawn unit of 5: there is nothing to resample"):
        bootstrap_weights(
            np.array([0]), np.array([5]), None, draws=10, rng=np.random.default_rng(0)
        )
    with pytest.raises(ValueError, match="must lie in one stratum"):
        cluster_totals(np.ones(2), np.array([0, 1]), np.array([3, 3]))


@pytest.mark.parametrize("chances", [[0.0, 0.5], [0.5, 1.5]])
def test_a_chance_outside_its_range_is_refused(chances: list[float]):
    with pytest.raises(ValueError, match=r"must be in \(0, 1\]"):
        horvitz_thompson(np.ones(2), np.array(chances), size=4)


def test_arrays_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="must be of one shape"):
        hajek(np.ones(2), np.ones(3))
