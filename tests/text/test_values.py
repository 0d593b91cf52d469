from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text.values import are_equal, value_of


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Regulation 30(6)", "provision"),
        ("Sections 4 to 6", "provision"),
        ("1 January 2027", "date"),
        ("Rs 5 lakh", "quantity"),
        ("about 5%", "quantity"),
        ("Yes.", "truth"),
        ("TRUE", "truth"),
        ("30 days after 1 January 2027", "text"),
        ("within Section 4 of the law", "text"),
        ("the fee", "text"),
    ],
)
def test_a_text_has_a_type_when_it_is_that_and_nothing_else(text: str, kind: str):
    assert value_of(text).type == kind


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ("Rs 5 lakh", "500000", True),
        ("Rs 5 lakh", "$500000", False),
        ("5%", "5", True),
        ("5%", "5 per cent", True),
        ("30 days", "30 months", False),
        ("5-7%", "5%", False),
        ("at least 5%", "5%", False),
        ("2027-01-01", "1 Jan 2027", True),
        ("Section 12A", "Section 12a", True),
        ("Section 12", "Regulation 12", False),
        ("Fee", "the fee", False),
        ("Fee!", "fee", True),
        ("", "", False),
        ("...", "...", False),
        ("%", "%", True),
    ],
)
def test_values_are_equal_by_type(left: str, right: str, *, equal: bool):
    assert are_equal(value_of(left), value_of(right)) is equal


@settings(deadline=None, max_examples=200)
@given(left=st.text(max_size=30), right=st.text(max_size=30))
def test_equality_is_symmetric_and_a_text_equals_itself_unless_empty(left: str, right: str):
    one, other = value_of(left), value_of(right)
    assert are_equal(one, other) == are_equal(other, one)
    assert are_equal(one, one) is not one.is_empty
