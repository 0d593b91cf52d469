"""The commands `items`, `ranks` and `agree` on a small study."""

import json
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner, Result

from finassay.apps.cli.app import app
from finassay.apps.cli.lists import split_ids
from finassay.errors import UnknownNameError, UsageError
from finassay.reports.schemas import schema_object
from finassay.reports.workflow import AuditSettings, audit_study, demo_study


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("evidence") / "study"
    audit_study(demo_study(path), AuditSettings(scorers=("exact", "token_f1", "includes")))
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("items", ()),
        ("ranks", ("--draws", 200)),
        ("agree", ("--raters", "exact,includes", "--by", "family", "--draws", 200)),
    ],
)
def test_the_json_of_a_command_is_what_its_schema_says(
    name: str, more: tuple[object, ...], study: Path, tmp_path: Path
):
    target = tmp_path / f"{name}.json"
    done = run(name, study, *more, "--json", target)
    assert (done.exit_code, done.exception) == (0, None)
    found = json.loads(target.read_text("utf-8"))
    jsonschema.validate(found, schema_object(name))
    assert found["schema"] == f"finassay/{name}/1"


def test_agreement_is_shown_with_prevalence(study: Path):
    done = run("agree", study, "--raters", "exact,includes", "--draws", 200)
    assert "Cohen's kappa" in done.output
    assert "How often each rater uses each verdict, %" in done.output


def test_items_says_that_few_systems_cannot_carry_the_model(study: Path):
    assert "cannot carry a two-parameter model" in run("items", study).output


def test_an_unknown_rater_is_named(study: Path):
    done = run("agree", study, "--raters", "exact,nobody")
    assert isinstance(done.exception, UnknownNameError)
    assert "no verdicts of 'nobody'" in str(done.exception)


def test_a_rater_named_twice_agrees_with_nobody(study: Path):
    done = run("agree", study, "--raters", "exact,exact")
    assert isinstance(done.exception, UsageError)
    assert "at least two raters" in str(done.exception)


def test_an_unknown_rule_is_named(study: Path):
    done = run("items", study, "--scorer", "nothing")
    assert isinstance(done.exception, UnknownNameError)


def test_an_unknown_scale_is_refused(study: Path):
    done = run("agree", study, "--raters", "exact,includes", "--scale", "ratio")
    assert isinstance(done.exception, UsageError)
    assert "--scale must be one of nominal, ordinal, interval" in str(done.exception)


def test_commas_inside_brackets_do_not_separate_raters():
    assert split_ids("a[x=1,y=2],b") == ["a[x=1,y=2]", "b"]
