"""Damaged, blank and oddly typed input is told, and never guessed at."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import polars as pl
import pytest

from finassay.errors import InputError, MappingError, UsageError
from finassay.records import Item
from finassay.runs.importers.auto import Request, import_tables, plan_tables
from finassay.runs.importers.items import import_items
from finassay.runs.importers.options import ImportOptions
from finassay.runs.importers.predictions import import_predictions
from finassay.runs.importers.sources import read_records
from finassay.runs.importers.verdicts import import_verdicts
from finassay.study import Study
from import_tables import answers, stored, table


def test_a_damaged_page_of_parquet_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    rows = [f"text {n * 7919 % 5000}" for n in range(5000)]
    pl.DataFrame({"id": rows, "prediction": rows}).write_parquet(path, compression="zstd")
    data = bytearray(path.read_bytes())
    data[100:2000] = bytes(byte ^ 0x5A for byte in data[100:2000])
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"t\.parquet: the Parquet file is damaged"):
        list(read_records(path))


def test_a_duration_in_parquet_is_read_as_text(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pl.DataFrame({"id": [1], "took": [timedelta(seconds=90)]}).write_parquet(path)
    (batch,) = read_records(path)
    assert batch.rows[0].values == {"id": "1", "took": "0:01:30"}


@pytest.mark.parametrize("ending", ["json", "jsonl"])
@pytest.mark.parametrize("depth", [300, 700, 850, 950, 3000])
def test_json_of_any_depth_is_a_row_a_bad_row_or_an_input_error(
    ending: str, depth: int, tmp_path: Path
) -> None:
    record = '{"id": "1", "prediction": ' + "[" * depth + "]" * depth + "}"
    path = tmp_path / f"t.{ending}"
    path.write_text(f"[{record}]" if ending == "json" else record)
    try:
        (batch,) = read_records(path)
    except InputError as error:
        assert "nested too deeply" in str(error)  # noqa: PT017 - one of three ways out
    else:
        assert len(batch.rows) + len(batch.bad) == 1
        assert all("nested too deeply" in row.reason for row in batch.bad)


def test_a_blank_reference_is_no_reference(tmp_path: Path) -> None:
    study = Study.create(tmp_path / "s")
    rows = [
        {"id": str(n), "question": "?", "answer": text} for n, text in enumerate(("a", "", " "))
    ]
    report = import_items(study, table(tmp_path / "i.csv", rows), benchmark="b")
    assert [item.reference for item in study.snapshot().items()] == ["a", None, None]
    assert report.notes == ("items without a reference, which no rule can mark: 2",)


def test_items_made_from_predictions_have_no_blank_reference(tmp_path: Path) -> None:
    study = Study.create(tmp_path / "s")
    rows = [{"id": str(n), "prediction": "x", "gold": text} for n, text in enumerate(("a", ""))]
    options = ImportOptions(items_from_predictions="b")
    report = import_predictions(study, table(tmp_path / "m.csv", rows), options=options)
    assert [item.reference for item in study.snapshot().items()] == ["a", None]
    assert report.notes == ("items without a reference, which no rule can mark: 1",)


def test_one_document_and_pairs_of_them_are_both_kept(tmp_path: Path) -> None:
    records = [
        {"id": "1", "question": "?", "document": "D1"},
        {"id": "2", "question": "?", "document_a": "D2", "document_b": "D3"},
    ]
    records[1] |= {"context_a": "A", "context_b": "B"}
    path = tmp_path / "items.json"
    path.write_text(json.dumps(records))
    study = Study.create(tmp_path / "s")
    import_items(study, path, benchmark="b")
    one, two = study.snapshot().items()
    assert (one.documents, two.documents) == (("D1",), ("D2", "D3"))
    assert two.contexts == ("A", "B")


@pytest.mark.parametrize("name", ["document", "documents", "doc", "doc_name", "source_document"])
def test_usual_names_of_documents_are_known(name: str, tmp_path: Path) -> None:
    study = Study.create(tmp_path / "s")
    rows = [{"id": "1", "question": "?", name: "D"}]
    import_items(study, table(tmp_path / "i.csv", rows), benchmark="b")
    (item,) = study.snapshot().items()
    assert item == Item(item_id="1", benchmark="b", question="?", documents=("D",))


def test_a_name_that_no_row_of_a_long_table_has_is_an_error(study: Study, tmp_path: Path) -> None:
    import_predictions(study, table(tmp_path / "m.csv", answers()))
    rows = [{"item_id": "q0", "system": "m", "scorer": "a", "value": "1"}]
    path = table(tmp_path / "v.csv", rows)
    with pytest.raises(MappingError, match="no row of column 'scorer' is of the scorer 'b'"):
        import_verdicts(study, path, scorers={"b": "judge/b"})
    assert stored(study, "m", "judge/b") == {}


def test_a_scorer_in_a_row_whose_name_holds_a_bracket_is_a_bad_row(
    study: Study, tmp_path: Path
) -> None:
    import_predictions(study, table(tmp_path / "m.csv", answers()))
    rows = [
        {"item_id": "q0", "system": "m", "scorer": name, "value": "1"} for name in ("a", "f1[x]")
    ]
    report = import_verdicts(study, table(tmp_path / "v.csv", rows))
    assert "brackets" in report.files[0].bad_rows[0].reason
    assert stored(study, "m", "imported/a") == {"q0": 1.0}


def test_two_columns_are_not_one_scorer(tmp_path: Path) -> None:
    path = table(tmp_path / "v.csv", [{"item_id": "q", "system": "m", "a": "1", "b": "0"}])
    request = Request(paths=(path,), scorers={"a": "judge/x", "b": "judge/x"})
    with pytest.raises(MappingError, match="'a' and 'b' were both named 'judge/x'"):
        plan_tables(request)


def test_under_strict_no_prediction_goes_in_beside_a_cell_that_is_no_verdict(
    study: Study, tmp_path: Path
) -> None:
    path = table(tmp_path / "m.csv", [{**row, "ann": "maybe"} for row in answers(["q0"])])
    request = Request(
        paths=(path,), scorers={"ann": "person/ann"}, options=ImportOptions(strict=True)
    )
    with pytest.raises(InputError, match="1 row cannot be used"):
        import_tables(study, request)
    assert study.snapshot().frame("predictions").is_empty()


def test_the_verdicts_beside_predictions_go_under_no_rules_name() -> None:
    with pytest.raises(UsageError, match="'imported/exact'"):
        ImportOptions(stored_scorer="exact")
