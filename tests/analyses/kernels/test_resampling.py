"""Shared-resample Monte Carlo, against the exact distribution and against known variances."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.kernels import resampling
from finassay.analyses.kernels.clustered import clustered_bootstrap_tail
from finassay.analyses.kernels.lattice import bootstrap_tail
from finassay.analyses.kernels.resampling import (
    Sampled,
    UnitSums,
    draw_counts,
    in_smallest_exact,
    pair_tails,
    rank_shares,
    resampled_means,
    two_level_counts,
    two_level_means,
)

pytestmark = pytest.mark.full


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def shape(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (G, 3) integer sums of three columns and (G,) sizes, of a shape drawn by seed."""
    random = rng(seed)
    groups = int(random.integers(4, 40))
    sizes = random.integers(1, int(random.integers(2, 30)), groups)
    chances = random.uniform(0.2, 0.8) + random.uniform(-0.15, 0.15, 3)
    sums = np.stack([random.binomial(sizes, chance) for chance in chances], axis=1)
    return sums.astype(np.int64), sizes.astype(np.int64)


PAIRS = np.array([[0, 1], [0, 2], [1, 2]])


def worst_distance(seed: int, draws: int) -> float:
    """Return the largest distance of Monte Carlo p from exact p, in exact standard errors."""
    sums, sizes = shape(seed)
    units = UnitSums(sums=sums.astype(float), sizes=sizes.astype(float), on_lattice=True)
    sampled = pair_tails(units, PAIRS, draws=draws, rng=rng(seed))
    worst = 0.0
    for (left, right), found in zip(PAIRS.tolist(), sampled, strict=True):
        exact = clustered_bootstrap_tail(sums[:, left] - sums[:, right], sizes)
        assert exact is not None
        for p, guess in (
            (exact.inclusive, found.inclusive),
            (exact.exclusive, found.exclusive),
        ):
            # One draw's worth is added, for p so small that less than one draw is expected.
            error = (p * (1 - p) / draws) ** 0.5 + 1 / draws
            worst = max(worst, abs(guess - p) / error)
    return worst


@pytest.mark.parametrize("seed", range(6))
def test_monte_carlo_p_lies_within_its_error_of_exact_p(seed: int):
    assert worst_distance(seed, 20_000) < 4.5


def test_a_million_draws_lie_within_their_error_on_many_shapes():
    # 12 shapes x 3 pairs x 2 conventions: the chance of any beyond 4.5 errors is below 0.001.
    assert max(worst_distance(seed, 1_000_000) for seed in range(100, 112)) < 4.5


def test_the_bound_would_notice_a_wrong_convention():
    differences = np.array([1] * 9 + [-1] * 4 + [0] * 12)
    columns = np.stack([differences, np.zeros_like(differences)], axis=1).astype(float)
    units = UnitSums(sums=columns, sizes=np.ones(len(columns)), on_lattice=True)
    found = pair_tails(units, np.array([[0, 1]]), draws=20_000, rng=rng())[0]
    exact = bootstrap_tail(differences)
    assert abs(found.inclusive - exact.exclusive) > 10 * found.standard_error
    assert abs(found.inclusive - exact.inclusive) < 4.5 * found.standard_error


def test_ties_of_scores_off_a_lattice_survive_rounding():
    differences = np.array([0.1, 0.2, -0.3, 0.7, 0.0]) * np.pi
    columns = np.stack([differences, np.zeros(5)], axis=1)
    exact = UnitSums(sums=columns, sizes=np.ones(5), on_lattice=False)
    found = pair_tails(exact, np.array([[0, 1]]), draws=50_000, rng=rng())[0]
    expected = bootstrap_tail(np.array([1, 2, -3, 7, 0]))
    assert found.inclusive == pytest.approx(expected.inclusive, abs=4.5 * found.standard_error)
    assert found.exclusive == pytest.approx(expected.exclusive, abs=4.5 * found.standard_error)
    assert expected.inclusive - expected.exclusive > 10 * found.standard_error


@given(units=st.integers(1, 30), draws=st.integers(1, 20))
@settings(deadline=None)
def test_every_resample_draws_as_many_units_as_there_are(units: int, draws: int):
    counts = draw_counts(units, draws, rng())
    assert counts.shape == (draws, units)
    assert (counts >= 0).all()
    assert (counts.sum(axis=1) == units).all()


def counted_one_by_one(units: int, draws: int, seed: int) -> list[list[int]]:
    drawn = rng(seed).integers(0, units, (draws, units), dtype=np.uint16).tolist()
    return [[row.count(unit) for unit in range(units)] for row in drawn]


@pytest.mark.parametrize("block", [1, 7, 40, 32_768])
def test_blocks_of_draws_count_what_one_by_one_counts(block: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(resampling, "_BLOCK", block)
    expected = counted_one_by_one(9, 31, seed=4)
    assert draw_counts(9, 31, rng(4)).tolist() == expected
    single = draw_counts(9, 31, rng(4), single=True)
    assert (single.dtype, single.tolist()) == (np.float32, expected)


def means_in_double(sums: np.ndarray, sizes: np.ndarray, draws: int, seed: int) -> np.ndarray:
    counts = draw_counts(len(sizes), draws, rng(seed))
    return (counts @ sums) / (counts @ sizes)[:, None]


def test_whole_numbers_are_summed_in_single_precision_without_rounding():
    sums = rng(2).integers(-300_000, 300_000, (50, 6)).astype(float)
    sizes = rng(3).integers(1, 300_000, 50).astype(float)
    assert in_smallest_exact(sums).dtype == np.float32
    means = np.concatenate(list(resampled_means(sums, sizes, draws=200, rng=rng(5))))
    assert means.tolist() == means_in_double(sums, sizes, 200, 5).tolist()


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        (np.array([[0.5], [1.0]]), "a half"),
        (np.array([[2.0**23], [1.0]]), "two draws of the first are 2**24"),
        (np.array([[-(2.0**23)], [1.0]]), "the same below zero"),
        (np.array([[np.nan], [1.0]]), "no number"),
        (np.array([[np.inf], [1.0]]), "no finite number"),
    ],
)
def test_sums_that_single_precision_would_round_stay_in_double(columns: np.ndarray, why: str):
    assert in_smallest_exact(columns).dtype == np.float64, why


def test_the_last_sums_that_single_precision_holds_are_exact():
    largest = 2.0**22 - 1
    columns = np.array([[largest], [1.0], [2.0], [largest - 2]])
    single = in_smallest_exact(columns)
    assert single.dtype == np.float32
    counts = draw_counts(4, 500, rng(6))
    assert (counts.astype(np.float32) @ single).tolist() == (counts @ columns).tolist()


def test_units_are_drawn_with_equal_chances():
    counts = draw_counts(8, 50_000, rng())
    assert counts.mean(axis=0) == pytest.approx(np.ones(8), abs=0.02)
    # Binomial (8, 1/8), and counts of two units are negatively related: -8 / 64.
    assert counts.var(axis=0) == pytest.approx(np.full(8, 7 / 8), abs=0.03)
    assert np.cov(counts[:, 0], counts[:, 1])[0, 1] == pytest.approx(-1 / 8, abs=0.02)


def test_chunks_do_not_change_the_number_of_draws(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(resampling, "CELLS", 100)
    chunks = list(resampled_means(np.ones((7, 2)), np.ones(7), draws=33, rng=rng()))
    assert len(chunks) > 1
    means = np.concatenate(chunks)
    assert means.shape == (33, 2)
    assert (means == 1.0).all()


def test_the_same_seed_gives_the_same_p():
    sums, sizes = shape(3)
    units = UnitSums(sums=sums.astype(float), sizes=sizes.astype(float), on_lattice=True)
    first = pair_tails(units, PAIRS, draws=500, rng=rng(9))
    assert pair_tails(units, PAIRS, draws=500, rng=rng(9)) == first
    assert pair_tails(units, PAIRS, draws=500, rng=rng(10)) != first


def test_no_draw_beyond_the_observed_does_not_look_exact():
    assert Sampled(inclusive=0.0, exclusive=0.0, draws=100).standard_error > 0.009


def test_rank_shares_are_shares_and_equal_columns_share_their_rank():
    values = rng().integers(0, 2, (50, 3)).astype(float)
    columns = np.column_stack([values, values[:, 0]])
    shares = rank_shares(columns, np.ones(50), draws=400, rng=rng())
    assert shares.sum(axis=1) == pytest.approx(np.ones(4))
    assert (shares[0] == shares[3]).all()
    # Two columns that always tie leave no room for the last rank.
    assert shares[0, 3] == 0.0


def test_a_column_that_is_always_best_has_rank_one():
    columns = np.column_stack([np.ones(20), rng().integers(0, 2, 20), np.zeros(20)])
    shares = rank_shares(columns, np.ones(20), draws=300, rng=rng())
    assert shares[0].tolist() == [1.0, 0.0, 0.0]


@given(trials=st.lists(st.integers(1, 5), min_size=1, max_size=12))
@settings(deadline=None)
def test_two_level_weights_sum_to_the_items(trials: list[int]):
    weights = two_level_counts(np.array(trials), 5, rng())
    assert weights.shape == (5, sum(trials))
    assert weights.sum(axis=1) == pytest.approx(np.full(5, len(trials)))


def test_two_level_resampling_has_the_variance_of_both_levels():
    trials = np.array([3, 1, 4, 2, 5, 2])
    values = rng(4).uniform(size=(trials.sum(), 1))
    means = np.concatenate(list(two_level_means(values, trials, draws=30_000, rng=rng())))
    groups = np.split(values[:, 0], np.cumsum(trials)[:-1])
    between = np.var([group.mean() for group in groups])
    within = np.mean([group.var() / len(group) for group in groups])
    assert means.mean() == pytest.approx(np.mean([g.mean() for g in groups]), abs=0.003)
    assert means.var() == pytest.approx((between + within) / len(groups), rel=0.05)


def test_an_item_without_a_trial_is_refused():
    with pytest.raises(ValueError, match="each with at least one trial"):
        two_level_counts(np.array([2, 0]), 3, rng())
