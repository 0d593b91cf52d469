"""What a command leaves behind when it is stopped, also where the stop met somebody's callback."""

from __future__ import annotations

import signal
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from cli_runs import run
from finassay.study import Study, tables
from finassay.study.check import check


def swallowed() -> None:
    """Press Ctrl-C where somebody else's code catches everything."""
    with suppress(BaseException):
        signal.raise_signal(signal.SIGINT)


class Holder:
    """Something that a weak reference can watch."""


def lost_in_a_callback() -> None:
    """Press Ctrl-C where Python itself can only report that the exception is ignored."""
    held = Holder()
    seen = weakref.ref(held, lambda _: signal.raise_signal(signal.SIGINT))
    del held
    assert seen() is None


def arrived() -> None:
    """Press Ctrl-C where nothing is in its way."""
    signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("stop", [arrived, swallowed, lost_in_a_callback])
def test_a_stopped_command_writes_no_report_and_goes_on_later(
    stop: Callable[[], None], raw: Path, monkeypatch: pytest.MonkeyPatch
):
    commits = []

    def stopped(*args: object, **kwargs: object) -> None:
        write(*args, **kwargs)
        commits.append(args)
        if len(commits) == 2:
            stop()

    write = tables.write_deltalake
    study, report = raw / "s", raw / "r"
    words = ("audit", study, raw / "good model.csv", raw / "näive.csv", "--items")
    words += (raw / "items.csv", "--out", report)
    with monkeypatch.context() as patch:
        patch.setattr(tables, "write_deltalake", stopped)
        ran = run(*words)
    assert (ran.code, ran.out) == (130, "")
    assert ran.err == "finassay: stopped; what was committed is kept, run again to go on\n"
    assert not report.exists()
    assert check(Study.open(study)).is_clean
    assert len(commits) == 2
    assert run(*words).code == 0
    assert report.is_dir()
