"""Cells of a sweep, declared in TOML."""

from pathlib import Path

import pytest

from finassay.errors import InputError, MappingError
from finassay.runs.importers.label_cells import load_cell_specs

GOOD = """
[defaults]
budget = "10 new tokens"
choices = ["no", "yes"]

[[cells]]
file = "a.json"
system = "one"
arm = "free"

[[cells]]
file = "b.json"
system = "one"
arm = "label only"
budget = "5 new tokens"
answers = "exact"
stratum = "kind"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "cells.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_hold_until_a_cell_says_otherwise(tmp_path: Path) -> None:
    first, second = load_cell_specs(written(tmp_path, GOOD))
    assert (first.file, first.budget, first.choices) == (
        tmp_path / "a.json",
        "10 new tokens",
        ("no", "yes"),
    )
    assert (first.answers, second.answers) == ("free", "exact")
    assert (second.budget, second.stratum, second.arm) == ("5 new tokens", "kind", "label only")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[cells]]\nsystem = 'x'", "cell 1 must name its `file`"),
        ("[[cells]]\nfile = 'a'\nmodel = 'x'", "no key 'model'"),
        ("[[cells]]\nfile = 'a'\nbudget = 10", "`budget` must be a text, got 10"),
        ("[[cells]]\nfile = 'a'\nchoices = 'no,yes'", "`choices` must be a list of texts"),
        ("[[cells]]\nfile = 'a'\nanswers = 'short'", "`answers` must be 'free' or 'exact'"),
        ("cells = 3", "expected a list"),
        ("[[cell]]\nfile = 'a'", "expected a list"),
        ("[[cells]\n", "is not TOML"),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(MappingError, match=message):
        load_cell_specs(written(tmp_path, text))


def test_a_missing_file_of_cells_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the file of cells cannot be read"):
        load_cell_specs(tmp_path / "none.toml")
