"""Rule families on cases that a careful reader judged; `null` cases depend on a switch."""

from __future__ import annotations

import json
import re

import pytest

from finassay.records import Item, Prediction, Verdict
from finassay.scorers.registry import load_scorer
from real_data import data_root

FAMILIES = {"mcq": "choice", "set": "set/exact", "fields": "fields[threshold=1]", "date": "date"}
"""Categories of cases, and the rule that reads them."""

SWITCHES = {
    "st-002": "set/exact[parents=true]",
    "fd-002": 'fields[several="first"]',
    "fd-008": "fields[loose_names=true]",
    "dt-003": 'date[order="month-first"]',
    "dt-005": 'date[order="month-first"]',
    "dt-008": 'date[precision="reference"]',
    "dt-016": "date[months_of_year=true]",
}
"""Cases without one answer, and the rule under which the answer is the other one."""

APART = {
    "mc-026": "the reference is the verdict of a judge, no option",
    "dt-010": "a bare number is no date: the rule does not apply, as the case asks",
}

pytestmark = pytest.mark.data


def cases(category: str) -> list[dict[str, str | bool | None]]:
    path = data_root().parent / "cases" / "answer_matching.jsonl"
    if not path.exists():
        pytest.skip("the folder with the real data has no cases beside it")
    read = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [case for case in read if case["category"] == category]


def marked(scorer_id: str, case: dict[str, str | bool | None]) -> Verdict:
    offered = re.findall(r"[A-Z]='([^']+)'", str(case.get("context", "")))
    item = Item(item_id="i", reference=str(case["reference"]), choices=tuple(offered))
    return load_scorer(scorer_id).score(
        item=item, prediction=Prediction(text=str(case["prediction"]))
    )


@pytest.mark.parametrize("category", FAMILIES)
def test_every_case_is_right_or_wrong_as_its_reader_says(category: str):
    found = cases(category)
    assert len(found) >= 5
    for case in found:
        if case["id"] in APART:
            assert marked(FAMILIES[category], case).status == "not_applicable", case["id"]
        elif case["expected_equivalent"] is not None:
            is_right = marked(FAMILIES[category], case).value == 1.0
            assert is_right == case["expected_equivalent"], case["id"]


@pytest.mark.parametrize("category", FAMILIES)
def test_every_case_without_one_answer_is_flagged_and_has_a_switch(category: str):
    for case in cases(category):
        if case["expected_equivalent"] is None and case["id"] not in APART:
            plain = marked(FAMILIES[category], case)
            assert plain.flags, case["id"]
            switched = marked(SWITCHES[str(case["id"])], case)
            assert switched.value != plain.value, case["id"]
