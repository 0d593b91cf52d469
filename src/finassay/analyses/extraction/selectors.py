"""F1 and Matthews correlation over all selecting rules.  In: candidate sets.  Out: bounds.

The contested rate does not bound these scores: dead items and missing labels move false positives
too.  Items with one reference and one candidate set are alike, so a selector is known by how many
of each such group it reads as which label.  Where the outcomes are few enough they are all tried
("exact"); else every count is bounded by itself and the bounds are put together ("bound"), which
may be wider than what any selector attains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.extraction.candidates import CandidateTable
from finassay.analyses.extraction.f1 import LabelSet, Missing, require_conventions

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The least and greatest value of a score over all selectors.

    Attributes:
        low: least value; None when no item is left to score.
        high: greatest value.
        kind: "exact" when both are attained by a selector, "bound" when they need not be.
    """

    low: float | None
    high: float | None
    kind: Literal["exact", "bound"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectorBounds:
    """F1 and the Matthews correlation over all item-wise selectors of a cell.

    Attributes:
        weighted_f1: mean of the labels' F1 weighted by references.
        macro_f1: mean of the labels' F1.
        mcc: Matthews correlation.
        label_set: labels that F1 averages over.
        missing: what an item without a label is for the Matthews correlation.
        n_outcomes: distinct outcomes that were tried; None for bounds.
    """

    weighted_f1: Bounds
    macro_f1: Bounds
    mcc: Bounds
    label_set: LabelSet
    missing: Missing
    n_outcomes: int | None


@dataclass(frozen=True, slots=True)
class _Cell:
    """Counts that every selector shares, and the groups on which they differ."""

    golds: Counts
    right: Counts
    predicted: Counts
    missing: int
    groups: tuple[tuple[int, tuple[int, ...], int], ...]

    @property
    def n(self) -> int:
        return int(self.golds.sum())


def selector_bounds(
    table: CandidateTable,
    *,
    label_set: LabelSet = "golds",
    missing: Missing = "class",
    limit: int = 200_000,
) -> SelectorBounds:
    """Return the range of F1 and the Matthews correlation over all selectors of a cell.

    Args:
        table: candidate sets.
        label_set: labels that F1 averages over.
        missing: what an item without a label is for the Matthews correlation.
        limit: most outcomes to try one by one.

    Raises:
        UsageError: a convention is unknown.
    """
    require_conventions(label_set, missing)
    whole = _shared(table, covered_only=False)
    outcomes = _outcomes(whole, limit)
    for_mcc = whole if missing == "class" else _shared(table, covered_only=True)
    if outcomes is None:
        weighted, macro = _outer_f1(whole, label_set)
        correlation = _outer_mcc(for_mcc)
    else:
        weighted, macro = _tried_f1(whole, *outcomes, label_set)
        correlation = _tried_mcc(for_mcc, *outcomes)
    return SelectorBounds(
        weighted_f1=weighted,
        macro_f1=macro,
        mcc=correlation,
        label_set=label_set,
        missing=missing,
        n_outcomes=None if outcomes is None else len(outcomes[0]),
    )


def _shared(table: CandidateTable, *, covered_only: bool) -> _Cell:
    k = len(table.labels)
    golds, right, predicted = (np.zeros(k, dtype=np.int64) for _ in range(3))
    missing = 0
    groups: Counter[tuple[int, tuple[int, ...]]] = Counter()
    for gold, present in zip(table.golds, table.sets, strict=True):
        if covered_only and not present:
            continue
        golds[gold] += 1
        if not present:
            missing += 1
        elif len(present) == 1:
            predicted[present[0]] += 1
            right[gold] += present[0] == gold
        else:
            groups[gold, present] += 1
    listed = tuple((gold, present, size) for (gold, present), size in groups.items())
    return _Cell(golds, right, predicted, missing, listed)


def _outcomes(cell: _Cell, limit: int) -> tuple[Counts, Counts] | None:
    """Return every distinct (right, predicted), one a row; None when they exceed the limit."""
    right, predicted = cell.right[None, :], cell.predicted[None, :]
    for gold, present, size in cell.groups:
        ways = comb(size + len(present) - 1, len(present) - 1)
        if ways * len(right) > limit:
            return None
        spread = _compositions(size, len(present))
        add = np.zeros((ways, len(cell.golds)), dtype=np.int64)
        add[:, list(present)] = spread
        won = np.zeros_like(add)
        won[:, gold] = add[:, gold]
        k = add.shape[1]
        both = np.concatenate(
            [
                (right[:, None, :] + won[None]).reshape(-1, k),
                (predicted[:, None, :] + add[None]).reshape(-1, k),
            ],
            axis=1,
        )
        both = np.unique(both, axis=0)
        right, predicted = both[:, :k], both[:, k:]
    return right, predicted


def _compositions(total: int, parts: int) -> Counts:
    """Return all ways to write a total as a sum of `parts` counts, one a row (stars and bars)."""
    bars = np.array(list(combinations(range(total + parts - 1), parts - 1)), dtype=np.int64)
    bars = bars.reshape(-1, parts - 1)
    edge = np.full((len(bars), 1), -1, dtype=np.int64)
    return np.diff(np.concatenate([edge, bars, edge + total + parts], axis=1), axis=1) - 1


def _tried_f1(
    cell: _Cell, right: Counts, predicted: Counts, label_set: LabelSet
) -> tuple[Bounds, Bounds]:
    f1 = _ratio(2 * right, cell.golds + predicted)
    weighted = (f1 * cell.golds).sum(axis=1) / cell.n
    if label_set == "golds":
        counted = np.broadcast_to(cell.golds > 0, right.shape).sum(axis=1)
    elif label_set == "choices":
        counted = np.full(len(right), len(cell.golds))
    else:
        counted = ((cell.golds + predicted) > 0).sum(axis=1) + (cell.missing > 0)
    return _range(weighted), _range(f1.sum(axis=1) / counted)


def _tried_mcc(cell: _Cell, right: Counts, predicted: Counts) -> Bounds:
    n = cell.n
    if not n:
        return Bounds(low=None, high=None, kind="exact")
    cross = (predicted * cell.golds).sum(axis=1)
    spread = n * n - (predicted**2).sum(axis=1) - cell.missing**2
    root = np.sqrt(spread * float(n * n - (cell.golds**2).sum()))
    return _range(_ratio(right.sum(axis=1) * n - cross, root))


def _ratio(top: NDArray[np.number], bottom: NDArray[np.number]) -> Floats:
    made = np.zeros(np.broadcast_shapes(top.shape, bottom.shape))
    np.divide(top, bottom, out=made, where=bottom > 0)
    return made


def _range(values: Floats) -> Bounds:
    return Bounds(low=float(values.min()), high=float(values.max()), kind="exact")


def _extremes(cell: _Cell) -> tuple[Counts, Counts, Counts]:
    """Return per label how many right items and false positives the groups can add."""
    right_more, false_more = np.zeros_like(cell.golds), np.zeros_like(cell.golds)
    for gold, present, size in cell.groups:
        for label in present:
            (right_more if label == gold else false_more)[label] += size
    return right_more, false_more, cell.predicted - cell.right


def _outer_f1(cell: _Cell, label_set: LabelSet) -> tuple[Bounds, Bounds]:
    right_more, false_more, false = _extremes(cell)
    most, least = cell.right + right_more, cell.right
    low = _ratio(2 * least, cell.golds + least + false + false_more)
    high = _ratio(2 * most, cell.golds + most + false)
    fewest, greatest = _labels_counted(cell, right_more + false_more, label_set)
    return (
        _outer((low * cell.golds).sum() / cell.n, (high * cell.golds).sum() / cell.n, 0.0),
        _outer(low.sum() / greatest, high.sum() / fewest, 0.0),
    )


def _labels_counted(cell: _Cell, more: Counts, label_set: LabelSet) -> tuple[int, int]:
    if label_set == "choices":
        return len(cell.golds), len(cell.golds)
    surely = cell.golds > 0
    if label_set == "golds":
        return int(surely.sum()), int(surely.sum())
    surely = surely | (cell.predicted > 0)
    extra = int(cell.missing > 0)
    return int(surely.sum()) + extra, int((surely | (more > 0)).sum()) + extra


def _outer_mcc(cell: _Cell) -> Bounds:
    n = cell.n
    if not n:
        return Bounds(low=None, high=None, kind="bound")
    right_more, false_more, _ = _extremes(cell)
    correct = int(cell.right.sum())
    cross = int((cell.predicted * cell.golds).sum())
    least = cross + sum(size * min(_of(cell.golds, present)) for _, present, size in cell.groups)
    most = cross + sum(size * max(_of(cell.golds, present)) for _, present, size in cell.groups)
    top_low = correct * n - most
    top_high = (correct + int(right_more.sum())) * n - least
    golds = n * n - int((cell.golds**2).sum())
    lowest = cell.predicted
    highest = np.minimum(cell.predicted + right_more + false_more, n - cell.missing)
    spread_low = max(0, n * n - int((highest**2).sum()) - cell.missing**2)
    spread_high = n * n - int((lowest**2).sum()) - cell.missing**2
    low, high = _quotients(top_low, top_high, (spread_low * golds, spread_high * golds))
    return _outer(low, high, -1.0)


def _of(counts: Counts, present: Sequence[int]) -> list[int]:
    return [int(counts[label]) for label in present]


def _quotients(low: int, high: int, squares: tuple[int, int]) -> tuple[float, float]:
    small, large = sqrt(squares[0]), sqrt(squares[1])
    if not large:
        return 0.0, 0.0
    if not small:  # a constant prediction scores 0, and near it the quotient can be anything
        return (-1.0 if low < 0 else 0.0), (1.0 if high > 0 else 0.0)
    return low / (small if low < 0 else large), high / (large if high < 0 else small)


def _outer(low: float, high: float, least: float) -> Bounds:
    return Bounds(low=max(least, float(low)), high=min(1.0, float(high)), kind="bound")
