"""`finassay labels`: audits of logs, the demonstration, fingerprints."""

import json
from pathlib import Path

import jsonschema
import polars as pl
import pytest
from typer.testing import CliRunner, Result

from finassay.apps.cli.app import app
from finassay.errors import MappingError, UsageError
from finassay.reports.schemas import schema_object

LOG = 'reply,gold,kind\n"yes, not no",yes,a\nNo.,no,a\nNo.,no,b\n'


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["labels", *map(str, words)])


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "model-a.csv"
    path.write_text(LOG, encoding="utf-8")
    return path


def test_an_audit_prints_interval_floor_and_rules_and_writes_json(log: Path, tmp_path: Path):
    out = tmp_path / "out.json"
    ran = run(
        "audit", log, "--choices", "no,yes", "--arm", "zero-shot", "--budget", "64", "--json", out
    )
    assert ran.exit_code == 0, ran.output
    assert "reach [0.6667, 1.0000]" in ran.stdout
    assert "undetermined/at_least_ties" in ran.stdout
    document = json.loads(out.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema_object("labels-audit")).validate(document)
    cell = document["logs"][0]["cell"]
    assert (cell["system"], cell["arm"], cell["budget"]) == ("model-a", "zero-shot", "64")
    assert (cell["counts"]["contested"], cell["floor"]["count"]) == (1, 2)


def test_strata_matcher_and_rules_can_be_said(log: Path):
    ran = run(
        "audit",
        log,
        "--choices",
        "no,yes",
        "--stratum",
        "kind",
        "--matcher",
        "word",
        "--hyphen-joins",
        "--rule",
        "labels/text-order-word",
    )
    assert ran.exit_code == 0, ran.output
    assert "matcher word (norm lower, hyphens join)" in ran.stdout
    assert "floor over 2 strata" in ran.stdout
    assert "labels/card-order" not in ran.stdout


def test_a_file_of_cells_declares_each_log(log: Path, tmp_path: Path):
    cells = tmp_path / "cells.toml"
    cells.write_text(
        '[defaults]\nbudget = "64"\nchoices = ["no", "yes"]\ntask = "t"\nsystem = "s"\n'
        '[[cells]]\nfile = "model-a.csv"\narm = "free"\n'
        '[[cells]]\nfile = "model-a.csv"\narm = "label only"\nanswers = "exact"\n',
        encoding="utf-8",
    )
    ran = run("audit", "--cells", cells)
    assert ran.exit_code == 0, ran.output
    assert "t / s / free / 64" in ran.stdout
    assert "2 cells side by side" in ran.stdout
    assert "free undetermined/at_least_ties, exact answer undetermined/at_least_ties" in ran.stdout
    named = run("audit", log, "--cells", cells)
    assert "t / s / label only / 64" in named.stdout


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        ((), UsageError, "nothing to audit"),
        (("--matcher", "fuzzy"), UsageError, "got 'fuzzy' and 'lower'"),
        (("--norm", "upper"), UsageError, "got 'substring' and 'upper'"),
        (("--stratum", "sort"), MappingError, "`stratum` must be a column"),
        (("--reply-column", "said"), MappingError, "`reply` must be a column"),
        (("--rule", "exact"), UsageError, "is no label rule"),
    ],
)
def test_what_cannot_be_used_is_an_error_of_its_kind(
    log: Path, words: tuple[str, ...], error: type[Exception], message: str
):
    given = (log, "--choices", "no,yes", *words) if words else ()
    ran = run("audit", *given)
    assert isinstance(ran.exception, error)
    assert message in str(ran.exception)


def test_a_long_log_is_counted_in_one_pass(tmp_path: Path):
    path, out = tmp_path / "long.parquet", tmp_path / "out.json"
    rows = {"reply": ["yes, not no", "No.", "No."], "gold": ["yes", "no", "no"]}
    pl.DataFrame({**rows, "kind": ["a", "a", "b"]}).write_parquet(path)
    ran = run("count", path, "--choices", "no,yes", "--stratum", "kind", "--json", out)
    assert ran.exit_code == 0, ran.output
    assert "floor over strata 0.6667 (2/3): undetermined/at_least_ties" in ran.stdout
    document = json.loads(out.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema_object("labels-count")).validate(document)
    assert (document["reach"]["low"], document["reach"]["high"]) == (2, 3)


def test_the_demonstration_shows_three_scores_of_one_log(tmp_path: Path):
    out = tmp_path / "demo.json"
    ran = run("demo", "--json", out)
    assert ran.exit_code == 0, ran.output
    assert "vacuous" in ran.stdout
    document = json.loads(out.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema_object("labels-demo")).validate(document)
    scores = {rule["score"]["rule"]: rule["score"]["accuracy"] for rule in document["rules"]}
    assert scores["labels/card-order"] == 0.0
    assert scores['labels/default-fill[default="good"]'] == 0.66
    assert scores["labels/letter-fallback"] == 0.655


def test_a_fingerprint_names_the_constant(tmp_path: Path):
    out = tmp_path / "found.json"
    ran = run(
        "fingerprint", "--gold", "good=132,bad=68", "--weighted-f1", ".52", "--mcc", "0",
        "--json", out,
    )  # fmt: skip
    assert "always predicting 'good'" in ran.stdout
    document = json.loads(out.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema_object("labels-fingerprint")).validate(document)
    other = run("fingerprint", "--gold", "good=132,bad=68", "--accuracy", "0.61")
    assert "no constant predictor has these scores" in other.stdout
    alone = run("fingerprint", "--gold", "good=132,bad=68", "--mcc", "0")
    assert "give accuracy or F1 as well" in alone.stdout


def test_counts_of_labels_must_be_numbers():
    ran = run("fingerprint", "--gold", "good", "--accuracy", "0.5")
    assert isinstance(ran.exception, UsageError)
    assert "LABEL=N" in str(ran.exception)
