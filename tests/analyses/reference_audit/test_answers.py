"""Whether two references give the same final answer; every text here was written for the test."""

from fractions import Fraction

import pytest

from finassay.analyses.reference_audit.answers import compare_answers, final_answer
from finassay.analyses.reference_audit.places import answer_place, counted, denies, in_full

SAME = [
    ("3 + 4 = 7", "The answer is seven.", "What is 3 + 4?"),
    ("0.25", "25%", "Which share?"),
    ("x = 4 or x = -2", "x = -2, 4", "Solve it."),
    ("(x+1)(x+2) = x^2 + 3x + 2", "The expansion is x^2 + 3x + 2", "Expand."),
    ("First 3 + 4 = 7. Therefore, the total is 14 apples.", "14 apples", "What is the total?"),
    ("about 33.3%", "1/3", "What is the chance?"),
    ("1,200 dollars", "$1.2 thousand", "What does it cost?"),
    ("7\n\nBecause 3 + 4 is that.", "It is 7.", "What is 3 + 4?"),
    ("Yes, it does.", "It does. So yes.", "Does it rise?"),
    ("The tallest is Omar.", "Omar", "Who is the tallest, Omar or Lea?"),
    ("No sisters", "She has 0 sisters.", "How many sisters does she have?"),
]
DIFFERENT = [
    ("It costs $20.", "The price is $21.", "What does it cost?"),
    ("Yes, it does.", "No.", "Does it rise?"),
    ("y = 2x + 1", "y = 2x - 1", "Which line?"),
    ("The capital is Lima.", "The capital is Quito.", "What is the capital?"),
    ("She has one sister.", "She has no sister.", "How many sisters does she have?"),
    ("She lives three streets away.", "Four streets away.", "Where does she live?"),
    ("There is no such number.", "12", "Which number is it?"),
    ("0.5", "100%", "What is the chance?"),
]


@pytest.mark.parametrize(("left", "right", "question"), SAME)
def test_the_same_answer_in_other_words_is_the_same(left: str, right: str, question: str):
    assert compare_answers(left, right, question=question)[0] == "same"
    assert compare_answers(right, left, question=question)[0] == "same"


@pytest.mark.parametrize(("left", "right", "question"), DIFFERENT)
def test_another_answer_is_different_whichever_comes_first(left: str, right: str, question: str):
    assert compare_answers(left, right, question=question)[0] == "different"
    assert compare_answers(right, left, question=question)[0] == "different"


def test_what_cannot_be_told_is_unclear_and_no_error():
    left = "It may work in a hospital, teach there, or visit a friend every day."
    right = "Doctors go there daily without being ill, and so do their patients' relatives."
    assert compare_answers(left, right, question="Why?")[0] == "unclear"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (r"So we get \boxed{42}, that is it.", "42"),
        ("Some steps.\nAnswer: 12\nThanks.", "Answer: 12"),
        ("12 kg\n\nThe rest explains it at length, in words.", "12 kg"),
        ("We add. Therefore 3 + 4 = 7. It was easy. It was short. That is all.", "7"),
    ],
)
def test_the_final_answer_stands_where_a_cue_says(text: str, said: str):
    start, end = answer_place(text)
    assert said in text[start:end]
    assert len(text[start:end]) < len(text)


def test_figures_of_an_answer_keep_their_unit_and_sign_of_per_cent():
    (figure,) = final_answer("It is 12.5%.", "").figures
    assert (figure.value, figure.unit, figure.percent) == (Fraction("12.5"), Fraction("0.1"), True)


def test_counts_are_read_beside_the_noun_that_is_asked_for():
    question = "How many red boxes are left?"
    assert counted("Of 9 bags, 4 red boxes are left.", question) == 4
    assert counted("None of the boxes is left.", question) == 0
    assert counted("It is dark.", question) is None
    assert counted("4 boxes", "Which box?") is None


def test_a_question_that_goes_on_is_read_with_the_one_before():
    earlier = ["How many cats are there?"]
    assert in_full("What about dogs?", earlier) == "How many cats are there?\nWhat about dogs?"
    assert in_full("Name a dog.", earlier) == "Name a dog."


@pytest.mark.parametrize("text", ["There is no such value.", "It is undefined.", "Not possible"])
def test_a_denial_is_one(text: str):
    assert denies(text)
    assert not denies("The value is 3.")
