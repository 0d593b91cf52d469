from __future__ import annotations

import pytest

from finassay.errors import SpecError
from finassay.scorers.numbers import numbers_in
from finassay.scorers.peers import AnyNumber, LastNumbers
from scoring import mark


@pytest.mark.parametrize(
    ("reference", "reply", "value"),
    [
        ("100", "It was 101 in 2019", 1.0),
        ("100", "It was 101.5 in 2019", 0.0),
        ("0.397", "a margin of 39.7%", 1.0),
        ("0.397", "a margin of 3.97", 0.0),
        ("1,577.00", "$1577 million", 1.0),
        ("5 of 10", "10 and 5", 1.0),
        ("5 of 10", "10 and 6", 0.0),
        ("0", "0.0", 1.0),
        ("0", "1", 0.0),
        ("-5", "5", 1.0),
    ],
)
def test_any_number_near_the_reference_passes_wherever_it_stands(
    reference: str, reply: str, value: float
):
    found = mark("peer/any-number", reference, reply)
    assert found.value == value
    assert found.extracted


def test_percents_of_fractions_can_be_left_out():
    assert mark(AnyNumber(fractions=False), "0.397", "39.7%").value == 0.0


def test_last_numbers_looks_at_the_end_only():
    reply = "From 30 in 2019, then 1, 2 and 3"
    assert mark("peer/any-number", "30", reply).value == 1.0
    assert mark("peer/last-numbers", "30", reply).value == 0.0
    assert mark(LastNumbers(last=5), "30", reply).value == 1.0


def test_what_holds_no_number_has_no_value():
    assert mark("peer/any-number", "30", "thirty").status == "unparsed"
    assert mark("peer/any-number", "thirty", "30").status == "not_applicable"


def test_tolerances_of_one_measure_share_it():
    near, far = AnyNumber(tolerance=0.001), AnyNumber(tolerance=0.1)
    assert near.measure_key == far.measure_key
    assert near.measure_key != LastNumbers().measure_key
    assert mark(near, "100", "105").value == 0.0
    assert mark(far, "100", "105").value == 1.0


def test_a_run_of_digits_too_long_for_a_quantity_is_no_number():
    assert numbers_in("7 " + "1" * 101) == (7,)


def test_answered_marks_everything_but_silence_and_refusals_right():
    assert mark("peer/answered", "30", "The moon.").value == 1.0
    assert mark("peer/answered", "30", "I cannot answer that.").value == 0.0
    assert mark("peer/answered", "30", "...").value == 0.0


def test_words_that_may_stand_beside_an_answer_are_a_refusal_when_asked():
    reply = "The figure is not stated in the filing."
    assert mark("peer/answered", "30", reply).value == 1.0
    assert mark('peer/answered[phrases="any"]', "30", reply).value == 0.0
    with pytest.raises(SpecError, match="`phrases`"):
        mark('peer/answered[phrases="none"]', "30", reply)


@pytest.mark.parametrize("last", [0, -1, True, 2.5])
def test_a_count_below_one_is_refused(last: int):
    with pytest.raises(SpecError, match="`last` of LastNumbers must be a whole number, 1 or more"):
        LastNumbers(last=last)
