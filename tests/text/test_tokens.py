"""Tokens for overlap measures."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text.tokens import tokens


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (" \n\u0085\u00a0", []),
        ("thirty days", ["thirty", "days"]),
        ("2.5% p.a.", ["2.5%", "p.a."]),
        ("超过30天", ["超", "过", "30", "天"]),
        ("カナ ひら 한국", ["カ", "ナ", "ひ", "ら", "한", "국"]),
        ("नियम की", ["नियम", "की"]),
        ("A股ETF", ["A", "股", "ETF"]),
    ],
)
def test_words_and_ideographs_are_tokens(text: str, found: list[str]):
    assert tokens(text) == found


@settings(deadline=None)
@given(text=st.text(st.characters()))
def test_no_character_but_white_space_is_lost(text: str):
    assert "".join(tokens(text)) == "".join(text.split())


@settings(deadline=None)
@given(text=st.text(st.characters(max_codepoint=0x3000)))
def test_without_ideographs_tokens_are_the_runs_between_white_space(text: str):
    assert tokens(text) == text.split()
