"""Contents of an index that changes.  In: old and fresh contents.  Out: both, in order of ids."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from finassay.retrieval.contents import CHUNKS, DOCUMENTS, Contents
from finassay.retrieval.embedders import Vectors
from finassay.retrieval.lexical import joined

Rows = NDArray[np.int64]


def merged(old: Contents, dropped: frozenset[str], fresh: Contents) -> Contents:
    """Return the old documents without those dropped, and the fresh ones.

    The same as the contents of all that are left, made at once.

    Args:
        old: what was there.
        dropped: ids of documents of `old` that go.
        fresh: documents with other ids than those that stay.
    """
    if not dropped and not fresh.documents.height:
        return old
    both = _both(old, dropped, fresh)
    documents = both.with_columns(
        first_byte=pl.col("n_bytes").cum_sum() - pl.col("n_bytes"),
        first_chunk=pl.col("n_chunks").cum_sum() - pl.col("n_chunks"),
    )
    rows = _rows(both, old.chunks.height)
    return Contents(
        documents=documents.select(DOCUMENTS.names()),
        chunks=_chunks(old, fresh, rows, both, documents),
        text=_text(old, fresh, both),
        postings=joined(
            [
                (old.postings, _moved(rows, 0, old.chunks.height)),
                (fresh.postings, _moved(rows, old.chunks.height, fresh.chunks.height)),
            ]
        ),
        vectors=_vectors(old.vectors, fresh.vectors, rows),
    )


def _both(old: Contents, dropped: frozenset[str], fresh: Contents) -> pl.DataFrame:
    """Return the documents that are left, where they stood, by id."""
    stays = ~pl.col("document_id").is_in(sorted(dropped))
    return pl.concat(
        [
            old.documents.filter(stays).with_columns(is_fresh=pl.lit(value=False)),
            fresh.documents.with_columns(is_fresh=pl.lit(value=True)),
        ]
    ).sort("document_id")


def _rows(both: pl.DataFrame, n_old: int) -> Rows:
    """Return where each chunk stood: its row among the old ones followed by the fresh ones."""
    n_chunks = both["n_chunks"].to_numpy()
    first = both["first_chunk"].to_numpy() + n_old * both["is_fresh"].to_numpy()
    inside = np.arange(n_chunks.sum()) - np.repeat(np.cumsum(n_chunks) - n_chunks, n_chunks)
    rows: Rows = np.repeat(first, n_chunks) + inside
    return rows


def _chunks(
    old: Contents, fresh: Contents, rows: Rows, both: pl.DataFrame, documents: pl.DataFrame
) -> pl.DataFrame:
    n_chunks = both["n_chunks"].to_numpy()
    moved = documents["first_byte"].to_numpy() - both["first_byte"].to_numpy()
    return (
        pl.concat([old.chunks, fresh.chunks])[rows]
        .with_columns(
            document=pl.Series(np.repeat(np.arange(both.height), n_chunks), dtype=pl.Int64),
            first_byte=pl.col("first_byte") + pl.Series(np.repeat(moved, n_chunks), dtype=pl.Int64),
        )
        .select(CHUNKS.names())
    )


def _text(old: Contents, fresh: Contents, both: pl.DataFrame) -> NDArray[np.uint8]:
    columns = both.select("is_fresh", "first_byte", "n_bytes").iter_rows()
    pieces = [
        (fresh if is_fresh else old).text[first : first + n] for is_fresh, first, n in columns
    ]
    return np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.uint8)


def _moved(rows: Rows, first: int, n: int) -> Rows:
    """Return the new number of each of `n` chunks that stood from `first` on, -1 for none."""
    moved = np.full(n, -1, dtype=np.int64)
    mine = np.flatnonzero((rows >= first) & (rows < first + n))
    moved[rows[mine] - first] = mine
    return moved


def _vectors(old: Vectors | None, fresh: Vectors | None, rows: Rows) -> Vectors | None:
    if old is None or fresh is None:
        return None
    vectors = np.zeros((len(rows), max(old.shape[1], fresh.shape[1])), dtype=np.float32)
    is_fresh = rows >= len(old)
    if len(old):
        vectors[~is_fresh] = old[rows[~is_fresh]]
    if len(fresh):
        vectors[is_fresh] = fresh[rows[is_fresh] - len(old)]
    return vectors
