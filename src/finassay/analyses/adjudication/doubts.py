"""References that people call wrong, over all draws.  In: their answers.  Out: a review queue.

A flag is about the reference as it was drawn: once the item changed, it is answered.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from finassay.records import Item, content_digest
from finassay.study.adjudication.draw_files import draw_names
from finassay.study.adjudication.labelling import Labelling
from finassay.study.adjudication.ledger import AnswerRevision
from finassay.study.adjudication.letters import letter
from finassay.study.adjudication.reviewing import ReferenceDecision, decisions, verdicts_on
from finassay.study.adjudication.showing import items_of
from finassay.study.adjudication.tasks import REFERENCE, RIGHT_REFERENCE, WRONG_REFERENCE

State = Literal["waiting", "corrected", "rejected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """One flag of a reference.

    Attributes:
        letter: stands for the person on this item alone.
        draw: where it was raised.
        correction: the reference that is proposed, "" for none.
        note: what the person wrote.
        at: when, ISO 8601 in UTC.
    """

    letter: str
    draw: str
    correction: str
    note: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtedReference:
    """An item whose reference somebody calls wrong.

    Attributes:
        item: as the study has it now.
        seen: digest of the item as it is now.
        state: whether somebody must decide, or what was decided last.
        doubts: flags, oldest first; of the reference as it is now while it waits.
        cleared: people who were asked for the reference and call it right.
        decisions: what was decided so far, oldest first.
        ages: scorers that hold verdicts on the item, which a correction makes stale.
        labels: units of draws with this item, whose answers are of the old reference then.
    """

    item: Item
    seen: str
    state: State
    doubts: tuple[Doubt, ...]
    cleared: int
    decisions: tuple[ReferenceDecision, ...]
    ages: tuple[str, ...]
    labels: int

    @property
    def proposals(self) -> tuple[tuple[str, str], ...]:
        """The references that are proposed: (text, letters of those who propose it)."""
        said: dict[str, list[str]] = {}
        for doubt in self.doubts:
            if doubt.correction and doubt.letter not in said.setdefault(doubt.correction, []):
                said[doubt.correction].append(doubt.letter)
        return tuple((text, ", ".join(letters)) for text, letters in said.items())

    @property
    def voices(self) -> tuple[tuple[Doubt, int], ...]:
        """Flags that say the same, as of several replies to the item: (the first, how many)."""
        said: dict[Doubt, list[Doubt]] = {}
        for doubt in self.doubts:
            said.setdefault(replace(doubt, at=""), []).append(doubt)
        return tuple((same[0], len(same)) for same in said.values())


@dataclass(slots=True)
class _Said:
    """What people say of one item, over all draws."""

    doubts: list[tuple[str, AnswerRevision, str]]
    cleared: set[str]
    labels: int = 0


def doubted_references(labelling: Labelling) -> tuple[DoubtedReference, ...]:
    """Return every item whose reference somebody calls wrong, those that wait first."""
    said: dict[str, _Said] = defaultdict(lambda: _Said([], set()))
    for name in draw_names(labelling.study):
        _gather(labelling, name, said)
    doubted = {item_id: one for item_id, one in said.items() if one.doubts}
    snapshot = labelling.study.snapshot()
    known, digests = items_of(snapshot, doubted)
    ages = verdicts_on(snapshot, sorted(known))
    decided: dict[str, list[ReferenceDecision]] = defaultdict(list)
    for one in decisions(labelling.store):
        decided[one.item_id].append(one)
    found = [
        _doubted(item, digests[item_id], doubted[item_id], decided[item_id], ages)
        for item_id, item in known.items()
    ]
    return tuple(sorted(found, key=_first_to_do))


def _gather(labelling: Labelling, name: str, said: Mapping[str, _Said]) -> None:
    draw = labelling.draw(name)
    asked = draw.task == REFERENCE.name
    for one in labelling.ledger(name).current():
        answer, unit = one.answer, draw.by_unit[one.answer.unit_id]
        if answer.reference_wrong or (asked and answer.label == WRONG_REFERENCE):
            said[unit.key.item_id].doubts.append((name, one, unit.item_digest))
        elif asked and answer.label == RIGHT_REFERENCE:
            said[unit.key.item_id].cleared.add(answer.annotator)
    for unit in draw.units:
        said[unit.key.item_id].labels += 1


def _doubted(
    item: Item,
    digest: str,
    said: _Said,
    decided: Sequence[ReferenceDecision],
    ages: Mapping[str, tuple[str, ...]],
) -> DoubtedReference:
    now = [one for one in said.doubts if one[2] == digest]
    last = max((one.at for one in decided), default="")
    waits = any(one[1].at > last for one in now)
    state: State = "waiting" if waits else "rejected" if now else "corrected"
    shown = sorted(now or said.doubts, key=lambda one: one[1].at)
    letters = _letters(item.item_id, [one[1].answer.annotator for one in shown])
    return DoubtedReference(
        item=item,
        seen=digest,
        state=state,
        doubts=tuple(
            Doubt(
                letter=letters[one.answer.annotator],
                draw=draw,
                correction=one.answer.correction,
                note=one.answer.note,
                at=one.at,
            )
            for draw, one, _ in shown
        ),
        cleared=len(said.cleared),
        decisions=tuple(decided),
        ages=ages.get(item.item_id, ()),
        labels=said.labels,
    )


def _letters(item_id: str, people: Sequence[str]) -> dict[str, str]:
    mixed = sorted(set(people), key=lambda name: content_digest("letter", item_id, name))
    return {name: letter(at) for at, name in enumerate(mixed)}


def _first_to_do(one: DoubtedReference) -> tuple[bool, int, str]:
    return one.state != "waiting", -len(one.doubts), one.item.item_id
