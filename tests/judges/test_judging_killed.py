"""A judging that is killed loses no vote and asks for none twice."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from finassay.judges import Protocol, judge_study
from finassay.study import Study
from finassay.study.check import check
from finassay.study.nested import judging_study
from judged_studies import JUDGE, TRUTH, request, served, study_to_judge
from scripted_judge import ScriptedJudge
from scripted_server import Asked, Reply, ScriptedServer

pytest.importorskip("inspect_ai", reason="the extra `run` is not installed")
pytest.importorskip("openai", reason="the client for OpenAI-compatible servers is not installed")

# Inspect leaves streams of its own event loop to the garbage collector, which warns of them.
pytestmark = [
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.full,
]

VOTES = 3
CONNECTIONS = 2
LAND_EVERY = 4


@pytest.fixture(scope="module", autouse=True)
def _collected() -> Iterator[None]:
    """Leave nothing to be collected, and warned of, in the tests of other files."""
    yield
    gc.collect()


def slowly(asked: Asked) -> Reply:
    """Judge with faults that follow from the prompt alone, so that the order does not matter."""
    judge = ScriptedJudge(truth=TRUTH, error_rate=0.3)
    return replace(judge(replace(asked, attempt=0)), wait_s=0.03)


def _start(path: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "finassay", "judge", str(path), "--judge", JUDGE),
            *("--arm", "self", "--votes", str(VOTES), "--max-wait", "0.01"),
            *("--max-connections", str(CONNECTIONS), "--land-every", str(LAND_EVERY)),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=dict(os.environ),
    )


def _kill_after(path: Path, server: ScriptedServer, requests: int) -> None:
    process = _start(path)
    stop_at = len(server.asked) + requests
    deadline = time.monotonic() + 120
    while len(server.asked) < stop_at and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()


def _digests(study: Study) -> tuple[object, object]:
    inner = judging_study(study)
    assert inner is not None
    return study.snapshot().digests(), inner.snapshot().digests()


def test_a_killed_judging_ends_as_one_left_alone(tmp_path: Path):
    disturbed = study_to_judge(tmp_path / "disturbed")
    with served(slowly) as server:
        # The first kill is among the judge's own answers, the second among its votes.
        for requests in (3, 20):
            _kill_after(disturbed.root, server, requests)
        assert _start(disturbed.root).wait() == 0
        asked = Counter(one.key for one in server.asked)
        total = len(server.asked)
    calm = study_to_judge(tmp_path / "calm")
    with served(slowly) as server:
        judge_study(calm, request(Protocol(arm="self", votes=VOTES)))
        wanted = Counter(one.key for one in server.asked)
    # Only what was on its way at a kill is asked again.
    assert wanted.total() <= total <= wanted.total() + 2 * CONNECTIONS
    assert asked.keys() == wanted.keys()
    assert _digests(Study.open(disturbed.root)) == _digests(calm)
    assert check(Study.open(disturbed.root)).problems == ()
