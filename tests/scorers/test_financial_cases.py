"""The financial rule on cases that a careful reader judged."""

from __future__ import annotations

import json
import re

import pytest

from finassay import mark
from finassay.records import Verdict
from real_data import data_root

CATEGORIES = (
    "exact", "fuzzy", "numeric", "unit", "date", "yesno", "mcq", "set", "fields", "cjk", "unicode",
    "label",
)  # fmt: skip
APART = {"ck-013": "it has no reference: it says what a number reader must not read"}

pytestmark = pytest.mark.data

Case = dict[str, str | bool | None]


def cases(category: str) -> list[Case]:
    path = data_root().parent / "cases" / "answer_matching.jsonl"
    if not path.exists():
        pytest.skip("the folder with the real data has no cases beside it")
    read = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [case for case in read if case["category"] == category and case["id"] not in APART]


def marked(case: Case) -> Verdict:
    offered = re.findall(r"[A-Z]='([^']+)'", str(case.get("context", "")))
    return mark(
        "financial",
        reference=str(case["reference"]),
        reply=str(case["prediction"]),
        choices=offered or None,
    )


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_case_is_marked_as_its_reader_says(category: str):
    found = [case for case in cases(category) if case["expected_equivalent"] is not None]
    assert found
    wrong = {
        case["id"]: marked(case)
        for case in found
        if (marked(case).value == 1.0) != case["expected_equivalent"]
    }
    assert wrong == {}


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_case_that_depends_on_a_switch_says_so(category: str):
    for case in cases(category):
        if case["expected_equivalent"] is None:
            verdict = marked(case)
            assert verdict.flags or not verdict.is_scored, case["id"]
