"""Files that are missing or cut are told before anything reads them."""

from pathlib import Path

import pytest

from finassay.errors import StudyError
from finassay.study import Study
from finassay.study.check import check


def data_file(study: Study, table: str) -> Path:
    return next(p for p in sorted((study.root / table).rglob("*.parquet")) if p.is_file())


@pytest.mark.parametrize("table", ["items", "predictions", "verdicts"])
def test_a_cut_file_is_an_error_that_names_table_and_sizes(study: Study, table: str):
    path = data_file(study, table)
    whole = path.read_bytes()
    path.write_bytes(whole[:100])
    with pytest.raises(StudyError, match=rf"table '{table}'.*100 bytes, expected {len(whole)}"):
        study.snapshot().frame(table)


def test_a_missing_file_is_an_error_and_not_an_empty_table(study: Study):
    data_file(study, "predictions").unlink()
    with pytest.raises(StudyError, match=r"table 'predictions'.*cannot be read \(No such file"):
        study.snapshot().scan("predictions")


def test_check_lists_damage_and_looks_at_the_rest(study: Study):
    data_file(study, "predictions").write_bytes(b"PAR1")
    report = check(study)
    assert not report.is_clean
    assert [(p.code, p.table) for p in report.problems if p.severity == "error"] == [
        ("unreadable", "predictions")
    ]
    assert "items" in report.rows


def test_a_whole_study_is_sound(study: Study):
    assert all(study.snapshot().damage(name) is None for name in ("items", "predictions"))


def test_a_study_toml_that_is_not_text_is_a_study_error(study: Study):
    (study.root / "study.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(StudyError, match="is not UTF-8"):
        Study.open(study.root)
