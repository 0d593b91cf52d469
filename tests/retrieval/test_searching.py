"""A query finds the passages that hold what it names, among those that may be found."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Sequence

import numpy as np
import pytest

from finassay.errors import MissingExtraError, UnknownNameError, UsageError
from finassay.retrieval import Document, Filters, Hit, Index, IndexSettings, SearchSettings
from finassay.retrieval.embedders import Vectors
from retrieval_samples import ALL, DISCLOSURE, DIVIDENDS, FEES, HASHING, LEXICAL, many, unit

LEXICALLY = SearchSettings(mode="lexical")


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.chunk.document_id for hit in hits]


@pytest.fixture(scope="module")
def index() -> Index:
    return Index.of(ALL, HASHING)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Regulation 30(6)", DISCLOSURE),
        ("sub-regulation (6) of regulation 30", DISCLOSURE),
        ("SEBI/HO/CFD/2024/118", DISCLOSURE),
        ("CFD/2024/118", DISCLOSURE),
        ("Rs. 500 crore", FEES),
        ("₹5,00,00,00,000", FEES),
        ("Which share of its profit may a bank pay as dividend?", DIVIDENDS),
        ("late fee for brokers", FEES),
    ],
)
def test_the_passage_that_holds_what_is_asked_for_is_first(
    index: Index, query: str, found: Document
) -> None:
    for settings in (SearchSettings(), LEXICALLY):
        assert ids(index.search(query, settings=settings))[0] == found.document_id


def test_a_passage_where_a_provision_begins_is_before_one_that_cites_it(index: Index) -> None:
    hits = index.search("regulation 30(1)")
    assert ids(hits)[:2] == [DISCLOSURE.document_id, DIVIDENDS.document_id]


def test_a_hit_says_where_it_is_from_and_why_it_was_found(index: Index) -> None:
    first = index.search("Rs. 500 crore", k=1)[0]
    assert (first.rank, first.lexical_rank, first.identifier_rank) == (1, 1, 1)
    assert first.dense_rank is not None
    assert first.dense_score is not None
    assert first.chunk.text == FEES.text[first.chunk.start : first.chunk.end]
    assert (first.chunk.regulator, first.chunk.date) == ("SEBI", dt.date(2019, 5, 1))


def test_scores_fall_with_rank(index: Index) -> None:
    for query in ("Regulation 30(6)", "fee of a bank"):
        scores = [hit.score for hit in index.search(query, k=10)]
        assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (Filters(regulators=("rbi",)), {DIVIDENDS.document_id}),
        (Filters(documents=("fees.txt",)), {FEES.document_id}),
        (Filters(date_from=dt.date(2019, 5, 1)), {FEES.document_id, DIVIDENDS.document_id}),
        (Filters(date_until=dt.date(2019, 5, 1)), {FEES.document_id, DISCLOSURE.document_id}),
        (Filters(in_force_on=dt.date(2015, 11, 30)), set()),
        (Filters(in_force_on=dt.date(2015, 12, 1)), {DISCLOSURE.document_id}),
        (Filters(in_force_on=dt.date(2024, 3, 31)), {DISCLOSURE.document_id, FEES.document_id}),
        (Filters(in_force_on=dt.date(2024, 4, 1)), {FEES.document_id}),
        (Filters(regulators=("SEBI",), date_from=dt.date(2020, 1, 1)), set()),
    ],
)
def test_filters_leave_only_documents_that_pass(
    index: Index, filters: Filters, found: set[str]
) -> None:
    for mode in ("hybrid", "dense", "lexical"):
        settings = SearchSettings(mode=mode)  # type: ignore[arg-type]
        hits = index.search("fee disclosure dividend pay", k=10, filters=filters, settings=settings)
        assert set(ids(hits)) == found


def test_a_document_without_a_date_does_not_pass_a_filter_by_date() -> None:
    index = Index.of(many(3), LEXICAL)
    assert index.search("rule", filters=Filters(in_force_on=dt.date(2024, 1, 1))) == []
    assert index.search("rule", filters=Filters(date_from=dt.date(1900, 1, 1))) == []


def test_dates_that_leave_nothing_between_are_refused() -> None:
    with pytest.raises(UsageError, match="`date_from` 2024-01-02 is after"):
        Filters(date_from=dt.date(2024, 1, 2), date_until=dt.date(2024, 1, 1))


def test_a_blank_query_finds_nothing(index: Index) -> None:
    assert index.search(" \n") == []


def test_a_query_of_unknown_words_finds_nothing_by_bm25(index: Index) -> None:
    assert index.search("xyzzy", settings=LEXICALLY) == []


def test_a_query_of_a_million_characters_is_answered(index: Index) -> None:
    hits = index.search("late fee " * 100_000, settings=LEXICALLY)
    assert ids(hits)[0] == FEES.document_id


def test_more_hits_than_chunks_are_all_chunks(index: Index) -> None:
    hits = index.search("fee", k=10_000, settings=SearchSettings(mode="dense"))
    assert len(hits) == len(index) == 3


def test_k_below_one_is_refused(index: Index) -> None:
    with pytest.raises(UsageError, match="`k` must be at least 1, got 0"):
        index.search("fee", k=0)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [("mode", "sparse", "`mode` must be one of"), ("fusion_k", 0, "must be at least 1"),
     ("depth", 0, "must be at least 1"), ("identifiers", -1, r"must be in \[0, 100\]")],
)  # fmt: skip
def test_settings_of_a_search_out_of_range_are_refused(
    field: str, value: object, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        SearchSettings(**{field: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(("field", "value"), [("k1", -1.0), ("b", 1.5)])
def test_settings_of_an_index_out_of_range_are_refused(field: str, value: float) -> None:
    with pytest.raises(UsageError, match=f"`{field}` of BM25 must be in"):
        IndexSettings(**{field: value})  # type: ignore[arg-type]


def test_a_dense_search_without_embeddings_is_refused() -> None:
    index = Index.of(ALL, LEXICAL)
    assert index.search("fee")
    with pytest.raises(UsageError, match=r"no embeddings.*mode 'lexical'"):
        index.search("fee", settings=SearchSettings(mode="dense"))


def test_an_empty_index_finds_nothing() -> None:
    for settings in (HASHING, LEXICAL):
        empty = Index.of((), settings)
        assert (len(empty), empty.search("fee")) == (0, [])


def test_two_documents_with_one_id_are_refused() -> None:
    with pytest.raises(UsageError, match=r"two documents have the id 'fees.txt'"):
        Index.of((FEES, FEES), LEXICAL)


def test_half_a_character_is_refused_with_its_place() -> None:
    broken = Document(document_id="x", text="ab\ud800")
    with pytest.raises(UsageError, match="half a character at offset 2"):
        Index.of((broken,), LEXICAL)


def test_the_order_of_documents_changes_nothing() -> None:
    one, other = Index.of(ALL, HASHING), Index.of(ALL[::-1], HASHING)
    assert one.digest == other.digest
    assert one.chunks() == other.chunks()
    assert one.search("fee", k=3) == other.search("fee", k=3)


def test_a_digest_follows_from_texts_descriptions_and_settings() -> None:
    digests = {
        Index.of(ALL, HASHING).digest,
        Index.of(ALL, LEXICAL).digest,
        Index.of(ALL[1:], HASHING).digest,
        Index.of(ALL, IndexSettings(embedder="hashing", k1=1.2)).digest,
        Index.of(ALL, IndexSettings(embedder="hashing", tokeniser="plain")).digest,
    }
    assert len(digests) == 5


def test_titles_are_searched_with_every_chunk_unless_left_out() -> None:
    assert ids(Index.of(ALL, LEXICAL).search("listing")) == [DISCLOSURE.document_id]
    bare = IndexSettings(embedder="none", context=False)
    assert Index.of(ALL, bare).search("listing") == []


class Axes:
    """An embedder of two topics, in which BM25 and cosine disagree."""

    embedder_id, weights, dimensions = "axes", "0", 2

    def passages(self, texts: Sequence[str]) -> Vectors:
        return np.concatenate([unit(float("cat" in text), 0.1) for text in texts])

    def queries(self, texts: Sequence[str]) -> Vectors:
        return np.concatenate([unit(1.0, 0.0) for _ in texts])


def test_a_hybrid_search_joins_both_rankings() -> None:
    documents = [
        Document(document_id="a", text="The dog sleeps."),
        Document(document_id="b", text="The cat sleeps. It is a dog's friend, and more beside."),
        Document(document_id="c", text="A cat."),
    ]
    index = Index.of(documents, LEXICAL, embedder=Axes())
    found = {
        mode: ids(index.search("dog", settings=SearchSettings(mode=mode)))  # type: ignore[arg-type]
        for mode in ("lexical", "dense", "hybrid")
    }
    assert found["lexical"] == ["a", "b"]
    assert found["dense"] == ["b", "c", "a"]
    assert found["hybrid"] == ["b", "a", "c"]
    scores = [hit.score for hit in index.search("dog")]
    assert scores == pytest.approx([1 / 61 + 1 / 62, 1 / 61 + 1 / 63, 1 / 62])


def test_identifiers_can_be_left_out() -> None:
    off = SearchSettings(identifiers=0)
    hits = Index.of(ALL, HASHING).search("Regulation 30(6)", settings=off)
    assert {hit.identifier_rank for hit in hits} == {None}


def test_an_unknown_embedder_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UnknownNameError, match="no embedder 'bert'; choose 'multilingual-e5"):
        Index.of(ALL, IndexSettings(embedder="bert"))


def test_a_missing_package_is_named_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    settings = IndexSettings(embedder="sentence-transformers:some/model")
    with pytest.raises(MissingExtraError, match=r"finassay\[sentence-transformers\].*'none'"):
        Index.of(ALL, settings)
