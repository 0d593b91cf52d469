"""One query in the contents of an index.  In: rankings.  Out: rows, with their places in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from finassay.retrieval.fusion import best, fused_order, reciprocal_ranks
from finassay.retrieval.lexical import Bm25
from finassay.retrieval.records import Filters, SearchSettings
from finassay.retrieval.tokenising import Query

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Passages in order, with what they were ordered by.

    Attributes:
        rows: numbers of passages, best first.
        scores: their scores.
    """

    rows: Sequence[int] = ()
    scores: Sequence[float] = ()

    def places(self) -> Mapping[int, int]:
        """Return the rank of every passage, from 1."""
        return {row: rank for rank, row in enumerate(self.rows, start=1)}

    def values(self) -> Mapping[int, float]:
        """Return the score of every passage."""
        return dict(zip(self.rows, self.scores, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rankings:
    """All rankings of one query, and what came of them.

    Attributes:
        lexical: by BM25.
        dense: by cosine.
        identifiers: by BM25 over the identifiers alone.
        order: passages, best first.
        scores: what decided.
    """

    lexical: Ranking = field(default_factory=Ranking)
    dense: Ranking = field(default_factory=Ranking)
    identifiers: Ranking = field(default_factory=Ranking)
    order: Sequence[int] = ()
    scores: Mapping[int, float] = field(default_factory=dict)


def lexical_ranking(bm25: Bm25, tokens: Sequence[str], depth: int, among: Mask | None) -> Ranking:
    """Return the passages that hold any of these tokens, best first."""
    return _ranking(bm25.scores(tokens), depth, among)


def identifier_ranking(bm25: Bm25, query: Query, depth: int, among: Mask | None) -> Ranking:
    """Return the passages that hold identifiers of a query, best first.

    Those that hold the same are told apart by all its tokens, which hardly count beside.
    """
    if not query.identifiers:
        return Ranking()
    held = bm25.scores(query.identifiers)
    whole = bm25.scores(query.tokens)
    return _ranking(np.where(held > 0, held + whole / 1000, 0), depth, among)


def _ranking(scores: NDArray[np.floating], depth: int, among: Mask | None) -> Ranking:
    kept = scores > 0 if among is None else (scores > 0) & among
    ranked = np.where(kept, scores, -np.inf)
    rows = best(ranked, depth)
    return Ranking(rows=rows.tolist(), scores=scores[rows].tolist())


def combined(
    lexical: Ranking, dense: Ranking, identifiers: Ranking, query: Query, settings: SearchSettings
) -> Rankings:
    """Return the rankings of a query with the order that comes of them.

    Rankings are joined by reciprocal ranks.  Where a query is nothing but identifiers, passages
    that hold them come first, in that ranking's order: nearness of meaning says nothing there.
    """
    if settings.mode == "dense":
        order, scores = dense.rows, dense.values()
    elif settings.mode == "lexical" and not identifiers.rows:
        order, scores = lexical.rows, lexical.values()
    else:
        joined = [(lexical, 1.0), (identifiers, settings.identifiers)]
        joined += [(dense, 1.0)] if settings.mode == "hybrid" else []
        fused = dict(
            reciprocal_ranks(
                [ranking.rows for ranking, _ in joined],
                k=settings.fusion_k,
                weights=[weight for _, weight in joined],
            )
        )
        first = identifiers.rows if query.is_identifier else ()
        for rank, row in enumerate(first, start=1):
            fused[row] = 1 + 1 / (settings.fusion_k + rank)
        order, scores = fused_order(fused, first), fused
    return Rankings(
        lexical=lexical, dense=dense, identifiers=identifiers, order=order, scores=scores
    )


def mask_of(documents: pl.DataFrame, filters: Filters | None) -> Mask | None:
    """Return which documents pass the filters, or None where all do."""
    tests = [] if filters is None else _tests(filters)
    if not tests:
        return None
    passed = documents.select(pl.all_horizontal(tests).fill_null(value=False)).to_series()
    return passed.to_numpy().astype(np.bool_)


def _tests(filters: Filters) -> list[pl.Expr]:
    tests = []
    if filters.regulators:
        wanted = [name.strip().casefold() for name in filters.regulators]
        tests.append(pl.col("regulator").str.to_lowercase().is_in(wanted))
    if filters.documents:
        tests.append(pl.col("document_id").is_in(list(filters.documents)))
    if filters.date_from is not None:
        tests.append(pl.col("date") >= filters.date_from)
    if filters.date_until is not None:
        tests.append(pl.col("date") <= filters.date_until)
    if filters.in_force_on is not None:
        day = filters.in_force_on
        tests.append(pl.coalesce("in_force_from", "date") <= day)
        tests.append(pl.col("in_force_until").is_null() | (pl.col("in_force_until") >= day))
    return tests
