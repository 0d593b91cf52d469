"""The cases of one judge under one protocol.  In: a field, references.  Out: cases, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import combinations

from finassay.judges.arms import ArmBook
from finassay.judges.candidates import Candidate, Pair
from finassay.judges.cases import Case
from finassay.judges.field import Field
from finassay.judges.preparing import is_open, prepare, prepare_pairs
from finassay.judges.prompting import Order
from finassay.judges.protocol import Protocol
from finassay.records import Item
from finassay.study.nested import SHOWN_SYSTEM

ORDERS: tuple[Order, ...] = ("left_first", "right_first")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """References of an arm, and whose words they are.

    Attributes:
        book: the references.
        systems: ids of the systems of the study whose answers may be among them.
    """

    book: ArmBook
    systems: tuple[str, ...] = ()


def items_judged(field: Field, protocol: Protocol, limit: int | None) -> frozenset[str]:
    """Return the ids of the items whose answers are judged: all, or the first that are sent."""
    if limit is None:
        return frozenset(field.items)
    answered = {one.item.item_id for listed in field.candidates.values() for one in listed}
    fitting = [
        item_id
        for item_id, item in field.items.items()
        if item_id in answered and _may_be_sent(item, protocol)
    ]
    return frozenset(fitting[:limit])


def _may_be_sent(item: Item, protocol: Protocol) -> bool:
    if protocol.task == "alignment":
        return (item.reference or "").strip() == "ask"
    return protocol.all_tasks or is_open(item)


def cases_of(
    field: Field, protocol: Protocol, source: Source, judged: AbstractSet[str]
) -> tuple[Case, ...]:
    """Return every case of a protocol, those that are settled unsent among them.

    Args:
        field: what there is to judge.
        protocol: what the judge is asked.
        source: the references of its arm.
        judged: ids of the items in scope.
    """
    chosen = [
        one
        for spec in field.systems
        for one in field.candidates[spec.system_id]
        if one.item.item_id in judged
    ]
    if protocol.task == "pairwise":
        return tuple(_pair_cases(chosen, protocol, source))
    return tuple(
        Case(
            candidate=one.candidate,
            prompt=one.prompt,
            settled=one.verdict,
            shows=(one.candidate.prediction.system_id, *source.systems),
        )
        for one in prepare(chosen, protocol, source.book)
    )


def _pair_cases(chosen: Sequence[Candidate], protocol: Protocol, source: Source) -> Iterator[Case]:
    orders = ORDERS if protocol.both_orders else ORDERS[:1]
    for one in prepare_pairs(_pairs(chosen), protocol, source.book):
        left, right = one.pair.left, one.pair.right
        shown = (left.prediction.system_id, right.prediction.system_id, *source.systems)
        for order in orders:
            yield Case(
                candidate=left,
                other=right,
                order=order,
                prompt=one.prompts.get(order),
                settled=one.verdict,
                shows=shown,
            )


def _pairs(chosen: Sequence[Candidate]) -> Iterator[Pair]:
    """Yield every two systems' answers to one item, of the same trial."""
    together: dict[tuple[str, int], list[Candidate]] = {}
    for one in chosen:
        together.setdefault((one.item.item_id, one.prediction.trial), []).append(one)
    for answers in together.values():
        for left, right in combinations(answers, 2):
            yield Pair(left=left, right=right)


def prompts_of(cases: Sequence[Case]) -> Iterator[Item]:
    """Yield the prompts of cases as items that say which systems they show."""
    for case in cases:
        if case.prompt is not None:
            item = case.prompt.item
            shown = tuple((SHOWN_SYSTEM, system_id) for system_id in dict.fromkeys(case.shows))
            yield replace(item, strata=(*item.strata, *shown))
