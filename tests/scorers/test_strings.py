"""Exact, includes and token F1."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import SpecError, UnknownNameError
from finassay.records import Item, Prediction
from finassay.scorers.strings import Exact, Includes, QuasiExact, TokenF1
from scoring import mark


@pytest.mark.parametrize(
    ("reply", "plain", "words", "squad"),
    [
        ("maybe", 1, 1, 1),
        ("maybe.", 0, 1, 1),
        ("Maybe", 0, 1, 1),
        ("(maybe).", 0, 1, 1),
        ("**maybe**", 0, 1, 1),
        (" maybe\n", 0, 1, 1),
        ("a maybe", 0, 0, 1),
        ("maybe not", 0, 0, 0),
        ("may be", 0, 0, 0),
    ],
)
def test_exact_forgives_what_its_normaliser_drops(reply: str, plain: int, words: int, squad: int):
    found = [
        mark(Exact(normaliser=name), "maybe", reply).value for name in ("none", "words", "squad")
    ]
    assert found == [plain, words, squad]


@pytest.mark.parametrize("reference", ["NA", "None", "null", "false", "0", "No"])
def test_words_that_look_like_missing_values_are_answers(reference: str):
    assert mark("exact", reference, reference).value == 1.0
    assert mark("exact", reference, "something else").value == 0.0


def test_a_qualified_label_is_not_the_label():
    assert mark('exact[normaliser="words"]', "non-compliant", "compliant").value == 0.0
    assert mark('exact[normaliser="words"]', "applicable", "not applicable").value == 0.0


def test_a_reference_of_which_nothing_is_left_is_not_applicable():
    for rule in (Exact(normaliser="squad"), Includes(normaliser="words"), TokenF1()):
        verdict = mark(rule, "?!", "?!")
        assert verdict.status == "not_applicable"
        assert "nothing is left of the reference" in verdict.reason


@pytest.mark.parametrize(
    ("reference", "reply", "anywhere", "whole"),
    [
        ("5", "the rate is 5", 1, 1),
        ("5", "25", 1, 0),
        ("5", "it is 25, then 5", 1, 1),
        ("B", r"\boxed{B}", 1, 1),
        ("art", "party", 1, 0),
        ("fee", "Fee.", 1, 1),
        ("fee", "_fee_", 1, 0),
        ("a.c", "abc", 0, 0),
        ("(x", "f(x", 1, 0),
        ("fee due", "fee\n due", 1, 1),
        ("fee", "charge", 0, 0),
    ],
)
def test_includes_reads_part_of_a_word_unless_told_not_to(
    reference: str, reply: str, anywhere: int, whole: int
):
    assert mark("includes", reference, reply).value == anywhere
    assert mark("includes[whole_words=true]", reference, reply).value == whole


@pytest.mark.parametrize(
    ("reference", "reply", "share"),
    [
        ("the audit committee", "audit committee", Fraction(1)),
        ("audit committee", "audit", Fraction(2, 3)),
        ("audit committee", "board audit committee chair", Fraction(4, 6)),
        ("fee fee fee", "fee", Fraction(2, 4)),
        ("fee", "fee fee fee", Fraction(2, 4)),
        ("audit", "board", Fraction(0)),
        # Each ideograph is a token: three of four, and three of three.
        ("超过三十", "超过十", Fraction(6, 7)),
    ],
)
def test_token_f1_is_twice_the_shared_tokens_over_all_tokens(
    reference: str, reply: str, share: Fraction
):
    assert mark("token_f1", reference, reply).value == pytest.approx(float(share))


@settings(deadline=None)
@given(
    left=st.lists(st.sampled_from("pqrst"), min_size=1, max_size=8),
    right=st.lists(st.sampled_from("pqrst"), min_size=1, max_size=8),
)
def test_token_f1_is_the_harmonic_mean_of_precision_and_recall(left: list[str], right: list[str]):
    pool = Counter(left)
    hits = 0
    for token in right:
        if pool[token]:
            pool[token] -= 1
            hits += 1
    precision, recall = Fraction(hits, len(right)), Fraction(hits, len(left))
    f1 = 2 * precision * recall / (precision + recall) if hits else Fraction(0)
    found = mark(TokenF1(normaliser="none"), " ".join(left), " ".join(right)).value
    assert found == pytest.approx(float(f1))


def test_a_threshold_makes_token_f1_right_or_wrong():
    # F1 is 2/3.
    assert mark("token_f1[threshold=0.66]", "audit committee", "audit").value == 1.0
    assert mark("token_f1[threshold=0.67]", "audit committee", "audit").value == 0.0


def test_the_best_alternative_counts_and_is_flagged():
    verdict = mark("token_f1", "thirty days", "one month", alternatives=("a month", "one month"))
    assert (verdict.value, verdict.flags) == (1.0, ("alternative",))
    assert mark("token_f1", "one month", "one month", alternatives=("x",)).flags == ()


def test_a_reference_that_cannot_be_read_does_not_hide_a_wrong_answer():
    # Else only right replies to this item would be scored.
    assert mark("number_set", "thirty", "30", alternatives=("30",)).value == 1.0
    wrong = mark("number_set", "thirty", "31", alternatives=("30",))
    assert (wrong.status, wrong.value, wrong.flags) == ("scored", 0.0, ("alternative",))
    assert mark("number_set", "thirty", "none", alternatives=("30",)).status == "unparsed"
    assert mark("number_set", "thirty", "31", alternatives=("dozens",)).status == "not_applicable"


@pytest.mark.parametrize("text", ["", " ", "\u0085\n"])
def test_an_empty_reply_is_no_answer_not_wrong(text: str):
    assert mark("exact", "fee", text).status == "no_answer"


def test_a_refusal_is_not_scored_as_wrong():
    refused = mark("exact", "fee", "I cannot say", finish="refused")
    assert (refused.status, refused.value) == ("no_answer", None)


def test_a_refusal_that_the_reference_asks_for_is_right():
    reference = "Cannot be determined"
    assert mark("exact", reference, f"{reference} ", finish="refused").status == "scored"
    assert mark("exact", reference, reference, finish="refused").value == 1.0


def test_a_cut_reply_is_marked_and_flagged():
    verdict = mark("exact", "fee", "fe", finish="truncated")
    assert (verdict.value, verdict.flags) == (0.0, ("truncated",))


def test_a_reply_that_was_not_obtained_is_failed():
    assert mark("exact", "fee", "fee", finish="error").status == "failed"
    assert mark("exact", "fee", "fee", finish="blocked").status == "failed"


@pytest.mark.parametrize("reference", [None, "", "  "])
def test_an_item_without_reference_is_not_applicable(reference: str | None):
    assert mark("exact", reference, "fee").status == "not_applicable"


@pytest.mark.parametrize("rule", [Exact, Includes, TokenF1])
def test_an_unknown_normaliser_is_refused_with_the_list(rule: type[Exact]):
    with pytest.raises(UnknownNameError, match="no normaliser 'lower'; choose one of none, trim"):
        rule(normaliser="lower")


@pytest.mark.parametrize("threshold", [-0.1, 1.01, 72, float("nan"), True, "0.5"])
def test_a_threshold_that_is_no_share_is_refused(threshold: float):
    with pytest.raises(SpecError, match=r"`threshold` of TokenF1 must be in \[0, 1\], got"):
        TokenF1(threshold=threshold)


def test_a_number_is_not_taken_for_a_truth_value():
    with pytest.raises(SpecError, match="`whole_words` of Includes must be true or false, got 1"):
        Includes(whole_words=1)


def test_thresholds_share_a_measure_and_normalisers_do_not():
    assert TokenF1(threshold=0.5).measure_key == TokenF1().measure_key
    assert TokenF1(normaliser="words").measure_key != TokenF1().measure_key


def test_the_trace_shows_what_was_measured():
    steps = TokenF1().trace(
        item=Item(item_id="i", reference="a b"), prediction=Prediction(text="b")
    )
    assert steps == (("share", "1"), ("reason", "1 shared tokens of 1 and 1"))


@pytest.mark.parametrize(
    ("reference", "reply", "value"),
    [
        ("The Reserve Bank", "reserve bank.", 1.0),
        ("A", "a", 1.0),
        ("A", "the", 0.0),
        ("北京，上海", "北京、上海", 1.0),
        ("30 days", "30  Days!", 1.0),
        ("3.14", "314", 1.0),  # marks go from numbers too: what the published rule does
        ("fee", "fees", 0.0),
    ],
)
def test_quasi_exact_compares_squad_forms(reference: str, reply: str, value: float):
    assert mark("quasi_exact", reference, reply).value == value


def test_quasi_exact_shares_the_measure_of_exact_under_its_normaliser():
    assert QuasiExact().measure_key == Exact(normaliser="squad").measure_key
