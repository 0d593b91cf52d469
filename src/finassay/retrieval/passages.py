"""Documents made of passages.  In: passages with their documents.  Out: texts and places.

A benchmark that quotes its sources has passages, not documents.  Joined per document they make a
corpus that can be cut and searched, and every passage keeps its place in it, so that a chunk that
is found can be said to hold it or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from finassay.retrieval.records import Chunk, Document

BETWEEN = "\n\n"
"""What stands between two passages of a document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A text that a question was written from.

    Attributes:
        document_id: the document it is quoted from.
        text: the passage, unchanged.
        regulation: the regulation that the document is or belongs to; "" where not known.
        regulator: who issued the document; "" where not known.
    """

    document_id: str
    text: str
    regulation: str = ""
    regulator: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a passage stands.

    Attributes:
        document_id: the document.
        start: offset of its first character in the joined text.
        end: offset behind its last character.
    """

    document_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Joined documents, and the place of every passage that was given.

    Attributes:
        documents: in order of their ids.
        places: one for each passage given, in that order; passages of the same text share one.
    """

    documents: tuple[Document, ...]
    places: tuple[Place, ...]

    @property
    def distinct(self) -> tuple[Place, ...]:
        """The places without repeats, in order."""
        return tuple(dict.fromkeys(self.places))

    @property
    def n_contained(self) -> int:
        """How many distinct passages stand word for word in a longer one."""
        texts = {document.document_id: document.text for document in self.documents}
        said = [texts[one.document_id][one.start : one.end] for one in self.distinct]
        return sum(any(text in other for other in said if len(other) > len(text)) for text in said)


def joined(passages: Iterable[Passage]) -> Corpus:
    """Return the corpus of passages: per document, those that are new, one behind the other.

    A text that was given before, of the same document or another, is not repeated: it counts for
    the document that was named first.
    """
    given = list(passages)
    texts: dict[str, str] = {}
    first: dict[str, Passage] = {}
    regulations: dict[str, str] = {}
    at: dict[str, Place] = {}
    for one in given:
        first.setdefault(one.document_id, one)
        regulations[one.document_id] = regulations.get(one.document_id) or one.regulation
        if one.text in at:
            continue
        before = texts.get(one.document_id, "")
        lead = f"{before}{BETWEEN}" if before else ""
        texts[one.document_id] = lead + one.text
        at[one.text] = Place(
            document_id=one.document_id, start=len(lead), end=len(lead) + len(one.text)
        )
    return Corpus(
        documents=tuple(
            Document(
                document_id=name,
                text=texts[name],
                regulation=regulations[name],
                regulator=first[name].regulator,
            )
            for name in sorted(texts)
        ),
        places=tuple(at[one.text] for one in given),
    )


def chunks_at(chunks: Sequence[Chunk], place: Place, *, share: float = 0.0) -> list[int]:
    """Return the numbers of the chunks that count for a passage: those that overlap it.

    Args:
        chunks: in any order.
        place: where the passage stands.
        share: least share of the passage that a chunk must hold, in [0, 1]; 0 for any overlap.
    """
    length = place.end - place.start
    found = []
    for number, chunk in enumerate(chunks):
        if chunk.document_id == place.document_id:
            common = min(chunk.end, place.end) - max(chunk.start, place.start)
            if common > 0 and common >= share * length:
                found.append(number)
    return found
