from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text.content_words import content_stems, content_words, stem


@pytest.mark.parametrize(
    "words",
    [
        ("operations", "operates", "operating", "operational"),
        ("consumer", "consumers"),
        ("cyclical", "cyclicality"),
        ("liability", "liabilities"),
        ("acquired", "acquire", "acquires"),
    ],
)
def test_inflections_share_a_stem(words: tuple[str, ...]):
    assert len({stem(word) for word in words}) == 1


def test_function_words_and_numbers_carry_no_content():
    assert content_stems("The fee is 30 of the 40 days") == (stem("fee"), stem("days"))


def test_characters_of_scripts_without_spaces_are_words():
    assert content_stems("净利润") == ("净", "利", "润")


@settings(deadline=None)
@given(st.text(max_size=80))
def test_spans_rise_and_stems_are_those_of_the_words(text: str):
    found = content_words(text)
    assert tuple(word.stem for word in found) == content_stems(text)
    assert all(0 <= word.start < word.end <= len(text) for word in found)
