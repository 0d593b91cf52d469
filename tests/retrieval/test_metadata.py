"""Side tables and front matter say what documents are."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from finassay.errors import InputError, MappingError
from finassay.retrieval.metadata import day_of, front_matter, read_side_tables
from real_data import data_root


def table(tmp_path: Path, text: str, name: str = "t.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2024-03-31", dt.date(2024, 3, 31)),
        ("Mar 31, 2024", dt.date(2024, 3, 31)),
        ("31 March 2024", dt.date(2024, 3, 31)),
        ("05/04/2024", dt.date(2024, 4, 5)),
        ("2024-03-31T10:00:00Z", dt.date(2024, 3, 31)),
        ("", None),
        ("March 2024", None),
        ("31 March 2024 to 5 April 2024", None),
        ("2024-02-30", None),
        ("RBI/2025-2026/252A.P. (DIR Series) Circular No. 24", None),
        ("circular of 31 March 2024", None),
    ],
)
def test_a_day_is_read_where_the_text_is_one_day(written: str, day: dt.date | None) -> None:
    assert day_of(written) == day


def test_a_row_is_found_by_name_and_by_the_name_without_its_ending(tmp_path: Path) -> None:
    read = read_side_tables(
        [table(tmp_path, "source,title,date,filename\nSEBI,A,2024-01-02,x_001.pdf\n")]
    )
    for name in ("x_001.pdf", "x_001.txt", "folder/x_001.html"):
        assert read.of(name).text("title") == "A"
        assert read.of(name).text("regulator") == "SEBI"
        assert read.of(name).day("date") == (dt.date(2024, 1, 2), None)
    assert read.of("x_002.pdf").fields == {}


def test_a_path_is_before_a_name_and_the_first_row_counts(tmp_path: Path) -> None:
    text = "file,title\na/x.txt,in a\nb/x.txt,in b\nb/x.txt,again\n"
    read = read_side_tables([table(tmp_path, text)])
    assert [read.of(f"{folder}/x.txt").text("title") for folder in "abc"] == [
        "in a",
        "in b",
        "in a",
    ]


@pytest.mark.parametrize(
    "rows",
    [
        [{"document": "x.txt", "Title": "A", "in force from": "2024-01-02"}],
        {"x.txt": {"title": "A", "effective_from": "2 January 2024"}},
    ],
)
def test_json_may_be_a_list_or_an_object(tmp_path: Path, rows: object) -> None:
    said = read_side_tables([table(tmp_path, json.dumps(rows), "t.json")]).of("x.txt")
    assert said.text("title") == "A"
    assert said.day("in_force_from") == (dt.date(2024, 1, 2), None)


def test_a_date_that_cannot_be_read_is_a_problem_with_its_row(tmp_path: Path) -> None:
    read = read_side_tables([table(tmp_path, "file,date\nx.txt,soon\n")])
    day, problem = read.of("x.txt").day("date")
    assert day is None
    assert problem is not None
    assert problem.is_loaded
    assert str(problem).startswith("t.csv row 1 (x.txt): the date cannot be read (loaded")
    assert "got 'soon'" in str(problem)


@pytest.mark.parametrize(
    ("name", "text", "error", "message"),
    [
        ("t.csv", "title\nA\n", MappingError, "expected a column that names the document"),
        ("t.csv", 'file,title\n"x', InputError, "expected a table of comma-separated values"),
        ("t.json", "{", InputError, "expected JSON"),
        ("t.json", "[1]", InputError, "expected a list of objects"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused(
    tmp_path: Path, name: str, text: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        read_side_tables([table(tmp_path, text, name)])


def test_a_table_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this side table cannot be opened"):
        read_side_tables([tmp_path / "none.csv"])


def test_front_matter_is_taken_from_the_text() -> None:
    said, rest = front_matter(
        "---\ntitle: 'A: b'\nIn force from: 2024-01-02\n---\n# Text\n", where="x"
    )
    assert said.text("title") == "A: b"
    assert said.day("in_force_from")[0] == dt.date(2024, 1, 2)
    assert rest == "# Text\n"


@pytest.mark.parametrize("text", ["---\nno field\n---\n", "---\n---\n", "--- a\n", "title: A\n"])
def test_other_text_between_lines_stays_text(text: str) -> None:
    assert front_matter(text, where="x")[1] == text


@pytest.mark.data
def test_the_published_tables_of_indiafinbench_are_read() -> None:
    folder = data_root() / "indiafinbench"
    read = read_side_tables([folder / "metadata_sebi.csv", folder / "metadata_rbi.csv"])
    said = read.of("SEBI_Mar 25, 20_addendum_to_sebi_circular_on_borrowing_by_mutual_funds_002.txt")
    assert said.text("regulator") == "SEBI"
    assert said.text("title") == "Addendum to SEBI Circular on Borrowing by Mutual Funds"
    assert said.day("date") == (dt.date(2026, 3, 25), None)
    assert len(read.by_stem) == 192
