"""The script that finds overruled rows, and the committed table of the rows that were read."""

from __future__ import annotations

import csv
import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from finassay.records import Item
from real_data import data_root

pytestmark = pytest.mark.full

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"


@pytest.fixture(scope="module")
def script() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SCRIPTS))
        yield importlib.import_module("overruled_rows")


@pytest.fixture(scope="module")
def lines(script: ModuleType) -> list[dict[str, str]]:
    with script.TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def row(
    script: ModuleType, number: int, *, strict: int = 1, judge: int = 1, financial: int = 0
) -> object:
    return script.Row(
        key=script.Key(f"NUM_{number:03d}", "a"),
        item=Item(item_id=f"NUM_{number:03d}", family="NUM"),
        reply="",
        strict=strict,
        judge=judge,
        financial=financial,
        reason="",
    )


def test_kappa_is_that_of_the_textbook_table(script: ModuleType):
    # Cohen (1960): 45 + 25 alike of 100, margins 60/40 and 70/30, so (0.7 - 0.54) / 0.46 = 0.348.
    cells = {(1, 1): 50, (1, 0): 10, (0, 1): 20, (0, 0): 20}
    pairs = [(f"i{n}", a, b) for (a, b), count in cells.items() for n in range(count)]
    assert script.kappa(pairs).startswith("kappa 0.348 [")


def test_only_rows_where_both_agree_and_the_rule_does_not_are_overruled(script: ModuleType):
    assert row(script, 1).is_overruled
    assert row(script, 1, strict=0, judge=0, financial=1).is_overruled
    assert not row(script, 1, judge=0).is_overruled
    assert not row(script, 1, financial=1).is_overruled


def test_the_draw_does_not_depend_on_which_other_rows_are_overruled(script: ModuleType):
    rows = [row(script, number) for number in range(200)]
    drawn = script.drawn(rows, 50)
    gone = {one.key for one in drawn[:5]}
    again = script.drawn([one for one in rows if one.key not in gone], 50)
    assert [one.key for one in again[:45]] == [one.key for one in drawn[5:]]


def test_a_row_whose_verdict_turned_loses_its_class(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(script, "TABLE", tmp_path / "rows.csv")
    keys = [row(script, n).key for n in (1, 2)]
    old = {key: {"financial": "wrong", "class": "unclear", "kind": "cut"} for key in keys}
    now = [row(script, 1), row(script, 2, strict=0, judge=0, financial=1), row(script, 3)]
    script.write_table(now, old)
    assert [(one["financial"], one["class"]) for one in script.read_table().values()] == [
        ("wrong", "unclear"),
        ("right", ""),
        ("wrong", ""),
    ]


def test_a_hundred_rows_were_read_and_thirty_of_them_twice(
    script: ModuleType, lines: list[dict[str, str]]
):
    assert len({(line["item_id"], line["system"]) for line in lines}) == len(lines) == 100
    assert {line["class"] for line in lines} <= set(script.CLASSES)
    assert all(line["kind"] and line["sentence"].endswith(".") for line in lines)
    twice = {script.Key(line["item_id"], line["system"]) for line in lines if line["second_class"]}
    assert twice == set(
        script.second_keys([script.Key(line["item_id"], line["system"]) for line in lines])
    )
    assert len(twice) == script.SECOND_ROWS


def test_the_table_holds_no_reply(lines: list[dict[str, str]]):
    assert max(len(line["sentence"]) for line in lines) < 200


@pytest.mark.data
def test_nearly_all_rows_that_were_read_are_still_overruled(script: ModuleType):
    # Below that, draw again (`--draw`) and read the rows that came in.
    rows, absent = script.read_rows(data_root() / "indiafinbench", script.load_scorer(script.RULE))
    assert absent == {"gemma3_4b"}
    today = {one.key: "right" if one.financial else "wrong" for one in rows if one.is_overruled}
    table = script.read_table()
    assert sum(today.get(key) == line["financial"] for key, line in table.items()) >= 90
