"""What holds for the baseline on key points."""

from __future__ import annotations

import pytest

from finassay.errors import SpecError
from finassay.records import Item, Prediction, Verdict
from finassay.scorers.operations.key_points import KeyPoints

POINTS = "- the increase of 200,000 lacks written consent\n- the guarantor owes 500,000"
POINTS_ZH = "- 增加的20万元缺少书面同意\n- 保证书没有催收费条款"


def said(reply: str, reference: str = POINTS, least: float = 0.6) -> Verdict:
    item = Item(item_id="i", reference=reference)
    rule = KeyPoints(least=least)
    return rule.score(item=item, prediction=Prediction(text=reply, finish="stop"))


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        (POINTS, 1.0),
        ("Written consent to the increase of 200,000 is lacking.", 1 / 2),
        ("The guarantor owes 500000 as written consent to an increase of 200000 lacks.", 1.0),
        ("Written consent to the increase of 300,000 is lacking.", 0.0),
        ("Nothing of the sort happened in this case.", 0.0),
    ],
)
def test_value_is_the_share_of_points_that_are_mentioned(reply: str, value: float):
    assert said(reply).value == pytest.approx(value)


def test_chinese_points_are_mentioned_in_other_order_and_width():
    assert said("缺少书面同意，增加的２０万元不算。", POINTS_ZH).value == pytest.approx(1 / 2)
    assert said("没有催收费条款；增加的20万元缺少书面同意", POINTS_ZH).value == 1.0


def test_every_verdict_says_that_it_is_a_baseline_of_coverage():
    assert said(POINTS).flags == ("coverage_baseline",)


@pytest.mark.parametrize("reply", ["{}", "---", "No.", "不"])
def test_a_reply_that_is_no_text_is_unparsed(reply: str):
    assert said(reply).status == "unparsed"


def test_a_lower_share_of_words_mentions_more():
    reply = "Consent is missing for the increase of 200,000 here."
    assert said(reply, least=0.9).value == 0.0
    assert said(reply, least=0.4).value == pytest.approx(1 / 2)


def test_a_reference_without_words_is_not_applicable():
    assert said("a long enough text", "- ...").status == "not_applicable"


def test_a_share_outside_0_to_1_is_refused():
    with pytest.raises(SpecError, match="`least` of KeyPoints must be in"):
        KeyPoints(least=60)
