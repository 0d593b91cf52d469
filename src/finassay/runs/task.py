"""Jobs as an Inspect task.  In: jobs.  Out: a task that asks, and marks nothing.

Marking is done in the study, under many rules, so the task has no scorer.  Inspect is imported
when a task is made, and not before: `asked_items` is cheap to import.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import TYPE_CHECKING

from finassay.records import Item
from finassay.runs.extra import load_inspect
from finassay.runs.plan import Job
from finassay.runs.prompts import Turn

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ChatMessage
    from inspect_ai.solver import Solver

_NOTHING: Mapping[str, Item] = MappingProxyType({})
_ASKED: ContextVar[Mapping[str, Item]] = ContextVar("items that are being asked", default=_NOTHING)


def asked_items() -> Mapping[str, Item]:
    """Return the items of the benchmark that is being run, by id; none outside a run.

    Model providers that answer without a language model look an item up here, by the `item_id` in
    the metadata of the user's last message.
    """
    return _ASKED.get()


@contextmanager
def asking_items(items: Sequence[Item]) -> Iterator[None]:
    """Make these items known to `asked_items` until the block ends."""
    known = MappingProxyType({item.item_id: item for item in items})
    reset = _ASKED.set(known)
    try:
        yield
    finally:
        _ASKED.reset(reset)


def sample_of(job: Job) -> Sample:
    """Return the Inspect sample of a job: its id is the item's.

    The last message and the sample say in their metadata which item, benchmark and trial it is.
    """
    load_inspect()
    from inspect_ai.dataset import Sample  # noqa: PLC0415 - an optional package

    *before, last = job.turns
    told: dict[str, str | int] = {
        "item_id": job.item.item_id,
        "benchmark": job.item.benchmark,
        "trial": job.trial,
    }
    messages = [*(_message(turn, {}) for turn in before), _message(last, told)]
    return Sample(id=job.item.item_id, input=messages, metadata=dict(told))


def _message(turn: Turn, told: Mapping[str, str | int]) -> ChatMessage:
    from inspect_ai.model import (  # noqa: PLC0415 - an optional package
        ChatMessageAssistant,
        ChatMessageSystem,
        ChatMessageUser,
    )

    metadata = dict(told) or None
    match turn.role:
        case "system":
            return ChatMessageSystem(content=turn.text, metadata=metadata)
        case "user":
            return ChatMessageUser(content=turn.text, metadata=metadata)
        case "assistant":
            return ChatMessageAssistant(content=turn.text, metadata=metadata)


def task_of(jobs: Sequence[Job], *, name: str, solver: Solver) -> Task:
    """Return the Inspect task that asks jobs of one trial, each once.

    Args:
        jobs: what to ask; no item twice.
        name: of the task in Inspect's log.
        solver: what asks.
    """
    load_inspect()
    from inspect_ai import Task  # noqa: PLC0415 - an optional package
    from inspect_ai.dataset import MemoryDataset  # noqa: PLC0415 - an optional package

    samples = [sample_of(job) for job in jobs]
    return Task(dataset=MemoryDataset(samples, name=name), solver=solver, name=name)
