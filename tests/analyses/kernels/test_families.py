"""Adjusted p and tie groups, against statsmodels and enumeration."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from finassay.analyses.kernels.families import adjusted, letters, tie_groups
from reference.paired_tests import largest_tie_groups

PEERS = {"bonferroni": "bonferroni", "holm": "holm", "bh": "fdr_bh", "by": "fdr_by"}


@given(
    p=st.lists(st.floats(0, 1), min_size=1, max_size=20),
    method=st.sampled_from(sorted(PEERS)),
    more=st.integers(0, 10),
)
@settings(deadline=None, max_examples=40)
def test_adjusted_p_agrees_with_statsmodels_and_missing_tests_count_as_one(
    p: list[float], method: str, more: int
):
    found = adjusted(np.array(p), method=method, family=len(p) + more)
    expected = multipletests([*p, *[1.0] * more], method=PEERS[method])[1][: len(p)]
    assert found == pytest.approx(expected, rel=1e-12)


def test_without_adjustment_p_stays():
    assert adjusted(np.array([0.2, 0.01]), method="none").tolist() == [0.2, 0.01]


def test_a_family_smaller_than_its_tests_is_refused():
    with pytest.raises(ValueError, match="`family` must be at least the 2 tests made, got 1"):
        adjusted(np.array([0.2, 0.01]), method="holm", family=1)


def test_an_unknown_adjustment_is_named():
    with pytest.raises(ValueError, match="got 'tukey'"):
        adjusted(np.array([0.2]), method="tukey")


def test_a_p_outside_zero_and_one_is_refused():
    with pytest.raises(ValueError, match="every p must be in"):
        adjusted(np.array([1.2]), method="holm")


def matrices(size: int):
    pairs = list(combinations(range(size), 2))
    return st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)).map(
        lambda said: _matrix(size, dict(zip(pairs, said, strict=True)))
    )


def _matrix(size: int, said: dict[tuple[int, int], bool]) -> np.ndarray:
    out = np.zeros((size, size), dtype=bool)
    for (i, j), differs in said.items():
        out[i, j] = out[j, i] = differs
    return out


@given(differ=st.integers(1, 7).flatmap(matrices))
@settings(deadline=None)
def test_tie_groups_are_the_largest_sets_without_a_difference(differ: np.ndarray):
    found = tie_groups(differ)
    assert {frozenset(group) for group in found} == largest_tie_groups(differ.tolist())
    assert len(set(found)) == len(found)


@given(differ=st.integers(1, 7).flatmap(matrices))
@settings(deadline=None)
def test_two_systems_share_a_letter_exactly_when_they_do_not_differ(differ: np.ndarray):
    shown = letters(tie_groups(differ), len(differ))
    for i, j in combinations(range(len(differ)), 2):
        assert bool(set(shown[i]) & set(shown[j])) != differ[i, j]


def test_more_groups_than_letters_are_numbered():
    shown = letters([(at,) for at in range(28)], 28)
    assert (shown[0], shown[26], shown[27]) == ("a", "a2", "b2")


def test_a_matrix_that_is_not_symmetric_is_refused():
    with pytest.raises(ValueError, match="must be square and symmetric"):
        tie_groups(np.array([[False, True], [False, False]]))
