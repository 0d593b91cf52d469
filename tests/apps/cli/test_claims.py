"""`finassay claims` on a small study: what it prints, writes and refuses."""

import json
from pathlib import Path

import jsonschema
import pytest

from cli_runs import run
from finassay.records import Item, SystemSpec
from finassay.reports.schemas import schema_object
from finassay.study import Study
from marking_studies import put_replies, put_verdicts

MARKS = {"stored": {"ada": "1110", "bob": "1000"}, "judge/x": {"ada": "1000", "bob": "1100"}}
CLAIMS = "[[claim]]\ntext = 'Ada wins'\nsource = 'page 3'\nkind = 'above'\na = 'ada'\nb = 'bob'\n"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("claims") / "study"
    made = Study.create(root, name="small", unscored="wrong")
    items = [Item(item_id=f"i{at}", benchmark="small", reference="yes") for at in range(4)]
    made.add_items(items, benchmark="small")
    for name in ("ada", "bob"):
        spec = SystemSpec(name=name)
        made.add_system(spec)
        put_replies(made, spec, {item.item_id: "yes" for item in items})
        for scorer_id, marks in MARKS.items():
            said = [(f"i{at}", "scored", float(mark)) for at, mark in enumerate(marks[name])]
            put_verdicts(made, said, spec=spec, scorer_id=scorer_id)
    return root


def test_a_claim_is_printed_with_outcome_share_and_counter_example(study: Path, tmp_path: Path):
    file = tmp_path / "claims.toml"
    file.write_text(CLAIMS)
    done = run("claims", study, file)
    assert done.code == 0
    assert "1. DEPENDS: Ada wins (page 3)" in done.out
    assert "holds under 1 of 2 rules of the study" in done.out
    assert "stored: ada 75.0%, bob 25.0%" in done.out
    assert "fails under judge/x: ada 25.0%, bob 50.0%" in done.out


def test_the_json_follows_its_schema(study: Path, tmp_path: Path):
    file = tmp_path / "claims.toml"
    file.write_text(CLAIMS)
    written = json.loads(run("claims", study, file, "--json", "-").out)
    jsonschema.Draft202012Validator(schema_object("claims")).validate(written)
    assert written["claims"][0]["share"] == 0.5


def test_a_fault_in_the_file_ends_with_the_exit_code_of_inputs(study: Path, tmp_path: Path):
    file = tmp_path / "claims.toml"
    file.write_text("[[claim]]\nkind = 'best'\n")
    done = run("claims", study, file)
    assert done.code == 3
    assert "claims.toml, claim 1: key `kind`" in done.err


def test_a_system_that_is_not_there_ends_with_the_exit_code_of_usage(study: Path, tmp_path: Path):
    file = tmp_path / "claims.toml"
    file.write_text(CLAIMS.replace("'bob'", "'bop'"))
    done = run("claims", study, file)
    assert done.code == 2
    assert "did you mean 'bob'?" in done.err
