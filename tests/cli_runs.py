"""Running the command line inside the test's own process."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unittest.mock import patch

import typer.main

from finassay.apps.cli import main

# The tree of commands is the same in every run; building it takes longer than many a command.
typer.main.get_command = cache(typer.main.get_command)


@dataclass(frozen=True)
class Ran:
    """What a command left behind: its exit code and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict:
        return json.loads(self.out)


@dataclass(frozen=True)
class Demo:
    """A demonstration that was run once."""

    study: Path
    report: Path
    json: Path
    ran: Ran


def run(*words: str | Path) -> Ran:
    """Run `finassay WORDS` in process."""
    out, err = io.StringIO(), io.StringIO()
    argv = ["finassay", *map(str, words)]
    with patch.object(sys, "argv", argv), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
            code = 0
        except SystemExit as done:
            code = done.code if isinstance(done.code, int) else int(done.code is not None)
    return Ran(code, out.getvalue(), err.getvalue())


def apart(*words: str | Path) -> Ran:
    """Run a command in a thread of its own: a browser that a test drives has a loop in this one."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(run, *words).result()


def run_process(*words: str | Path, env: Mapping[str, str] | None = None) -> Ran:
    """Run `python -m finassay WORDS` as a process of its own."""
    command = [sys.executable, "-m", "finassay", *map(str, words)]
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", check=False, env=env, timeout=120
    )
    return Ran(done.returncode, done.stdout, done.stderr)
