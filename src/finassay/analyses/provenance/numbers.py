"""Printed numbers that cannot be.  In: reported scores.  Out: cells, totals and rows in doubt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np

from finassay.analyses.kernels.printed import possible_counts, weighted_range
from finassay.analyses.provenance.grids import GRID_ALPHA, odd_grids
from finassay.analyses.provenance.inputs import Section
from finassay.analyses.provenance.printed_tables import Cell, PrintedTable, sums_up
from finassay.analyses.provenance.results import (
    Check,
    FindingKind,
    Measure,
    ProvenanceFinding,
)
from finassay.analyses.wording import plural

FEWEST_SHARES = 4
"""Numbers with n that can show that a table holds no shares of right answers."""

FEWEST_SPARE = 3
"""Rows beyond the number of weights, without which weights always fit."""

WITNESSES = 20

_NOT_A_SHARE = re.compile(
    r"\b(?:ci|interval|low|lower|high|upper|bound|kappa|alpha|rank|p|f1|mcc|bleu|rouge|average|avg|"
    r"mean|std|sd|stderr|error bar|margin|delta|diff(?:erence)?)\b",
    re.IGNORECASE,
)
"""Columns that are no share of right answers, whatever n stands beside them."""

_TOTAL = re.compile(r"^(?:overall|total|all(?: items)?|full)$", re.IGNORECASE)

_METHODS: Mapping[FindingKind, str] = {
    "impossible_number": (
        "no count of right answers among the n items gives the printed digits, by rounding or by "
        "cutting them off; not where that holds for most of four or more numbers of a table"
    ),
    "total_mismatch": (
        "the total lies outside all means of the parts, weighted by their items or plain, that "
        "rounding allows; without item numbers, outside the mean that fits the other rows"
    ),
    "rounding_grid": (
        "a row has more numbers with fewer digits than the table prints than the rate of the other "
        f"rows allows by a binomial count, p < {GRID_ALPHA:g} over the rows"
    ),
}

_RATES: Mapping[FindingKind, float] = {
    "impossible_number": 0.0,
    "total_mismatch": 0.0,
    "rounding_grid": GRID_ALPHA,
}


def check_numbers(tables: Sequence[PrintedTable]) -> Iterator[Section]:
    """Yield printed numbers that no count gives, totals that do not fit, rows on another grid."""
    cells = [cell for table in tables for cell in table.cells]
    impossible = [found for table in tables for found in _impossible(table)]
    yield _section("impossible_number", len(_shares(cells)), "numbers with n", impossible)
    totals = [found for table in tables for found in _totals(table)]
    n_totals = sum(bool(_TOTAL.match(cell.column.strip())) for cell in cells)
    yield _section("total_mismatch", n_totals, "totals", totals)
    grids = [found for table in tables for found in odd_grids(table, tables)]
    n_rows = len({(table.title, cell.row) for table in tables for cell in table.cells})
    yield _section("rounding_grid", n_rows, "rows of tables", grids)


def _section(kind: FindingKind, n: int, unit: str, found: list[ProvenanceFinding]) -> Section:
    check = Check(
        kind=kind,
        n=n,
        unit=unit,
        n_findings=len(found),
        method=_METHODS[kind],
        false_alarm_rate=_RATES[kind],
    )
    return Section(check, found)


def _shares(cells: Iterable[Cell]) -> list[Cell]:
    """Return the cells that are shares of right answers with a known number of items."""
    return [
        cell
        for cell in cells
        if cell.n and not _NOT_A_SHARE.search(cell.column) and not sums_up(cell.row)
    ]


def _is_possible(cell: Cell) -> bool:
    return bool(possible_counts(cell.number, cell.n or 1, scale=100 if cell.is_percent else 1))


def _impossible(table: PrintedTable) -> Iterator[ProvenanceFinding]:
    means = [total for total, parts in _totalled(table) if _fits(total, parts, plain=True)]
    shares = [cell for cell in _shares(table.cells) if cell not in means]
    bad = [cell for cell in shares if not _is_possible(cell)]
    # Where most of many numbers are no counts of their n, they are no shares of right answers.
    if not bad or (2 * len(bad) > len(shares) and len(shares) >= FEWEST_SHARES):
        return
    told = [f"{c.row}, {c.column}: {c.text} of {c.n}{_nearest(c)}" for c in bad]
    yield ProvenanceFinding(
        kind="impossible_number",
        severity="medium",
        title=f"{table.title} prints {plural(len(bad), 'number')} that no count gives",
        systems=tuple(dict.fromkeys(cell.row for cell in bad)),
        evidence=(
            f"{'; '.join(told[:WITNESSES])}; the other {len(shares) - len(bad)} numbers with n can "
            f"be"
        ),
        advice="ask for the counts: the digits, or the number of items, are wrong",
        measures=(
            Measure(name="numbers that no count gives", value=len(bad)),
            Measure(name="numbers with n", value=len(shares)),
        ),
        witnesses=tuple(told[:WITNESSES]),
        n_witnesses=len(bad),
    )


def _nearest(cell: Cell) -> str:
    """Return the two shares that stand nearest, for people to see the gap."""
    n, scale = cell.n or 1, 100 if cell.is_percent else 1
    k = int(cell.number.value * n / scale)
    ends = [
        f"{j} give {float(Fraction(scale * j, n)):.{cell.number.decimals + 1}f}"
        for j in (k, k + 1)
        if 0 <= j <= n
    ]
    return f" ({', '.join(ends)})"


def _totals(table: PrintedTable) -> Iterator[ProvenanceFinding]:
    wrong: list[tuple[Cell, str, float]] = []
    unsized: dict[str, tuple[Cell, list[Cell]]] = {}
    for total, parts in _totalled(table):
        sizes = sum(c.n or 0 for c in parts)
        if all(c.n for c in parts) and total.n in (None, sizes):
            wrong += _outside(total, parts)
        elif not any(c.n for c in parts):
            unsized[total.row] = total, parts
    wrong += _misfits(unsized)
    if not wrong:
        return
    told = [f"{c.row}, {c.column}: {c.text}, {text}" for c, text, _ in wrong]
    yield ProvenanceFinding(
        kind="total_mismatch",
        severity="medium",
        title=f"{table.title}: {plural(len(wrong), 'total')} that the parts do not give",
        systems=tuple(dict.fromkeys(cell.row for cell, _, _ in wrong)),
        evidence="; ".join(told[:WITNESSES]),
        advice="ask how the total was made, or compute it from the parts and their item numbers",
        measures=tuple(
            Measure(name=f"{c.row}: difference from the nearest possible total", value=gap)
            for c, _, gap in wrong
        ),
        witnesses=tuple(told[:WITNESSES]),
        n_witnesses=len(wrong),
    )


def _totalled(table: PrintedTable) -> Iterator[tuple[Cell, list[Cell]]]:
    """Yield each total of a row with the parts beside it, where there are two or more."""
    by_row: dict[str, list[Cell]] = {}
    for cell in table.cells:
        by_row.setdefault(cell.row, []).append(cell)
    for cells in by_row.values():
        for total in (cell for cell in cells if _TOTAL.match(cell.column.strip())):
            parts = [c for c in cells if c is not total and not _NOT_A_SHARE.search(c.column)]
            if len(parts) > 1:
                yield total, parts


def _range(parts: Sequence[Cell], *, plain: bool) -> tuple[Fraction, Fraction]:
    return weighted_range([(cell.number, 1 if plain else cell.n or 0) for cell in parts])


def _fits(total: Cell, parts: Sequence[Cell], *, plain: bool) -> bool:
    """Whether a total is a mean of its parts, weighted by items or plain, within rounding."""
    low, high = _range(parts, plain=plain)
    half = total.number.half
    return total.number.value + half >= low and total.number.value - half <= high


def _outside(total: Cell, parts: Sequence[Cell]) -> list[tuple[Cell, str, float]]:
    # A total may be a plain mean over the parts, which is its author's choice.
    if any(_fits(total, parts, plain=plain) for plain in (False, True)):
        return []
    low, high = _range(parts, plain=False)
    least, most = total.number.value - total.number.half, total.number.value + total.number.half
    digits = total.number.decimals + 1
    text = f"but the parts give {float(low):.{digits}f} to {float(high):.{digits}f}"
    return [(total, text, float(max(low - most, least - high)))]


def _misfits(rows: Mapping[str, tuple[Cell, list[Cell]]]) -> list[tuple[Cell, str, float]]:
    """Return the totals that leave the one weighted mean which the other rows have in common.

    The weights are least squares, which a wrong row pulls on; they are found again without the rows
    that stick out, and believed only where they fit the rest within rounding.
    """
    columns = {tuple(c.column for c in parts) for _, parts in rows.values()}
    if len(columns) != 1 or len(rows) < len(next(iter(columns))) + FEWEST_SPARE:
        return []
    names = list(rows)
    parts = np.array([[float(c.number.value) for c in rows[name][1]] for name in names])
    totals = np.array([float(rows[name][0].number.value) for name in names])
    unit = 2.0 * float(max(rows[name][0].number.half for name in names))
    kept = np.ones(len(names), dtype=np.bool_)
    gaps = np.zeros(len(names))
    for _ in range(len(names) // 4 + 1):
        weights = np.linalg.lstsq(parts[kept], totals[kept], rcond=None)[0]
        gaps = np.abs(totals - parts @ weights)
        if gaps[kept].max() <= 2.0 * unit:
            break
        kept[int(np.argmax(np.where(kept, gaps, -1.0)))] = False
    if gaps[kept].max() > 2.0 * unit or kept.sum() < 0.75 * len(names):
        return []
    if kept.sum() < parts.shape[1] + FEWEST_SPARE or (weights < -0.01).any():
        return []
    fitted = parts @ weights
    return [
        (rows[name][0], f"but the mean that fits the other rows is {fitted[i]:.2f}", float(gaps[i]))
        for i, name in enumerate(names)
        if not kept[i] and gaps[i] > 5.0 * unit
    ]
