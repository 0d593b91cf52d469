"""Families whose references are labels.  In: items.  Out: floors and balanced accuracies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from finassay.analyses.alignment import families
from finassay.analyses.kernels.evidence import balanced_accuracy, majority, recalls
from finassay.analyses.results_scores import BalancedAccuracy, MajorityFloor
from finassay.marking.matrix import SCORED, VerdictMatrix
from finassay.records import Item

LABEL_TYPES = ("yes_no", "choice", "label")
MOST_LABELS = 5
FEWEST_ITEMS = 20


def label_floors(items: Sequence[Item]) -> tuple[MajorityFloor, ...]:
    """Return the majority floor of every family whose references are labels.

    A family counts when all its items declare a label type (yes_no, choice, label) or choices, or
    when at most 5 distinct references cover at least 20 items.  References are compared without
    case and without a final full stop.
    """
    floors = []
    for family, mask in families(items):
        members = [item for item, inside in zip(items, mask, strict=True) if inside]
        if not _are_labelled(members):
            continue
        counts = majority(_label(item) for item in members)
        floors.append(
            MajorityFloor(
                family=family,
                label=counts[0][0],
                count=counts[0][1],
                n=len(members),
                value=counts[0][1] / len(members),
                labels=tuple(counts),
            )
        )
    return tuple(floors)


def _label(item: Item) -> str:
    return (item.reference or "").strip().rstrip(".").casefold()


def _are_labelled(members: Sequence[Item]) -> bool:
    if any(item.reference is None for item in members):
        return False
    if all(item.contract.type in LABEL_TYPES or item.choices for item in members):
        return True
    return len(members) >= FEWEST_ITEMS and len({_label(i) for i in members}) <= MOST_LABELS


def balanced_accuracies(
    table: VerdictMatrix, column: int, *, items: Sequence[Item], floors: Sequence[MajorityFloor]
) -> tuple[BalancedAccuracy, ...]:
    """Return one system's balanced accuracy on every label family, over its scored verdicts.

    `table` holds one row an item, in item order.
    """
    return tuple(_balanced(table, column, items=items, floor=floor) for floor in floors)


def _balanced(
    table: VerdictMatrix, column: int, *, items: Sequence[Item], floor: MajorityFloor
) -> BalancedAccuracy:
    rows = np.array([item.family == floor.family for item in items], dtype=bool)
    labels = [_label(item) for item in items if item.family == floor.family]
    usable = np.asarray(table.status[rows, column] == SCORED)
    per_label = recalls(labels, table.values[rows, column], usable)
    n = sum(count for _, _, count in per_label)
    accuracy = sum(right for _, right, _ in per_label) / n if n else None
    margin = None if accuracy is None or floor.value is None else accuracy - floor.value
    return BalancedAccuracy(
        family=floor.family,
        value=balanced_accuracy(per_label),
        n=n,
        recalls=tuple(per_label),
        accuracy=accuracy,
        margin=margin,
    )
