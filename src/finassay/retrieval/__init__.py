"""Retrieval room: documents, cut into chunks, and the search in them."""

from finassay.retrieval.building import rebuild_index, update_index
from finassay.retrieval.documents import load_documents
from finassay.retrieval.embedders import Embedder, embedder_named
from finassay.retrieval.index import Index
from finassay.retrieval.records import (
    BuildReport,
    Chunk,
    ChunkSettings,
    Document,
    Filters,
    Hit,
    IndexSettings,
    Limits,
    Loaded,
    Problem,
    SearchMode,
    SearchSettings,
)
from finassay.retrieval.tokenising import tokens

__all__ = [
    "BuildReport",
    "Chunk",
    "ChunkSettings",
    "Document",
    "Embedder",
    "Filters",
    "Hit",
    "Index",
    "IndexSettings",
    "Limits",
    "Loaded",
    "Problem",
    "SearchMode",
    "SearchSettings",
    "embedder_named",
    "load_documents",
    "rebuild_index",
    "tokens",
    "update_index",
]
