"""Agreement: kernels against definitions, other packages and published worked examples."""

import math

import krippendorff as peer_alpha
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

from finassay.analyses.kernels.agreement import (
    MISSING,
    Coefficient,
    Scale,
    cohen,
    cohen_error,
    fleiss,
    gwet,
    krippendorff,
)
from finassay.analyses.kernels.bootstrap import Statistic, bca_intervals, grouped_sums
from reference import agreement as textbook

Codes = NDArray[np.int64]


def codes(raters: st.SearchStrategy[int], *, missing: bool = True) -> st.SearchStrategy[Codes]:
    lowest = MISSING if missing else 0
    return raters.flatmap(
        lambda r: arrays.arrays(
            np.int64, st.tuples(st.integers(2, 15), st.just(r)), elements=st.integers(lowest, 2)
        )
    )


def value_of(made: Coefficient) -> float | None:
    (value,), (is_defined,) = made.values(made.features.sum(axis=0, keepdims=True))
    return float(value) if is_defined else None


def as_units(given_codes: Codes) -> list[list[int | None]]:
    return [[None if c == MISSING else int(c) for c in row] for row in given_codes]


def same(found: float | None, expected: object) -> bool:
    if found is None or expected is None:
        return found is None and expected is None
    return math.isclose(found, float(expected), rel_tol=1e-9, abs_tol=1e-9)


@given(table=codes(st.just(2)))
@settings(deadline=None)
def test_cohens_kappa_agrees_with_its_definition(table: Codes):
    assert same(value_of(cohen(table, 3)), textbook.cohen(as_units(table), 3))


@given(table=codes(st.integers(2, 4)))
@settings(deadline=None)
def test_fleiss_kappa_agrees_with_its_definition(table: Codes):
    assert same(value_of(fleiss(table, 3)), textbook.fleiss(as_units(table), 3))


@given(table=codes(st.integers(2, 4)))
@settings(deadline=None)
def test_gwets_coefficient_agrees_with_its_definition(table: Codes):
    assert same(value_of(gwet(table, 3)), textbook.gwet(as_units(table), 3))


@given(table=codes(st.integers(2, 4)), scale=st.sampled_from(["nominal", "ordinal", "interval"]))
@settings(deadline=None)
def test_krippendorffs_alpha_agrees_with_the_krippendorff_package(table: Codes, scale: Scale):
    paired = table[(table != MISSING).sum(axis=1) >= 2]
    found = value_of(krippendorff(table, np.arange(3.0), scale))
    if len(np.unique(paired[paired != MISSING])) < 2:
        assert found is None
        return
    data = np.where(table == MISSING, np.nan, table).T
    expected = peer_alpha.alpha(
        reliability_data=data, level_of_measurement=scale, value_domain=[0.0, 1.0, 2.0]
    )
    assert same(found, expected)


@given(table=codes(st.just(2), missing=False))
@settings(deadline=None, max_examples=50)
def test_cohens_kappa_and_its_error_agree_with_scikit_learn_and_statsmodels(table: Codes):
    found = value_of(cohen(table, 3))
    if found is None:
        return
    cells = np.zeros((3, 3))
    np.add.at(cells, (table[:, 0], table[:, 1]), 1)
    assert same(found, cohen_kappa_score(table[:, 0], table[:, 1], labels=[0, 1, 2]))
    error = cohen_error(table, 3)
    assert error is not None
    with np.errstate(invalid="ignore", divide="ignore"):  # the peer divides by errors of zero
        peer = cohens_kappa(cells)
    assert error**2 == pytest.approx(peer.var_kappa, abs=1e-9)


@given(table=codes(st.integers(2, 4), missing=False))
@settings(deadline=None, max_examples=50)
def test_fleiss_kappa_agrees_with_statsmodels(table: Codes):
    found = value_of(fleiss(table, 3))
    if found is not None:
        counts = np.stack([(table == k).sum(axis=1) for k in range(3)], axis=1)
        assert same(found, fleiss_kappa(counts))


def from_cells(cells: dict[tuple[int, int], int]) -> Codes:
    return np.array([pair for pair, n in cells.items() for _ in range(n)], dtype=np.int64)


def test_kappa_of_the_two_psychologists():
    # Cohen (1960), Table 1: 200 patients in three categories, kappa = .492.
    shares = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
    cells = {(i, j): shares[i][j] for i in range(3) for j in range(3)}
    assert value_of(cohen(from_cells(cells), 3)) == pytest.approx(0.492, abs=5e-4)


WORKED = [
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
]  # fmt: skip
"""Ten units, fourteen raters, five categories: the worked example with kappa = 0.210."""


def test_kappa_of_fourteen_raters():
    # Encyclopaedia example after Fleiss (1971), printed as kappa = 0.210.
    table = np.array([[k for k, n in enumerate(row) for _ in range(n)] for row in WORKED])
    assert value_of(fleiss(table, 5)) == pytest.approx(0.210, abs=5e-4)


CANONICAL = """
*    *    *    *    *    3    4    1    2    1    1    3    3    *    3
1    *    2    1    3    3    4    3    *    *    *    *    *    *    *
*    *    2    1    3    4    4    *    2    1    1    3    3    *    4
"""
"""Three coders, fifteen units, missing ratings: Krippendorff (2011), Computing alpha, example C."""


@pytest.mark.parametrize(("scale", "printed"), [("nominal", 0.691), ("interval", 0.811)])
def test_alpha_of_the_canonical_example_with_missing_ratings(scale: Scale, printed: float):
    rows = [line.split() for line in CANONICAL.strip().splitlines()]
    table = np.array([[MISSING if c == "*" else int(c) - 1 for c in row] for row in rows]).T
    found = value_of(krippendorff(table, np.array([1.0, 2, 3, 4]), scale))
    assert found == pytest.approx(printed, abs=5e-4)


def test_the_paradox_of_kappa_is_not_one_of_gwets_coefficient():
    # Gwet (2008), Table 2: 118 of 125 agree, kappa = -0.0234, AC1 = 0.9408.
    table = from_cells({(0, 0): 118, (0, 1): 5, (1, 0): 2, (1, 1): 0})
    assert value_of(cohen(table, 2)) == pytest.approx(-0.0234, abs=5e-4)
    assert value_of(gwet(table, 2)) == pytest.approx(0.9408, abs=5e-4)


def test_kappa_of_three_raters_is_refused():
    with pytest.raises(ValueError, match="Cohen's kappa is for two raters, got 3"):
        cohen(np.zeros((4, 3), dtype=np.int64), 2)


def test_ratings_that_never_pair_have_no_value():
    table = np.array([[0, MISSING], [MISSING, 1]])
    for made in (cohen(table, 2), fleiss(table, 2), gwet(table, 2)):
        assert value_of(made) is None
    assert value_of(krippendorff(table, np.arange(2.0))) is None


def test_one_category_everywhere_leaves_kappa_and_alpha_without_a_value():
    table = np.zeros((5, 2), dtype=np.int64)
    assert value_of(cohen(table, 2)) is None
    assert value_of(krippendorff(table, np.arange(2.0))) is None
    assert cohen_error(table, 2) is None
    assert value_of(gwet(table, 2)) == pytest.approx(1.0)


@pytest.mark.parametrize("skew", [0.5, 0.7])
def test_the_bootstrap_error_of_kappa_is_near_its_analytic_error(skew: float):
    rng = np.random.default_rng(5)
    truth = rng.random(600) < skew
    flips = rng.random((600, 2)) < 0.15
    table = (truth[:, None] ^ flips).astype(np.int64)
    made = cohen(table, 2)
    statistic = Statistic(sums=made.features, values=made.values)
    (found,) = bca_intervals([statistic], draws=4000, rng=rng, level=0.95)
    assert found.error == pytest.approx(cohen_error(table, 2), rel=0.08)


def test_a_bca_interval_of_a_mean_moves_with_its_skew_as_efron_says():
    # The interval of a skewed mean reaches farther on the long side than the percentiles do.
    rng = np.random.default_rng(6)
    draws = rng.exponential(size=40)

    def mean(sums: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        return sums[:, 0] / sums[:, 1], sums[:, 1] > 0

    features = np.column_stack([draws, np.ones(40)])
    statistic = Statistic(sums=features, values=mean)
    (found,) = bca_intervals([statistic], draws=20_000, rng=rng, level=0.95)
    assert found.low is not None
    assert found.high is not None
    assert found.high - draws.mean() > draws.mean() - found.low
    half = 1.96 * draws.std(ddof=1) / math.sqrt(40)
    assert found.high - found.low == pytest.approx(2 * half, rel=0.15)


def test_whole_clusters_are_drawn():
    features = np.arange(12.0).reshape(6, 2)
    sums = grouped_sums(features, np.array([0, 1, 1, 2, 0, 2]))
    assert sums.tolist() == [[8.0, 10.0], [6.0, 8.0], [16.0, 18.0]]


def test_resamples_without_a_value_are_counted_not_invented():
    table = np.array([[0, 0], [1, 1]], dtype=np.int64)
    made = cohen(table, 2)
    statistic = Statistic(sums=made.features, values=made.values)
    (found,) = bca_intervals([statistic], draws=400, rng=np.random.default_rng(1), level=0.95)
    # Half of the resamples hold one unit twice, so chance alone would always agree.
    assert 140 < found.n_undefined < 260
    assert found.low == found.high == 1.0
    assert found.is_degenerate
