"""The commands of the tutorial and of the README, run as they stand there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cli_runs import Demo, run
from documented_commands import ROOT, finassay_words, shell_lines

ELSEWHERE = {
    "make demo": "is what the fixture runs: `finassay demo`",
    "make test": "runs this test",
    "pip install": "asks a registry; the wheel is installed where it is built",
    "finassay serve": "does not end; tests of `serve` start it",
    "finassay fetch": "asks the network; tests of `fetch` answer in its place",
    "finassay audit ifb": "audits what was fetched",
    "finassay export-site": "writes a site; tests of `export-site` do",
}
"""How a line begins that is not run here, and why."""


def lines_of(*pages: str) -> list[str]:
    found = [line.partition("  #")[0] for page in pages for line in shell_lines(ROOT / page)]
    return [
        line.replace(".venv/bin/python -m pip", "pip").replace(".venv/bin/", "") for line in found
    ]


def is_elsewhere(line: str) -> bool:
    return any(line.startswith(start) for start in ELSEWHERE)


def test_every_line_is_run_or_its_absence_has_a_reason():
    lines = lines_of("README.md", "docs/tutorial/first-audit.md")
    assert [one for one in lines if not is_elsewhere(one) and not finassay_words(one)] == []
    assert [start for start in ELSEWHERE if not any(one.startswith(start) for one in lines)] == []


@pytest.mark.full
def test_the_commands_run_in_the_order_of_the_page(
    demo: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    shutil.copytree(demo.study, tmp_path / "demo-study")
    monkeypatch.chdir(tmp_path)
    lines = [
        line
        for line in lines_of("README.md", "docs/tutorial/first-audit.md")
        if not is_elsewhere(line)
    ]
    assert len(lines) >= 3
    for line in lines:
        for words in finassay_words(line):
            ran = run(*words)
            assert ran.code == 0, f"{line}: {ran.err}"
    assert (tmp_path / "demo-report" / "report.html").is_file()
