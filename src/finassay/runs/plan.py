"""What is still to ask.  In: items, systems, a study.  Out: jobs, and what they may cost."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from finassay.errors import UsageError
from finassay.records import Item, SystemSpec, content_digest, content_id
from finassay.runs.passages import shown
from finassay.runs.prices import Price
from finassay.runs.prompts import Turn, arm_named, prompt_of
from finassay.runs.requests import Asking
from finassay.study import Snapshot

BYTES_A_TOKEN = 4
"""UTF-8 bytes for which one token is reckoned where a prompt is only estimated."""

Key = tuple[str, int]
"""Item id and trial."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One item, as it is shown, to ask one system in one trial."""

    item: Item
    trial: int
    turns: tuple[Turn, ...]

    @property
    def key(self) -> Key:
        """Item id and trial."""
        return self.item.item_id, self.trial

    @property
    def tokens(self) -> int:
        """Tokens of the prompt, as far as its length tells."""
        size = sum(len(turn.text.encode("utf-8")) for turn in self.turns)
        return math.ceil(size / BYTES_A_TOKEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemPlan:
    """What one system is still to be asked.

    Attributes:
        spec: the system.
        jobs: what to ask, in order.
        held: how many of the answers wanted the study holds.
        again: how many of the jobs ended in an error before.
    """

    spec: SystemSpec
    jobs: tuple[Job, ...]
    held: int
    again: int

    @property
    def tokens_in(self) -> int:
        """Tokens of all prompts, estimated."""
        return sum(job.tokens for job in self.jobs)

    def most_usd(self, price: Price | None, budget: int) -> float | None:
        """Return the cost if every reply takes the whole budget; None without a price."""
        return None if price is None else price.cost(self.tokens_in, budget * len(self.jobs))


def run_id_of(system_id: str) -> str:
    """Return the run under which all answers of a system are filed, however often it resumes."""
    return content_id("run", system_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which items are asked how often.

    Attributes:
        trials: times that each item is asked.
        limit: only this many items, the first ones; None for all.
        pilot: only this many items of each stratum, drawn by a hash of their ids; None for all.
    """

    trials: int = 1
    limit: int | None = None
    pilot: int | None = None

    def __post_init__(self) -> None:
        for name in ("trials", "limit", "pilot"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError(f"`{name}` must be at least 1, got {value!r}")
        if self.limit is not None and self.pilot is not None:
            raise UsageError("a run is limited or a pilot, got both `limit` and `pilot`; drop one")

    def of(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """Return the items in scope, in their order."""
        if self.pilot is not None:
            return _pilot(items, self.pilot)
        return tuple(items[: self.limit])


def stratum_of(item: Item) -> str:
    """Return the stratum of which a pilot takes a few items: task and difficulty."""
    return " / ".join(part for part in (item.task or item.family, item.difficulty) if part)


def _pilot(items: Sequence[Item], count: int) -> tuple[Item, ...]:
    strata: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        strata[stratum_of(item)].append(item)
    drawn: set[str] = set()
    for members in strata.values():
        members.sort(key=lambda item: content_digest("pilot", item.item_id))
        drawn.update(item.item_id for item in members[:count])
    return tuple(item for item in items if item.item_id in drawn)


def plan_system(
    spec: SystemSpec,
    items: Sequence[Item],
    *,
    trials: int,
    asking: Asking,
    snapshot: Snapshot | None,
) -> SystemPlan:
    """Return what a system is still to be asked: what the study holds no answer to.

    A reply that came is an answer, whatever its fate; an error is none, and is asked again.  What
    another source filed under the same system stays as it is, errors too.  Without a snapshot
    nothing is held.
    """
    held, again = _held(snapshot, spec.system_id) if snapshot else (set(), set())
    wanted = [(item, trial) for trial in range(trials) for item in items]
    left = [(item, trial) for item, trial in wanted if (item.item_id, trial) not in held]
    asked = _distinct(item for item, _ in left)
    arm = arm_named(asking.arm)
    shots = asking.shots.of(asked) if asking.shots else {}
    seen = shown(asked, asking.passages)
    turns = {
        item_id: prompt_of(item, arm, thinking=asking.thinking, shots=shots.get(item_id, ()))
        for item_id, item in seen.items()
    }
    jobs = tuple(
        Job(item=seen[item.item_id], trial=trial, turns=turns[item.item_id]) for item, trial in left
    )
    return SystemPlan(
        spec=spec,
        jobs=jobs,
        held=len(wanted) - len(left),
        again=sum(job.key in again for job in jobs),
    )


def _distinct(items: Iterable[Item]) -> list[Item]:
    by_id: Mapping[str, Item] = {item.item_id: item for item in items}
    return list(by_id.values())


def _held(snapshot: Snapshot, system_id: str) -> tuple[set[Key], set[Key]]:
    """Return the keys that are answered, and those that ended in an error of this run."""
    rows = snapshot.frame("predictions", system_id=system_id)
    mine = run_id_of(system_id)
    answered: set[Key] = set()
    failed: set[Key] = set()
    for item_id, trial, finish, run_id in rows.select(
        "item_id", "trial", "finish", "run_id"
    ).iter_rows():
        is_open = finish == "error" and run_id == mine
        (failed if is_open else answered).add((item_id, trial))
    return answered, failed
