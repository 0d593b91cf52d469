"""The bundled figures of FinRiskAtlas are the printed ones."""

import csv

import pytest

from finassay.benchmarks.finriskatlas import FILES, load_finriskatlas
from real_data import data_root


def test_every_table_has_its_systems_once_in_each_column():
    tables = load_finriskatlas()
    for scores in tables.values():
        names = {score.row for score in scores}
        assert len(names) == 33
        assert len(scores) == 33 * len({score.column for score in scores})
        assert all(score.printed == f"{score.value:.2f}" for score in scores)


@pytest.mark.parametrize(
    ("table", "row", "column", "printed"),
    [
        ("Table 8", "Gemini-3-Flash-preview", "overall", "80.69"),
        ("Table 9", "GPT-5.6-Luna", "information_extraction", "85.97"),
        ("Table 10", "DeepSeek-V4-Flash", "disputed_issue_generation", "81.23"),
        ("Table 11", "Qwen3.7-Max", "CRA", "87.67"),
    ],
)
def test_cells_are_as_printed(table: str, row: str, column: str, printed: str):
    found = [s for s in load_finriskatlas()[table] if (s.row, s.column) == (row, column)]
    assert [score.printed for score in found] == [printed]


@pytest.mark.data
def test_the_bundled_files_are_those_of_the_data_folder():
    folder = data_root() / "finriskatlas"
    tables = load_finriskatlas()
    files = {table: file.removeprefix("finriskatlas_") for table, file in FILES.items()}
    for table, file in {**files, "Table 11": "finrisk_ask.csv"}.items():
        path = folder / file
        with path.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        expected = [(row["model"], c, row[c]) for row in rows for c in row if c != "model"]
        assert [(s.row, s.column, s.printed) for s in tables[table]] == expected
