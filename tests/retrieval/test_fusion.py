"""Rankings are joined as published, and ties are broken the same way every time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.retrieval.dense import graph_of, nearest, nearest_in_graph
from finassay.retrieval.fusion import best, fused_order, reciprocal_ranks


@settings(deadline=None)
@given(st.lists(st.sampled_from([0.0, 1.0, 2.0, -np.inf]), max_size=12), st.integers(1, 14))
def test_the_best_are_the_first_of_a_stable_sort(scores: list[float], k: int) -> None:
    ordered = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    expected = [place for place in ordered if scores[place] > -np.inf][:k]
    assert best(np.array(scores, dtype=np.float32), k).tolist() == expected


def test_fused_scores_are_sums_of_reciprocal_ranks() -> None:
    fused = reciprocal_ranks([[7, 3], [3, 9]], k=60)
    assert fused == pytest.approx({7: 1 / 61, 3: 1 / 62 + 1 / 61, 9: 1 / 62})
    assert fused_order(fused) == [3, 7, 9]


def test_a_weight_counts_a_ranking_more() -> None:
    assert reciprocal_ranks([[1], [2]], k=1, weights=[1, 3]) == {1: 0.5, 2: 1.5}


def test_equal_fused_scores_stand_in_order_of_number() -> None:
    assert fused_order(reciprocal_ranks([[5], [2]])) == [2, 5]


def test_what_is_put_first_stays_first() -> None:
    assert fused_order(reciprocal_ranks([[5, 1], [5, 2]]), first=(2, 1)) == [2, 1, 5]


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_the_nearest_are_those_of_highest_cosine(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(9, 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    among = rng.random(9) < 0.6
    rows, cosines = nearest(vectors, vectors[0], k, among=among)
    slow = sorted((-float(vectors[n] @ vectors[0]), n) for n in range(9) if among[n])[:k]
    assert rows.tolist() == [n for _, n in slow]
    assert cosines == pytest.approx([-cosine for cosine, _ in slow], abs=1e-6)


def test_a_graph_finds_nearly_all_of_the_nearest() -> None:
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(2000, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    graph = graph_of(vectors)
    found = 0
    for query in vectors[:50]:
        exact, _ = nearest(vectors, query, 10)
        rows, cosines = nearest_in_graph(graph, vectors, query, 10)
        found += len(set(exact.tolist()) & set(rows.tolist()))
        assert cosines.tolist() == sorted(cosines.tolist(), reverse=True)
    assert found >= 490
