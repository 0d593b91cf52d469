"""Printed numbers that cannot be.  In: reported scores.  Out: cells, totals and rows in doubt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from finassay.analyses.kernels.printed import (
    Printed,
    chance_of_grid,
    possible_counts,
    read_printed,
    weighted_range,
)
from finassay.analyses.provenance.inputs import Section
from finassay.analyses.provenance.results import (
    Check,
    FindingKind,
    Measure,
    ProvenanceFinding,
)
from finassay.analyses.wording import listed, plural, some
from finassay.records import ReportedScore

GRID_ALPHA = 1e-4
"""Level over the rows of a table at which a row is said to be rounded on another grid."""

FEWEST_CELLS = 3
WITNESSES = 20

_NOT_A_SHARE = re.compile(
    r"\b(?:ci|interval|low|lower|high|upper|bound|kappa|alpha|rank|p|f1|mcc|bleu|rouge|average|avg|"
    r"mean|std|sd|stderr|error bar|margin|delta|diff(?:erence)?)\b",
    re.IGNORECASE,
)
"""Columns that are no share of right answers, whatever n stands beside them."""

_NO_SYSTEM = re.compile(r"^(?:average|avg|mean|median|std|sd|min|max)\b", re.IGNORECASE)
"""Rows that sum up others; rows are names, in which any word may stand."""

_TOTAL = re.compile(r"^(?:overall|total|all(?: items)?|full)$", re.IGNORECASE)

_METHODS: Mapping[FindingKind, str] = {
    "impossible_number": (
        "no count of right answers among the n items gives the printed digits, by rounding or by "
        "cutting them off, while most other numbers over n in the table are possible"
    ),
    "total_mismatch": (
        "the total lies outside all means of the parts, weighted by their items, that rounding "
        "allows; without item numbers, outside the mean that fits the other rows of the table"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One printed number of a table."""

    row: str
    column: str
    text: str
    number: Printed
    n: int | None
    is_percent: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedTable:
    """The numbers of one printed table.

    Attributes:
        source: where it is printed.
        name: its name there.
        cells: its numbers, in the order of the source.
    """

    source: str
    name: str
    cells: tuple[Cell, ...]

    @property
    def title(self) -> str:
        """The table in words."""
        return f"{self.source}, {self.name}"


def printed_tables(
    reported: Iterable[ReportedScore], sizes: Mapping[str, int] | None = None
) -> tuple[PrintedTable, ...]:
    """Return the printed tables of a study; scores of other units than fractions are left out.

    Args:
        reported: printed scores, with their digits.
        sizes: column -> items, where the scores do not say.
    """
    known = sizes or {}
    tables: dict[tuple[str, str], list[Cell]] = {}
    for score in reported:
        number = read_printed(score.printed)
        if number is None or score.unit != "fraction":
            continue
        cell = Cell(
            row=score.row,
            column=score.column,
            text=score.printed,
            number=number,
            n=score.n if score.n is not None else known.get(score.column),
            is_percent=abs(number.value - Fraction(str(score.value)) * 100) < Fraction(1, 1000),
        )
        tables.setdefault((score.source, score.table), []).append(cell)
    return tuple(
        PrintedTable(source=source, name=name, cells=tuple(cells))
        for (source, name), cells in tables.items()
    )


def check_numbers(tables: Sequence[PrintedTable]) -> Iterator[Section]:
    """Yield printed numbers that no count gives, totals that do not fit, rows on another grid."""
    cells = [cell for table in tables for cell in table.cells]
    impossible = [found for table in tables for found in _impossible(table)]
    yield _section("impossible_number", len(_shares(cells)), "numbers with n", impossible)
    totals = [found for table in tables for found in _totals(table)]
    n_totals = sum(bool(_TOTAL.match(cell.column.strip())) for cell in cells)
    yield _section("total_mismatch", n_totals, "totals", totals)
    grids = [found for table in tables for found in _grids(table, tables)]
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
        if cell.n
        and not _NOT_A_SHARE.search(cell.column)
        and not _NO_SYSTEM.search(cell.row.strip())
    ]


def _is_possible(cell: Cell) -> bool:
    return bool(possible_counts(cell.number, cell.n or 1, scale=100 if cell.is_percent else 1))


def _impossible(table: PrintedTable) -> Iterator[ProvenanceFinding]:
    shares = _shares(table.cells)
    bad = [cell for cell in shares if not _is_possible(cell)]
    # Where most numbers of a table are no counts of their n, they are no shares of right answers.
    if not bad or 2 * len(bad) > len(shares):
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
    by_row: dict[str, list[Cell]] = {}
    for cell in table.cells:
        by_row.setdefault(cell.row, []).append(cell)
    unsized: dict[str, tuple[Cell, list[Cell]]] = {}
    for row, cells in by_row.items():
        for total in (cell for cell in cells if _TOTAL.match(cell.column.strip())):
            parts = [c for c in cells if c is not total and not _NOT_A_SHARE.search(c.column)]
            sizes = sum(c.n or 0 for c in parts)
            if all(c.n for c in parts) and len(parts) > 1 and (total.n in (None, sizes)):
                wrong += _outside(total, parts)
            elif len(parts) > 1 and not any(c.n for c in parts):
                unsized[row] = total, parts
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


def _outside(total: Cell, parts: Sequence[Cell]) -> list[tuple[Cell, str, float]]:
    low, high = weighted_range([(cell.number, cell.n or 0) for cell in parts])
    half = total.number.half
    least, most = total.number.value - half, total.number.value + half
    if most >= low and least <= high:
        return []
    digits = total.number.decimals + 1
    text = f"but the parts give {float(low):.{digits}f} to {float(high):.{digits}f}"
    return [(total, text, float(max(low - most, least - high)))]


def _misfits(rows: Mapping[str, tuple[Cell, list[Cell]]]) -> list[tuple[Cell, str, float]]:
    """Return the totals that leave the one weighted mean which the other rows have in common.

    The weights are least squares, which a wrong row pulls on; they are found again without the rows
    that stick out, and believed only where they fit the rest within rounding.
    """
    columns = {tuple(c.column for c in parts) for _, parts in rows.values()}
    if len(columns) != 1 or len(rows) < len(next(iter(columns))) + FEWEST_CELLS:
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
    if kept.sum() < parts.shape[1] + FEWEST_CELLS or (weights < -0.01).any():
        return []
    fitted = parts @ weights
    return [
        (rows[name][0], f"but the mean that fits the other rows is {fitted[i]:.2f}", float(gaps[i]))
        for i, name in enumerate(names)
        if not kept[i] and gaps[i] > 5.0 * unit
    ]


def _by_row(table: PrintedTable) -> dict[str, list[Cell]]:
    by_row: dict[str, list[Cell]] = {}
    for cell in table.cells:
        if not _NO_SYSTEM.search(cell.row.strip()):
            by_row.setdefault(cell.row, []).append(cell)
    return by_row


def _whole(cells: Iterable[Cell]) -> int:
    return sum(cell.number.significant_decimals == 0 for cell in cells)


def _elsewhere(
    table: PrintedTable, tables: Sequence[PrintedTable], odd: Sequence[str]
) -> Iterator[str]:
    """Yield what other tables of the source say of rows that are odd in this one."""
    for other in tables:
        if other.source == table.source and other.name != table.name:
            own = [_by_row(other).get(row, []) for row in odd]
            if all(own) and all(_whole(cells) == len(cells) for cells in own):
                n = plural(len(own[0]), "number")
                yield f"; in {other.name} too, all {n} of each of these rows are whole"


def _grids(table: PrintedTable, tables: Sequence[PrintedTable]) -> Iterator[ProvenanceFinding]:
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
