"""Reading tables of scores from a file or a folder."""

from pathlib import Path

import pytest

from finassay.errors import InputError
from finassay.runs.importers.score_tables import read_score_tables

TABLE = "model,overall\na,80.10\nb,70.00\n"


def test_a_file_is_one_table_with_its_digits(tmp_path: Path):
    path = tmp_path / "scores.csv"
    path.write_text(TABLE, encoding="utf-8")
    tables, left = read_score_tables(path)
    assert {name: [(s.row, s.printed) for s in found] for name, found in tables.items()} == {
        "scores": [("a", "80.10"), ("b", "70.00")]
    }
    assert left == ()


def test_a_folder_is_all_its_tables_and_says_what_is_none(tmp_path: Path):
    (tmp_path / "one.csv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "two.tsv").write_text("model\tmatch\na\t5\nb\t—\n", encoding="utf-8")
    (tmp_path / "words.csv").write_text("model,note\na,good\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("nothing", encoding="utf-8")
    tables, left = read_score_tables(tmp_path)
    assert list(tables) == ["one", "two"]
    assert [(s.row, s.printed) for s in tables["two"]] == [("a", "5")]
    assert len(left) == 1
    assert left[0].startswith("words.csv is left out")


def test_a_place_without_tables_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match="no table of scores in this folder"):
        read_score_tables(tmp_path)
    with pytest.raises(InputError, match="there is no such file or folder"):
        read_score_tables(tmp_path / "gone")


def test_columns_of_words_and_rows_without_a_name_of_their_own_are_told(tmp_path: Path):
    path = tmp_path / "scores.csv"
    path.write_text("model,x,y\na,1,25.16†\nb,2,3\na,4,5\n,6,7\n", encoding="utf-8")
    tables, left = read_score_tables(path)
    assert [(s.row, s.column, s.printed) for s in tables["scores"]] == [
        ("a", "x", "1"),
        ("b", "x", "2"),
    ]
    assert left == (
        "scores.csv: y left out, as something else than numbers stands there",
        "scores.csv, line 4: a left out",
        "scores.csv, line 5: without a name left out",
    )
