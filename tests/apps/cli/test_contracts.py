"""The commands `finassay contract ...`, and the demonstration of operations."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from cli_runs import run
from finassay.reports.schemas import schema_object
from operation_samples import ITEM, contract_text, write_shelf


def valid(name: str, text: str) -> dict:
    document = json.loads(text)
    jsonschema.Draft202012Validator(schema_object(name)).validate(document)
    return document


def test_a_new_contract_passes_the_check(tmp_path: Path):
    done = run("contract", "new", "credit-limit", "--in", tmp_path)
    assert (done.code, done.err) == (0, "")
    assert "credit-limit.yaml" in done.out
    checked = run("contract", "check", tmp_path)
    assert checked.code == 0
    assert checked.out.endswith("contracts: 1, errors: 0, warnings: 0\n")
    guide = (Path(__file__).parents[3] / "docs" / "how-to" / "write-a-contract.md").read_text(
        "utf-8"
    )
    assert checked.out in guide


def test_a_new_contract_is_refused_where_one_stands(tmp_path: Path):
    run("contract", "new", "a", "--in", tmp_path)
    again = run("contract", "new", "a", "--in", tmp_path)
    assert again.code == 2
    assert "is there already" in again.err


def test_an_error_is_told_with_its_line_and_its_exit_code(tmp_path: Path):
    text = contract_text().replace("layer: review", "layer: reviews")
    done = run("contract", "check", write_shelf(tmp_path, text), "--json", "-")
    assert done.code == 3
    assert "outcome.yaml:4: error: `layer`" in done.err
    (problem,) = valid("contract-check", done.out)["problems"]
    assert (problem["line"], problem["field"], problem["severity"]) == (4, "layer", "error")


def test_problems_of_items_name_the_item(tmp_path: Path):
    path = write_shelf(tmp_path, contract_text(), {**ITEM, "evidence": ["sent none"]})
    done = run("contract", "check", path)
    assert done.code == 3
    assert "outcome.jsonl:1: error: `evidence` (i1): expected words of the visible" in done.out


def test_a_place_without_contracts_is_an_input_error(tmp_path: Path):
    for command in ("check", "show"):
        done = run("contract", command, tmp_path)
        assert done.code == 3
        assert "found none; write one with `finassay contract new NAME`" in done.err


def test_the_inventory_is_shown_by_layer_and_group():
    done = run("contract", "show", "--json", "-")
    document = valid("contract-show", done.out)
    assert done.code == 0
    assert "applied review: 6 families, 84 items" in done.err
    assert document["items"] == sum(one["items"] for one in document["families"])


def test_items_are_loaded_answered_and_scored_under_contracts_of_a_folder(tmp_path: Path):
    folder, study = tmp_path / "contracts", tmp_path / "review"
    folder.mkdir()
    write_shelf(folder)
    loaded = run("contract", "load", study, folder, "--benchmark", "credit")
    assert loaded.out == "credit: 1 items under 1 contracts\n", loaded.err
    (tmp_path / "alpha.csv").write_text("item_id,prediction\ni1,No.\n", encoding="utf-8")
    assert run("import", study, tmp_path / "alpha.csv").code == 0
    rule = f"contract[path={json.dumps(str(folder))}]"
    assert run("score", study, "--scorer", rule).code == 0
    scored = run("contract", "scores", study, "--scorer", rule, "--json", "-")
    (row,) = valid("contract-scores", scored.out)["scores"]
    assert (row["system"], row["contract"], row["score"]) == ("alpha", "outcome", 1.0)


def test_contracts_without_items_load_nothing(tmp_path: Path):
    (tmp_path / "outcome.yaml").write_text(contract_text(), encoding="utf-8")
    done = run("contract", "load", tmp_path / "s", tmp_path / "outcome.yaml")
    assert done.code == 3
    assert "the contracts have no items" in done.err


@pytest.mark.full
def test_the_demonstration_of_operations_runs_to_the_end(tmp_path: Path):
    words = ("--study", tmp_path / "s", "--out", tmp_path / "r", "--json", tmp_path / "a.json")
    done = run("demo", "--benchmark", "finassay-operations", *words)
    assert done.code == 0, done.err
    assert (tmp_path / "r" / "report.html").is_file()
    scored = run("contract", "scores", tmp_path / "s", "--json", "-")
    rows = valid("contract-scores", scored.out)["scores"]
    assert len({row["contract"] for row in rows}) == 18
    controls = [row for row in rows if row["system"] == "control-other-wording"]
    # It writes the accepted answer behind "The answer:", a form that every contract reads.
    assert {row["score"] for row in controls} == {1.0}
    assert {row["malformed"] for row in controls} == {0}


def test_an_unknown_benchmark_is_named(tmp_path: Path):
    done = run("demo", "--benchmark", "finqa", "--study", tmp_path / "s", "--out", tmp_path / "r")
    assert done.code == 2
    assert "'finqa'" in done.err
    assert "finassay-operations" in done.err
