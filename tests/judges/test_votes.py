"""What votes add up to, against a count by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.judges.identity import Task
from finassay.judges.menus import read_vote
from finassay.judges.votes import Vote, count_votes, majority, side_of
from finassay.records import Prediction

WORTH = {"CORRECT": 1.0, "INCORRECT": 0.0}
LETTERS = {"c": "CORRECT", "i": "INCORRECT"}


def votes(word: str) -> list[Vote]:
    """Return votes as letters tell them: c, i, ? (unparsed), ! (failed); evidence is the place."""
    made = []
    for place, letter in enumerate(word):
        if letter in LETTERS:
            label = LETTERS[letter]
            made.append(
                Vote(status="scored", label=label, value=WORTH[label], evidence_id=str(place))
            )
        elif letter == "?":
            made.append(Vote(status="unparsed", reason="no verdict", evidence_id=str(place)))
        else:
            made.append(Vote(status="failed", reason="timeout"))
    return made


def graded(values: Sequence[float]) -> list[Vote]:
    return [Vote(status="scored", label=f"{value:g}", value=value / 10) for value in values]


@pytest.mark.parametrize(
    ("word", "label", "flag", "evidence"),
    [
        ("ccccc", "CORRECT", "votes:5-0", "0"),
        ("icccc", "CORRECT", "votes:4-1", "1"),
        ("iiicc", "INCORRECT", "votes:3-2", "0"),
        ("cic?c", "CORRECT", "votes:3-1-1", "0"),
        ("cc?i?", "CORRECT", "votes:2-1-2", "0"),
        ("!cc", "CORRECT", "votes:2-0-1", "1"),
        ("c", "CORRECT", "votes:1-0", "0"),
    ],
)
def test_the_majority_wins_and_keeps_its_split(word: str, label: str, flag: str, evidence: str):
    verdict = majority(votes(word), task="single")
    assert (verdict.status, verdict.label) == ("scored", label)
    assert verdict.value == WORTH[label]
    assert verdict.flags == (flag,)
    assert verdict.evidence_id == evidence


@pytest.mark.parametrize(
    ("word", "status", "reason", "flags"),
    [
        ("ccii", "unparsed", "votes are tied 2 to 2", ("votes:2-2",)),
        ("ci?", "unparsed", "votes are tied 1 to 1", ("votes:1-1-1",)),
        ("c????", "unparsed", "1 of 5 votes could be read: no verdict", ("votes:1-0-4",)),
        ("?????", "unparsed", "0 of 5 votes could be read: no verdict", ("votes:0-0-5",)),
        ("!!!", "failed", "3 of 3 votes failed: timeout", ("votes:0-0-3",)),
        ("c!!!!", "failed", "4 of 5 votes failed: timeout", ("votes:1-0-4",)),
        ("cc?!!!", "failed", "2 of 6 votes could be read: no verdict", ("votes:2-0-4",)),
        ("???!", "unparsed", "0 of 4 votes could be read: no verdict", ("votes:0-0-4",)),
        ("", "failed", "no vote was asked for", ()),
    ],
)
def test_votes_that_settle_nothing_say_why(
    word: str, status: str, reason: str, flags: tuple[str, ...]
):
    verdict = majority(votes(word), task="single")
    assert (verdict.status, verdict.value, verdict.label) == (status, None, None)
    assert verdict.reason == reason
    assert verdict.flags == flags


def by_hand(word: str) -> str | None:
    right, wrong = word.count("c"), word.count("i")
    if (right + wrong) * 2 <= len(word) or right == wrong:
        return None
    return "CORRECT" if right > wrong else "INCORRECT"


@settings(deadline=None)
@given(word=st.text(alphabet="ci?!", max_size=9))
def test_a_count_by_hand_agrees(word: str):
    assert count_votes(votes(word), task="single").label == by_hand(word)


@settings(deadline=None)
@given(values=st.lists(st.integers(0, 10), min_size=1, max_size=9))
def test_on_a_scale_the_middle_vote_stands(values: list[int]):
    found = count_votes(graded(values), task="rating")
    lower_median = sorted(values)[(len(values) - 1) // 2]
    majorities = [value for value in values if 2 * values.count(value) > len(values)]
    assert found.value == (majorities[0] if majorities else lower_median) / 10


def test_on_a_scale_7_and_7_0_are_one_verdict():
    three = [
        Vote(status="scored", label="7", value=0.7),
        Vote(status="scored", label="7.0", value=0.7),
        Vote(status="scored", label="2", value=0.2),
    ]
    assert count_votes(three, task="rating").flags == ("votes:2-1",)


def test_three_ways_without_a_majority_settle_nothing():
    split = [Vote(status="scored", label=label, value=0.5) for label in ("A", "B", "tie")]
    found = count_votes(split, task="pairwise")
    assert found.status == "unparsed"
    assert found.reason == "no label has more than half of the votes (A 1, B 1, tie 1)"


def test_a_winner_of_pairs_has_no_value():
    two = [Vote(status="scored", label="A", value=1.0)] * 2
    found = count_votes(two, task="pairwise")
    assert (found.label, found.value) == ("A", None)


@pytest.mark.parametrize(
    ("label", "left_first", "side"),
    [
        ("A", True, "left"),
        ("A", False, "right"),
        ("B", True, "right"),
        ("b", False, "left"),
        ("tie", True, "tie"),
        ("TIE", False, "tie"),
        ("C", True, None),
    ],
)
def test_letters_are_turned_back_into_sides(label: str, side: str | None, *, left_first: bool):
    assert side_of(label, left_first=left_first) == side


@pytest.mark.parametrize(
    ("task", "text", "label", "value"),
    [
        ("single", "It differs.\nVerdict: INCORRECT", "INCORRECT", 0.0),
        ("single", "Steps 1 to 4.\n[[CORRECT]]", "CORRECT", 1.0),
        ("pairwise", "Verdict: TIE", "tie", 0.5),
        ("pairwise", "[[B]]", "B", 0.0),
        ("rubric", "Verdict: 0.5", "0.5", 0.5),
        ("rubric", "[[0.7]]", None, None),
        ("rating", "Verdict: 8", "8", 0.8),
        ("alignment", "[[1]]", "1", 1.0),
    ],
)
def test_the_forms_that_our_wordings_ask_for_are_read(
    task: Task, text: str, label: str | None, value: float | None
):
    reply = Prediction(item_id="x", system_id="j", text=text, finish="stop")
    vote = read_vote(reply, task=task)
    assert (vote.label, vote.value) == (label, value)
    assert vote.evidence_id == reply.prediction_id


def test_a_judge_that_was_cut_off_is_unparsed_and_an_error_failed():
    cut = Prediction(item_id="x", text="Verdict: CORRECT", finish="truncated")
    lost = Prediction(item_id="x", finish="error")
    assert read_vote(cut, task="single").status == "unparsed"
    assert read_vote(lost, task="single").status == "failed"
