"""Looking words up before a search never hides what the search would find."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text.folding import is_apart, places_of, vocabulary
from finassay.text.once import ReadOnce
from finassay.text.polarity import read_directions, read_hedges, read_negations, read_polarity
from finassay.text.refusals import read_refusals, says_refusal
from finassay.text.spans import lowered

# What the readers look for, as one pattern each; slow, and nothing is looked up before.
NEGATION = re.compile(
    "\\b(?:not|no|never|none|neither|nor|nothing|nobody|cannot|fails? to|failed to|absence of"
    "|(?:excluded|exempt|exempted|barred|prohibited) from)\\b|n['\u2019]t\\b"
    "|[不没無无未非](?!过|仅|但|管|论)|नहीं|(?<![^\\W])न(?![^\\W])"
)
NO_NEGATION = re.compile(
    "\\bnot only\\b|\\bno later\\b|\\bno\\.\\s?\\d|\\bnot (?:less|more|fewer|greater|"
    "earlier|later|exceed)|\\bno (?:less|more|fewer|earlier)|不(?:少于|超过|低于|高于|得?少|得?超)"
)
DIRECTION = re.compile(
    "\\b(?:increas(?:e[sd]?|ing)|r[io]se[sn]?|rising|risen|raised?|raises|raising|grow(?:s"
    "|n|ing|th)?"
    "|grew|improv(?:e[sd]?|ing|ements?)|gain(?:s|ed|ing)?|expand(?:s|ed|ing)?|expansion|higher"
    "|climb(?:s|ed)?|strengthen(?:s|ed)?|upward|surged?|jumped|widen(?:s|ed)?"
    "|accelerat(?:e[sd]?|ing)|upgrad(?:e[sd]?|ing)|better"
    "|up)\\b|(?:增长|上升|增加|提高|上涨|上调)"
    "|\\b(decreas(?:e[sd]?|ing)|declin(?:e[sd]?|ing)|fall(?:s|en|ing)?|fell|drop(?:s|ped|ping)?"
    "|reduc(?:e[sd]?|ing|tions?)|shr[aiu]nk(?:s|ing)?|worsen(?:s|ed|ing)?|deteriorat(?:e[sd]?|ing)"
    "|lower(?:ed)?|weaken(?:s|ed)?|downward|contract(?:ed|ion)|los(?:t|e|es|ing|s|ses)"
    "|plung(?:ed?|es)"
    "|slump(?:ed|s)?|downgrad(?:e[sd]?|ing)|worse|narrow(?:ed|s)?|down)\\b|(下降|减少|下滑|降低|下跌|下调)"
)
WORDS = str.split(
    "not no never none cannot fails to failed absence of barred from don't isn\u2019t only later "
    "less than no. 5 increase rose risen up downwards upward lost losses shrank down fell up_ 不 "
    "不过 没有 不少于 增长 下降 नहीं न İ may might either be yes true answer : the so , . it is do "
    "provide information unable i sorry as an ai could found if you have please"
)
TEXTS = st.tuples(
    st.lists(st.sampled_from(WORDS), max_size=25), st.sampled_from([" ", "", "\n"])
).map(lambda drawn: drawn[1].join(drawn[0]))


@given(text=TEXTS)
@settings(deadline=None, max_examples=300)
def test_negations_are_those_of_one_search(text: str):
    low = lowered(text)
    others = [found.span() for found in NO_NEGATION.finditer(low)]
    assert read_negations(text) == tuple(
        found.span()
        for found in NEGATION.finditer(low)
        if not any(start <= found.start() < end for start, end in others)
    )


@given(text=TEXTS)
@settings(deadline=None, max_examples=300)
def test_directions_are_those_of_one_search(text: str):
    assert [(d.start, d.end) for d in read_directions(text)] == [
        found.span() for found in DIRECTION.finditer(lowered(text))
    ]


@given(text=TEXTS)
@settings(deadline=None, max_examples=200)
def test_a_vocabulary_that_is_known_changes_nothing(text: str):
    words = vocabulary(lowered(text))
    for reader in (read_negations, read_directions, read_hedges, read_refusals):
        assert reader(text, words) == reader(text)
    assert read_polarity(text, "Did it rise?", words) == read_polarity(text, "Did it rise?")


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, that is unknown.", "I am unable to say.", "I apologize.", "I can not tell.",
        "I can\u2019t.", "I don't know.", "As an AI, I pass.", "It is not possible to answer.",
        "It cannot be determined.", "I am not in a position to say.",
    ],
)  # fmt: skip
def test_phrases_that_decline_alone_are_found(text: str):
    assert says_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "The text does not explicitly state it.", "It isn't disclosed.", "Not enough information.",
        "n/a", "No answer.", "The figure could not be derived from the data.",
        "You would typically need the notes.", "If you have the notes, look there.",
        "Please consult the notes.", "They have not been provided.", "At my last knowledge update",
        "My knowledge cut-off", "The excerpt gives no figure.", "无法确定", "जानकारी उपलब्ध नहीं",
    ],
)  # fmt: skip
def test_phrases_beside_an_answer_are_found(text: str):
    assert read_refusals(text)


def test_words_are_found_where_digits_touch_them_and_letters_do_not():
    assert places_of({"fy", "up"}, "fy2018 sup up") == [(0, "fy"), (11, "up")]
    assert not is_apart("fy2018", 0, 2)
    assert is_apart("(fy)", 1, 3)


def test_a_part_is_read_once():
    class Text:
        reads = 0

        @ReadOnce
        def words(self) -> int:
            """The words."""
            self.reads += 1
            return self.reads

    text = Text()
    assert (text.words, text.words, text.reads) == (1, 1, 1)
    assert Text.words.__doc__ == "The words."
