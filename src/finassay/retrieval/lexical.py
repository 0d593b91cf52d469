"""BM25.  In: tokens of passages, tokens of a query.  Out: a score for every passage.

The scores are those of Lucene's BM25 (Robertson's without the constant factor), made before any
query as bm25s does (Lù 2024, arXiv:2407.03618), so that a query is a sum over postings.  Counts are
kept apart from weights: a document that is added changes the weights of all, and the counts of
none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Places = NDArray[np.int64]
Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Postings:
    """How often every token stands in every passage.

    Attributes:
        vocabulary: tokens, sorted.
        starts: where the postings of each token begin, with the end of the last behind them.
        passages: numbers of passages, rising within a token.
        counts: how often the token stands there.
        lengths: tokens of each passage.
    """

    vocabulary: Sequence[str]
    starts: Places
    passages: Ints
    counts: Ints
    lengths: Ints


def postings_of(passages: Iterable[Sequence[str]]) -> Postings:
    """Return the postings of tokenised passages, in order."""
    numbers: dict[str, int] = {}
    flat: list[NDArray[np.int64]] = []
    lengths: list[int] = []
    for tokens in passages:
        known = [numbers.setdefault(token, len(numbers)) for token in tokens]
        flat.append(np.array(known, dtype=np.int64))
        lengths.append(len(known))
    tokens_of = np.concatenate(flat) if flat else np.zeros(0, dtype=np.int64)
    places = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    ones = np.ones(len(tokens_of), dtype=np.int64)
    return _sorted(list(numbers), tokens_of, places, ones, np.array(lengths, dtype=np.int32))


def _sorted(
    names: Sequence[str], tokens: Places, passages: Places, counts: Places, lengths: Ints
) -> Postings:
    """Return postings of (token, passage, count) in any order, of tokens that are used."""
    used = np.unique(tokens)
    vocabulary = sorted(names[number] for number in used.tolist())
    place_of = {token: place for place, token in enumerate(vocabulary)}
    moved = np.zeros(len(names), dtype=np.int64)
    moved[used] = [place_of[names[number]] for number in used.tolist()]
    key = moved[tokens] * max(1, len(lengths)) + passages
    cells, where = np.unique(key, return_inverse=True)
    summed = np.bincount(where, weights=counts, minlength=len(cells))
    rows, columns = np.divmod(cells, max(1, len(lengths)))
    return Postings(
        vocabulary=vocabulary,
        starts=np.searchsorted(rows, np.arange(len(vocabulary) + 1)).astype(np.int64),
        passages=columns.astype(np.int32),
        counts=summed.astype(np.int32),
        lengths=lengths,
    )


def joined(parts: Sequence[tuple[Postings, Places]]) -> Postings:
    """Return the postings of passages from several sets.

    Args:
        parts: each set with the new number of each of its passages, -1 for those left out.
    """
    names: dict[str, int] = {}
    tokens, passages, counts = [], [], []
    n_passages = 1 + max((int(to.max(initial=-1)) for _, to in parts), default=-1)
    lengths = np.zeros(n_passages, dtype=np.int32)
    for postings, to in parts:
        numbers = np.array(
            [names.setdefault(token, len(names)) for token in postings.vocabulary], dtype=np.int64
        )
        here = to[postings.passages]
        kept = here >= 0
        tokens.append(np.repeat(numbers, np.diff(postings.starts))[kept])
        passages.append(here[kept])
        counts.append(postings.counts[kept].astype(np.int64))
        lengths[to[to >= 0]] = postings.lengths[to >= 0]
    if not parts:
        return postings_of(())
    return _sorted(
        list(names),
        np.concatenate(tokens),
        np.concatenate(passages),
        np.concatenate(counts),
        lengths,
    )


class Bm25:
    """BM25 scores of passages.

    With N passages, n of them with the token, count f in a passage of L tokens and mean length M,
    a token adds ln(1 + (N - n + 1/2) / (n + 1/2)) * f / (f + k1 * (1 - b + b * L / M)).
    """

    def __init__(self, postings: Postings, *, k1: float, b: float) -> None:
        self._numbers = {token: number for number, token in enumerate(postings.vocabulary)}
        self._starts = postings.starts
        self._passages = postings.passages
        self._n_passages = len(postings.lengths)
        self._weights = _weights(postings, k1=k1, b=b)

    def scores(self, tokens: Iterable[str]) -> Scores:
        """Return the score of every passage; a token that is asked twice counts twice."""
        found = np.zeros(self._n_passages, dtype=np.float32)
        for token, times in Counter(tokens).items():
            number = self._numbers.get(token)
            if number is not None:
                here = slice(self._starts[number], self._starts[number + 1])
                weights = self._weights[here]
                np.add.at(found, self._passages[here], weights if times == 1 else times * weights)
        return found

    @property
    def nbytes(self) -> int:
        """Bytes of its arrays."""
        return self._weights.nbytes + self._passages.nbytes + self._starts.nbytes


def _weights(postings: Postings, *, k1: float, b: float) -> Scores:
    n_passages = len(postings.lengths)
    if not n_passages:
        return np.zeros(0, dtype=np.float32)
    mean = max(float(postings.lengths.mean()), 1e-9)
    having = np.diff(postings.starts)
    idf = np.log1p((n_passages - having + 0.5) / (having + 0.5)).astype(np.float32)
    norm = (k1 * (1 - b + b * postings.lengths / mean)).astype(np.float32)
    counts = postings.counts.astype(np.float32)
    shares: Scores = np.repeat(idf, having) * counts / (counts + norm[postings.passages])
    return shares
