"""What a judge itself answers.  In: items, a judge.  Out: its answers, and prompts for them.

A judge whose model is among the systems of the study has answered already.  Any other is asked the
questions as every model is, before it sees an answer of anybody else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from finassay.judges.field import Field
from finassay.judges.replies import replies_of
from finassay.records import Finish, Item, Prediction, SystemSpec, content_id
from finassay.runs.prompts import ARMS, prompt_of
from finassay.study import Snapshot
from finassay.study.nested import JUDGING

USABLE: frozenset[Finish] = frozenset({"stop", "not_logged"})
"""Ends of a reply that may serve as a reference: one that was cut may lack its answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnAnswers:
    """A judge's own answers.

    Attributes:
        texts: by item id; "" where it gave no whole answer.
        pending: ids of items to which its answer is still to come.
        systems: ids of the systems of the study whose answers they are; () where it was asked.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    pending: frozenset[str] = frozenset()
    systems: tuple[str, ...] = ()


def question_of(item: Item) -> Item:
    """Return the prompt that asks a judge an item, as an item of the study of what it is asked."""
    text = prompt_of(item, ARMS["free"])[-1].text
    return Item(
        item_id=content_id(JUDGING, "answer", text),
        benchmark=JUDGING,
        family="answer",
        task="answer",
        question=text,
    )


def answers_in_study(found: Field, system_id: str) -> OwnAnswers:
    """Return the answers that a system of the study gave, of each item the first trial's."""
    texts: dict[str, str] = {}
    for one in found.predictions:
        if one.system_id == system_id:
            texts.setdefault(one.item_id, _usable(one))
    return OwnAnswers(texts=texts, systems=(system_id,))


def _usable(answer: Prediction) -> str:
    return answer.text if answer.finish in USABLE else ""


def answers_given(inner: Snapshot | None, spec: SystemSpec, items: Iterable[Item]) -> OwnAnswers:
    """Return the answers that a judge gave when it was asked.

    Args:
        inner: the study of what judges were asked.
        spec: the judge as it is asked for answers.
        items: what it is asked.
    """
    replies = replies_of(inner, spec.system_id, trials=1)
    texts: dict[str, str] = {}
    pending: set[str] = set()
    for item in items:
        said = replies.get(question_of(item).item_id, ())
        if not said or said[0].prediction.finish == "error":
            pending.add(item.item_id)
        else:
            texts[item.item_id] = _usable(said[0].prediction)
    return OwnAnswers(texts=texts, pending=frozenset(pending))


def stand_ins(items: Iterable[Item]) -> OwnAnswers:
    """Return references in the place of answers that are not there yet, to reckon prompts with."""
    return OwnAnswers(texts={item.item_id: item.reference or item.question for item in items})
