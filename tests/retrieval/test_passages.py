"""Passages joined to documents keep their places."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.retrieval.chunking import chunks_of
from finassay.retrieval.passages import Passage, chunks_at, joined
from finassay.retrieval.records import Chunk, ChunkSettings

TEXTS = st.text("ab 1.\n", min_size=1, max_size=8).filter(str.strip)
PASSAGES = st.lists(
    st.builds(Passage, document_id=st.sampled_from("xyz"), text=TEXTS), min_size=1, max_size=9
)


@settings(deadline=None)
@given(PASSAGES)
def test_every_passage_stands_unchanged_at_its_place(passages: list[Passage]) -> None:
    corpus = joined(passages)
    texts = {document.document_id: document.text for document in corpus.documents}
    assert len(corpus.places) == len(passages)
    for passage, place in zip(passages, corpus.places, strict=True):
        assert texts[place.document_id][place.start : place.end] == passage.text
    assert len(corpus.distinct) == len({passage.text for passage in passages})
    spans = sorted((one.document_id, one.start, one.end) for one in corpus.distinct)
    for (name, _, end), (other, start, _) in pairwise(spans):
        assert name != other or start >= end + 2


def test_identical_texts_count_for_the_document_named_first() -> None:
    corpus = joined(
        [
            Passage(document_id="b", text="Same."),
            Passage(document_id="a", text="Same."),
            Passage(document_id="a", text="Other.", regulation="R", regulator="RBI"),
        ]
    )
    assert [place.document_id for place in corpus.places] == ["b", "b", "a"]
    assert [(one.document_id, one.text) for one in corpus.documents] == [
        ("a", "Other."),
        ("b", "Same."),
    ]
    assert corpus.documents[0].regulation == "R"


def test_a_passage_within_another_is_counted() -> None:
    corpus = joined(
        [Passage(document_id="a", text="A fee is due."), Passage(document_id="b", text="fee is")]
    )
    assert corpus.n_contained == 1


def test_a_chunk_counts_for_what_it_overlaps() -> None:
    corpus = joined(
        [Passage(document_id="a", text="x" * 40), Passage(document_id="a", text="y" * 40)]
    )
    first, second = corpus.distinct
    whole = Chunk(document_id="a", number=0, start=0, end=82, text="")
    touching = Chunk(document_id="a", number=1, start=40, end=50, text="")
    elsewhere = Chunk(document_id="b", number=0, start=0, end=82, text="")
    chunks = [elsewhere, whole, touching]
    assert chunks_at(chunks, first) == [1]
    assert chunks_at(chunks, second) == [1, 2]
    assert chunks_at(chunks, second, share=0.5) == [1]
    assert chunks_at(chunks, second, share=0.2) == [1, 2]


@settings(deadline=None)
@given(st.lists(st.integers(5, 300), min_size=1, max_size=6))
def test_every_passage_is_in_some_chunk(lengths: list[int]) -> None:
    words = [f"w{number} " * (length // 3) + "end." for number, length in enumerate(lengths)]
    corpus = joined([Passage(document_id="d", text=text) for text in words])
    chunks = chunks_of(corpus.documents[0], ChunkSettings(size=200, overlap=20))
    assert all(chunks_at(chunks, place) for place in corpus.distinct)
