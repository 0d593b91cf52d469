"""What a passage shares with a query is marked, and nothing of the passage is lost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.retrieval.highlighting import segments


def marked(text: str, query: str) -> list[str]:
    return [part.text for part in segments(text, query) if part.is_shared]


@settings(deadline=None, max_examples=60)
@given(text=st.text(max_size=80), query=st.text(max_size=30))
def test_the_parts_joined_are_the_passage(text: str, query: str):
    assert "".join(part.text for part in segments(text, query)) == text


def test_words_are_found_in_the_singular_and_whatever_their_case():
    text = "Every Broker shall pay; no broker's penalty is waived, nor the company's penalties."
    found = ["Broker", "broker's penalty", "penalties"]
    assert marked(text, "penalty of the brokers") == found
    assert marked(text, "broker's penalty") == found


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        (
            "as circular SEBI/HO/CFD/2024/118 explains.",
            "SEBI/HO/CFD/2024/118",
            "SEBI/HO/CFD/2024/118",
        ),
        ("a late fee of 2% is due", "2%", "2%"),
    ],
)
def test_an_identifier_is_marked_as_a_whole(text: str, query: str, found: str):
    assert found in marked(text, query)


def test_function_words_are_not_marked():
    assert marked("of the fee and of the term", "what of the term") == ["term"]


def test_a_query_of_nothing_marks_nothing():
    assert [part.is_shared for part in segments("a fee", "  ")] == [False]
    assert segments("", "fee") == ()
