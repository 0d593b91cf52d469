"""References made wrong: another value, in the same notation."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finassay
from finassay.benchmarks.bundled import load_bundled
from finassay.judges.grounds import Lacking, accepted_of
from finassay.judges.other_values import Draw, other_amount, other_date
from finassay.judges.wrong_references import Edited, are_different, wrong_reference
from finassay.records import AnswerContract, Item
from finassay.text.quantities import read_quantities
from judge_samples import STATE
from real_data import data_root

SHAPES = [
    ("15 days", r"\d5 days", "quantity"),
    ("Rs. 1,50,000", r"Rs\. \d,50,000", "quantity"),
    ("12.5%", r"\d2\.5%", "quantity"),
    ("five per cent", r"[a-z]+ per cent", "quantity"),
    ("Twenty-one working days", r"[A-Z][a-z]+-one working days", "quantity"),
    ("one year", r"[a-z]+ years", "quantity"),
    ("1 month", r"\d months", "quantity"),
    ("०.५%", r"[०-९]\.[०-९]%", "quantity"),
    ("5亿元", r"\d亿元", "quantity"),
    ("31 March 2021", r"31 March 202\d", "date"),
    ("2021-03-31", r"202\d-03-31", "date"),
    ("1st April", r"\d{1,2}(st|nd|rd|th) April", "date"),
    ("FY 2021-22", r"FY 202\d-2\d", "financial year"),
    ("Yes", "No", "yes/no"),
    ("NO", "YES", "yes/no"),
    ("No, the fee is not refunded.", "Yes, the fee is not refunded.", "yes/no"),
]


def edited(reference: str, **fields: object) -> Edited:
    item = Item(item_id="x", reference=reference, **fields)  # type: ignore[arg-type]
    found = wrong_reference(item)
    assert isinstance(found, Edited), found
    return found


@pytest.mark.parametrize(("reference", "shape", "kind"), SHAPES)
def test_a_value_is_changed_in_its_own_notation(reference: str, shape: str, kind: str):
    found = edited(reference, question="What does the rule say?")
    assert re.fullmatch(shape, found.text)
    assert (found.text != reference, found.kind) == (True, kind)


@pytest.mark.parametrize(("reference", "shape", "kind"), SHAPES)
def test_the_change_is_another_answer_under_financial(reference: str, shape: str, kind: str):
    question = "What does the rule say?"
    text = edited(reference, question=question).text
    there = finassay.mark("financial", reference=reference, reply=text, question=question)
    back = finassay.mark("financial", reference=text, reply=reference, question=question)
    assert (there.value, back.value) == (0.0, 0.0)


def test_an_option_becomes_another_option_also_by_its_letter():
    choices = ("hawkish", "dovish", "neutral")
    contract = AnswerContract(type="choice")
    assert edited("dovish", choices=choices, contract=contract).text in {"hawkish", "neutral"}
    assert edited("B", choices=choices, contract=contract).text in {"A", "C"}


def test_a_value_given_twice_is_changed_in_both_places():
    found = edited("Rs 5 crore, that is 5 crore rupees", question="What is the fee?")
    changed = {quantity.value for quantity in read_quantities(found.text)}
    assert len(changed) == 1
    assert changed.isdisjoint({50_000_000})


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (Item(item_id="x"), "the item has no reference"),
        (Item(item_id="x", reference="  "), "the item has no reference"),
        (
            Item(item_id="x", reference="the compliance officer"),
            "the reference holds no value that can be changed",
        ),
        (STATE, "no change of a value makes the reference another answer"),
    ],
)
def test_what_cannot_be_made_wrong_says_why(item: Item, reason: str):
    assert wrong_reference(item) == Lacking(reason=reason)


def test_the_change_is_drawn_by_seed_and_item():
    item = Item(item_id="x", reference="15 days", question="How long?")
    assert wrong_reference(item) == wrong_reference(replace(item, strata=(("a", "b"),)))
    seeds = {wrong_reference(item, seed=seed) for seed in range(12)}
    assert len(seeds) > 1


@pytest.mark.parametrize("name", ["finassay-regqa", "finassay-reglabels"])
def test_bundled_references_are_made_wrong_and_no_accepted_answer_stays_right(name: str):
    items = load_bundled(name)
    found = {item.item_id: wrong_reference(item) for item in items}
    out = [item_id for item_id, one in found.items() if isinstance(one, Lacking)]
    assert len(out) <= 0.05 * len(items)
    for item in items:
        one = found[item.item_id]
        if isinstance(one, Edited):
            assert are_different(item, accepted_of(item)[0], one.text)
            wrong = replace(item, reference=one.text, alternatives=())
            marks = [_mark(wrong, text) for text in accepted_of(item)]
            assert 1.0 not in marks
            assert 0.0 in marks


@pytest.mark.full
@pytest.mark.data
def test_most_of_the_references_of_indiafinbench_can_be_made_wrong():
    told = json.loads((data_root() / "indiafinbench" / "items.json").read_text(encoding="utf-8"))
    items = [
        Item(item_id=one["id"], question=one["question"], reference=one["answer"]) for one in told
    ]
    found = [wrong_reference(item) for item in items]
    n_edited = sum(isinstance(one, Edited) for one in found)
    # The page on judges says how many under the rule `financial` of today.
    assert len(items) == 406
    assert 340 <= n_edited <= 380


def _mark(item: Item, reply: str) -> float | None:
    return finassay.mark(
        "financial",
        reference=item.reference or "",
        reply=reply,
        question=item.question,
        choices=item.choices or None,
        contract=item.contract,
    ).value


@settings(deadline=None)
@given(amount=st.decimals("0.01", "99999", places=2), seed=st.integers(0, 20))
def test_another_amount_is_far_enough_to_be_no_rounding(amount: object, seed: int):
    said = f"{amount}"
    other = other_amount(said, Draw(seed=seed, item_id="x"))
    assert other is not None
    was, now = float(said), float(other)
    assert abs(now - was) > 0.09 * max(was, now)
    assert len(other) == len(said)


@settings(deadline=None)
@given(day=st.integers(1, 31), seed=st.integers(0, 20))
def test_another_day_is_a_day_of_every_month(day: int, seed: int):
    other = other_date(f"{day} March", day, Draw(seed=seed, item_id="x"))
    assert other is not None
    new = int(other.split()[0])
    assert 1 <= new <= 28
    assert new != day


@pytest.mark.parametrize("said", ["", "the fee", "half"])
def test_words_without_a_figure_have_no_other_amount(said: str):
    assert other_amount(said, Draw(seed=0, item_id="x")) is None
