"""Errors by category as tables.  In: an attribution.  Out: tables."""

from __future__ import annotations

from finassay.analyses.results import Attribution
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, lefts, rights
from finassay.reports.tables_configuration import rate_text


def attribution_tables(found: Attribution) -> list[Table]:
    """Return errors by category, what the judge clears, and what the labels are made of."""
    return [_categories(found), _meanings(found)]


def _categories(found: Attribution) -> Table:
    gaps = Gaps()
    cleared = {row.system: row for row in found.reclassified}
    rows: list[tuple[str, ...]] = []
    breaks = []
    for row in found.table.rows:
        if row.errors == "strict" and rows:
            breaks.append(len(rows))
        shown = gaps.dash("only residual errors are what a judge left")
        if row.errors == "residual":
            shown = rate_text(cleared[row.system].cleared, gaps, "no error")
        rows.append(
            (
                num.shortened(row.system) if row.errors == "strict" else "",
                row.errors,
                *(
                    f"{num.count(count)} ({num.fixed(100 * count / row.total, 0)}%)"
                    if row.total
                    else num.count(count)
                    for _, count in row.counts
                ),
                num.count(row.total),
                shown,
            )
        )
    return Table(
        key="attribution",
        caption=(
            f"Errors by category under {num.clean(found.table.rule)}"
            + (f", before and after {num.clean(found.table.judge)}" if found.table.judge else "")
        ),
        columns=(
            *lefts("System", "Errors"),
            *rights(*found.table.categories, "Total", "Cleared by the judge"),
        ),
        rows=tuple(rows),
        breaks=tuple(breaks),
        notes=gaps.notes(found.restatement, found.method, *found.warnings),
    )


def _meanings(found: Attribution) -> Table:
    return Table(
        key="category-meanings",
        caption="What each category is made of: items by family and difficulty",
        columns=lefts("Category", "Name", "Items"),
        rows=tuple(
            (
                meaning.category,
                meaning.name,
                ", ".join(
                    num.clean(f"{family} {difficulty} {n}")
                    for family, difficulty, n in meaning.cells
                )
                or "none",
            )
            for meaning in found.meanings
        ),
    )
