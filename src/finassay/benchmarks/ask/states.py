"""States of a review before its next action.  In: a recorded trajectory.  Out: state records.

A *state* is what a reviewer could see just before a recorded action.  The action, the evidence
needs that later observations verified, and those observations belong to the record but never to
what is visible.  Zhong et al. (2026), arXiv 2608.25325, section 3.4 and appendix C.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Action = Literal["ask", "proceed"]
"""What a reviewer does with a state: ask for one item of evidence, or go on with what is there."""

ASK: Action = "ask"
PROCEED: Action = "proceed"
ACTIONS: tuple[Action, ...] = (ASK, PROCEED)

CHINESE = "zh"


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One evidence need that was open at a state; hidden from the model.

    Attributes:
        text: the need in words.
        is_verified: whether a reader confirmed it.
        is_supported: whether an observation after the state bears on it.
    """

    text: str
    is_verified: bool = True
    is_supported: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StateRecord:
    """A state with what is visible, and what only the evaluation may read.

    Attributes:
        state_id: unique id.
        trajectory_id: the review that it is a moment of.
        context: all that is visible before the action.
        action: the recorded action as the record names it; "ask" or "proceed" if unambiguous.
        needs: open evidence needs, hidden.
        later: what was observed after the state, hidden.
        domain: kind of review.
        language: "en" or "zh".
        is_complete: whether the context could be put together without a gap.
    """

    state_id: str
    trajectory_id: str
    context: str
    action: str
    needs: tuple[Need, ...] = ()
    later: tuple[str, ...] = ()
    domain: str = ""
    language: str = "en"
    is_complete: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StepNeed:
    """A need as a trajectory records it.

    Attributes:
        text: the need in words.
        observed_in: numbers of the steps, from 1, whose observations bear on it.
        is_verified: whether a reader confirmed it.
    """

    text: str
    observed_in: tuple[int, ...]
    is_verified: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One recorded step: what was open, what the reviewer did, and what was seen next.

    Attributes:
        open: what the step has to settle; visible before the action.
        action: the recorded action.
        note: what was asked or done; visible from the next state on.
        observed: what was seen next, None where the record has a gap; visible from the next state.
        needs: needs open at this step, never visible.
    """

    open: str
    action: str
    note: str
    observed: str | None
    needs: tuple[StepNeed, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """A completed review: the case as it came in, and its steps in order."""

    trajectory_id: str
    domain: str
    language: str
    case: str
    steps: tuple[Step, ...]


class _Words(NamedTuple):
    case: str
    history: str
    asked: str
    proceeded: str
    other: str
    received: str
    open: str


_ENGLISH_WORDS = _Words(
    "Case record",
    "Review so far",
    "The reviewer asked:",
    "The reviewer went on:",
    "The reviewer:",
    "Then on record:",
    "Open step:",
)
_CHINESE_WORDS = _Words(
    "案件记录",
    "已有审查经过",
    "审查员要求：",
    "审查员推进：",
    "审查员：",
    "随后入档：",
    "当前步骤：",
)


def replay(trajectory: Trajectory) -> tuple[StateRecord, ...]:
    """Return one state for each step, each showing only what came before its action."""
    return tuple(_state(trajectory, at) for at in range(len(trajectory.steps)))


def _state(trajectory: Trajectory, at: int) -> StateRecord:
    step, before = trajectory.steps[at], trajectory.steps[:at]
    rest = trajectory.steps[at:]
    return StateRecord(
        state_id=f"{trajectory.trajectory_id}-{at + 1}",
        trajectory_id=trajectory.trajectory_id,
        context=_context(trajectory, before, step.open),
        action=step.action,
        needs=tuple(
            Need(
                text=need.text,
                is_verified=need.is_verified,
                is_supported=any(
                    one.observed is not None and number in need.observed_in
                    for number, one in enumerate(rest, start=at + 1)
                ),
            )
            for need in step.needs
        ),
        later=tuple(one.observed for one in rest if one.observed),
        domain=trajectory.domain,
        language=trajectory.language,
        is_complete=all(one.observed is not None for one in before),
    )


def _context(trajectory: Trajectory, before: Sequence[Step], open_step: str) -> str:
    words = _CHINESE_WORDS if trajectory.language == CHINESE else _ENGLISH_WORDS
    gap = "" if trajectory.language == CHINESE else " "
    did: dict[str, str] = {ASK: words.asked, PROCEED: words.proceeded}
    parts = [words.case, trajectory.case]
    if before:
        parts += ["", words.history]
    for number, step in enumerate(before, start=1):
        parts.append(f"{number}. {did.get(step.action, words.other)}{gap}{step.note}")
        parts.append(f"   {words.received}{gap}{step.observed or ''}".rstrip())
    return "\n".join([*parts, "", f"{words.open}{gap}{open_step}"])
