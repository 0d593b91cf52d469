"""The number-set rule."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import SpecError
from finassay.scorers.numbers import NumberSet, number_set
from scoring import mark


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("30", "30"),
        ("30.", "30"),
        ("It is 30, or 40.", "30 40"),
        ("1,00,000", "100000"),
        ("12,34,567.50", "1234567.5"),
        ("1,234,567", "1234567"),
        ("100,000,000", "100000000"),
        ("1,2", "1 2"),
        ("1,2,3", "1 2 3"),
        ("2019,2020", "2019 2020"),
        ("12345,678", "12345 678"),
        ("1,2345", "1 2345"),
        ("1,,000", "1 0"),
        (",5,", "5"),
        ("007", "7"),
        ("0.50", "0.5"),
        (".5", "0.5"),
        ("($.5)", "0.5"),
        ("0", "0"),
        ("0.0", "0"),
        ("1.2.3", "1.2 3"),
        ("No.5", "5"),
        ("wait...5", "5"),
        ("7:30 and 3 5", "7 30 3 5"),
        ("2x3", "2 3"),
        ("-5%", "5"),
        ("(3.14)", "3.14"),
        ("₹500/-", "500"),
        ("३०", "30"),
        ("３０", "30"),
        ("٣", "3"),
        ("x² and ½", ""),
        ("thirty", ""),
        ("", ""),
    ],
)
def test_numbers_are_read_in_plain_digits(text: str, numbers: str):
    assert number_set(text) == frozenset(numbers.split())


@settings(deadline=None)
@given(values=st.lists(st.decimals("0", "99999999", places=2), max_size=4), comma=st.booleans())
def test_numbers_written_apart_are_read_back(values: list[Decimal], comma: bool):  # noqa: FBT001
    form = "{:,}" if comma else "{}"
    text = " and ".join(form.format(value) for value in values)
    assert {Decimal(number) for number in number_set(text)} == set(values)


def test_equal_asks_for_the_same_numbers_and_subset_for_all_of_the_reference():
    for reply, equal, subset in (("30 days", 1, 1), ("30 of 60", 0, 1), ("60", 0, 0)):
        assert mark("number_set", "30", reply).value == equal
        assert mark('number_set[compare="subset"]', "30", reply).value == subset
    assert mark('number_set[compare="subset"]', "30 of 60", "30").value == 0.0


def test_what_was_read_is_told():
    assert mark("number_set", "30", "40, then 30.0").extracted == "30 40"


def test_a_reply_without_number_is_unparsed_not_wrong():
    assert mark("number_set", "30", "thirty").status == "unparsed"


def test_a_reference_without_number_is_not_applicable():
    assert mark("number_set", "thirty", "30").status == "not_applicable"


def test_both_ways_of_comparing_share_a_measure():
    assert NumberSet().measure_key == NumberSet(compare="subset").measure_key


def test_an_unknown_way_to_compare_is_refused():
    with pytest.raises(SpecError, match="must be 'equal' or 'subset', got 'superset'"):
        NumberSet(compare="superset")
