"""Coverage of a test run over several workers, at next to no cost: a plugin of pytest.

    pytest -n 2 -p worker_coverage --coverage-least 90

A probe stands at each line and branch of the package and takes itself out once it was met
(slipcover).  A tracer, called for every line that runs, makes the tests here take 1.6 times as
long.  Each worker hands what it met to the run that started it; the gate fails where one is lost.
Programs that tests start are not counted.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import slipcover

# Imports are watched from the first on, which is before options are read.
PACKAGE = Path(
    os.environ.get("COVERED_PACKAGE") or Path(__file__).resolve().parents[1] / "src" / "finassay"
)
EXCLUDED = ["if TYPE_CHECKING:", r"\.\.\.$", "@overload"]

# Taking probes out means looking at all functions there are, so many are taken out together.
_measure = slipcover.Slipcover(
    d_miss_threshold=1_000, branch=True, source=[str(PACKAGE)], exclude_also=EXCLUDED
)
slipcover.ImportManager(_measure, slipcover.FileMatcher(sources=[str(PACKAGE)])).__enter__()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--coverage-least", type=float, default=0.0, help="per cent below which the run fails"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Gathered(config), "worker-coverage-gathered")


class _Gathered:
    """What the processes of one run met; in a worker, what it hands over at its end."""

    def __init__(self, config: pytest.Config) -> None:
        self._least: float = config.getoption("--coverage-least")
        self._handed: dict[str, str] | None = getattr(config, "workeroutput", None)
        self._lost: list[str] = []
        self._parts: list[dict[str, Any]] = []

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object, error: object) -> None:
        part = getattr(node, "workeroutput", {}).get("coverage")
        if part is None:
            self._lost.append(f"{node.gateway.id}: {error or 'handed nothing over'}")
        else:
            self._parts.append(json.loads(part))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._handed is not None:
            self._handed["coverage"] = json.dumps(_measure.get_coverage())
        elif self._failure() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("coverage of lines and branches")
        for path, file in sorted(self._whole["files"].items()):
            if file["missing_lines"]:
                missed = ", ".join(map(str, file["missing_lines"]))
                covered = file["summary"]["percent_covered"]
                terminalreporter.write_line(f"{path} {covered:.0f} %, not met: {missed}")
        terminalreporter.write_line(f"covered: {self._percent():.2f} %")
        if failure := self._failure():
            terminalreporter.write_line(f"FAILED: {failure}", red=True)

    @property
    def _whole(self) -> dict[str, Any]:
        first, *others = self._parts or [_measure.get_coverage()]
        for part in others:
            slipcover.merge_coverage(first, part)
        self._parts = [first]
        return first

    def _percent(self) -> float:
        return float(self._whole["summary"]["percent_covered"])

    def _failure(self) -> str:
        if self._lost:
            return f"no coverage of worker {'; '.join(self._lost)}"
        if self._percent() < self._least:
            return f"coverage is {self._percent():.2f} %, expected at least {self._least:g} %"
        return ""
