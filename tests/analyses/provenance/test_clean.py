"""Nothing is found where nothing is wrong, whoever joins."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.provenance.results import KINDS
from provenance_samples import inputs, questions, trace

pytestmark = pytest.mark.full

SCRIPTS = Path(__file__).resolve().parents[3] / "scripts"
POOL = ("board", "shall", "report", "every", "large", "exposure", "at", "once", "and", "keep")


def replies(seed: int, references: list[str], ability: float) -> list[str]:
    """Return plausible replies: right with some chance, in few or many words."""
    rng = np.random.default_rng(seed)
    out = []
    for at, reference in enumerate(references):
        said = reference if rng.random() < ability else f"Rs. {900 + at} lakh"
        words = " ".join(rng.choice(POOL, size=int(rng.integers(6, 40))))
        out.append(f"{said}: note {seed}, {words}.")
    return out


@settings(deadline=None, max_examples=12)
@given(st.integers(0, 10_000), st.integers(2, 5), st.floats(0.2, 0.95))
def test_adding_a_clean_system_creates_no_finding(seed: int, systems: int, ability: float):
    references = [f"Rs. {100 + at} crore" for at in range(30)]
    items = questions(references)
    texts = {f"s{j}": replies(seed + j, references, ability) for j in range(systems)}
    assert trace(inputs(items, texts)).findings == ()
    texts["new"] = replies(seed + 99, references, 1.2 - ability)
    assert trace(inputs(items, texts)).findings == ()


@settings(deadline=None, max_examples=6)
@given(st.integers(0, 10_000))
def test_a_clean_system_beside_a_faulty_one_is_in_no_finding(seed: int):
    references = [f"Rs. {100 + at} crore" for at in range(30)]
    items = questions(references)
    texts = {f"s{j}": replies(seed + j, references, 0.6) for j in range(4)}
    texts["copy"] = texts["s1"]
    texts["failed"] = ["FAIL: 503"] * 30
    before = trace(inputs(items, texts))
    after = trace(inputs(items, {**texts, "new": replies(seed + 99, references, 0.7)}))
    assert {f.kind for f in after.findings} == {f.kind for f in before.findings}
    assert all("new" not in finding.systems for finding in after.findings)


def test_every_kind_is_asked_of_every_study():
    items = questions(["Rs. 5 crore"])
    found = trace(inputs(items, {"a": ["Rs. 5 crore"]}))
    assert {check.kind for check in found.checks} == set(KINDS)
    assert found.findings == ()


@pytest.fixture(scope="module")
def simulation() -> ModuleType:
    path = SCRIPTS / "provenance_simulation.py"
    spec = importlib.util.spec_from_file_location("provenance_simulation", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_what_is_planted_is_found_and_nothing_else(simulation: ModuleType):
    for tally in simulation.simulate(2):
        assert tally.arm.kind is None or tally.found == tally.runs, tally.arm.name
        assert sum(tally.false.values()) == 0, (tally.arm.name, tally.false)


def test_the_committed_page_keeps_the_promises(simulation: ModuleType):
    lines = simulation.PAGE.read_text(encoding="utf-8").splitlines()
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in lines if "|" in line]
    planted = [row for row in cells if len(row) == 4 and row[1].startswith("`")]
    assert {row[1].strip("`") for row in planted} == {
        arm.kind for arm in simulation.ARMS if arm.kind
    }
    for _, kind, found, _ in planted:
        count, _, runs = found.partition(" (")[0].partition(" of ")
        assert int(count) >= 0.95 * int(runs) >= 190, kind
    kinds = [row for row in cells if len(row) == 3 and row[0].startswith("`")]
    assert {row[0].strip("`") for row in kinds} == set(KINDS)
    for kind, clean, everywhere in kinds:
        for cell in (clean, everywhere):
            count, _, runs = cell.partition(" (")[0].partition(" of ")
            assert int(count) <= 0.02 * int(runs), kind
