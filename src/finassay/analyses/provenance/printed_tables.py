"""Printed tables.  In: reported scores.  Out: their numbers as printed, table by table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from finassay.analyses.kernels.printed import Printed, read_printed
from finassay.records import ReportedScore

_NO_SYSTEM = re.compile(r"^(?:average|avg|mean|median|std|sd|min|max)\b", re.IGNORECASE)
"""Rows that sum up others; rows are names, in which any word may stand."""


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


def sums_up(row: str) -> bool:
    """Whether a row sums up others, as an average does."""
    return bool(_NO_SYSTEM.search(row.strip()))
