import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.kernels.concordance import kendall_w
from finassay.analyses.kernels.correlation import kendall, spearman
from finassay.analyses.kernels.ranks import ranks
from finassay.analyses.results import RANK_CONVENTIONS, RankConvention
from reference import ranking as textbook

small = st.integers(0, 4)
columns = st.integers(2, 5).flatmap(
    lambda n: st.tuples(
        st.lists(small, min_size=n, max_size=n), st.lists(small, min_size=n, max_size=n)
    )
)
shares = st.lists(
    st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), max_size=12
)


@given(given_shares=shares, convention=st.sampled_from(RANK_CONVENTIONS), best=st.booleans())
@settings(deadline=None)
def test_ranks_of_shares_agree_with_ranks_of_fractions(
    *, given_shares: list[tuple[int, int]], convention: RankConvention, best: bool
):
    scores = np.array([k / n for k, n in given_shares], dtype=float)
    found = ranks(scores, convention=convention, higher_is_better=best)
    exact = [Fraction(k, n) for k, n in given_shares]
    expected = textbook.rank(exact, convention, higher_is_better=best)
    assert found.tolist() == [float(value) for value in expected]


def test_equal_shares_of_different_denominators_tie():
    scores = np.array([1 / 3, 2 / 6, 50 / 150, 0.33])
    assert ranks(scores, convention="competition").tolist() == [1, 1, 1, 4]


def test_a_score_that_is_not_a_number_is_refused():
    with pytest.raises(ValueError, match="must be finite"):
        ranks(np.array([0.5, math.nan]), convention="dense")


def test_an_unknown_convention_is_refused():
    with pytest.raises(ValueError, match="`convention` must be one of"):
        ranks(np.array([0.5]), convention="olympic")


@given(pair=columns)
@settings(deadline=None)
def test_spearman_agrees_with_fractions_and_all_permutations(pair: tuple[list[int], list[int]]):
    rho, p, method = spearman(np.array(pair[0], float), np.array(pair[1], float))
    expected = textbook.spearman(*pair)
    if expected is None:
        assert (rho, p) == (None, None)
        assert "no coefficient" in method
    else:
        assert (rho, p) == pytest.approx(expected)
        assert method == "exact permutation"


@given(pair=columns)
@settings(deadline=None)
def test_kendall_agrees_with_counted_pairs_and_with_the_permutation_variance(
    pair: tuple[list[int], list[int]],
):
    tau, p, method = kendall(np.array(pair[0], float), np.array(pair[1], float))
    expected = textbook.kendall(*pair)
    if expected is None:
        assert tau is None
        assert p is None
        return
    assert tau == pytest.approx(expected[0])
    if method == "exact (no ties)":
        assert p == pytest.approx(expected[1])
    else:
        z = abs(textbook.kendall_score(*pair)) / math.sqrt(expected[2])
        assert p == pytest.approx(math.erfc(z / math.sqrt(2)))


@given(seed=st.integers(0, 10_000), n=st.integers(10, 40), ties=st.booleans())
@settings(deadline=None, max_examples=40)
def test_beyond_small_samples_both_correlations_agree_with_scipy(*, seed: int, n: int, ties: bool):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(2, n))
    if ties:
        x, y = np.round(x), np.round(y)
    rho, rho_p, _ = spearman(x, y)
    tau, tau_p, _ = kendall(x, y)
    assert (rho, rho_p) == pytest.approx(tuple(scipy.stats.spearmanr(x, y)))
    assert (tau, tau_p) == pytest.approx(tuple(scipy.stats.kendalltau(x, y)))


def test_columns_of_different_length_are_refused():
    for correlate in (spearman, kendall):
        with pytest.raises(ValueError, match="of one length"):
            correlate(np.array([1.0, 2.0]), np.array([1.0]))


def test_a_perfect_order_of_twelve_has_a_p_of_zero_by_t():
    x = np.arange(12.0)
    assert spearman(x, x) == (1.0, 0.0, "t with 10 degrees of freedom")


@given(
    ratings=st.tuples(st.integers(2, 6), st.integers(2, 5)).flatmap(
        lambda shape: st.lists(
            st.lists(small, min_size=shape[1], max_size=shape[1]),
            min_size=shape[0],
            max_size=shape[0],
        )
    )
)
@settings(deadline=None)
def test_concordance_agrees_with_its_definition_in_fractions(ratings: list[list[int]]):
    found = kendall_w(np.array(ratings, float))
    expected = textbook.kendall_w(ratings)
    if expected is None:
        assert found is None
    else:
        assert found[0] == pytest.approx(float(expected))
        assert found[1] == pytest.approx(len(ratings) * (len(ratings[0]) - 1) * float(expected))


@given(seed=st.integers(0, 1000), m=st.integers(2, 7), n=st.integers(3, 6))
@settings(deadline=None, max_examples=40)
def test_concordance_is_the_mean_rank_correlation_of_the_raters(seed: int, m: int, n: int):
    # W = ((m - 1) mean rho + 1) / m without ties: Kendall and Gibbons (1990), section 6
    rows = np.random.default_rng(seed).normal(size=(m, n))
    rhos = [spearman(rows[i], rows[j])[0] for i in range(m) for j in range(i)]
    assert kendall_w(rows)[0] == pytest.approx(((m - 1) * np.mean(rhos) + 1) / m)


def test_one_rater_has_no_concordance():
    assert kendall_w(np.array([[1.0, 2.0]])) is None
