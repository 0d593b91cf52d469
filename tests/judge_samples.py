"""Answers, references and prompts for tests of judges."""

from __future__ import annotations

from finassay.judges.candidates import Candidate, Pair, PastTurn
from finassay.records import Finish, Item, Prediction

FEE = Item(
    item_id="fee",
    task="numbers",
    question="Within how many days must the fee be paid?",
    context="The fee shall be paid within fifteen days of the notice.",
    reference="15 days",
    alternatives=("fifteen days",),
)
LATER = Item(
    item_id="fee~turn2",
    task="numbers",
    question="And if the notice is sent by post?",
    reference="18 days",
)
STATE = Item(
    item_id="state",
    task="ask",
    question="Do you ask for one more document, or go on?",
    context="The applicant filed accounts for 2023.",
    reference="ask",
    alternatives=("the audited accounts for 2024",),
)
TWO_NEEDS = Item(
    item_id="state2",
    task="ask",
    question="Do you ask for one more document, or go on?",
    context="The applicant filed accounts for 2023.",
    reference="ask",
    alternatives=("the audited accounts for 2024", "a list of the owners"),
)


def said(item: Item, text: str, system: str = "s1", finish: Finish = "stop") -> Prediction:
    return Prediction(item_id=item.item_id, system_id=system, text=text, finish=finish)


def candidate(
    text: str = "It must be paid within 15 days.",
    *,
    item: Item = FEE,
    system: str = "s1",
    finish: Finish = "stop",
    past: str | None = None,
) -> Candidate:
    history = () if past is None else (PastTurn(item=FEE, answer=past),)
    return Candidate(item=item, prediction=said(item, text, system, finish), history=history)


def pair(left: str = "15 days.", right: str = "A month.") -> Pair:
    return Pair(left=candidate(left), right=candidate(right, system="s2"))


def later_candidate(text: str = "Three days more: 18.", system: str = "s1") -> Candidate:
    return candidate(text, item=LATER, system=system, past=f"15 days, says {system[-1]}.")


def later_pair() -> Pair:
    return Pair(
        left=later_candidate("18 days."), right=later_candidate("Still 15 days.", system="s2")
    )
