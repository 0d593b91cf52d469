"""Intervals of graded and clustered means, against scipy, statsmodels and hand counts."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from finassay.analyses.kernels.mean_intervals import (
    bca,
    cluster_bootstrap,
    cluster_error,
    cluster_robust,
)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("level", [0.9, 0.99])
def test_bca_agrees_with_scipy_on_skewed_scores(level: float):
    values = rng().beta(0.4, 2.0, 60)
    found = bca(values, level=level, draws=60_000, rng=rng(2))
    peer = stats.bootstrap(
        (values,),
        np.mean,
        confidence_level=level,
        n_resamples=60_000,
        method="BCa",
        vectorized=True,
        rng=rng(3),
        batch=5_000,
    ).confidence_interval
    wide = peer.high - peer.low
    assert found[0] == pytest.approx(peer.low, abs=0.02 * wide)
    assert found[1] == pytest.approx(peer.high, abs=0.02 * wide)


def test_bca_leans_to_the_long_tail():
    values = rng().beta(0.4, 2.0, 40)
    low, high = bca(values, rng=rng(2))
    assert high - values.mean() > values.mean() - low


def test_bca_of_equal_scores_is_a_point():
    assert bca(np.full(9, 0.3), rng=rng()) == (pytest.approx(0.3), pytest.approx(0.3))


def test_bca_needs_two_scores():
    with pytest.raises(ValueError, match="needs at least two scores"):
        bca(np.array([1.0]), rng=rng())


def clustered() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    labels = rng(4).integers(0, 9, 120)
    values = rng(5).uniform(size=120) * (labels + 1) / 9
    levels, where, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    sums = np.bincount(where, weights=values, minlength=len(levels))
    return values, labels, sums, sizes.astype(float)


def test_cluster_error_is_that_of_statsmodels():
    values, labels, sums, sizes = clustered()
    fit = sm.OLS(values, np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": labels, "use_correction": True}
    )
    assert cluster_error(sums, sizes) == pytest.approx(fit.bse[0], rel=1e-9)


def test_clusters_of_one_item_give_students_interval():
    values = rng().uniform(size=30)
    expected = stats.t.interval(0.95, 29, loc=values.mean(), scale=stats.sem(values))
    assert cluster_robust(values, np.ones(30)) == pytest.approx(expected, rel=1e-9)


def test_one_cluster_says_nothing():
    assert cluster_error(np.array([3.0]), np.array([5.0])) is None
    assert cluster_robust(np.array([3.0]), np.array([5.0])) == (0.0, 1.0)


def test_ends_stay_within_the_scores():
    sums, sizes = np.array([1.0, 0.0, 9.0]), np.array([1.0, 1.0, 9.0])
    low, high = cluster_robust(sums, sizes)
    assert 0.0 <= low < high == 1.0


def test_two_clusters_are_resampled_in_four_equal_ways():
    # Means 0, 1/2 (twice) and 1: quarter, half, quarter.
    sums, sizes = np.array([[0.0], [4.0]]), np.array([4.0, 4.0])
    low, high = cluster_bootstrap(sums, sizes, level=0.95, rng=rng())
    assert (low[0], high[0]) == (0.0, 1.0)
    low, high = cluster_bootstrap(sums, sizes, level=0.4, rng=rng())
    assert (low[0], high[0]) == (0.5, 0.5)


def test_columns_share_their_resamples():
    _, _, sums, sizes = clustered()
    columns = np.column_stack([sums, sums / 2])
    low, high = cluster_bootstrap(columns, sizes, draws=500, rng=rng())
    assert low[0] == pytest.approx(2 * low[1])
    assert high[0] == pytest.approx(2 * high[1])


def test_a_level_given_as_percent_is_refused():
    with pytest.raises(ValueError, match=r"for 95% pass 0\.95"):
        cluster_robust(np.array([1.0, 2.0]), np.array([2.0, 2.0]), level=95)
