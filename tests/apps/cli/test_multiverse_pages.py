"""Pages of a multiverse from the command line: of its own, and in the report of an audit."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest

from cli_runs import run
from finassay.records import Item, SystemSpec
from finassay.reports.schemas import schema_object
from finassay.study import Study
from marking_studies import put_replies

pytestmark = pytest.mark.full

GRID = """
name = "small"
task = "qa"

[[dimension]]
name = "matcher"
title = "how texts are compared"
choices = ["token_set", "includes"]
"""
REPLIES = {
    "ada": ["ten days", "ten", "in ten days", "never"],
    "bob": ["days ten", "no", "within ten days of that", "ten days"],
}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("pages") / "study"
    made = Study.create(root, name="small", unscored="wrong")
    items = [Item(item_id=f"i{at}", benchmark="small", reference="ten days") for at in range(4)]
    made.add_items(items, benchmark="small")
    for name, texts in REPLIES.items():
        spec = SystemSpec(name=name)
        made.add_system(spec)
        put_replies(made, spec, {f"i{at}": text for at, text in enumerate(texts)})
    return root


def test_a_page_is_written_beside_the_lines(study: Path, tmp_path: Path):
    grid = tmp_path / "grid.toml"
    grid.write_text(GRID)
    out = tmp_path / "page"
    done = run("multiverse", study, "--grid", grid, "--draws", "100", "--out", out)
    assert done.code == 0
    assert f"written: {out / 'multiverse.html'}" in done.out
    text = (out / "multiverse.html").read_text("utf-8")
    assert "Under all 2 rules tried" in text
    assert "finassay multiverse" in text


def test_a_place_that_cannot_hold_a_page_is_refused_before_the_work(study: Path, tmp_path: Path):
    taken = tmp_path / "taken"
    taken.write_text("x")
    done = run("multiverse", study, "--out", taken)
    assert done.code == 2
    assert "--out must be a directory" in done.err


def test_claims_are_checked_under_the_rules_of_a_grid(study: Path, tmp_path: Path):
    grid = tmp_path / "grid.toml"
    grid.write_text(GRID)
    claims = tmp_path / "claims.toml"
    claims.write_text("[[claim]]\nkind = 'above'\na = 'ada'\nb = 'bob'\nrules = ['grid']\n")
    assert run("score", study, "--scorer", "includes").code == 0
    done = run("claims", study, claims, "--grid", grid, "--json", "-")
    jsonschema.Draft202012Validator(schema_object("claims")).validate(done.json)
    (claim,) = done.json["claims"]
    assert done.json["n_grid"] == 2
    assert [tally["group"] for tally in claim["tallies"]] == ["grid"]


def test_an_audit_holds_a_multiverse_when_it_is_asked_for(study: Path, tmp_path: Path):
    rules = ("--scorer", "includes", "--primary", "includes")
    plain = run("audit", study, *rules, "--out", tmp_path / "plain")
    asked = run("audit", study, *rules, "--multiverse", "--out", tmp_path / "asked", "--json", "-")
    assert (plain.code, asked.code) == (0, 0)
    assert "s-multiverse" not in (tmp_path / "plain" / "report.html").read_text("utf-8")
    assert "s-multiverse" in (tmp_path / "asked" / "report.html").read_text("utf-8")
    assert asked.json["multiverse"]["n_rules"] > 1000
    jsonschema.Draft202012Validator(schema_object("audit")).validate(asked.json)
