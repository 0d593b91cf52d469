"""The page about operations shows what its simulation prints."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def script() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "scripts"))
        yield importlib.import_module("selection_simulation")


def rows() -> list[list[str]]:
    page = (ROOT / "docs" / "explanation" / "operations.md").read_text(encoding="utf-8")
    table = page.partition("| systems | items each |")[2].splitlines()[2:]
    kept = [line for line in table if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in kept]


def test_the_page_has_a_row_for_every_design(script: ModuleType):
    expected = [(str(one.systems), str(one.items)) for one in script.DESIGNS]
    assert [(row[0], row[1]) for row in rows()] == expected
    assert all(90.0 <= float(row[2]) <= 99.0 for row in rows())


@pytest.mark.full
def test_the_first_row_is_what_the_simulation_prints(script: ModuleType):
    printed = [cell.strip() for cell in script.simulate(script.DESIGNS[0]).strip("|").split("|")]
    assert [float(cell) for cell in printed] == pytest.approx(
        [float(cell) for cell in rows()[0]], abs=1.01
    )
