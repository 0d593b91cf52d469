"""Measures of a ranking agree with slow ones and with scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from finassay.analyses.kernels.ranked import (
    chance_recall_at,
    hit_at,
    ndcg_at,
    recall_at,
    reciprocal_rank,
)
from reference import ranked

CHUNKS = 7
RANKINGS = st.permutations(range(CHUNKS)).flatmap(
    lambda order: st.integers(0, CHUNKS).map(lambda n: list(order[:n]))
)
RELEVANT = st.lists(st.sets(st.integers(0, CHUNKS - 1)), min_size=1, max_size=3)
DEPTHS = st.integers(1, CHUNKS + 2)


@settings(deadline=None)
@given(RANKINGS, RELEVANT, DEPTHS)
def test_measures_are_those_of_the_textbook(
    ranking: list[int], relevant: list[set[int]], k: int
) -> None:
    assert recall_at(ranking, relevant, k) == ranked.recall(ranking, relevant, k)
    assert hit_at(ranking, relevant, k) == ranked.hit(ranking, relevant, k)
    assert reciprocal_rank(ranking, relevant) == ranked.reciprocal(ranking, relevant)
    assert ndcg_at(ranking, relevant, k) == pytest.approx(
        ranked.ndcg(ranking, relevant, k, CHUNKS), abs=1e-12
    )
    assert chance_recall_at(CHUNKS, relevant, k) == pytest.approx(
        ranked.recall_by_chance(CHUNKS, relevant, k), abs=1e-12
    )


@settings(deadline=None)
@given(st.permutations(range(CHUNKS)), RELEVANT, st.integers(1, CHUNKS))
def test_ndcg_is_that_of_scikit_learn(ranking: list[int], relevant: list[set[int]], k: int) -> None:
    grades = [float(any(chunk in one for one in relevant)) for chunk in range(CHUNKS)]
    scores = np.zeros(CHUNKS)
    scores[list(ranking)] = np.arange(CHUNKS, 0, -1)
    assert ndcg_at(ranking, relevant, k) == pytest.approx(ndcg_score([grades], [scores], k=k))


def test_a_ranking_worked_by_hand() -> None:
    # Passages: A is in chunks 3 and 4, B in chunk 5; the ranking finds A second and B fourth.
    ranking, relevant = [9, 3, 8, 5], [{3, 4}, {5}]
    assert recall_at(ranking, relevant, 1) == 0.0
    assert recall_at(ranking, relevant, 2) == 0.5
    assert recall_at(ranking, relevant, 5) == 1.0
    assert hit_at(ranking, relevant, 2) == 1.0
    assert reciprocal_rank(ranking, relevant) == 0.5
    # (1 / log2(3) + 1 / log2(5)) / (1 + 1 / log2(3) + 1 / log2(4)), three chunks being relevant.
    assert ndcg_at(ranking, relevant, 10) == pytest.approx(0.49818925746641285)


def test_one_chunk_may_hold_both_passages() -> None:
    assert recall_at([1], [{1}, {1, 2}], 1) == 1.0


def test_nothing_relevant_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one relevant passage, got none"):
        recall_at([1], [], 1)
    with pytest.raises(ValueError, match="`k` must be at least 1, got 0"):
        ndcg_at([1], [{1}], 0)
