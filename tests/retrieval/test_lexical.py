"""BM25 agrees with the textbook and with the library whose scheme it follows."""

from __future__ import annotations

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.retrieval.lexical import Bm25, joined, postings_of
from reference.bm25 import bm25_scores

PASSAGES = st.lists(st.lists(st.sampled_from("abcdef"), max_size=8), min_size=1, max_size=8)


@settings(deadline=None)
@given(PASSAGES, st.lists(st.sampled_from("abcdefz"), max_size=6), st.floats(0, 3), st.floats(0, 1))
def test_scores_are_those_of_the_textbook(
    passages: list[list[str]], query: list[str], k1: float, b: float
) -> None:
    found = Bm25(postings_of(passages), k1=k1, b=b).scores(query)
    assert found == pytest.approx(bm25_scores(passages, query, k1=k1, b=b), rel=1e-4, abs=1e-5)


def test_scores_are_those_of_bm25s() -> None:
    rng = np.random.default_rng(7)
    words = np.array([f"w{n}" for n in range(60)])
    passages = [words[rng.zipf(1.5, size=rng.integers(1, 30)) % 60].tolist() for _ in range(80)]
    theirs = bm25s.BM25(k1=1.5, b=0.75)
    theirs.index(passages, show_progress=False)
    ours = Bm25(postings_of(passages), k1=1.5, b=0.75)
    for query in (["w1"], ["w2", "w7", "w7"], ["w1", "w59", "w3"]):
        known = [word for word in query if word in theirs.vocab_dict]
        assert ours.scores(query) == pytest.approx(theirs.get_scores(known), rel=1e-5)


@settings(deadline=None)
@given(PASSAGES, PASSAGES, st.randoms())
def test_joined_postings_are_those_of_all_passages(
    one: list[list[str]], other: list[list[str]], random: object
) -> None:
    order = list(range(len(one) + len(other)))
    random.shuffle(order)  # type: ignore[attr-defined]
    to = np.argsort(order)
    together = joined([(postings_of(one), to[: len(one)]), (postings_of(other), to[len(one) :])])
    expected = postings_of([(one + other)[place] for place in order])
    assert together.vocabulary == expected.vocabulary
    for name in ("starts", "passages", "counts", "lengths"):
        assert getattr(together, name).tolist() == getattr(expected, name).tolist()


def test_passages_that_go_leave_nothing_behind() -> None:
    kept = joined([(postings_of([["a", "b"], ["c"], ["b"]]), np.array([-1, 0, 1]))])
    assert kept.vocabulary == ["b", "c"]
    assert kept.lengths.tolist() == [1, 1]


def test_no_passages_have_no_scores() -> None:
    assert Bm25(postings_of([]), k1=1.5, b=0.75).scores(["a"]).tolist() == []


def test_passages_without_tokens_score_nothing() -> None:
    assert Bm25(postings_of([[], []]), k1=1.5, b=0.75).scores(["a"]).tolist() == [0, 0]
