"""Folders, memory, open files and the clock."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from finassay.reports.doctor import machine
from finassay.reports.doctor.machine import (
    GIB,
    available_memory,
    clock_finding,
    examine_folder,
    examine_machine,
    files_finding,
    memory_finding,
)


class Usage(NamedTuple):
    total: int
    used: int
    free: int


def test_a_folder_is_probed_and_left_as_it_was(tmp_path: Path):
    (found,) = examine_folder("here", tmp_path, must=True)
    assert found.state == "ok"
    assert "can be written to" in found.said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("must", "state"), [(True, "problem"), (False, "note")])
def test_a_folder_that_cannot_be_written_to_is_as_bad_as_the_need(
    tmp_path: Path, *, must: bool, state: str
):
    (tmp_path / "file").touch()
    (found,) = examine_folder("here", tmp_path / "file", must=must)
    assert found.state == state
    assert "cannot be written to: Not a directory" in found.said
    assert found.advice


@pytest.mark.parametrize(
    ("free", "state"), [(3 * GIB, "ok"), (GIB, "note"), (50 * 1024**2, "problem")]
)
def test_little_room_is_a_note_and_none_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, state: str
):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(9 * GIB, 0, free))
    assert examine_folder("here", tmp_path, must=True)[0].state == state


def test_another_clock_on_the_disk_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    now = machine.time.time()
    monkeypatch.setattr(machine.time, "time", lambda: now - 3600)
    drift = examine_folder("here", tmp_path, must=True)[1]
    assert drift.state == "note"
    assert "+3600 s away" in drift.said


def test_memory_is_what_is_free_and_within_the_limit_of_a_container(tmp_path: Path):
    (tmp_path / "meminfo").write_text("MemTotal: 9 kB\nMemAvailable:    4096 kB\n")
    assert available_memory(tmp_path, tmp_path) == 4096 * 1024
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("5\n")
    assert available_memory(tmp_path, tmp_path) == 4096 * 1024
    (tmp_path / "memory.max").write_text("105\n")
    assert available_memory(tmp_path, tmp_path) == 100
    assert available_memory(tmp_path / "no", tmp_path / "no") is None


def test_little_memory_is_a_note():
    assert memory_finding(None).state == memory_finding(2 * GIB).state == "ok"
    assert memory_finding(GIB // 2).state == "note"


@pytest.mark.parametrize(
    ("limit", "state"), [(None, "ok"), (1024, "ok"), (256, "note"), (64, "problem")]
)
def test_few_open_files_are_said(limit: int | None, state: str):
    assert files_finding(limit).state == state


def test_a_clock_that_was_never_set_is_a_problem():
    # A machine without a battery begins in 1970.
    assert clock_finding(60.0).state == "problem"
    assert clock_finding(1_790_000_000.0).said == "2026-09-21 14:13 UTC"


def test_nowhere_to_put_temporary_files_is_a_problem(monkeypatch: pytest.MonkeyPatch):
    def nowhere() -> str:
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(machine.tempfile, "gettempdir", nowhere)
    found = {one.name: one for one in examine_machine()}
    assert found["for temporary files"].state == "problem"
    assert "TMPDIR" in found["for temporary files"].advice
