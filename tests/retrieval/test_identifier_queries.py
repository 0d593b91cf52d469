"""Fifty identifiers find the passage that holds them, before passages that hold nearly the same.

The queries and passages are made up: provisions, circular numbers, amounts, dates and shares as
people write them, each with near misses ("regulation 31(6)" beside "regulation 30(6)").
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from finassay.retrieval import Document, Index, IndexSettings, SearchSettings

CASES = [
    json.loads(line)
    for line in Path(__file__)
    .with_name("identifier_queries.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
WANTED = {case["query"]: case["passage"] for case in CASES}


def _documents() -> list[Document]:
    passages = [text for case in CASES for text in (case["passage"], *case["distractors"])]
    return [Document(document_id=f"{number:03}", text=text) for number, text in enumerate(passages)]


@pytest.fixture(scope="module")
def hashed() -> Index:
    return Index.of(_documents(), IndexSettings(embedder="hashing"))


def _missed(index: Index, settings: SearchSettings | None = None) -> list[str]:
    return [
        query
        for query, passage in WANTED.items()
        if [hit.chunk.text for hit in index.search(query, k=1, settings=settings)] != [passage]
    ]


def test_there_are_fifty_queries_with_near_misses() -> None:
    assert len(WANTED) == 50
    assert all(case["distractors"] for case in CASES)


def test_each_is_first_whatever_the_embedding_says(hashed: Index) -> None:
    assert _missed(hashed) == []


def test_each_is_first_without_embeddings() -> None:
    assert _missed(Index.of(_documents(), IndexSettings(embedder="none"))) == []


def test_words_alone_miss_a_circular_number() -> None:
    plain = Index.of(_documents(), IndexSettings(embedder="none", tokeniser="plain"))
    missed = _missed(plain, SearchSettings(mode="lexical", identifiers=0))
    assert "DBR.No.BP.BC.18/21.04.048/2018-19" in missed


@pytest.mark.full
def test_each_is_first_with_the_default_configuration() -> None:
    assert _missed(Index.of(_documents())) == []
