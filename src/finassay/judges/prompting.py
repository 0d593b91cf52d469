"""What a judge is sent.  In: an answer, its grounds, a protocol.  Out: a derived item.

A derived item is an item like any other: its `context` is the system message ("" where there is
none), its `question` the user message, and its id hashes both.  Equal prompts are one item: an
answer given twice is judged once.  Whatever enters a prompt changes the id, so that only what
changed is asked again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from finassay.errors import UsageError
from finassay.judges.candidates import Candidate, Pair, PastTurn
from finassay.judges.disarm import disarm
from finassay.judges.grounds import Grounds
from finassay.judges.identity import Task
from finassay.judges.protocol import Protocol
from finassay.judges.wording import Area, Condition, Filling, Places, wording_of
from finassay.records import Item, content_digest, content_id
from finassay.runs.prompts import Turn, letter_of, passages_of
from finassay.study.nested import JUDGING
from finassay.text.ask_replies import parse_ask_reply

TRUNCATED = "truncated"
"""Flag: an answer that is judged ended at a limit of its length."""

EMPTY_SENT = "empty_sent"
"""Flag: an empty answer was sent to the judge all the same."""

Order = Literal["left_first", "right_first"]
"""Which answer of a pair is shown first, as A."""

_CODE_DIGITS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedItem:
    """One prompt to a judge.

    Attributes:
        item: the prompt as an item of the benchmark `JUDGING`; see the head of this module.
        code: the code in the marks around quoted texts of this prompt.
        flags: what is to be known of the verdict: `truncated`, `empty_sent`.
    """

    item: Item
    code: str
    flags: tuple[str, ...] = ()

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The messages."""
        return turns_of(self.item)


def turns_of(item: Item) -> tuple[Turn, ...]:
    """Return the messages that a derived item holds."""
    system = (Turn(role="system", text=item.context),) if item.context else ()
    return (*system, Turn(role="user", text=item.question))


def judge_item(candidate: Candidate, grounds: Grounds, protocol: Protocol) -> DerivedItem:
    """Return the prompt that asks for a verdict on one answer.

    Args:
        candidate: the answer.
        grounds: what the arm shows beside it.
        protocol: how it is asked; its task is not `pairwise`.

    Raises:
        UsageError: the task is for pairs.
    """
    if protocol.task == "pairwise":
        raise UsageError("a judge that compares is shown pairs: use `judge_pair`")
    past = tuple(
        _past_places(turn, shown, {"past_answer": turn.answer}, protocol)
        for turn, shown in _past(candidate.history, grounds)
    )
    texts = {"answer": _graded_text(candidate, protocol.task)}
    return _derived((candidate,), texts, past, grounds, protocol)


def judge_pair(pair: Pair, grounds: Grounds, protocol: Protocol, *, order: Order) -> DerivedItem:
    """Return the prompt that asks which of two answers is right.

    Args:
        pair: the answers.
        grounds: what the arm shows beside them.
        protocol: how it is asked; its task is `pairwise`.
        order: which of them is answer A.

    Raises:
        UsageError: the task is not for pairs.
    """
    if protocol.task != "pairwise":
        raise UsageError(f"the task {protocol.task!r} is for one answer: use `judge_item`")
    first, second = (pair.left, pair.right) if order == "left_first" else (pair.right, pair.left)
    past = tuple(
        _past_places(
            turn, shown, {"past_answer_a": turn.answer, "past_answer_b": other.answer}, protocol
        )
        for (turn, shown), other in zip(_past(first.history, grounds), second.history, strict=True)
    )
    texts = {"answer_a": first.text, "answer_b": second.text}
    return _derived((first, second), texts, past, grounds, protocol)


def _past(
    history: tuple[PastTurn, ...], grounds: Grounds
) -> Iterator[tuple[PastTurn, tuple[str, ...]]]:
    for place, turn in enumerate(history):
        yield turn, grounds.past[place] if place < len(grounds.past) else ()


def _derived(
    candidates: tuple[Candidate, ...],
    texts: dict[str, str],
    past: tuple[Places, ...],
    grounds: Grounds,
    protocol: Protocol,
) -> DerivedItem:
    graded = candidates[0]
    filling = Filling(
        conditions=_conditions(graded, grounds, protocol),
        turn=graded.turn,
        places=_places(graded, texts, grounds, protocol),
        past=past,
    )
    wording = wording_of(protocol.prompt)
    plain = wording.messages(protocol.task, filling, code="")
    code = _code(plain, protocol.seed)
    turns = wording.messages(protocol.task, filling, code=code)
    said = {turn.role: turn.text for turn in turns}
    system, user = said.get("system", ""), said["user"]
    derived = Item(
        item_id=content_id(JUDGING, system, user),
        benchmark=JUDGING,
        family=protocol.task,
        task=protocol.task,
        question=user,
        context=system,
        strata=(("prompt", protocol.prompt),),
    )
    return DerivedItem(item=derived, code=code, flags=_flags(candidates))


def _flags(candidates: Iterable[Candidate]) -> tuple[str, ...]:
    found = {TRUNCATED for one in candidates if one.is_cut}
    found |= {EMPTY_SENT for one in candidates if not one.text.strip()}
    return tuple(sorted(found))


def _code(turns: Iterable[Turn], seed: int) -> str:
    """Return a code that follows from all that is sent, and stands in none of it.

    A text cannot hold it: the code depends on every sign of the text.
    """
    texts = [turn.text for turn in turns]
    tries = 0
    while True:
        code = content_digest("code", str(seed), str(tries), *texts)[:_CODE_DIGITS]
        if not any(code in text.lower() for text in texts):
            return code
        tries += 1


def _conditions(graded: Candidate, grounds: Grounds, protocol: Protocol) -> frozenset[Condition]:
    shown = len(grounds.references) if protocol.has_reference else 0
    holds: dict[Condition, bool] = {
        "reference": protocol.has_reference,
        "no reference": not protocol.has_reference,
        "one reference": shown == 1,
        "several references": shown > 1,
        "first": not graded.history,
        "later": bool(graded.history),
        "passages": bool(_passages(graded, protocol)),
    }
    found = {name for name, does in holds.items() if does}
    return frozenset(found | ({protocol.tolerance} if protocol.tolerance is not None else set()))


def _passages(graded: Candidate, protocol: Protocol) -> tuple[str, ...]:
    """Return the passages of all turns, each once; a request shows them as its case."""
    if not protocol.passages or protocol.task == "alignment":
        return ()
    items = (*(turn.item for turn in graded.history), graded.item)
    return tuple(dict.fromkeys(text for item in items for text in passages_of(item)))


def _places(
    graded: Candidate, texts: dict[str, str], grounds: Grounds, protocol: Protocol
) -> Places:
    task = protocol.task
    references = grounds.references if protocol.has_reference else ()
    return {
        "passages": _areas("passage", _passages(graded, protocol), task),
        "question": _areas("question", (_question(graded.item, task),), task),
        "references": _areas("reference", references, task),
        **{place: _areas(_name(place), (text,), task) for place, text in texts.items()},
    }


def _past_places(
    turn: PastTurn, references: tuple[str, ...], answers: dict[str, str], protocol: Protocol
) -> Places:
    task = protocol.task
    return {
        "past_question": _areas("question", (_question(turn.item, task),), task),
        "past_references": _areas("reference", references, task),
        **{place: _areas(_name(place), (text,), task) for place, text in answers.items()},
    }


def _name(place: str) -> str:
    return place.removeprefix("past_").replace("_a", " A").replace("_b", " B")


def _areas(name: str, texts: tuple[str, ...], task: Task) -> tuple[Area, ...]:
    several = len(texts) > 1
    return tuple(
        Area(f"{name} {place}" if several else name, disarm(text, task))
        for place, text in enumerate(texts, start=1)
    )


def _question(item: Item, task: Task) -> str:
    if task == "alignment":
        return "\n\n".join(passages_of(item)) or item.question
    if not item.choices or all(choice in item.question for choice in item.choices):
        return item.question
    options = (f"{letter_of(at)}. {text}" for at, text in enumerate(item.choices))
    return "\n".join([item.question, *options])


def _graded_text(candidate: Candidate, task: Task) -> str:
    if task != "alignment":
        return candidate.text
    reply = parse_ask_reply(candidate.text)
    return reply.request or candidate.text
