"""Chance within many rules, against one rule at a time in plain Python."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.kernels import rule_draws as kernel
from finassay.analyses.kernels.paired import mcnemar


def marks(seed: int, rules: int = 3, items: int = 9, systems: int = 3) -> tuple:
    rng = np.random.default_rng(seed)
    counted = rng.random((rules, items, systems)) < 0.9
    return counted & (rng.random((rules, items, systems)) < 0.6), counted


def test_unit_sums_add_up_the_items_of_a_cluster():
    right, _ = marks(1)
    codes = np.array([0, 1, 0, 2, 1, 0, 2, 2, 1])
    found = kernel.unit_sums(right, codes)
    for k, c, u in np.ndindex(3, 3, 3):
        assert found[k, c, u] == sum(right[k, i, c] for i in range(9) if codes[i] == u)


@pytest.mark.parametrize("counts_for", ["every rule", "some rules"])
def test_a_resample_weighs_right_and_counted_replies_alike(counts_for: str):
    right, counted = marks(2)
    if counts_for == "every rule":
        counted = np.ones_like(counted)
    counts = np.array([[1.0] * 9, [3, 0, 0, 2, 0, 1, 1, 2, 0]])
    sums = (kernel.unit_sums(one, None) for one in (right, counted))
    found = kernel.resampled(counts, *sums)
    for k, c, b in np.ndindex(3, 3, 2):
        drawn = [i for i in range(9) for _ in range(int(counts[b, i])) if counted[k, i, c]]
        assert found[k, c, b] == pytest.approx(sum(right[k, i, c] for i in drawn) / len(drawn))


def test_nothing_to_count_has_no_accuracy():
    nothing = kernel.unit_sums(np.zeros((1, 2, 1), dtype=bool), None)
    assert np.isnan(kernel.resampled(np.ones((1, 2)), nothing, nothing)).all()


def test_ranks_are_competition_ranks():
    scores = np.array([[[0.5], [0.9], [0.5], [np.nan]]])
    assert kernel.competition(scores)[0, :, 0].tolist() == [2, 1, 2, 0]


def test_drawn_quantiles_ranks_and_bins_are_those_of_each_rule():
    rng = np.random.default_rng(3)
    accuracies = rng.integers(0, 11, (2, 3, 50)) / 10
    found = kernel.drawn(accuracies, np.array([0.25, 0.75]), (0.1, 0.9))
    assert found.low == pytest.approx(np.quantile(accuracies, 0.1, axis=2))
    assert found.high == pytest.approx(np.quantile(accuracies, 0.9, axis=2))
    assert found.ranks.sum(axis=2) == pytest.approx(np.ones((2, 3)))
    best = (accuracies[0, 0] >= accuracies[0].max(axis=0)).mean()
    assert found.ranks[0, 0, 0] == pytest.approx(best)
    expected = 0.25 * (accuracies[0, 1] == 0.3).mean() + 0.75 * (accuracies[1, 1] == 0.3).mean()
    assert found.bins[1, 3000] == pytest.approx(expected)


def test_draws_without_a_value_are_left_out():
    accuracies = np.array([[[0.2, np.nan, 0.4], [np.nan, np.nan, np.nan]]])
    found = kernel.drawn(accuracies, np.ones(1), (0.0, 1.0))
    assert (found.low[0, 0], found.high[0, 0]) == (0.2, 0.4)
    assert np.isnan(found.low[0, 1])


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 5)), min_size=1, max_size=12))
def test_weighted_ends_are_those_of_the_values_written_out(pairs: list[tuple[int, int]]):
    values = np.array([float(v) for v, _ in pairs])
    weights = np.array([float(w) for _, w in pairs])
    written = np.sort(np.repeat(values, weights.astype(int)))
    for tail in (0.025, 0.5, 0.975):
        place = max(0, int(np.ceil(tail * len(written) - 1e-9)) - 1)
        assert kernel.weighted_ends(values, weights, (tail, tail))[0] == written[place]


def test_quantiles_without_weight_are_refused():
    with pytest.raises(ValueError, match="need some weight"):
        kernel.weighted_ends(np.array([1.0]), np.array([0.0]), (0.1, 0.9))


def test_discordant_replies_are_counted_where_both_count():
    right, counted = marks(5)
    found = kernel.discordant(right, counted)
    for k, i, j in np.ndindex(3, 3, 3):
        both = [n for n in range(9) if counted[k, n, i] and counted[k, n, j]]
        assert found[k, i, j] == sum(right[k, n, i] and not right[k, n, j] for n in both)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 40), st.integers(0, 40))
def test_the_exact_p_is_mcnemars(gained: int, lost: int):
    found = kernel.exact_paired_p(np.array(gained), np.array(lost))
    assert float(found) == pytest.approx(mcnemar(gained, lost)[0], rel=1e-9)


def test_the_centred_p_is_the_share_of_draws_at_least_as_far_out():
    draws = np.array([[0.5, 0.9, 0.1, 0.6], [0.4, 0.5, 0.3, 0.4]])
    observed = np.array([0.6, 0.4])
    gaps = draws[0] - draws[1]
    expected = float(np.mean(np.abs(gaps - 0.2) >= 0.2 - 1e-12))
    found = kernel.centred_p(draws, observed)
    assert found[0, 1] == found[1, 0] == expected
    assert found[0, 0] == 1.0
