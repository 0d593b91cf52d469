"""What answers come to.  In: current answers.  Out: one settled label a unit, or why there is none.

A resolution wins.  Otherwise a label counts when more than half of the answers given say it; who
was asked alone is believed alone; "not sure" is an answer, and settles nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from finassay.study.adjudication.ledger import AnswerRevision, Role, UnitAnswer
from finassay.study.label_records import NOT_SURE

Kind = Literal["unanimous", "majority", "single", "resolved", "unsure", "open", "conflict"]

RULE = (
    'a resolution, else the label of more than half of the answers given, "not sure" being one of '
    "them; where two or more people were asked at least two answers are needed"
)

SETTLED: frozenset[Kind] = frozenset({"unanimous", "majority", "single", "resolved"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledUnit:
    """What a unit's answers come to.

    Attributes:
        unit_id: its code.
        kind: how it was settled, or why it is not.
        label: the label that counts, where settled.
        value: of that label; None where it has none.
        answers: current answers, labels before resolutions.
    """

    unit_id: str
    kind: Kind
    label: str | None
    value: float | None
    answers: tuple[UnitAnswer, ...]


def settle_units(
    units: Iterable[str],
    current: Iterable[AnswerRevision],
    assigned: Mapping[tuple[str, Role], Iterable[str]],
) -> dict[str, SettledUnit]:
    """Return what the answers on each unit come to.

    Args:
        units: codes of the units of the draw.
        current: the latest revision of every answer.
        assigned: who was given what.
    """
    asked: Counter[str] = Counter(
        unit for (_, role), theirs in assigned.items() if role == "label" for unit in theirs
    )
    given: dict[str, list[AnswerRevision]] = {}
    for one in current:
        given.setdefault(one.answer.unit_id, []).append(one)
    return {unit: _settled(unit, given.get(unit, []), asked[unit]) for unit in units}


def _settled(unit_id: str, found: list[AnswerRevision], asked: int) -> SettledUnit:
    labels = [one.answer for one in found if one.answer.role == "label"]
    resolutions = sorted((one for one in found if one.answer.role != "label"), key=lambda r: r.at)
    every = (*labels, *(one.answer for one in resolutions))
    kind, winner = _decide(labels, asked)
    if resolutions:
        winner = resolutions[-1].answer
        kind = "unsure" if winner.label == NOT_SURE else "resolved"
    is_settled = kind in SETTLED and winner is not None
    return SettledUnit(
        unit_id=unit_id,
        kind=kind,
        label=winner.label if winner is not None and is_settled else None,
        value=winner.value if winner is not None and is_settled else None,
        answers=every,
    )


def _decide(labels: list[UnitAnswer], asked: int) -> tuple[Kind, UnitAnswer | None]:
    needed = min(2, max(asked, 1))
    if len(labels) < needed:
        return "open", None
    (label, votes), *_ = Counter(answer.label for answer in labels).most_common(1)
    if 2 * votes <= len(labels):
        # While others were asked too and have not answered, nothing is lost yet.
        return ("open" if len(labels) < asked else "conflict"), None
    if label == NOT_SURE:
        return "unsure", None
    winner = next(answer for answer in labels if answer.label == label)
    if len(labels) == 1:
        return "single", winner
    return ("unanimous" if votes == len(labels) else "majority"), winner
