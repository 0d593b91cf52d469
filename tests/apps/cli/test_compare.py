"""`finassay compare` on a small study: what it prints, writes and refuses."""

import json
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from finassay.apps.cli.app import app
from finassay.errors import UnknownNameError, UsageError
from finassay.records import Item, SystemSpec
from finassay.reports.schemas import schema_object
from finassay.study import Study
from marking_studies import put_replies, put_verdicts
from reference.paired_bootstrap import by_polynomial, singles

ADA, BOB, EVE = (
    SystemSpec(name="ada"),
    SystemSpec(name="bob"),
    SystemSpec(name="eve", kind="person"),
)
MARKS = {"ada": "11111101", "bob": "10100001"}
DOCUMENTS = "aabbccdd"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("compare") / "study"
    made = Study.create(root, name="small")
    items = [
        Item(item_id=f"i{at}", benchmark="small", reference="yes", documents=(name,))
        for at, name in enumerate(DOCUMENTS)
    ]
    made.add_items(items, benchmark="small")
    for spec in (ADA, BOB, EVE):
        made.add_system(spec)
        answered = items if spec.kind == "model" else items[:3]
        put_replies(made, spec, {item.item_id: "yes" for item in answered})
    for spec in (ADA, BOB):
        said = [(f"i{at}", "scored", float(mark)) for at, mark in enumerate(MARKS[spec.name])]
        put_verdicts(made, said, spec=spec, scorer_id="stored")
    said = [(f"i{at}", "scored", 1.0) for at in range(3)]
    put_verdicts(made, said, spec=EVE, scorer_id="strict/numbers-first")
    return root


def run(*arguments: object) -> str:
    done = CliRunner().invoke(app, ["compare", *map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


DIFFERENCES = [int(a) - int(b) for a, b in zip(MARKS["ada"], MARKS["bob"], strict=True)]


def test_two_systems_get_exact_p_in_full_precision(study: Path, tmp_path: Path):
    target = tmp_path / "c.json"
    run(study, "ada", "bob", "--scorer", "stored", "--json", target)
    written = json.loads(target.read_text("utf-8"))
    jsonschema.Draft202012Validator(schema_object("compare")).validate(written)
    p = written["pairs"][0]["item"]["p"]
    expected = [float(part) for part in by_polynomial(singles(DIFFERENCES))]
    assert [p["inclusive"], p["exclusive"]] == pytest.approx(expected, rel=1e-12)
    assert p["method"] == "exact"
    assert written["schema"] == "finassay/compare/1"


def test_all_pairs_take_clusters_and_people_with_their_rule_named(study: Path):
    said = run(study, "--all", "--cluster", "documents", "--family", "66")
    assert "1 pair under stored, items and 4 clusters by documents" in said
    assert "bonferroni for a family of 66" in said
    assert "eve on 3 items in 2 clusters, a family of 2" in said
    assert "Answers of eve are marked by strict/numbers-first." in said


def test_json_on_stdout_stands_alone(study: Path):
    done = CliRunner().invoke(app, ["compare", str(study), "ada", "bob", "--json", "-"])
    assert json.loads(done.stdout)["pairs"][0]["n"] == 8


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (["ada"], UsageError, "name two systems, or ask for --all; got 1 names"),
        (["ada", "bob", "--all"], UsageError, "got 2 names and --all"),
        (["ada", "bob", "--adjust", "tukey"], UsageError, "--adjust must be one of none"),
        (["--all", "--scorer", "nothing"], UnknownNameError, "no verdicts of 'nothing'"),
        (["--all", "--person-scorer", "exact"], UnknownNameError, "'exact' to mark people with"),
        (["--all", "--cluster", "documnets"], UnknownNameError, "no column 'documnets'"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    study: Path, arguments: list[str], error: type[Exception], message: str
):
    with pytest.raises(error, match=message):
        CliRunner().invoke(app, ["compare", str(study), *arguments], catch_exceptions=False)
