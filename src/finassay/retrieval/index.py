"""Search in an index of documents.  In: a query.  Out: the best chunks, in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from finassay.errors import DamagedIndexError, MissingExtraError, UnknownNameError, UsageError
from finassay.retrieval.building import refuse_stale
from finassay.retrieval.contents import Contents, contents_digest, contents_of
from finassay.retrieval.dense import graph_from, nearest, nearest_in_graph
from finassay.retrieval.embedders import Embedder, embedder_named
from finassay.retrieval.embedding import Embedding, Progress
from finassay.retrieval.lexical import Bm25
from finassay.retrieval.records import (
    Chunk,
    Document,
    Filters,
    Hit,
    IndexSettings,
    SearchSettings,
)
from finassay.retrieval.searching import (
    Mask,
    Ranking,
    Rankings,
    combined,
    identifier_ranking,
    lexical_ranking,
    mask_of,
)
from finassay.retrieval.settings import described, settings_from
from finassay.retrieval.storage import (
    GENERATIONS,
    GRAPH,
    Manifest,
    read_contents,
    read_manifest,
)
from finassay.retrieval.tokenising import tokeniser_named


class Index:
    """Documents, cut and ready to be searched.  Made by `Index.of` or `Index.open`."""

    def __init__(
        self,
        contents: Contents,
        settings: IndexSettings,
        embedder: Embedder | None,
        *,
        graph: Any | None = None,  # noqa: ANN401 - its package has no types
        size_bytes: int | None = None,
    ) -> None:
        self._contents = contents
        self._settings = settings
        self._embedder = embedder
        self._graph = graph
        self._size_bytes = size_bytes
        self._digest = ""
        self._missing: MissingExtraError | None = None
        self._tokeniser = tokeniser_named(settings.tokeniser)

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

        Raises:
            UsageError: two documents have one id.
            MissingExtraError: the package of the embedder is not installed.
        """
        settings = settings or IndexSettings()
        model = embedder or embedder_named(settings.embedder)
        embed = None if model is None else Embedding(model, progress=progress)
        return cls(contents_of(documents, settings, embed), settings, model)

    @classmethod
    def open(cls, path: Path, *, embedder: Embedder | None = None, verify: bool = True) -> Index:
        """Return the index in a directory, as it is now; later builds do not change it.

        Where the package of its embedder is not installed, it can be searched by BM25 alone.

        Args:
            path: the directory.
            embedder: used instead of the one that the index names, whose vectors it must make.
            verify: whether the digest of every file is checked, or its size alone.

        Raises:
            NoIndexError: there is none.
            StaleIndexError: it was written by another version, or with another embedding model.
            DamagedIndexError: a file of it is missing or was changed.
        """
        manifest, contents = _read(path, verify=verify)
        settings = settings_from(manifest.settings, path)
        missing: MissingExtraError | None = None
        model: Embedder | None = None
        try:
            model = embedder or embedder_named(settings.embedder)
            refuse_stale(path, manifest.description, described(settings, model))
        except MissingExtraError as error:
            model, missing = None, error
        graph = None
        if GRAPH in manifest.files and contents.vectors is not None:
            file = path / GENERATIONS / manifest.generation / GRAPH
            graph = graph_from(str(file), contents.vectors.shape[1])
        index = cls(contents, settings, model, graph=graph, size_bytes=manifest.size_bytes)
        index._missing = missing
        index._digest = manifest.digest
        return index

    @property
    def settings(self) -> IndexSettings:
        """What it was built with."""
        return self._settings

    @property
    def digest(self) -> str:
        """64 hex digits that follow from documents, settings and model alone."""
        if self._digest:
            return self._digest
        return contents_digest(self._contents, described(self._settings, self._embedder))

    @property
    def size_bytes(self) -> int:
        """Bytes of its files, or of its arrays and text in memory."""
        if self._size_bytes is not None:
            return self._size_bytes
        contents = self._contents
        vectors = 0 if contents.vectors is None else contents.vectors.nbytes
        tables = contents.documents.estimated_size() + contents.chunks.estimated_size()
        return int(contents.text.nbytes + vectors + tables) + self._bm25.nbytes

    def __len__(self) -> int:
        """Return the number of chunks."""
        return self._contents.chunks.height

    @cached_property
    def documents(self) -> Sequence[Document]:
        """Its documents, in order of their ids."""
        return [self._contents.document(row) for row in range(self._contents.documents.height)]

    @cached_property
    def regulators(self) -> tuple[str, ...]:
        """Who issued its documents, sorted; without documents of which that is not known."""
        return tuple(sorted(set(self._contents.documents["regulator"]) - {"", None}))

    def require_regulators(self, filters: Filters) -> None:
        """Check that every regulator of a filter issued a document of the index.

        Raises:
            UnknownNameError: one did not; the message says which there are.
        """
        known = {name.casefold() for name in self.regulators}
        for name in filters.regulators:
            if name.strip().casefold() not in known:
                told = "expected one of " + ", ".join(self.regulators)
                none = "nothing says who issued its documents: build it with --metadata"
                raise UnknownNameError(
                    f"no document of the index was issued by {name!r}; "
                    f"{told if self.regulators else none}"
                )

    def chunks(self) -> Sequence[Chunk]:
        """Return all chunks, in order of documents and places."""
        return [self._contents.chunk(row) for row in range(len(self))]

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
        if k < 1:
            raise UsageError(f"`k` must be at least 1, got {k!r}")
        if not query.strip() or not len(self):
            return []
        settings = settings or SearchSettings()
        rankings = self._rankings(query, max(k, settings.depth), filters, settings)
        rows = rankings.order[:k]
        return _hits([self._contents.chunk(row) for row in rows], rows, rankings)

    def _rankings(
        self, text: str, depth: int, filters: Filters | None, settings: SearchSettings
    ) -> Rankings:
        among = self._among(filters)
        query = self._tokeniser.query(text)
        lexical = identifiers = dense = Ranking()
        if settings.mode != "dense":
            lexical = lexical_ranking(self._bm25, query.tokens, depth, among)
            if settings.identifiers:
                identifiers = identifier_ranking(self._bm25, query, depth, among)
        if settings.mode != "lexical":
            dense = self._dense(text, depth, among, is_asked=settings.mode == "dense")
        return combined(lexical, dense, identifiers, query, settings)

    def _among(self, filters: Filters | None) -> Mask | None:
        """Return which chunks may be found, or None for all."""
        documents = mask_of(self._contents.documents, filters)
        if documents is None:
            return None
        among: Mask = documents[self._contents.chunks["document"].to_numpy()]
        return among

    def _dense(self, text: str, depth: int, among: Mask | None, *, is_asked: bool) -> Ranking:
        if self._missing is not None:
            raise MissingExtraError(
                f"{self._missing}; or search with mode 'lexical'"
            ) from self._missing
        vectors = self._contents.vectors
        if vectors is None or self._embedder is None:
            if is_asked:
                raise UsageError(
                    "this index has no embeddings, so it cannot be searched by them; search with "
                    "mode 'lexical', or build it with an embedder"
                )
            return Ranking()
        query = self._embedder.queries([text])[0]
        if among is None and self._graph is not None:
            rows, cosines = nearest_in_graph(self._graph, vectors, query, depth)
        else:
            rows, cosines = nearest(vectors, query, depth, among=among)
        return Ranking(rows=rows.tolist(), scores=cosines.tolist())

    @cached_property
    def _bm25(self) -> Bm25:
        return Bm25(self._contents.postings, k1=self._settings.k1, b=self._settings.b)


def _read(path: Path, *, verify: bool) -> tuple[Manifest, Contents]:
    """Return the generation that is current; one that was swept away meanwhile is left."""
    while True:
        manifest = read_manifest(path)
        try:
            return manifest, read_contents(path, manifest, verify=verify)
        except DamagedIndexError:
            if read_manifest(path).generation == manifest.generation:
                raise


def _hits(chunks: Sequence[Chunk], rows: Sequence[int], rankings: Rankings) -> list[Hit]:
    lexical, dense = rankings.lexical.places(), rankings.dense.places()
    identifiers = rankings.identifiers.places()
    by_bm25, cosines = rankings.lexical.values(), rankings.dense.values()
    return [
        Hit(
            rank=rank,
            score=rankings.scores[row],
            chunk=chunk,
            lexical_rank=lexical.get(row),
            dense_rank=dense.get(row),
            identifier_rank=identifiers.get(row),
            lexical_score=by_bm25.get(row),
            dense_score=cosines.get(row),
        )
        for rank, (row, chunk) in enumerate(zip(rows, chunks, strict=True), start=1)
    ]
