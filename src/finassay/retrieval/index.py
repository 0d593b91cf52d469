"""Search in an index of documents.  In: a query.  Out: the best chunks, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from finassay.retrieval.embedders import Embedder
from finassay.retrieval.records import (
    Chunk,
    Document,
    Filters,
    Hit,
    IndexSettings,
    SearchSettings,
)

Progress = Callable[[int, int], None]
"""Called with how many texts are embedded, and of how many."""


class Index:
    """Documents, cut and ready to be searched.  Made by `Index.of` or `Index.open`."""

    @classmethod
    def of(
        cls,
        documents: Iterable[Document],
        settings: IndexSettings | None = None,
        *,
        embedder: Embedder | None = None,
        progress: Progress | None = None,
    ) -> Index:
        """Return an index of documents, in memory.

        Args:
            documents: with unique ids.
            settings: what it is built with.
            embedder: used instead of the one that the settings name.
            progress: told of every block of texts that was embedded.
        """
        raise NotImplementedError

    @classmethod
    def open(cls, path: Path, *, embedder: Embedder | None = None) -> Index:
        """Return the index in a directory, as it is now; later builds do not change it.

        Raises:
            NoIndexError: there is none.
            StaleIndexError: it was written by another version, or with another embedding model.
            DamagedIndexError: a file of it is missing or was changed.
        """
        raise NotImplementedError

    @property
    def settings(self) -> IndexSettings:
        """What it was built with."""
        raise NotImplementedError

    @property
    def digest(self) -> str:
        """64 hex digits that follow from documents and settings alone."""
        raise NotImplementedError

    @property
    def size_bytes(self) -> int:
        """Bytes of its files, or of its arrays and text in memory."""
        raise NotImplementedError

    def __len__(self) -> int:
        """Return the number of chunks."""
        raise NotImplementedError

    @property
    def documents(self) -> Sequence[Document]:
        """Its documents, in order of their ids."""
        raise NotImplementedError

    def chunks(self) -> Sequence[Chunk]:
        """Return all chunks, in order of documents and places."""
        raise NotImplementedError

    def search(
        self,
        query: str,
        *,
        k: int = 5,
        filters: Filters | None = None,
        settings: SearchSettings | None = None,
    ) -> list[Hit]:
        """Return the best chunks, best first; fewer than `k` where fewer can be searched.

        Args:
            query: the question, or an identifier; a blank one finds nothing.
            k: how many are wanted.
            filters: which documents are searched.
            settings: how the rankings are made and joined.

        Raises:
            UsageError: `k` is less than 1, or a dense search in an index without embeddings.
        """
        raise NotImplementedError
