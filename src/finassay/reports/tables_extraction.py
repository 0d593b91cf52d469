"""Tables of extraction freedom.  In: a sweep over label cells.  Out: tables."""

from __future__ import annotations

from finassay.analyses.extraction.results_sweep import BY_INTERVAL, LabelSweep, SweepRow
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, lefts, rights

SHOWN_RULES = ("labels/card-order", "labels/text-order")
UNDECIDED = "◆"


def cells(sweep: LabelSweep, names: dict[str, str]) -> Table:
    """Return every cell: what selecting rules can reach against the floor."""
    gaps = Gaps()
    return Table(
        key="extraction",
        caption="What scores the rule that reads labels can make of the same replies",
        columns=(
            *lefts("Task", "System"),
            *rights("n", "Coverage, %", "M, %", "M*, %", "Reachable, %", "By reply alone, %"),
            *rights("Floor, %", "Card order, %", "Text order, %"),
            *lefts("Against the floor"),
        ),
        rows=tuple(_row(row, names, gaps) for row in sweep.rows),
        breaks=tuple(
            i for i in range(1, len(sweep.rows)) if sweep.rows[i].task != sweep.rows[i - 1].task
        ),
        notes=gaps.notes(
            f"Reachable: from the worst to the best rule that selects a label occurring in the "
            f"reply (matcher {sweep.matcher}); by reply alone: those that treat equal replies "
            f"alike. M: replies that name several labels; M*: those that name the accepted one "
            f"too. Floor: the best constant answer.",
            f"{UNDECIDED} undetermined: the rule decides on which side of the floor the cell lies.",
            *sweep.warnings,
        ),
    )


def _row(row: SweepRow, names: dict[str, str], gaps: Gaps) -> tuple[str, ...]:
    scores = {found.rule.partition("[")[0]: found for found in row.rules}
    shown = [
        num.percent(scores[rule].accuracy, row.n)
        if rule in scores
        else gaps.dash("the rule was not asked")
        for rule in SHOWN_RULES
    ]
    return (
        num.clean(row.task) or gaps.dash("the items name no task"),
        names[row.system],
        num.count(row.n),
        *(num.percent(k / row.n, row.n) for k in (row.covered, row.ambiguous, row.contested)),
        num.span(row.low / row.n, row.high / row.n, row.n),
        num.span(row.text_low / row.n, row.text_high / row.n, row.n),
        num.percent(row.floor / row.n, row.n),
        *shown,
        side(row),
    )


def side(row: SweepRow) -> str:
    """Return the side of the floor in words, marked where it is undetermined."""
    if row.sub_state is None:
        return row.outcome
    return f"{UNDECIDED} {row.outcome}: {row.sub_state.replace('_', ' ')}"


def tally(sweep: LabelSweep) -> Table:
    """Return how many cells lie on each side of their floor, by the interval and by each rule."""
    return Table(
        key="extraction-tally",
        caption="Cells on each side of their floor",
        columns=(
            *lefts("By", "Cells"),
            *rights("n", "Clears", "Ties", "Below", "Undetermined"),
        ),
        rows=tuple(
            (
                "reachable interval" if found.by == BY_INTERVAL else num.clean(found.by),
                found.cells,
                *map(
                    num.count,
                    (found.n, found.clears, found.ties, found.below, found.undetermined),
                ),
            )
            for found in sweep.tallies
        ),
        breaks=tuple(
            i
            for i in range(1, len(sweep.tallies))
            if sweep.tallies[i].cells != sweep.tallies[i - 1].cells
        ),
        notes=Gaps().notes("A single score is never undetermined; only the interval shows it."),
    )
