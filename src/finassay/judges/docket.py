"""The cases of one judge under one protocol.  In: a field, references.  Out: cases, in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
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
        authors: ids of the systems of the study whose answer to an item may be shown, by item.
    """

    book: ArmBook
    authors: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def shown_with(self, *candidates: Candidate) -> tuple[str, ...]:
        """Return the ids of all systems whose words a prompt about these answers may hold."""
        found = [one.prediction.system_id for one in candidates]
        for one in candidates:
            for item in (*(turn.item for turn in one.history), one.item):
                found += self.authors.get(item.item_id, ())
        return tuple(dict.fromkeys(found))


def items_judged(found: Field, protocol: Protocol, limit: int | None) -> frozenset[str]:
    """Return the ids of the items whose answers are judged: all, or the first that are sent."""
    return frozenset(found.items) if limit is None else frozenset(_sent(found, protocol)[:limit])


def items_sent(found: Field, protocol: Protocol, judged: AbstractSet[str]) -> tuple[Item, ...]:
    """Return the items of which an answer may be sent to a judge, in order."""
    ids = _sent(found, protocol)
    return tuple(found.items[item_id] for item_id in ids if item_id in judged)


def _sent(found: Field, protocol: Protocol) -> list[str]:
    answered = {one.item.item_id for listed in found.candidates.values() for one in listed}
    return [
        item_id
        for item_id, item in found.items.items()
        if item_id in answered and _may_be_sent(item, protocol)
    ]


def _may_be_sent(item: Item, protocol: Protocol) -> bool:
    if protocol.task == "alignment":
        return (item.reference or "").strip() == "ask"
    return protocol.all_tasks or is_open(item)


def cases_of(
    found: Field, protocol: Protocol, source: Source, judged: AbstractSet[str]
) -> tuple[Case, ...]:
    """Return every case of a protocol, those that are settled unsent among them.

    Args:
        found: what there is to judge.
        protocol: what the judge is asked.
        source: the references of its arm.
        judged: ids of the items in scope.
    """
    chosen = [
        one
        for spec in found.systems
        for one in found.candidates[spec.system_id]
        if one.item.item_id in judged
    ]
    if protocol.task == "pairwise":
        return tuple(_pair_cases(chosen, protocol, source))
    return tuple(
        Case(
            candidate=one.candidate,
            prompt=one.prompt,
            settled=one.verdict,
            shows=source.shown_with(one.candidate),
        )
        for one in prepare(chosen, protocol, source.book)
    )


def _pair_cases(chosen: Sequence[Candidate], protocol: Protocol, source: Source) -> Iterator[Case]:
    orders = ORDERS if protocol.both_orders else ORDERS[:1]
    for one in prepare_pairs(_pairs(chosen), protocol, source.book):
        left, right = one.pair.left, one.pair.right
        shown = source.shown_with(left, right)
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
            shown = tuple((SHOWN_SYSTEM, system_id) for system_id in case.shows)
            yield replace(item, strata=(*item.strata, *shown))
