"""What holds for the rule on sets of provisions."""

from __future__ import annotations

import pytest

from finassay.errors import SpecError
from finassay.records import Item, Prediction, Verdict
from finassay.scorers.operations.provision_set import ProvisionSet

CHOICES = ("Article 4: a", "Article 7(1): b", "Article 7(2): c", "Article 12: d")


def said(reply: str, reference: str = "Article 4; Article 12", credit: str = "jaccard") -> Verdict:
    item = Item(item_id="i", reference=reference, choices=CHOICES)
    rule = ProvisionSet(credit=credit)  # type: ignore[arg-type]
    return rule.score(item=item, prediction=Prediction(text=reply, finish="stop"))


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("Article 12, Article 4", 1.0),
        ("第十二条、第四条", 1.0),
        ("- Article 4\n- Article 12", 1.0),
        ('{"provisions": ["Article 4", "Article 12"]}', 1.0),
        ("Article 4; Article 12\n\nExplanation: Article 7(1) is for others.", 1.0),
        ("适用条款：第四条、第十二条\n理由：第七条第一款不适用。", 1.0),
        ("Article 4", 1 / 2),
        ("Article 4; Article 7(1)", 1 / 3),
        ("Articles 4, 12 and 7(1)", 2 / 3),
        ("Article 7", 0.0),
    ],
)
def test_credit_is_what_both_name_over_what_either_names(reply: str, value: float):
    assert said(reply).value == pytest.approx(value)


def test_exact_credit_needs_equal_sets():
    assert said("Article 4", credit="exact").value == 0.0
    assert said("Article 12 and Article 4", credit="exact").value == 1.0


def test_a_level_is_part_of_a_provision():
    assert said("Article 7(2)", "Article 7(1)").value == 0.0
    assert said("Article 7, paragraph 1", "Article 7(1)").value == 1.0


def test_a_provision_that_is_no_candidate_is_flagged():
    assert "not_a_candidate" in said("Article 4; Article 99").flags
    assert not said("Article 4").flags


@pytest.mark.parametrize("reply", ["the relevant articles", "4, 12", "相关条款", "Article"])
def test_a_reply_without_a_provision_is_unparsed(reply: str):
    assert said(reply).status == "unparsed"


def test_a_reference_without_a_provision_is_not_applicable():
    assert said("Article 4", "none").status == "not_applicable"


def test_an_unknown_credit_is_refused():
    with pytest.raises(SpecError, match="`credit` of ProvisionSet must be one of"):
        said("x", credit="f1")
