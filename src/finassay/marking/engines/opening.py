"""Engines by name.  In: a name, a number of workers, an address.  Out: an engine, closed after."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from finassay.errors import UsageError
from finassay.marking.engines.base import LOCAL, Engine

ENGINES = ("local", "ray")


@contextmanager
def open_engine(
    name: str = "local", *, workers: int | None = None, address: str | None = None
) -> Iterator[Engine]:
    """Yield the engine of a name; what it started is stopped afterwards.

    Args:
        name: one of `ENGINES`.
        workers: tasks that run at once on Ray; as many as the cluster has cores by default.
        address: a running Ray cluster, as "auto" or HOST:PORT; by default what RAY_ADDRESS says,
            else Ray is started on this machine.

    Raises:
        UsageError: there is no such engine, or it takes no workers or address.
        MissingExtraError: Ray is not installed.
        MarkingError: no cluster answers at the address.
    """
    if name not in ENGINES:
        raise UsageError(f"the engine must be one of {', '.join(ENGINES)}, got {name!r}")
    if workers is not None and workers < 1:
        raise UsageError(f"`workers` must be 1 or more, got {workers!r}")
    if name == "ray":
        from finassay.marking.engines.ray_cluster import (  # noqa: PLC0415 - an extra
            ray_engine,
        )

        with ray_engine(workers=workers, address=address) as engine:
            yield engine
        return
    if workers is not None or address is not None:
        given = "--workers" if workers is not None else "--address"
        raise UsageError(
            f"{given} is for the engine 'ray'; the engine 'local' works in this process alone and "
            f"uses its cores for columns; leave it out, or add --engine ray"
        )
    yield LOCAL
