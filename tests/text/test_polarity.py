from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text.polarity import (
    asks_yes_no,
    read_directions,
    read_hedges,
    read_negations,
    read_polarity,
)


@pytest.mark.parametrize(
    "question",
    [
        "Is the business cyclical?",
        "As of Q2, is the company spinning off a segment?",
        "Looking at VaR, did the risk decrease?",
        "State whether the rule applies.",
        "该公司是否披露?",
    ],
)
def test_questions_that_ask_for_yes_or_no(question: str):
    assert asks_yes_no(question)


@pytest.mark.parametrize(
    "question", ["", "What is the fee?", "How much did it pay?", "Which of these is larger?"]
)
def test_questions_that_ask_for_something_else(question: str):
    assert not asks_yes_no(question)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("**Yes**", "yes"),
        ("\u202bYes\u202c", "yes"),
        ("The answer is no", "no"),
        ("I first thought yes, but the answer is no.", "no"),
        ("Note that both agree, so yes.", "yes"),
        ("The extract is long. Yes, it applies.", "yes"),
        ("No change was made", None),
        ("November is when it began", None),
        ("Not necessarily", None),
        ("是的", "yes"),
        ("不是", "no"),
        ("", None),
    ],
)
def test_an_explicit_yes_or_no_is_read_and_a_determiner_is_not(text: str, value: str | None):
    found = read_polarity(text)
    assert (found and found.value) == value


@pytest.mark.parametrize(
    ("question", "text", "value"),
    [
        ("Has the bank increased its debt?", "The bank has not increased its debt.", "no"),
        ("Has the bank increased its debt?", "The debt of the bank decreased.", "no"),
        ("Did the risk of the fund decrease?", "The risk of the fund fell.", "yes"),
        ("Do the passages contradict?", "The passages do not contradict each other.", "no"),
        ("Are the two provisions consistent?", "The two provisions are inconsistent.", "no"),
        ("Has the bank increased its debt?", "Weather was fine.", None),
    ],
)
def test_a_sentence_that_repeats_the_question_answers_it(
    question: str, text: str, value: str | None
):
    found = read_polarity(text, question)
    assert (found and found.value) == value
    if found:
        assert found.how == "statement"


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("sales rose", [1]),
        ("a decline of 5%", [-1]),
        ("did not increase", [-1]),
        ("No. It decreased.", [-1]),
        ("利润下降", [-1]),
        ("steady", []),
    ],
)
def test_directions_are_turned_by_a_negation_in_their_clause(text: str, signs: list[int]):
    assert [direction.sign for direction in read_directions(text)] == signs


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("shall not be filed", 1),
        ("not less than 30 days", 0),
        ("不应当披露", 1),
        ("不超过30天", 0),
        ("it isn't so", 1),
        ("a note of November", 0),
    ],
)
def test_bounds_are_no_negations(text: str, count: int):
    assert len(read_negations(text)) == count


@pytest.mark.parametrize("text", ["It may or may not apply", "possibly 5%", "也许"])
def test_words_that_commit_to_nothing_are_hedges(text: str):
    assert read_hedges(text)


@pytest.mark.parametrize("text", ["The deviation may be up to 5%.", "It is 5%."])
def test_permission_is_no_hedge(text: str):
    assert not read_hedges(text)


@settings(deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_no_text_raises_and_spans_lie_inside(text: str, question: str):
    found = read_polarity(text, question)
    assert found is None or 0 <= found.start < found.end <= len(text)
    for start, end in (*read_negations(text), *read_hedges(text)):
        assert 0 <= start < end <= len(text)
