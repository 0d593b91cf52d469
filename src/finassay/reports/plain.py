"""Tables and sentences for a terminal.  In: a table or a text.  Out: lines of text."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable

from finassay.reports import numbers as num
from finassay.reports.table import Table

GAP = "  "


def _width(text: str) -> int:
    """Return the columns that a text takes: wide characters take two, marks none."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def table_lines(table: Table) -> list[str]:
    """Return a table as lines: caption, header, rows, notes."""
    heads = tuple(column.header for column in table.columns)
    widths = [max(map(_width, cells)) for cells in zip(heads, *table.rows, strict=True)]

    def line(cells: Iterable[str]) -> str:
        shown = []
        for cell, width, column in zip(cells, widths, table.columns, strict=True):
            pad = " " * (width - _width(cell))
            shown.append(pad + cell if column.align == "right" else cell + pad)
        return GAP.join(shown).rstrip()

    rule = GAP.join("-" * width for width in widths)
    out = [table.caption, "", line(heads), rule]
    for index, row in enumerate(table.rows):
        if index in table.breaks:
            out.append("")
        out.append(line(row))
    return [*out, *([""] if table.notes else []), *table.notes]


def joined_lines(tables: Iterable[Table]) -> list[str]:
    """Return several tables as lines, an empty one between two."""
    out: list[str] = []
    for table in tables:
        out += ["", *table_lines(table)] if out else table_lines(table)
    return out


def wrapped(text: str, width: int, lead: str = "") -> list[str]:
    """Return a text as lines of at most this width; all but the first are indented by two."""
    return textwrap.wrap(num.clean(text), width, initial_indent=lead, subsequent_indent=f"{lead}  ")
