"""What the commands on rules and claims refuse, and how they say so."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_runs import run
from import_tables import table

LEADS = '[[claim]]\nkind = "leads"\nsystem = "good model"\n'
GRID = (
    'name = "g"\ntask = "qa"\n[[dimension]]\nname = "matcher"\nchoices = ["exact", "token_set"]\n'
)


def test_a_multiverse_without_references_says_so_and_prints_no_table(tmp_path: Path):
    table(tmp_path / "items.csv", [{"item_id": "q1", "question": "?", "reference": ""}])
    for name in "ab":
        table(tmp_path / f"{name}.csv", [{"item_id": "q1", "prediction": name}])
    root, grid = tmp_path / "s", tmp_path / "g.toml"
    grid.write_text(GRID, encoding="utf-8")
    files = (tmp_path / "a.csv", tmp_path / "b.csv")
    assert run("import", root, *files, "--items", tmp_path / "items.csv").code == 0
    ran = run("multiverse", root, "--grid", grid, "--draws", "100")
    assert (ran.code, ran.out) == (2, "")
    assert "gives a reply of the 1 items a value: do the items hold references?" in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("configuration", "--leave-out", "good model", "--leave-out", "näive"), "left out"),
        (("configuration", "--cap", "good model=5", "--cap", "good model=6"), "says twice"),
        (("configuration", "--pair", "a=a"), "--pair takes two different runs, got 'a=a'"),
        (("configuration", "--cap", "x"), "--cap takes SYSTEM=N, got 'x'"),
        (("provenance", "--judge", "zz"), "the judge 'zz' holds no verdicts"),
        (("provenance", "--name", "row=zz"), "is said to be the system 'zz'"),
        (("provenance", "--n", "zz=5"), "the printed column 'zz', which no table holds"),
    ],
)
def test_a_name_that_would_be_passed_over_is_refused(
    study: Path, words: tuple[str, ...], said: str
):
    assert run("score", study, "--scorer", "includes").code == 0
    ran = run(words[0], study, *words[1:])
    assert (ran.code > 0, ran.out) == (True, "")
    assert said in ran.err


def test_a_claim_file_names_systems_of_the_study_only(study: Path, tmp_path: Path):
    assert run("score", study, "--scorer", "includes").code == 0
    file = tmp_path / "claims.toml"
    file.write_text("[caps]\nzz = 5\n" + LEADS, encoding="utf-8")
    assert (
        "table [caps]: expected a system of the study, got 'zz'" in run("claims", study, file).err
    )
    alias = '[names]\nshort = "zz"\n[[claim]]\nkind = "leads"\nsystem = "short"\n'
    file.write_text(alias, encoding="utf-8")
    assert "got 'zz'; there are: good model, näive\n" in run("claims", study, file).err


def test_a_claim_about_a_group_without_rules_says_what_is_missing(study: Path, tmp_path: Path):
    assert run("score", study, "--scorer", "includes").code == 0
    file = tmp_path / "claims.toml"
    file.write_text(LEADS + 'rules = ["grid"]\n', encoding="utf-8")
    ran = run("claims", study, file)
    assert "laim 1 asks for 'grid', and there is none; add --multiverse or --grid" in ran.out
    assert "as printed" not in ran.out


def test_a_grid_file_that_is_not_there_is_no_fault_of_its_encoding(study: Path, tmp_path: Path):
    ran = run("multiverse", study, "--grid", tmp_path / "none.toml")
    assert "cannot be read: No such file or directory; name a grid file" in ran.err
    wrong = tmp_path / "g.toml"
    wrong.write_text(GRID.replace('"exact"', '{ name = [1], value = "exact" }'), encoding="utf-8")
    assert (
        "a choice: `name` must be a text, got [1]" in run("multiverse", study, "--grid", wrong).err
    )
