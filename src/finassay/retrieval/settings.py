"""Settings in a manifest.  In: settings and a model.  Out: what the manifest says, and back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from finassay.errors import DamagedIndexError, FinassayError
from finassay.retrieval.chunking import CHUNKER
from finassay.retrieval.embedders import NO_EMBEDDER, Embedder
from finassay.retrieval.records import ChunkSettings, IndexSettings
from finassay.retrieval.tokenising import tokeniser_named


def described(settings: IndexSettings, embedder: Embedder | None) -> dict[str, object]:
    """Return the names and versions of all that the contents of an index follow from."""
    return {
        "chunker": CHUNKER,
        "chunk size": settings.chunks.size,
        "chunk overlap": settings.chunks.overlap,
        "tokeniser": tokeniser_named(settings.tokeniser).name,
        "embedder": NO_EMBEDDER if embedder is None else embedder.embedder_id,
        "weights": "" if embedder is None else embedder.weights,
        "k1": settings.k1,
        "b": settings.b,
        "context": settings.context,
    }


def settings_from(read: Mapping[str, Any], path: Path) -> IndexSettings:
    """Return the settings that a manifest holds.

    Raises:
        DamagedIndexError: they are not settings of an index.
    """
    try:
        chunks = ChunkSettings(**read["chunks"])
        found = IndexSettings(**{**read, "chunks": chunks})
    except (KeyError, TypeError, FinassayError) as error:
        raise DamagedIndexError(
            f"{path}: the settings in the manifest cannot be read ({error}); build the index again "
            f"from its documents"
        ) from error
    return found
