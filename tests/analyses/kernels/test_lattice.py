"""The exact distribution of a resampled sum, against whole-number enumeration."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.kernels.clustered import cluster_sums, clustered_bootstrap_tail
from finassay.analyses.kernels.lattice import Draw, Tail, bootstrap_tail, numerators
from reference.paired_bootstrap import by_polynomial, every_resample, singles

DIFFERENCES = st.lists(st.integers(-2, 2), min_size=1, max_size=5)
CLUSTERS = st.lists(st.tuples(st.integers(-4, 4), st.integers(1, 6)), min_size=1, max_size=5)


def whole(values: Sequence[int]) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def agrees(tail: Tail, expected: tuple[Fraction, Fraction], rel: float = 1e-12) -> None:
    inclusive, exclusive = (float(p) for p in expected)
    assert tail.inclusive == pytest.approx(inclusive, rel=rel, abs=0.0)
    assert tail.exclusive == pytest.approx(exclusive, rel=rel, abs=0.0)
    assert tail.mid == pytest.approx((inclusive + exclusive) / 2, rel=rel, abs=0.0)


@given(differences=DIFFERENCES)
@settings(deadline=None, max_examples=40)
def test_item_p_is_the_share_of_all_resamples(differences: list[int]):
    agrees(bootstrap_tail(whole(differences)), every_resample(singles(differences)))


@given(clusters=CLUSTERS)
@settings(deadline=None, max_examples=40)
def test_cluster_p_is_the_share_of_all_resamples(clusters: list[tuple[int, int]]):
    sums, sizes = zip(*clusters, strict=True)
    tail = clustered_bootstrap_tail(whole(sums), whole(sizes))
    assert tail is not None
    agrees(tail, every_resample(clusters))


@given(differences=st.lists(st.integers(-3, 3), min_size=7, max_size=60))
@settings(deadline=None, max_examples=25)
def test_longer_sums_agree_with_polynomials_of_whole_numbers(differences: list[int]):
    agrees(bootstrap_tail(whole(differences)), by_polynomial(singles(differences)))


@given(clusters=st.lists(st.tuples(st.integers(-5, 5), st.integers(1, 9)), min_size=6, max_size=12))
@settings(deadline=None, max_examples=15)
def test_more_clusters_agree_with_polynomials_of_whole_numbers(clusters: list[tuple[int, int]]):
    sums, sizes = zip(*clusters, strict=True)
    tail = clustered_bootstrap_tail(whole(sums), whole(sizes))
    assert tail is not None
    agrees(tail, by_polynomial(clusters))


@pytest.mark.parametrize(
    ("ones", "zeros", "minus", "magnitude"),
    [(30, 20, 0, -19), (60, 25, 3, -22), (200, 66, 0, -160), (375, 125, 0, -301)],
)
def test_tiny_p_keeps_its_relative_accuracy(ones: int, zeros: int, minus: int, magnitude: int):
    differences = [1] * ones + [0] * zeros + [-1] * minus
    expected = by_polynomial(singles(differences))
    assert abs(np.log10(float(expected[0])) - magnitude) < 3
    agrees(bootstrap_tail(whole(differences)), expected)


@pytest.mark.parametrize(("groups", "sizes"), [(18, (1, 2, 9)), (24, (3, 3, 5))])
def test_tiny_cluster_p_keeps_its_relative_accuracy(groups: int, sizes: tuple[int, ...]):
    clusters = [(size - (at % 7 == 0), size) for at in range(groups // 3) for size in sizes]
    clusters[0] = (0, clusters[0][1])
    sums, many = zip(*clusters, strict=True)
    expected = by_polynomial(clusters)
    assert 0 < float(expected[0]) < 1e-12
    tail = clustered_bootstrap_tail(whole(sums), whole(many))
    assert tail is not None
    agrees(tail, expected)


def test_without_a_difference_inclusive_p_is_one_and_ties_are_left_out_of_exclusive_p():
    assert bootstrap_tail(whole([0, 0, 0])) == Tail(inclusive=1.0, exclusive=0.0)
    # +1 and -1: two of the four resamples sum to 0.
    assert bootstrap_tail(whole([1, -1])) == Tail(inclusive=1.0, exclusive=0.5)


@given(differences=st.lists(st.integers(-2, 2), min_size=1, max_size=40))
@settings(deadline=None)
def test_p_does_not_depend_on_which_system_is_left(differences: list[int]):
    one, other = bootstrap_tail(whole(differences)), bootstrap_tail(-whole(differences))
    assert one.inclusive == pytest.approx(other.inclusive, rel=1e-12)
    assert one.exclusive == pytest.approx(other.exclusive, rel=1e-12)


@given(differences=st.lists(st.integers(-2, 2), min_size=1, max_size=30))
@settings(deadline=None)
def test_clusters_of_one_item_are_items(differences: list[int]):
    clustered = clustered_bootstrap_tail(whole(differences), np.ones(len(differences), np.int64))
    assert clustered is not None
    item = bootstrap_tail(whole(differences))
    assert clustered.inclusive == pytest.approx(item.inclusive, rel=1e-12)
    assert clustered.exclusive == pytest.approx(item.exclusive, rel=1e-12)


def test_a_distribution_beyond_the_declared_work_is_not_computed():
    sums, sizes = whole([3, -1, 2, 0]), whole([5, 4, 3, 9])
    assert clustered_bootstrap_tail(sums, sizes, work=10) is None
    assert clustered_bootstrap_tail(sums, sizes) is not None


def test_an_empty_cluster_is_refused():
    with pytest.raises(ValueError, match="a cluster without items must be left out"):
        clustered_bootstrap_tail(whole([1, 0]), whole([2, 0]))


def test_clusters_need_as_many_sums_as_sizes():
    with pytest.raises(ValueError, match="as many sums as sizes, at least one, got 1 and 2"):
        clustered_bootstrap_tail(whole([1]), whole([2, 3]))


def test_a_draw_needs_a_value():
    with pytest.raises(ValueError, match="needs at least one value, got none"):
        Draw.of(whole([]))


def test_cluster_sums_add_up_by_label():
    sums, sizes = cluster_sums(whole([1, -1, 1, 1]), whole([7, 2, 7, 2]))
    assert (sums.tolist(), sizes.tolist()) == ([0, 2], [2, 2])


@given(values=st.lists(st.integers(0, 60), min_size=1, max_size=20), step=st.integers(1, 60))
def test_scores_on_a_lattice_come_back_from_their_numerators(values: list[int], step: int):
    scores = np.array([min(value, step) / step for value in values])
    found = numerators(scores)
    assert found is not None
    steps, least = found
    assert step % least == 0
    assert (steps / least == scores).all()


@pytest.mark.parametrize("value", [0.1 + 1e-15, np.pi / 4, 1 / 1009])
def test_scores_off_the_lattice_are_not_rounded_onto_it(value: float):
    assert numerators(np.array([0.0, 1.0, value])) is None


def test_denominators_that_only_meet_beyond_the_largest_make_no_lattice():
    assert numerators(np.array([1 / 31, 1 / 37])) is None
    assert numerators(np.array([1 / 31, 1 / 37]), largest=1147) is not None


def test_a_score_that_is_not_finite_is_refused():
    with pytest.raises(ValueError, match="scores must be finite"):
        numerators(np.array([np.nan]))


def test_a_lattice_needs_a_denominator():
    with pytest.raises(ValueError, match="`largest` must be at least 1, got 0"):
        numerators(np.array([1.0]), largest=0)
