"""Answers that the question offers, and replies that tell a part of a long reference."""

from __future__ import annotations

import pytest

from finassay import mark

WHEN = "Were the old rules issued before or after the new rules were published?"
BEFORE = "The old rules were issued before the new rules \u2014 in May, compared to June."
WHICH = "Which limit is in force, the one on gross exposure or the one on net exposure?"
GROSS = "The limit on gross exposure, effective from 3 May 2021"


@pytest.mark.parametrize(
    ("question", "reference", "reply", "value"),
    [
        (WHEN, BEFORE, "The old rules were issued before the new rules.", 1.0),
        (WHEN, BEFORE, "The old rules were issued after the new rules.", 0.0),
        (WHEN, BEFORE, "The old rules were not issued before the new rules.", 0.0),
        (WHICH, GROSS, "The limit on gross exposure is in force.", 1.0),
        (WHICH, GROSS, "The limit on net exposure is in force.", 0.0),
        (
            "To which funds do the rules (Closed Funds - Prudential Norms) apply?",
            "Closed funds (CFs)",
            "To closed funds.",
            1.0,
        ),
        (
            "Which of the 2019 rules and the 2021 rules applied in the first year?",
            "The 2019 rules applied in the first year.",
            "The 2021 rules applied in the first year.",
            0.0,
        ),
    ],
)
def test_a_reply_that_chooses_what_the_question_offers_is_marked_by_its_choice(
    question: str, reference: str, reply: str, value: float
):
    assert mark("financial", question=question, reference=reference, reply=reply).value == value


LONG = (
    "The amendment added an exception for withdrawn ratings. The first version asked agencies to "
    "watch every rating for the whole life of the security, without exception. The exception "
    "refers to winding up, merger and cases that the board names, and it came into force in May."
)


def test_a_reply_that_tells_the_core_of_a_long_reference_is_right():
    reply = "It added an exception: withdrawn ratings need no more watching for life."
    question = "What did the amendment change?"
    assert mark("financial", question=question, reference=LONG, reply=reply).value == 1.0


def test_a_reply_of_other_words_is_not():
    reply = "It raised the fee for applicants and shortened the period for objections by a week."
    question = "What did the amendment change?"
    assert mark("financial", question=question, reference=LONG, reply=reply).value == 0.0


@pytest.mark.parametrize(
    ("question", "reference", "wrong", "right"),
    [
        (
            "What was net debt?",
            "EUR 71 million",
            "Net debt was EUR 71 million. Sorry, I misread the table: it was EUR 64 million.",
            "Net debt was EUR 64 million. Sorry, I misread the table: it was EUR 71 million.",
        ),
        (
            "Which funds must report?",
            "All funds must report.",
            "All funds must report, save for those that are closed.",
            "All funds must report, whatever their size.",
        ),
        (
            "Do both texts give the same deadline?",
            "Yes",
            "Both texts give different deadlines.",
            "Both texts give the same deadline.",
        ),
        (
            "What was the average volume?",
            "4.2 million shares",
            "The extract gives no average volume. It says that 4.2 million shares were sold.",
            "The average volume was 4.2 million shares.",
        ),
        ("What is the ratio?", "2:1", "3 : 1", "2 : 1"),
        (
            "How many shares were issued?",
            "30 million",
            "In the offering, 13 million shares were issued.",
            "In the offering, 30 million shares were issued.",
        ),
    ],
)
def test_twins_of_kinds_that_were_mended(question: str, reference: str, wrong: str, right: str):
    marks = [
        mark("financial", question=question, reference=reference, reply=reply).value
        for reply in (wrong, right)
    ]
    assert marks == [0.0, 1.0]


def test_a_wrong_day_is_wrong_however_many_words_agree():
    question = "By what latest date must the second meeting be held after a first one on 1 April?"
    reference = "By 29 July of the same year (1 April + 120 days = 29 July)"
    replies = ("1 April + 120 days = 29 July, so by 29 July.", "1 April + 120 days = 1 August.")
    marks = [
        mark("financial", question=question, reference=reference, reply=reply).value
        for reply in replies
    ]
    assert marks == [1.0, 0.0]
