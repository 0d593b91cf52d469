import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text.sentences import sentences


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("  \n ", []),
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("No end", ["No end"]),
        ("It costs Rs. 500 a year. Pay it.", ["It costs Rs. 500 a year.", "Pay it."]),
        ("See Art. 4 and No. 7. Then stop.", ["See Art. 4 and No. 7.", "Then stop."]),
        ("It rose 2.5 percent. Fine.", ["It rose 2.5 percent.", "Fine."]),
        ("The U.S. Treasury pays. Always.", ["The U.S. Treasury pays.", "Always."]),
        ('He said "No." Then he left.', ['He said "No."', "Then he left."]),
        ("within 30 days. the clock runs", ["within 30 days. the clock runs"]),
        ("First.\n\n(2) Second.", ["First.", "(2) Second."]),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, found: list[str]):
    assert sentences(text) == found


@settings(deadline=None)
@given(st.text(max_size=200))
def test_no_sentence_is_blank_or_has_outer_white_space(text: str):
    assert all(sentence and sentence == sentence.strip() for sentence in sentences(text))


@settings(deadline=None)
@given(st.text(alphabet="aA1.!? \n", max_size=80))
def test_no_letter_or_digit_is_lost(text: str):
    def kept(string: str) -> str:
        return "".join(character for character in string if character.isalnum())

    assert kept("".join(sentences(text))) == kept(text)
