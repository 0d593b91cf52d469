"""Numbers of provisions that were put in between two others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finassay.retrieval import tokens
from finassay.retrieval.lettered import with_letters_joined


@pytest.mark.parametrize(
    ("written", "token"),
    [
        ("section 45-IA", "section:45ia"),
        ("Section 45-IA(6)", "section:45ia(6)"),
        ("sections 45-IA and 45-IB", "section:45ib"),
        ("Chapter VI-A", "chapter:6a"),
        ("Chapter VIA", "chapter:6a"),
        ("Part IX-B", "part:9b"),
    ],
)
def test_the_letter_belongs_to_the_number(written: str, token: str) -> None:
    found = tokens(written)
    assert token in found
    assert not {"section:45", "chapter:vi", "part:ix"} & set(found)


@pytest.mark.parametrize(
    "text", ["Form 10-K", "rule 2-4", "sections 10-12", "Chapter VI", "Chapter XA", "8-K filing"]
)
def test_other_hyphens_stay(text: str) -> None:
    assert with_letters_joined(text) == text


@given(st.text("section 45-IAVX(),and"))
def test_nothing_moves(text: str) -> None:
    made = with_letters_joined(text)
    assert len(made) == len(text)
    small = [(old, new) for old, new in zip(text, made, strict=True) if old.islower()]
    assert all(old == new for old, new in small)
