"""What a judge is called.  In: its name and protocol.  Out: a scorer id, and the way back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeVar, get_args

from finassay.errors import UsageError
from finassay.records import JUDGE_PREFIX

Task = Literal["single", "pairwise", "rubric", "rating", "alignment"]
"""What a judge is asked: right or wrong; which of two; 0, 0.5 or 1; 0 to 10; whether a request
meets a need."""

ReferenceArm = Literal["none", "self", "human", "verified", "wrong", "random"]
"""Which reference a judge is shown."""

PromptVariant = Literal["A", "B"]
"""Which of two wordings a judge is asked in."""

Tolerance = Literal["exact", "0.1%", "1%"]
"""How far a number may be off by rounding, where the prompt has a clause about that."""

TASKS: tuple[Task, ...] = get_args(Task)
REFERENCE_ARMS: tuple[ReferenceArm, ...] = get_args(ReferenceArm)
PROMPT_VARIANTS: tuple[PromptVariant, ...] = get_args(PromptVariant)
TOLERANCES: tuple[Tolerance, ...] = get_args(Tolerance)

JURY_PREFIX = "jury-"
"""Beginning of the names of juries."""

_NameT = TypeVar("_NameT", bound=str)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeId:
    """A judge under one protocol, as its scorer id tells it.

    Attributes:
        name: display name of the judge's system, or `jury-NAME`; it may hold slashes.
        task: what it is asked.
        arm: which reference it is shown.
        prompt: which wording.
        tolerance: the rounding clause; None where the prompt has none.

    Raises:
        UsageError: the name is empty, or a part is not one of its values.

    Example:
        >>> str(JudgeId(name="gpt-4o", task="single", arm="human", prompt="A", tolerance="1%"))
        'judge/gpt-4o/single/human/A/1%'
        >>> JudgeId.parse("judge/gpt-4o/pairwise/none/B").arm
        'none'
        >>> JudgeId.parse("judge/phi4-mini") is None
        True
    """

    name: str
    task: Task
    arm: ReferenceArm
    prompt: PromptVariant
    tolerance: Tolerance | None = None

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise UsageError(f"`name` of a judge must hold something, got {self.name!r}")
        require_one_of("task", self.task, TASKS)
        require_one_of("arm", self.arm, REFERENCE_ARMS)
        require_one_of("prompt", self.prompt, PROMPT_VARIANTS)
        if self.tolerance is not None:
            require_one_of("tolerance", self.tolerance, TOLERANCES)

    def __str__(self) -> str:
        last = () if self.tolerance is None else (self.tolerance,)
        return JUDGE_PREFIX + "/".join((self.name, self.task, self.arm, self.prompt, *last))

    @property
    def is_jury(self) -> bool:
        """Whether several judges stand behind it."""
        return self.name.startswith(JURY_PREFIX)

    @classmethod
    def parse(cls, scorer_id: str) -> JudgeId | None:
        """Return what a scorer id tells; None for scorers that are no judges, or others' judges."""
        if not scorer_id.startswith(JUDGE_PREFIX):
            return None
        parts = scorer_id.removeprefix(JUDGE_PREFIX).split("/")
        tolerance = _known(parts[-1], TOLERANCES)
        if tolerance is not None:
            parts.pop()
        if len(parts) < 4:
            return None
        *names, last_task, last_arm, last_prompt = parts
        task, arm = _known(last_task, TASKS), _known(last_arm, REFERENCE_ARMS)
        prompt, name = _known(last_prompt, PROMPT_VARIANTS), "/".join(names)
        if task is None or arm is None or prompt is None or not name.strip():
            return None
        return cls(name=name, task=task, arm=arm, prompt=prompt, tolerance=tolerance)


def _known(word: str, values: tuple[_NameT, ...]) -> _NameT | None:
    return next((value for value in values if value == word), None)


def require_one_of(field: str, value: str, values: tuple[str, ...]) -> None:
    """Check that a parameter of a judge is one of its values.

    Raises:
        UsageError: it is not.
    """
    if value not in values:
        raise UsageError(f"`{field}` of a judge must be one of {', '.join(values)}, got {value!r}")
