"""The figure of extraction freedom.  In: a sweep over label cells.  Out: a drawing, its summary."""

from __future__ import annotations

from finassay.analyses.extraction.results_sweep import LabelSweep, SweepRow
from finassay.reports import numbers as num
from finassay.reports.canvas import BLUE, INK, MUTED, ORANGE, PAPER, RULE, Canvas, Mark, fitted
from finassay.reports.tables_extraction import UNDECIDED, side

MOST_DRAWN = 60
"""Cells in the figure; undetermined ones come first, and the table has them all."""

LEFT, WIDTH, ROW, TOP = 330.0, 420.0, 20.0, 46.0
NAME_ROOM = 310.0


def drawn_rows(sweep: LabelSweep) -> tuple[SweepRow, ...]:
    """Return the cells in the figure: all, or undetermined ones first where there are too many."""
    if len(sweep.rows) <= MOST_DRAWN:
        return sweep.rows
    ranked = sorted(sweep.rows, key=lambda row: row.outcome != "undetermined")
    return tuple(ranked[:MOST_DRAWN])


def intervals(sweep: LabelSweep, names: dict[str, str]) -> Canvas:
    """Return one bar a cell from the lowest to the highest reachable accuracy, with its floor."""
    rows = drawn_rows(sweep)
    canvas = Canvas(LEFT + WIDTH + 150, TOP + ROW * len(rows) + 12)
    ticks: list[Mark] = [
        {"x": LEFT + WIDTH * k / 4, "y": TOP - 26, "text": str(25 * k)} for k in range(5)
    ]
    canvas.rules(
        [{"x": t["x"], "y": TOP - 14, "x2": t["x"], "y2": TOP + ROW * len(rows)} for t in ticks],
        color=RULE,
    )
    canvas.texts(ticks, color=MUTED, size=11, align="center")
    for is_open in (False, True):
        chosen = [(i, r) for i, r in enumerate(rows) if (r.outcome == "undetermined") == is_open]
        _bars(canvas, chosen, names, is_open=is_open)
    floors: list[Mark] = [
        {"x": _x(row, row.floor), "y": _y(i) - 7, "x2": _x(row, row.floor), "y2": _y(i) + 7}
        for i, row in enumerate(rows)
    ]
    canvas.rules(floors, color=INK, width=2, dash=(3, 2))
    return canvas


def _bars(
    canvas: Canvas, rows: list[tuple[int, SweepRow]], names: dict[str, str], *, is_open: bool
) -> None:
    color = ORANGE if is_open else BLUE
    bars: list[Mark] = []
    ends: list[Mark] = []
    labels: list[Mark] = []
    sides: list[Mark] = []
    for i, row in rows:
        said = f"{num.clean(row.task)}, {names[row.system]}: {_told(row)}"
        low, high, y = _x(row, row.low), _x(row, row.high), _y(i)
        bars.append({"x": low, "y": y, "x2": high, "y2": y, "d": said})
        ends += [{"x": low, "y": y, "d": said}, {"x": high, "y": y, "d": said}]
        name = fitted(f"{num.clean(row.task)}: {names[row.system]}", NAME_ROOM, 12)
        labels.append({"x": LEFT - 12, "y": y, "text": name, "d": said})
        sides.append({"x": LEFT + WIDTH + 12, "y": y, "text": _short_side(row)})
    canvas.rules(bars, color=color, width=4 if is_open else 2.5)
    canvas.points(
        ends,
        color=color,
        size=46 if is_open else 30,
        shape="diamond" if is_open else "circle",
        fill=PAPER if is_open else None,
    )
    canvas.texts(labels, align="right", bold=is_open)
    canvas.texts(sides, color=INK if is_open else MUTED, size=11, bold=is_open)


def _short_side(row: SweepRow) -> str:
    return f"{UNDECIDED} undetermined" if row.outcome == "undetermined" else row.outcome


def _told(row: SweepRow) -> str:
    return (
        f"{num.span(row.low / row.n, row.high / row.n, row.n)}%, floor "
        f"{num.percent(row.floor / row.n, row.n)}%, {side(row)}"
    )


def _x(row: SweepRow, right: int) -> float:
    return LEFT + WIDTH * right / row.n


def _y(index: int) -> float:
    return TOP + ROW * index + 6


def summary(sweep: LabelSweep) -> str:
    """Return the figure in words."""
    open_cells = [row for row in sweep.rows if row.outcome == "undetermined"]
    said = {
        side: sum(row.outcome == side for row in sweep.rows) for side in ("clears", "ties", "below")
    }
    known = f"{said['clears']} clear their floor, {said['ties']} tie and {said['below']} lie below"
    verb = "is" if len(open_cells) == 1 else "are"
    return (
        f"Of {num.plural(len(sweep.rows), 'cell')}, {known}, whatever selecting rule is used; "
        f"{len(open_cells)} {verb} undetermined."
    )
