"""The financial rule beside what people said of real replies."""

from __future__ import annotations

import csv
import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from finassay import mark
from finassay.records import content_id
from real_data import data_root

LISTED = Path(__file__).parent / "financial_disagreements.csv"
RIGHT = "Correct Answer"

pytestmark = [pytest.mark.data, pytest.mark.full]


@cache
def replies() -> list[dict[str, object]]:
    path = data_root() / "financebench" / "answers_with_human_labels.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@cache
def marks(policy: str = "") -> tuple[bool, ...]:
    return tuple(
        mark(
            f"financial{policy}",
            reference=str(one["gold_answer"]),
            reply=str(one["model_answer"]),
            question=str(one["question"]),
        ).value
        == 1.0
        for one in replies()
    )


def kappa(pairs: list[tuple[bool, bool]]) -> float:
    counts, n = Counter(pairs), len(pairs)
    observed = (counts[True, True] + counts[False, False]) / n
    left = sum(a for a, _ in pairs) / n
    right = sum(b for _, b in pairs) / n
    expected = left * right + (1 - left) * (1 - right)
    return (observed - expected) / (1 - expected)


def agreement(*, numbers: bool | None, refusals: bool = True, policy: str = "") -> float:
    return kappa(
        [
            (ours, one["label"] == RIGHT)
            for one, ours in zip(replies(), marks(policy), strict=True)
            if numbers is None or numbers == (not isinstance(one["gold_answer"], str))
            if refusals or one["label"] != "Refusal"
        ]
    )


def test_the_chosen_final_answer_agrees_with_people_on_numbers():
    assert agreement(numbers=True) >= 0.95


def test_the_rule_agrees_with_people_on_all_replies():
    assert agreement(numbers=None) >= 0.85


def test_the_rule_agrees_with_people_on_prose():
    assert agreement(numbers=False, refusals=False) >= 0.7


def test_every_disagreement_with_people_is_listed_with_its_reason():
    with LISTED.open(encoding="utf-8", newline="") as stream:
        listed = {row["key"]: row for row in csv.DictReader(stream)}
    assert all(row["reason"] and row["kind"] for row in listed.values())
    differing = {
        content_id(str(one["question"]), str(one["model_answer"]))
        for one, ours in zip(replies(), marks(), strict=True)
        if ours != (one["label"] == RIGHT)
    }
    assert differing == set(listed)
