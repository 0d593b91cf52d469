"""Starting child writers together, and killing them."""

import multiprocessing
import os
import time
from collections.abc import Iterable
from pathlib import Path

import study_writer

# Children are forked from a server that has imported everything and run nothing: a second each
# is saved, and no thread of ours is forked with them.
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
)
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["study_writer"])


class Child:
    """One child writer, ready and waiting for the word."""

    def __init__(self, job: str, *arguments: object) -> None:
        self.pipe, theirs = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=study_writer.work, args=(job, arguments, theirs))
        self.process.start()
        theirs.close()
        assert self.pipe.recv() == "ready"

    def go(self) -> None:
        """Let it write."""
        self.pipe.send("go")

    def finish(self) -> None:
        """Wait until it is through."""
        assert self.pipe.recv() == "done"
        self.end()
        assert self.process.exitcode == 0

    def end(self) -> None:
        """Wait until the process is gone."""
        self.process.join(timeout=120)
        self.pipe.close()


def run_together(children: Iterable[Child]) -> None:
    """Let children write at once, and wait until all are through."""
    listed = list(children)
    for child in listed:
        child.go()
    for child in listed:
        child.finish()


def run_and_measure(child: Child) -> float:
    """Let a child write to the end, and return how many seconds its write took."""
    begun = time.monotonic()
    child.go()
    child.finish()
    return time.monotonic() - begun


def run_and_kill(child: Child, after_s: float) -> None:
    """Let a child write, and end it without warning (SIGKILL) after so many seconds."""
    child.go()
    time.sleep(after_s)
    child.process.kill()
    child.end()
