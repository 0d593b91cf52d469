"""Processes that are killed, or build one index at once, leave it whole."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from finassay.retrieval import Index, update_index
from retrieval_samples import HASHING, many

ROOT = Path(__file__).resolve().parents[1]

SLOW = """
import sys, time
from pathlib import Path
sys.path.insert(0, {tests!r})
from finassay.retrieval import IndexSettings, update_index
from finassay.retrieval.embedders import Hashing
from retrieval_samples import many

class Slow(Hashing):
    def passages(self, texts):
        time.sleep({seconds})
        return super().passages(texts)

first, n = int(sys.argv[2]), int(sys.argv[3])
update_index(
    Path(sys.argv[1]),
    add=many(n, first=first),
    settings=IndexSettings(embedder="hashing"),
    embedder=Slow(),
    progress=lambda done, of: print(done, of, flush=True),
)
"""


def build(path: Path, first: int, n: int, seconds: float) -> subprocess.Popen[str]:
    program = SLOW.format(tests=str(ROOT), seconds=seconds)
    return subprocess.Popen(
        [sys.executable, "-c", program, str(path), str(first), str(n)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_killed_build_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / "index"
    running = build(path, 0, 400, 0.2)
    assert running.stdout is not None
    for _ in range(2):
        running.stdout.readline()
    running.kill()
    running.communicate()
    report = update_index(path, add=many(400), settings=HASHING)
    assert 64 <= report.n_embedded <= 400 - 2 * 64
    assert Index.open(path).digest == Index.of(many(400), HASHING).digest


@pytest.mark.full
def test_builds_that_are_killed_at_any_moment_leave_a_whole_index(tmp_path: Path) -> None:
    path = tmp_path / "index"
    update_index(path, add=many(5), settings=HASHING)
    before = Index.open(path).digest
    after = Index.of(many(700), HASHING).digest
    seen = set()
    for delay in (0.0, 0.05, 0.1, 0.2):
        running = build(path, 5, 695, 0.0)
        assert running.stdout is not None
        # The first line comes when work has begun; what follows is writing and switching.
        running.stdout.readline()
        time.sleep(delay)
        running.kill()
        running.communicate()
        seen.add(Index.open(path).digest)
    assert seen <= {before, after}
    update_index(path, add=many(700), only=True)
    assert Index.open(path).digest == after


@pytest.mark.full
def test_of_builders_at_once_one_works_and_the_others_are_told(tmp_path: Path) -> None:
    path = tmp_path / "index"
    running = [build(path, 100 * n, 100, 0.3) for n in range(3)]
    ended = [(one.communicate(timeout=60), one.returncode) for one in running]
    told = [errors for (_, errors), code in ended if code]
    assert 0 < len(told) < 3
    assert all("another process is building the index" in errors for errors in told)
    index = Index.open(path)
    assert len(index) == 100 * (3 - len(told))


@pytest.mark.full
def test_readers_see_a_whole_index_while_it_is_built(tmp_path: Path) -> None:
    path = tmp_path / "index"
    update_index(path, add=many(10), settings=HASHING)
    running = [build(path, 10 * n, 10, 0.0) for n in range(1, 4)]
    sizes = set()
    while any(one.poll() is None for one in running):
        index = Index.open(path)
        sizes.add(len(index))
        assert len(index.search("text", k=100)) == len(index)
    for one in running:
        one.communicate()
    assert all(size % 10 == 0 for size in sizes)
