from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text import final_answers
from finassay.text.final_answers import MOST_FIRST, MOST_LAST, boxes, statements


def read(text: str) -> list[tuple[str, str]]:
    return [(text[s.start : s.end].strip(), s.cue) for s in statements(text)]


def test_sentences_and_lines_are_statements_with_their_cue():
    text = "Sales were 80. Margin = 80 / 640 = 12.5%\nTherefore it is 12.5%.\n**Answer:** 12.5%"
    assert read(text) == [
        ("Sales were 80.", "none"),
        ("Margin = 80 / 640 = 12.5%", "calculation"),
        ("Therefore it is 12.5%.", "conclusion"),
        ("**Answer:** 12.5%", "answer"),
    ]


@pytest.mark.parametrize(
    "text", ["It costs Rs. 500 a year.", "The U.S. Treasury pays.", "Acme Inc. lost 2.5 million."]
)
def test_an_abbreviation_ends_no_sentence(text: str):
    assert len(statements(text)) == 1


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("最终答案：5", "answer"),
        ("The correct answer is B", "answer"),
        (r"\boxed{5}", "box"),
        ("So, it is 5", "conclusion"),
        ("It was therefore 5", "conclusion"),
        ("It is **5**", "bold"),
        ("The answering machine", "none"),
    ],
)
def test_cues_are_told_apart(text: str, cue: str):
    assert [s.cue for s in statements(text)] == [cue]


def test_boxes_are_read_with_balanced_braces():
    text = r"first \boxed{\frac{1}{2}} then \boxed{3} and \boxed{open"
    assert [text[start:end] for start, end in boxes(text)] == [r"\frac{1}{2}", "3"]


def test_of_very_many_statements_the_first_and_last_are_kept():
    found = statements("A line.\n" * 1000)
    assert len(found) == MOST_FIRST + MOST_LAST
    assert found[0].start == 0
    assert found[-1].end == 7999


@settings(deadline=None)
@given(st.text(max_size=120))
def test_statements_rise_lie_inside_and_hold_something(text: str):
    found = statements(text)
    edges = [at for s in found for at in (s.start, s.end)]
    assert edges == sorted(edges)
    assert all(text[s.start : s.end].strip() for s in found)


PLAIN_END = re.compile(r"\n+|[.!?][\"'\u201d\u2019)\]*_`]*(?=\s|$)|[。！？；]")


@given(text=st.text(alphabet="a.!?\n\"')*_` 。；", max_size=40))
@settings(deadline=None, max_examples=300)
def test_statements_end_where_the_plain_pattern_ends_them(text: str):
    ends = [found.span() for found in final_answers._END.finditer(text)]
    assert ends == [found.span() for found in PLAIN_END.finditer(text)]
