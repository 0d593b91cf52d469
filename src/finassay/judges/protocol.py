"""How a judge is asked.  In: the choices of a user.  Out: a checked protocol, and its hash."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields

from finassay.errors import UsageError
from finassay.judges.identity import (
    PROMPT_VARIANTS,
    REFERENCE_ARMS,
    TASKS,
    TOLERANCES,
    JudgeId,
    PromptVariant,
    ReferenceArm,
    Task,
    Tolerance,
    require_one_of,
)
from finassay.judges.wording import template_hash
from finassay.records import content_id

DEFAULT_VOTES = 5
DEFAULT_TEMPERATURE = 0.7

PROTOCOL_VERSION = "1"
"""Changes when the same protocol and texts would make another prompt, templates aside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """All that decides what a judge is sent, and how often.

    Attributes:
        task: what is asked.
        arm: which reference is shown; requests are graded against needs, so `alignment` takes
            no arm without a reference.
        prompt: which wording.
        tolerance: the rounding clause; None for a prompt without one.
        votes: how often each prompt is asked; an even number can be tied.
        temperature: of the judge; above 0 where there are several votes.
        both_orders: whether each pair is shown in both orders.
        passages: whether the passages of an item are shown.
        send_empty: whether an empty reply is sent, and flagged, instead of settled unsent.
        all_tasks: whether closed questions are judged too (yes or no, one of several options).
        seed: draws the marks around texts, and whose reference the arm `random` shows.

    Raises:
        UsageError: a choice is unknown, out of range, or does not go with another.
    """

    task: Task = "single"
    arm: ReferenceArm = "human"
    prompt: PromptVariant = "A"
    tolerance: Tolerance | None = None
    votes: int = DEFAULT_VOTES
    temperature: float = DEFAULT_TEMPERATURE
    both_orders: bool = True
    passages: bool = True
    send_empty: bool = False
    all_tasks: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        require_one_of("task", self.task, TASKS)
        require_one_of("arm", self.arm, REFERENCE_ARMS)
        require_one_of("prompt", self.prompt, PROMPT_VARIANTS)
        if self.tolerance is not None:
            require_one_of("tolerance", self.tolerance, TOLERANCES)
        if self.votes < 1:
            raise UsageError(f"`votes` must be at least 1, got {self.votes!r}")
        if not 0 <= self.temperature <= 2:
            raise UsageError(f"`temperature` must be in [0, 2], got {self.temperature!r}")
        if self.votes > 1 and self.temperature == 0:
            raise UsageError(
                f"{self.votes} votes at temperature 0 are one vote asked {self.votes} times; ask "
                f"for 1 vote, or a temperature above 0 (the default is {DEFAULT_TEMPERATURE})"
            )
        self._require_alignment()

    def _require_alignment(self) -> None:
        if self.task != "alignment":
            return
        if self.arm not in ("human", "wrong", "random"):
            raise UsageError(
                f"requests are graded against the needs of an item: with the task 'alignment' "
                f"`arm` must be human, wrong or random, got {self.arm!r}"
            )
        if self.tolerance is not None:
            raise UsageError(
                f"a request holds no number to round: with the task 'alignment' `tolerance` must "
                f"be left out, got {self.tolerance!r}"
            )

    @property
    def has_reference(self) -> bool:
        """Whether the judge is shown a reference."""
        return self.arm != "none"

    @property
    def prompt_hash(self) -> str:
        """The 16-digit hash of all our words that a prompt of this protocol may hold."""
        words = template_hash(
            self.prompt, self.task, with_reference=self.has_reference, tolerance=self.tolerance
        )
        return content_id(PROTOCOL_VERSION, words)

    @property
    def content_hash(self) -> str:
        """The 16-digit hash of every choice and of all our words."""
        told = json.dumps({one.name: getattr(self, one.name) for one in fields(self)})
        return content_id(self.prompt_hash, told)

    def judge_id(self, name: str) -> JudgeId:
        """Return what a judge of that display name is called under this protocol."""
        return JudgeId(
            name=name,
            task=self.task,
            arm=self.arm,
            prompt=self.prompt,
            tolerance=self.tolerance,
        )

    def version(self, *, judge_system_id: str, reader_version: str) -> str:
        """Return the version of the verdicts: it changes with anything that may change one.

        Args:
            judge_system_id: the judge's model with its decoding and budget.
            reader_version: version of what reads the judge's replies.
        """
        return content_id(self.content_hash, judge_system_id, reader_version)
