"""What published extraction rules were seen to read, case by case."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cache

import pytest

from finassay.marking.single import mark
from real_data import data_root

RULES = {
    "card_sub": "labels/card-order",
    "text_sub": "labels/text-order",
    "last_sub": "labels/last",
    "longest_text": "labels/longest",
    "card_word": "labels/card-order-word",
    "text_word": "labels/text-order-word",
    "last_word": "labels/last-word",
    "override": "labels/override",
    "letter_fallback": "labels/letter-fallback",
    "lm_regex": "labels/lm-regex",
    "pixiu_headlines": "labels/exact-default",
    "fingpt_raw": "labels/priority",
    "re_first": "labels/lm-regex",
}

STATED = {("ec036", "lm_regex"): 'labels/lm-regex[pattern="noise|casual"]'}
"""Cases that state other parameters than the default ones."""

REASONS = {
    "pred": "numbers and class digits of other tools: there is no list of labels to choose from",
    "reported": "seen in an issue thread: the rule's parameters are not stated in the case",
}
"""Keys that no label rule is tried on, and why."""

ABSENT = ("longest_text", "last_word")
"""Keys for which the file holds no case."""


@dataclass(frozen=True)
class Case:
    case_id: str
    text: str
    choices: tuple[str, ...] | None
    gold: str | None
    got: dict[str, str | None]


@cache
def cases() -> tuple[Case, ...]:
    path = data_root().parent / "cases" / "label_extraction.jsonl"
    if not path.is_file():
        pytest.skip("there is no folder of cases beside FINASSAY_DATA")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return tuple(
        Case(
            case_id=row["id"],
            text=row["text"],
            choices=None if row["choices"] is None else tuple(row["choices"]),
            gold=row["gold"],
            got=row["got"],
        )
        for row in rows
    )


def read(case: Case, key: str) -> str | None:
    rule = STATED.get((case.case_id, key), RULES[key])
    reference = case.gold or case.choices[0]
    return mark(rule, reference=reference, reply=case.text, choices=case.choices).label


@pytest.mark.data
@pytest.mark.parametrize("key", [key for key in RULES if key not in ABSENT])
def test_every_rule_reads_what_it_was_seen_to_read(key: str):
    tried = [case for case in cases() if key in case.got]
    assert tried
    expected = {c.case_id: None if c.got[key] == "[invalid]" else c.got[key] for c in tried}
    assert {case.case_id: read(case, key) for case in tried} == expected


@pytest.mark.data
def test_every_key_is_tried_or_has_a_reason():
    keys = Counter(key for case in cases() for key in case.got)
    assert set(keys) - set(RULES) == set(REASONS)
    assert {key for key in RULES if key not in keys} == set(ABSENT)
    assert {key: keys[key] for key in REASONS} == {"pred": 5, "reported": 19}


@pytest.mark.data
def test_cases_without_a_list_of_labels_are_those_with_a_reason():
    without = {key for case in cases() if case.choices is None for key in case.got}
    assert without <= set(REASONS)
