"""What only a process of its own can show: signals, pipes, imports, terminals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from cli_runs import run_process
from finassay.apps.cli.app import app
from finassay.study import Study
from finassay.study.check import check

HEAVY = ("polars", "numpy", "scipy", "rich", "deltalake", "altair", "rapidfuzz", "jinja2", "bm25s")

LOOK = f"""
import sys
sys.argv = ["finassay", "--help"]
from finassay.apps.cli import main
try:
    main()
except SystemExit as done:
    code = done.code
print("loaded:", code, [name for name in {HEAVY!r} if name in sys.modules])
"""


def test_help_loads_none_of_the_heavy_packages():
    done = subprocess.run(
        [sys.executable, "-c", LOOK], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[-1] == "loaded: 0 []"


def walk(command: object, path: str) -> Iterator[tuple[str, Any]]:
    yield path, command
    for name, child in getattr(command, "commands", {}).items():
        yield from walk(child, f"{path} {name}")


def test_every_command_and_every_option_says_what_it_is():
    silent = []
    for path, command in walk(typer.main.get_command(app), "finassay"):
        if not command.help:
            silent.append(path)
        silent += [f"{path} {p.name}" for p in command.params if not getattr(p, "help", None)]
    assert silent == []


def test_every_command_that_computes_takes_json():
    without = {
        path
        for path, command in walk(typer.main.get_command(app), "finassay")
        if not getattr(command, "commands", None)
        and "--json" not in {opt for p in command.params for opt in p.opts}
    }
    # they make, move or print; they compute nothing
    plain = {"finassay study create", "finassay study migrate"}
    plain |= {"finassay contract new", "finassay contract load", "finassay adjudicate correct"}
    plain |= {"finassay people add", "finassay people list", "finassay people revoke"}
    plain |= {"finassay study backup-labels", "finassay study restore-labels", "finassay serve"}
    plain |= {"finassay adjudicate open", "finassay adjudicate withdraw", "finassay export-site"}
    assert without == plain | {"finassay schema", "finassay version"}


def test_the_reference_page_is_what_the_commands_say():
    root = Path(__file__).parents[3]
    script = root / "scripts" / "cli_docs.py"
    command = [sys.executable, str(script), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_error_in_a_process_has_no_traceback():
    ran = run_process("mark", "exat", "--reference", "a", "--reply", "b")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("finassay: no scorer 'exat'; did you mean exact or set/exact?")
    assert ran.err.count("\n") == 1


def test_nothing_is_coloured_and_no_bar_is_drawn_where_nobody_looks(tmp_path: Path, raw: Path):
    ran = run_process("audit", raw / "s", raw / "näive.csv", "--items", raw / "items.csv", "--out",
                      tmp_path / "r")  # fmt: skip
    assert ran.code == 0, ran.err
    assert "\x1b" not in ran.out + ran.err
    assert "\r" not in ran.out + ran.err
    assert ran.err == ""


def test_a_reader_that_goes_away_leaves_no_traceback():
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "finassay", "schema", "audit"],
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (1, "")


def test_stopping_gives_130_and_leaves_a_study_that_goes_on(tmp_path: Path):
    study = tmp_path / "s"
    command = [sys.executable, "-m", "finassay", "demo", "--study", str(study)]
    command += ["--out", str(tmp_path / "r")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        # As long as it takes: a machine at work elsewhere may need minutes to import everything.
        while not list((study / "predictions").glob("*/*/*.parquet")) and running.poll() is None:
            time.sleep(0.02)
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=120)
    assert running.returncode == 130
    assert err.endswith("finassay: stopped; what was committed is kept, run again to go on\n")
    assert check(Study.open(study)).is_clean
    assert not (tmp_path / "r").exists()
