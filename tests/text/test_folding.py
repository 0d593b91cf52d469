from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text import dates, financial_years, no_quantity
from finassay.text.folding import MOST, both_ends, fold

PIECES = st.sampled_from(
    ["a", "5", "**", "__", "$", "\\", "\\text{", "\\boxed{", "}", "&amp;", "&#8377;", "\u200b", "½",
     "５", "\u00a0", " ", "{,}", "<b>", "\n", "İ", "%", "\\%"]
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("５０％", "50%"),
        ("३०", "30"),
        ("−5", "-5"),
        ("5\u202f000", "5\u00a0000"),
        ("**73**", "73"),
        ("2**3", "2**3"),
        ("__x__", "x"),
        ("snake__case", "snake__case"),
        ("\\$1{,}577", "$1,577"),
        ("\\boxed{5\\%}", " 5%}"),
        ("$8.7$", "8.7"),
        ("$5 and $6", "$5 and $6"),
        ("100$", "100$"),
        ("&#8377;5 &amp; more", "₹5 & more"),
        ("net\u200b worth", "net worth"),
        ("¹", "¹"),
        ("plain", "plain"),
    ],
)
def test_a_text_has_one_plain_spelling(text: str, folded: str):
    assert fold(text).text == folded


@settings(deadline=None, max_examples=300)
@given(text=st.lists(PIECES, max_size=30).map("".join))
def test_every_position_leads_back_to_the_text_as_written(text: str):
    folded = fold(text)
    starts = [folded.span(at, at + 1) for at in range(len(folded.text))]
    assert starts == sorted(starts)
    assert all(0 <= start < end <= len(text) for start, end in starts)
    for at, (start, end) in enumerate(starts):
        if end - start == 1:
            assert fold(text[start]).text in {folded.text[at], ""}


@settings(deadline=None, max_examples=200)
@given(text=st.text(max_size=60))
def test_lower_case_keeps_every_position(text: str):
    folded = fold(text)
    assert len(folded.low) == len(folded.text)


def test_words_are_placed_where_they_stand_alone():
    folded = fold("fy2018, FY and defy; two twofold")
    assert folded.places(frozenset({"fy", "two"})) == [(0, "fy"), (8, "fy"), (21, "two")]


def test_too_many_findings_are_cut_in_the_middle():
    found = list(range(MOST + 10))
    kept = both_ends(found)
    assert len(kept) == MOST
    assert kept[0] == 0
    assert kept[-1] == found[-1]
    assert both_ends(found[:MOST]) == found[:MOST]


TIED = (
    no_quantity._CHAIN,
    no_quantity._LOCAL_PHONE,
    dates._MARKED,
    dates._ISO,
    dates._FIGURES,
    financial_years._PAIR,
)
TIES = st.lists(
    st.sampled_from(
        [*"0123456789", "20", "2012", "555", "-", "\u2013", "/", ".", ",", "'", "(", ")", " ",
         "\u00a0", "a"]
    ),
    max_size=14,
).map("".join)  # fmt: skip


@pytest.mark.parametrize("pattern", TIED, ids=lambda pattern: pattern.pattern[:20])
@given(text=TIES)
@settings(deadline=None, max_examples=150)
def test_whatever_ties_digits_to_others_is_seen_before_it_is_searched_for(
    pattern: re.Pattern[str], text: str
):
    folded = fold(text)
    assert folded.ties or pattern.search(folded.low) is None


@pytest.mark.parametrize(
    ("text", "ties"),
    [
        ("2012-13", True),
        ("2012 \u2013 13", True),
        ("1/2", True),
        ("1.2.3", True),
        ("5.5 and 1,234 in 2020", False),
        ("well-known 5", False),
    ],
)
def test_a_text_says_whether_its_digits_are_tied(text: str, *, ties: bool):
    assert fold(text).ties is ties


def test_where_digits_are_too_many_to_look_at_they_may_be_tied():
    assert fold("1 " * MOST).ties
