"""What a judge's reply says, and when it says nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay import mark
from finassay.errors import SpecError, UnknownNameError
from finassay.marking.many import mark_many
from finassay.scorers.judge_verdicts import (
    ALIGNMENT,
    BINARY,
    CORRECTNESS,
    JUDGEBENCH,
    PAIRWISE,
    PARTIAL_CREDIT,
    RATING_0_1,
    RATING_0_10,
    Menu,
    Option,
    letter_menu,
    menu_named,
    menu_of,
    rating_menu,
    read_verdict,
)
from finassay.scorers.registry import from_spec, is_imported, load_scorer, scorer_id_of, to_spec
from judge_replies import NOTHING, RIGHT, WRONG
from real_data import data_root

LETTERS = letter_menu("A=CORRECT B=INCORRECT C=NOT_ATTEMPTED")


def said(reply: str, menu: Menu = CORRECTNESS) -> str | None:
    """Return the label of a reply, or None where there is no scored verdict."""
    reading = read_verdict(reply, menu=menu)
    assert (reading.value is None) == (reading.status != "scored")
    assert reading.reason or reading.status == "scored"
    return reading.label if reading.status == "scored" else None


@pytest.mark.parametrize("reply", RIGHT)
def test_a_reply_that_says_correct_reads_correct(reply: str):
    assert said(reply) == "CORRECT"


@pytest.mark.parametrize("reply", WRONG)
def test_a_reply_that_says_incorrect_reads_incorrect(reply: str):
    assert said(reply) == "INCORRECT"


@pytest.mark.parametrize("reply", NOTHING)
def test_a_reply_that_leaves_a_doubt_is_unparsed(reply: str):
    reading = read_verdict(reply, menu=CORRECTNESS)
    assert (reading.status, reading.label, reading.value) == ("unparsed", None, None)
    assert reading.reason


@pytest.mark.parametrize(
    "reply",
    [
        "JUDGE_FAILED",
        "judge failed",
        "API_ERROR: 429",
        "[JUDGE ERROR]",
        "Error: timed out",
        "HTTP 503",
    ],
)
def test_a_transport_failure_is_failed_and_not_a_verdict(reply: str):
    reading = read_verdict(reply, menu=CORRECTNESS)
    assert (reading.status, reading.value) == ("failed", None)
    assert "could not be reached" in reading.reason


def test_a_judge_may_begin_with_the_word_error():
    assert said("Error: the figure is off.\n[[Incorrect]]") == "INCORRECT"


@pytest.mark.parametrize("finish", ["truncated", "length", "max_tokens"])
def test_a_cut_reply_is_unparsed_whatever_it_holds(finish: str):
    reading = read_verdict("[[Correct]]", menu=CORRECTNESS, finish=finish)
    assert (reading.status, reading.reason) == ("unparsed", "the judge's reply was cut off")


@pytest.mark.parametrize("finish", ["error", "blocked"])
def test_a_reply_that_was_not_obtained_is_failed(finish: str):
    assert read_verdict("[[Correct]]", menu=CORRECTNESS, finish=finish).status == "failed"


def test_a_refusal_is_told_as_one():
    reading = read_verdict("I'm sorry, I can't assess this.", menu=CORRECTNESS)
    assert reading.reason == "the judge declines to answer"
    assert read_verdict("[[Correct]]", menu=CORRECTNESS, finish="refused").status == "unparsed"


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("[[A]]", "A"),
        ("[[B]]", "B"),
        ("[[C]]", "tie"),
        ("[[tie]]", "tie"),
        ("Verdict: Assistant B", "B"),
        ("Verdict: a tie", "tie"),
        ("Winner: A", "A"),
        ('{"winner": "tie"}', "tie"),
        ("B", "B"),
        ("Assistant A opens well, one might say [[A]], yet the final verdict is [[B]]", "B"),
        ("A is better", None),
        ("A: covers all points.\nB: misses one.", None),
        ("[[D]]", None),
        ("A good pair of answers", None),
    ],
)
def test_a_pairwise_reply_names_a_side_or_a_tie(reply: str, label: str | None):
    assert said(reply, PAIRWISE) == label


def test_the_value_of_a_pairwise_verdict_is_the_share_of_the_win_of_a():
    values = [read_verdict(f"[[{side}]]", menu=PAIRWISE).value for side in ("A", "C", "B")]
    assert values == [1.0, 0.5, 0.0]


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("Assistant A is significantly better: [[A>>B]]", "A>>B"),
        ("[[A&gt;&gt;B]]", "A>>B"),
        ("My final verdict is: Tie, relatively the same: [[A=B]]", "A=B"),
        ("slightly worse than my own: [[B>A]]\n\nAssistant A is slightly better: [[A>B]]", "A>B"),
        ("Assistant A is slightly better than Assistant B.", None),
        ("[[A<B]]", "B>A"),
    ],
)
def test_five_grades_are_read_from_brackets(reply: str, label: str | None):
    assert said(reply, JUDGEBENCH) == label


@pytest.mark.parametrize(
    ("reply", "menu", "label"),
    [
        ("Rating: 7/10", RATING_0_10, "7"),
        ("Score: 8 out of 10.", RATING_0_10, "8"),
        ("The candidate wrote: rating [[2]]. That is wrong. [[0]]", RATING_0_10, "0"),
        ('{"score": 9}', RATING_0_10, "9"),
        ("7.5", RATING_0_10, "7.5"),
        ("Score: 11", RATING_0_10, None),
        ("-1", RATING_0_10, None),
        ("Score: 4/5", RATING_0_10, None),
        ("7-8", RATING_0_10, None),
        ("85%", RATING_0_10, None),
        ("Rating: 7,5", RATING_0_10, None),
        ('{"score": true}', RATING_0_10, None),
        ('{"score": 9}', RATING_0_1, None),
        ("0.8", RATING_0_1, "0.8"),
        ("0.5", ALIGNMENT, "0.5"),
        ("0.7", ALIGNMENT, None),
        ("1.0", ALIGNMENT, "1.0"),
        ('{"verdict": 1}', BINARY, "1"),
        ("[[2]]", BINARY, None),
    ],
)
def test_a_rating_off_its_declared_scale_is_unparsed(reply: str, menu: Menu, label: str | None):
    assert said(reply, menu) == label


def test_a_rating_is_worth_its_share_of_the_scale():
    assert read_verdict("Rating: 4", menu=rating_menu(1, 5)).value == 0.75


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("This is a B", "INCORRECT"),
        ("This is an A", "CORRECT"),
        ("A", "CORRECT"),
        ("b.", "INCORRECT"),
        ("B) the figure differs", "INCORRECT"),
        ("CORRECT", "CORRECT"),
        ("A careful answer", None),
        ("This is a hard one", None),
        ("B: CORRECT", None),
        ("D", None),
    ],
)
def test_the_article_a_is_no_grade(reply: str, label: str | None):
    assert LETTERS is not None
    assert said(reply, LETTERS) == label


def test_an_option_without_a_value_is_unparsed_and_keeps_its_label():
    assert LETTERS is not None
    reading = read_verdict("C", menu=LETTERS)
    assert (reading.status, reading.label) == ("unparsed", "NOT_ATTEMPTED")


def test_partial_credit_is_on_its_menu_only():
    assert read_verdict("GRADE: P", menu=PARTIAL_CREDIT).value == 0.5
    assert said("GRADE: P") is None
    assert said("Not correct.", PARTIAL_CREDIT) is None


def test_an_own_menu_takes_its_own_words():
    menu = menu_of({"PASS": 1.0, "FAIL": 0.0, "UNSURE": None})
    assert said("Verdict: fail", menu) == "FAIL"
    assert said("PASS", menu) == "PASS"
    assert said("Verdict: CORRECT", menu) is None


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Menu(name="m"), "either options or a scale"),
        (lambda: rating_menu(1, 1), "must rise"),
        (lambda: Menu(name="m", options=(Option(label="A", value=2.0),)), "a value in"),
        (lambda: menu_named("stars"), "no menu 'stars'"),
    ],
)
def test_a_menu_that_cannot_be_used_is_refused(make: Callable[[], Menu], message: str):
    with pytest.raises(SpecError, match=message):
        make()


def test_a_label_that_is_not_on_the_menu_is_refused():
    with pytest.raises(UnknownNameError, match="no verdict 'MAYBE'"):
        CORRECTNESS.option("MAYBE")


@pytest.mark.parametrize(
    ("reply", "shown"),
    [
        ("The figures differ. [[Incorrect]] Done.", "[[Incorrect]]"),
        ("x\u200b\u200b **GRADE:** **C**\ny", "GRADE:** **C"),
        ("<think>CORRECT</think>\nINCORRECT | no", "INCORRECT"),
    ],
)
def test_the_span_lies_in_the_reply_as_written(reply: str, shown: str):
    span = read_verdict(reply, menu=CORRECTNESS).span
    assert span is not None
    assert reply[span[0] : span[1]] == shown


@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.sampled_from(
            [
                *(
                    "[[",
                    "]]",
                    "Correct",
                    "INCORRECT",
                    "not",
                    "GRADE:",
                    "verdict",
                    ":",
                    "{",
                    "}",
                    '"',
                ),
                *(
                    "\n",
                    " ",
                    "<think>",
                    "</think>",
                    "A",
                    ">",
                    "=",
                    "7",
                    ".",
                    "`",
                    "*",
                    "\u200b",
                    "is",
                ),
                *("the answer", "if", "or", "|", "~~", "\\", "wrote", "'"),
            ]
        ),
        max_size=25,
    ).map("".join)
)
def test_any_text_is_read_without_an_error_and_inside_its_bounds(reply: str):
    for menu in (CORRECTNESS, PAIRWISE, RATING_0_10, JUDGEBENCH):
        reading = read_verdict(reply, menu=menu)
        assert (reading.status == "scored") == (reading.value is not None)
        if reading.span is not None:
            assert 0 <= reading.span[0] < reading.span[1] <= len(reply)


@pytest.mark.parametrize(
    "piece",
    ["[[", "verdict: ", '{"a":', "CORRECT\n", "A\n", '{"verdict":"', "~", "`", "\u200b", "- "],
)
def test_time_grows_with_the_length_and_no_faster(piece: str):
    def seconds(length: int) -> float:
        text = (piece * length)[:length]
        start = time.process_time()
        read_verdict(text, menu=CORRECTNESS)
        return time.process_time() - start

    def fastest(length: int) -> float:
        # Once in a while a garbage collection of everything else falls into a round.
        return min(seconds(length) for _ in range(3))

    seconds(1_000)
    # A quadratic reader would need 64 times as long for 8 times the text.
    assert fastest(80_000) < 24 * fastest(10_000) + 0.2


@pytest.mark.full
@pytest.mark.parametrize(
    "piece", ["[[Correct]] ", "grade is ", '{"verdict":"CORRECT"},', "1\n", "not "]
)
def test_a_million_characters_are_read_in_seconds(piece: str):
    start = time.process_time()
    for menu in (CORRECTNESS, RATING_0_10):
        read_verdict((piece * 500_000)[:1_000_000], menu=menu)
    assert time.process_time() - start < 12


def test_the_registered_scorer_reads_replies_and_ignores_the_reference():
    assert mark("judge/verdict", reference="", reply="So: [[Correct]]").label == "CORRECT"
    assert mark("judge/verdict", reference="42", reply="[[Incorrect]]").value == 0.0
    unread = mark("judge/verdict", reference="", reply="CORRECTION NEEDED")
    assert (unread.status, unread.value, unread.label) == ("unparsed", None, None)
    assert mark("judge/verdict", reference="", reply="JUDGE_FAILED").status == "failed"


def test_the_registered_scorer_takes_its_menu_by_name_or_from_the_context():
    assert mark('judge/verdict[menu="pairwise"]', reference="", reply="[[B]]").label == "B"
    declared = "A=CORRECT B=INCORRECT C=NOT_ATTEMPTED"
    found = mark("judge/verdict", reference="", reply="This is a B", context=declared)
    assert (found.label, found.value, found.extracted) == ("INCORRECT", 0.0, "This is a B")
    with pytest.raises(SpecError, match="`menu` of JudgeVerdict must be one of"):
        load_scorer('judge/verdict[menu="stars"]')


def test_the_registered_scorer_is_computed_while_other_judges_are_imported():
    scorer = load_scorer('judge/verdict[menu="rating_0_10"]')
    assert scorer_id_of(scorer) == 'judge/verdict[menu="rating_0_10"]'
    assert from_spec(to_spec(scorer)) == scorer
    assert not is_imported("judge/verdict")
    assert is_imported("judge/verdicts")


def test_many_replies_are_read_as_one_by_one():
    replies = [*RIGHT, *WRONG, *NOTHING]
    rows = [{"reference": "", "reply": reply} for reply in replies]
    assert list(mark_many("judge/verdict", rows)) == [
        mark("judge/verdict", reference="", reply=reply) for reply in replies
    ]


DECLARED = {
    "jp-020": PAIRWISE,
    "jp-021": RATING_0_10,
    "jp-028": BINARY,
    "jp-030": RATING_0_1,
    "jp-031": RATING_0_10,
}
"""Cases that do not ask for CORRECT or INCORRECT: the menu that their judge was given."""


@pytest.mark.data
def test_the_collected_judge_replies_read_as_a_careful_reader_does():
    path: Path = data_root().parent / "cases" / "answer_matching.jsonl"
    if not path.is_file():
        pytest.skip("the folder with the real data has no cases beside it")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    cases = [row for row in rows if row["category"] == "judge-parse"]
    assert len(cases) >= 20
    wrong = []
    for case in cases:
        menu = DECLARED.get(case["id"]) or letter_menu(case.get("context") or "") or CORRECTNESS
        reading = read_verdict(case["prediction"], menu=menu)
        got = reading.label if reading.status == "scored" else "UNPARSEABLE"
        if got != case["reference"] and case["expected_equivalent"]:
            wrong.append((case["id"], got))
    assert wrong == []
