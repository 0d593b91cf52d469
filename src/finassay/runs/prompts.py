"""What a model is asked.  In: an item, an arm.  Out: the messages, and a hash of their wording.

The words here are ours.  A prompt is built from the item alone: its passages, question, choices
and answer contract; the reference never enters.  The wording may only change together with
`WORDING_VERSION`, because the hash of a prompt is part of a system's identity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from finassay.errors import UnknownNameError
from finassay.records import AnswerContract, Item, content_id

WORDING_VERSION = "1"

Role = Literal["system", "user", "assistant"]

Thinking = Literal["as-is", "effort-none", "no-think", "instructed"]
"""How a model is kept from reasoning at length, or not at all ("as-is")."""

THINKING: dict[Thinking, str] = {
    "as-is": "whatever the model does by itself",
    "effort-none": "the provider's reasoning effort is set to none",
    "no-think": "a system line /no_think, which some open models know",
    "instructed": "a system line in words",
}

_ANSWER_FROM = "Answer the question from the passage alone."
_ANSWER_FROM_SEVERAL = "Answer the question from the passages alone."
_ANSWER_PLAIN = "Answer the question."
_NOT_SETTLED = "If the passage does not settle it, say that it does not."
_FREE = "Answer in a sentence or two, in the language of the question."
_EXACT = (
    "Finish with a line of its own that begins with 'Answer:' and then holds the answer only, with "
    "no explanation and no full stop."
)
_CHOICES = "Choose one of: {choices}."
_LETTERS = "Choose one of the options and name it by its letter."
_NO_THINK = "/no_think"
_INSTRUCTED = "Reply at once with the answer. Do not write down any reasoning before it."
_SHOT = "Answer: {answer}"

_WANTED: dict[str, str] = {
    "number": "Give a number",
    "money": "Give an amount of money",
    "percent": "Give a percentage",
    "count": "Give a whole number",
    "duration": "Give a length of time",
    "year": "Give a year",
    "date": "Give a date with day, month and year",
    "yes_no": "Begin the answer with Yes or No",
    "set": "Name all parts of the answer, separated by semicolons",
    "fields": "Give the answer as a JSON object",
}
_UNIT = "in {unit}"
_SCALE = "counted in {scale}"
_DECIMALS = "to {decimals} decimal place{s}"

_WORDING = (
    *(WORDING_VERSION, _ANSWER_FROM, _ANSWER_FROM_SEVERAL, _ANSWER_PLAIN, _NOT_SETTLED),
    *(_CHOICES, _LETTERS, _SHOT, _UNIT, _SCALE, _DECIMALS),
    *(f"{kind}={words}" for kind, words in _WANTED.items()),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """One wording of the prompt.

    Attributes:
        name: what it is called.
        description: what it asks for.
        closing: the words that say how to answer.
    """

    name: str
    description: str
    closing: str


ARMS: dict[str, Arm] = {
    arm.name: arm
    for arm in (
        Arm(name="free", description="an answer in a sentence or two", closing=_FREE),
        Arm(name="exact-answer", description="the bare answer on the last line", closing=_EXACT),
    )
}

AS_WRITTEN = Arm(
    name="as-written", description="the item's own words and nothing beside them", closing=""
)
"""For items that are prompts already, such as those of judges: the context is the system message,
the question is the user's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message."""

    role: Role
    text: str


def arm_named(name: str) -> Arm:
    """Return the arm of that name.

    Raises:
        UnknownNameError: there is none.
    """
    if name == AS_WRITTEN.name:
        return AS_WRITTEN
    if name not in ARMS:
        raise UnknownNameError(
            f"there is no prompt arm {name!r}; expected one of {', '.join(ARMS)}"
        )
    return ARMS[name]


def prompt_hash(arm: Arm, thinking: Thinking) -> str:
    """Return the 16-digit hash of all words that a prompt is made with, items aside."""
    words = () if arm is AS_WRITTEN else _WORDING
    return content_id(*words, arm.name, arm.closing, *_system_lines(thinking))


def prompt_of(
    item: Item, arm: Arm, *, thinking: Thinking = "as-is", shots: Sequence[Item] = ()
) -> tuple[Turn, ...]:
    """Return the messages that ask an item.

    Args:
        item: what is asked.
        arm: the wording.
        thinking: how reasoning is kept down.
        shots: worked examples shown first, each with its reference as the answer.
    """
    turns = [Turn(role="system", text=line) for line in _system_lines(thinking)]
    if arm is AS_WRITTEN:
        own = [Turn(role="system", text=item.context)] if item.context else []
        return (*turns, *own, Turn(role="user", text=item.question))
    for shot in shots:
        turns.append(Turn(role="user", text=_asked(shot, arm)))
        turns.append(Turn(role="assistant", text=_shown_answer(shot, arm)))
    turns.append(Turn(role="user", text=_asked(item, arm)))
    return tuple(turns)


def _system_lines(thinking: Thinking) -> tuple[str, ...]:
    lines = {"no-think": _NO_THINK, "instructed": _INSTRUCTED}
    return (lines[thinking],) if thinking in lines else ()


def _asked(item: Item, arm: Arm) -> str:
    parts = [*_passages(item), f"Question: {item.question}", *_options(item), _closing(item, arm)]
    return "\n\n".join(parts)


def passages_of(item: Item) -> tuple[str, ...]:
    """Return the passages that an item is asked about, in order."""
    return tuple(part for part in (item.context, *item.contexts) if part.strip())


def _passages(item: Item) -> list[str]:
    found = passages_of(item)
    if len(found) == 1:
        return [f"Passage:\n{found[0]}"]
    return [f"Passage {place}:\n{text}" for place, text in enumerate(found, start=1)]


def _is_lettered(item: Item) -> bool:
    return bool(item.choices) and item.contract.type == "choice"


def _options(item: Item) -> list[str]:
    if not _is_lettered(item):
        return []
    return ["\n".join(f"{letter_of(at)}. {text}" for at, text in enumerate(item.choices))]


def letter_of(place: int) -> str:
    """Return the letter of a place from 0 on; after Z come AA, AB and so on."""
    letters = ""
    left = place + 1
    while left:
        left, digit = divmod(left - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters


def _closing(item: Item, arm: Arm) -> str:
    count = len(passages_of(item))
    first = (_ANSWER_PLAIN, _ANSWER_FROM)[count] if count < 2 else _ANSWER_FROM_SEVERAL
    # What is to be chosen among choices is settled by them.
    settled = [] if item.choices or not count else [_NOT_SETTLED]
    return " ".join([first, *settled, *_chosen(item), *_wanted(item.contract), arm.closing])


def _chosen(item: Item) -> list[str]:
    if _is_lettered(item):
        return [_LETTERS]
    asked = item.question.lower()
    if not item.choices or all(choice.lower() in asked for choice in item.choices):
        return []
    return [_CHOICES.format(choices="; ".join(item.choices))]


def _wanted(contract: AnswerContract) -> list[str]:
    wanted = _WANTED.get(contract.type or "")
    if wanted is None:
        return []
    told = []
    if contract.unit:
        told.append(_UNIT.format(unit=contract.unit.replace("_", " ")))
    if contract.scale:
        told.append(_SCALE.format(scale=contract.scale))
    if contract.decimals is not None:
        plural = "" if contract.decimals == 1 else "s"
        told.append(_DECIMALS.format(decimals=contract.decimals, s=plural))
    return [" ".join([wanted, *told]) + "."]


def _shown_answer(shot: Item, arm: Arm) -> str:
    answer = shot.reference or ""
    return _SHOT.format(answer=answer) if arm.name == "exact-answer" else answer
