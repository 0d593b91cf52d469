"""F1 and the Matthews correlation of labels.  In: confusion counts.  Out: exact or plain numbers.

Two choices move these numbers and are always declared: which labels F1 averages over, and what a
missing label is for the Matthews correlation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Literal, get_args

from finassay.errors import UsageError

LabelSet = Literal["golds", "union", "choices"]
"""golds: labels that some reference has (as FLARE); union: also those predicted, and the missing
label if some item has none (as scikit-learn without `labels`); choices: the whole card."""

Missing = Literal["class", "dropped"]
"""class: no label is a class of its own (as FLARE, which maps it to -1); dropped: such items
leave the Matthews correlation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """What F1 and the Matthews correlation need of references and predictions.

    Attributes:
        right: items of each label that were predicted as it.
        golds: items with each label as reference.
        predicted: items predicted as each label.
        missing: items without a predicted label.
    """

    right: tuple[int, ...]
    golds: tuple[int, ...]
    predicted: tuple[int, ...]
    missing: int

    @property
    def n(self) -> int:
        """Items."""
        return sum(self.golds)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelScores:
    """F1 and the Matthews correlation of one reading.

    Attributes:
        rule: scorer id.
        weighted_f1: mean of the labels' F1, weighted by their references.
        macro_f1: mean of the labels' F1.
        mcc: Matthews correlation for several classes (Gorodkin 2004); 0 where one side is
            constant; None when no item is left.
        label_set: labels that F1 averages over.
        missing: what an item without a label is for the Matthews correlation.
    """

    rule: str
    weighted_f1: float
    macro_f1: float
    mcc: float | None
    label_set: LabelSet
    missing: Missing


def confusion(golds: Sequence[int], predictions: Sequence[int | None], n_labels: int) -> Confusion:
    """Return the counts of references and predictions, both as places among `n_labels` labels."""
    right, gold_counts, predicted = ([0] * n_labels for _ in range(3))
    missing = 0
    for gold, found in zip(golds, predictions, strict=True):
        gold_counts[gold] += 1
        if found is None:
            missing += 1
            continue
        predicted[found] += 1
        right[gold] += found == gold
    return Confusion(
        right=tuple(right),
        golds=tuple(gold_counts),
        predicted=tuple(predicted),
        missing=missing,
    )


def label_f1(right: int, golds: int, predicted: int) -> Fraction:
    """Return 2 right / (golds + predicted); 0 for a label that stands on neither side."""
    return Fraction(2 * right, golds + predicted) if golds + predicted else Fraction(0)


def require_conventions(label_set: str, missing: str) -> None:
    """Check the two conventions.

    Raises:
        UsageError: one is unknown.
    """
    for field, value, allowed in (
        ("label_set", label_set, get_args(LabelSet)),
        ("missing", missing, get_args(Missing)),
    ):
        if value not in allowed:
            raise UsageError(f"`{field}` must be one of {allowed}, got {value!r}")


def f1_scores(counts: Confusion, label_set: LabelSet = "golds") -> tuple[Fraction, Fraction]:
    """Return weighted and macro F1, exactly.

    Raises:
        UsageError: there are no items, or the label set is unknown.
    """
    require_conventions(label_set, "class")
    if not counts.n:
        raise UsageError("F1 needs at least one item, got none")
    rows = list(zip(counts.right, counts.golds, counts.predicted, strict=True))
    if label_set == "golds":
        rows = [row for row in rows if row[1]]
    elif label_set == "union":
        rows = [row for row in rows if row[1] or row[2]]
        rows += [(0, 0, counts.missing)] if counts.missing else []
    scores = [label_f1(*row) for row in rows]
    weighted = sum((row[1] * f1 for row, f1 in zip(rows, scores, strict=True)), Fraction(0))
    return weighted / counts.n, sum(scores, Fraction(0)) / len(scores)


def mcc(
    golds: Sequence[int],
    predictions: Sequence[int | None],
    n_labels: int,
    missing: Missing = "class",
) -> float | None:
    """Return the Matthews correlation for several classes, in [-1, 1].

    With s items, c of them right, t and p the counts of each class among references and
    predictions: (c s - sum p t) / sqrt((s^2 - sum p^2) (s^2 - sum t^2)).  0 where the root is 0,
    as scikit-learn; None without items.  Source: Gorodkin, Comput. Biol. Chem. 28 (2004) 367.
    """
    require_conventions("golds", missing)
    if missing == "dropped":
        kept = [
            (gold, found)
            for gold, found in zip(golds, predictions, strict=True)
            if found is not None
        ]
        golds, predictions = [gold for gold, _ in kept], [found for _, found in kept]
    return mcc_of(confusion(golds, predictions, n_labels))


def mcc_of(counts: Confusion) -> float | None:
    """Return the Matthews correlation of counts, missing items as a class of their own."""
    n = counts.n
    if not n:
        return None
    cross = sum(p * t for p, t in zip(counts.predicted, counts.golds, strict=True))
    predicted = n * n - sum(p * p for p in counts.predicted) - counts.missing**2
    golds = n * n - sum(t * t for t in counts.golds)
    if not predicted or not golds:
        return 0.0
    return (sum(counts.right) * n - cross) / sqrt(predicted * golds)


def label_scores(
    rule: str,
    golds: Sequence[int],
    predictions: Sequence[int | None],
    n_labels: int,
    *,
    label_set: LabelSet = "golds",
    missing: Missing = "class",
) -> LabelScores:
    """Return F1 and the Matthews correlation of a reading under declared conventions."""
    weighted, macro = f1_scores(confusion(golds, predictions, n_labels), label_set)
    return LabelScores(
        rule=rule,
        weighted_f1=float(weighted),
        macro_f1=float(macro),
        mcc=mcc(golds, predictions, n_labels, missing),
        label_set=label_set,
        missing=missing,
    )
