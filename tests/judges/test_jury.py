"""Juries: one vote for each judge."""

from __future__ import annotations

import pytest

from finassay.errors import UsageError
from finassay.judges.identity import JudgeId
from finassay.judges.jury import jury_id, jury_verdict
from finassay.records import Verdict


def scored(value: float) -> Verdict:
    return Verdict(status="scored", value=value, label="CORRECT" if value else "INCORRECT")


RIGHT, WRONG = scored(1.0), scored(0.0)
UNREAD = Verdict(status="unparsed", reason="no verdict")
LOST = Verdict(status="failed", reason="timeout")
EMPTY = Verdict(status="no_answer", reason="the reply is empty and was not sent")


def judge(name: str, prompt: str = "A") -> JudgeId:
    return JudgeId(name=name, task="single", arm="human", prompt=prompt)  # type: ignore[arg-type]


def test_most_judges_decide_and_are_named():
    verdict = jury_verdict({"a": RIGHT, "b": WRONG, "c": RIGHT}, task="single")
    assert (verdict.value, verdict.label) == (1.0, "CORRECT")
    assert verdict.flags == ("jury:2-1",)
    assert verdict.reason == "2 of 3 judges (a, c)"


def test_a_judge_that_cannot_be_read_is_counted_apart():
    verdict = jury_verdict({"a": RIGHT, "b": UNREAD, "c": RIGHT}, task="single")
    assert verdict.flags == ("jury:2-0-1",)
    tied = jury_verdict({"a": RIGHT, "b": UNREAD, "c": WRONG}, task="single")
    assert (tied.status, tied.reason) == ("unparsed", "votes are tied 1 to 1")


def test_failed_judges_leave_the_jury_failed_where_they_could_decide():
    assert jury_verdict({"a": RIGHT, "b": LOST, "c": LOST}, task="single").status == "failed"


def test_a_judge_of_its_own_answer_has_no_vote():
    verdict = jury_verdict({"a": WRONG, "b": RIGHT, "c": RIGHT}, task="single", excluded={"a"})
    assert (verdict.value, verdict.flags) == (1.0, ("jury:2-0", "jurors_left_out:1"))
    alone = jury_verdict({"a": RIGHT}, task="single", excluded={"a"})
    assert (alone.status, alone.reason) == ("not_applicable", "no judge may judge this answer")


def test_what_no_judge_was_asked_stays_as_it_is():
    assert jury_verdict({"a": EMPTY, "b": EMPTY}, task="single") == EMPTY


def test_grades_meet_in_the_middle():
    grades = {name: Verdict(status="scored", value=v, label=str(v)) for name, v in
              (("a", 0.0), ("b", 0.5), ("c", 1.0))}  # fmt: skip
    assert jury_verdict(grades, task="rubric").value == 0.5


def test_the_id_of_a_jury_carries_the_protocol():
    assert str(jury_id("three", [judge("a"), judge("b")])) == "judge/jury-three/single/human/A"


def test_juries_of_one_or_of_different_protocols_are_refused():
    with pytest.raises(UsageError, match="a jury needs at least two judges"):
        jury_id("one", [judge("a"), judge("a")])
    with pytest.raises(UsageError, match="the judges of a jury are asked alike"):
        jury_id("two", [judge("a"), judge("b", "B")])
