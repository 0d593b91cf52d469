"""The measurement of sizes measures: its table is whole, and memory was really read."""

from __future__ import annotations

import importlib
import json
import math
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).parents[2] / "benchmarks"


def measured(folder: Path, *arguments: str) -> tuple[dict[str, object], str]:
    target = folder / "scale.json"
    command = [sys.executable, str(SCRIPTS / "scale.py"), *arguments, "--json", str(target)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
    return json.loads(target.read_text(encoding="utf-8")), done.stdout


def require_whole(result: dict[str, object], sizes: list[int], stages: set[str]) -> None:
    runs = result["runs"]
    assert isinstance(runs, list)
    assert [run["predictions"] for run in runs] == sizes
    for run in runs:
        assert set(run["stages"]) == stages
        assert run["study_bytes"] >= sum(run["table_bytes"].values()) > 0
        for stage in run["stages"].values():
            assert stage["samples"] >= 2
            # No Python with these libraries is smaller, and no peak is below its own curve.
            assert stage["peak_mib"] > 30
            assert stage["peak_mib"] == max(mib for _, mib in stage["curve"])
            assert stage["rows_per_s"] > 0


def test_the_short_form_measures_every_size_and_stage(tmp_path: Path) -> None:
    arguments = ("--sizes", "40", "400", "--systems", "4", "--stages", "import", "digest")
    result, printed = measured(tmp_path, *arguments)
    require_whole(result, [40, 400], {"import", "digest"})
    assert "import seconds" in printed
    assert "bytes a prediction" in printed


@pytest.mark.long
def test_the_whole_form_measures_marking_and_audits_too(tmp_path: Path) -> None:
    svg = tmp_path / "scale.svg"
    sizes = [1_000, 3_000, 10_000]
    result, printed = measured(
        tmp_path, "--sizes", *map(str, sizes), "--systems", "10", "--svg", str(svg),
        "--plan", "1000000000", "--judge-tokens", "700", "5",
    )  # fmt: skip
    require_whole(result, sizes, {"import", "score", "check", "digest", "audit"})
    assert svg.read_text(encoding="utf-8").startswith("<svg")
    assert "core-hours" in printed
    assert "10,000 forecast in the same way from the smaller sizes" in printed


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    return importlib.import_module("scale_fit")


def test_a_power_law_gives_its_exponent(fits: ModuleType) -> None:
    found = fits.exponent([(n, 3.0 * n**1.5) for n in (10, 100, 1_000, 10_000)])
    assert found.slope == pytest.approx(1.5)
    assert found.low == pytest.approx(1.5)
    assert found.high == pytest.approx(1.5)


def test_the_interval_of_an_exponent_is_that_of_the_textbook(fits: ModuleType) -> None:
    # y = 1, 2, 2 at x = 0, 1, 2 (decades): slope 1/2, residuals -1/6, 1/3, -1/6, so the error of
    # the slope is sqrt((1/6) / 1 / 2) = 0.288675, and t(0.975; 1) = 12.7062.
    points = [(10.0**x, 10.0**y) for x, y in ((0, 1), (1, 2), (2, 2))]
    found = fits.exponent(points)
    half = 12.7062 * math.sqrt(1 / 12)
    assert (found.slope, found.low, found.high) == pytest.approx(
        (0.5, 0.5 - half, 0.5 + half), rel=1e-4
    )


def test_a_fixed_cost_and_a_rate_are_found_again(fits: ModuleType) -> None:
    found = fits.line([(n, 2.5 + 1e-4 * n) for n in (1_000, 10_000, 100_000)])
    assert (found.fixed, found.rate) == pytest.approx((2.5, 1e-4))
    assert found.at(10**7) == pytest.approx(1002.5)


def test_costs_that_fall_with_size_are_not_forecast_below_zero(fits: ModuleType) -> None:
    found = fits.line([(1_000, 5.0), (10_000, 4.0)])
    assert found.rate == 0
    assert found.at(10**9) > 0
