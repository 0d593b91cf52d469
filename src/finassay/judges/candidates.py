"""What is judged.  In: items and predictions.  Out: answers with the conversation before them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from finassay.errors import UsageError
from finassay.records import Finish, Item, Prediction

CONVERSATION = "conversation"
TURN = "turn"
"""Strata by which an item says which turn of which conversation it asks; see `place_of`."""

_LATER = re.compile(r"(?P<conversation>.+)~turn(?P<turn>\d{1,4})\Z", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class PastTurn:
    """A turn before the one that is graded.

    Attributes:
        item: what was asked.
        answer: what the judged system answered; "" where the study holds no answer.
    """

    item: Item
    answer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One answer that is to be judged.

    Attributes:
        item: the question of the turn that is graded.
        prediction: the answer.
        history: the turns before it, in order; () for a question that stands alone.
    """

    item: Item
    prediction: Prediction
    history: tuple[PastTurn, ...] = ()

    def __post_init__(self) -> None:
        if self.prediction.item_id != self.item.item_id:
            raise UsageError(
                f"an answer is judged with its own item: the item is {self.item.item_id!r}, the "
                f"answer is to {self.prediction.item_id!r}"
                "; pair each answer with the item it answers"
            )

    @property
    def text(self) -> str:
        """The answer, whole."""
        return self.prediction.text

    @property
    def finish(self) -> Finish:
        """What became of the answer."""
        return self.prediction.finish

    @property
    def is_cut(self) -> bool:
        """Whether the answer ended at a limit of its length."""
        return self.prediction.finish == "truncated"

    @property
    def turn(self) -> int:
        """Which turn of its conversation is graded, from 1 on."""
        return len(self.history) + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two answers to one item, to be compared.

    Attributes:
        left: the one that `winner` calls left, whatever the order in which they are shown.
        right: the other one.
    """

    left: Candidate
    right: Candidate

    def __post_init__(self) -> None:
        if self.left.item.item_id != self.right.item.item_id:
            raise UsageError(
                f"answers of a pair are to one item, got {self.left.item.item_id!r} and "
                f"{self.right.item.item_id!r}"
                "; pair answers to the same item"
            )
        if [turn.item for turn in self.left.history] != [turn.item for turn in self.right.history]:
            raise UsageError(
                f"answers of a pair come after the same turns, got {self.left.turn - 1} and "
                f"{self.right.turn - 1} turns before item {self.left.item.item_id!r}"
            )
        if self.left.prediction.prediction_id == self.right.prediction.prediction_id:
            raise UsageError(
                f"a pair needs two answers, got one of item {self.left.item.item_id!r} twice"
            )

    @property
    def item(self) -> Item:
        """The item that both answer."""
        return self.left.item


def place_of(item: Item) -> tuple[str, int]:
    """Return (conversation, turn) of an item.

    The strata `conversation` and `turn` say it; without the former the id does, as in "101" and
    "101~turn2".  An item that says nothing is the first turn of a conversation of its own.
    """
    told = dict(item.strata)
    turn = int(told[TURN]) if told.get(TURN, "").isdecimal() else None
    if told.get(CONVERSATION):
        return told[CONVERSATION], turn or 1
    later = _LATER.match(item.item_id)
    if later is None:
        return item.item_id, 1
    return later["conversation"], int(later["turn"])


def candidates_of(
    items: Iterable[Item], predictions: Iterable[Prediction]
) -> tuple[Candidate, ...]:
    """Return every prediction to one of the items as a candidate, in the order of predictions.

    Turns before a later one come with it: the system's own answers in the same trial.
    """
    known = {item.item_id: item for item in items}
    talks = _conversations(known.values())
    listed = [one for one in predictions if one.item_id in known]
    said = {(one.item_id, one.system_id, one.trial): one.text for one in listed}
    return tuple(
        Candidate(
            item=known[one.item_id],
            prediction=one,
            history=_history(known[one.item_id], one, talks, said),
        )
        for one in listed
    )


def earlier_items(item: Item, items: Iterable[Item]) -> tuple[Item, ...]:
    """Return the items of the turns before this one, in order."""
    return _earlier(item, _conversations(items))


_Talks = Mapping[tuple[str, str], Sequence[tuple[int, Item]]]


def _conversations(items: Iterable[Item]) -> _Talks:
    """Return the turns of each (benchmark, conversation), in order."""
    found: dict[tuple[str, str], list[tuple[int, Item]]] = {}
    for item in items:
        conversation, turn = place_of(item)
        found.setdefault((item.benchmark, conversation), []).append((turn, item))
    return {key: sorted(turns, key=lambda one: one[0]) for key, turns in found.items()}


def _earlier(item: Item, talks: _Talks) -> tuple[Item, ...]:
    conversation, here = place_of(item)
    turns = talks.get((item.benchmark, conversation), ())
    return tuple(one for turn, one in turns if turn < here)


def _history(
    item: Item,
    prediction: Prediction,
    talks: _Talks,
    said: Mapping[tuple[str, str, int], str],
) -> tuple[PastTurn, ...]:
    return tuple(
        PastTurn(
            item=past,
            answer=said.get((past.item_id, prediction.system_id, prediction.trial), ""),
        )
        for past in _earlier(item, talks)
    )
