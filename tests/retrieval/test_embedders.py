"""Embedders make vectors of length 1, and tell queries and passages apart as their model asks."""

from __future__ import annotations

import hashlib
import sys
import types
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from finassay.errors import MissingExtraError, UnknownNameError
from finassay.retrieval import IndexSettings, embedder_named, update_index
from finassay.retrieval.embedders import Hashing, sentence_transformer
from finassay.retrieval.embedding import Embedding
from retrieval_samples import FEES, Counting

E5 = embedder_named("multilingual-e5-small-q4")


def test_the_default_model_ranks_by_meaning_across_languages() -> None:
    assert E5 is not None
    query = E5.queries(["How much must a bank hold as capital?"])[0]
    passages = E5.passages(
        ["Banks shall hold 9 per cent capital.", "बैंक को पूंजी रखनी होगी", "A poem."]
    )
    cosines = passages @ query
    assert cosines[2] < min(cosines[0], cosines[1])
    assert np.linalg.norm(passages, axis=1) == pytest.approx(1, abs=1e-4)
    assert passages.shape == (3, E5.dimensions)


def test_the_default_model_tells_queries_and_passages_apart() -> None:
    assert E5 is not None
    assert not np.allclose(E5.queries(["capital"]), E5.passages(["capital"]))


def test_the_default_model_names_its_weights() -> None:
    assert E5 is not None
    assert (E5.embedder_id, E5.weights) == ("multilingual-e5-small-q4", "1571fc9827503943")


def test_the_default_model_takes_texts_that_no_engine_likes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert E5 is not None
    monkeypatch.setattr("finassay.retrieval.embedders.LONGEST", 20)
    found = E5.passages(["", "a\x00b", "\ud800", "x" * 20, "x" * 30_000])
    assert np.isfinite(found).all()
    assert found[3].tolist() == found[4].tolist()


def test_hashed_texts_are_near_where_they_share_words() -> None:
    embedder = Hashing()
    one, other, third = embedder.passages(["late fee of brokers", "fee of brokers", "a dividend"])
    assert one @ other > 0.7 > abs(one @ third)
    assert embedder.passages(["", "the"]).tolist() == np.zeros((2, 256)).tolist()


def test_a_hashed_word_stands_where_its_digest_says() -> None:
    number = int.from_bytes(hashlib.blake2b(b"fee", digest_size=8).digest())
    expected = [0.0] * 8
    expected[(number // 2) % 8] = 1.0 if number % 2 else -1.0
    assert Hashing(dimensions=8).passages(["fee"])[0].tolist() == expected


@pytest.mark.parametrize("name", ["", "bert", "sentence-transformers:", "None"])
def test_an_unknown_name_is_refused(name: str) -> None:
    with pytest.raises(UnknownNameError, match=f"no embedder '{name}'"):
        embedder_named(name)


def test_none_is_no_embedder() -> None:
    assert embedder_named("none") is None


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ("intfloat/multilingual-e5-base", "query: ", "passage: "),
        ("BAAI/bge-base-en-v1.5", "Represent this sentence for searching relevant passages: ", ""),
        ("nomic-ai/nomic-embed-text-v1.5", "search_query: ", "search_document: "),
        ("sentence-transformers/all-MiniLM-L6-v2", "", ""),
    ],
)
def test_prefixes_follow_the_family_of_a_model(model: str, query: str, passage: str) -> None:
    made = sentence_transformer(model)
    assert (made.query_prefix, made.passage_prefix) == (query, passage)
    assert made.embedder_id == f"sentence-transformers:{model}|{query}|{passage}"


class Tensor:
    def __init__(self, values: Sequence[float]) -> None:
        self.values = np.array(values)

    def cpu(self) -> Tensor:
        return self

    float = cpu

    def numpy(self) -> np.ndarray:
        return self.values


class Model:
    asked: list[str] = []  # noqa: RUF012 - shared with the test on purpose

    def __init__(self, name: str) -> None:
        self.name = name

    def state_dict(self) -> dict[str, Tensor]:
        return {"b": Tensor([1.0]), "a": Tensor([2.0])}

    def get_sentence_embedding_dimension(self) -> int:
        return 2

    def encode(self, texts: list[str], **_: object) -> np.ndarray:
        self.asked.extend(texts)
        return np.array([[3.0, 4.0] for _ in texts])


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Model]]:
    module = types.ModuleType("sentence_transformers")
    module.SentenceTransformer = Model  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    Model.asked.clear()
    yield Model
    Model.asked.clear()


def test_a_model_by_name_is_asked_with_its_prefixes(package: type[Model]) -> None:
    embedder = embedder_named("sentence-transformers:intfloat/e5-small")
    assert embedder is not None
    assert embedder.queries(["q"])[0] == pytest.approx([0.6, 0.8])
    embedder.passages(["p"])
    assert package.asked == ["query: q", "passage: p"]
    assert embedder.dimensions == 2
    assert len(embedder.weights) == 16


def test_an_index_can_be_built_with_a_model_by_name(package: type[Model], tmp_path: Path) -> None:
    settings = IndexSettings(embedder="sentence-transformers:some/model")
    assert update_index(tmp_path / "index", add=[FEES], settings=settings).n_embedded == 1


def test_a_model_without_its_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    embedder = embedder_named("sentence-transformers:x")
    assert embedder is not None
    with pytest.raises(MissingExtraError, match=r"finassay\[sentence-transformers\]"):
        embedder.queries(["q"])


def test_texts_are_embedded_once_across_calls_with_a_folder(tmp_path: Path) -> None:
    embedder = Counting()
    first = Embedding(embedder, folder=tmp_path)({"1" * 32: "one", "2" * 32: "two"})
    again = Embedding(embedder, folder=tmp_path)({"2" * 32: "two", "3" * 32: "three"})
    assert embedder.asked == ["one", "two", "three"]
    assert again["2" * 32].tolist() == first["2" * 32].tolist()
