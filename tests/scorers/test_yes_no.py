"""The yes/no rule."""

from __future__ import annotations

import pytest

from finassay.errors import SpecError
from finassay.scorers.yes_no import YesNo
from scoring import mark

# (reply, reading of the leading word, reading of the first yes or no)
READINGS = [
    ("Yes", "yes", "yes"),
    ("no.", "no", "no"),
    ("**Yes**", "yes", "yes"),
    ("__No__, they agree", "no", "no"),
    ("(yes)", "yes", "yes"),
    ('"no"', "no", "no"),
    ("- Yes", "yes", "yes"),
    ("YES, they conflict", "yes", "yes"),
    ("Answer: Yes", "yes", "yes"),
    ("**Answer:** no", "no", "no"),
    ("__Answer:__ no", "no", "no"),
    ("Final answer - yes", "yes", "yes"),
    ("The answer is no", "no", "no"),
    ("The final answer is: **Yes**.", "yes", "yes"),
    ("My answer is no", "no", "no"),
    ("Answers vary: yes or no", None, "yes"),
    ("The answer is not yes", None, "yes"),
    ("Note that both agree, so yes", None, "yes"),
    ("November 2024", None, None),
    ("Not necessarily", None, None),
    ("None of these", None, None),
    ("yesterday", None, None),
    ("There is no contradiction", None, "no"),
    ("nοt", None, None),
    ("...", None, None),
]


@pytest.mark.parametrize(("reply", "leading", "first"), READINGS, ids=[r[0] for r in READINGS])
def test_only_whole_words_are_read(reply: str, leading: str | None, first: str | None):
    for position, reading in (("leading", leading), ("first", first)):
        for reference in ("Yes", "No"):
            verdict = mark(YesNo(position=position), reference, reply)
            assert verdict.label == reading
            if reading is None:
                assert verdict.status == "unparsed"
            else:
                assert verdict.value == float(reading == reference.lower())


@pytest.mark.parametrize("reference", ["No, the two passages agree", "no", "Answer: No", "(No)"])
def test_the_reference_may_explain_itself(reference: str):
    assert mark("yes_no", reference, "no").value == 1.0
    assert mark("yes_no", reference, "yes").value == 0.0


@pytest.mark.parametrize("reference", ["30 days", "Note 5", "They say no", "not applicable"])
def test_another_reference_is_not_applicable(reference: str):
    for rule in ("yes_no", 'yes_no[position="first"]'):
        assert mark(rule, reference, "no").status == "not_applicable"


def test_an_unknown_position_is_refused():
    with pytest.raises(SpecError, match="must be 'leading' or 'first', got 'last'"):
        YesNo(position="last")
