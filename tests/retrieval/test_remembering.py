"""An embedder that remembers makes every vector once, and the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from finassay.retrieval.embedders import Hashing
from finassay.retrieval.remembering import Remembering
from retrieval_samples import Counting


def test_vectors_are_those_of_the_embedder_in_order() -> None:
    texts = ["fees of brokers", "a dividend", "fees of brokers"]
    remembering = Remembering(Hashing(dimensions=16))
    for _ in range(2):
        assert np.array_equal(remembering.passages(texts), Hashing(dimensions=16).passages(texts))
        assert np.array_equal(remembering.queries(texts), Hashing(dimensions=16).queries(texts))
    assert remembering.embedder_id == Hashing(dimensions=16).embedder_id
    assert remembering.passages([]).shape == (0, 16)


def test_no_passage_is_embedded_twice() -> None:
    counting = Counting()
    remembering = Remembering(counting)
    remembering.passages(["a", "b", "a"])
    remembering.passages(["b", "c"])
    asked: list[str] = counting.__dict__["asked"]
    assert sorted(asked) == ["a", "b", "c"]


def test_a_folder_keeps_passages_for_the_next_run(tmp_path: Path) -> None:
    first = Remembering(Counting(), folder=tmp_path).passages(["a", "b"])
    counting = Counting()
    assert np.array_equal(Remembering(counting, folder=tmp_path).passages(["a", "b"]), first)
    assert counting.__dict__["asked"] == []


def test_a_query_is_timed_once_it_was_asked_for() -> None:
    remembering = Remembering(Hashing())
    assert remembering.seconds("fees") == 0.0
    remembering.queries(["fees"])
    assert remembering.seconds("fees") > 0.0
