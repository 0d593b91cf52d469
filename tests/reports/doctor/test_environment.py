"""Environment variables and programs, without a secret in any finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from finassay.reports.doctor.environment import (
    DATA,
    LABELS_URL,
    examine_environment,
    examine_programs,
)
from finassay.reports.doctor.results import Finding

SECRET = "hunter2-and-more"


def findings(**environment: str) -> dict[str, Finding]:
    return {one.name: one for one in examine_environment(environment)}


def test_without_variables_all_is_well():
    assert {one.state for one in findings().values()} == {"ok"}


def test_no_secret_is_shown_wherever_it_stands(tmp_path: Path):
    found = findings(
        **{LABELS_URL: f"postgresql+psycopg://ann:{SECRET}@db/labels"},
        OPENAI_API_KEY=SECRET,
        MINE_API_KEY=SECRET,
        MINE_BASE_URL=f"http://ann:{SECRET}@127.0.0.1:8080/v1",
        OTHER_BASE_URL=f"http://ann:{SECRET}@127.0.0.1:8081/v1",
    )
    said = "\n".join(line for one in found.values() for line in one.to_lines())
    assert SECRET not in said
    assert "MINE_API_KEY, OPENAI_API_KEY: set" in said
    assert "a database of kind postgresql" in found[LABELS_URL].said
    assert "MINE_BASE_URL" not in found
    assert "set OTHER_API_KEY as well" in found["OTHER_BASE_URL"].advice


def test_an_address_of_labels_that_is_none_is_a_problem_and_is_not_repeated():
    found = findings(**{LABELS_URL: f"ann:{SECRET}"})[LABELS_URL]
    assert found.state == "problem"
    assert SECRET not in found.said + found.advice


def test_the_data_folder_is_counted_or_missed(tmp_path: Path):
    (tmp_path / "one").touch()
    assert "a folder with 1 entries" in findings(**{DATA: str(tmp_path)})[DATA].said
    for wrong in (tmp_path / "one", tmp_path / "gone"):
        found = findings(**{DATA: str(wrong)})[DATA]
        assert found.state == "problem"
        assert "is not a folder that can be read" in found.said


@pytest.mark.parametrize(
    ("port", "state"), [("8000", "ok"), ("0", "ok"), ("65536", "problem"), ("http", "problem")]
)
def test_a_port_is_one_or_is_not(port: str, state: str):
    assert findings(PORT=port)["PORT"].state == state


def test_a_variable_that_is_misspelt_gets_a_note_and_the_right_name():
    misspelt = LABELS_URL.replace("LABELS", "LABEL")
    found = findings(**{misspelt: "x"})[misspelt]
    assert (found.state, found.advice) == ("note", f"did you mean {LABELS_URL}?")


def test_programs_are_looked_for_where_they_are_of_use():
    there = {"google-chrome": "/usr/bin/google-chrome"}.get
    assert [one.name for one in examine_programs(None, there)] == ["chromium"]
    browser, client = examine_programs("postgresql+psycopg://x/y", there)
    assert (browser.state, browser.said) == ("ok", "found as google-chrome")
    assert (client.name, client.state) == ("psql", "note")
    assert next(iter(examine_programs(None, {}.get))).state == "note"
