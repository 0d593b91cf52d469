"""Reading tables of printed ask-or-proceed metrics."""

from __future__ import annotations

from pathlib import Path

import pytest

from finassay.errors import InputError, MappingError
from finassay.runs.importers.ask_tables import is_ask_table, parse_ask_table, read_ask_table

GOOD = "model,ERA,BAcc,AskR,ProceedR,RAA,CRA,DEH,REH\nA,1,2,3,4,5,–,7,8\nB †,1,2,3,4,5,6,7,8\n"


def test_cells_stay_as_printed_and_dashes_are_no_values():
    first, second = parse_ask_table(GOOD, name="t.csv").rows
    assert first.cells["ERA"] == "1"
    assert first.cells["CRA"] is None
    assert second.cells["CRA"] == "6"


def test_the_mark_behind_a_name_tells_the_evaluator():
    rows = parse_ask_table(GOOD, name="t.csv").rows
    assert [(row.system, row.is_evaluator) for row in rows] == [("A", False), ("B", True)]


def test_columns_are_known_under_other_names_and_in_any_order():
    text = "Ask recall (%),Proceed_Recall,System,era,Balanced accuracy,note\n9,8,A,7,6,x\n"
    (row,) = parse_ask_table(text, name="t.csv").rows
    assert dict(row.cells) == {"ERA": "7", "BAcc": "6", "AskR": "9", "ProceedR": "8"}
    assert row.system == "A"


def test_a_table_is_known_by_its_header(tmp_path: Path):
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_text(GOOD, encoding="utf-8")
    bad.write_text("model,accuracy\nA,1\n", encoding="utf-8")
    assert is_ask_table(good)
    assert not is_ask_table(bad)
    assert not is_ask_table(tmp_path / "gone.csv")
    assert not is_ask_table(tmp_path)


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("", MappingError, r"t\.csv:1: .*ERA, BAcc, AskR, ProceedR missing"),
        ("model,ERA,BAcc\nA,1,2\n", MappingError, "AskR, ProceedR missing"),
        ("ERA,BAcc,AskR,ProceedR\n1,2,3,4\n", MappingError, "no column names the systems"),
        (GOOD + "C,1\n", InputError, r"t\.csv:4: expected 9 cells, got 2"),
        (GOOD + "A,1,2,3,4,5,6,7,8\n", InputError, "the system 'A' stands in two rows"),
    ],
)
def test_a_table_that_cannot_be_used_is_named(text: str, error: type[Exception], said: str):
    with pytest.raises(error, match=said):
        parse_ask_table(text, name="t.csv")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path):
    with pytest.raises(InputError, match=r"gone\.csv': the table cannot be read"):
        read_ask_table(tmp_path / "gone.csv")
