"""Rows rounded on another grid than their neighbours.  In: printed tables.  Out: odd rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from finassay.analyses.kernels.printed import chance_of_grid
from finassay.analyses.provenance.printed_tables import Cell, PrintedTable, sums_up
from finassay.analyses.provenance.results import Measure, ProvenanceFinding
from finassay.analyses.wording import listed, plural, some

FEWEST_CELLS = 3
WITNESSES = 20

GRID_ALPHA = 1e-4
"""Level over the rows of a table at which a row is said to be rounded on another grid."""


def _by_row(table: PrintedTable) -> dict[str, list[Cell]]:
    by_row: dict[str, list[Cell]] = {}
    for cell in table.cells:
        if not sums_up(cell.row):
            by_row.setdefault(cell.row, []).append(cell)
    return by_row


def _whole(cells: Iterable[Cell]) -> int:
    return sum(cell.number.significant_decimals == 0 for cell in cells)


def _elsewhere(
    table: PrintedTable, tables: Sequence[PrintedTable], odd: Sequence[str]
) -> Iterator[str]:
    """Yield what other tables say of rows that are odd in this one."""
    for other in tables:
        if other.title != table.title:
            own = [_by_row(other).get(row, []) for row in odd]
            if all(own) and all(_whole(cells) == len(cells) for cells in own):
                n = plural(len(own[0]), "number")
                yield f"; in {other.name} too, all {n} of each of these rows are whole"


def odd_grids(table: PrintedTable, tables: Sequence[PrintedTable]) -> Iterator[ProvenanceFinding]:
    """Yield the rows of a table that hold more coarse numbers than the others' rate allows.

    Args:
        table: the table.
        tables: all tables, to say what others print in these rows.
    """
    by_row = _by_row(table)
    digits = max((cell.number.decimals for cell in table.cells), default=0)
    coarse = {
        row: sum(cell.number.significant_decimals < digits for cell in cells)
        for row, cells in by_row.items()
    }
    whole = {row: _whole(cells) for row, cells in by_row.items()}
    if digits == 0 or len(by_row) < FEWEST_CELLS:
        return
    odd = _odd_rows(by_row, whole) or _odd_rows(by_row, coarse)
    if not odd:
        return
    worst = max(p for _, p in odd)
    told = [
        f"{row}: {whole[row]} of {plural(len(by_row[row]), 'number')} are whole"
        if whole[row] == len(by_row[row])
        else f"{row}: {coarse[row]} of {plural(len(by_row[row]), 'number')} have fewer digits"
        for row, _ in odd
    ]
    others = [row for row in by_row if row not in {name for name, _ in odd}]
    rest = sum(whole[row] for row in others)
    cells = sum(len(by_row[row]) for row in others)
    yield ProvenanceFinding(
        kind="rounding_grid",
        severity="medium",
        title=f"{table.title}: {plural(len(odd), 'row')} rounded on another grid than the rest",
        systems=tuple(row for row, _ in odd),
        evidence=(
            f"{listed(told)}; of the other rows, {rest} of {plural(cells, 'number')} are whole"
            f"{''.join(_elsewhere(table, tables, [row for row, _ in odd]))}"
        ),
        advice=(
            f"treat the scores of {some(row for row, _ in odd)} as coarse: they may come from a "
            f"smaller sample, or from another hand"
        ),
        measures=tuple(Measure(name=f"{row}: whole numbers", value=whole[row]) for row, _ in odd),
        p=worst,
        witnesses=tuple(told[:WITNESSES]),
        n_witnesses=len(odd),
        false_alarm_rate=GRID_ALPHA,
    )


def _odd_rows(
    by_row: Mapping[str, Sequence[Cell]], coarse: Mapping[str, int]
) -> list[tuple[str, float]]:
    """Return the rows with too many coarse cells, with p over all rows.

    Rows at least as coarse are left out of the rate of the others, so that odd rows do not hide
    each other; where a quarter of the rows is as coarse, that is how the table is printed.
    """
    shares = {row: coarse[row] / len(cells) for row, cells in by_row.items()}
    odd = []
    for row, cells in by_row.items():
        finer = [other for other in by_row if shares[other] < shares[row]]
        if len(cells) < FEWEST_CELLS or 4 * (len(by_row) - len(finer)) > max(len(by_row), 4):
            continue
        p = len(by_row) * chance_of_grid(
            coarse[row],
            len(cells),
            sum(coarse[other] for other in finer),
            sum(len(by_row[other]) for other in finer),
        )
        if p < GRID_ALPHA:
            odd.append((row, p))
    return odd
