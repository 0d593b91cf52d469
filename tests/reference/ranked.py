"""Measures of a ranking as textbooks define them, one chunk and one passage at a time."""

from __future__ import annotations

import math
from itertools import combinations


def recall(ranking: list[int], relevant: list[set[int]], k: int) -> float:
    found = 0
    for passage in relevant:
        for chunk in ranking[:k]:
            if chunk in passage:
                found += 1
                break
    return found / len(relevant)


def hit(ranking: list[int], relevant: list[set[int]], k: int) -> float:
    return float(any(chunk in passage for chunk in ranking[:k] for passage in relevant))


def reciprocal(ranking: list[int], relevant: list[set[int]]) -> float:
    for rank in range(1, len(ranking) + 1):
        for passage in relevant:
            if ranking[rank - 1] in passage:
                return 1 / rank
    return 0.0


def ndcg(ranking: list[int], relevant: list[set[int]], k: int, n_chunks: int) -> float:
    """Gain of the ranking over the largest gain of any order of all chunks."""
    grades = [int(any(chunk in passage for passage in relevant)) for chunk in range(n_chunks)]

    def gain(order: list[int]) -> float:
        return math.fsum(
            grades[chunk] / math.log2(place + 2) for place, chunk in enumerate(order[:k])
        )

    best = gain(sorted(range(n_chunks), key=lambda chunk: -grades[chunk]))
    return gain(ranking) / best if best else 0.0


def recall_by_chance(n_chunks: int, relevant: list[set[int]], k: int) -> float:
    """The mean recall over every set of `k` chunks."""
    draws = list(combinations(range(n_chunks), min(k, n_chunks)))
    return math.fsum(recall(list(draw), relevant, k) for draw in draws) / len(draws)
