"""What an engine is.  In: a pure function and tasks.  Out: results, as they are done."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")


class Engine(Protocol):
    """Runs a function on tasks.

    The function must be pure but for files that it writes aside: a task whose worker died is run
    again.
    """

    @property
    def name(self) -> str:
        """What the engine is called on the command line."""
        ...

    @property
    def is_here(self) -> bool:
        """Whether tasks run in this process, so that they may share what it holds."""
        ...

    @property
    def width(self) -> int:
        """Tasks that run at once."""
        ...

    def map(
        self, work: Callable[[TaskT], ResultT], tasks: Iterable[TaskT]
    ) -> Generator[tuple[int, ResultT], None, None]:
        """Yield (place of the task, its result) as tasks are done; few wait at once."""
        ...


@dataclass(frozen=True, slots=True)
class LocalEngine:
    """Runs one task after the other in this process."""

    name: str = "local"
    is_here: bool = True
    width: int = 1

    def map(
        self, work: Callable[[TaskT], ResultT], tasks: Iterable[TaskT]
    ) -> Generator[tuple[int, ResultT], None, None]:
        """Yield (place of the task, its result), in order."""
        yield from enumerate(map(work, tasks))


LOCAL = LocalEngine()


def in_order(results: Iterable[tuple[int, ResultT]]) -> Iterator[ResultT]:
    """Yield results by the place of their task, each as soon as all before it are done."""
    waiting: dict[int, ResultT] = {}
    following = 0
    for place, result in results:
        waiting[place] = result
        while following in waiting:
            yield waiting.pop(following)
            following += 1
