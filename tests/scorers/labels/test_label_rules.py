"""The label rules one by one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import InputError, MappingError, SpecError, UsageError
from finassay.marking.many import mark_many
from finassay.marking.single import mark
from finassay.records import Item, Prediction
from finassay.scorers.labels.base import LabelRule
from finassay.scorers.labels.external import ExternalLabels
from finassay.scorers.registry import (
    from_spec,
    load_scorer,
    scorer_id_of,
    scorer_names,
    to_spec,
)
from finassay.text.labels import finder

pytestmark = pytest.mark.full

IDS = (
    "labels/card-order",
    "labels/card-order-word",
    "labels/text-order",
    "labels/text-order-word",
    "labels/last",
    "labels/last-word",
    "labels/longest",
    "labels/longest-word",
    'labels/override[default="yes"]',
    'labels/default-fill[default="no"]',
    'labels/exact-default[exact="yes",default="no"]',
    'labels/priority[priority=["yes"],default="no"]',
    "labels/drop-unparsed",
    "labels/random-fill[seed=3]",
    "labels/letter-fallback",
    "labels/lm-regex",
    "labels/lm-cascade",
    "labels/rule",
    'labels/external[labels=[["i","yes"]]]',
)
RULES: dict[str, LabelRule] = {
    rule_id: rule for rule_id in IDS if isinstance(rule := load_scorer(rule_id), LabelRule)
}
SELECTING = tuple(rule_id for rule_id, rule in RULES.items() if rule.family == "select")
YES_NO = ("no", "yes")
PIECES = st.sampled_from(["yes", "No", "no", "not", "note", " ", ".", ":", "A", "B", "-", "É"])
REPLIES = st.one_of(st.lists(PIECES, max_size=8).map("".join), st.text(max_size=12))

quick = settings(deadline=None, max_examples=150)


def label(rule: str, reply: str, choices: tuple[str, ...] = YES_NO) -> str | None:
    return mark(rule, reference=choices[0], reply=reply, choices=choices).label


def test_every_registered_label_rule_is_on_the_list():
    names = {name for name in scorer_names() if name.startswith("labels/")}
    assert {rule.name for rule in RULES.values()} == names


@pytest.mark.parametrize("rule_id", IDS)
def test_ids_and_specs_go_there_and_back(rule_id: str):
    rule = RULES[rule_id]
    assert load_scorer(scorer_id_of(rule)) == rule
    assert from_spec(to_spec(rule)) == rule
    assert hash(rule.measure_key) == hash(load_scorer(rule_id).measure_key)


def test_the_four_orders_and_their_word_twins_claim_the_selecting_family():
    assert IDS[:8] == SELECTING
    for rule_id in SELECTING:
        kind = "word" if rule_id.endswith("-word") else "substring"
        assert RULES[rule_id].matcher is not None
        assert RULES[rule_id].matcher.kind == kind
    assert all(RULES[rule_id].matcher is None for rule_id in IDS[8:])


@quick
@given(reply=REPLIES)
def test_a_selecting_rule_names_a_label_that_occurs_and_abstains_only_without_one(reply: str):
    for rule_id in SELECTING:
        rule = RULES[rule_id]
        present = finder(rule.matcher, YES_NO).labels(reply)
        found = rule.extract(reply, YES_NO)
        assert (found.index in present) if present else (found.index is None), rule_id
        assert found.is_ambiguous == (len(present) > 1) or rule.order == "longest", rule_id


@quick
@given(reply=REPLIES)
def test_every_rule_gives_every_reply_a_verdict_with_a_reason(reply: str):
    for rule_id, rule in RULES.items():
        item = Item(item_id="i", reference="no", choices=YES_NO)
        verdict = rule.score(item=item, prediction=Prediction(item_id="i", text=reply))
        assert verdict.status in {"scored", "unparsed"}, rule_id
        assert (verdict.label is None) == (not verdict.value and verdict.label != "yes"), rule_id
        assert verdict.reason, rule_id


@quick
@given(reply=REPLIES)
def test_marking_many_and_marking_one_agree(reply: str):
    row = {"reference": "no", "reply": reply, "choices": list(YES_NO)}
    for rule_id in IDS[:-1]:
        one = mark(rule_id, reference="no", reply=reply, choices=YES_NO)
        assert mark_many(rule_id, [row, row]) == [one, one], rule_id


def test_card_order_and_text_order_read_one_reply_differently():
    choices = ("negative", "neutral", "positive")
    reply = "Positive, not negative."
    assert label("labels/card-order", reply, choices) == "negative"
    assert label("labels/text-order", reply, choices) == "positive"
    assert label("labels/last", reply, choices) == "negative"


def test_labels_that_start_at_one_place_go_by_the_card_or_by_length_as_declared():
    choices = ("Guilty", "Guilty of Romance")
    reply = "the answer is Guilty of Romance"
    assert label("labels/text-order", reply, choices) == "Guilty"
    assert label('labels/text-order[tie="longest"]', reply, choices) == "Guilty of Romance"
    assert label("labels/last", reply, choices) == "Guilty"
    assert label('labels/last[tie="longest"]', reply, choices) == "Guilty of Romance"
    assert label("labels/longest", reply, choices) == "Guilty of Romance"


def test_a_label_inside_a_longer_one_is_not_the_longest():
    choices = ("Finance", "Access to Finance")
    assert label("labels/last", "Access to Finance", choices) == "Finance"
    assert label("labels/longest", "Access to Finance", choices) == "Access to Finance"


def test_hyphens_join_words_where_declared():
    assert label("labels/card-order-word", "no-one knows: yes") == "no"
    assert label("labels/card-order-word[hyphen_joins=true]", "no-one knows: yes") == "yes"


def test_a_reply_without_a_label_is_wrong_under_published_rules_and_says_so():
    verdict = mark("labels/card-order", reference="yes", reply="perhaps", choices=YES_NO)
    assert (verdict.value, verdict.label, verdict.flags) == (0.0, None, ("no_label",))


def test_a_reply_without_a_label_has_no_value_where_the_rule_drops_it():
    verdict = mark("labels/drop-unparsed", reference="yes", reply="perhaps", choices=YES_NO)
    assert (verdict.status, verdict.value) == ("unparsed", None)


def test_a_choice_among_several_labels_is_flagged():
    verdict = mark("labels/last", reference="yes", reply="no, yes", choices=YES_NO)
    assert (verdict.value, verdict.flags) == (1.0, ("several_labels",))


def test_reference_and_label_are_compared_by_place_so_case_does_not_matter():
    choices = ("rise", "Fall")
    assert mark("labels/card-order", reference="Rise", reply="RISE", choices=choices).value == 1.0
    assert mark("labels/lm-regex", reference="fall", reply="Fall", choices=choices).value == 1.0


def test_a_reference_outside_the_choices_is_a_failure_and_not_a_wrong_answer():
    verdict = mark("labels/card-order", reference="maybe", reply="no", choices=YES_NO)
    assert (verdict.status, verdict.value) == ("failed", None)
    assert "'maybe' is none of the choices" in verdict.reason


def test_choices_that_cannot_be_told_apart_are_a_failure():
    verdict = mark("labels/card-order", reference="No", reply="no", choices=("No", "no"))
    assert verdict.status == "failed"
    assert "equal under norm" in verdict.reason


def test_an_item_without_choices_is_not_for_label_rules():
    verdict = mark("labels/card-order", reference="no", reply="no")
    assert (verdict.status, verdict.reason) == ("not_applicable", "the item offers no choices")


def test_a_reply_that_was_never_obtained_is_a_failure():
    item = Item(item_id="i", reference="no", choices=YES_NO)
    prediction = Prediction(item_id="i", text="", finish="error")
    assert RULES["labels/card-order"].score(item=item, prediction=prediction).status == "failed"


def test_synonyms_of_the_first_choice_beat_the_second_choice_itself():
    reply = "Sentiment is positive but price should fall"
    verdict = mark("labels/override", reference="Fall", reply=reply, choices=("Rise", "Fall"))
    assert (verdict.label, verdict.flags) == ("Rise", ("synonym", "several_labels"))


def test_the_override_fills_its_default_and_says_so():
    reply = "I am unable to evaluate this profile."
    verdict = mark("labels/override", reference="good", reply=reply, choices=("good", "bad"))
    assert (verdict.value, verdict.label, verdict.flags) == (1.0, "good", ("default_filled",))


def test_a_synonym_inside_another_word_decides_the_override():
    reply = "I cannot assess this customer."
    assert label("labels/override", reply, ("good", "bad")) == "bad"


def test_the_override_needs_a_default_among_the_choices():
    verdict = mark("labels/override", reference="a", reply="x", choices=("a", "b"))
    assert verdict.status == "failed"
    assert "has no default among the choices" in verdict.reason


def test_a_default_fill_that_is_no_choice_is_a_failure_only_where_it_is_needed():
    rule = 'labels/default-fill[default="good"]'
    assert label(rule, "yes") == "yes"
    verdict = mark(rule, reference="no", reply="perhaps", choices=YES_NO)
    assert verdict.status == "failed"
    assert "needs the label 'good'" in verdict.reason


def test_exact_default_reads_one_spelling_and_fills_the_rest():
    choices = ("Yes", "No")
    read = {
        r: mark("labels/exact-default", reference="Yes", reply=r, choices=choices)
        for r in ("Yes", " Yes\n", "Yes.", "yes", "No", "I refuse")
    }
    assert [v.label for v in read.values()] == ["Yes", "Yes", "No", "No", "No", "No"]
    assert [v.flags for v in read.values()][3:] == [
        ("default_filled",),
        (),
        ("default_filled",),
    ]
    assert label("labels/exact-default[strip=false]", " Yes", choices) == "No"


def test_priority_sees_two_spellings_only():
    choices = ("negative", "neutral", "positive")
    rule = "labels/priority"
    assert label(rule, "Negative rather than positive", choices) == "positive"
    assert label(rule, "NEGATIVE", choices) == "neutral"
    assert label(f"{rule}[lower_first=true]", "NEGATIVE", choices) == "negative"


def test_a_random_fill_is_the_same_for_the_same_item_and_differs_between_items_and_seeds():
    rules = [load_scorer(f"labels/random-fill[seed={seed}]") for seed in (1, 2)]
    drawn = [
        [rule.extract("perhaps", YES_NO, key=str(item)).index for item in range(200)]
        for rule in rules
    ]
    again = [rules[0].extract("perhaps", YES_NO, key=str(item)).index for item in range(200)]
    assert drawn[0] == again
    assert drawn[0] != drawn[1]
    # 200 fair draws: 65 to 135 ones hold with p > 0.9999997 (binomial).
    assert all(65 <= sum(row) <= 135 for row in drawn)
    assert rules[0].extract("yes", YES_NO, key="1").origin == "label"


@pytest.mark.parametrize(
    ("parameters", "reply", "expected"),
    [
        ("", "attributes: A11, 6, A34", "good"),
        ("", "Attributes: B1: 0", "bad"),
        ("", "A11 and B2", None),
        ("[boundary=true]", "attributes: A11, 6", None),
        ("[boundary=true]", "answer: B.", "bad"),
        ('[anchor=""]', "Because", "bad"),
        ('[anchor="",boundary=true]', "Because it is A", "good"),
        ('[letters=["1","2"]]', "class: 2", "bad"),
        ("", "class: b", None),
    ],
)
def test_a_bare_letter_names_a_choice_by_its_place(
    parameters: str, reply: str, expected: str | None
):
    assert label(f"labels/letter-fallback{parameters}", reply, ("good", "bad")) == expected


def test_a_label_goes_before_a_letter():
    verdict = mark(
        "labels/letter-fallback", reference="good", reply="class: B, good", choices=("good", "bad")
    )
    assert (verdict.label, verdict.flags) == ("good", ())


def test_the_regular_expression_is_case_sensitive_and_takes_the_first_match():
    assert label("labels/lm-regex", "I do not know") == "no"
    assert label("labels/lm-regex", "No") is None
    assert label("labels/lm-regex", "Because option D", ("A", "B", "C", "D")) == "B"


def test_a_match_that_is_no_choice_is_no_label():
    rule = 'labels/lm-regex[pattern="noise|casual"]'
    choices = ("noise", "causal")
    assert label(rule, "causal", choices) is None
    verdict = mark(rule, reference="causal", reply="casual", choices=choices)
    assert (verdict.value, verdict.label) == (0.0, None)
    assert "'casual' is no choice" in verdict.reason


def test_the_first_group_that_matched_is_the_answer():
    assert label(r'labels/lm-regex[pattern="is (yes|no)"]', "it is yes, no") == "yes"


@pytest.mark.parametrize(
    ("parameters", "reply", "expected"),
    [
        ("", "so it is bad: A", "bad"),
        ("", "so it is Bad: A", "good"),
        ("[ignore_case=true]", "so it is Bad: A", "bad"),
        ("[ignore_punctuation=true]", "b-a-d", "bad"),
        ('[ignore=["x"]]', "bxad", "bad"),
        ('[pattern="Answer: (.)"]', "good? Answer: B", "bad"),
        ('[pattern="Answer: (.)"]', "Answer: Z good", None),
        ('[pattern="Answer: (\\\\w+)"]', "Answer: bad, good", "bad"),
        ('[pattern="Answer: (.)"]', "good", "good"),
        ('[take="last"]', "bad or good", "good"),
        ("", "nothing", None),
        ('[anchor="is"]', "it is A", "good"),
    ],
)
def test_the_cascade_takes_the_first_step_that_matches(
    parameters: str, reply: str, expected: str | None
):
    assert label(f"labels/lm-cascade{parameters}", reply, ("good", "bad")) == expected


def test_external_labels_are_looked_up_by_item(tmp_path: Path):
    path = tmp_path / "judge.csv"
    path.write_text("item_id,label\ni1,Yes\ni2,\n", encoding="utf-8")
    rule = ExternalLabels.from_csv(path)
    found = {key: rule.extract("perhaps", YES_NO, key=key).index for key in ("i1", "i2", "i3")}
    assert found == {"i1": 1, "i2": None, "i3": None}
    item = Item(item_id="i1", reference="yes", choices=YES_NO)
    verdict = rule.score(item=item, prediction=Prediction(item_id="i1", text="perhaps"))
    assert (verdict.value, verdict.flags) == (1.0, ("external",))


def test_external_labels_need_an_item_id():
    rule = 'labels/external[labels=[["i","yes"]]]'
    verdict = mark(rule, reference="yes", reply="yes", choices=YES_NO)
    assert verdict.status == "failed"
    assert "looks labels up by item id" in verdict.reason


def test_an_external_label_that_is_no_choice_is_an_error():
    with pytest.raises(UsageError, match="needs the label 'maybe'"):
        ExternalLabels(labels=(("i", "maybe"),)).extract("", YES_NO, key="i")


def test_a_file_of_external_labels_without_its_columns_is_refused(tmp_path: Path):
    path = tmp_path / "judge.csv"
    path.write_text("id,label\n1,yes\n", encoding="utf-8")
    with pytest.raises(MappingError, match=r"columns \['item_id'\] are missing"):
        ExternalLabels.from_csv(path)
    with pytest.raises(InputError, match="cannot be read as UTF-8 text"):
        ExternalLabels.from_csv(tmp_path / "absent.csv")
    path.write_bytes(b"item_id,label\n1,\xff\n")
    with pytest.raises(InputError, match="cannot be read as UTF-8 text"):
        ExternalLabels.from_csv(path)


@pytest.mark.parametrize(
    ("rule_id", "message"),
    [
        ('labels/card-order[norm="upper"]', "`norm` of CardOrder must be one of"),
        ('labels/text-order[tie="text"]', "`tie` of TextOrder must be one of"),
        ("labels/last-word[hyphen_joins=1]", "`hyphen_joins` of LastLabelWord must be true or"),
        ("labels/default-fill", r"cannot be built without default; give it as .*\[default="),
        ('labels/drop-unparsed[order="first"]', "`order` of DropUnparsed must be one of"),
        ('labels/drop-unparsed[match="fuzzy"]', "`match` of DropUnparsed must be one of"),
        ('labels/override[synonyms=["good"]]', "`synonyms` of Override must be a list of strings"),
        ("labels/override[default=[1]]", "`default` of Override must be a list of strings"),
        ("labels/priority[priority=[]]", "must name at least one label"),
        ("labels/random-fill[seed=true]", "`seed` of RandomFill must be a whole number"),
        ('labels/letter-fallback[letters=["A","A"]]', "must be distinct and not empty"),
        ('labels/lm-regex[pattern="("]', r"the pattern '\(' cannot be read"),
        ('labels/lm-cascade[take="any"]', "`take` of Cascade must be one of"),
        ('labels/external[labels=[["i"]]]', r"must hold pairs \(item id, label\)"),
        ('labels/external[labels=[["i","a"],["i","b"]]]', "got twice: 'i'|twice: \\['i'\\]"),
    ],
)
def test_a_parameter_out_of_range_is_refused(rule_id: str, message: str):
    with pytest.raises(SpecError, match=message):
        load_scorer(rule_id)


@pytest.mark.parametrize("rule_id", IDS)
def test_a_megabyte_is_marked(rule_id: str):
    for text in ("no" * 500_000, "A: " * 300_000, "\ud800" * 1_000_000, " " * 1_000_000):
        item = Item(item_id="i", reference="no", choices=YES_NO)
        assert RULES[rule_id].score(item=item, prediction=Prediction(text=text, item_id="i")).status
