import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text.refusals import read_refusals, says_refusal


@pytest.mark.parametrize(
    "reply",
    [
        "I cannot assess this customer.",
        "I\u2019m sorry, but this is not possible to determine.",
        "As an AI language model, I have no opinion.",
        "It is impossible to say.",
        "This cannot be determined from the text.",
        "I don't know",
    ],
)
def test_words_that_decline_are_a_refusal(reply: str):
    assert says_refusal(reply)
    assert any(refusal.declines for refusal in read_refusals(reply))


@pytest.mark.parametrize(
    "reply", ["good", "", "The bank cannot pay.", "They were unable to deliver.", "I know: no."]
)
def test_words_about_others_are_no_refusal(reply: str):
    assert not says_refusal(reply)
    assert not read_refusals(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "The filing does not provide the figure.",
        "The amount is not disclosed.",
        "There is not enough information.",
        "该文件未披露该数据",
        "जानकारी उपलब्ध नहीं है",
    ],
)
def test_what_is_missing_from_the_source_is_read_but_does_not_decline_alone(reply: str):
    assert read_refusals(reply)
    assert not says_refusal(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "An adviser cannot provide distribution services.",
        "If no comments are made, the Board is deemed not to object.",
        "The certificate does not have a fixed expiry.",
    ],
)
def test_what_a_statute_forbids_is_no_refusal(reply: str):
    assert not read_refusals(reply)


def test_advice_at_the_end_of_an_answer_is_told_apart():
    (found,) = read_refusals("It is 5%. Please check the original.")
    assert found.advises


@settings(deadline=None)
@given(st.text(max_size=120))
def test_spans_lie_inside_the_text(text: str):
    found = read_refusals(text)
    assert list(found) == sorted(found)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
