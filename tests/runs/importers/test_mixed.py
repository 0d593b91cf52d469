import json
from pathlib import Path

import pytest

from finassay.errors import InputError, UnknownNameError, UsageError
from finassay.runs.importers.auto import Request, TablesReport
from finassay.runs.importers.mapping import read_map
from finassay.runs.importers.mixed import import_mixed, plan_import
from finassay.runs.importers.options import ImportOptions
from finassay.study import Study
from import_tables import table
from inspect_logs import archive, header, sample
from lighteval_logs import new_row
from lighteval_logs import run as lighteval_run
from lm_eval_logs import line
from lm_eval_logs import run as lm_eval_run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Logs of three tools, two tables, and things that are neither."""
    made = tmp_path / "mixed"
    made.mkdir()
    archive(made / "run.eval", [sample("a"), sample("b")], header())
    lm_eval_run(made / "org__small", [line(0)])
    lighteval_run(made / "light", [new_row(0)])
    table(made / "items.csv", [{"id": "a", "question": "What is a?", "reference": "4"}])
    table(made / "mine.csv", [{"id": "a", "prediction": "four"}])
    (made / "README.md").write_text("what these are")
    (made / "config.json").write_text(json.dumps({"seed": 1}))
    (made / ".hidden.eval").write_text("no")
    return made


def bring(folder: Path, *paths: Path, log_format: str | None = None, **more: object):
    request = Request(paths=paths, **more)  # type: ignore[arg-type]
    plan = plan_import(request, log_format=log_format)
    return import_mixed(Study.open_or_create(folder / "study"), plan)


def held(report_folder: Path) -> set[str]:
    return {spec.name for spec in Study.open(report_folder / "study").snapshot().systems()}


def test_a_mixed_folder_comes_in_with_one_call(tmp_path: Path, folder: Path):
    report = bring(tmp_path, folder)

    assert report.logs is not None
    assert {source.tool for source in report.logs.sources} == {"inspect", "lm-eval", "lighteval"}
    assert held(tmp_path) == {
        "openai/small",
        "org/small",
        "org/small (temperature=0.0, max_tokens=256)",
        "mine",
    }
    names = sorted(Path(one.file).name for one in report.passed_over)
    assert names == ["README.md", "config.json"]


def test_what_a_file_was_taken_for_is_printed(tmp_path: Path, folder: Path):
    lines = bring(tmp_path, folder).to_lines()

    assert "run.eval: inspect log, 2 samples" in lines
    assert any("README.md: passed over, " in one for one in lines)


def test_items_of_a_table_come_before_the_logs(tmp_path: Path, folder: Path):
    bring(tmp_path, folder)

    items = {one.item_id: one for one in Study.open(tmp_path / "study").snapshot().items()}
    assert items["a"].benchmark == "benchmark"
    assert items["b"].benchmark == "sums"


def test_importing_the_folder_again_changes_nothing(tmp_path: Path, folder: Path):
    bring(tmp_path, folder)
    again = bring(tmp_path, folder)

    assert again.logs is not None
    assert not again.logs.is_changed
    assert not any(report.is_changed for report in again.reports)


def test_a_table_that_is_named_must_be_readable(tmp_path: Path, folder: Path):
    with pytest.raises(UsageError, match="the ending must be one of"):
        bring(tmp_path, folder / "README.md")
    with pytest.raises(InputError, match="no such file"):
        bring(tmp_path, folder / "nothing.csv")


def test_a_pattern_names_logs_too(tmp_path: Path, folder: Path):
    report = bring(tmp_path, folder / "*.eval")

    assert report.logs is not None
    assert [source.files for source in report.logs.sources] == [("run.eval",)]
    with pytest.raises(InputError, match="no file fits the pattern"):
        bring(tmp_path, folder / "*.nothing")


def test_a_request_that_maps_columns_reads_tables_only(tmp_path: Path, folder: Path):
    options = ImportOptions(mapping=read_map(["item_id=id"]))
    path = folder / "items.csv"
    report = bring(tmp_path, path, options=options)

    assert report.logs is None
    with pytest.raises(UsageError, match="reads logs of other harnesses"):
        bring(tmp_path, path, options=options, log_format="inspect")


def test_a_reader_can_be_forced(tmp_path: Path, folder: Path):
    report = bring(tmp_path, folder / "README.md", log_format="inspect")

    assert isinstance(report, TablesReport)
    assert report.logs is not None
    assert report.logs.bad == 1
    with pytest.raises(UnknownNameError, match="no reader of logs is called 'nobody'"):
        bring(tmp_path, folder / "README.md", log_format="nobody")


def test_a_folder_without_files_is_refused_before_a_study_is_made(tmp_path: Path):
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match=r"there is no file in .*empty"):
        bring(tmp_path, empty)
    assert not (tmp_path / "study").exists()
