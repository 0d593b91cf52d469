"""BM25 as in the textbook: one passage and one token at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence


def bm25_scores(
    passages: Sequence[Sequence[str]], query: Sequence[str], *, k1: float, b: float
) -> list[float]:
    """Return the score of every passage for a query (Robertson and Zaragoza 2009, Lucene's idf)."""
    n_passages = len(passages)
    mean = sum(map(len, passages)) / n_passages if n_passages else 0.0
    scores = []
    for passage in passages:
        total = 0.0
        for token in query:
            having = sum(token in other for other in passages)
            count = passage.count(token)
            if count:
                idf = math.log(1 + (n_passages - having + 0.5) / (having + 0.5))
                norm = k1 * (1 - b + b * len(passage) / mean)
                total += idf * count / (count + norm)
        scores.append(total)
    return scores
