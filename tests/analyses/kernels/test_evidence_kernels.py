from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.kernels.evidence import (
    balanced_accuracy,
    components,
    d_of_k,
    majority,
    overlap_counts,
    recalls,
)
from reference import evidence as textbook

grids = st.tuples(st.integers(1, 12), st.integers(2, 6)).flatmap(
    lambda shape: st.lists(
        st.lists(st.booleans(), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


@given(grid=grids)
@settings(deadline=None)
def test_d_counts_the_pairs_of_systems_that_an_item_separates(grid: list[list[bool]]):
    right = np.array(grid)
    expected = [textbook.separated_pairs(row) for row in grid]
    assert d_of_k(right.sum(axis=1), right.shape[1]).tolist() == expected


def test_more_right_systems_than_systems_is_refused():
    with pytest.raises(ValueError, match=r"`k` must be in \[0, 3\]"):
        d_of_k(np.array([4]), 3)


@given(grid=grids, holes=st.randoms(use_true_random=False))
@settings(deadline=None)
def test_overlap_agrees_with_sets_of_wrong_items(grid: list[list[bool]], holes: Random):
    wrong = np.array(grid)
    usable = np.array([[holes.random() < 0.8 for _ in row] for row in grid])
    both, either, shared = overlap_counts(wrong, usable)
    for a in range(wrong.shape[1]):
        for b in range(wrong.shape[1]):
            rows = [i for i in range(len(grid)) if usable[i, a] and usable[i, b]]
            left = {i for i in rows if grid[i][a]}
            right = {i for i in rows if grid[i][b]}
            assert (both[a, b], either[a, b]) == (len(left & right), len(left | right))
            assert shared[a, b] == len(rows)
            if either[a, b]:
                assert both[a, b] / either[a, b] == float(textbook.jaccard(left, right))


@given(rows=st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=30))
@settings(deadline=None)
def test_balanced_accuracy_is_the_mean_of_the_recalls(rows: list[tuple[str, bool]]):
    labels = [label for label, _ in rows]
    right = [hit for _, hit in rows]
    per_label = recalls(labels, np.array(right, float), np.ones(len(rows), bool))
    expected = textbook.balanced(labels, right)
    found = balanced_accuracy(per_label)
    assert found == (None if expected is None else pytest.approx(float(expected)))


def test_a_label_without_a_verdict_is_kept_without_a_recall():
    per_label = recalls(["a", "a", "b"], np.array([1.0, 0.0, 1.0]), np.array([True, False, False]))
    assert per_label == [("a", 1.0, 1), ("b", None, 0)]
    assert balanced_accuracy(per_label) is None


def test_the_majority_is_first_and_ties_stand_in_label_order():
    assert majority(["no", "yes", "b", "no", "a"]) == [("no", 2), ("a", 1), ("b", 1), ("yes", 1)]


@given(
    nodes=st.integers(1, 12),
    links=st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=12),
)
@settings(deadline=None)
def test_components_agree_with_a_walk_along_the_edges(nodes: int, links: list[tuple[int, int]]):
    edges = [(a % nodes, b % nodes) for a, b in links]
    roots = components(nodes, edges).tolist()
    for node in range(nodes):
        group = textbook.reachable(edges, node)
        assert {i for i in range(nodes) if roots[i] == roots[node]} == group
        assert roots[node] == min(group)
