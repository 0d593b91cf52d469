"""Reading a large log in a process beside the one that lands it.  In: a source.  Out: its blocks.

Decoding and landing cost about the same, so two cores take little more than half the time of one.
The process is a fresh interpreter: forking would copy the threads of the frame library, and
`multiprocessing` would run the caller's main module again.
"""

from __future__ import annotations

import gc
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

from finassay.errors import InputError
from finassay.runs.importers.logs.base import MALFORMED, Block, ReadOptions, Source, Unreadable
from finassay.runs.importers.logs.registry import reader_named

AHEAD_BYTES = 32 << 20
"""A smaller log is read before a second interpreter has started."""

_BLOCKS_AHEAD = 3
_END = None
_COMMAND = ("-P", "-m", "finassay.runs.importers.logs._ahead")

Told = Block | Unreadable


def blocks_of(source: Source, options: ReadOptions) -> Iterator[Told]:
    """Yield what the reader of a source yields, read ahead in another process where it pays.

    Raises:
        InputError: a file cannot be read; or what else the reader raises.
        OSError: the other process ended before it had read everything.
    """
    size = sum(path.stat().st_size for path in source.paths if path.is_file())
    if options.workers < 2 or size < AHEAD_BYTES or not sys.executable or _cores() < 2:
        yield from reader_named(source.tool).read(source, options)
        return
    yield from _from_another_process(source, options)


@contextmanager
def no_collections() -> Iterator[None]:
    """Do without the cyclic collector: samples make no cycles, and it would visit all of them."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _from_another_process(source: Source, options: ReadOptions) -> Iterator[Told]:
    # Both must be of one version, also where the caller changed the path of this one.
    path = os.pathsep.join(place for place in sys.path if place)
    child = subprocess.Popen(  # noqa: S603 - this interpreter, and a module of ours
        [sys.executable, *_COMMAND],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )
    with child:
        assert child.stdin is not None  # as asked for above
        assert child.stdout is not None
        try:
            pickle.dump((source, options), child.stdin)
            child.stdin.close()
            yield from _received(child.stdout, source)
        finally:
            child.kill()


def _received(stream: IO[bytes], source: Source) -> Iterator[Told]:
    while True:
        try:
            told = pickle.load(stream)  # noqa: S301 - our own process wrote it
        except (EOFError, pickle.UnpicklingError):
            raise OSError(f"{source.label}: the process that read it was ended") from None
        if told is _END:
            return
        if isinstance(told, BaseException):
            raise told
        yield told


def serve(asked: IO[bytes], answers: IO[bytes]) -> None:
    """Read the source that is asked for, and write its blocks, then None or what was raised."""
    source, options = pickle.load(asked)  # noqa: S301 - the process that started this one wrote it
    ready: queue.Queue[bytes | None] = queue.Queue(maxsize=_BLOCKS_AHEAD)
    writer = threading.Thread(target=_write, args=(ready, answers), daemon=True)
    writer.start()
    last: BaseException | None = _END
    try:
        for block in reader_named(source.tool).read(source, options):
            ready.put(pickle.dumps(block, protocol=pickle.HIGHEST_PROTOCOL))
    except (InputError, OSError, *MALFORMED) as error:  # raised again where blocks are wanted
        last = error
    ready.put(pickle.dumps(last))
    ready.put(None)
    writer.join()


def _write(ready: queue.Queue[bytes | None], answers: IO[bytes]) -> None:
    """Write what is ready, so that reading does not wait for a full pipe."""
    with suppress(BrokenPipeError):
        while (told := ready.get()) is not None:
            answers.write(told)
        answers.flush()
        return
    # Nobody listens any more: there is nothing to go on for.
    os._exit(0)


if __name__ == "__main__":
    # Ctrl-C reaches both; the other one says so and closes the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with no_collections():
        serve(sys.stdin.buffer, sys.stdout.buffer)
