"""Tables of labelled replies."""

from pathlib import Path

import polars as pl
import pytest

from finassay.errors import BadRowsError, InputError, MappingError
from finassay.runs.importers.labelled import LabelledColumns, LabelledTable, read_labelled

COLUMNS = LabelledColumns(
    reference="gold", reply="reply", label="label", group="q", question="q", strata=("kind",)
)
JSONL = """\
{"q": "How much?", "gold": 8.70, "reply": "8.7", "label": "ok", "kind": "a"}
{"q": "How much?", "gold": "8.70", "reply": "", "label": "no", "kind": "b"}
{"q": "Which?", "gold": "$1,577", "reply": "NA", "label": " ok ", "kind": "a"}
{"q": "Which?", "gold": null, "reply": "x", "label": "no", "kind": "a"}
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def read(folder: Path, text: str, name: str = "t.jsonl", **more: object) -> LabelledTable:
    return read_labelled(written(folder, name, text), COLUMNS, **more)


def test_texts_come_through_as_they_stand(tmp_path: Path):
    found = read(tmp_path, JSONL)
    assert [row.reference for row in found.rows] == ["8.70", "8.70", "$1,577", None]
    assert [row.reply for row in found.rows] == ["8.7", "", "NA", "x"]
    assert [row.label for row in found.rows] == ["ok", "no", "ok", "no"]
    assert [row.row for row in found.rows] == [1, 2, 3, 4]
    assert {type(row.reference) for row in found.rows} == {str, type(None)}


def test_a_json_number_is_told_from_a_string_of_digits(tmp_path: Path):
    found = read(tmp_path, JSONL)
    assert found.stratum("reference-type") == ("number", "text", "text", "text")


@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_outside_json_a_reference_that_reads_as_a_number_is_one(tmp_path: Path, name: str):
    frame = pl.DataFrame(
        {
            "q": ["a"] * 4,
            "gold": ["8.70", "8.7%x", "none", "-3"],
            "reply": ["1"] * 4,
            "label": ["ok"] * 4,
            "kind": ["z"] * 4,
        }
    )
    path = tmp_path / name
    frame.write_csv(path) if name.endswith("csv") else frame.write_parquet(path)
    found = read_labelled(path, COLUMNS)
    assert found.stratum("reference-type") == ("number", "text", "text", "number")


def test_a_row_without_a_label_or_a_group_is_left_out_and_listed(tmp_path: Path):
    text = JSONL + '{"q": "", "gold": "1", "reply": "1", "label": "ok"}\n{"q": "z", "gold": "1"}\n'
    found = read(tmp_path, text)
    assert len(found.rows) == 4
    assert [(one.line, one.reason) for one in found.bad] == [
        (5, "the row has no group (column 'q')"),
        (6, "the row has no label (column 'label')"),
    ]
    with pytest.raises(BadRowsError, match="2 rows cannot be used"):
        read(tmp_path, text, strict=True)


def test_a_column_that_is_not_there_is_named(tmp_path: Path):
    path = written(tmp_path, "t.jsonl", JSONL)
    columns = LabelledColumns(reference="gold", reply="answer", label="label", group="q")
    with pytest.raises(MappingError, match="`reply` must be a column of the table, got 'answer'"):
        read_labelled(path, columns)


def test_a_table_without_a_usable_row_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match="no row can be used"):
        read(tmp_path, '{"q": "", "gold": 1, "reply": "1", "label": "", "kind": ""}\n')


def test_strata_are_columns_and_parts(tmp_path: Path):
    found = read(tmp_path, JSONL)
    assert found.stratum("kind") == ("a", "b", "a", "a")
    assert found.stratum("label") == ("ok", "no", "ok", "no")
    assert found.stratum("q") == ("How much?", "How much?", "Which?", "Which?")
    with pytest.raises(MappingError, match="no stratum 'country'"):
        found.stratum("country")


def test_the_digest_follows_the_rows(tmp_path: Path):
    one = read(tmp_path, JSONL)
    assert read(tmp_path, JSONL, "again.jsonl").digest == one.digest
    assert read(tmp_path, JSONL.replace('"8.7"', '"8.8"'), "other.jsonl").digest != one.digest
