import shutil
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from adjudication_studies import drawn, judged_study
from filled_sheets import (
    fill,
    fill_xlsx,
    honest,
    make_draw,
    make_sheets,
    rewrite,
)
from finassay.errors import BadRowsError, InputError, MappingError
from finassay.runs.importers.sheets import reading
from finassay.runs.importers.sheets.importing import SheetsImported, import_sheets
from finassay.runs.importers.sheets.reading import read_sheet_file
from finassay.study import Study
from finassay.study.adjudication.ledger import AnswerRevision, Ledger
from finassay.study.labels import LabelStore


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = judged_study(tmp_path_factory.mktemp("template") / "s", n=12)
    make_draw(made)
    return made.root


@pytest.fixture
def study(template: Path, tmp_path: Path) -> Study:
    return Study.open(shutil.copytree(template, tmp_path / "s"))


def take(study: Study, *paths: Path, name: str = "first", **options: str) -> SheetsImported:
    return import_sheets(study, drawn(study, name), paths, **options)


def history(study: Study, name: str = "first") -> list[AnswerRevision]:
    with LabelStore.of(study) as store:
        return Ledger(store, drawn(study, name).draw_id).history()


@pytest.mark.parametrize(
    ("encoding", "delimiter"),
    [
        ("utf-8", ","),
        ("utf-8-sig", ";"),
        ("utf-16", "\t"),
        ("cp1252", ";"),
        ("utf-8", "\t"),
    ],
)
def test_what_spreadsheets_save_is_read(tmp_path: Path, encoding: str, delimiter: str):
    texts = {(0, 0): "₹ 5 crore – «ça»", (1, 1): "=1+1", (2, 1): "1E5"}
    study = judged_study(tmp_path / "s", n=6, texts=texts)
    make_draw(study)
    make_sheets(study, tmp_path, "ada")
    path = tmp_path / "first-ada.csv"
    rows = fill(path, lambda _: {"label": "correct", "note": "déjà vu"})
    rewrite(path, rows, encoding=encoding, delimiter=delimiter)
    done = take(study, path)
    assert done.new == 12
    assert {one.answer.note for one in history(study)} == {"déjà vu"}
    assert any("read as cp1252" in note for note in done.notes) == (encoding == "cp1252")


def test_a_workbook_is_read_as_people_and_spreadsheets_leave_it(study: Study, tmp_path: Path):
    make_sheets(study, tmp_path, "ada", formats=("xlsx",))
    path = tmp_path / "first-ada.xlsx"
    fill_xlsx(path, honest)
    book = openpyxl.load_workbook(path)
    tab = book["labels"]
    tab.insert_rows(1, 2)
    tab["A1"] = "Labels of Ada"
    tab.append([])
    book.move_sheet("instructions", -1)
    book.save(path)
    assert take(study, path).new == 24
    assert min(a.answer.source_row for a in history(study)) == 4


def test_merged_cells_are_refused_because_they_hide_labels(study: Study, tmp_path: Path):
    make_sheets(study, tmp_path, "ada", formats=("xlsx",))
    path = tmp_path / "first-ada.xlsx"
    fill_xlsx(path, honest)
    book = openpyxl.load_workbook(path)
    book["labels"].merge_cells("F3:F5")
    book.save(path)
    with pytest.raises(BadRowsError, match=r"first-ada\.xlsx:3: the cells F3:F5 are merged"):
        take(study, path)
    assert history(study) == []


def test_a_formula_in_a_label_cell_is_no_label(study: Study, tmp_path: Path):
    make_sheets(study, tmp_path, "ada", formats=("xlsx",))
    path = tmp_path / "first-ada.xlsx"
    fill_xlsx(path, lambda _: {"label": '="CORRECT"'})
    with pytest.raises(BadRowsError, match="got '=\"CORRECT\"'"):
        take(study, path)


def test_a_workbook_without_a_sheet_of_ours_is_refused(study: Study, tmp_path: Path):
    book = openpyxl.Workbook()
    book.active.append(["a", "b"])
    book.save(tmp_path / "x.xlsx")
    with pytest.raises(MappingError, match="no worksheet has the columns unit, label, sheet"):
        take(study, tmp_path / "x.xlsx")


def cut_zip(path: Path) -> None:
    make = openpyxl.Workbook()
    make.save(path)
    path.write_bytes(path.read_bytes()[:-200])


def other_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("hello.txt", "hello")


def laughs(path: Path) -> None:
    names = [f"&l{k};" for k in range(40)]
    pairs = ["haha", *(name * 2 for name in names)]
    entities = "".join(f'<!ENTITY l{k} "{pairs[k]}">' for k in range(40))
    body = f"<!DOCTYPE x [{entities}]><worksheet><sheetData>&l39;</sheetData></worksheet>"
    openpyxl.Workbook().save(path)
    with zipfile.ZipFile(path) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    parts["xl/worksheets/sheet1.xml"] = f'<?xml version="1.0"?>{body}'.encode()
    with zipfile.ZipFile(path, "w") as packed:
        for name, raw in parts.items():
            packed.writestr(name, raw)


def old_format(path: Path) -> None:
    path.write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (cut_zip, "damaged"),
        (other_zip, "cannot be read|no worksheet"),
        (laughs, "cannot be read|no worksheet"),
        (old_format, "old format"),
        (lambda path: path.write_bytes(b""), "empty"),
        (lambda path: path.write_text("unit,label,note,sheet\n"), "no rows below its header"),
        (lambda path: path.write_text('unit,label,"note\n'), "never closed"),
        (lambda path: path.write_text("unit,label,label,sheet\na,b,c,d\n"), "different names"),
        (lambda path: path.write_text("<html>"), "missing is unit, label, sheet"),
    ],
    ids=["cut", "other zip", "laughs", "xls", "empty", "header", "quote", "twice", "html"],
)
def test_files_that_are_no_sheets_are_refused_quickly(
    study: Study, tmp_path: Path, make: Callable[[Path], object], message: str
):
    path = tmp_path / "bad.bin"
    make(path)
    begin = time.process_time()
    with pytest.raises(InputError, match=message):
        take(study, path)
    assert time.process_time() - begin < 5


def test_a_workbook_that_unpacks_to_more_than_any_sheet_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reading, "MOST_BYTES", 1 << 20)
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/worksheets/sheet1.xml", b"\0" * (1 << 21))
    assert path.stat().st_size < 10_000
    with pytest.raises(InputError, match="unpacks to more than"):
        read_sheet_file(path)
