"""The matrix view of verdicts.  In: verdicts with two named axes.  Out: labelled, masked arrays.

Analyses take this and nothing else.  It holds no frame, so everything above `marking` can be
written and tested with plain arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.errors import CellClashError, MarkingError
from finassay.records import STATUSES, Status

ABSENT = -1
"""Status code of a cell for which there is no verdict at all (a coverage gap)."""

STATUS_CODES: dict[Status, int] = {status: code for code, status in enumerate(STATUSES)}
SCORED = STATUS_CODES["scored"]

RIGHT = 0.5
"""Least value that counts as right wherever a graded verdict must be right or wrong."""


def is_right(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return where values count as right; what is unscored holds 0.0 and so never does."""
    return np.asarray(values >= RIGHT)


def _frozen(array: NDArray[np.generic]) -> None:
    array.flags.writeable = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class VerdictMatrix:
    """Verdicts as rows x columns: for instance items x systems for one scorer.

    Attributes:
        values: (R, C) float64 in [0, 1]; 0.0 wherever `status` is not scored, so read it through
            `scored` or `masked`.
        status: (R, C) int8; index into `records.STATUSES`, or `ABSENT`.
        row_names: names of the row axes, for instance ("item_id",).
        rows: R label tuples, one label per row axis, in row order.
        column_name: name of the column axis.
        columns: C labels, in column order.
    """

    values: NDArray[np.float64]
    status: NDArray[np.int8]
    row_names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    column_name: str
    columns: tuple[str, ...]

    def __post_init__(self) -> None:
        shape = (len(self.rows), len(self.columns))
        if self.values.shape != shape or self.status.shape != shape:
            raise MarkingError(
                f"a matrix of {shape[0]} rows x {shape[1]} columns got values of shape "
                f"{self.values.shape} and status of shape {self.status.shape}"
            )
        if len(set(self.rows)) != len(self.rows) or len(set(self.columns)) != len(self.columns):
            raise CellClashError("row labels and column labels of a matrix must each be unique")
        _frozen(self.values)
        _frozen(self.status)

    @property
    def scored(self) -> NDArray[np.bool_]:
        """(R, C) whether the cell holds a value."""
        return np.equal(self.status, SCORED)

    @property
    def masked(self) -> np.ma.MaskedArray[tuple[int, ...], np.dtype[np.float64]]:
        """(R, C) values with everything unscored masked."""
        return np.ma.MaskedArray(self.values, mask=~self.scored)

    @property
    def right(self) -> NDArray[np.bool_]:
        """(R, C) whether the cell holds a value that counts as right."""
        return self.scored & is_right(self.values)

    def labels(self, row_name: str) -> tuple[str, ...]:
        """Return the R labels of one row axis."""
        axis = self.row_names.index(row_name)
        return tuple(row[axis] for row in self.rows)

    def select(
        self,
        *,
        rows: Callable[[tuple[str, ...]], bool] | None = None,
        columns: Sequence[str] | None = None,
    ) -> VerdictMatrix:
        """Return the rows for which `rows` is true and the named columns, in the order given."""
        keep = [i for i, row in enumerate(self.rows) if rows is None or rows(row)]
        names = self.columns if columns is None else tuple(columns)
        where = [self.columns.index(name) for name in names]
        return VerdictMatrix(
            values=self.values[np.ix_(keep, where)],
            status=self.status[np.ix_(keep, where)],
            row_names=self.row_names,
            rows=tuple(self.rows[i] for i in keep),
            column_name=self.column_name,
            columns=names,
        )

    @classmethod
    def from_cells(
        cls,
        cells: Iterable[tuple[tuple[str, ...], str, Status, float | None]],
        *,
        row_names: tuple[str, ...],
        column_name: str,
    ) -> VerdictMatrix:
        """Build a matrix from (row labels, column label, status, value) in order of appearance.

        Raises:
            CellClashError: two verdicts fall into one cell.
        """
        listed = list(cells)
        row_at = {row: i for i, row in enumerate(dict.fromkeys(row for row, _, _, _ in listed))}
        col_at = {col: j for j, col in enumerate(dict.fromkeys(col for _, col, _, _ in listed))}
        values = np.zeros((len(row_at), len(col_at)))
        status = np.full((len(row_at), len(col_at)), ABSENT, dtype=np.int8)
        for row, col, state, value in listed:
            at = row_at[row], col_at[col]
            if status[at] != ABSENT:
                where = dict(zip((*row_names, column_name), (*row, col), strict=True))
                raise CellClashError(
                    f"two verdicts fall into one cell {where}; name the axis that tells them "
                    f"apart (trial, repeat, scorer_version) or filter it"
                )
            status[at] = STATUS_CODES[state]
            values[at] = 0.0 if value is None else value
        return cls(
            values=values,
            status=status,
            row_names=row_names,
            rows=tuple(row_at),
            column_name=column_name,
            columns=tuple(col_at),
        )
