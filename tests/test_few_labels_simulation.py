"""The page about few labels shows what its simulation prints, and intervals hold."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
RUNS = 200
PAGE = ROOT / "docs" / "reference" / "few-labels-simulation.md"


@pytest.fixture(scope="module")
def script() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "scripts"))
        yield importlib.import_module("few_labels_simulation")


def tables() -> list[list[list[str]]]:
    """Return the tables of the page, each as rows of cells, the header first."""
    found: list[list[list[str]]] = [[]]
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("|"):
            found.append([])
        elif not line.startswith("|:"):
            found[-1].append([cell.strip() for cell in line.strip("|").split("|")])
    return [table for table in found if table]


def test_the_page_has_a_row_for_every_situation(script: ModuleType):
    expected = [
        *[script.judge_situations] * 2,
        *[script.design_situations] * 2,
        *[script.wider_situations] * 2,
    ]
    for table, situations in zip(tables()[:6], expected, strict=True):
        named = [
            (f"{one.shares[0]:.2f}, {one.shares[1]:.2f}", str(one.labels)) for one in situations()
        ]
        assert [(row[1], row[2]) for row in table[1:]] == named


def test_no_interval_falls_short_but_by_pooled_errors_of_a_judge_that_differs():
    count = 0
    for table in tables()[:6]:
        for row in table[1:]:
            for header, cell in zip(table[0][3:], row[3:], strict=True):
                count += 1
                pooled = header == "rogan-gladen pooled" and row[0] == "differs by system"
                assert pooled or "✗" not in cell, (row[:3], header, cell)
    assert count > 500


def test_scores_by_labels_are_biased_by_less_than_their_error():
    for table in (tables()[0], tables()[2]):
        for row in table[1:]:
            for header, cell in zip(table[0][3:], row[3:], strict=True):
                if header not in {"human", "horvitz-thompson", "hajek"}:
                    continue
                bias, spread = re.match(r"\S+ \(\d+\) ([+-][\d.]+) ([\d.]+)", cell).groups()
                # Three and a half standard errors of a mean, and the last digit.
                limit = 3.5 * float(spread) / RUNS**0.5 + 0.05
                assert abs(float(bias)) <= limit, (row, header)


def test_a_short_run_prints_a_row_for_each_situation(
    script: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sys.argv", ["few_labels_simulation.py", "--short", "--runs", "12"])
    assert script.main() == 0
    lines = capsys.readouterr().out.strip().splitlines()
    assert len(lines) == 4
    assert lines[2].startswith("| good | 0.05, 0.10 | 20 |")


def test_a_check_of_the_page_finds_an_interval_that_falls_short(script: ModuleType):
    text = PAGE.read_text(encoding="utf-8")
    assert script.check(text) == 0
    assert script.check(text + "| good | 0.05, 0.10 | 20 | 80.0✗ (3) |\n") == 1


@pytest.mark.full
def test_a_row_of_the_page_is_what_the_simulation_prints(script: ModuleType):
    situation = next(script.judge_situations())
    out = script.simulate(replace(situation), "these items", script.RUNS)
    (line,) = script.table([out], script.SCORE, script.OF_SCORE, by_design=False)[2:3]
    assert [cell.strip() for cell in line.strip("|").split("|")] == tables()[0][1]
