"""Families whose references are labels.  In: items.  Out: floors and balanced accuracies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import families
from finassay.analyses.estimates import Settings, points, silent
from finassay.analyses.kernels.evidence import balanced_accuracy, majority, recalls
from finassay.analyses.results_scores import BalancedAccuracy, MajorityFloor
from finassay.marking.matrix import VerdictMatrix
from finassay.records import Item

LABEL_TYPES = ("yes_no", "choice", "label")
MOST_LABELS = 5
FEWEST_ITEMS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelFamily:
    """A family whose references are labels, found once for all systems.

    Attributes:
        floor: what a constant answer would score.
        rows: (R,) whether the item is of the family, for all items.
        labels: reference label of each item of the family, in item order.
    """

    floor: MajorityFloor
    rows: NDArray[np.bool_]
    labels: tuple[str, ...]


def label_floors(items: Sequence[Item]) -> tuple[MajorityFloor, ...]:
    """Return the majority floor of every family whose references are labels."""
    return tuple(found.floor for found in label_families(items))


def label_families(items: Sequence[Item]) -> tuple[LabelFamily, ...]:
    """Return every family whose references are labels.

    A family counts when all its items declare a label type (yes_no, choice, label) or choices, or
    when at most 5 distinct references cover at least 20 items.  References are compared without
    case and without a final full stop.
    """
    found = []
    for family, mask in families(items):
        members = [item for item, inside in zip(items, mask, strict=True) if inside]
        if not _are_labelled(members):
            continue
        labels = tuple(_label(item) for item in members)
        counts = majority(labels)
        floor = MajorityFloor(
            family=family,
            label=counts[0][0],
            count=counts[0][1],
            n=len(members),
            value=counts[0][1] / len(members),
            labels=tuple(counts),
        )
        found.append(LabelFamily(floor=floor, rows=mask, labels=labels))
    return tuple(found)


def _label(item: Item) -> str:
    return (item.reference or "").strip().rstrip(".").casefold()


def _are_labelled(members: Sequence[Item]) -> bool:
    if any(item.reference is None for item in members):
        return False
    if all(item.contract.type in LABEL_TYPES or item.choices for item in members):
        return True
    return len(members) >= FEWEST_ITEMS and len({_label(i) for i in members}) <= MOST_LABELS


def balanced_accuracies(
    table: VerdictMatrix, column: int, *, labels: Sequence[LabelFamily], settings: Settings
) -> tuple[BalancedAccuracy, ...]:
    """Return one system's balanced accuracy on every label family, under the policy.

    `table` holds one row an item, in item order.
    """
    own = table.select(columns=[table.columns[column]])
    return tuple(_balanced(own, family, settings) for family in labels)


def _balanced(own: VerdictMatrix, family: LabelFamily, settings: Settings) -> BalancedAccuracy:
    values, counted = points(own, settings.policy)
    right, usable = values[family.rows, 0], counted[family.rows, 0]
    unanswered = silent(own.status[family.rows, 0])
    answered = own.scored[family.rows, 0]
    full = answered | unanswered
    per_label = recalls(family.labels, right, usable)
    best = balanced_accuracy(recalls(family.labels, np.where(unanswered, 1.0, right), full))
    worst = balanced_accuracy(recalls(family.labels, right, full))
    n = int(usable.sum())
    # Under "bounds" an unanswered item moves the accuracy, so that there is no single value.
    is_open = settings.policy == "bounds" and bool(unanswered.any())
    accuracy = float(right[usable].sum()) / n if n and not is_open else None
    return BalancedAccuracy(
        family=family.floor.family,
        value=None if is_open else balanced_accuracy(per_label),
        n=n,
        n_unscored=int(unanswered.sum()),
        policy=settings.policy,
        recalls=tuple(per_label),
        accuracy=accuracy,
        margin=None if accuracy is None else accuracy - family.floor.value,
        best=best,
        worst=worst,
    )
