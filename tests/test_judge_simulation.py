"""Judges with planted faults are found out, and the page shows what the simulation prints."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from finassay.analyses.judges.inputs import JudgePlan
from finassay.analyses.judges.reliability import judge_reliability
from finassay.analyses.judges.results_compare import Judges
from finassay.analyses.rank_sets import Resampling

ROOT = Path(__file__).resolve().parents[1]
LARGE = 4000
"""Items of a study so large that chance hardly moves an estimate."""


@pytest.fixture(scope="module")
def script() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "scripts"))
        yield importlib.import_module("judge_simulation")


def result_of(script: ModuleType, plant: object, n_items: int, draws: int = 200) -> Judges:
    given = script.study_of(plant, n_items, np.random.default_rng(11))
    return judge_reliability(given, JudgePlan(policy="exclude", resampling=Resampling(draws=draws)))


def test_planted_faults_are_recovered(script: ModuleType):
    found = script.seen(result_of(script, script.WORLD, LARGE))
    for name, true in script.planted(script.WORLD).items():
        # Rates over some 700 own errors have a standard error of 0.02.
        assert found[name][0] == pytest.approx(true, abs=0.06), name


def test_every_planted_fault_is_a_finding(script: ModuleType):
    result = result_of(script, script.WORLD, 300)
    kinds = {one.kind for one in result.findings}
    assert {"own_knowledge", "self_preference", "arm_effect", "overrules_reference"} <= kinds
    (told,) = [one for one in result.findings if one.kind == "own_knowledge"]
    assert told.scorer_id == script.judge_id("none")


def test_a_fair_judge_has_no_finding_against_it(script: ModuleType):
    kinds = {one.kind for one in result_of(script, script.FAIR, 300).findings}
    assert kinds == {"self_judging", "overrules_reference"}


def test_the_planted_values_are_those_of_the_rates(script: ModuleType):
    plain = script.Plant(
        abilities={"alpha": (0.5, 0.5), "beta": (0.5, 0.5)},
        sure=script.Errors(false_positive=0.1, false_negative=0.2),
        blind=script.Errors(false_positive=0.1, false_negative=0.2),
        unparsed=0.0,
        person_error=0.0,
        not_sure=0.0,
    )
    truth = script.planted(plain)
    # Half are right: agreement 0.85, chance 1/2, so kappa 0.7.
    assert truth["kappa, no reference"] == pytest.approx(0.7)
    assert truth["kappa right minus wrong"] == pytest.approx(0.0)
    assert truth["false positives, own minus others"] == pytest.approx(0.0)
    assert truth["overruled wrong references"] == pytest.approx(0.25)


def rows() -> list[list[str]]:
    page = (ROOT / "docs" / "reference" / "judge-simulation.md").read_text(encoding="utf-8")
    kept = [line for line in page.splitlines() if line.startswith("| ") and " | " in line]
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in kept]
    return [row for row in table if len(row) == 6 and row[0] != "figure"]


def test_the_page_has_a_row_for_every_figure_and_size(script: ModuleType):
    figures, sizes = len(script.planted(script.WORLD)), len(script.ITEMS)
    assert len(rows()) == 2 * figures * sizes
    planted = {**script.planted(script.WORLD)}
    first = rows()[: figures * sizes]
    assert all(float(row[2]) == pytest.approx(planted[row[0]], abs=5e-4) for row in first)


@pytest.mark.full
def test_the_first_rows_are_what_the_simulation_prints(script: ModuleType):
    made = script.simulate(
        script.WORLD, script.ITEMS[0], repeats=script.REPEATS, draws=script.DRAWS, seed=0
    )
    printed = [script.line_of(row) for row in made]
    shown = [" | ".join(row) for row in rows()[: len(printed)]]
    assert [line.strip("| ") for line in printed] == [line.strip("| ") for line in shown]
