"""A file is looked at whole before it is taken: every error by line, and nothing written."""

import csv
import io
import json
import zipfile
from pathlib import Path

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from finassay.runs.importers.checking import CheckLimits, FileCheck, check_file
from finassay.runs.importers.options import ImportOptions
from finassay.runs.importers.predictions import import_predictions
from finassay.study import Study
from import_tables import answers, table, twelve_items

OPTIONS = ImportOptions(name="alpha")


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return twelve_items(tmp_path / "study")


def look(study: Study, name: str, data: str | bytes, **more: object) -> FileCheck:
    path = study.root.parent / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return check_file(study, path, options=OPTIONS, **more)


def lines(found: FileCheck) -> dict[int, str]:
    return {error.line: error.reason for error in found.errors}


def workbook(path: Path, *rows: tuple[object, ...]) -> Path:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def test_every_kind_of_error_is_told_by_the_line_in_which_its_row_begins(study: Study) -> None:
    found = look(
        study,
        "a.csv",
        'id,prediction\nq0,yes\nq1,"two\nlines"\nnowhere,x\nq2\nq0,no\n,x\nq3,a\0b\nq4,fine\n',
    )
    assert {line: reason.split(";")[0] for line, reason in lines(found).items()} == {
        5: "the study holds no item 'nowhere'",
        6: "expected 2 fields, got 1",
        7: "another row for item 'q0' of 'alpha' says something else",
        8: "the item's id is empty",
        9: "column 'prediction' holds a NUL character, which no text needs",
    }
    assert (found.n_errors, found.rows, found.is_clean) == (5, 8, False)


def test_nothing_is_written_by_a_look(study: Study) -> None:
    before = study.snapshot().versions
    look(study, "a.csv", "id,prediction\nq0,yes\nnowhere,x\n")
    assert study.snapshot().versions == before
    assert sorted(path.name for path in study.root.iterdir()) == sorted(
        path.name for path in Study.open(study.root).root.iterdir()
    )
    assert not list(study.root.glob("spool-*"))


def test_a_clean_file_is_imported_as_it_was_counted(study: Study) -> None:
    path = table(study.root.parent / "a.csv", [*answers(), *answers()[:3]])
    found = check_file(study, path, options=OPTIONS)
    report = import_predictions(study, path, options=OPTIONS)
    assert found.is_clean
    assert found.system == report.systems[0]
    assert [(c.benchmark, c.answered, c.items) for c in found.coverage] == [("b", 12, 12)]
    assert found.system is not None
    assert found.system.duplicates == 3


def test_unknown_items_are_left_out_and_counted_where_that_is_asked(study: Study) -> None:
    found = look(study, "a.csv", "id,prediction\nq0,a\nzz,b\nzy,c\n", unknown_items="skip")
    assert found.is_clean
    assert (found.skipped, found.n_skipped) == (((3, "zz"), (4, "zy")), 2)


def test_a_file_of_unknown_items_alone_is_not_clean(study: Study) -> None:
    found = look(study, "a.csv", "id,prediction\nzz,b\n", unknown_items="skip")
    assert (found.n_errors, found.is_clean) == (0, False)


def test_errors_beyond_the_first_are_counted_and_the_first_are_in_order(study: Study) -> None:
    rows = "".join(f"x{n},a\n" if n % 2 else f"short{n}\n" for n in range(700))
    found = look(study, "a.csv", "id,prediction\n" + rows)
    assert found.n_errors == 700
    assert [error.line for error in found.errors] == list(range(2, 202))


def test_a_file_without_any_readable_row_tells_each_line(study: Study) -> None:
    found = look(study, "a.jsonl", "no\nneither\n" * 40)
    assert found.n_errors == 80
    assert set(lines(found)) == set(range(1, 81))
    assert "not JSON" in lines(found)[1]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.csv", "", "the file is empty"),
        ("a.csv", "id\nq0\n", "no column could be found for `prediction`"),
        ("a.csv", b"id,prediction\nq0,\xff\n", r"a.csv: byte 17 (ff) is not text in utf-8"),
        ("a.csv", b"PK\x03\x04rest", "got a ZIP archive"),
        ("a.csv", b"\x1f\x8brest", "got compressed by gzip"),
        ("a.json", '[{"id":"q0","prediction":"a"},', "a.json: character"),
        ("a.exe", "id,prediction\n", "the name must end in one of"),
        ("a.xlsx", "id,prediction\n", "no XLSX workbook that can be read"),
        ("a.csv", "id,id\nq0,a\n", "columns must have different names"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_error_about_the_whole(
    study: Study, name: str, data: str | bytes, said: str
) -> None:
    found = look(study, name, data)
    assert found.n_errors == 1
    assert said in lines(found)[0]


def test_an_error_names_the_file_as_its_sender_knows_it(study: Study) -> None:
    path = study.root.parent / "0123abcd.csv"
    path.write_bytes(b"id,prediction\nq0,\xff\n")
    found = check_file(study, path, options=OPTIONS, file="answers.csv")
    assert "answers.csv: byte 17" in lines(found)[0]
    assert "0123abcd" not in str(found)
    assert str(path.parent) not in str(found)


def test_rows_and_cells_have_their_bounds(study: Study) -> None:
    limits = CheckLimits(rows=3, cell_characters=10)
    found = look(study, "a.csv", "id,prediction\nq0,aaaaaaaaaaa\nq1,a\nq2,a\nq3,a\n", limits=limits)
    assert "holds 11 characters, expected at most 10" in lines(found)[2]
    assert "more than 3 rows" in lines(found)[0]


def test_a_file_of_a_million_columns_is_refused_by_their_number(study: Study) -> None:
    header = ",".join(f"c{i}" for i in range(1_000_000))
    (error,) = look(study, "wide.csv", f"{header}\n{',' * 999_999}\n").errors
    assert (error.line, len(error.snippet)) == (0, 0)
    assert "expected at most 16,384 columns, got 1,000,000" in error.reason


def test_an_error_quotes_a_long_cell_in_part_and_still_says_what_to_do(study: Study) -> None:
    name = "z" * 150_000
    data = f"id,prediction\n{name},yes\n"
    (error,) = look(study, "a.csv", data).errors
    assert len(error.reason) < 700
    assert error.reason.startswith("the study holds no item 'zzz")
    assert error.reason.endswith("check the id")
    (skipped,) = look(study, "a.csv", data, unknown_items="skip").skipped
    assert len(skipped[1]) < 100


def test_rows_of_a_sheet_are_told_by_their_own_numbers(study: Study) -> None:
    path = workbook(
        study.root.parent / "a.xlsx",
        ("id", "prediction"),
        ("q0", "two\nlines"),
        ("q1", "=1+1"),
        (),
        ("q2", 5),
        ("nowhere", "x"),
    )
    found = check_file(study, path, options=OPTIONS)
    assert {line: reason.split(";")[0] for line, reason in lines(found).items()} == {
        3: "cell B3 ('prediction') holds a formula",
        6: "the study holds no item 'nowhere'",
    }
    assert (found.format, found.rows) == ("xlsx", 4)


def test_a_number_that_shows_as_another_is_not_guessed_at(study: Study) -> None:
    path = study.root.parent / "a.xlsx"
    book = openpyxl.Workbook()
    book.active.append(("id", "prediction"))
    book.active.append(("q0", 0.05))
    book.active["B2"].number_format = "0%"
    book.save(path)
    found = check_file(study, path, options=OPTIONS)
    assert "shown in the format '0%'" in lines(found)[2]


def test_a_workbook_that_grows_on_opening_is_refused_before_it_fills_the_memory(
    study: Study,
) -> None:
    path = study.root.parent / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 40_000_000)
    assert path.stat().st_size < 60_000
    found = check_file(study, path, options=OPTIONS, limits=CheckLimits(expanded_bytes=2**20))
    assert "unpacks to more than it may" in lines(found)[0]


def test_a_workbook_with_entities_is_refused(study: Study) -> None:
    whole = workbook(study.root.parent / "a.xlsx", ("id", "prediction"), ("q0", "x"))
    path = study.root.parent / "b.xlsx"
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(path, "w") as archive:
        for part in source.infolist():
            data = source.read(part)
            if part.filename.endswith("sheet1.xml"):
                data = b'<!DOCTYPE x [<!ENTITY a "aaaa">]>' + data
            archive.writestr(part.filename, data)
    found = check_file(study, path, options=OPTIONS)
    assert "declares a document type or entities" in lines(found)[0]


_CELLS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)


@settings(
    deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=st.lists(st.tuples(st.sampled_from(["q0", "q1", "zz", ""]), _CELLS), max_size=8))
def test_whatever_rows_there_are_a_look_ends_with_a_count(
    study: Study, rows: list[tuple[str, str]]
) -> None:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerows([("id", "prediction"), *rows])
    found = look(study, "a.csv", out.getvalue())
    unknown = sum(one in ("zz", "") for one, _ in rows)
    assert found.n_errors >= unknown
    assert found.is_clean == (not found.n_errors and any(one in ("q0", "q1") for one, _ in rows))


def test_the_same_rows_pass_in_every_format(study: Study) -> None:
    rows = answers()
    found = [
        look(study, "a.json", json.dumps(rows)),
        look(study, "a.jsonl", "\n".join(map(json.dumps, rows))),
        look(
            study, "a.tsv", "id\tprediction\n" + "".join("\t".join(r.values()) + "\n" for r in rows)
        ),
        check_file(
            study,
            workbook(
                study.root.parent / "a.xlsx", *[tuple(rows[0]), *[tuple(r.values()) for r in rows]]
            ),
            options=OPTIONS,
        ),
    ]
    assert [one.is_clean for one in found] == [True] * 4
    assert len({one.system for one in found}) == 1
