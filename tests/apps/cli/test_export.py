"""`finassay export` on the command line."""

import json
from pathlib import Path

import pytest

from cli_runs import run
from finassay.marking.scoring import score_study
from finassay.study import Study
from inspect_runs import RECORDED, study_of


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = study_of(tmp_path / "s", RECORDED)
    score_study(Study.open(path), scorers=("includes",))
    return path


def test_an_export_prints_its_files_and_writes_its_report(tmp_path: Path, study: Path):
    out = tmp_path / "out"
    words = ["--format", "csv", "--out", out, "--scorer", "includes"]
    done = run("export", study, *words, "--json", "-")
    assert (done.code, done.err) == (0, f"{out}/alpha.csv: 4 predictions\n")
    assert done.json["schema"] == "finassay/export/1"
    assert done.json["files"] == [
        {"name": "alpha.csv", "rows": 4, "system": "alpha", "scorer": "includes"}
    ]
    assert (out / "alpha.csv").read_text("utf-8").startswith("id,task_type,difficulty,question,")


def test_a_second_export_needs_force(tmp_path: Path, study: Path):
    words = ["export", study, "--format", "eee", "--out", tmp_path / "out"]
    assert run(*words).code == 0
    again = run(*words)
    assert again.code == 2
    assert "alpha.jsonl' is there already; pass --force to replace it" in again.err
    assert run(*words, "--force", "--no-text").code == 0
    record = json.loads((tmp_path / "out" / "alpha.jsonl").read_text("utf-8").split("\n")[0])
    assert record["output"] == {"raw": [], "reasoning_trace": None}


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--format", "xml"], 2, "`format` must be one of csv, eee, inspect-scores"),
        (["--format", "eee", "--unscored", "bounds"], 2, "`unscored` must be one of"),
        (["--format", "inspect-scores"], 2, "--log LOG goes with --format inspect-scores"),
        (["--format", "eee", "--scorer", "exact"], 5, "no verdicts of 'exact'"),
    ],
)
def test_an_export_that_cannot_be_made_says_why(
    tmp_path: Path, study: Path, words: list[str], code: int, message: str
):
    done = run("export", study, *words, "--out", tmp_path / "out")
    assert done.code == code
    assert message in done.err
    assert not (tmp_path / "out").exists() or not list((tmp_path / "out").iterdir())


def test_a_study_without_predictions_has_nothing_to_export(tmp_path: Path):
    assert run("study", "create", tmp_path / "empty").code == 0
    done = run("export", tmp_path / "empty", "--format", "csv", "--out", tmp_path / "out")
    assert done.code == 2
    assert "the study holds no predictions" in done.err
    assert not (tmp_path / "out").exists()
