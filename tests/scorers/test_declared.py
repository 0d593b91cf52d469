"""The rule of declared choices: what each choice does; its defaults are a published rule."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import SpecError
from finassay.marking.single import mark
from finassay.records import Item, Prediction
from finassay.scorers.declared import DeclaredRule
from finassay.scorers.declared_parts import bounds_of, passage, values_agree, values_of
from finassay.scorers.labels.declared import DeclaredLabelRule
from finassay.scorers.registry import load_scorer, replayable_id
from finassay.scorers.strict import NumbersFirst
from finassay.text.normalisers import words_percent_stop
from marking_samples import replies, tasks

quick = settings(deadline=None, max_examples=200)


def value(reference: str, reply: str, *, task: str = "", **choices: object) -> float | None:
    return mark(DeclaredRule(**choices), reference=reference, reply=reply, task=task).value


@quick
@given(reference=replies, reply=replies, task=tasks, threshold=st.sampled_from([0.3, 0.72, 1.0]))
def test_with_its_defaults_it_is_the_published_rule_where_something_is_left_to_compare(
    reference: str, reply: str, task: str, threshold: float
):
    item = Item(item_id="", reference=reference, task=task)
    prediction = Prediction(text=reply)
    found = DeclaredRule(threshold=threshold).score(item=item, prediction=prediction)
    expected = NumbersFirst(threshold=threshold).score(item=item, prediction=prediction)
    if words_percent_stop(reference):
        assert found.value == expected.value
    else:
        assert found.status == "not_applicable"


@quick
@given(reply=st.lists(st.sampled_from(["no", "Yes", "none", "yes", ".", "-", " "]), max_size=6))
def test_with_its_defaults_the_label_rule_reads_what_card_order_reads(reply: list[str]):
    text = "".join(reply)
    for choices in (("no", "yes"), ("yes", "none", "no")):
        found = DeclaredLabelRule().extract(text, choices)
        assert found == load_scorer("labels/card-order").extract(text, choices)


@pytest.mark.parametrize(
    ("text", "first", "final"),
    [
        ("It is 5%. That is all.", "It is 5%.", "It is 5%. That is all."),
        ("Step 1: 20.\nFinal answer: 45 days", "Step 1: 20.", "45 days"),
        (
            "**Answer:** 7\n\nbecause of that",
            "**Answer:** 7\n\nbecause of that",
            "7\n\nbecause of that",
        ),
        ("First 3.\n\nThen 4.\n\n", "First 3.", "Then 4."),
        ("Answer:", "Answer:", "Answer:"),
        ("", "", ""),
    ],
)
def test_a_passage_is_a_part_of_the_reply(text: str, first: str, final: str):
    assert passage(text, "whole") == text
    assert passage(text, "first-sentence") == first
    assert passage(text, "final") == final


def test_numbers_may_be_as_written_or_values():
    assert value("30 days", "30. days of", matcher="exact", numbers="written") == 0.0
    assert value("30 days", "30. days of", matcher="exact", numbers="equal") == 1.0
    assert value("Rs 1,000", "1000 rupees", matcher="exact", numbers="equal") == 1.0


def test_numbers_may_be_all_of_them_some_of_them_or_the_last():
    reply = "of 20 and 10, the answer is 30"
    assert value("30", reply, matcher="exact", numbers="equal") == 0.0
    assert value("30", reply, matcher="exact", numbers="subset") == 1.0
    assert value("30", reply, matcher="exact", numbers="last") == 1.0
    assert value("20", reply, matcher="exact", numbers="last") == 0.0
    assert value("20", "20 days", matcher="exact", numbers="ignore") == 0.0


@pytest.mark.parametrize(
    ("percent", "expected"),
    [("as-written", (0.0, 0.0)), ("bare", (1.0, 0.0)), ("fraction", (0.0, 1.0))],
)
def test_a_percent_is_itself_its_number_or_its_fraction(
    percent: str, expected: tuple[float, float]
):
    choices = {"matcher": "exact", "numbers": "equal", "percent": percent}
    assert (value("5%", "5", **choices), value("7.1 per cent", "0.071", **choices)) == expected


def test_numbers_within_a_tolerance_are_equal():
    assert value("100", "100.9 in all", matcher="exact", numbers="equal", tolerance=0.01) == 1.0
    assert value("100", "101.1 in all", matcher="exact", numbers="equal", tolerance=0.01) == 0.0
    assert not values_agree(values_of("1, 2", "bare"), values_of("1, 2, 9", "bare"), "equal", 0.1)
    assert values_agree(values_of("1, 2", "bare"), values_of("1, 2, 9", "bare"), "subset", 0.1)


def test_numbers_accept_decide_or_are_asked_for_too():
    right_words = ("a fee of 30 days", "a fee of 45 days")
    assert value(*right_words, stages="either", numbers="equal") == 1.0
    assert value(*right_words, stages="numbers-first", numbers="equal") == 0.0
    assert value(*right_words, stages="both", numbers="equal") == 0.0
    wrong_words = ("30 days", "the term is 30 months")
    assert value(*wrong_words, stages="either", numbers="equal", threshold=0.9) == 1.0
    assert value(*wrong_words, stages="both", numbers="equal", threshold=0.9) == 0.0
    assert value("no fee", "no fee", stages="both", numbers="equal") == 1.0


def test_bounds_may_be_respected():
    pair = ("at least 5 days", "at most 5 days")
    assert value(*pair) == 1.0
    assert value(*pair, bounds="respect") == 0.0
    assert value("at least 5 days", "5 days", bounds="respect") == 1.0
    assert bounds_of("Not more than 5, but more than 2.") == {"<=", ">"}
    assert bounds_of("not less than five") == {">="}


@pytest.mark.parametrize(
    ("reply", "prefix", "leading", "anywhere"),
    [
        ("Yes, they do.", 1.0, 1.0, 1.0),
        ("Yesterday they did.", 1.0, None, None),
        ("Well, yes.", 0.0, None, 1.0),
        ("No.", 0.0, 0.0, 0.0),
    ],
)
def test_yes_and_no_are_read_as_declared(
    reply: str, prefix: float, leading: float | None, anywhere: float | None
):
    for how, expected in (("prefix", prefix), ("leading", leading), ("anywhere", anywhere)):
        assert value("Yes", reply, task="con", yes_no=how) == expected
    assert value("Yes", "yes it is", task="con", yes_no="text") == 1.0
    assert value("Maybe", "maybe so", task="con", yes_no="leading") == 1.0


def test_silence_is_wrong_no_answer_or_text():
    refusal = "It cannot be determined from the text."
    assert value("5", refusal, silence="wrong") == 0.0
    assert value("5", refusal, silence="no_answer") is None
    assert value("5", "", silence="no_answer") is None
    assert value("5", "", silence="text") == 0.0
    assert value("cannot be determined", refusal, silence="text") == 1.0
    assert value("cannot be determined", refusal, silence="no_answer") == 1.0
    assert value("cannot be determined", refusal, silence="wrong") == 0.0


def test_a_similarity_of_nothing_never_passes():
    assert value("fee", "ox", threshold=0.0, numbers="ignore") == 0.0
    assert value("fee", "...", threshold=0.0, numbers="ignore") == 0.0


def test_alternatives_count():
    item = Item(item_id="", reference="a", alternatives=("fee",))
    found = DeclaredRule(matcher="exact").score(item=item, prediction=Prediction(text="fee"))
    assert found.value == 1.0
    assert "alternative" in found.flags


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"matcher": "fuzzy"}, "`matcher` of DeclaredRule must be one of"),
        ({"passage": "last"}, "`passage` of DeclaredRule must be one of"),
        ({"threshold": 72}, "for 72% pass 0.72"),
        ({"tolerance": -0.1}, "`tolerance` of DeclaredRule must be in"),
        ({"yes_no_tasks": "con"}, "must be a list of strings"),
    ],
)
def test_a_choice_that_there_is_not_is_refused(choices: dict[str, object], message: str):
    with pytest.raises(SpecError, match=message):
        DeclaredRule(**choices)


LABELS = ("good", "bad")


@pytest.mark.parametrize(
    ("choices", "reply", "expected"),
    [
        ({}, "bad, not good", "good"),
        ({"order": "text"}, "bad, not good", "bad"),
        ({"order": "last"}, "good, not bad", "bad"),
        ({"match": "word"}, "badly good", "good"),
        ({"match": "word", "order": "text", "hyphen_joins": True}, "bad-ish good", "good"),
        ({"norm": "none"}, "Good or bad", "bad"),
        ({"passage": "final"}, "good so far\nAnswer: bad", "bad"),
        ({"several": "wrong"}, "bad or good", None),
        ({"several": "drop"}, "bad or good", None),
        ({"otherwise": "first"}, "unclear", "good"),
        ({"otherwise": "last"}, "unclear", "bad"),
        ({"otherwise": "wrong"}, "unclear", None),
        ({"silence": "drop"}, "I cannot say good or bad", None),
    ],
)
def test_each_choice_of_a_label_rule(choices: dict[str, str], reply: str, expected: str | None):
    rule = DeclaredLabelRule(**choices)
    found = rule.extract(reply, LABELS)
    assert (None if found.index is None else LABELS[found.index]) == expected
    dropped = "drop" in choices.values()
    assert mark(rule, reference="bad", reply=reply, choices=LABELS).is_scored == (not dropped)


def test_a_choice_of_a_label_rule_that_there_is_not_is_refused():
    with pytest.raises(SpecError, match="`otherwise` of DeclaredLabelRule must be one of"):
        DeclaredLabelRule(otherwise="random")
    with pytest.raises(SpecError, match="`hyphen_joins` of DeclaredLabelRule must be true"):
        DeclaredLabelRule(hyphen_joins=1)


def test_an_id_can_be_replayed_however_long_it_is():
    rule = DeclaredRule(
        passage="final", normaliser="squad", matcher="token_f1", threshold=0.5, numbers="subset",
        percent="fraction", stages="numbers-first", yes_no="anywhere", silence="no_answer",
    )  # fmt: skip
    assert len(replayable_id(rule)) > 120
    assert load_scorer(replayable_id(rule)) == rule
    both = load_scorer('any_of[parts=["exact","token_f1[threshold=0.5]"]]')
    assert load_scorer(replayable_id(both)) == both
