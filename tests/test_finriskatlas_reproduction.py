"""The page of recomputed claims is what the script writes, and no claim was given to fit."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"


@pytest.fixture(scope="module")
def script() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SCRIPTS))
        yield importlib.import_module("finriskatlas_reproduction")


def test_the_page_is_what_the_script_writes(script: ModuleType):
    assert script.PAGE.read_text(encoding="utf-8") == script.page(script.Atlas())


def test_every_published_claim_is_reproduced(script: ModuleType):
    found = [row for part in script.rows(script.Atlas()).values() for row in part]
    assert len(found) > 70
    assert [row for row in found if not row.agrees] == []


def test_a_claim_that_differs_in_the_last_digit_does_not_agree(script: ModuleType):
    row = script.Row("4.3", "regret", "18.01", "18.02")
    assert not row.agrees


def test_a_changed_cell_changes_the_page(script: ModuleType, monkeypatch: pytest.MonkeyPatch):
    before = script.page(script.Atlas())
    tables = script.load_finriskatlas()
    table = tables["Table 9"]
    at = next(i for i, s in enumerate(table) if s.printed == "85.97")
    score = table[at]
    changed = type(score)(
        source=score.source,
        table=score.table,
        row=score.row,
        column=score.column,
        value=84.97,
        printed="84.97",
        unit=score.unit,
    )
    made = {**tables, "Table 9": (*table[:at], changed, *table[at + 1 :])}
    monkeypatch.setattr(script, "load_finriskatlas", lambda: made)
    after = script.page(script.Atlas())
    assert after != before
    assert "**no**" in after
