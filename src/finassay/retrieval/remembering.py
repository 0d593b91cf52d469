"""An embedder that makes no vector twice.  In: an embedder.  Out: the same vectors, and times.

An ablation builds many indexes of the same texts and asks each the same questions.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from finassay.retrieval.contents import text_digest
from finassay.retrieval.embedders import Embedder, Vectors
from finassay.retrieval.embedding import Embedding


class Remembering:
    """Another embedder, with its vectors kept by the digest of each text."""

    def __init__(self, embedder: Embedder, *, folder: Path | None = None) -> None:
        """Keep where vectors come from.

        Args:
            embedder: makes those that are not known.
            folder: where vectors of passages are kept from one run to the next; None for nowhere.
        """
        self._embedder = embedder
        self._embedding = Embedding(embedder, folder=folder)
        self._passages: dict[str, NDArray[np.float32]] = {}
        self._queries: dict[str, NDArray[np.float32]] = {}
        self._seconds: dict[str, float] = {}

    @property
    def embedder_id(self) -> str:
        """The name of the embedder."""
        return self._embedder.embedder_id

    @property
    def weights(self) -> str:
        """First 16 hex digits of the SHA-256 of its weights."""
        return self._embedder.weights

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._embedder.dimensions

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages, one row each."""
        keys = [text_digest(text) for text in texts]
        missing = {
            key: text for key, text in zip(keys, texts, strict=True) if key not in self._passages
        }
        if missing:
            self._passages.update(self._embedding(missing))
        return _rows([self._passages[key] for key in keys], self.dimensions)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of queries, one row each; a new one is made by itself and timed."""
        for text in texts:
            if text not in self._queries:
                begun = time.perf_counter()
                self._queries[text] = self._embedder.queries([text])[0]
                self._seconds[text] = time.perf_counter() - begun
        return _rows([self._queries[text] for text in texts], self.dimensions)

    def seconds(self, query: str) -> float:
        """Return how long a query took to embed; 0.0 before it was asked for."""
        return self._seconds.get(query, 0.0)


def _rows(vectors: Sequence[NDArray[np.float32]], dimensions: int) -> Vectors:
    if not vectors:
        return np.zeros((0, dimensions), dtype=np.float32)
    stacked: Vectors = np.stack(vectors).astype(np.float32)
    return stacked
