"""The coverage gate of the test run: what two workers met together, and when it fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.full

PACKAGE = """
def sign(number):
    if number < 0:
        return -1
    if number > 0:
        return 1
    return 0
"""
TESTS = {
    "test_below.py": "from covered import sign\n\ndef test_below():\n    assert sign(-2) == -1\n",
    "test_above.py": "from covered import sign\n\ndef test_above():\n    assert sign(2) == 1\n",
}
LOST = "import os\n\ndef test_lost():\n    os._exit(3)\n"


def run(folder: Path, *options: str, **files: str) -> subprocess.CompletedProcess[str]:
    """Run the tests of a small package, each file in a worker of its own, under the gate."""
    (folder / "covered").mkdir()
    (folder / "covered" / "__init__.py").write_text(PACKAGE, encoding="utf-8")
    for name, text in {**TESTS, **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "worker_coverage", "-p", "no:cacheprovider"]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    here = str(Path(__file__).parent)
    environment = kept | {"COVERED_PACKAGE": str(folder / "covered"), "PYTHONPATH": here}
    return subprocess.run(
        [*command, *options, "."],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_what_two_workers_met_counts_together_and_less_than_the_least_fails(tmp_path: Path):
    done = run(tmp_path, "-n", "2", "--dist", "loadfile", "--coverage-least", "85")
    # Met by one worker or the other: five of six lines, three of four branches.
    assert "not met: 7" in done.stdout
    assert "covered: 80.00 %" in done.stdout
    assert "FAILED: coverage is 80.00 %, expected at least 85 %" in done.stdout
    assert done.returncode == 1


def test_one_process_is_measured_as_well_and_enough_passes(tmp_path: Path):
    done = run(tmp_path, "--coverage-least", "40", "-k", "below")
    assert "not met: 5, 6, 7" in done.stdout
    assert "FAILED" not in done.stdout
    assert done.returncode == 0, done.stdout


def test_a_lost_worker_fails_the_gate(tmp_path: Path):
    done = run(tmp_path, "-n", "2", "--max-worker-restart", "0", **{"test_lost.py": LOST})
    assert "FAILED: no coverage of worker" in done.stdout
    assert done.returncode == 1
