"""Reading files of pairwise judgments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from finassay.errors import BadRowsError, MappingError
from finassay.runs.pairwise import JudgedPair, read_pairs

HEADER = "pair_id,judge,order,winner,label,source\n"


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def lines(path: Path, rows: list[dict[str, object]]) -> Path:
    return written(path, "".join(json.dumps(row) + "\n" for row in rows))


def judgebench(**changes: object) -> dict[str, object]:
    row: dict[str, object] = {
        "pair_id": "p",
        "source": "s",
        "label": "A>B",
        "judge_name": "arena_hard",
        "judge_model": "m",
        "judgments": [
            {"response_tail": "[[A>>B]]", "decision": "A>B", "scores": None},
            {"response_tail": "[[A>B]]", "decision": "A>B", "scores": None},
        ],
    }
    return row | changes


def winners(pair: JudgedPair) -> list[str | None]:
    return [one.winner for one in pair.orders]


def test_the_second_judgment_saw_the_answers_swapped(tmp_path: Path):
    (pair,) = read_pairs(lines(tmp_path / "f.jsonl", [judgebench()]))
    assert (pair.judge, pair.label, pair.source) == ("m", "left", "s")
    assert [one.order for one in pair.orders] == ["left_first", "right_first"]
    assert winners(pair) == ["left", "right"]


def test_scores_are_turned_with_the_answers(tmp_path: Path):
    judgments = [
        {"response_tail": "", "decision": "A>B", "scores": [2.0, 1.0]},
        {"response_tail": "", "decision": "B>A", "scores": [1.0, 2.0]},
    ]
    (pair,) = read_pairs(lines(tmp_path / "f.jsonl", [judgebench(judgments=judgments)]))
    assert [one.scores for one in pair.orders] == [(2.0, 1.0), (2.0, 1.0)]
    assert [one.reply for one in pair.orders] == [None, None]
    assert winners(pair) == ["left", "left"]


def test_a_reply_may_stand_inside_its_judgment(tmp_path: Path):
    judgments = [{"judgment": {"response": "So [[B>A]]", "prompt": "x"}, "decision": None}]
    (pair,) = read_pairs(lines(tmp_path / "f.jsonl", [judgebench(judgments=judgments)]))
    assert (pair.orders[0].reply, pair.orders[0].winner) == ("So [[B>A]]", None)


def test_a_model_that_judges_in_two_ways_is_two_judges(tmp_path: Path):
    rows = [judgebench(), judgebench(judge_name="vanilla")]
    names = [pair.judge for pair in read_pairs(lines(tmp_path / "f.jsonl", rows))]
    assert names == ["m (arena_hard)", "m (vanilla)"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"judgments": []}, "a list of one or two objects"),
        ({"judgments": [{"decision": "A>B"}] * 3}, "a list of one or two objects"),
        ({"judgments": ["A>B"]}, "a list of one or two objects"),
        ({"judgments": [{"decision": "A better"}]}, "a decision must be left, right, tie"),
        ({"judgments": [{"decision": "A>B", "scores": [1]}]}, "two numbers"),
        ({"judgments": [{"decision": "A>B", "scores": [1, float("nan")]}]}, "two numbers"),
        ({"label": "best"}, "`label` must be left or right"),
        ({"pair_id": ""}, "must be given"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(
    tmp_path: Path, changes: dict[str, object], message: str
):
    with pytest.raises(BadRowsError, match=rf"f\.jsonl:1: .*{message}"):
        read_pairs(lines(tmp_path / "f.jsonl", [judgebench(**changes)]))


def test_a_pair_judged_twice_is_refused(tmp_path: Path):
    with pytest.raises(BadRowsError, match=r"f\.jsonl:2: .*again, first at .*:1"):
        read_pairs(lines(tmp_path / "f.jsonl", [judgebench(), judgebench()]))


def test_plain_decisions_are_read_by_side_or_by_position(tmp_path: Path):
    text = HEADER + (
        "p,j,left_first,left,left,s\n"
        "p,j,right_first,first,left,s\n"
        "q,j,AB,B,right,s\n"
        "q,j,BA,tie,right,s\n"
        "r,j,1,,,s\n"
    )
    pairs = read_pairs(written(tmp_path / "f.csv", text))
    assert [winners(pair) for pair in pairs] == [["left", "right"], ["right", "tie"], [None]]
    assert [pair.label for pair in pairs] == ["left", "right", None]


def test_plain_scores_follow_the_order(tmp_path: Path):
    text = (
        "pair_id,judge,order,winner,score_first,score_second\n"
        "p,j,left_first,left,2,1\n"
        "p,j,right_first,left,1,2\n"
    )
    (pair,) = read_pairs(written(tmp_path / "f.csv", text))
    assert [one.scores for one in pair.orders] == [(2.0, 1.0), (2.0, 1.0)]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("p,j,first,left,left,s\n", "`order` must be left_first or right_first"),
        ("p,j,left_first,me,left,s\n", "a decision must be"),
        (",j,left_first,left,left,s\n", "`pair_id` and `judge` must be given"),
        ("p,j,left_first,left,left,s\np,j,left_first,right,left,s\n", "in this order again"),
        ("p,j,left_first,left,left,s\np,j,right_first,right,right,s\n", "a pair has one label"),
    ],
)
def test_a_decision_that_cannot_be_used_is_named(tmp_path: Path, body: str, message: str):
    with pytest.raises(BadRowsError, match=message):
        read_pairs(written(tmp_path / "f.csv", HEADER + body))


def test_a_file_of_another_kind_is_refused(tmp_path: Path):
    with pytest.raises(MappingError, match="missing: pair_id, judge, order, winner"):
        read_pairs(written(tmp_path / "f.csv", "a,b\n1,2\n"))
