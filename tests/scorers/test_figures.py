"""Figures that a prose reference states and a reply leaves out, restates or contradicts."""

from __future__ import annotations

import time

import pytest

from finassay import mark
from finassay.scorers.expectations import Expectation
from finassay.scorers.figures import MOST, contradicts_figure, stated_figures
from finassay.scorers.replies import Reply

CAPITAL = "Five per cent of the paid-up equity capital"


def contradicts(reference: str, reply: str, question: str = "What does the rule say?") -> bool:
    return contradicts_figure(Reply(question), Reply(reference), Reply(reply), Expectation())


@pytest.mark.parametrize(
    ("reference", "reply"),
    [
        (CAPITAL, "Nine per cent of the paid-up equity capital"),
        (CAPITAL, "One person may hold 7% of the paid-up equity capital."),
        (CAPITAL, "Raised from five per cent to nine per cent of the paid-up equity capital."),
        (CAPITAL, "9%"),
        ("Eight years from the date of winding up", "Eight months from the date of winding up"),
        ("A net worth of fifty crore rupees", "A net worth of Rs 50 lakh"),
        ("A net worth of 50 million euros", "A net worth of USD 50 million"),
        ("Regulation 2(ee) of the issue rules", "Regulation 2(cc) of the issue rules"),
        ("Section 14 of the Ratings Act", "Section 19 of the Ratings Act"),
        ("It took effect on 6 December 2021", "It took effect on November 6, 2021."),
        ("It took effect on 6 December 2021", "It took effect in December 2020."),
        ("On the ninetieth day after publication", "On the sixtieth day after publication"),
        ("At least two-thirds of the trustees", "At least one-third of the trustees"),
        ("Between 5% and 7% of net assets", "Between 5% and 9% of net assets"),
        ("5% of the corpus or ten crore rupees", "5% of the corpus or Rs 20 crore"),
        ("Approximately 8 years and 10 months passed", "8 years and 3 months passed"),
        ("A quarter goes to the target, half to the fund", "25% to the target, 40% to the fund"),
    ],
)  # fmt: skip
def test_another_figure_in_the_same_role_contradicts(reference: str, reply: str):
    assert contradicts(reference, reply)


@pytest.mark.parametrize(
    ("reference", "reply"),
    [
        (CAPITAL, "5% of the paid-up equity capital"),
        (CAPITAL, "One-twentieth part of the capital, as the rule has it."),
        (CAPITAL, "A part of the paid-up equity capital"),
        (CAPITAL, "5% of the paid-up equity capital; a merchant bank needs 30 employees."),
        (CAPITAL, "5% of the paid-up equity capital, as amended on 3 May 2019 (Section 12)."),
        ("A lock-in of one year from allotment", "Locked in for twelve months from allotment"),
        ("Within two weeks of the trade", "Within 14 days of the trade"),
        ("Regulation 29 of the code", "Regulation 29(4) of the code"),
        ("Regulation 2(1)(ee) of the code", "Regulation 2(ee) of the code"),
        ("It took effect on 6 December 2021", "It took effect in December 2021."),
        ("It took effect on 3 August 2021", "It took effect on 03-08-2021."),
        ("On the ninetieth day after publication", "After 90 days from publication"),
        ("Shareholders with one-tenth of the votes", "Shareholders with 10% of the votes"),
        ("Approximately 8 years and 10 months passed", "8 years, 9 months and 26 days passed"),
        ("By approximately 15 September 2024", "By 13 September 2024"),
        ("80 crore (10% of 800 crore)", "80 crore, which is 0.1 x 800 crore"),
        ("75 crore = 15% of 500 crore", "75 crore, 30% of half of it"),
        ("A net worth of Rs twenty-five crore", "A net worth of rupees twenty fi"),
        ("The limit is Rs 10 crore", "The limit is Rs. 10"),
        ("Raised by 4 cents to 28 cents a share", "Raised to 28 cents a share by 9 of 10 votes"),
    ],
)  # fmt: skip
def test_a_figure_that_is_left_out_restated_or_added_to_does_not(reference: str, reply: str):
    assert not contradicts(reference, reply)


def test_figures_of_the_question_are_not_stated():
    question = Reply("Is the limit Rs 10 crore or ten per cent of turnover?")
    reference = Reply("Rs 10 crore or ten per cent of the turnover, on the ninetieth day")
    stated = stated_figures(question, reference, Expectation())
    assert [one.kind for one in stated] == ["day"]


def test_the_guard_names_what_it_refuses_and_can_be_switched_off():
    texts = {"reference": CAPITAL, "reply": "Nine per cent of the paid-up equity capital"}
    asked = {**texts, "question": "How is the holding of one person limited?"}
    verdict = mark("financial", **asked)
    assert (verdict.value, verdict.flags) == (0.0, ("figures",))
    assert verdict.reason == "the reply differs in a figure that it gives otherwise"
    assert mark("financial[guards=false]", **asked).value == 1.0


def test_a_yes_decides_whatever_figures_stand_beside_it():
    verdict = mark(
        "financial",
        question="Has the firm reduced its debt?",
        reference="Yes, after the sale of its harbour business it repaid bonds worth $2.5bn early.",
        reply="Yes, after the sale of its harbour business it repaid bonds worth $2.1bn early.",
    )
    assert verdict.value == 1.0


def test_forty_is_a_number_where_no_digit_stands_beside_it():
    verdict = mark("financial", reference="At least 40 per cent", reply="At least forty per cent")
    assert verdict.value == 1.0


def test_a_table_of_figures_is_passed_over_in_little_time():
    table = " ".join(f"{n}.5% of item{n}" for n in range(2 * MOST))
    start = time.process_time()
    assert not contradicts(f"{CAPITAL} {table}", f"9% {table}")
    assert time.process_time() - start < 2
