"""The two published strict rules against the verdicts stored in the public release."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from printed_tables import DISAGREEMENTS
from real_data import data_root
from scoring import mark

pytestmark = pytest.mark.data

ROWS = 406
STORED_TOTALS = [364, 347, 340, 338, 331, 317, 313, 312, 309, 308, 305]
PERSON = {"REG": (11, 11), "TMP": (14, 16), "CON": (14, 17), "NUM": (9, 16)}


@dataclass(frozen=True, kw_only=True)
class Marked:
    """Right answers of a file: as stored, and where each rule differs from that."""

    stored: int
    numbers_first: int
    differs_numbers_first: int
    differs_fuzzy_first: int
    rows: int


def folder() -> Path:
    return data_root() / "indiafinbench"


@cache
def items() -> dict[str, tuple[str, str]]:
    listed = json.loads((folder() / "items.json").read_text(encoding="utf-8"))
    return {item["id"]: (item["answer"], item["task_type"]) for item in listed}


def rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def value(rule: str, item_id: str, reply: str) -> int:
    reference, task = items()[item_id]
    return int(mark(f"strict/{rule}", reference, reply, task=task).value or 0)


@cache
def marked(system: str) -> Marked:
    found = [
        (
            int(row["correct"]),
            value("numbers-first", row["id"], row["prediction"]),
            value("fuzzy-first", row["id"], row["prediction"]),
        )
        for row in rows(folder() / "predictions" / f"{system}.csv")
    ]
    return Marked(
        stored=sum(stored for stored, _, _ in found),
        numbers_first=sum(first for _, first, _ in found),
        differs_numbers_first=sum(stored != first for stored, first, _ in found),
        differs_fuzzy_first=sum(stored != fuzzy for stored, _, fuzzy in found),
        rows=len(found),
    )


@pytest.mark.parametrize("system", DISAGREEMENTS)
def test_rows_that_differ_from_the_stored_verdict_are_those_that_were_counted(system: str):
    found = marked(system)
    differences = (found.differs_numbers_first, found.differs_fuzzy_first)
    assert (found.rows, differences) == (ROWS, DISAGREEMENTS[system])


def test_stored_totals_are_those_of_the_published_table():
    totals = [marked(system).stored for system in DISAGREEMENTS if system != "gemma4_e4b"]
    assert sorted(totals, reverse=True) == STORED_TOTALS


def test_under_one_rule_the_tenth_system_is_level_with_the_first():
    assert (marked("gemini25_pro").stored, marked("gemini").stored) == (309, 364)
    assert marked("gemini25_pro").numbers_first == marked("gemini").numbers_first == 350


def test_numbers_first_gives_the_person_48_of_60():
    right: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for row in rows(folder() / "second_annotator_60.csv"):
        family = row["id"].partition("_")[0]
        asked[family] += 1
        right[family] += value("numbers-first", row["id"], row["your_answer"])
    assert {family: (right[family], asked[family]) for family in asked} == PERSON
