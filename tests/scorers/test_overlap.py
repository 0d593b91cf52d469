"""ROUGE, BLEU, chrF and METEOR beside textbook twins of their formulas."""

from __future__ import annotations

import math
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import MissingExtraError, SpecError
from finassay.scorers import meteor, overlap
from finassay.scorers.overlap import Bleu, Chrf, Rouge
from scoring import mark

SENTENCE = st.lists(
    st.sampled_from(["the", "fee", "of", "audit", "rose", "30", "days"]), min_size=1, max_size=8
)
quick = settings(deadline=None, max_examples=60)


def grams(words: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def f1(shared: int, left: int, right: int) -> float:
    if not shared:
        return 0.0
    precision, recall = shared / right, shared / left
    return 2 * precision * recall / (precision + recall)


def longest_common(left: list[str], right: list[str]) -> int:
    if not left or not right:
        return 0
    if left[-1] == right[-1]:
        return 1 + longest_common(left[:-1], right[:-1])
    return max(longest_common(left[:-1], right), longest_common(left, right[:-1]))


@quick
@given(left=SENTENCE, right=SENTENCE, n=st.sampled_from([1, 2]))
def test_rouge_n_is_the_f1_of_clipped_n_grams(left: list[str], right: list[str], n: int):
    found = mark(Rouge(kind=f"rouge{n}"), " ".join(left), " ".join(right))
    if n == 2 and len(left) == 1:
        assert found.status == "not_applicable"
        return
    ours, theirs = grams(left, n), grams(right, n)
    expected = f1((ours & theirs).total(), ours.total(), theirs.total())
    assert found.value == pytest.approx(expected)


@settings(deadline=None, max_examples=40)
@given(left=SENTENCE, right=SENTENCE)
def test_rouge_l_is_the_f1_of_the_longest_common_subsequence(left: list[str], right: list[str]):
    shared = longest_common(left[:6], right[:6])
    found = mark("rouge", " ".join(left[:6]), " ".join(right[:6]))
    assert found.value == pytest.approx(f1(shared, len(left[:6]), len(right[:6])))


@pytest.mark.parametrize(
    ("part", "expected"), [("precision", 2 / 4), ("recall", 2 / 3), ("f1", 4 / 7)]
)
def test_rouge_has_three_parts(part: str, expected: float):
    rule = Rouge(kind="rouge1", part=part)
    assert mark(rule, "audit fee due", "the audit fee rose").value == pytest.approx(expected)


def test_rouge_keeps_chinese_characters_only_when_told_to():
    assert mark("rouge", "北京，上海", "北京、上海").status == "not_applicable"
    assert mark('rouge[tokens="cjk"]', "北京，上海", "上海，北京").value == pytest.approx(0.5)
    assert mark('rouge[kind="rouge1",tokens="cjk"]', "北京，上海", "上海，北京").value == 1.0


def test_rouge_stems_only_when_told_to():
    assert mark("rouge", "auditing", "audits").value == 0.0
    assert mark("rouge[stemmed=true]", "auditing", "audits").value == 1.0


def sentence_bleu(reference: list[str], reply: list[str]) -> float:
    """BLEU over the orders that the reply has; an order without a match counts 1/(2^k total)."""
    logs, halvings = [], 1.0
    for n in range(1, 5):
        said = grams(reply, n)
        if not said:
            break
        shared = (said & grams(reference, n)).total()
        if n == 1 and not shared:
            return 0.0
        if not shared:
            halvings *= 2
        logs.append(math.log((shared or 1 / halvings) / said.total()))
    brevity = min(0.0, 1 - len(reference) / len(reply))
    return math.exp(brevity + sum(logs) / len(logs))


@quick
@given(left=SENTENCE, right=SENTENCE)
def test_bleu_is_the_geometric_mean_of_precisions_with_a_brevity_penalty(
    left: list[str], right: list[str]
):
    found = mark("bleu", " ".join(left), " ".join(right))
    assert found.value == pytest.approx(sentence_bleu(left, right), abs=1e-9)


def test_bleu_splits_chinese_only_when_told_to():
    assert mark("bleu", "北京和上海", "北京和广州").value == 0.0
    # Characters 3 of 5, pairs 2 of 4, threes 1 of 3, fours 0 of 2 (smoothed: 1/2 of 2).
    expected = (3 / 5 * 2 / 4 * 1 / 3 * 1 / 4) ** 0.25
    assert mark('bleu[tokens="zh"]', "北京和上海", "北京和广州").value == pytest.approx(expected)


def chrf(reference: str, reply: str) -> float:
    """Average F2 of character n-grams over the orders that both texts have (Popovic, 2015)."""
    scores = []
    ours, theirs = list(reference.replace(" ", "")), list(reply.replace(" ", ""))
    precisions, recalls = [], []
    for n in range(1, 7):
        left, right = grams(ours, n), grams(theirs, n)
        if left and right:
            shared = (left & right).total()
            precisions.append(shared / right.total())
            recalls.append(shared / left.total())
    if not precisions:
        return 0.0
    precision, recall = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    scores.append(5 * precision * recall / (4 * precision + recall) if precision + recall else 0.0)
    return scores[0]


@quick
@given(left=SENTENCE, right=SENTENCE)
def test_chrf_is_f2_of_character_n_grams(left: list[str], right: list[str]):
    found = mark("chrf", " ".join(left), " ".join(right))
    assert found.value == pytest.approx(chrf(" ".join(left), " ".join(right)), abs=1e-9)


def test_chrf_with_words_is_another_score():
    plain, with_words = (mark(Chrf(word_order=n), "the fee", "the fees") for n in (0, 2))
    assert with_words.value < plain.value


@pytest.mark.parametrize(
    ("reference", "reply", "matches", "chunks"),
    [
        ("the audit fee", "the audit fee", 3, 1),
        ("the audit fee", "fee audit", 2, 2),
        ("auditing", "audits", 1, 1),
        ("the car", "the auto", 1, 1),
        ("fee", "rate", 0, 0),
    ],
)
def test_meteor_without_wordnet_matches_words_and_stems(
    reference: str, reply: str, matches: int, chunks: int
):
    found = mark("meteor-nowordnet", reference, reply)
    assert found.value == pytest.approx(meteor_of(reference, reply, matches, chunks))


def meteor_of(reference: str, reply: str, matches: int, chunks: int) -> float:
    """Lavie and Agarwal (2007): alpha 0.9, beta 3, gamma 0.5."""
    if not matches:
        return 0.0
    precision, recall = matches / len(reply.split()), matches / len(reference.split())
    mean = precision * recall / (0.9 * precision + 0.1 * recall)
    return mean * (1 - 0.5 * (chunks / matches) ** 3)


def test_meteor_matches_synonyms_too():
    expected = meteor_of("the car", "the auto", 2, 1)
    assert mark("meteor", "the car", "the auto").value == pytest.approx(expected)
    assert mark("meteor", "the car", "the toll").value == pytest.approx(
        meteor_of("the car", "the toll", 1, 1)
    )


def test_meteor_never_falls_back_when_wordnet_is_missing(monkeypatch: pytest.MonkeyPatch):
    nltk = pytest.importorskip("nltk")
    monkeypatch.setattr(nltk.data, "path", ["/nowhere"])
    corpora = nltk.corpus
    monkeypatch.setattr(
        corpora,
        "wordnet",
        corpora.util.LazyCorpusLoader("wordnet", corpora.reader.WordNetCorpusReader, None),
    )
    meteor._wordnet.cache_clear()
    with pytest.raises(MissingExtraError, match=r"corpora/wordnet in /nowhere.*meteor-nowordnet"):
        mark("meteor", "fee", "fee")
    meteor._wordnet.cache_clear()


def test_texts_too_long_to_compare_pair_by_pair_are_failed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(overlap, "MOST_PAIRS", 5)
    for rule in ("rouge", "meteor-nowordnet"):
        found = mark(rule, "the audit fee", "fee due")
        assert found.status == "failed"
        assert "3 and 2 tokens are too many" in found.reason
    assert mark('rouge[kind="rouge1"]', "the audit fee", "fee due").value == pytest.approx(0.4)


def test_a_threshold_makes_a_graded_score_right_or_wrong():
    assert mark("rouge[threshold=0.5]", "the audit fee", "audit fee").value == 1.0
    assert mark("rouge[threshold=0.9]", "the audit fee", "audit fee").value == 0.0
    assert Rouge(threshold=0.5).measure_key == Rouge(threshold=0.9).measure_key


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Rouge(kind="rouge3"), "`kind` of Rouge must be one of .*, got 'rouge3'"),
        (lambda: Rouge(part="f2"), "`part` of Rouge"),
        (lambda: Bleu(tokens="flores"), "`tokens` of Bleu"),
        (lambda: Chrf(word_order=3), "`word_order` of Chrf must be a whole number, from 0 to 2"),
        (lambda: Chrf(threshold=50), "for 72% pass 0.72"),
    ],
)
def test_parameters_out_of_range_are_refused(make: object, message: str):
    assert callable(make)
    with pytest.raises(SpecError, match=message):
        make()


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics.bleu", None)
    overlap._bleu.cache_clear()
    with pytest.raises(
        MissingExtraError, match=r"'bleu' needs the package 'sacrebleu'.*\[overlap\]"
    ):
        mark("bleu", "fee", "fee")
