"""The nouns of retrieval: documents, chunks, settings, filters, hits and problems."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from finassay.errors import UsageError

SearchMode: TypeAlias = Literal["hybrid", "dense", "lexical"]
SEARCH_MODES: tuple[SearchMode, ...] = get_args(SearchMode)

MOST_CHUNK = 100_000
"""Largest size of a chunk, in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One text of law or guidance, clean, with what is known of it.

    Attributes:
        document_id: unique in an index; the path below the folder it was read from.
        text: the clean text; every offset counts its characters from 0.
        title: what it is called; "" where that is not known.
        regulator: who issued it ("SEBI"); "" where that is not known.
        regulation: the regulation that it is or belongs to; "" where that is not known.
        date: when it was issued.
        in_force_from: first day on which it is in force; None where that is not known.
        in_force_until: last day on which it is in force; None while it is, or where not known.
        pages: offset at which each page begins, the first being 0; empty for a text without pages.
        source: where it was read.
    """

    document_id: str
    text: str
    title: str = ""
    regulator: str = ""
    regulation: str = ""
    date: dt.date | None = None
    in_force_from: dt.date | None = None
    in_force_until: dt.date | None = None
    pages: tuple[int, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A passage of a document, with everything that a citation of it needs.

    Attributes:
        document_id: the document it is of.
        number: its place among the chunks of the document, from 0.
        start: offset of its first character in the clean text of the document.
        end: offset behind its last character, so that `text == document.text[start:end]`.
        text: the passage.
        page: page on which it starts, from 1; None for a text without pages.
        last_page: page on which it ends.
        heading: the heading that it stands under ("CHAPTER IV OBLIGATIONS").
        clause: provision that is open where it starts ("regulation 30(6)"), "" outside of any.
        clauses: provisions that begin in it, in order.
        title: title of the document.
        regulator: who issued the document.
        regulation: the regulation that the document is or belongs to.
        date: when the document was issued.
    """

    document_id: str
    number: int
    start: int
    end: int
    text: str
    page: int | None = None
    last_page: int | None = None
    heading: str = ""
    clause: str = ""
    clauses: tuple[str, ...] = ()
    title: str = ""
    regulator: str = ""
    regulation: str = ""
    date: dt.date | None = None

    @property
    def chunk_id(self) -> str:
        """Return the name of the passage: its document and its span."""
        return f"{self.document_id}#{self.start}-{self.end}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkSettings:
    """How documents are cut.

    Attributes:
        size: most characters of a chunk, 80 to 100,000.
        overlap: most characters that a chunk repeats of the one before, at most half of `size`.
    """

    size: int = 1600
    overlap: int = 200

    def __post_init__(self) -> None:
        if not 80 <= self.size <= MOST_CHUNK:
            raise UsageError(
                f"`size` of a chunk must be 80 to {MOST_CHUNK} characters, got {self.size!r}"
            )
        if not 0 <= self.overlap <= self.size // 2:
            raise UsageError(
                f"`overlap` must be 0 to {self.size // 2}, half of the size of a chunk, got "
                f"{self.overlap!r}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexSettings:
    """What an index is built with; another value makes another index.

    Attributes:
        chunks: how documents are cut.
        tokeniser: "identifiers" or "plain".
        embedder: name of the embedding model, "hashing", or "none" for BM25 alone.
        k1: saturation of term frequency in BM25, 0 to 10.
        b: share of the length normalisation in BM25, 0 to 1.
        context: whether title, regulation and heading are searched with every chunk.
    """

    chunks: ChunkSettings = field(default_factory=ChunkSettings)
    tokeniser: str = "identifiers"
    embedder: str = "multilingual-e5-small-q4"
    k1: float = 1.5
    b: float = 0.75
    context: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.k1 <= 10:
            raise UsageError(f"`k1` of BM25 must be in [0, 10], got {self.k1!r}")
        if not 0 <= self.b <= 1:
            raise UsageError(f"`b` of BM25 must be in [0, 1], got {self.b!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """How the rankings of a query are made and joined.

    Attributes:
        mode: both rankings joined, or one of them.
        fusion_k: constant of reciprocal rank fusion, at least 1.
        depth: how many chunks of each ranking are joined, at least 1.
        identifiers: weight of the ranking by exact identifiers, 0 to leave it out.
    """

    mode: SearchMode = "hybrid"
    fusion_k: int = 60
    depth: int = 100
    identifiers: float = 1.0

    def __post_init__(self) -> None:
        if self.mode not in SEARCH_MODES:
            raise UsageError(f"`mode` must be one of {SEARCH_MODES}, got {self.mode!r}")
        if self.fusion_k < 1 or self.depth < 1:
            raise UsageError(
                f"`fusion_k` and `depth` must be at least 1, got {self.fusion_k!r} and "
                f"{self.depth!r}"
            )
        if not 0 <= self.identifiers <= 100:
            raise UsageError(f"`identifiers` must be in [0, 100], got {self.identifiers!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which documents are searched; every filter that is set must hold.

    A document without the date that a filter asks for is left out.

    Attributes:
        regulators: issued by one of these, letter case aside; empty for all.
        documents: ids of documents; empty for all.
        date_from: issued on this day or later.
        date_until: issued on this day or earlier.
        in_force_on: in force on this day: from its first day (the date of issue where no other is
            known) to its last.
    """

    regulators: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    date_from: dt.date | None = None
    date_until: dt.date | None = None
    in_force_on: dt.date | None = None

    def __post_init__(self) -> None:
        if self.date_from and self.date_until and self.date_from > self.date_until:
            raise UsageError(
                f"`date_from` {self.date_from} is after `date_until` {self.date_until}; no "
                f"document can be between"
                "; swap them"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A chunk that was found, with its place in every ranking that was joined.

    Attributes:
        rank: its place, from 1.
        score: what the places were decided by: the fused score, or the score of the only ranking.
        chunk: the passage.
        lexical_rank: its place by BM25; None where it was not among those joined.
        dense_rank: its place by embedding.
        identifier_rank: its place by exact identifiers.
        lexical_score: BM25 score, where ranked.
        dense_score: cosine, where ranked.
    """

    rank: int
    score: float
    chunk: Chunk
    lexical_rank: int | None = None
    dense_rank: int | None = None
    identifier_rank: int | None = None
    lexical_score: float | None = None
    dense_score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one file may cost; a file that needs more is a problem, not a crash.

    Attributes:
        file_bytes: largest file that is opened.
        characters: longest text of one document.
        pdf_seconds: longest time for one PDF.
        pdf_memory: most bytes of memory for reading one PDF.
    """

    file_bytes: int = 64 * 2**20
    characters: int = 20_000_000
    pdf_seconds: float = 300.0
    pdf_memory: int = 2 * 2**30


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What is wrong with a file, or with what is said of it.

    Attributes:
        where: the file, with the page or row where that is known.
        what: what is wrong.
        expected: what would have been right.
        got: what was found.
        advice: what to do.
        is_loaded: whether the document was loaded nevertheless.
    """

    where: str
    what: str
    expected: str
    got: str
    advice: str
    is_loaded: bool = False

    def __str__(self) -> str:
        kept = " (loaded nevertheless)" if self.is_loaded else ""
        return (
            f"{self.where}: {self.what}{kept}; expected {self.expected}, got {self.got}; "
            f"{self.advice}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """Documents that were read, and what was wrong with the rest.

    Attributes:
        documents: in order of their ids.
        problems: in order of the files.
        described: ids of the documents that a side table has a row for.
    """

    documents: tuple[Document, ...]
    problems: tuple[Problem, ...] = ()
    described: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """What an update of an index did.

    Attributes:
        n_documents: documents in the index now.
        n_chunks: chunks in the index now.
        added: ids of documents that were new.
        replaced: ids of documents whose text or description changed.
        removed: ids of documents that were taken out.
        n_unchanged: documents that stayed as they were.
        n_embedded: texts that were embedded for it.
        digest: digest of the index now.
    """

    n_documents: int
    n_chunks: int
    added: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    n_unchanged: int = 0
    n_embedded: int = 0
    digest: str = ""
