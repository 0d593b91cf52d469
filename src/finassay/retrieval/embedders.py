"""Embedding models.  In: texts.  Out: an array of vectors of length 1, one row for each text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """A model that turns texts into vectors; queries and passages may be asked for differently."""

    @property
    def embedder_id(self) -> str:
        """The name that stands in manifests, with everything that changes its vectors."""
        ...

    @property
    def weights(self) -> str:
        """First 16 hex digits of the SHA-256 of its weights."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages, one row each."""
        ...

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of queries, one row each."""
        ...


def embedder_named(name: str) -> Embedder | None:
    """Return the embedder of that name, or None for "none".

    Raises:
        UnknownNameError: there is none.
        MissingExtraError: its package is not installed.
    """
    raise NotImplementedError
