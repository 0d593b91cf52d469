"""Measures of one ranking.  In: a ranking, and what counts.  Out: recall, hit, reciprocal rank.

What is looked for are passages; what is ranked are chunks, and a chunk may count for several
passages or several chunks for one.  A ranking holds every chunk at most once.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

Relevant = Sequence[Collection[int]]
"""For every relevant passage, the chunks that count for it."""


def recall_at(ranking: Sequence[int], relevant: Relevant, k: int) -> float:
    """Return the share of the relevant passages of which a chunk is among the first `k`, in [0, 1].

    Raises:
        ValueError: nothing is relevant, or `k` is below 1.
    """
    _check(relevant, k)
    first = set(ranking[:k])
    return sum(not first.isdisjoint(chunks) for chunks in relevant) / len(relevant)


def hit_at(ranking: Sequence[int], relevant: Relevant, k: int) -> float:
    """Return 1.0 where a chunk of any relevant passage is among the first `k`, else 0.0.

    Raises:
        ValueError: nothing is relevant, or `k` is below 1.
    """
    _check(relevant, k)
    return float(not any_of(relevant).isdisjoint(ranking[:k]))


def reciprocal_rank(ranking: Sequence[int], relevant: Relevant) -> float:
    """Return 1 / rank of the first chunk of any relevant passage; 0.0 where none is ranked.

    Raises:
        ValueError: nothing is relevant.
    """
    _check(relevant, 1)
    wanted = any_of(relevant)
    return next((1.0 / rank for rank, one in enumerate(ranking, start=1) if one in wanted), 0.0)


def ndcg_at(ranking: Sequence[int], relevant: Relevant, k: int) -> float:
    """Return the binary normalised discounted cumulative gain of the first `k`, in [0, 1].

    A chunk of any relevant passage gains 1 / log2(1 + rank); the ideal ranking has all of them
    first.  0.0 where no chunk counts for anything.  Järvelin and Kekäläinen (2002), "Cumulated
    gain-based evaluation of IR techniques", ACM TOIS 20(4).

    Raises:
        ValueError: nothing is relevant, or `k` is below 1.
    """
    _check(relevant, k)
    wanted = any_of(relevant)
    gained = sum(_gain(rank) for rank, one in enumerate(ranking[:k], start=1) if one in wanted)
    ideal = sum(_gain(rank) for rank in range(1, min(k, len(wanted)) + 1))
    return gained / ideal if ideal else 0.0


def chance_recall_at(n_chunks: int, relevant: Relevant, k: int) -> float:
    """Return the expected recall of `k` chunks drawn at random without repeats, in [0, 1].

    A passage with c of N chunks is missed with the chance C(N - c, k) / C(N, k).

    Raises:
        ValueError: nothing is relevant, or `k` is below 1.
    """
    _check(relevant, k)
    drawn = min(k, n_chunks)
    missed = [
        math.comb(n_chunks - len(set(chunks)), drawn) / math.comb(n_chunks, drawn)
        for chunks in relevant
    ]
    return 1.0 - sum(missed) / len(missed)


def any_of(relevant: Relevant) -> set[int]:
    """Return the chunks that count for any relevant passage."""
    return {one for chunks in relevant for one in chunks}


def _gain(rank: int) -> float:
    return 1.0 / math.log2(rank + 1)


def _check(relevant: Relevant, k: int) -> None:
    if not len(relevant):
        raise ValueError("a ranking is measured against at least one relevant passage, got none")
    if k < 1:
        raise ValueError(f"`k` must be at least 1, got {k!r}")
