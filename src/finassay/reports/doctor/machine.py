"""The machine.  In: folders and limits.  Out: whether there is room, memory, and a sane clock."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from finassay.reports.doctor.results import Finding, State

GIB = 1024**3
MIB = 1024**2

LITTLE_SPACE = 2 * GIB
"""Free bytes under which a folder gets a note: a study of a million answers takes as much."""

NO_SPACE = 100 * MIB
"""Free bytes under which a commit may fail."""

LITTLE_MEMORY = 1 * GIB
"""Free bytes under which an audit of some 100,000 answers may be killed."""

FEW_FILES = 1024
"""Open files under which `finassay serve` may refuse some of the 500 connections it allows."""

TOO_FEW_FILES = 128
"""Open files under which tables of many partitions cannot be read."""

FIRST_SANE_YEAR = 2024
CLOCK_SLACK_S = 120.0
"""Seconds by which the clock of a file system may differ from this machine's."""

_UNLIMITED = 1 << 62


def examine_folder(name: str, folder: Path, *, area: str = "folder", must: bool) -> list[Finding]:
    """Return whether a folder can be written to, has room, and goes by the same clock.

    A probe file is written into it and removed.

    Args:
        name: what the folder is, in words.
        folder: the folder.
        area: of the findings.
        must: whether nothing works where it cannot be written to.
    """
    probe = folder / f".finassay-probe-{uuid.uuid4().hex}.tmp"
    try:
        try:
            probe.write_bytes(b"?")
            drift = probe.stat().st_mtime - time.time()
        finally:
            probe.unlink(missing_ok=True)
        free = shutil.disk_usage(folder).free
    except OSError as error:
        said = f"cannot be written to: {error.strerror or error}"
        return [_unwritable(name, area, said, must=must)]
    found = [_room(name, area, free)]
    if abs(drift) > CLOCK_SLACK_S:
        said = f"goes by a clock that is {drift:+.0f} s away from this machine's"
        advice = "set both clocks: what is old is told by the times of files"
        found.append(Finding(area=area, name=name, state="note", said=said, advice=advice))
    return found


def _unwritable(name: str, area: str, said: str, *, must: bool) -> Finding:
    advice = "change its rights, or free space on its disk"
    if not must:
        said += "; what only reads works"
    state: State = "problem" if must else "note"
    return Finding(area=area, name=name, state=state, said=said, advice=advice)


def _room(name: str, area: str, free: int) -> Finding:
    said = f"can be written to, {free / GIB:,.1f} GiB free"
    if free >= LITTLE_SPACE:
        return Finding(area=area, name=name, state="ok", said=said)
    state: State = "note" if free >= NO_SPACE else "problem"
    advice = "free space, or work on another disk; `finassay study clean` removes leftovers"
    return Finding(area=area, name=name, state=state, said=said, advice=advice)


def examine_machine() -> Iterator[Finding]:
    """Yield findings on the folders to work in, memory, open files and the clock."""
    yield from examine_folder("to work in", Path.cwd(), must=False)
    yield _temporary_folder()
    yield memory_finding(available_memory())
    yield files_finding(open_files())
    yield clock_finding(time.time())


def _temporary_folder() -> Finding:
    try:
        folder = Path(tempfile.gettempdir())
    except FileNotFoundError:
        said = "none of the usual ones can be written to"
        advice = "set TMPDIR to a folder that can be written to"
        name = "for temporary files"
        return Finding(area="folder", name=name, state="problem", said=said, advice=advice)
    return examine_folder("for temporary files", folder, must=True)[0]


def memory_finding(available: int | None) -> Finding:
    """Return the finding on so many bytes of memory that are free, None where nobody says."""
    if available is None:
        said = "this system does not say how much is free"
        return Finding(area="machine", name="memory", state="ok", said=said)
    said = f"{available / GIB:,.1f} GiB free"
    if available >= LITTLE_MEMORY:
        return Finding(area="machine", name="memory", state="ok", said=said)
    advice = "end other programs, or take part of a study: audit fewer rules at a time"
    return Finding(area="machine", name="memory", state="note", said=said, advice=advice)


def available_memory(
    proc: Path = Path("/proc"), cgroup: Path = Path("/sys/fs/cgroup")
) -> int | None:
    """Return the bytes of memory that are free, within a container's limit; None if unknown."""
    free = [found for found in (_meminfo(proc), _in_cgroup(cgroup)) if found is not None]
    return min(free) if free else None


def _meminfo(proc: Path) -> int | None:
    try:
        lines = (proc / "meminfo").read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    kibibytes = (line.split()[1] for line in lines if line.startswith("MemAvailable:"))
    return next((int(number) * 1024 for number in kibibytes if number.isdigit()), None)


def _in_cgroup(cgroup: Path) -> int | None:
    try:
        limit, used = (
            (cgroup / name).read_text(encoding="ascii").strip()
            for name in ("memory.max", "memory.current")
        )
    except (OSError, UnicodeDecodeError):
        return None
    if not (limit.isdigit() and used.isdigit()):
        return None
    return max(0, int(limit) - int(used))


def open_files() -> int | None:
    """Return how many files this process may open, or None where that is unlimited or unknown."""
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 - not everywhere

    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if soft == resource.RLIM_INFINITY or soft >= _UNLIMITED else soft


def files_finding(limit: int | None) -> Finding:
    """Return the finding on how many files may be open at once, None for any number."""
    if limit is None:
        return Finding(area="machine", name="open files", state="ok", said="no limit")
    said = f"at most {limit:,} at once"
    if limit >= FEW_FILES:
        return Finding(area="machine", name="open files", state="ok", said=said)
    state: State = "note" if limit >= TOO_FEW_FILES else "problem"
    advice = "raise the limit before you serve a study: ulimit -n 4096"
    return Finding(area="machine", name="open files", state=state, said=said, advice=advice)


def clock_finding(now: float) -> Finding:
    """Return the finding on a clock that says so many seconds since 1970."""
    moment = datetime.fromtimestamp(now, tz=UTC)
    said = f"{moment:%Y-%m-%d %H:%M} UTC"
    if moment.year >= FIRST_SANE_YEAR:
        return Finding(area="machine", name="clock", state="ok", said=said)
    advice = "set the clock: times are filed with runs, labels and sessions"
    return Finding(area="machine", name="clock", state="problem", said=said, advice=advice)
