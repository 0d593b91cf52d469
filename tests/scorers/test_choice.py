from __future__ import annotations

import pytest

from finassay.errors import SpecError
from finassay.records import Item, Prediction, Verdict
from finassay.scorers.choice import Choice

FILMS = ("Guilty", "Guilty of Romance")


def marked(
    reference: str, reply: str, choices: tuple[str, ...] = (), *, anchored: bool = False
) -> Verdict:
    return Choice(anchored=anchored).score(
        item=Item(item_id="item", reference=reference, choices=choices),
        prediction=Prediction(text=reply),
    )


@pytest.mark.parametrize(
    ("reference", "reply", "choices", "value"),
    [
        ("B", "The answer is (B).", FILMS, 1.0),
        ("Guilty of Romance", "b", FILMS, 1.0),
        ("B", "the answer is Guilty of Romance", FILMS, 1.0),
        ("A", "the answer is Guilty of Romance", FILMS, 0.0),
        ("A,B,C", "ANSWER: C, B and A", (), 1.0),
        ("A", "ANSWER: A and C", (), 0.0),
        ("A", "ANSWER: None of the above", (), 0.0),
        ("A", "Answer: E", FILMS, 0.0),
    ],
)
def test_a_commitment_is_right_when_it_names_the_same_options(
    reference: str, reply: str, choices: tuple[str, ...], value: float
):
    assert marked(reference, reply, choices).value == value


@pytest.mark.parametrize(
    ("reference", "reply", "choices", "status"),
    [
        ("A", "Form A11 must be filed", (), "unparsed"),
        ("A", "A or B", (), "unparsed"),
        ("A", "Answer: the first film", FILMS, "unparsed"),
        ("D", "ANSWER: Don't know", (), "no_answer"),
        ("thirty days", "B", (), "not_applicable"),
        ("Innocent", "B", FILMS, "failed"),
    ],
)
def test_a_reply_that_commits_to_nothing_is_not_wrong(
    reference: str, reply: str, choices: tuple[str, ...], status: str
):
    found = marked(reference, reply, choices)
    assert (found.status, found.value) == (status, None)


def test_the_reason_says_what_was_read_and_where():
    found = marked("A", "Film studies.\nAnswer: (B)", FILMS)
    assert found.reason == (
        "the reply names B (Guilty of Romance) (answer line), the reference A (Guilty)"
    )
    assert (found.label, found.extracted) == ("B", "(B)")


def test_the_last_of_differing_commitments_counts_and_says_so():
    found = marked("C", "The answer is A. No, the answer is C.")
    assert (found.value, found.flags) == (1.0, ("last_of_several",))


def test_anchored_takes_no_option_without_a_cue():
    assert marked("B", "B) Guilty of Romance, I think", FILMS).value == 1.0
    assert marked("B", "B) Guilty of Romance, I think", FILMS, anchored=True).status == "unparsed"
    assert marked("B", "The answer is B", FILMS, anchored=True).value == 1.0


def test_a_switch_that_is_no_truth_value_is_refused():
    with pytest.raises(SpecError, match="`anchored` of Choice must be true or false, got 1"):
        Choice(anchored=1)  # type: ignore[arg-type]


def test_the_trace_lists_every_reading_and_the_one_that_counts():
    steps = Choice().trace(
        item=Item(item_id="item", reference="B", choices=FILMS),
        prediction=Prediction(text="A) first.\nThe answer is B."),
    )
    assert steps == (
        ("option", "A (Guilty)"),
        ("option", "B (Guilty of Romance)"),
        ("read (opening)", "'A' at 0 to 1: A"),
        ("read (cue)", "'B' at 24 to 25: B"),
        ("counts", "'B' at 24 to 25: B"),
        ("reference", "B"),
    )
