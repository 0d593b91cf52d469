"""Words of a source keep their meaning, or are refused."""

from __future__ import annotations

import re

import pytest

from finassay.records import Finish
from finassay.runs.importers.values import read_finish, read_number, read_trial, read_verdict


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("1", 1.0), ("0", 0.0), ("1.0", 1.0), ("0.25", 0.25), (" true ", 1.0), ("False", 0.0)),
        *(("yes", 1.0), ("No", 0.0), ("right", 1.0), ("wrong", 0.0), ("Correct Answer", 1.0)),
        *(("incorrect", 0.0), ("Incorrect Answer", 0.0)),
    ],
)
def test_words_for_right_and_wrong_and_fractions_are_scored(text: str, value: float) -> None:
    verdict = read_verdict(text)
    assert verdict is not None
    assert (verdict.status, verdict.value) == ("scored", value)


def test_a_refusal_that_people_found_is_not_scored_as_wrong() -> None:
    verdict = read_verdict("Refusal")
    assert verdict is not None
    assert (verdict.status, verdict.value, verdict.label) == ("no_answer", None, "Refusal")


@pytest.mark.parametrize("text", ["not sure", "Not Sure", "unsure", "not_sure"])
def test_a_person_who_is_not_sure_gives_a_label_without_a_value(text: str) -> None:
    verdict = read_verdict(text)
    assert verdict is not None
    assert (verdict.status, verdict.value, verdict.label) == ("unparsed", None, "not sure")


@pytest.mark.parametrize("text", ["", "  ", None])
def test_an_empty_cell_is_no_verdict(text: str | None) -> None:
    assert read_verdict(text) is None


@pytest.mark.parametrize(
    "text", ["2", "-1", "85", "maybe", "NaN", "Infinity", "A>B", "not correct"]
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f"got {re.escape(repr(text))}"):
        read_verdict(text)


@pytest.mark.parametrize(
    ("text", "word", "finish"),
    [
        ("an answer", "", "not_logged"),
        ("an answer", "stop", "stop"),
        ("an answer", "length", "truncated"),
        ("an answer", "MAX_TOKENS", "truncated"),
        ("an answer", "content_filter", "blocked"),
        ("an answer", "whatever", "not_logged"),
        (" \n", "", "empty"),
        ("", "stop", "empty"),
        ("", "length", "truncated"),
        ("FAIL: timeout", "stop", "error"),
        ("the test may fail", "stop", "stop"),
    ],
)
def test_the_fate_of_a_reply_is_told_apart(text: str, word: str, finish: Finish) -> None:
    assert read_finish(text=text, word=word, error_text=re.compile("^FAIL")) == finish


def test_without_a_pattern_the_text_never_decides_that_a_reply_is_an_error() -> None:
    assert read_finish(text="FAIL: timeout", word="", error_text=None) == "not_logged"


@pytest.mark.parametrize("text", ["-1", "1.5", "one", "²", "9999999999"])
def test_a_trial_that_is_no_whole_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="whole number"):
        read_trial(text)


def test_trials_are_read_and_an_empty_one_is_the_first() -> None:
    assert [read_trial("3"), read_trial(""), read_trial("007")] == [3, 0, 7]


def test_printed_numbers_are_read_exactly() -> None:
    read = read_number(" 64.10% ")
    assert read is not None
    assert (str(read[0]), read[1]) == ("64.10", True)
    minus = read_number("−0.5")
    assert minus is not None
    assert str(minus[0]) == "-0.5"


@pytest.mark.parametrize("text", ["", "-", "–", "n/a", "None"])
def test_marks_for_an_empty_cell_are_no_number(text: str) -> None:
    assert read_number(text) is None


def test_a_cell_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match=r"got '64\.10 \(2\)'"):
        read_number("64.10 (2)")
