"""`finassay parity`: what it prints and what its JSON holds."""

import json
from pathlib import Path

import jsonschema
import pytest

import harness_logs
from cli_runs import run
from finassay.reports.schemas import schema_object


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("parity")
    harness_logs.helm().write(folder / "log")
    assert run("import", folder / "study", folder / "log").code == 0
    return folder / "study"


def test_the_tables_name_both_rules_and_the_differing_item(study: Path):
    printed = run("parity", study).out
    assert "imported/helm/quasi_exact_match  quasi_exact" in printed
    assert "rates:subject=repo/id3" in printed
    assert "Printed by the tool" in printed


def test_the_json_is_what_the_schema_says(study: Path, tmp_path: Path):
    target = tmp_path / "parity.json"
    assert run("parity", study, "--json", target, "--shown", "0").code == 0
    found = json.loads(target.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema_object("parity")).validate(found)
    assert found["rules"][0]["n_differing"] == 1
    assert found["rules"][0]["differing"] == []


def test_a_scorer_that_is_not_there_is_said_with_those_that_are(study: Path):
    said = run("parity", study, "--scorer", "imported/helm/nothing")
    assert said.code == 2
    assert "imported/helm/exact_match" in said.err
