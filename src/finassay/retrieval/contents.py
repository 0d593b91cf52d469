"""What an index holds.  In: documents that came and went.  Out: tables and arrays, in one order.

Documents stand in order of their ids and chunks in order of documents, whatever the order in which
they came: an index that grew and one that was built at once are the same.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from finassay.errors import UsageError
from finassay.retrieval.chunking import chunks_of
from finassay.retrieval.embedders import Vectors
from finassay.retrieval.lexical import Postings, postings_of
from finassay.retrieval.records import Chunk, Document, IndexSettings
from finassay.retrieval.tokenising import tokeniser_named

DOCUMENTS = pl.Schema(
    [
        ("document_id", pl.String),
        ("title", pl.String),
        ("regulator", pl.String),
        ("regulation", pl.String),
        ("date", pl.Date),
        ("in_force_from", pl.Date),
        ("in_force_until", pl.Date),
        ("pages", pl.List(pl.Int64)),
        ("source", pl.String),
        ("fingerprint", pl.String),
        ("first_byte", pl.Int64),
        ("n_bytes", pl.Int64),
        ("n_characters", pl.Int64),
        ("first_chunk", pl.Int64),
        ("n_chunks", pl.Int64),
    ]
)
CHUNKS = pl.Schema(
    [
        ("document", pl.Int64),
        ("number", pl.Int64),
        ("start", pl.Int64),
        ("end", pl.Int64),
        ("first_byte", pl.Int64),
        ("n_bytes", pl.Int64),
        ("page", pl.Int64),
        ("last_page", pl.Int64),
        ("heading", pl.String),
        ("clause", pl.String),
        ("clauses", pl.List(pl.String)),
        ("embedded", pl.String),
    ]
)

Embed = Callable[[Mapping[str, str]], Mapping[str, NDArray[np.float32]]]
"""Returns the vectors of texts, both under the digests of the texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """Documents, chunks, postings and vectors of an index.

    Attributes:
        documents: one row each, in order of ids (`DOCUMENTS`).
        chunks: one row each (`CHUNKS`); `first_byte` counts from the start of `text`.
        text: clean texts of all documents in UTF-8, one behind the other.
        postings: how often every token stands in every chunk.
        vectors: one row for each chunk; None without an embedder.
    """

    documents: pl.DataFrame
    chunks: pl.DataFrame
    text: NDArray[np.uint8]
    postings: Postings
    vectors: Vectors | None

    def document(self, row: int) -> Document:
        """Return the document in a row."""
        found = self.documents.row(row, named=True)
        return described_document(found, self.slice(found["first_byte"], found["n_bytes"]))

    def chunk(self, row: int) -> Chunk:
        """Return the chunk in a row."""
        found = self.chunks.row(row, named=True)
        whose = self.documents.row(found["document"], named=True)
        return Chunk(
            document_id=whose["document_id"],
            number=found["number"],
            start=found["start"],
            end=found["end"],
            text=self.slice(found["first_byte"], found["n_bytes"]),
            page=found["page"],
            last_page=found["last_page"],
            heading=found["heading"],
            clause=found["clause"],
            clauses=tuple(found["clauses"]),
            title=whose["title"],
            regulator=whose["regulator"],
            regulation=whose["regulation"],
            date=whose["date"],
        )

    def slice(self, first_byte: int, n_bytes: int) -> str:
        """Return a part of the text."""
        return self.text[first_byte : first_byte + n_bytes].tobytes().decode("utf-8")


def empty_contents(*, dimensions: int | None) -> Contents:
    """Return the contents of an index without documents."""
    return Contents(
        documents=pl.DataFrame(schema=DOCUMENTS),
        chunks=pl.DataFrame(schema=CHUNKS),
        text=np.zeros(0, dtype=np.uint8),
        postings=postings_of(()),
        vectors=None if dimensions is None else np.zeros((0, dimensions), dtype=np.float32),
    )


def described_document(row: Mapping[str, Any], text: str = "") -> Document:
    """Return the document of a row of `DOCUMENTS`, with a text that stands elsewhere."""
    return Document(
        document_id=row["document_id"],
        text=text,
        title=row["title"],
        regulator=row["regulator"],
        regulation=row["regulation"],
        date=row["date"],
        in_force_from=row["in_force_from"],
        in_force_until=row["in_force_until"],
        pages=tuple(row["pages"]),
        source=row["source"],
    )


def fingerprint(document: Document) -> str:
    """Return 32 hex digits that follow from all that an index knows of a document."""
    told = [
        document.document_id,
        document.title,
        document.regulator,
        document.regulation,
        *(_iso(day) for day in (document.date, document.in_force_from, document.in_force_until)),
        list(document.pages),
        document.source,
        hashlib.sha256(document.text.encode()).hexdigest(),
    ]
    return text_digest(json.dumps(told, ensure_ascii=True))


def context_of(chunk: Chunk) -> str:
    """Return what a reader of the whole document would know at a chunk: titles and heading."""
    lines = dict.fromkeys((chunk.title, chunk.regulation, chunk.heading))
    return "\n".join(line for line in lines if line)


def searched_text(chunk: Chunk, settings: IndexSettings) -> str:
    """Return the text that stands for a chunk in every ranking."""
    context = context_of(chunk) if settings.context else ""
    return f"{context}\n{chunk.text}" if context else chunk.text


def contents_of(
    documents: Iterable[Document], settings: IndexSettings, embed: Embed | None
) -> Contents:
    """Return the contents of an index of these documents.

    Args:
        documents: with unique ids.
        settings: what the index is built with.
        embed: makes vectors; None for an index without.

    Raises:
        UsageError: two documents have one id, or a text is not Unicode.
    """
    tokeniser = tokeniser_named(settings.tokeniser)
    rows: list[dict[str, object]] = []
    chunks: list[dict[str, object]] = []
    texts: list[bytes] = []
    searched: dict[str, str] = {}

    def passages() -> Iterable[list[str]]:
        first_byte = 0
        for place, document in enumerate(in_order(documents)):
            encoded = _encoded(document)
            cut = chunks_of(document, settings.chunks)
            rows.append(_document_row(document, first_byte, len(encoded), len(chunks), len(cut)))
            for chunk, row in zip(cut, _chunk_rows(cut, document.text, first_byte), strict=True):
                text = searched_text(chunk, settings)
                key = text_digest(text)
                if embed is not None:
                    searched[key] = text
                chunks.append({**row, "document": place, "embedded": key})
                yield tokeniser.passage(text, chunk.clauses)
            texts.append(encoded)
            first_byte += len(encoded)

    postings = postings_of(passages())
    return Contents(
        documents=pl.DataFrame(rows, schema=DOCUMENTS),
        chunks=pl.DataFrame(chunks, schema=CHUNKS),
        text=np.frombuffer(b"".join(texts), dtype=np.uint8),
        postings=postings,
        vectors=None if embed is None else _stacked(embed(searched), chunks),
    )


def in_order(documents: Iterable[Document]) -> list[Document]:
    """Return documents in order of their ids.

    Raises:
        UsageError: two have one id.
    """
    ordered = sorted(documents, key=lambda document: document.document_id)
    for one, other in pairwise(ordered):
        if one.document_id == other.document_id:
            raise UsageError(
                f"two documents have the id {one.document_id!r} (read from {one.source!r} and "
                f"{other.source!r}); the id of a document must be unique in an index; rename one, "
                f"or add them from folders that tell them apart"
            )
    return ordered


def _encoded(document: Document) -> bytes:
    try:
        return document.text.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"the text of document {document.document_id!r} holds half a character at offset "
            f"{error.start}; expected Unicode text, got {document.text[error.start]!r}; replace it"
        ) from error


def _document_row(
    document: Document, first_byte: int, n_bytes: int, first_chunk: int, n_chunks: int
) -> dict[str, object]:
    return {
        "document_id": document.document_id,
        "title": document.title,
        "regulator": document.regulator,
        "regulation": document.regulation,
        "date": document.date,
        "in_force_from": document.in_force_from,
        "in_force_until": document.in_force_until,
        "pages": list(document.pages),
        "source": document.source,
        "fingerprint": fingerprint(document),
        "first_byte": first_byte,
        "n_bytes": n_bytes,
        "n_characters": len(document.text),
        "first_chunk": first_chunk,
        "n_chunks": n_chunks,
    }


def _chunk_rows(chunks: Sequence[Chunk], text: str, first_byte: int) -> Iterable[dict[str, object]]:
    """Yield the rows of a document's chunks, with byte offsets counted along the text once."""
    character, byte = 0, first_byte
    for chunk in chunks:
        byte += len(text[character : chunk.start].encode())
        character = chunk.start
        yield {
            "number": chunk.number,
            "start": chunk.start,
            "end": chunk.end,
            "first_byte": byte,
            "n_bytes": len(chunk.text.encode()),
            "page": chunk.page,
            "last_page": chunk.last_page,
            "heading": chunk.heading,
            "clause": chunk.clause,
            "clauses": list(chunk.clauses),
        }


def _stacked(
    vectors: Mapping[str, NDArray[np.float32]], chunks: Sequence[Mapping[str, object]]
) -> Vectors:
    rows = [vectors[str(chunk["embedded"])] for chunk in chunks]
    if rows:
        return np.stack(rows).astype(np.float32)
    return np.zeros((0, 0), dtype=np.float32)


def text_digest(text: str) -> str:
    """Return 32 hex digits of the SHA-256 of a text; vectors are kept under them."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _iso(day: dt.date | None) -> str:
    return "" if day is None else day.isoformat()


def contents_digest(contents: Contents, description: Mapping[str, object]) -> str:
    """Return 64 hex digits that follow from the documents and what the index is built with."""
    prints = contents.documents["fingerprint"].to_list()
    told = {"description": description, "documents": prints}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
