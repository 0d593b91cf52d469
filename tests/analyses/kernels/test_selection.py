"""Ranks, regret and profiles against their definitions, and what must hold for any scores."""

from decimal import Decimal
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.kernels.selection import (
    average_ranks,
    competition_ranks,
    percentile_profiles,
    profile_gaps,
    rank_correlations,
    shortlist_regret,
    spectrum,
)
from reference import ranking, selection

quick = settings(max_examples=60, deadline=None)
columns = st.integers(1, 9).flatmap(
    lambda n: st.tuples(*(st.lists(st.integers(0, 6), min_size=n, max_size=n) for _ in range(2)))
)


def named(values: list[int]) -> dict[str, Decimal]:
    return {f"m{at}": Decimal(value) for at, value in enumerate(values)}


@quick
@given(columns, st.integers(0, 2))
def test_regret_is_what_its_definition_says(pair: tuple[list[int], list[int]], within: int):
    broad, wanted = pair
    found = shortlist_regret(np.array(broad, float), np.array(wanted, float), within=within)
    expected = [
        float(selection.regret(named(broad), named(wanted), k, Decimal(within)))
        for k in range(1, len(broad) + 1)
    ]
    assert found.tolist() == expected


@quick
@given(columns)
def test_regret_never_rises_with_the_shortlist_and_ends_at_zero(pair: tuple[list[int], list[int]]):
    found = shortlist_regret(*(np.array(column, float) for column in pair))
    assert (np.diff(found) <= 0).all()
    assert found[-1] == 0.0
    assert (found >= 0).all()


@quick
@given(columns, st.randoms(use_true_random=False))
def test_regret_does_not_hang_on_the_order_of_systems(
    pair: tuple[list[int], list[int]], random: Random
):
    order = list(range(len(pair[0])))
    random.shuffle(order)
    one = shortlist_regret(*(np.array(column, float) for column in pair))
    other = shortlist_regret(*(np.array([column[i] for i in order], float) for column in pair))
    assert one.tolist() == other.tolist()


@quick
@given(columns)
def test_a_wider_cut_never_adds_regret(pair: tuple[list[int], list[int]]):
    broad, wanted = (np.array(column, float) for column in pair)
    narrow, wide = (shortlist_regret(broad, wanted, within=d) for d in (0.0, 1.0))
    assert (wide <= narrow).all()


def test_ties_at_the_cut_stay_in_the_shortlist():
    found = shortlist_regret(np.array([9.0, 8.0, 8.0, 1.0]), np.array([1.0, 2.0, 7.0, 9.0]))
    # k = 2 holds three systems: the two that tie at rank 2 have no order between them.
    assert found.tolist() == [8.0, 2.0, 2.0, 0.0]


@quick
@given(st.lists(st.integers(0, 5), min_size=1, max_size=9))
def test_ranks_are_those_of_the_textbook(scores: list[int]):
    column = np.array(scores, float)
    assert average_ranks(column).tolist() == [float(r) for r in ranking.average_ranks(scores)]
    assert competition_ranks(column).tolist() == [1 + sum(t > s for t in scores) for s in scores]


@quick
@given(columns)
def test_correlations_of_ranks_are_spearmans_rho(pair: tuple[list[int], list[int]]):
    left, right = (np.array(column, float) for column in pair)
    rho, known = rank_correlations(average_ranks(left), average_ranks(right))
    expected = selection.rho(*([Decimal(v) for v in column] for column in pair))
    assert bool(known) == (expected is not None)
    if expected is not None:
        assert float(rho) == pytest.approx(expected, abs=1e-12)


@quick
@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=2, max_size=7))
def test_profiles_and_their_gaps_are_what_their_definitions_say(rows: list[tuple[int, int, int]]):
    table = np.array(rows, float)
    made = [named([row[at] for row in rows]) for at in range(3)]
    profile = percentile_profiles(table)
    for at, column in enumerate(made):
        expected = [float(value) for value in selection.percentiles(column).values()]
        assert profile[:, at].tolist() == pytest.approx(expected)
    expected = [float(value) for value in selection.gaps(made).values()]
    assert profile_gaps(profile).tolist() == pytest.approx(expected)


def test_percentiles_of_one_system_do_not_exist():
    with pytest.raises(ValueError, match="at least two systems, got 1"):
        percentile_profiles(np.ones((1, 3)))


def test_eigenvalues_come_largest_first_and_sum_to_the_trace():
    matrix = np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.1], [0.2, 0.1, 1.0]])
    found = spectrum(matrix)
    assert found[0] == pytest.approx(selection.largest_eigenvalue(matrix.tolist()), abs=1e-9)
    assert (np.diff(found) <= 0).all()
    assert found.sum() == pytest.approx(3.0)


def test_leading_axes_are_handled_one_by_one():
    rng = np.random.default_rng(7)
    broad, wanted = rng.integers(0, 5, (2, 4, 6)).astype(float)
    whole = shortlist_regret(broad, wanted)
    assert whole.tolist() == [
        shortlist_regret(a, b).tolist() for a, b in zip(broad, wanted, strict=True)
    ]
