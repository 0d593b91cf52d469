"""What fault cases share: commands that can be killed, small disks, and what must hold after.

A fault may leave a study between two states, never a part of it between two: every partition of
every table holds what it held before, or what it holds when the command is left alone.  Afterwards
the study checks clean, cleaning removes whatever is left over, and the same command, run again,
ends where it would have ended.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from cli_runs import run as run_here
from fault_child import Straits, work
from finassay.study import Study
from finassay.study.check import check
from finassay.study.clean import clean
from finassay.study.digests import table_digest
from finassay.study.nested import judging_study
from finassay.study.schemas import TABLES
from import_tables import table

os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
)
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["fault_child"])

PLAIN = Straits()
PATIENCE_S = 120.0

Words = Sequence[str | Path]
"""A command line, without the name of the program."""

Parts = Mapping[tuple[str, tuple[str, ...]], str]
"""Digest of every partition of every table of a study."""


@dataclass(frozen=True, kw_only=True)
class Ran:
    """What became of a command: its exit code (None: killed), what it wrote, how long it took."""

    code: int | None
    out: str
    err: str
    seconds: float

    @property
    def told(self) -> str:
        """What it said on stderr, without what threads of libraries may print before that."""
        return self.err.rpartition("finassay: ")[2].strip()


class Command:
    """A command that is ready to run, and can be killed."""

    def __init__(self, folder: Path, words: Sequence[str | Path], straits: Straits = PLAIN) -> None:
        at = time.monotonic_ns()
        self._shown = tuple(folder / f"child-{at}.{kind}" for kind in ("out", "err"))
        self.pipe, theirs = CONTEXT.Pipe()
        shown = (str(self._shown[0]), str(self._shown[1]))
        arguments = (tuple(map(str, words)), straits, shown, theirs)
        self.process = CONTEXT.Process(target=work, args=arguments)
        self.process.start()
        theirs.close()
        assert self.pipe.recv() == "ready"
        self._begun = 0.0

    def go(self) -> None:
        """Let it run."""
        self._begun = time.monotonic()
        self.pipe.send("go")

    def end(self, *, kill_after_s: float | None = None) -> Ran:
        """Wait until it is through, or kill it (SIGKILL) after so many seconds."""
        self.process.join(PATIENCE_S if kill_after_s is None else kill_after_s)
        is_killed = self.process.is_alive()
        if is_killed:
            self.process.kill()
            self.process.join()
        assert not is_killed or kill_after_s is not None, f"still at work after {PATIENCE_S} s"
        took = time.monotonic() - self._begun
        self.pipe.close()
        out, err = (path.read_text(encoding="utf-8", errors="replace") for path in self._shown)
        for path in self._shown:
            path.unlink()
        code = None if is_killed else self.process.exitcode
        return Ran(code=code, out=out, err=err, seconds=took)


@dataclass
class Rig:
    """A folder for one case, and what the case came to.

    Attributes:
        folder: on a disk with room.
        faults: what did not hold.
        seen: exit codes and messages of the commands that the fault met.
    """

    folder: Path
    faults: list[str] = field(default_factory=list)
    seen: list[tuple[int, str]] = field(default_factory=list)

    def met(self, ran: Ran, *codes: int, names: Mapping[Path, str] | None = None) -> None:
        """Note how a fault was told, which must be in words and with one of these exit codes."""
        if ran.code is None:
            return
        told = told_plainly(ran.told, names or {})
        self.expect("Traceback" not in ran.err, f"a traceback was shown: {ran.err[-400:]}")
        self.expect(ran.code in codes, f"exit code {ran.code}, expected {codes}: {told}")
        if ran.code != 0:
            self.expect(bool(told), f"exit code {ran.code} without a word")
        if (ran.code, told) not in self.seen:
            self.seen.append((ran.code, told))

    def run(self, *words: str | Path, straits: Straits | None = None) -> Ran:
        """Run a command to its end: in this process, or under straits in one of its own."""
        if straits is None:
            begun = time.monotonic()
            done = run_here(*words)
            took = time.monotonic() - begun
            return Ran(code=done.code, out=done.out, err=done.err, seconds=took)
        command = Command(self.folder, words, straits)
        command.go()
        return command.end()

    def run_well(self, *words: str | Path) -> Ran:
        """Run a command that must succeed."""
        ran = self.run(*words)
        if ran.code != 0:
            self.faults.append(f"`finassay {words[0]}` ends with {ran.code}: {ran.told}")
        return ran

    def run_and_kill(self, *words: str | Path, after_s: float) -> Ran:
        """Run a command, and kill it after so many seconds if it is still at work."""
        command = Command(self.folder, words)
        command.go()
        return command.end(kill_after_s=after_s)

    def expect(self, holds: bool, fault: str) -> None:  # noqa: FBT001 - reads as an assertion
        """Note a fault unless something holds."""
        if not holds:
            self.faults.append(fault)


def raw_files(folder: Path, *, items: int = 200, systems: int = 3) -> list[Path]:
    """Write an items file and prediction files; return the words that import them."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = range(items)
    rows = [
        {"id": f"q{n:04d}", "question": f"How long is {n}?", "answer": f"{n} days"} for n in numbers
    ]
    table(folder / "items.csv", rows)
    for s in range(systems):
        said = [
            {"id": f"q{n:04d}", "prediction": f"It takes {n + (n % (s + 2) == 0)} days. " * 4}
            for n in numbers
        ]
        table(folder / f"system-{s}.csv", said)
    return [folder / f"system-{s}.csv" for s in range(systems)]


def parts_of(study: Path) -> Parts:
    """Return the digest of every partition, the study of what judges were asked included."""
    opened = Study.open(study)
    inner = judging_study(opened)
    found: dict[tuple[str, tuple[str, ...]], str] = {}
    for prefix, one in (("", opened), *([("judging/", inner)] if inner else [])):
        snapshot = one.snapshot()
        for name, schema in TABLES.items():
            frame = snapshot.frame(name)
            if frame.height == 0:
                continue
            by = [column for column in schema.partition if column != "run_id"] or ["system_id"]
            for key, rows in frame.partition_by(by, as_dict=True).items():
                digest = table_digest(rows.lazy(), schema)
                found[prefix + name, tuple(map(str, key))] = digest
    return found


def strangers(study: Path) -> list[str]:
    """Return the files of a study that nothing in it accounts for."""
    known = re.compile(
        r"(study\.toml|labels\.sqlite(-wal|-shm)?|draws/.*|running/.*|(judging/)?[a-z_]+/.*|judging/study\.toml)"
    )
    files = (path.relative_to(study).as_posix() for path in study.rglob("*") if path.is_file())
    return sorted(name for name in files if not known.fullmatch(name))


def settle(rig: Rig, study: Path, before: Parts, whole: Parts | None) -> str:
    """Check what a fault left, clean it, and return in a word where the study stands.

    Args:
        rig: notes what does not hold.
        study: as the fault left it.
        before: its partitions before the command.
        whole: its partitions when the command is left alone; None if they are those before.
    """
    if not (study / "study.toml").exists():
        rig.expect(not before, "study.toml is gone")
        return "no study yet"
    found = parts_of(study)
    after = before if whole is None else whole
    for key, digest in found.items():
        rig.expect(digest in (before.get(key), after.get(key)), f"{key} is between two states")
    for key in before.keys() - found.keys():
        rig.expect(key not in after, f"{key} is lost")
    problems = [one.message for one in check(Study.open(study)).problems if one.severity == "error"]
    rig.expect(not problems, f"the check finds {problems}")
    clean(Study.open(study), older_than_hours=0)
    again = clean(Study.open(study), older_than_hours=0).files
    rig.expect(not again, f"a second cleaning finds {again}")
    rig.expect(parts_of(study) == found, "cleaning changed the study")
    rig.expect(not strangers(study), f"left over after cleaning: {strangers(study)}")
    if found == before:
        return "as before"
    return "whole" if found == after else "some partitions new, each whole"


@contextmanager
def small_disk(folder: Path, size_kib: int) -> Iterator[Path]:
    """Mount a disk in memory of a fixed size; needs root.

    Raises:
        PermissionError: this process may not mount.
    """
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size_kib}k", "tmpfs", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise PermissionError(f"cannot mount a disk: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path, leaving: int) -> Path:
    """Fill a small disk but for so many bytes, and return the file that fills it."""
    filler = folder / "filler"
    room = shutil.disk_usage(folder).free - leaving
    with filler.open("wb") as out:
        if room > 0:
            os.posix_fallocate(out.fileno(), 0, room)
    return filler


_PLAIN = (
    (r"spool-[0-9a-f]{32}", "spool-..."),
    (r"study\.toml\.[0-9a-f]{32}", "study.toml...."),
    (r"part-\d{5}-[0-9a-f-]{36}[^']*\.parquet", "part-....parquet"),
    (r"\d+ bytes", "N bytes"),
    (r"expected \d+;", "expected N;"),
    (r"\d{20}\.json", "NNN.json"),
    (r"table '[a-z]+'", "table 'NAME'"),
    (
        r"STUDY/(items|systems|runs|scorers|predictions|verdicts|comparisons|reported)\b",
        "STUDY/NAME",
    ),
    (r"\s+", " "),
)


def told_plainly(text: str, names: Mapping[Path, str]) -> str:
    """Return a message without what differs from run to run: paths, sizes and random names."""
    for path, name in sorted(names.items(), key=lambda one: -len(str(one[0]))):
        text = text.replace(str(path), name)
    for pattern, plain in _PLAIN:
        text = re.sub(pattern, plain, text)
    return text.strip()


def rows_of(study: Path, name: str) -> pl.DataFrame:
    """Return the rows of a table of a study."""
    return Study.open(study).snapshot().frame(name)
