"""`finassay doctor`: one line for everything, and an exit code that a script can go by."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest

from cli_runs import run
from finassay.errors import FinassayError, StudyError
from finassay.reports.doctor.environment import DATA
from finassay.reports.schemas import schema_object
from study_samples import small_study


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(DATA, raising=False)


def test_a_machine_and_a_study_that_are_well_give_exit_code_0(tmp_path: Path):
    root = small_study(tmp_path / "study").root
    ran = run("doctor", root)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Finassay ")
    assert "ok      study layout: small, schema version 1" in ran.out
    assert ran.out.splitlines()[-1].startswith("no problem, ")


def test_what_is_wrong_with_the_study_alone_gives_its_exit_code(tmp_path: Path):
    ran = run("doctor", tmp_path)
    assert ran.code == StudyError.exit_code
    assert "problem study directory: there is no study at" in ran.out
    assert "1 problem, " in ran.out


def test_what_is_wrong_with_the_machine_gives_the_base_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(DATA, str(tmp_path / "gone"))
    assert run("doctor", tmp_path).code == run("doctor").code == FinassayError.exit_code


def test_the_json_follows_its_schema_and_stands_alone(tmp_path: Path):
    ran = run("doctor", "--json", "-")
    jsonschema.Draft202012Validator(schema_object("doctor")).validate(ran.json)
    assert ran.json["study"] is None
    assert {one["state"] for one in ran.json["findings"]} <= {"ok", "note", "problem"}
