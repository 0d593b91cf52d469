"""What holds for the rule on closed lists of labels."""

from __future__ import annotations

import pytest

from finassay.errors import SpecError
from finassay.records import Item, Prediction, Verdict
from finassay.scorers.operations.closed import Closed

SAME = Closed(wordings=("same=yes|same person", "different=no|not the same", "uncertain=unknown"))
ZH = Closed(wordings=("同一=是|是同一人|同一人", "不同=否|不是同一人|非同一人", "无法判断=不确定"))
LABELS, LABELS_ZH = ("same", "different", "uncertain"), ("同一", "不同", "无法判断")


def said(reply: str, rule: Closed = SAME, reference: str = "same") -> Verdict:
    choices = LABELS_ZH if rule is ZH else LABELS
    item = Item(item_id="i", reference=reference, choices=choices)
    return rule.score(item=item, prediction=Prediction(text=reply, finish="stop"))


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("same", "same"),
        ("Same.", "same"),
        ("ＳＡＭＥ", "same"),
        ("Yes, the numbers agree.", "same"),
        ("no", "different"),
        ("not the same", "different"),
        ("Answer: different", "different"),
        ("different because the numbers differ, though the names are the same", "different"),
        ("same\nThe first is not different in any way.", "same"),
        ("The two are clearly different in my view.", "different"),
        ('{"decision": "uncertain"}', "uncertain"),
        ("Thinking about it, names agree and all.\n\nsame", "same"),
        ("unknown", "uncertain"),
    ],
)
def test_a_stated_label_is_read(reply: str, label: str):
    assert said(reply).label == label


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("同一", "同一"),
        ("是。", "同一"),
        ("是同一人", "同一"),
        ("不是同一人", "不同"),
        ("否，登记号不同", "不同"),
        ("答案：无法判断", "无法判断"),
        ("结论：不同\n理由：虽然名称同一", "不同"),
        ("“不同”", "不同"),
        ("不确定；仅姓名一致", "无法判断"),
    ],
)
def test_a_stated_label_is_read_in_chinese(reply: str, label: str):
    assert said(reply, ZH, "同一").label == label


@pytest.mark.parametrize(
    "reply",
    [
        "same or different",
        "either same or uncertain",
        "I wonder whether they are the same",
        "they are not different",
        "It is never the case that they are the same",
        "same / different / uncertain",
        "Answer: perhaps",
        "nothing to say",
        "maybe same",
        "Is it the same?",
    ],
)
def test_a_reply_that_states_none_or_several_is_unparsed(reply: str):
    verdict = said(reply)
    assert (verdict.status, verdict.value) == ("unparsed", None)


@pytest.mark.parametrize("reply", ["同一或不同", "是否同一", "可能同一", "并非同一", "同一/不同"])
def test_a_reply_that_states_none_or_several_is_unparsed_in_chinese(reply: str):
    assert said(reply, ZH, "同一").status == "unparsed"


def test_right_and_wrong_have_values():
    assert said("yes").value == 1.0
    assert said("no").value == 0.0
    assert said("no", reference="DIFFERENT").value == 1.0


def test_an_announced_answer_is_the_only_one():
    assert said("same\nAnswer: it depends on much").status == "unparsed"


def test_a_reference_outside_the_labels_is_not_applicable():
    assert said("same", reference="other").status == "not_applicable"


def test_a_longer_label_is_not_read_as_the_one_inside_it():
    item = Item(item_id="i", reference="granted", choices=("granted", "granted in part"))
    prediction = Prediction(text="The claim is granted in part.", finish="stop")
    assert Closed().score(item=item, prediction=prediction).label == "granted in part"


def test_wordings_must_name_a_label():
    with pytest.raises(SpecError, match="must be LABEL=WORDING"):
        Closed(wordings=("yes",))
    with pytest.raises(SpecError, match="must be a list of strings"):
        Closed(wordings="same=yes")  # type: ignore[arg-type]
