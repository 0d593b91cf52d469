import pytest

from finassay.text.refusals import says_refusal


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


@pytest.mark.parametrize(
    "reply", ["good", "", "The bank cannot pay.", "They were unable to deliver.", "I know: no."]
)
def test_words_about_others_are_no_refusal(reply: str):
    assert not says_refusal(reply)
