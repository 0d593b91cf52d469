"""The command `provenance`: what it prints and writes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from cli_runs import run
from finassay.reports.schemas import schema_object
from finassay.study import Study

ITEMS = [
    {"id": f"q{at}", "question": f"What is {at}?", "answer": f"{at} days", "task": "F"}
    for at in range(12)
]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("provenance")
    (folder / "items.json").write_text(json.dumps(ITEMS), encoding="utf-8")
    for name, blank in (("alpha", 0), ("beta", 3)):
        rows = [
            f'q{at},"{"" if at < blank else f"It takes {at} days, says {name}."}",{int(at != 5)}'
            for at in range(12)
        ]
        text = "\n".join(["id,prediction,correct", *rows, ""])
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    path = folder / "study"
    done = run(
        "import", path, folder / "alpha.csv", folder / "beta.csv", "--items", folder / "items.json"
    )
    assert done.code == 0, done.err
    return path


def test_findings_are_told_with_evidence_witnesses_and_advice(study: Path):
    done = run("provenance", study)
    assert done.code == 0, done.err
    assert "   low  1 system gave blank replies [empty_replies]" in done.out
    assert "        3 replies: beta 3." in done.out
    assert "        look at: q0, q1, q2." in done.out
    assert "Nothing to look at for: " in done.out


def test_the_json_follows_its_schema_and_the_page_is_written(study: Path, tmp_path: Path):
    done = run("provenance", study, "--json", tmp_path / "found.json", "--out", tmp_path / "report")
    found = json.loads((tmp_path / "found.json").read_text("utf-8"))
    jsonschema.validate(found, schema_object("provenance"))
    page = (tmp_path / "report" / "provenance.md").read_text("utf-8")
    assert page.startswith("# Provenance of study")
    assert "## What was asked" in page
    assert "stored marks replies right that hold no answer" in page
    assert f"written: {tmp_path / 'report' / 'provenance.md'}" in done.out


def test_the_study_stays_as_it_was(study: Path):
    before = Study.open(study).snapshot().versions
    assert run("provenance", study).code == 0
    assert Study.open(study).snapshot().versions == before


def test_printed_tables_and_their_sizes_can_be_given(study: Path, tmp_path: Path):
    table = tmp_path / "printed.csv"
    table.write_text("model,REG,NUM\na,85.7,84.4\nb,49.1,75.0\nc,73.6,50.0\n", encoding="utf-8")
    done = run(
        "provenance", study, "--table", table, "--n", "REG=53", "--n", "NUM=32", "--json", "-"
    )
    (found,) = (f for f in done.json["findings"] if f["kind"] == "impossible_number")
    assert found["systems"] == ["a"]
    assert found["witnesses"] == ["a, REG: 85.7 of 53 (45 give 84.91, 46 give 86.79)"]


def test_candidate_rules_can_be_named(study: Path):
    done = run("provenance", study, "--scorer", "includes", "--json", "-")
    assert done.json["candidates"] == ["includes"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--n", "REG"), "--n must have the form COLUMN=N, got 'REG'"),
        (("--n", "REG=few"), "--n must give a number of items, as COLUMN=406, got 'REG=few'"),
        (("--name", "=x"), "--name must have the form ROW=SYSTEM, got '=x'"),
        (("--scorer", "nobody"), "nobody"),
        (("--scorer", "stored"), "stored"),
        (("--table", "missing.csv"), "missing.csv"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(study: Path, words: tuple[str, ...], said: str):
    done = run("provenance", study, *words)
    assert done.code in {2, 3}
    assert said in done.err


def test_a_study_without_verdicts_can_be_traced(tmp_path: Path):
    rows = "\n".join(["id,prediction", *(f"q{at},{at} days" for at in range(12)), ""])
    (tmp_path / "gamma.csv").write_text(rows, encoding="utf-8")
    (tmp_path / "items.json").write_text(json.dumps(ITEMS), encoding="utf-8")
    study = tmp_path / "study"
    assert (
        run("import", study, tmp_path / "gamma.csv", "--items", tmp_path / "items.json").code == 0
    )
    done = run("provenance", study)
    assert done.code == 0, done.err
    assert "holds no verdicts of 'stored'" in done.out
    assert "Nothing was found." in done.out


def test_a_study_of_printed_tables_alone_can_be_traced(tmp_path: Path):
    rows = [
        f"s{at},{50 + at}.00,{60 + at}.00,{70 + at}.00,{40 + at}.00"
        if at == 3
        else f"s{at},{50 + at}.17,{60 + at}.31,{70 + at}.53,{40 + at}.79"
        for at in range(12)
    ]
    table = tmp_path / "printed.csv"
    table.write_text("\n".join(["model,a,b,c,d", *rows, ""]), encoding="utf-8")
    assert run("import", tmp_path / "study", table).code == 0
    done = run("provenance", tmp_path / "study", "--json", "-")
    assert done.code == 0, done.err
    (found,) = done.json["findings"]
    assert (found["kind"], found["systems"]) == ("rounding_grid", ["s3"])
