"""Indexes on disk.  In: documents to add and remove.  Out: the next generation of an index."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from finassay.retrieval.embedders import Embedder
from finassay.retrieval.index import Progress
from finassay.retrieval.records import BuildReport, Document, IndexSettings


def update_index(
    path: Path,
    *,
    add: Iterable[Document] = (),
    remove: Collection[str] = (),
    settings: IndexSettings | None = None,
    only: bool = False,
    embedder: Embedder | None = None,
    progress: Progress | None = None,
) -> BuildReport:
    """Add, replace and remove documents of an index, which is made where there is none.

    Documents that are there with the same text and description cost nothing.  What was embedded
    before a build was stopped is not embedded again.

    Args:
        path: directory of the index.
        add: documents that are new, or take the place of one with the same id.
        remove: ids of documents to take out.
        settings: what the index is built with; None for those it has (or the default).
        only: whether documents that are not added are taken out.
        embedder: used instead of the one that the settings name.
        progress: told of every block of texts that was embedded.

    Raises:
        StaleIndexError: the index was built with other settings.
        DamagedIndexError: a file of it is missing or was changed.
        ConflictError: another process is building it.
    """
    raise NotImplementedError
