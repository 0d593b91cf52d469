"""Matrices and items side by side.  In: a VerdictMatrix and items.  Out: one row an item."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.estimates import points
from finassay.errors import MarkingError, UsageError
from finassay.marking.matrix import ABSENT, VerdictMatrix
from finassay.records import DIFFICULTY_ORDER, Item, Unscored


def aligned(matrix: VerdictMatrix, items: Sequence[Item]) -> VerdictMatrix:
    """Return the matrix with exactly one row an item, in item order; ABSENT where it had none.

    Raises:
        UsageError: the rows are not items, so that trials or repeats would be averaged in passing.
        MarkingError: the matrix holds verdicts for items that are not among `items`.
    """
    require_items(matrix)
    if matrix.rows == tuple((item.item_id,) for item in items):
        # Nothing to move: ten million cells would be copied for each analysis.
        return matrix
    at = {row[0]: i for i, row in enumerate(matrix.rows)}
    known = {item.item_id for item in items}
    unknown = [name for name in at if name not in known]
    if unknown:
        raise MarkingError(
            f"the matrix holds verdicts for {len(unknown)} items that are not among the "
            f"{len(items)} items given, for instance {unknown[0]!r}; pass the items of the study "
            f"or select the rows"
        )
    rows = np.array([at.get(item.item_id, -1) for item in items], dtype=np.int64)
    found = np.flatnonzero(rows >= 0)
    values = np.zeros((len(items), len(matrix.columns)))
    status = np.full(values.shape, ABSENT, dtype=np.int8)
    values[found], status[found] = matrix.values[rows[found]], matrix.status[rows[found]]
    return VerdictMatrix(
        values=values,
        status=status,
        row_names=("item_id",),
        rows=tuple((item.item_id,) for item in items),
        column_name=matrix.column_name,
        columns=matrix.columns,
    )


def require_items(matrix: VerdictMatrix) -> None:
    """Check that the rows of a matrix are items.

    Raises:
        UsageError: the row axes are others than ("item_id",).
    """
    if matrix.row_names != ("item_id",):
        raise UsageError(
            f"this analysis needs a matrix with the row axis ('item_id',), got "
            f"{matrix.row_names!r}; choose one trial or repeat before asking"
        )


def complete_columns(matrix: VerdictMatrix) -> tuple[str, ...]:
    """Return the columns with a verdict (of any status) in every row, in column order."""
    full = (matrix.status != ABSENT).all(axis=0)
    return tuple(name for name, whole in zip(matrix.columns, full, strict=True) if whole)


def rankable(matrix: VerdictMatrix, policy: Unscored) -> tuple[str, ...]:
    """Return the columns that can be ranked under a policy, in column order.

    They hold a verdict (of any status) in every row, and at least one that counts under the policy:
    a column of nothing but failed verdicts has no score, and under "exclude" neither has a column
    without a single answer.
    """
    _, counted = points(matrix, policy)
    some = np.asarray(counted.any(axis=0))
    whole = set(complete_columns(matrix))
    return tuple(
        name for name, counts in zip(matrix.columns, some, strict=True) if counts and name in whole
    )


def strata(
    items: Sequence[Item], key: Callable[[Item], str]
) -> tuple[tuple[str, NDArray[np.bool_]], ...]:
    """Return (stratum, (R,) mask) in order of first appearance; items without one are left out."""
    names = [key(item) for item in items]
    labels = np.asarray(names, dtype=object)
    return tuple((name, labels == name) for name in dict.fromkeys(names) if name)


def families(items: Sequence[Item]) -> tuple[tuple[str, NDArray[np.bool_]], ...]:
    """Return the families of the items with their masks."""
    return strata(items, lambda item: item.family)


def difficulties(items: Sequence[Item]) -> tuple[tuple[str, NDArray[np.bool_]], ...]:
    """Return the difficulties of the items with their masks; easy, medium, hard in that order."""
    found = strata(items, lambda item: item.difficulty)
    place = {name: at for at, name in enumerate(DIFFICULTY_ORDER)}
    return tuple(sorted(found, key=lambda pair: place.get(pair[0].casefold(), len(place))))
