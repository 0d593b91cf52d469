"""What does not hold of the computations in a text; every text here was written for the test."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from finassay.analyses.reference_audit.recompute import recompute
from finassay.analyses.reference_audit.stated import check_stated
from finassay.analyses.reference_audit.values import written

RIGHT = [
    "5 + 3 = 8",
    "Total cost = 4 * 5 = 20 dollars.",
    "f(x) = 4x^3 - 9x - 14, so f(2) = 4(2)^3 - 9*2 - 14 = 32 - 18 - 14 = 0",
    "20% of 50 is 10; 12 times 3 is 36",
    "2y + 4 = 10, so 2y = 6, and y = 3.",
    "10 / 3 = 3.33; 2/3 ≈ 0.67; 2/3 = 0.666",
    "(120 - 100) / 100 = 20%; 20 / 100 = 0.20 = 20%",
    "sqrt(16) = 4; 2^10 = 1024; (x+1)^2 = x^2 + 2x + 1 = x(x + 2) + 1",
    "7^2 ≡ 1 (mod 8); 17 % 5 = 2",
    "3 < 5; 2*3 <= 6; 4 != 5",
    "z = 5 or z = -1, (z-2)^2 = 9",
    "Net income 2021 = $7,838 million - $442 million",
    "x - y = 2z - 2z = 0",
    "(20n + 8) % 4 = (20n % 4) + (8 % 4) = 0 + 0 = 0",
    "x = (5 + 3) / 2\nx = (5 - 3) / 2",
    "for 6 months = 7.5% of 100 = 7.5",
    "Rs 30 lakh < Rs 25 lakh (fails)",
    "15 days = 10 + 5 days",
]
WRONG = [
    ("5 + 3 = 9", "arithmetic", "high", "9", "8"),
    ("Total = 4 * 5 = 21 dollars.", "arithmetic", "high", "21", "20"),
    ("f(x) = 3x + 1. f(2) = 8", "substitution", "high", "8", "7"),
    ("2y + 4 = 10, so 2y = 8, and y = 4.", "equation", "medium", "10", "12"),
    ("12 times 3 is 35", "arithmetic", "medium", "35", "36"),
    ("(x+1)^2 = x^2 + x + 1 = x(x + 1) + 1", "identity", "medium", "79/49", "100/49"),
    ("7^2 ≡ 2 (mod 8)", "congruence", "high", "2", "49"),
    ("7 < 5", "inequality", "high", "5", "7"),
    ("(10 + 20 + 40) / 3 = 25", "arithmetic", "high", "25", "70/3"),
    ("5 - 9 = 4", "sign", "medium", "4", "-4"),
    ("7,616 / 9,542 = 79.84%", "rounding", "medium", "0.7984", "0.79815552"),
    ("Cost = 3 * 4\nCost = 13", "arithmetic", "high", "13", "12"),
    ("Area = 0.5 * |0 - 3 - 3|\n\nArea = 0.5 * |0|", "arithmetic", "high", "0", "3"),
]
MILD = [
    ("0.1 + 0.2 = 0.4", "rounding"),
    ("60% of 900 = 540 crore", "scale"),
    ("60 * 2 minutes = 2 hours", "scale"),
    ("2 years + 6 months = 2.5 years", "scale"),
    ("743 / (5,033) * 100 = -14.76%", "sign"),
    ("The price is 12 * 30 = 36", "arithmetic"),  # the text may break off here
]


@pytest.mark.parametrize("text", RIGHT)
def test_nothing_is_said_against_what_holds(text: str):
    assert recompute(text).findings == ()


@pytest.mark.parametrize(("text", "kind", "severity", "stated", "found"), WRONG)
def test_what_does_not_hold_is_found_with_both_values(
    text: str, kind: str, severity: str, stated: str, found: str
):
    (one,) = recompute(text).findings
    assert (one.kind, one.severity, one.stated, one.found) == (kind, severity, stated, found)
    assert one.said == text[one.start : one.end]


@pytest.mark.parametrize(("text", "kind"), MILD)
def test_rounding_scale_and_cut_texts_are_told_mildly(text: str, kind: str):
    (one,) = recompute(text).findings
    assert (one.kind, one.severity) == (kind, "low")


def test_a_stated_solution_must_solve_the_equation_of_the_question():
    question = "Given g(x) = x^2 - 4, find x such that g(x) = 0."
    assert recompute("x = 2", question=question).findings == ()
    (one,) = recompute("So x ≈ 1.5", question=question).findings
    assert (one.kind, one.severity, one.stated) == ("equation", "high", "x = 1.5")
    assert one.found == "-1.75"


def test_a_function_of_an_earlier_turn_holds_later_too():
    before = ("Let h(t) = 5t.", "")
    (one,) = recompute("h(3) = 16", before=before).findings
    assert (one.kind, one.stated, one.found) == ("substitution", "16", "15")
    assert recompute("h(3) = 16").findings == ()


@settings(deadline=None, max_examples=80)
@given(
    st.integers(1, 9999),
    st.integers(1, 9999),
    st.sampled_from("+-*"),
    st.integers(-50, 50),
    st.sampled_from(
        ["{} {} {} = {}.", "So we get {} {} {} = {} in total.", "Sum = {} {} {} = {},"]
    ),
)
def test_a_changed_result_is_found_and_a_right_one_never(
    a: int, b: int, sign: str, change: int, frame: str
):
    value = {"+": a + b, "-": a - b, "*": a * b}[sign]
    # Before a word, such a figure is read as a year ("2022 revenue") and left alone.
    assume(not 1900 <= value + change <= 2100)
    text = frame.format(a, sign, b, value + change)
    assert bool(recompute(text).findings) == bool(change)


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("100 divided by 7 is 14 with a remainder of 3.", "remainder", "2"),
        ("The average of 10, 20 and 40 is 25.", "stated", "70/3"),
        ("Sales rose from 200 to 250, an increase of 20%.", "stated", "25"),
        ("- Rent: $500\n- Food: $300\nTotal: $900\n", "sum", "800"),
        ("| a | 5 |\n| b | 6 |\n| Total | 12 |\n", "sum", "11"),
    ],
)
def test_results_in_words_and_lists_are_computed_again(text: str, kind: str, found: str):
    (one,), checked = check_stated(text)
    assert (one.kind, one.found, checked) == (kind, found, 1)


@pytest.mark.parametrize(
    "text",
    [
        "100 divided by 7 leaves a remainder of 2.",
        "The average of 10, 20 and 45 is 25.",
        "Sales rose from 200 to 250, an increase of 25%.",
        "- Rent: $500\n- Food: $300\nTotal: $800\n",
        "- North: 40%\n- South: 60%\nTotal: 5 regions\n",
        "- Sales: 5 (2019)\n- Costs: 3 (2019)\nTotal revenue: 20\n",
    ],
)
def test_right_results_in_words_pass(text: str):
    assert check_stated(text)[0] == []


@pytest.mark.parametrize(
    ("value", "text"),
    [("8", "8"), ("-5/2", "-2.5"), ("1/3", "1/3"), ("0.05", "0.05"), ("22222/7", "3174.5714")],
)
def test_values_are_written_as_a_reader_would(value: str, text: str):
    assert written(Fraction(value)) == text
