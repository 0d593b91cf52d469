from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text.lists import list_elements


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("a; b; c", ("a", "b", "c")),
        ("a, b and c", ("a", "b", "c")),
        ("a, b, and c.", ("a", "b", "c")),
        ("terms and conditions", ("terms and conditions",)),
        ("a, b; c", ("a, b", "c")),
        ("- a\n* b\n3. c\n(d) d", ("a", "b", "c", "d")),
        ("The banks are:\n- a\n- b", ("a", "b")),
        ("1,000, 2,500 and 3", ("1,000", "2,500", "3")),
        ("1,2,3", ("1", "2", "3")),
        ("2019,2020", ("2019", "2020")),
        ("北京、上海，广州", ("北京", "上海", "广州")),
        ('["a", "b", 3]', ("a", "b", "3")),
        ("Answer: a, b", ("a", "b")),
        ("thoughts, more. Final answer: a, b", ("a", "b")),
        ("", ()),
        (" ;,; ", ()),
    ],
)
def test_elements_are_what_stands_between_the_marks_of_a_list(text: str, elements: tuple[str, ...]):
    assert list_elements(text) == elements


def test_and_joins_two_elements_only_where_one_of_them_is_known():
    assert list_elements("a and b", part={"a"}.__contains__) == ("a", "b")
    assert list_elements("a and b", whole={"a and b"}.__contains__, part={"a"}.__contains__) == (
        "a and b",
    )


def test_a_lead_in_goes_where_a_known_element_follows_it():
    known = {"SBI"}.__contains__
    assert list_elements("The banks are SBI, HDFC", whole=known) == ("SBI", "HDFC")
    assert list_elements("The banks are SBI, HDFC") == ("The banks are SBI", "HDFC")


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=60))
def test_elements_are_stripped_pieces_of_the_text(text: str):
    for element in list_elements(text):
        assert element
        assert element == element.strip()


@given(st.lists(st.sampled_from(["fee", "rate of tax", "30 days", "北京"]), min_size=2, max_size=6))
@settings(deadline=None, max_examples=40)
def test_a_list_that_is_written_out_is_read_back(elements: list[str]):
    for text in ("; ".join(elements), "\n- ".join(["", *elements])):
        assert list_elements(text) == tuple(elements)
