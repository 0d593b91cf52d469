"""Grids in TOML: what a file may say, and which line an error names."""

from pathlib import Path

import pytest

from finassay.errors import InputError, UnknownNameError
from finassay.marking.multiverse.grid_file import built_in_grid, built_in_text, read_grid
from finassay.scorers.declared import DeclaredRule

GRID = """\
name = "mine"
task = "qa"

[[dimension]]
name = "matcher"
title = "how texts are compared"
choices = ["token_set", { value = "includes", weight = 0.5 }]
base = "token_set"

[[dimension]]
name = "threshold"
choices = [0.7, 0.9]
weights = [2, 1]
applies = { matcher = "token_set" }

[[dimension]]
name = "yes_no_tasks"
choices = [["con"], { name = "none", value = [] }]

[[forbidden]]
where = { matcher = ["includes"], yes_no_tasks = ["none"] }
why = "yes is in yesterday"
"""


def path_of(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "grid.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_becomes_a_grid(tmp_path: Path):
    grid = read_grid(path_of(tmp_path, GRID))
    assert (grid.name, grid.task, grid.scorer, grid.unscored) == ("mine", "qa", "rule", "wrong")
    cells = grid.cells()
    assert len(cells) == 5
    assert cells[0].scorer == DeclaredRule(threshold=0.7, yes_no_tasks=("con",))
    assert dict(cells[1].choices)["yes_no_tasks"] == "none"
    assert cells[0].weight / cells[2].weight == pytest.approx(2.0)
    assert grid.dimensions[0].title == "how texts are compared"
    assert grid.forbidden[0].why == "yes is in yesterday"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "mine"', "name = mine", "this is no TOML.*line 1"),
        ('name = "mine"\n', "", r"grid.toml: the grid: `name` must be a text, it is missing"),
        ('task = "qa"', 'task = "qu"', "`task` of a grid must be one of .* got 'qu'"),
        ('task = "qa"', 'tusk = "qa"', "the key 'tusk' is unknown; keys are name, task"),
        ('base = "token_set"', 'base = "exact"', r"line 4: dimension 1 .*`base` must be one of"),
        (
            "weights = [2, 1]",
            "weights = [2]",
            r"line 10: .*one number for each of the 2",
        ),
        ("weights = [2, 1]", 'weights = [2, "x"]', r"line 10: .*weight of '0.9' must be a number"),
        ("[0.7, 0.9]", "[7, 0.9]", r"line 10: dimension 2 .*choice '7': `threshold`"),
        ("[0.7, 0.9]", "0.7", r"line 10: .*`choices` must be a list of at least one choice"),
        ("[0.7, 0.9]", "[[1], 0.9]", r"line 10: .*a choice must be a text, a number"),
        ("weight = 0.5", "wait = 0.5", r"line 4: .*a choice: the key 'wait' is unknown"),
        ('value = "includes"', 'name = "includes"', r"line 4: .*needs a `value`"),
        ('{ matcher = "token_set" }', '"token_set"', r"line 10: .*must be a table such as"),
        ('{ matcher = "token_set" }', '{ mat = "x" }', r"line 10: .*got 'mat'"),
        ('["none"]', '["some"]', r"line 20: forbidden 1: `where`: 'yes_no_tasks' has the choices"),
        ("[[forbidden]]", "[forbidden]", r"`forbidden` must be tables under \[\[forbidden\]\]"),
    ],
)
def test_an_error_names_the_file_the_line_and_what_to_write(
    tmp_path: Path, old: str, new: str, message: str
):
    assert old in GRID
    with pytest.raises(InputError, match=message):
        read_grid(path_of(tmp_path, GRID.replace(old, new, 1)))


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_grid(tmp_path / "none.toml")


def test_grids_that_ship_have_names():
    assert built_in_grid("qa").task == "qa"
    assert built_in_grid("labels").scorer == "labels/rule"
    assert built_in_text("qa").startswith("# ")
    with pytest.raises(UnknownNameError, match="there are: qa, labels"):
        built_in_grid("other")
