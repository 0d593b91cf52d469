"""What holds for the bundled items and for their second reading."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from datetime import date, timedelta
from fractions import Fraction
from importlib.resources import files
from typing import Any

import pytest

DATA = files("finassay.benchmarks") / "data"
SETS = ("regqa", "reglabels")
KEYS = [
    "item_id",
    "benchmark",
    "family",
    "task",
    "difficulty",
    "language",
    "question",
    "context",
    "contexts",
    "reference",
    "alternatives",
    "choices",
    "contract",
    "documents",
    "strata",
    "source",
    "rationale",
]
FAMILIES = {
    "REG": "regulatory_interpretation",
    "NUM": "numerical_reasoning",
    "CON": "contradiction_detection",
    "TMP": "temporal_reasoning",
    "TOP": "topic_classification",
    "OBL": "obligation_detection",
    "SEN": "sentiment_toward_firm",
    "APP": "yes_no_applicability",
}
CONTEXT_WORDS = {
    "REG": (60, 90),
    "NUM": (60, 90),
    "CON": (60, 90),
    "TMP": (60, 90),
    "TOP": (40, 65),
    "OBL": (15, 45),
    "SEN": (25, 50),
    "APP": (60, 100),
}
JURISDICTIONS = {
    "European Union",
    "United States",
    "United Kingdom",
    "India",
    "International",
    "Hong Kong",
    "Japan",
    "Australia",
    "Switzerland",
    "Singapore",
    "Brazil",
    "Canada",
    "constructed",
}
OUTCOMES = {"agree", "agree_other_form", "disagree", "ambiguous"}


def read(name: str) -> list[dict[str, Any]]:
    text = (DATA / f"{name}_items.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


ITEMS = {item["item_id"]: item for name in SETS for item in read(name)}
LABELLED = [
    item for item in ITEMS.values() if item["family"] in {"CON", "TOP", "OBL", "SEN", "APP"}
]
READING = list(
    csv.DictReader((DATA / "second_reading.csv").read_text(encoding="utf-8").splitlines())
)


def of_family(family: str) -> list[dict[str, Any]]:
    return [item for item in ITEMS.values() if item["family"] == family]


def majority(family: str) -> tuple[str, int]:
    return Counter(str(item["reference"]) for item in of_family(family)).most_common(1)[0]


def all_text(item: dict[str, Any]) -> str:
    return " ".join([item["context"], *item["contexts"]]).strip()


def after_business_days(start: date, count: int, holidays: frozenset[date] = frozenset()) -> date:
    day = start
    while count:
        day += timedelta(days=1)
        count -= day.weekday() < 5 and day not in holidays
    return day


# Each row: figures that the context must state, and the arithmetic done on them a second time.
# Amounts are in whole currency units or shares, ratios in percent.
MILLION, BILLION, CRORE = 10**6, 10**9, 10**7
ARITHMETIC: dict[str, tuple[str, Fraction]] = {
    "NUM_001": ("84|1,120", Fraction(84, 1120) * 100),
    "NUM_002": ("640|4.5%|2.5%", Fraction(45 + 25, 1000) * 640 * MILLION),
    "NUM_003": (
        "250|800|700|75%",
        Fraction(250 * 100) / (800 - min(Fraction(700), Fraction(75 * 800, 100))),
    ),
    "NUM_004": ("£400|£40|3.25%", Fraction(325, 10000) * (400 - 40) * BILLION),
    "NUM_005": ("400|$85|50%", Fraction(400 * 85, 2)),
    "NUM_006": ("200|$6,000|25%", Fraction(6000) / (1 - Fraction(1, 4)) / 200),
    "NUM_007": (
        "$310,000|$600,000|$250,000",
        Fraction(max(0, 310000 - 250000) + max(0, 600000 // 2 - 250000)),
    ),
    "NUM_008": (
        "42,000,000|380,000|500,000|460,000|420,000",
        max(Fraction(42000000, 100), Fraction(380000 + 500000 + 460000 + 420000, 4)),
    ),
    "NUM_009": ("125,000|720,000|one quarter", max(Fraction(125000), Fraction(720000, 4))),
    "NUM_010": (
        "350,000|2%|40 million|2.2 million",
        max(Fraction(350000), Fraction(2 * 40 * MILLION, 100), Fraction(2200000, 4)),
    ),
    "NUM_011": ("40%|25,000|9,400", (Fraction(40 * 25000, 100) - 9400) * CRORE),
    "NUM_012": ("8 crore|26%", Fraction(26 * 8 * CRORE, 100)),
    "NUM_013": (
        "0.8%|£250|30 days|£15|100%",
        min(Fraction(8, 1000) * 250 * 30 + 15, Fraction(250)),
    ),
    "NUM_014": (
        "R$250,000|R$1 million|R$320,000|R$180,000",
        Fraction(min(MILLION, min(320000, 250000) + min(180000, 250000))),
    ),
    "NUM_015": (
        "C$100,000|C$70,000|C$55,000|C$40,000",
        Fraction(min(70000 + 55000, 100000) + min(40000, 100000)),
    ),
    "NUM_016": ("¥10 million|¥7 million|¥6 million", Fraction((7 + 6 - 10) * MILLION)),
    "NUM_017": ("15%|60 billion", Fraction(15 * 60 * BILLION, 100)),
    "NUM_018": (
        "Sixty percent|2.0%|thirty percent|0.5%|the rest",
        Fraction(60 * 20 + 30 * 5 + 10 * 5, 1000),
    ),
}
SCALES = {"thousand": 10**3, "million": MILLION, "billion": BILLION, "crore": CRORE}


def amount(text: str) -> Fraction:
    found = re.search(r"\d[\d,]*(?:\.\d+)?", text)
    assert found is not None, f"no figure in {text!r}"
    value = Fraction(found.group().replace(",", ""))
    for word, scale in SCALES.items():
        value *= scale if re.search(rf"\b{word}\b", text) else 1
    return value


BUSINESS_DAY_DEADLINES = {
    "TMP_006": after_business_days(date(2024, 10, 3), 4, frozenset({date(2024, 10, 14)})),
    "TMP_007": after_business_days(date(2024, 6, 4), 5),
    "TMP_008": after_business_days(date(2024, 5, 31), 1),
}


def spelled(day: date) -> set[str]:
    month = day.strftime("%B")
    return {f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}"}


@pytest.mark.parametrize("name", SETS)
def test_each_set_has_72_items_with_the_same_keys_and_its_own_name(name: str):
    items = read(name)
    assert len(items) == 72
    assert all(list(item) == KEYS for item in items)
    assert {item["benchmark"] for item in items} == {f"finassay-{name}"}


def test_item_ids_are_unique_over_both_sets_and_begin_with_the_family():
    ids = [item["item_id"] for name in SETS for item in read(name)]
    assert len(set(ids)) == len(ids) == 144
    assert all(item["item_id"].split("_")[0] == item["family"] for item in ITEMS.values())


def test_each_task_has_18_items():
    counted = Counter((item["family"], item["task"]) for item in ITEMS.values())
    assert counted == dict.fromkeys(FAMILIES.items(), 18)


def test_no_two_items_ask_the_same_of_the_same_text():
    asked = Counter((item["question"], all_text(item)) for item in ITEMS.values())
    assert [pair for pair, count in asked.items() if count > 1] == []


def test_closed_answers_are_among_the_choices_and_choices_are_distinct():
    wrong = [i["item_id"] for i in LABELLED if i["choices"].count(i["reference"]) != 1]
    assert wrong == []
    assert all(len(set(item["choices"])) == len(item["choices"]) >= 2 for item in LABELLED)


@pytest.mark.parametrize("family", ["TOP", "OBL", "SEN", "APP"])
def test_label_questions_name_every_choice_and_list_no_alternatives(family: str):
    for item in of_family(family):
        assert item["question"].endswith(f"labels: {', '.join(item['choices'])}.")
        assert item["alternatives"] == []


def test_alternatives_are_distinct_and_do_not_repeat_the_reference():
    for item in ITEMS.values():
        wordings = [item["reference"], *item["alternatives"]]
        assert len(set(wordings)) == len(wordings), item["item_id"]


@pytest.mark.parametrize("family", FAMILIES)
def test_contexts_are_of_the_declared_length(family: str):
    low, high = CONTEXT_WORDS[family]
    lengths = {item["item_id"]: len(all_text(item).split()) for item in of_family(family)}
    assert {key: n for key, n in lengths.items() if not low <= n <= high} == {}


def test_contradiction_items_have_two_contexts_and_two_documents():
    for item in of_family("CON"):
        assert item["context"] == ""
        assert len(set(item["contexts"])) == len(item["contexts"]) == 2
        assert len(set(item["documents"])) == len(item["documents"]) == 2


def test_other_items_have_one_context_and_name_their_documents():
    for item in ITEMS.values():
        if item["family"] != "CON":
            assert item["context"]
            assert item["contexts"] == []
            assert item["documents"]


def test_jurisdictions_go_by_one_full_name():
    assert {item["strata"]["jurisdiction"] for item in ITEMS.values()} == JURISDICTIONS


@pytest.mark.parametrize(
    ("family", "label", "count"), [("SEN", "negative", 11), ("APP", "No", 13), ("CON", "No", 11)]
)
def test_majority_labels_have_the_declared_share(family: str, label: str, count: int):
    assert majority(family) == (label, count)


@pytest.mark.parametrize("item_id", [f"NUM_{number:03d}" for number in range(1, 19)])
def test_numerical_references_follow_from_the_figures_in_the_context(item_id: str):
    item = ITEMS[item_id]
    figures, expected = ARITHMETIC[item_id]
    missing = [figure for figure in figures.split("|") if figure not in item["context"]]
    assert missing == []
    assert amount(item["reference"]) == expected


@pytest.mark.parametrize("item_id", BUSINESS_DAY_DEADLINES)
def test_business_day_deadlines_agree_with_the_calendar(item_id: str):
    assert ITEMS[item_id]["reference"] in spelled(BUSINESS_DAY_DEADLINES[item_id])


def test_every_item_has_one_row_in_the_second_reading():
    assert Counter(row["item_id"] for row in READING) == dict.fromkeys(ITEMS, 1)
    assert all(row["second_reader_answer"].strip() for row in READING)


def test_no_disagreement_of_the_second_reading_is_open():
    assert {row["outcome"] for row in READING} <= OUTCOMES
    assert {row["action"] for row in READING} <= {"none", "mended", "replaced"}
    doubted = [row for row in READING if row["outcome"] in {"disagree", "ambiguous"}]
    assert [row["item_id"] for row in doubted if row["action"] == "none"] == []
    assert [row["item_id"] for row in READING if row["action"] != "none" and not row["note"]] == []


def test_answers_recorded_as_agreeing_are_the_reference_but_for_capitals():
    for row in READING:
        same = (
            row["second_reader_answer"].casefold() == ITEMS[row["item_id"]]["reference"].casefold()
        )
        if row["action"] == "none":
            assert same == (row["outcome"] == "agree"), row["item_id"]


@pytest.mark.parametrize("outcome", sorted(OUTCOMES))
def test_the_readme_states_the_counts_of_the_second_reading(outcome: str):
    counted = Counter((ITEMS[row["item_id"]]["benchmark"], row["outcome"]) for row in READING)
    text = (DATA / "README.md").read_text(encoding="utf-8")
    stated = re.search(rf"^\| {outcome} \|[^|]*\| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    assert stated is not None
    assert [int(n) for n in stated.groups()] == [counted[f"finassay-{n}", outcome] for n in SETS]


def test_the_readme_says_that_no_person_made_the_second_reading():
    text = (DATA / "README.md").read_text(encoding="utf-8")
    assert "Both readings were made by language models" in text
    mended = sum(row["action"] == "mended" for row in READING)
    assert f"{mended} items were mended" in text
