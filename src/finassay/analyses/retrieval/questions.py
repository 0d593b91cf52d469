"""Questions about passages.  In: items.  Out: those that can be asked, and the corpus they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from finassay.analyses.retrieval.results import RetrievalCorpus
from finassay.errors import UsageError
from finassay.records import Item
from finassay.retrieval import Chunk
from finassay.retrieval.passages import Corpus, Passage, Place, chunks_at, joined


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Questions, and the corpus that their passages make.

    Attributes:
        items: those with a question and a passage.
        corpus: the passages, joined per document.
        wanted: the distinct places of each item's passages.
        corpus_facts: what was joined.
        warnings: what a reader must know.
    """

    items: tuple[Item, ...]
    corpus: Corpus
    wanted: tuple[tuple[Place, ...], ...]
    corpus_facts: RetrievalCorpus
    warnings: tuple[str, ...]

    def passages_a_chunk(self, chunks: Sequence[Chunk]) -> float:
        """Return the mean number of distinct passages that a chunk counts for."""
        share = self.corpus_facts.overlap
        pairs = sum(len(chunks_at(chunks, one, share=share)) for one in self.corpus.distinct)
        return pairs / len(chunks)


def asked_of(items: Sequence[Item], *, overlap: float = 0.0) -> Asked:
    """Return the questions of items that have passages, and the corpus of these.

    A passage belongs to the document of the same place in the item's list; an item with fewer
    documents than passages gives all to its first, and one without any makes its own.

    Raises:
        UsageError: no item has a question and a passage.
    """
    able = [item for item in items if item.question.strip() and _texts(item)]
    if not able:
        raise UsageError(
            f"none of {len(items)} items has a question and a passage; retrieval is measured by "
            f"finding the passages (`context` or `contexts`) that questions were made from"
            "; give the items passages, or name other ones"
        )
    passages = [passage for item in able for passage in passages_of(item)]
    corpus = joined(passages)
    places = iter(corpus.places)
    wanted = tuple(tuple(dict.fromkeys(next(places) for _ in _texts(item))) for item in able)
    lengths = [one.end - one.start for one in corpus.distinct]
    left = len(items) - len(able)
    return Asked(
        items=tuple(able),
        corpus=corpus,
        wanted=wanted,
        corpus_facts=RetrievalCorpus(
            n_items=len(items),
            n_questions=len(able),
            n_passages=len(passages),
            n_distinct=len(lengths),
            n_contained=corpus.n_contained,
            n_documents=len(corpus.documents),
            n_characters=sum(len(document.text) for document in corpus.documents),
            median_passage=float(median(lengths)),
            longest_passage=max(lengths),
            overlap=overlap,
        ),
        warnings=(f"{left} items have no question or no passage and are left out",) if left else (),
    )


def passages_of(item: Item) -> list[Passage]:
    """Return the passages of an item, each with its document and what is known of it."""
    texts, strata = _texts(item), dict(item.strata)
    ends = ("",) if len(texts) == 1 else ("_a", "_b")
    found = []
    for number, text in enumerate(texts):
        end = ends[number] if number < len(ends) else ""
        found.append(
            Passage(
                document_id=_document(item, number, len(texts)),
                text=text,
                regulation=strata.get(f"regulation{end}", strata.get("regulation", "")),
                regulator=strata.get("source", ""),
            )
        )
    return found


def _texts(item: Item) -> list[str]:
    given = item.contexts or (item.context,)
    return [text for text in given if text.strip()]


def _document(item: Item, number: int, n_texts: int) -> str:
    if not item.documents:
        return f"item/{item.item_id}"
    return item.documents[number if len(item.documents) == n_texts else 0]
