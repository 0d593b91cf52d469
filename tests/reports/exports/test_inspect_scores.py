"""Scores that Inspect's `precomputed_scores` attaches to a log."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from export_samples import ALPHA, export, marked_study, records, reply, study_of
from finassay.errors import InputError, UsageError
from finassay.marking.scoring import score_study
from finassay.records import SystemSpec
from finassay.study import Study


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return marked_study(tmp_path / "s")


def log_of(path: Path, samples: Sequence[tuple[object, int, str]]) -> Path:
    """Write a log as Inspect writes it, with what an import needs."""
    document = {
        "version": 2,
        "status": "success",
        "eval": {"task": "b", "model": "x/alpha-7b", "run_id": "r1", "created": "2026-01-01"},
        "samples": [
            {
                "id": sample_id,
                "epoch": epoch,
                "input": "?",
                "target": "",
                "output": {
                    "model": "alpha-7b",
                    "choices": [{"message": {"role": "assistant", "content": text}}],
                    "completion": text,
                },
            }
            for sample_id, epoch, text in samples
        ],
    }
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_scores_for_a_log_go_to_the_samples_with_the_same_reply(tmp_path: Path, study: Study):
    log = log_of(tmp_path / "run.json", [("1", 1, "3 %"), (2, 1, ""), ("3", 1, "other")])
    report = export(study, tmp_path / "out", "inspect-scores", log=log, scorers=["financial"])
    assert [(f.name, f.rows, f.system) for f in report.files] == [
        ("run.financial.jsonl", 2, "alpha")
    ]
    assert report.left_out == 1
    first, second = records(tmp_path / "out" / "run.financial.jsonl")
    assert (first["id"], first["epoch"], first["value"]) == ("1", 1, 1.0)
    assert first["metadata"]["scorer"] == "financial"
    assert (second["id"], second["value"]) == ("2", "N")
    assert second["metadata"]["unscored_reason"] == "no_response"


def test_scores_know_epochs_and_the_names_of_tasks(tmp_path: Path, study: Study):
    log = log_of(tmp_path / "run.json", [("1", 1, "4%"), ("1", 2, "3%")])
    export(study, tmp_path / "out", "inspect-scores", log=log, scorers=["exact"])
    found = records(tmp_path / "out" / "run.exact.jsonl")
    assert [(r["id"], r["epoch"], r["value"]) for r in found] == [("1", 1, 0.0), ("1", 2, 1.0)]


def test_silence_without_a_score_is_the_other_tools_sign_for_it(tmp_path: Path, study: Study):
    log = log_of(tmp_path / "run.json", [("1", 1, "3 %"), ("2", 1, "")])
    options = {"log": log, "scorers": ["financial"], "no_text": True}
    export(study, tmp_path / "out", "inspect-scores", unscored="exclude", **options)
    first, second = records(tmp_path / "out" / "run.financial.jsonl")
    assert str(second["value"]) == "nan"
    assert (first["answer"], first["explanation"], second["explanation"]) == (None, None, None)


def test_a_log_of_nobody_in_the_study_is_refused(tmp_path: Path, study: Study):
    log = log_of(tmp_path / "run.json", [("1", 1, "nothing of the kind")])
    with pytest.raises(InputError, match="no system of the study holds the replies of this log"):
        export(study, tmp_path / "out", "inspect-scores", log=log)
    with pytest.raises(InputError, match="there is no such file"):
        export(study, tmp_path / "out", "inspect-scores", log=tmp_path / "missing.eval")
    empty = log_of(tmp_path / "empty.json", [])
    with pytest.raises(InputError, match="the log holds no samples"):
        export(study, tmp_path / "out", "inspect-scores", log=empty)


def test_two_systems_with_the_same_replies_must_be_told_apart(tmp_path: Path):
    other = SystemSpec(name="copy", model="x")
    both = {ALPHA: [reply("1", "3%")], other: [reply("1", "3%", other)]}
    study = study_of(tmp_path / "s", both)
    score_study(study, scorers=("exact",))
    log = log_of(tmp_path / "run.json", [("1", 1, "3%")])
    with pytest.raises(UsageError, match="'alpha', 'copy' hold the same 1 replies; choose by"):
        export(study, tmp_path / "out", "inspect-scores", log=log)
    report = export(study, tmp_path / "out", "inspect-scores", log=log, systems=["copy"])
    assert report.files[0].system == "copy"
