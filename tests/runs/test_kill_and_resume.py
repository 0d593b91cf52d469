"""A run that is killed again and again loses nothing and asks nothing twice.

`scripts/kill_and_resume.py` is the long form, with twenty kills.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from killed_runs import Setting, kill_and_resume

pytest.importorskip("inspect_ai", reason="the extra `run` is not installed")
pytest.importorskip("openai", reason="the client for OpenAI-compatible servers is not installed")

# Inspect leaves streams of its own event loop to the garbage collector, which warns of them.
pytestmark = [
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.full,
]


@pytest.fixture(scope="module", autouse=True)
def _collected() -> Iterator[None]:
    """Leave nothing to be collected, and warned of, in the tests of other files."""
    yield
    gc.collect()


def test_a_run_killed_at_random_points_ends_as_one_left_alone(tmp_path: Path):
    setting = Setting(
        benchmark="finassay-regqa", served=["m1"], limit=12, land_every=6, connections=3
    )
    found = kill_and_resume(setting, tmp_path, kills=2, seed=3)
    disturbed, calm = found.digests
    assert found.kills == 2
    assert found.again == []
    assert disturbed == calm
    assert found.problems == []
    # A reply that was on its way when the process died is asked again, and no other is.
    assert 0 <= found.lost <= found.kills * setting.connections
