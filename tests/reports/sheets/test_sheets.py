import re
import zipfile
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudication_studies import JUDGES, SYSTEMS, drawn, judged_study
from filled_sheets import honest, make_draw, make_sheets, read_rows
from finassay.errors import UsageError
from finassay.reports.sheets.write import sheet_csv
from finassay.reports.sheets.xlsx import write_xlsx
from finassay.runs.importers.sheets.reading import read_sheet_file
from finassay.study import Study
from finassay.study.adjudication.cells import unguarded
from finassay.study.adjudication.sheets import make_sheet
from finassay.study.adjudication.showing import Showing, Shown
from finassay.study.adjudication.tasks import CORRECTNESS
from finassay.study.rows import predictions_frame, predictions_from

ATTACKS = {
    (0, 0): '=HYPERLINK("http://evil","x")',
    (1, 0): "+1+cmd|' /C calc'!A0",
    (2, 0): "-2+3",
    (3, 0): "@SUM(A1:A9)",
    (4, 0): "1E5",
    (5, 0): "'quoted",
    (6, 0): "a\r\nb\tc\x0bd\x00e_x0041_",
    (7, 0): '"; DROP TABLE, "',
    (8, 0): "  =1+1",
    (9, 0): "x" * 70_000,
}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    made = judged_study(tmp_path_factory.mktemp("w") / "s", n=12, texts=ATTACKS)
    make_draw(made)
    return made


def texts_by_unit(study: Study) -> dict[str, str]:
    showing = Showing(study.snapshot(), drawn(study))
    return {u.unit_id: showing.shown(u, "x").texts[-1][1] for u in drawn(study).units}


def test_a_csv_sheet_gives_every_text_back_exactly(study: Study, tmp_path: Path):
    make_sheets(study, tmp_path, "csv-reader")
    rows = read_rows(tmp_path / "first-csv-reader.csv")
    back = {
        row["unit"]: "".join(unguarded(row[name]) for name in row if name.startswith("answer"))
        for row in rows
    }
    assert back == texts_by_unit(study)
    assert set(ATTACKS.values()) <= set(back.values())


def test_a_workbook_gives_every_text_back_exactly(study: Study, tmp_path: Path):
    make_sheets(study, tmp_path, "xlsx-reader", formats=("xlsx",))
    read = read_sheet_file(tmp_path / "first-xlsx-reader.xlsx")
    back = {
        str(row.values["unit"]): "".join(
            str(row.values[name]) for name in read.columns if name.startswith("answer")
        )
        for row in read.rows
    }
    assert back == texts_by_unit(study)


def test_no_cell_of_a_workbook_is_a_formula(study: Study, tmp_path: Path):
    make_sheets(study, tmp_path, "formula", formats=("xlsx",))
    path = tmp_path / "first-formula.xlsx"
    for tab in openpyxl.load_workbook(path).worksheets:
        assert {cell.data_type for row in tab.iter_rows() for cell in row} <= {"s", "n"}
        assert not [c for row in tab.iter_rows() for c in row if c.data_type == "n" and c.value]
    with zipfile.ZipFile(path) as packed:
        parts = [packed.read(name) for name in packed.namelist() if "worksheets" in name]
    assert not any(re.search(rb"<f[ >]", part) for part in parts)


def test_a_workbook_has_menus_a_frozen_header_wrapped_text_and_instructions(
    study: Study, tmp_path: Path
):
    make_sheets(study, tmp_path, "menus", formats=("xlsx",))
    book = openpyxl.load_workbook(tmp_path / "first-menus.xlsx")
    tab = book["labels"]
    assert tab.freeze_panes == "B2"
    column = {cell.value: cell.column_letter for cell in tab[1]}
    assert tab[f"{column['answer']}2"].alignment.wrap_text
    assert tab.protection.sheet
    assert not tab[f"{column['label']}2"].protection.locked
    assert tab[f"{column['answer']}2"].protection.locked
    rules = {str(rule.sqref): rule.formula1 for rule in tab.data_validations.dataValidation}
    last = tab.max_row
    assert rules[f"{column['label']}2:{column['label']}{last}"] == "menus!$A$1:$A$3"
    menu = [cell.value for (cell,) in book["menus"].iter_rows()]
    assert menu == ["CORRECT", "INCORRECT", "not sure"]
    assert book["menus"].sheet_state == "hidden"
    told = [cell.value for row in book["instructions"].iter_rows() for cell in row]
    assert any("Is the answer correct?" in str(text) for text in told)


def test_sheets_are_blind(study: Study, tmp_path: Path):
    make_sheets(study, tmp_path, "blind", formats=("csv", "xlsx"))
    secret = [*JUDGES, *(s.name for s in SYSTEMS), *(s.system_id for s in SYSTEMS)]
    with zipfile.ZipFile(tmp_path / "first-blind.xlsx") as packed:
        parts = [name for name in packed.namelist() if "theme" not in name]
        inside = b"".join(packed.read(name) for name in parts)
    raw = (tmp_path / "first-blind.csv").read_bytes() + inside
    for word in (*secret, *(unit.key.item_id for unit in drawn(study).units)):
        assert word.encode() not in raw


def test_every_person_has_another_order_and_the_same_units(study: Study, tmp_path: Path):
    make_sheets(study, tmp_path, "order-a", "order-b")
    a, b = (read_rows(tmp_path / f"first-order-{name}.csv") for name in "ab")
    assert [row["unit"] for row in a] != [row["unit"] for row in b]
    assert {row["unit"] for row in a} == {row["unit"] for row in b}


def test_the_same_sheet_again_is_the_same_and_a_file_is_never_written_over(
    study: Study, tmp_path: Path
):
    make_sheets(study, tmp_path / "1", "again")
    make_sheets(study, tmp_path / "2", "again")
    first, second = (tmp_path / str(k) / "first-again.csv" for k in (1, 2))
    assert first.read_bytes() == second.read_bytes()
    with pytest.raises(UsageError, match="may hold somebody's labels"):
        make_sheets(study, tmp_path / "1", "again")
    assert list((tmp_path / "1").iterdir()) == [first]


def test_a_hidden_reference_is_not_on_the_sheet(tmp_path: Path):
    study = judged_study(tmp_path / "s", n=4)
    make_draw(study, protocol="hidden")
    make_sheets(study, tmp_path, "ada")
    row = read_rows(tmp_path / "first-ada.csv")[0]
    assert not {"reference", "reference is wrong", "correct reference"} & set(row)


def test_with_an_overlap_the_rest_is_shared_out(tmp_path: Path):
    study = judged_study(tmp_path / "s", n=20)
    make_draw(study)
    done = make_sheets(study, tmp_path, "ada", "bob", overlap=0.25)
    units = [{r["unit"] for r in read_rows(tmp_path / f"first-{n}.csv")} for n in ("ada", "bob")]
    assert len(units[0] | units[1]) == 40
    assert len(units[0] & units[1]) == done.shared == 10


def test_a_unit_whose_text_changed_since_the_draw_is_left_out_and_told(tmp_path: Path):
    study = judged_study(tmp_path / "s", n=4)
    make_draw(study)
    judged = study.snapshot().frame("predictions", system_id=SYSTEMS[0].system_id)
    first, *rest = predictions_from(judged)
    changed = predictions_frame([replace(first, text="another text"), *rest])
    partition = {"system_id": SYSTEMS[0].system_id, "run_id": "run-0"}
    study.commit("predictions", changed, partition=partition)
    done = make_sheets(study, tmp_path, "ada")
    assert done.sheets[0].rows == 7
    assert "1 units of ada are left out" in done.warnings[0]


def test_a_draw_without_conflicts_has_no_sheet_of_them(study: Study, tmp_path: Path):
    with pytest.raises(UsageError, match="has no conflicts to settle"):
        make_sheets(study, tmp_path, "cat", conflicts=True)


@given(
    st.lists(
        st.text(st.characters(exclude_categories=("Cs",)), max_size=30), min_size=1, max_size=5
    )
)
@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_text_survives_both_formats(study: Study, tmp_path: Path, texts: list[str]):
    rows = [
        Shown(unit_id=f"u{k:012d}", texts=(("answer", text),), menu=CORRECTNESS.options)
        for k, text in enumerate(texts)
    ]
    sheet = make_sheet(drawn(study), "ada", "label", rows)
    csv_path, xlsx_path = tmp_path / "any.csv", tmp_path / "any.xlsx"
    csv_path.write_bytes(sheet_csv(sheet).encode())
    write_xlsx(sheet, xlsx_path)
    for path in (csv_path, xlsx_path):
        read = read_sheet_file(path)
        found = [str(row.values.get("answer", "")) for row in read.rows]
        assert [unguarded(cell) if path is csv_path else cell for cell in found] == texts


def test_honest_labels_follow_what_was_planted(study: Study, tmp_path: Path):
    make_sheets(study, tmp_path, "honest")
    labels = {honest(row)["label"] for row in read_rows(tmp_path / "first-honest.csv")}
    assert labels == {"CORRECT", "INCORRECT"}
