"""A large log is read in another process, and lands as if it had been read in this one."""

from __future__ import annotations

import gc
import gzip
import io
import os
import pickle
import subprocess
from pathlib import Path

import pytest

from finassay.errors import InputError
from finassay.runs.importers.logs import _ahead
from finassay.runs.importers.logs._ahead import blocks_of, no_collections, serve
from finassay.runs.importers.logs.base import Block, ReadOptions, Source
from finassay.runs.importers.logs.importing import find_logs, import_logs
from finassay.study import Study
from lm_eval_logs import line, run


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every log be a large one, on a machine with two cores."""
    monkeypatch.setattr(_ahead, "AHEAD_BYTES", 0)
    monkeypatch.setattr(_ahead, "_cores", lambda: 2)


@pytest.fixture
def source(tmp_path: Path) -> Source:
    lines = [line(n, name, target=f"{n}") for name in ("strict", "loose") for n in range(30)]
    run(tmp_path / "logs", [*lines, {"doc_id": None}])
    (found,) = find_logs([tmp_path / "logs"]).sources
    return found


@pytest.mark.usefixtures("large")
def test_blocks_of_another_process_are_those_of_this_one(source: Source):
    elsewhere = list(blocks_of(source, ReadOptions()))
    assert elsewhere == list(blocks_of(source, ReadOptions(workers=1)))
    assert sum(len(one.samples) for one in elsewhere if isinstance(one, Block)) == 60


@pytest.mark.usefixtures("large")
def test_a_study_is_the_same_whoever_read(source: Source, tmp_path: Path):
    digests = []
    for workers in (1, 2):
        study = Study.create(tmp_path / f"study-{workers}")
        report = import_logs(study, [source], reading=ReadOptions(workers=workers))
        assert report.bad == 1
        digests.append(study.snapshot().digest("predictions"))
    assert digests[0] == digests[1]


@pytest.mark.usefixtures("large")
def test_what_a_reader_raises_is_raised_here(source: Source):
    path = source.paths[-1]
    packed = gzip.compress(path.read_bytes())
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(InputError, match="the compression is damaged"):
        list(blocks_of(source, ReadOptions()))


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize(
    "cut", ["", "import pickle; sys.stdout.buffer.write(pickle.dumps('x')[:-3])"]
)
def test_a_process_that_ends_early_is_told_as_a_log_that_cannot_be_read(
    source: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: str
):
    monkeypatch.setattr(_ahead, "_COMMAND", ("-c", f"import sys; sys.stdin.buffer.read(); {cut}"))
    report = import_logs(Study.create(tmp_path / "study"), [source])
    assert report.bad == 1
    assert "the process that read it was ended" in " ".join(report.to_lines())


@pytest.mark.usefixtures("large")
def test_no_process_is_left_when_only_the_first_block_is_wanted(
    source: Source, monkeypatch: pytest.MonkeyPatch
):
    started: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __enter__(self) -> subprocess.Popen[bytes]:
            started.append(self)
            return super().__enter__()

    monkeypatch.setattr(subprocess, "Popen", Noted)
    blocks = blocks_of(source, ReadOptions())
    next(blocks)
    blocks.close()
    assert [one.poll() is not None for one in started] == [True]


def test_the_other_side_answers_with_blocks_and_an_end(source: Source):
    asked, answers = io.BytesIO(pickle.dumps((source, ReadOptions()))), io.BytesIO()
    serve(asked, answers)
    answers.seek(0)
    told = []
    while answers.tell() < len(answers.getbuffer()):
        told.append(pickle.load(answers))
    assert told[-1] is None
    assert told[:-1] == list(blocks_of(source, ReadOptions(workers=1)))


def test_a_small_log_is_read_here(source: Source, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(_ahead, "_COMMAND", ("-c", "raise SystemExit(1)"))
    assert sum(path.stat().st_size for path in source.paths) < _ahead.AHEAD_BYTES
    assert list(blocks_of(source, ReadOptions()))


def test_the_collector_is_as_it_was_afterwards():
    assert gc.isenabled()
    with no_collections():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ValueError, match="halfway"):
        _fail_inside()
    assert gc.isenabled()


def _fail_inside() -> None:
    with no_collections():
        raise ValueError("halfway")


def test_cores_are_those_that_this_process_may_use():
    assert 1 <= _ahead._cores() <= (os.cpu_count() or 1)
