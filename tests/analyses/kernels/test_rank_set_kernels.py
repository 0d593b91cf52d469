"""Rank confidence sets: kernels against the definition in loops."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from finassay.analyses.kernels.rank_sets import (
    clustered_sums,
    pair_errors,
    pair_statistics,
    rank_sets,
    resample,
)
from finassay.analyses.kernels.resampling import draw_counts
from reference import rank_confidence as textbook

Board = tuple[NDArray[np.float64], NDArray[np.int64], int]


@st.composite
def boards(draw: st.DrawFn) -> Board:
    rows, systems = draw(st.integers(4, 14)), draw(st.integers(2, 4))
    seed = draw(st.integers(0, 10_000))
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 2, size=(rows, systems)).astype(float)
    groups = draw(st.integers(2, rows))
    codes = np.concatenate([np.arange(groups), rng.integers(0, groups, rows - groups)])
    return values, codes, seed


@given(board=boards(), level=st.sampled_from([0.5, 0.8, 0.95]))
@settings(deadline=None, max_examples=40)
def test_rank_sets_agree_with_their_definition(board: Board, level: float):
    values, codes, seed = board
    data = clustered_sums(values, codes)
    counts = draw_counts(len(data.sizes), 40, np.random.default_rng(seed))
    alone, together = rank_sets(data, pair_statistics(data, counts).astype(np.float64), level=level)
    sums, sizes, drawn = data.sums.tolist(), data.sizes.tolist(), counts.tolist()
    assert together == textbook.rank_set(sums, sizes, drawn, None, level)
    for system in range(values.shape[1]):
        assert [alone[system]] == textbook.rank_set(sums, sizes, drawn, system, level)


def test_pair_errors_are_those_of_the_paired_difference():
    values = np.random.default_rng(1).integers(0, 2, size=(30, 2)).astype(float)
    difference = values[:, 0] - values[:, 1]
    expected = difference.std(ddof=1) / np.sqrt(30)
    assert pair_errors(clustered_sums(values))[0, 1] == pytest.approx(expected, rel=1e-12)


def test_one_row_clusters_change_nothing():
    values = np.random.default_rng(2).random((20, 3))
    whole, single = clustered_sums(values), clustered_sums(values, np.arange(20))
    assert np.array_equal(whole.sums, single.sums)
    assert np.array_equal(whole.sizes, single.sizes)


def test_shares_of_ranks_and_of_superiority_add_up():
    values = np.random.default_rng(3).integers(0, 2, size=(40, 4)).astype(float)
    found = resample(clustered_sums(values), draws=3000, rng=np.random.default_rng(4))
    assert found.ranks.sum(axis=1) == pytest.approx(np.ones(4))
    whole = found.above + found.above.T + found.level_with
    assert whole == pytest.approx(np.ones((4, 4)))


def test_systems_that_are_alike_on_every_item_are_never_told_apart():
    column = np.random.default_rng(5).integers(0, 2, size=(50, 1)).astype(float)
    data = clustered_sums(np.hstack([column, column]))
    found = resample(data, draws=200, rng=np.random.default_rng(6))
    alone, together = rank_sets(data, found.statistics, level=0.95)
    assert alone == together == [(1, 2), (1, 2)]
    assert found.level_with.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_a_far_better_system_is_certainly_first():
    rng = np.random.default_rng(7)
    values = np.column_stack([rng.random(300) < p for p in (0.95, 0.4, 0.4)]).astype(float)
    data = clustered_sums(values)
    found = resample(data, draws=1000, rng=rng)
    alone, together = rank_sets(data, found.statistics, level=0.95)
    assert (alone[0], together[0]) == ((1, 1), (1, 1))
    assert together[1][1] == 3


def test_simultaneous_sets_contain_marginal_ones():
    rng = np.random.default_rng(8)
    values = np.column_stack([rng.random(120) < p for p in (0.9, 0.8, 0.75, 0.5)]).astype(float)
    data = clustered_sums(values)
    found = resample(data, draws=2000, rng=rng)
    alone, together = rank_sets(data, found.statistics, level=0.95)
    for own, all_ in zip(alone, together, strict=True):
        assert all_[0] <= own[0] <= own[1] <= all_[1]
