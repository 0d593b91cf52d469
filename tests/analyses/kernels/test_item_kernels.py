"""Item statistics: kernels against definitions, published estimates and statsmodels."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from statsmodels.stats.contingency_tables import Table

from finassay.analyses.kernels.reliability import (
    alpha_interval,
    cronbach_alpha,
    item_rest,
    item_total,
    trend,
)
from finassay.analyses.kernels.response_model import (
    Priors,
    even_grid,
    fit_2pl,
    gauss_hermite,
    observed_information,
    posterior,
)
from finassay.analyses.kernels.subset import greedy_subset, keeps_ranking, smallest_subset
from reference import item_statistics as textbook

Floats = NDArray[np.float64]

LSAT6 = (
    3, 6, 2, 11, 1, 1, 3, 4, 1, 8, 0, 16, 0, 3, 2, 15,
    10, 29, 14, 81, 3, 28, 15, 80, 16, 56, 21, 173, 11, 61, 28, 298,
)  # fmt: skip
"""Persons with answer patterns 00000, 00001, ..., 11111: Bock and Lieberman (1970), Table 1."""

binary = arrays.arrays(
    np.float64,
    st.tuples(st.integers(2, 8), st.integers(2, 6)),
    elements=st.sampled_from([0.0, 1.0]),
)
graded = arrays.arrays(
    np.float64,
    st.tuples(st.integers(2, 8), st.integers(2, 6)),
    elements=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
)


def lsat6() -> Floats:
    rows = [[int(c) for c in f"{at:05b}"] for at, n in enumerate(LSAT6) for _ in range(n)]
    return np.array(rows, dtype=np.float64).T


@given(values=graded)
@settings(deadline=None)
def test_item_correlations_agree_with_their_definition(values: Floats):
    (total, has_total), (rest, has_rest) = item_total(values), item_rest(values)
    rows = values.tolist()
    for i, row in enumerate(rows):
        expected = textbook.pearson(row, values.sum(axis=0).tolist())
        assert has_total[i] == (expected is not None)
        assert not has_total[i] or total[i] == pytest.approx(expected, abs=1e-9)
        expected = textbook.pearson(row, textbook.rest_scores(rows, i))
        assert has_rest[i] == (expected is not None)
        assert not has_rest[i] or rest[i] == pytest.approx(expected, abs=1e-9)


@given(values=graded)
@settings(deadline=None)
def test_alpha_is_hoyts_reliability_from_the_analysis_of_variance(values: Floats):
    expected = textbook.hoyt(values.tolist())
    found = cronbach_alpha(values)
    assert (found is None) == (expected is None)
    if found is not None:
        assert found == pytest.approx(expected, abs=1e-9)


def test_alpha_of_one_system_has_no_value():
    assert cronbach_alpha(np.ones((4, 1))) is None
    assert alpha_interval(0.5, items=4, systems=1, level=0.95) is None


def test_alpha_interval_is_the_ratio_of_mean_squares_referred_to_f():
    # F(0.975; 10, 30) and F(0.025; 10, 30) from tables: 2.5112 and 0.3022 (Pearson and Hartley).
    low, high = alpha_interval(0.6, items=4, systems=11, level=0.95)
    assert low == pytest.approx(1 - 0.4 * 2.5112, abs=2e-4)
    assert high == pytest.approx(1 - 0.4 * 0.3022, abs=2e-4)


@given(counts=st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=2, max_size=4))
@settings(deadline=None)
def test_trend_is_statsmodels_linear_by_linear_association(counts: list[tuple[int, int]]):
    scores = [float(v) for right, wrong in counts for v in [1] * right + [0] * wrong]
    dose = [float(at) for at, pair in enumerate(counts) for _ in range(sum(pair))]
    found = trend(np.array(scores), np.array(dose))
    if found is None:
        assert len(set(scores)) < 2 or len(set(dose)) < 2
        return
    table = Table(np.array(counts, dtype=float), shift_zeros=False)
    peer = table.test_ordinal_association(
        row_scores=np.arange(len(counts)), col_scores=np.array([1.0, 0.0])
    )
    assert found[0] == pytest.approx(peer.zscore, abs=1e-8)
    assert found[1] == pytest.approx(peer.pvalue, abs=1e-8)


def test_2pl_gives_the_published_estimates_of_the_law_school_admission_test():
    # Rizopoulos (2006), Journal of Statistical Software 17(5), section 3.1: ltm on LSAT.
    fit = fit_2pl(lsat6(), grid=gauss_hermite(21))
    a, b = np.exp(fit.parameters[:, 0]), fit.parameters[:, 1]
    assert a == pytest.approx([0.8254, 0.7229, 0.8905, 0.6886, 0.6575], abs=2e-3)
    assert b == pytest.approx([-3.3597, -1.3696, -0.2799, -1.8659, -3.1236], abs=4e-3)
    assert fit.errors is not None
    assert a * fit.errors[:, 0] == pytest.approx([0.2581, 0.1867, 0.2326, 0.1852, 0.2100], abs=1e-3)
    assert fit.errors[:, 1] == pytest.approx([0.8669, 0.3073, 0.0997, 0.4341, 0.8700], abs=3e-3)
    assert fit.log_likelihood == pytest.approx(-2466.65, abs=0.01)
    assert fit.is_converged


def test_an_even_grid_and_gauss_hermite_give_the_same_model():
    left, right = fit_2pl(lsat6(), grid=gauss_hermite(41)), fit_2pl(lsat6(), grid=even_grid())
    assert left.parameters == pytest.approx(right.parameters, abs=2e-3)
    assert left.log_likelihood == pytest.approx(right.log_likelihood, abs=1e-5)


def test_marginal_likelihood_is_the_sum_over_nodes_of_products_over_items():
    rng = np.random.default_rng(2)
    right = rng.integers(0, 2, size=(4, 5)).astype(float)
    parameters = rng.normal(size=(4, 2))
    grid = even_grid(3.0, 0.5)
    pairs = list(zip(grid.nodes.tolist(), np.exp(grid.log_weights).tolist(), strict=True))
    expected = textbook.marginal_log_likelihood(right.tolist(), parameters.tolist(), pairs)
    assert posterior(right, parameters, grid)[1] == pytest.approx(expected, rel=1e-10)


def test_observed_information_is_the_negative_hessian_of_the_marginal_likelihood():
    rng = np.random.default_rng(3)
    right = rng.integers(0, 2, size=(3, 6)).astype(float)
    start = np.array([[0.1, -0.4], [-0.3, 0.2], [0.4, 0.9]])
    grid, priors = even_grid(4.0, 0.4), Priors()

    def height(flat: Floats) -> float:
        shape = flat.reshape(-1, 2)
        prior = -0.5 * float((priors.precision * (shape - priors.means) ** 2).sum())
        return posterior(right, shape, grid)[1] + prior

    step, size = 1e-4, start.size
    hessian = np.empty((size, size))
    for i in range(size):
        for j in range(size):
            e, f = np.eye(size)[i] * step, np.eye(size)[j] * step
            at = start.ravel()
            hessian[i, j] = (
                height(at + e + f) - height(at + e - f) - height(at - e + f) + height(at - e - f)
            ) / (4 * step * step)
    assert observed_information(right, start, grid, priors) == pytest.approx(-hessian, abs=2e-5)


@pytest.mark.full
def test_2pl_recovers_the_parameters_of_a_large_simulation_within_its_errors():
    rng = np.random.default_rng(11)
    log_a, b = rng.normal(0.2, 0.3, 25), rng.normal(0, 1, 25)
    ability = rng.normal(size=3000)
    p = 1 / (1 + np.exp(-np.exp(log_a)[:, None] * (ability[None] - b[:, None])))
    fit = fit_2pl((rng.random(p.shape) < p).astype(float))
    assert fit.errors is not None
    z = (fit.parameters - np.column_stack([log_a, b])) / fit.errors
    # 50 standardised errors: their mean square is chi-squared over 50, in (0.5, 1.7) for 99.8%.
    assert 0.5 < float((z**2).mean()) < 1.7
    assert np.corrcoef(fit.ability, ability)[0, 1] > 0.9


def test_2pl_refuses_graded_scores():
    with pytest.raises(ValueError, match="items x systems of 0 and 1"):
        fit_2pl(np.full((3, 3), 0.5))


@given(values=binary)
@settings(deadline=None, max_examples=60)
def test_smallest_subset_is_as_small_as_brute_force_finds(values: Floats):
    found = smallest_subset(values)
    assert keeps_ranking(values, found.rows)
    assert found.is_smallest
    assert len(found.rows) == found.bound == textbook.smallest_size(values.tolist())


@given(values=graded)
@settings(deadline=None, max_examples=40)
def test_subset_of_graded_scores_keeps_the_ranking_and_no_bound_is_wrong(values: Floats):
    found = smallest_subset(values)
    sums = values[found.rows].sum(axis=0).tolist()
    assert textbook.order_of(sums) == textbook.order_of(values.sum(axis=0).tolist())
    smallest = textbook.smallest_size(values.tolist())
    assert found.bound <= smallest <= len(found.rows)


@given(values=binary)
@settings(deadline=None, max_examples=60)
def test_no_row_of_the_greedy_subset_can_be_left_out(values: Floats):
    rows = greedy_subset(values)
    assert keeps_ranking(values, rows)
    for row in rows:
        assert not keeps_ranking(values, rows[rows != row])


def test_a_row_that_becomes_free_later_is_left_out_too():
    rows = greedy_subset(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    assert len(rows) == 1
    assert rows[0] < 2


def test_without_branches_the_answer_still_keeps_the_ranking_and_says_what_is_proven():
    rng = np.random.default_rng(4)
    values = (rng.random((120, 9)) < np.linspace(0.9, 0.5, 9)).astype(float)
    found = smallest_subset(values, node_limit=0)
    assert keeps_ranking(values, found.rows)
    assert found.bound <= len(found.rows)
    assert found.is_smallest == (found.bound == len(found.rows))


def test_trend_of_scores_that_do_not_vary_has_no_value():
    assert trend(np.ones(6), np.arange(6.0)) is None
    assert trend(np.arange(6.0), np.ones(6)) is None


def test_trend_is_negative_when_scores_fall():
    z, p = trend(np.array([1.0, 1, 1, 0, 1, 0, 0, 0]), np.array([0.0, 0, 1, 1, 1, 2, 2, 2]))
    assert z < 0
    assert p == pytest.approx(math.erfc(abs(z) / math.sqrt(2)))
