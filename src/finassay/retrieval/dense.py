"""Nearest passages.  In: vectors of passages, the vector of a query.  Out: cosines, best first."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from finassay.retrieval.embedders import Vectors
from finassay.retrieval.fusion import Numbers, best

APPROXIMATE_FROM = 100_000
"""Vectors from which on a graph is built beside them, where usearch is installed."""


def nearest(
    vectors: Vectors, query: NDArray[np.float32], k: int, *, among: NDArray[np.bool_] | None = None
) -> tuple[Numbers, NDArray[np.float32]]:
    """Return the rows nearest to a query, best first, and their cosines; exact.

    Args:
        vectors: of length 1, one row each.
        query: of length 1.
        k: how many are wanted.
        among: rows that may be returned; None for all.
    """
    cosines = vectors @ query
    if among is not None:
        cosines = np.where(among, cosines, -np.inf)
    found = best(cosines, k)
    return found, cosines[found]


def graph_of(vectors: Vectors) -> Any | None:  # noqa: ANN401 - its package has no types
    """Return an HNSW graph of vectors, or None where usearch is not installed.

    Source: Malkov and Yashunin (2018), hierarchical navigable small world graphs.
    """
    index = _empty_graph(vectors.shape[1])
    if index is not None:
        index.add(np.arange(len(vectors)), vectors, threads=1)
    return index


def graph_from(path: str, dimensions: int) -> Any | None:  # noqa: ANN401 - as above
    """Return a graph from a file, or None where usearch is not installed."""
    index = _empty_graph(dimensions)
    if index is not None:
        index.view(path)
    return index


def nearest_in_graph(
    graph: Any,  # noqa: ANN401 - as above
    vectors: Vectors,
    query: NDArray[np.float32],
    k: int,
) -> tuple[Numbers, NDArray[np.float32]]:
    """Return what a graph finds nearest to a query, best first, with exact cosines."""
    found = np.sort(graph.search(query, k).keys.astype(np.intp))
    cosines = vectors[found] @ query
    order = best(cosines, k)
    return found[order], cosines[order]


def _empty_graph(dimensions: int) -> Any | None:  # noqa: ANN401 - as above
    try:
        from usearch.index import Index  # noqa: PLC0415 - an optional package
    except ImportError:
        return None
    return Index(ndim=dimensions, metric="ip", dtype="f32", expansion_search=256)
