"""`finassay rag evaluate`: what it prints and what its JSON holds."""

import json
from pathlib import Path

import jsonschema
import pytest

from cli_runs import run
from finassay.reports.schemas import schema_object
from finassay.study import Study
from retrieval_items import items, write_items


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_items(tmp_path_factory.mktemp("retrieval") / "items.json")


def test_one_command_prints_scores_tests_and_published_figures(table: Path, tmp_path: Path):
    target = tmp_path / "rag.json"
    ran = run(
        "rag", "evaluate", "--from", table, "--embedder", "hashing", "--draws", "200",
        "--json", target,
    )  # fmt: skip
    assert ran.code == 0
    assert "Retrieval of 6 passages in 3 documents by 7 questions" in ran.out
    assert "Recall@5" in ran.out
    assert "plain-tokeniser" in ran.out
    assert "Not shown by this corpus: the corpus is the 6 passages" in ran.out
    assert "Hybrid RRF (B2)                 0.785" in ran.out
    found = json.loads(target.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema_object("rag-evaluate")).validate(found)
    assert found["schema"] == "finassay/rag-evaluate/1"
    assert found["corpus"]["n_distinct"] == 6
    assert len(found["configurations"]) == 10
    assert found["reported"][0]["printed"] == "0.688"


def test_a_study_is_asked_like_a_table(table: Path, tmp_path: Path):
    study = Study.create(tmp_path / "study")
    study.add_items(items(), benchmark="rules")
    words = ("--configurations", "bm25,bm25-plain", "--json", "-")
    of_study = run("rag", "evaluate", tmp_path / "study", *words).json
    of_table = run("rag", "evaluate", "--from", table, *words).json
    assert of_study["corpus"] == of_table["corpus"]
    assert of_study["differences"] == of_table["differences"]
    assert [one["name"] for one in of_study["configurations"]] == ["bm25", "bm25-plain"]


def test_neither_and_both_are_refused(table: Path, tmp_path: Path):
    neither = run("rag", "evaluate")
    assert neither.code == 2
    assert "name either a study or, with --from, a table of items; got neither" in neither.err
    both = run("rag", "evaluate", tmp_path, "--from", table)
    assert both.code == 2
    assert "got both" in both.err


def test_a_configuration_that_is_not_there_is_said_with_those_that_are(table: Path):
    said = run("rag", "evaluate", "--from", table, "--configurations", "sparse")
    assert said.code == 2
    assert "hybrid, dense, bm25" in said.err


def test_items_without_passages_are_refused(tmp_path: Path):
    bare = tmp_path / "bare.csv"
    bare.write_text("id,question,answer\na,Who?,She\n", encoding="utf-8")
    said = run("rag", "evaluate", "--from", bare)
    assert said.code == 2
    assert "none of 1 items has a question and a passage" in said.err
