"""Tasks on a Ray cluster.  In: a pure function and tasks.  Out: results, as they are done.

Ray decides which worker runs what, and runs a task again whose worker died.  Here is only decided
how many results may be under way, so that memory stays bounded.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from types import ModuleType, TracebackType
from typing import Any, Self

from finassay.errors import FinassayError, MarkingError, MissingExtraError
from finassay.marking.engines.base import Engine, ResultT, TaskT

RETRIES = 3
"""Times a task is run again whose worker died."""

TASKS_PER_CORE = 2
"""Tasks under way for each core: one at work, one that waits for it."""

STARTS = 3
"""Times that Ray is started on this machine before it is given up."""

LOOK_S = 1.0
"""Seconds after which an interrupt is looked for while nothing is done."""

CONNECT_S = 5.0
"""Seconds in which a cluster must answer."""

# A worker has one core; threads for all cores of the machine would only cost memory.
_ONE_THREAD = {"env_vars": {"POLARS_MAX_THREADS": "1"}}


class RayEngine:
    """Runs tasks on the workers of a cluster that this process is connected to.

    Args:
        ray: the module.
        width: tasks that run at once.
        most: tasks under way, those that wait for a core among them.
    """

    name = "ray"
    is_here = False

    def __init__(self, ray: ModuleType, *, width: int, most: int) -> None:
        self._ray = ray
        self.width = width
        self.most = most

    def map(
        self, work: Callable[[TaskT], ResultT], tasks: Iterable[TaskT]
    ) -> Generator[tuple[int, ResultT], None, None]:
        """Yield (place of the task, its result) as tasks are done, in any order.

        Raises:
            FinassayError: what a task raised on purpose, as it raised it.
            MarkingError: a task failed otherwise, or its workers kept dying.
        """
        run = self._ray.remote(num_cpus=1, max_retries=RETRIES, runtime_env=_ONE_THREAD)(_run)
        shared = self._ray.put(work)
        coming = enumerate(tasks)
        under_way: dict[Any, int] = {}
        try:
            while True:
                while len(under_way) < self.most and (following := next(coming, None)) is not None:
                    place, task = following
                    under_way[run.remote(shared, task)] = place
                if not under_way:
                    return
                done, _ = self._ray.wait(list(under_way), timeout=LOOK_S)
                for one in done:
                    yield under_way.pop(one), self._result(one)
        finally:
            if self._ray.is_initialized():
                for one in under_way:
                    self._ray.cancel(one, force=True)

    def _result(self, one: Any) -> Any:  # noqa: ANN401 - Ray's handle on a result of any type
        failures = self._ray.exceptions
        try:
            return self._ray.get(one)
        except failures.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, FinassayError):
                raise cause from error
            what = f"{type(cause).__name__}: {_first_line(cause)}"
            raise MarkingError(
                f"a task failed on a worker: {what}; if a package is missing there, install on "
                f"every machine what is installed here; else run with --engine local to see more"
            ) from error
        except failures.RayError as error:
            what = _first_line(error) or type(error).__name__
            raise MarkingError(
                f"a task was given up after {RETRIES + 1} tries: {what}; the usual cause is too "
                f"little memory: give fewer --workers; what was committed is kept, run again"
            ) from error


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]


def _run(work: Callable[[TaskT], ResultT], task: TaskT) -> ResultT:
    return work(task)


@contextmanager
def ray_engine(*, workers: int | None = None, address: str | None = None) -> Iterator[Engine]:
    """Yield an engine on a cluster: one that this process is connected to, else one to connect to.

    Args:
        workers: tasks at once; as many as the cluster has cores by default.
        address: of a running cluster; else of RAY_ADDRESS; else Ray is started on this machine.

    Raises:
        MissingExtraError: Ray is not installed.
        MarkingError: no cluster answers at the address.
    """
    ray = _load()
    if ray.is_initialized():
        yield _engine(ray, workers)
        return
    _connect(ray, workers, address or os.environ.get("RAY_ADDRESS") or "local")
    try:
        yield _engine(ray, workers)
    finally:
        ray.shutdown()


def _engine(ray: ModuleType, workers: int | None) -> RayEngine:
    cores = int(ray.cluster_resources().get("CPU", 1))
    if workers is None or workers >= cores:
        return RayEngine(ray, width=cores, most=TASKS_PER_CORE * cores)
    # On a cluster with more cores than that, nothing but this keeps the others free.
    return RayEngine(ray, width=workers, most=workers)


def _load() -> ModuleType:
    # Nothing is sent to the makers of Ray unless the reader asks for it.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray  # noqa: PLC0415 - an extra, and slow to load
        import ray.exceptions  # noqa: PLC0415 - same
    except ImportError as error:
        raise MissingExtraError(
            "the engine 'ray' needs Ray, which is not installed; run pip install \"finassay[ray]\""
            " here and on every machine of the cluster, or use --engine local"
        ) from error
    module: ModuleType = ray
    return module


def _connect(ray: ModuleType, workers: int | None, address: str) -> None:
    settings: dict[str, object] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address == "local":
        for left in reversed(range(STARTS)):
            with _Start(is_last=not left) as start:
                ray.init(address="local", num_cpus=workers, include_dashboard=False, **settings)
            if not start.timed_out:
                return
            ray.shutdown()
        return
    _knock(address)
    try:
        ray.init(address=address, **settings)
    except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        raise _unreachable(address, _first_line(error)) from error


class _Start:
    """One try to start Ray, which says by a bare Exception that it took too long."""

    def __init__(self, *, is_last: bool) -> None:
        self._is_last = is_last
        self.timed_out = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self.timed_out = kind is Exception
        if self.timed_out and self._is_last:
            raise MarkingError(
                f"Ray did not start on this machine in {STARTS} tries of half a minute, which is "
                f"all that it gives itself; the usual cause is a busy machine: start it with `ray "
                f"start --head` when there is time, and give --address auto; or use --engine local"
            ) from error
        return self.timed_out


def _knock(address: str) -> None:
    """Check that something listens at HOST:PORT: Ray itself would try for a minute and more."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not colon or not port.isdecimal():
        return
    try:
        socket.create_connection((host, int(port)), timeout=CONNECT_S).close()
    except (OSError, OverflowError) as error:
        raise _unreachable(address, str(error)) from error


def _unreachable(address: str, why: str) -> MarkingError:
    return MarkingError(
        f"no Ray cluster answers at {address!r}: {why}; expected the address of a running one, as "
        f"`ray status` and `ray start --head` print it (--address or RAY_ADDRESS); leave it out to "
        f"start Ray on this machine"
    )
