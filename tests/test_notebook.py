"""The notebook of the tutorial: its outputs are what its cells give, and its page shows them."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
TUTORIAL = ROOT / "docs" / "tutorial"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("notebook", ROOT / "scripts" / "notebook.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def cells() -> list[dict]:
    return json.loads((TUTORIAL / "first-study.ipynb").read_text("utf-8"))["cells"]


@pytest.mark.full
def test_the_outputs_are_those_of_a_run(script: ModuleType, cells: list[dict]):
    assert script.run_all(cells) == cells


def test_the_page_is_the_notebook(script: ModuleType, cells: list[dict]):
    assert (TUTORIAL / "first-study.md").read_text("utf-8") == script.page_of(cells)


def test_the_notebook_has_the_fields_of_its_format(cells: list[dict]):
    # Version 4.5 of the format: ids are of letters, digits, - and _, and unique.
    ids = [cell["id"] for cell in cells]
    assert len(set(ids)) == len(ids)
    for cell in cells:
        code = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert set(cell) == {"cell_type", "id", "metadata", "source"} | code


def test_a_cell_shows_what_it_prints_and_its_last_value(script: ModuleType):
    names: dict[str, object] = {}
    assert script.run("x = 2\nprint('a')\nx + 1", names) == "a\n3\n"
    assert script.run("y = x", names) == ""
    assert names["y"] == 2
