"""Logistic regression with clustered errors, against its definition and statsmodels."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from finassay.analyses.kernels.correlation import pearson
from finassay.analyses.kernels.logistic import LogisticFit, logistic_fit
from reference import logistic

Sample = tuple[np.ndarray, np.ndarray, np.ndarray]


def sample(seed: int, n: int = 60, width: int = 3, groups: int = 12) -> Sample:
    rng = np.random.default_rng(seed)
    design = np.column_stack([np.ones(n), rng.normal(size=(n, width - 1))])
    clusters = rng.integers(0, groups, size=n)
    shift = rng.normal(scale=0.5, size=groups)[clusters]
    logits = 0.3 + 0.5 * design[:, 1] + shift
    return design, rng.random(n) < 1 / (1 + np.exp(-logits)), clusters


@given(seed=st.integers(0, 10_000))
@settings(deadline=None, max_examples=15)
def test_estimates_and_errors_are_those_of_the_definition(seed: int):
    design, outcome, clusters = sample(seed)
    found = logistic_fit(design, outcome, clusters)
    assert isinstance(found, LogisticFit)
    estimate, errors = logistic.fit(design.tolist(), outcome.tolist(), clusters.tolist())
    assert found.coefficients == pytest.approx(estimate, abs=1e-8)
    assert found.errors == pytest.approx(errors, rel=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_estimates_and_errors_are_those_of_statsmodels(seed: int):
    design, outcome, clusters = sample(seed, n=400, width=6, groups=80)
    found = logistic_fit(design, outcome, clusters)
    assert isinstance(found, LogisticFit)
    twin = sm.Logit(outcome.astype(float), design).fit(
        disp=0, cov_type="cluster", cov_kwds={"groups": clusters}
    )
    assert found.coefficients == pytest.approx(twin.params, abs=1e-7)
    assert found.errors == pytest.approx(twin.bse, rel=1e-5)
    assert (found.n, found.n_clusters) == (400, len(set(clusters.tolist())))


def test_the_order_of_rows_and_the_names_of_clusters_change_nothing():
    design, outcome, clusters = sample(3)
    order = np.random.default_rng(0).permutation(len(design))
    found = logistic_fit(design, outcome, clusters)
    other = logistic_fit(design[order], outcome[order], 7 * clusters[order] - 3)
    assert isinstance(found, LogisticFit)
    assert isinstance(other, LogisticFit)
    assert other.errors == pytest.approx(found.errors, rel=1e-9)


ONES = np.ones((6, 1))
MIXED = np.array([True, False, True, False, True, False])


@pytest.mark.parametrize(
    ("design", "outcome", "clusters", "why"),
    [
        (ONES, np.ones(6, dtype=bool), np.arange(6), "the same in every row"),
        (ONES, MIXED, np.zeros(6, dtype=np.int64), "about one cluster"),
        (np.ones((6, 2)), MIXED, np.arange(6), "follows from the others"),
        (np.ones((1, 1)), MIXED[:1], np.arange(1), "1 rows are too few for 1 parameters"),
        (np.column_stack([ONES, MIXED]), MIXED, np.arange(6), "told apart perfectly"),
    ],
)
def test_a_model_that_cannot_be_fitted_says_why(
    design: np.ndarray, outcome: np.ndarray, clusters: np.ndarray, why: str
):
    found = logistic_fit(design.astype(float), outcome, clusters)
    assert isinstance(found, str)
    assert why in found


def test_lengths_that_differ_are_refused():
    with pytest.raises(ValueError, match=r"a design of 6 rows got outcomes \(5,\)"):
        logistic_fit(ONES, MIXED[:5], np.arange(6))


def test_pearson_is_that_of_scipy_with_t_beyond_nine_and_permutations_below():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 14))
    r, p, how = pearson(x, y)
    assert (r, p) == pytest.approx(tuple(stats.pearsonr(x, y)), rel=1e-10)
    assert how == "t with 12 degrees of freedom"
    r, p, how = pearson(x[:7], y[:7])
    every = stats.permutation_test(
        (x[:7],),
        lambda left: stats.pearsonr(left, y[:7])[0],
        permutation_type="pairings",
        n_resamples=np.inf,
    )
    assert r == pytest.approx(stats.pearsonr(x[:7], y[:7])[0])
    assert p == pytest.approx(np.mean(np.abs(every.null_distribution) >= abs(r) - 1e-12))
    assert how == "exact permutation"


def test_no_pearson_without_three_systems_or_spread():
    assert pearson(np.array([1.0, 2.0]), np.array([1.0, 2.0]))[:2] == (None, None)
    assert pearson(np.ones(5), np.arange(5.0))[:2] == (None, None)
    assert pearson(np.arange(12.0), 2 * np.arange(12.0))[:2] == (1.0, 0.0)


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="of one length"):
        pearson(np.ones(3), np.ones(4))
