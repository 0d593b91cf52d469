from __future__ import annotations

from decimal import Decimal

import pytest

from finassay.records import AnswerContract, Item
from finassay.scorers.expectations import Expectation, expectation


def read(question: str, contract: AnswerContract | None = None) -> Expectation:
    item = Item(item_id="i", question=question, contract=contract or AnswerContract())
    return expectation(item)


@pytest.mark.parametrize(
    ("question", "currency", "scale"),
    [
        ("What is capex (in USD millions)?", "USD", Decimal(10**6)),
        ("What is capex (EUR million)?", "EUR", Decimal(10**6)),
        ("What is the penalty in Rs. crore?", "INR", Decimal(10**7)),
        ("What is it in billions of dollars?", "USD", Decimal(10**9)),
        ("What is capex?", "", None),
    ],
)
def test_units_of_money_are_read_from_the_question(
    question: str, currency: str, scale: Decimal | None
):
    found = read(question)
    assert (found.currency, found.scale) == (currency, scale)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("In which financial year did the rule begin?", "year"),
        ("How many days does the issuer have?", "duration"),
        ("How many branches were closed?", "count"),
        ("When does the rule take effect?", "date"),
        ("What is the % margin?", "percent"),
        ("When relying on the balance sheet, who pays?", "any"),
    ],
)
def test_the_kind_of_answer_is_read_from_the_question(question: str, wanted: str):
    assert read(question).wanted == wanted


@pytest.mark.parametrize(
    ("question", "decimals"),
    [
        ("Round your answer to two decimal places.", 2),
        ("What is it, rounded to one decimal place?", 1),
        ("Give it to the nearest whole number.", 0),
        ("What is it?", None),
    ],
)
def test_decimals_are_read_from_the_question(question: str, decimals: int | None):
    assert read(question).decimals == decimals


def test_a_contract_goes_before_the_question():
    contract = AnswerContract(type="money", unit="EUR", scale="billion", decimals=1)
    found = read("What is it in USD millions, rounded to two decimals?", contract)
    assert (found.wanted, found.currency, found.scale) == ("money", "EUR", Decimal(10**9))
    assert found.decimals == 1
