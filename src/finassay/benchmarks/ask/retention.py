"""Which states are kept, and the check for leaks.  In: states.  Out: those kept, and why not.

A state is kept when its context could be put together, its action is clear, and nothing observed
later is in the context; an ask state also needs one admissible need: verified, supported by a later
observation and not already answered by words in the context.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args

from finassay.benchmarks.ask.states import ACTIONS, ASK, Need, StateRecord

DropReason = Literal["not_reconstructable", "ambiguous_action", "later_text", "no_admissible_need"]
"""Why a state is not kept; the first that applies, in this order."""

DROP_REASONS: tuple[DropReason, ...] = get_args(DropReason)

WORD_RUN = 8
"""Words in a row that a hidden text and a context may not share."""

HAN_RUN = 14
"""The same for a text that is mostly in characters without spaces."""

LEAST_RUN = 3
"""A shorter hidden text is never looked for: "yes" says nothing."""

_TOKEN = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[^\\W_\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+"
)
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """Hidden words found in a visible context.

    Attributes:
        kind: "need" or "observation": what the hidden text is.
        text: the hidden text.
        run: the words that both hold.
    """

    kind: Literal["need", "observation"]
    text: str
    run: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A state that was not kept, and why."""

    state_id: str
    reason: DropReason
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Retained:
    """States after the retention rules.

    Attributes:
        states: those kept, in order; ask states hold their admissible needs only.
        dropped: those not kept, in order.
    """

    states: tuple[StateRecord, ...]
    dropped: tuple[Dropped, ...]

    @property
    def counts(self) -> tuple[tuple[DropReason, int], ...]:
        """Return (reason, states dropped for it) for every reason."""
        found = Counter(one.reason for one in self.dropped)
        return tuple((reason, found[reason]) for reason in DROP_REASONS)


def retain(states: Iterable[StateRecord]) -> Retained:
    """Return the states that are kept and those that are not, with the reason."""
    kept: list[StateRecord] = []
    dropped: list[Dropped] = []
    for state in states:
        whole = replace(state, needs=admissible_needs(state)) if state.action == ASK else state
        why = _why_dropped(whole)
        if why is None:
            kept.append(whole)
        else:
            dropped.append(Dropped(state_id=state.state_id, reason=why[0], detail=why[1]))
    return Retained(states=tuple(kept), dropped=tuple(dropped))


def _why_dropped(state: StateRecord) -> tuple[DropReason, str] | None:
    if not state.is_complete or not state.context.strip():
        return "not_reconstructable", "the visible context has a gap or is empty"
    if state.action not in ACTIONS:
        return "ambiguous_action", f"the recorded action is {state.action!r}"
    seen = [leak for leak in leaks(state) if leak.kind == "observation"]
    if seen:
        return "later_text", f"the context holds words observed later: {seen[0].run!r}"
    if state.action == ASK and not state.needs:
        return "no_admissible_need", "no need is verified, supported later and still open"
    return None


def admissible_needs(state: StateRecord) -> tuple[Need, ...]:
    """Return the needs that are verified, supported by a later observation and not yet visible."""
    return tuple(
        need
        for need in state.needs
        if need.is_verified
        and need.is_supported
        and need.text.strip()
        and shared_run(need.text, state.context) is None
    )


def leaks(state: StateRecord) -> tuple[Leak, ...]:
    """Return every hidden text of which the visible context holds a run of words."""
    hidden: list[tuple[Literal["need", "observation"], str]] = [
        *(("need", need.text) for need in state.needs),
        *(("observation", text) for text in state.later),
    ]
    found = ((kind, text, shared_run(text, state.context)) for kind, text in hidden)
    return tuple(Leak(kind=kind, text=text, run=run) for kind, text, run in found if run)


def shared_run(hidden: str, visible: str) -> str | None:
    """Return the first run of words of a hidden text that a visible text holds too, or None.

    Words are compared without case, width and punctuation.  A run has `WORD_RUN` words, `HAN_RUN`
    where most are single characters, or the whole hidden text where that is shorter.
    """
    own = _tokens(hidden)
    most_han = sum(_HAN.match(token) is not None for token in own) * 2 > len(own)
    size = min(len(own), HAN_RUN if most_han else WORD_RUN)
    if size < LEAST_RUN:
        return None
    there = f" {' '.join(_tokens(visible))} "
    for at in range(len(own) - size + 1):
        run = " ".join(own[at : at + size])
        if f" {run} " in there:
            return run
    return None


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())
