"""What holds for finding the part of a reply that is its answer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text.answer_parts import (
    answer_parts,
    bare_lines,
    plain_form,
    read_json,
    without_explanation,
)


@pytest.mark.parametrize(
    ("reply", "part"),
    [
        ("Answer: low", "low"),
        ("答案：低", "低"),
        ("**Final answer:** low", "low"),
        ("【答案】低", "【答案】低"),
        ("【答案】：低", "低"),
        ("结论是驳回", "驳回"),
        ("The answer is low", "low"),
        ("They differ, so the final answer is low.", "low."),
        ("Step 1. Step 2. Answer: low", "low"),
        ("规则如此。因此答案是低", "低"),
        ("Answer: high\nAnswer: low", "low"),
        ("Some words.\n\nGrade: low\n", "low"),
        ("Provisions:\n- Article 4\n- Article 5\n\nBoth apply.", "- Article 4\n- Article 5"),
        ("```\nlow\n```", "low"),
        ('```json\n{"answer": "low"}\n```', "low"),
        ('{"answer": "low", "reason": "x"}', "low"),
        ('{"答案": "低"}', "低"),
        ('{"anything": "low"}', "low"),
        ('{"answer": ["a", "b"]}', "a; b"),
        ('["a", 2]', "a; 2"),
    ],
)
def test_what_announces_an_answer_is_followed(reply: str, part: str):
    assert answer_parts(reply).texts[0] == part


@pytest.mark.parametrize(
    "reply",
    ['{"a": 1, "b": 2}', '{"answer": null}', '{"answer": {"x": 1}}', "[]", '{"answer": 1', "{}"],
)
def test_json_that_names_no_answer_stays_as_it_is(reply: str):
    assert answer_parts(reply).texts[0] == reply


def test_without_an_announcement_the_whole_the_first_and_the_last_line_are_read():
    parts = answer_parts("low\nmiddle\nend\n\nReason: high")
    assert parts.texts == ("low\nmiddle\nend", "low", "end")
    assert not parts.is_announced
    assert answer_parts("").texts == ("",)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("low\nExplanation: high", "low"),
        ("低\n理由：高", "低"),
        ("low\n\n**Reasoning**: high", "low"),
        ("Because: high", "Because: high"),
        ("low for a reason: x", "low for a reason: x"),
    ],
)
def test_an_announced_explanation_is_left_out(text: str, left: str):
    assert without_explanation(text) == left


def test_bullets_and_numbers_of_a_list_are_no_content():
    text = "- a\n* b\n3. c\n4、d\n（5）e\n⑥ f\n\n---\n2.5 g"
    assert bare_lines(text) == ["a", "b", "c", "d", "e", "f", "2.5 g"]


def test_plain_form_folds_width_case_spaces_and_outer_marks():
    assert plain_form("　“Ｌｏｗ \n Risk”。") == "low risk"
    assert plain_form("**低风险**；") == "低风险"
    assert plain_form("\u200b") == ""


def test_deep_or_broken_json_is_no_json():
    assert read_json("[" * 100_000) is None
    assert read_json("{'a': 1}") is None
    assert read_json("low") is None


@given(st.text(max_size=200))
@settings(deadline=None, max_examples=200)
def test_any_text_has_parts_that_stand_in_it_or_in_its_json(text: str):
    parts = answer_parts(text)
    assert parts.texts
    if not parts.is_announced:
        assert all(part in text for part in parts.texts)
