"""Studies to mark on engines, and functions that workers and killed drivers run."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from finassay.apps.cli import app
from finassay.marking import engines, scoring
from finassay.marking.engines import Engine, open_engine
from finassay.marking.scoring import score_study
from finassay.records import Item, SystemSpec
from finassay.study import Study
from marking_studies import put_replies

GivenT = TypeVar("GivenT")
FoundT = TypeVar("FoundT")

RULES = ("exact", "token_f1", "strict/numbers-first")
SLICE = 100


def study_of(path: Path, *, systems: int, items: int) -> Study:
    """Make a study whose replies are right, wrong, wordy and empty in turn."""
    study = Study.create(path)
    asked = [Item(item_id=f"q{n:05}", reference=f"{n % 90 + 1} days") for n in range(items)]
    study.add_items(asked, benchmark="demo")
    for number in range(systems):
        spec = SystemSpec(name=f"m{number}")
        study.add_system(spec)
        ways = ("{} days", "Within {} days of it.", "", "{}% of it")
        replies = {
            item.item_id: ways[(n + number) % 4].format(n % (7 + number) + 1)
            for n, item in enumerate(asked)
        }
        put_replies(study, spec, replies)
    return study


def die_once(flag: str, work: Callable[[GivenT], FoundT], task: GivenT) -> FoundT:
    """Kill the process that runs the first task; work in all others."""
    try:
        Path(flag).touch(exist_ok=False)
    except FileExistsError:
        return work(task)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("still alive")


def die_always(_task: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def fail(task: int) -> int:
    raise LookupError(f"nothing at {task}")


def square(task: int) -> int:
    return task * task


@dataclass(frozen=True)
class Deadly:
    """An engine of which one worker is killed in the middle of its first task."""

    engine: Engine
    flag: Path

    name = "deadly"
    is_here = False

    @property
    def width(self) -> int:
        return self.engine.width

    def map(
        self, work: Callable[[GivenT], FoundT], tasks: Iterable[GivenT]
    ) -> Iterator[tuple[int, FoundT]]:
        yield from self.engine.map(partial(die_once, str(self.flag), work), tasks)


@dataclass(frozen=True)
class Interrupting:
    """An engine during whose second result somebody presses Ctrl-C."""

    engine: Engine
    name = "interrupting"
    is_here = False

    @property
    def width(self) -> int:
        return self.engine.width

    def map(
        self, work: Callable[[GivenT], FoundT], tasks: Iterable[GivenT]
    ) -> Iterator[tuple[int, FoundT]]:
        for done, found in enumerate(self.engine.map(work, tasks)):
            if done == 1:
                os.kill(os.getpid(), signal.SIGINT)
            yield found


def interrupted(words: list[str]) -> None:
    """Run a command, and press Ctrl-C while results come."""
    plain = engines.open_engine
    scoring.MOST_TOGETHER = 500

    @contextmanager
    def opened(name: str, *, workers: int | None, address: str | None) -> Iterator[Engine]:
        with plain(name, workers=workers, address=address) as engine:
            yield Interrupting(engine)

    engines.open_engine = opened
    sys.argv = ["finassay", *words]
    app.main()


def main() -> None:
    """Mark a study on a cluster, and be killed once a few slices are done."""
    if sys.argv[1] == "--interrupt":
        interrupted(sys.argv[2:])
        return
    path, address = sys.argv[1:]
    scoring.MOST_TOGETHER = SLICE

    def die(done: int, _total: int, _label: str) -> None:
        if done == 4:
            os.kill(os.getpid(), signal.SIGKILL)

    with open_engine("ray", address=address) as engine:
        score_study(Study.open(path), scorers=RULES, engine=engine, progress=die)


if __name__ == "__main__":
    main()
