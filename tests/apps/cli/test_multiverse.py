"""The command `finassay multiverse`."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from cli_runs import run
from finassay.reports.schemas import schema_object

GRID = """\
name = "small"
task = "qa"
[[dimension]]
name = "matcher"
choices = ["token_set", "exact"]
weights = [3, 1]
[[dimension]]
name = "numbers"
choices = ["written", "ignore"]
[[dimension]]
name = "unscored"
choices = ["wrong", "exclude"]
"""
QUICK = ("--draws", "100")


@pytest.fixture
def grid(tmp_path: Path) -> Path:
    path = tmp_path / "grid.toml"
    path.write_text(GRID, encoding="utf-8")
    return path


def test_the_command_prints_what_holds_and_writes_what_its_schema_says(
    study: Path, grid: Path, tmp_path: Path
):
    target = tmp_path / "found.json"
    ran = run("multiverse", study, "--grid", grid, "--json", target, *QUICK)
    assert ran.code == 0, ran.err
    assert ran.out.startswith("8 rules (small), ")
    assert "What moves the score" in ran.out
    assert all(len(line) <= 110 for line in ran.out.splitlines())
    found = json.loads(target.read_text("utf-8"))
    jsonschema.Draft202012Validator(schema_object("multiverse")).validate(found)
    assert (found["n_rules"], found["is_weighted"], found["draws"]) == (8, True, 100)
    assert [row["rule_id"] for row in found["rules"]][:3:2] == ["rule", 'rule[numbers="ignore"]']


def test_a_rule_of_the_result_can_be_marked_with(study: Path, grid: Path):
    found = run("multiverse", study, "--grid", grid, "--json", "-", *QUICK).json
    for row in found["rules"]:
        ran = run("mark", row["rule_id"], "--reference", "3 days", "--reply", "It takes 3 days.")
        assert ran.code == 0, ran.err


def test_weights_base_and_policy_can_be_chosen(study: Path, grid: Path):
    words = ("multiverse", study, "--grid", grid, "--json", "-", *QUICK)
    plain = run(*words, "--no-weights", "--unscored", "exclude").json
    assert (plain["n_rules"], plain["policy"]) == (4, "exclude")
    assert [row["weight"] for row in plain["rules"]] == [0.25] * 4
    moved = run(*words, "--base", "matcher=exact,numbers=ignore").json
    assert moved["rules"][moved["base"]]["rule_id"] == 'rule[matcher="exact",numbers="ignore"]'
    by_id = run(*words, "--base", 'rule[numbers="ignore"]').json
    assert by_id["rules"][by_id["base"]]["rule_id"] == 'rule[numbers="ignore"]'


def test_a_kappa_floor_takes_labels_of_a_file(study: Path, grid: Path, tmp_path: Path):
    labels = tmp_path / "people.csv"
    lines = ["item_id,system,right"]
    lines += [f"q{n},{name},{int(name == 'good model')}" for n in range(6) for name in SYSTEMS]
    labels.write_text("\n".join(lines) + "\n", encoding="utf-8")
    ran = run(
        *("multiverse", study, "--grid", grid, "--json", "-", *QUICK),
        *("--kappa-floor", "0.6", "--people", labels),
    )
    floor = ran.json["floor"]
    assert (floor["people"], floor["n_labels"], floor["before"]["n_rules"]) == ("people.csv", 12, 8)
    assert 0 < floor["n_kept"] < 8
    assert "agree with people.csv" in ran.err


SYSTEMS = ("good model", "näive")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--task", "both"), 2, "--task must be one of qa, labels, got 'both'"),
        (("--unscored", "bounds"), 2, "must be one of .* got 'bounds'"),
        (("--kappa-floor", "0.6"), 2, "--kappa-floor and --people go together"),
        (("--kappa-floor", "0.6", "--people", "person/x"), 5, "holds no verdicts of 'person/x'"),
        (("--base", "colour=red"), 2, "no dimension 'colour'"),
        (("--base", "token_f1[threshold=0.3]"), 2, "no rule of the grid .* is 'token_f1"),
        (("--grid", "none.toml"), 3, "none.toml: cannot be read"),
        (("--judge", "judge/x"), 5, "judge 'judge/x' holds no verdicts"),
        (("--cluster", "colour"), 2, "items have no column 'colour'"),
        (("--draws", "3"), 2, "`draws` must be at least 100"),
    ],
)
def test_what_cannot_be_done_is_said(study: Path, words: tuple[str, ...], code: int, message: str):
    ran = run("multiverse", study, *words)
    assert ran.code == code
    assert re.search(message, ran.err)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("item_id,right\nq1,1\n", "the columns .'system'. are missing"),
        ("item_id,system,right\nq1,a,maybe\n", "line 2: `right` must be one of"),
        ("item_id,system,right\nq1,a,1\nq1,a,0\n", "line 3: the reply .* is labelled twice"),
    ],
)
def test_labels_that_cannot_be_used_are_refused(
    study: Path, tmp_path: Path, rows: str, message: str
):
    path = tmp_path / "labels.csv"
    path.write_text(rows, encoding="utf-8")
    ran = run("multiverse", study, "--kappa-floor", "0.5", "--people", path)
    assert ran.code == 3
    assert re.search(message, ran.err)
