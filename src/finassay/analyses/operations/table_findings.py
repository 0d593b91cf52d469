"""What is odd about printed scores.  In: cells of the tables.  Out: findings with counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import gcd

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from finassay.analyses.kernels.printed import Printed
from finassay.analyses.operations.results import TableFinding
from finassay.analyses.operations.sheet import Columns
from finassay.analyses.provenance.grids import odd_grids
from finassay.analyses.provenance.printed_tables import Cell, PrintedTable
from finassay.analyses.wording import fixed, plural

Floats = NDArray[np.float64]
Cells = Mapping[tuple[str, str], Decimal]

MOST_PARTS = 200
"""Largest number of parts that whole weights of groups are looked for in."""


def table_findings(
    cells: Cells, systems: Sequence[str], columns: Columns, groups: Sequence[str]
) -> tuple[TableFinding, ...]:
    """Return what a reader of the printed numbers must know.

    Args:
        cells: (system, column) -> number.
        systems: names.
        columns: what the columns are.
        groups: columns beside the knowledge score, which it may be a mean of.
    """
    found = [*_grids(cells, systems, columns)]
    table = group_table(cells, systems, columns.knowledge, groups)
    if table is not None:
        found.append(_groups(columns.knowledge, groups, table))
    return tuple(found)


def _grids(cells: Cells, systems: Sequence[str], columns: Columns) -> list[TableFinding]:
    table = PrintedTable(
        source="the tables",
        name="operations",
        cells=tuple(
            _cell(system, column, cells[system, column])
            for system in systems
            for column in columns.operations
            if (system, column) in cells
        ),
    )
    return [
        TableFinding(
            title=f"{plural(len(one.systems), 'row')} rounded on another grid than the rest",
            systems=one.systems,
            evidence=one.evidence,
            advice=one.advice,
        )
        for one in odd_grids(table, (table,))
    ]


def _cell(system: str, column: str, number: Decimal) -> Cell:
    exponent = number.as_tuple().exponent
    decimals = max(0, -exponent) if isinstance(exponent, int) else 0
    return Cell(
        row=system,
        column=column,
        text=str(number),
        number=Printed(Fraction(number), decimals),
        n=None,
        is_percent=True,
    )


def group_table(
    cells: Cells, systems: Sequence[str], knowledge: str, groups: Sequence[str]
) -> tuple[Floats, Floats, Floats] | None:
    """Return (M, G) groups, (M,) knowledge, and (1,) what rounding may hide; None if too small.

    Rounding may hide half a unit of the last digit of the knowledge score, and as much of a mean of
    group scores.
    """
    wanted = (*groups, knowledge)
    rows = [name for name in systems if all((name, column) in cells for column in wanted)]
    if len(groups) < 2 or len(rows) <= len(groups):
        return None
    table = np.array([[float(cells[name, column]) for column in wanted] for name in rows])
    digits = [_cell(name, c, cells[name, c]).number.decimals for name in rows for c in wanted]
    return table[:, :-1], table[:, -1], np.array([10.0 ** -max(digits)])


def whole_weights(groups: Floats, whole: Floats, slack: float) -> tuple[int, ...] | None:
    """Return the smallest whole weights of (M, G) groups whose means give the (M,) whole.

    They start from the least squares without negative weights (Lawson and Hanson, 1974); a row may
    be off by `slack`, as rounding allows.  None when no such weights with at most `MOST_PARTS`
    parts are near the fit.
    """
    fit = nnls(groups, whole)[0]
    for parts in range(groups.shape[1], MOST_PARTS + 1):
        weights = np.rint(fit / fit.sum() * parts).astype(np.int64)
        if weights.sum() != parts:
            continue
        off = np.abs(groups @ weights / parts - whole).max()
        if off <= slack + 1e-9:
            shared = gcd(*weights.tolist())
            return tuple(int(weight) // shared for weight in weights)
    return None


def _groups(
    knowledge: str, names: Sequence[str], table: tuple[Floats, Floats, Floats]
) -> TableFinding:
    groups, whole, slack = table
    off = float(np.abs(groups.mean(axis=1) - whole).max())
    weights = whole_weights(groups, whole, float(slack[0]))
    if off <= slack[0] + 1e-9:
        title = f"`{knowledge}` is the mean of the {len(names)} group columns"
    else:
        title = f"`{knowledge}` is not the mean of the {len(names)} group columns"
    said = f"the mean of {', '.join(names)} is off by up to {fixed(off, 2)}"
    if weights is not None:
        ratio = ":".join(map(str, weights))
        said += (
            f"; weights {ratio} give every row within {slack[0]:g}, which is what rounding allows"
        )
    else:
        said += "; no small whole weights give it within rounding"
    return TableFinding(
        title=title,
        systems=(),
        evidence=f"over {plural(len(whole), 'row')}, {said}",
        advice=f"use `{knowledge}` itself as the knowledge score, not a mean of the groups",
    )
