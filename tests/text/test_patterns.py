"""Patterns that a search runs through fast say what the plain ones say."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text.patterns import at_word

ALTERNATIVES = (
    "is|are|was|were",
    "no|not enough|enough",
    r"i(?:['\u2019]m| am) sorry\b|i apologi[sz]e\b",
    "cannot|can not|could not",
    "a[b|]c|ab",
)
PIECES = (
    *str.split("is are was no not enough i'm i\u2019m sorry am apologise cannot can could a|c abc"),
    " ", "_", "1", "\u00e9", "\n", "x", "-",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@pytest.mark.parametrize("alternatives", ALTERNATIVES)
@given(text=TEXTS)
@settings(deadline=None, max_examples=150)
def test_the_matches_are_those_of_the_plain_pattern(alternatives: str, text: str):
    plain = re.compile(rf"\b(?:{alternatives})")
    fast = re.compile(at_word(alternatives))
    assert [m.span() for m in fast.finditer(text)] == [m.span() for m in plain.finditer(text)]


@pytest.mark.parametrize("alternatives", ["is|[ab]c", "", "is|", "ab|a?b", "(?:a|b)c"])
def test_an_alternative_that_opens_with_no_letter_of_its_own_is_refused(alternatives: str):
    with pytest.raises(ValueError, match="has to open with a letter of its own"):
        at_word(alternatives)
