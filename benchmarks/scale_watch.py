"""Memory of a command and its children.  In: a command line.  Out: seconds, peak, curve.

Resident memory is read from /proc ten times a second and added up over the process and all of its
descendants; pages of files that are mapped count, as they do for the kernel.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

EVERY_S = 0.1
POINTS = 200
"""Points of a curve that are kept."""

PAGE = os.sysconf("SC_PAGE_SIZE")
MIB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """What a command needed.

    Attributes:
        seconds: wall clock.
        cpu_s: processor time of the command and its children.
        peak_mib: greatest resident memory of the process tree.
        curve: (seconds since the start, MiB), at most 200 points.
        samples: how often memory was read.
    """

    seconds: float
    cpu_s: float
    peak_mib: float
    curve: tuple[tuple[float, float], ...] = field(repr=False)
    samples: int


def tree(pid):
    """Return a process and all its descendants."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        for task in Path(f"/proc/{one}/task").glob("*"):
            try:
                waiting += [int(child) for child in (task / "children").read_text().split()]
            except OSError:
                continue
    return found


def resident(pids):
    """Return the resident bytes of processes together; those that ended count nothing."""
    total = 0
    for pid in pids:
        try:
            total += int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
        except (OSError, IndexError):
            continue
    return total


def watch(command, *, log):
    """Run a command to its end and return what it needed; its output goes to a file.

    Raises:
        SystemExit: it failed; says the end of its output.
    """
    began = time.perf_counter()
    before = os.times()
    with Path(log).open("wb") as out:
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        points = []
        ended = threading.Event()

        def sample():
            while not ended.wait(EVERY_S):
                points.append((time.perf_counter() - began, resident(tree(child.pid)) / MIB))

        points.append((0.0, resident(tree(child.pid)) / MIB))
        sampler = threading.Thread(target=sample, daemon=True)
        sampler.start()
        code = child.wait()
        ended.set()
        sampler.join()
    after = os.times()
    if code:
        tail = Path(log).read_text(errors="replace")[-3000:]
        sys.exit(f"{' '.join(command)} ended with {code}:\n{tail}")
    return Watched(
        seconds=time.perf_counter() - began,
        cpu_s=after.children_user + after.children_system
        - before.children_user - before.children_system,
        peak_mib=max(mib for _, mib in points),
        curve=thinned(points),
        samples=len(points),
    )  # fmt: skip


def thinned(points):
    """Return at most `POINTS` points: the greatest of each stretch, so that peaks stay."""
    size = -(-len(points) // POINTS)
    groups = [points[at : at + size] for at in range(0, len(points), size)]
    return tuple(max(group, key=lambda point: point[1]) for group in groups)
