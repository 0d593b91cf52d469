"""Rules on RapidFuzz similarities."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from finassay.errors import SpecError
from finassay.scorers.similarity import TokenSet, TokenSort
from reference.strict_rules import indel_share, token_set_share
from scoring import mark

TEXT = st.lists(
    st.sampled_from(["fee", "fees", "of", "the", "audit", "30", "due"]), max_size=5
).map(" ".join)


@pytest.mark.parametrize(
    ("reference", "reply", "by_set", "by_sort"),
    [
        ("audit committee", "committee audit", 1, 1),
        ("chairperson of the audit committee", "audit", 1, 0),
        ("fee fee fee", "fee", 1, 0),
        ("within 21 days", "within 21 working days", 1, 0),
        # What no similarity of tokens can see: these are wrong answers that pass.
        ("the buyer indemnifies the seller", "the seller indemnifies the buyer", 1, 1),
        ("it shall be filed in thirty days", "it shall not be filed in thirty days", 1, 1),
        ("thirty", "forty", 0, 0),
    ],
)
def test_a_subset_passes_by_set_and_not_by_sort(
    reference: str, reply: str, by_set: int, by_sort: int
):
    assert mark(TokenSet(threshold=0.9), reference, reply).value == by_set
    assert mark(TokenSort(threshold=0.9), reference, reply).value == by_sort


@settings(deadline=None)
@given(left=TEXT, right=TEXT, threshold=st.integers(1, 1000).map(lambda n: n / 1000))
def test_token_set_is_its_textbook_twin(left: str, right: str, threshold: float):
    assume(left and right)
    share = token_set_share(left, right)
    assume(abs(float(share) - threshold) > 1e-9)
    assert mark(TokenSet(threshold=threshold), left, right).value == (share > threshold)


@settings(deadline=None)
@given(left=TEXT, right=TEXT, threshold=st.integers(1, 1000).map(lambda n: n / 1000))
def test_token_sort_is_its_textbook_twin(left: str, right: str, threshold: float):
    assume(left and right)
    share = indel_share(" ".join(sorted(left.split())), " ".join(sorted(right.split())))
    assume(abs(float(share) - threshold) > 1e-9)
    assert mark(TokenSort(threshold=threshold), left, right).value == (share > threshold)


@pytest.mark.parametrize("space", ["\u00a0", "\u0085", "\u2009", "\t"])
@pytest.mark.parametrize("rest", ["", " ₹"])
@pytest.mark.parametrize("rule", [TokenSet, TokenSort])
def test_all_white_space_separates_tokens_whatever_else_a_text_holds(
    rule: type[TokenSet], rest: str, space: str
):
    asked = rule(threshold=1.0, normaliser="none")
    assert mark(asked, f"days thirty{rest}", f"thirty{space}days{rest}").value == 1.0


@pytest.mark.parametrize("rule", [TokenSet, TokenSort])
def test_a_reply_of_marks_only_does_not_pass(rule: type[TokenSet]):
    assert mark(rule(threshold=0.0), "fee", "...").value == 0.0


@pytest.mark.parametrize("rule", [TokenSet, TokenSort])
def test_a_reference_of_marks_only_is_not_applicable(rule: type[TokenSet]):
    assert mark(rule(threshold=0.0), "?", "?").status == "not_applicable"


@pytest.mark.parametrize("rule", [TokenSet, TokenSort])
def test_the_threshold_is_reached_at_equality(rule: type[TokenSet]):
    left, right = "z" * 9 + "abc", "z" * 9 + "defg"  # 18 / 25
    assert mark(rule(threshold=0.72), left, right).value == 1.0
    assert mark(rule(threshold=0.7201), left, right).value == 0.0


@pytest.mark.parametrize("rule", [TokenSet, TokenSort])
def test_a_threshold_in_percent_is_refused(rule: type[TokenSet]):
    with pytest.raises(SpecError, match=r"must be in \[0, 1\], got 80; for 72% pass 0\.72"):
        rule(threshold=80)


def test_measures_are_shared_over_thresholds_only():
    assert TokenSet(threshold=0.1).measure_key == TokenSet(threshold=0.9).measure_key
    assert TokenSet().measure_key != TokenSort().measure_key
    assert TokenSet().measure_key != TokenSet(normaliser="squad").measure_key


def test_partial_finds_a_short_reference_inside_words_and_numbers():
    assert mark("partial", "5 days", "within 25 days of it").value == 1.0
    assert mark("token_sort", "5 days", "within 25 days of it").value == 0.0


def test_partial_ratio_is_that_of_the_best_window():
    # Best window "ab cd" of "xx ab cd": equal but for nothing; "abxcd" shares 4 of 5 characters.
    assert mark("partial[threshold=1]", "ab cd", "xx ab cd yy").value == 1.0
    assert mark("partial[threshold=0.81]", "ab cd", "abxcd").value == 0.0
    assert mark("partial[threshold=0.79]", "ab cd", "abxcd").value == 1.0
