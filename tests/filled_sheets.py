"""Sheets as people and their spreadsheets leave them, for the tests of labelling."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import openpyxl

from finassay.analyses.adjudication.from_study import PlanRequest, plan_in_study
from finassay.analyses.adjudication.plan import PlanSettings
from finassay.reports.sheets.write import SheetOptions, SheetsWritten, write_sheets
from finassay.study import Study
from finassay.study.adjudication.draw_files import read_draw
from finassay.study.adjudication.tasks import task_named

Row = dict[str, str]
Says = Callable[[Row], Mapping[str, str]]


def make_draw(study: Study, name: str = "first", **settings: object) -> None:
    """Freeze a sample of a study: every answer of all strata unless said otherwise."""
    chosen = {"task": "correctness", "design": "disputes", "control": 1000, **settings}
    scorers = chosen.pop("scorers", ())
    chosen["task"] = task_named(str(chosen["task"]))
    request = PlanRequest(settings=PlanSettings(**chosen), scorers=tuple(scorers), name=name)
    plan_in_study(study, request)


def make_sheets(
    study: Study, folder: Path, *people: str, name: str = "first", **options: object
) -> SheetsWritten:
    """Write sheets of a draw."""
    draw = read_draw(study, name)
    return write_sheets(study, draw, people, folder, SheetOptions(**options))


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a CSV sheet as they stand."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def rewrite(
    path: Path,
    rows: Sequence[Row],
    *,
    encoding: str = "utf-8-sig",
    delimiter: str = ",",
    columns: Iterable[str] | None = None,
) -> Path:
    """Write rows over a sheet, as a spreadsheet saves it."""
    out = io.StringIO(newline="")
    names = list(columns or rows[0])
    writer = csv.DictWriter(out, names, delimiter=delimiter, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    path.write_bytes(out.getvalue().encode(encoding, "replace"))
    return path


def fill(path: Path, says: Says) -> list[Row]:
    """Fill in a CSV sheet: what `says` returns is written over the cells of its row."""
    rows = [row | says(row) for row in read_rows(path)]
    rewrite(path, rows)
    return rows


def fill_xlsx(path: Path, says: Callable[[Mapping[str, object]], Mapping[str, object]]) -> None:
    """The same for a workbook."""
    book = openpyxl.load_workbook(path)
    tab = book["labels"]
    column = {cell.value: cell.column for cell in tab[1]}
    for line in range(2, tab.max_row + 1):
        row = {name: tab.cell(line, at).value for name, at in column.items()}
        for name, value in says(row).items():
            tab.cell(line, column[name]).value = value
    book.save(path)


def honest(row: Mapping[str, object]) -> dict[str, str]:
    """Label an answer of `judged_study` as it deserves."""
    case = str(row["question"]).split()[-1].rstrip("?")
    given = str(row["answer"]).split()[-1].rstrip(".")
    return {"label": "CORRECT" if case == given else "INCORRECT"}
