"""Selection in pixels.  In: a result about operations.  Out: regret curves, a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from finassay.analyses.operations.results import OperationSelection, OperationsResult
from finassay.analyses.operations.sentences import spelled
from finassay.reports import numbers as num
from finassay.reports.canvas import (
    BLUE,
    INK,
    MUTED,
    ORANGE,
    QUIET,
    RULE,
    Canvas,
    Mark,
    fitted,
    text_width,
)

WIDE = 172.0
TALL = 96.0
GAP = 30.0
HEAD = 34.0
FOOT = 30.0
LEFT = 36.0
ACROSS = 4
"""Panels in a row."""

CELL = 38.0
NAME = 230.0


@dataclass(frozen=True, slots=True)
class _Panel:
    """Where a panel stands, and what its axes span."""

    left: float
    upper: float
    top: float
    longest: int

    def x(self, size: float) -> float:
        """Return the pixel of a size of shortlist."""
        return self.left + WIDE * (size - 1) / max(1, self.longest)

    def y(self, points: float) -> float:
        """Return the pixel of a number of points."""
        return self.upper + TALL * (1.0 - points / self.top)


def regret_curves(found: OperationsResult) -> Canvas:
    """Return one panel an operation: points forgone by the size of the shortlist."""
    rows = found.operations
    across = min(ACROSS, len(rows))
    down = -(-len(rows) // across)
    canvas = Canvas(
        LEFT + across * WIDE + (across - 1) * GAP + 12, down * (HEAD + TALL + FOOT) + 14
    )
    top, longest = _top(rows), max(len(row.regret) for row in rows)
    for at, row in enumerate(rows):
        line, column = divmod(at, across)
        panel = _Panel(
            LEFT + column * (WIDE + GAP), HEAD + line * (HEAD + TALL + FOOT), top, longest
        )
        _axes(canvas, panel, is_first=column == 0)
        _curve(canvas, panel, row)
    canvas.texts(
        [{"x": LEFT + WIDE / 2, "y": canvas.height - 8, "text": "systems in the shortlist"}],
        color=MUTED,
        size=11,
        align="center",
    )
    return canvas


def _top(rows: Sequence[OperationSelection]) -> float:
    """Return the largest number that the panels must show."""
    highs = [row.regret[0] for row in rows]
    for row in rows:
        if row.uncertainty is not None:
            highs += [ends.high for ends in row.uncertainty.regret if ends.high is not None]
    return max([*highs, 1.0]) * 1.06


def _tick(top: float) -> float:
    """Return a round step that gives two to five lines."""
    step = next(size for size in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100) if top / size < 5)
    return float(step)


def _axes(canvas: Canvas, panel: _Panel, *, is_first: bool) -> None:
    step = _tick(panel.top)
    ticks = [step * at for at in range(int(panel.top / step) + 1)]
    right = panel.left + WIDE
    canvas.rules(
        [{"x": panel.left, "y": panel.y(t), "x2": right, "y2": panel.y(t)} for t in ticks],
        color=RULE,
    )
    if is_first:
        canvas.texts(
            [{"x": panel.left - 6, "y": panel.y(t), "text": f"{t:g}"} for t in ticks],
            color=MUTED,
            size=10,
            align="right",
        )
    every = max(1, round(panel.longest / 4 / 5) * 5)
    sizes = [k for k in range(1, panel.longest + 1) if k == 1 or k % every == 0]
    canvas.texts(
        [{"x": panel.x(k + 0.5), "y": panel.y(0) + 10, "text": str(k)} for k in sizes],
        color=MUTED,
        size=10,
        align="center",
    )


def _curve(canvas: Canvas, panel: _Panel, row: OperationSelection) -> None:
    label = spelled(row.operation)
    if row.uncertainty is not None:
        band: list[Mark] = [
            {
                "x": panel.x(k),
                "y": panel.y(ends.high),
                "x2": panel.x(k + 1),
                "y2": panel.y(ends.low),
                "o": 0.35,
            }
            for k, ends in enumerate(row.uncertainty.regret, start=1)
            if ends.low is not None and ends.high is not None
        ]
        canvas.rects(band, color=QUIET)
    canvas.rules(_steps(panel, row), color=BLUE, width=2)
    found = row.recovered_at
    said = f"{label}: {num.listed(row.leaders, 2)} is in the shortlist from {found} systems on"
    canvas.points([{"x": panel.x(found + 0.5), "y": panel.y(0), "d": said}], color=ORANGE, size=40)
    canvas.texts(
        [{"x": panel.left, "y": panel.upper - 18, "text": fitted(label, WIDE, 12), "d": label}],
        bold=True,
    )
    note = "no regret with 1"
    if found > 1:
        note = f"{num.fixed(row.regret[0], 2)} with 1, none from {found}"
    canvas.texts([{"x": panel.left, "y": panel.upper - 4, "text": note}], color=MUTED, size=11)


def _steps(panel: _Panel, row: OperationSelection) -> list[Mark]:
    marks: list[Mark] = []
    starts = [k for k, points in enumerate(row.regret) if not k or points != row.regret[k - 1]]
    for begin, end in pairwise([*starts, len(row.regret)]):
        y, right = panel.y(row.regret[begin]), panel.x(end + 1)
        marks.append({"x": panel.x(begin + 1), "y": y, "x2": right, "y2": y})
        if end < len(row.regret):
            marks.append({"x": right, "y": y, "x2": right, "y2": panel.y(row.regret[end])})
    return marks


def correlation_map(found: OperationsResult) -> Canvas:
    """Return a heat map: knowledge against every operation, then operations with each other."""
    names = [spelled(name) for name in found.agreement.operations]
    labels = [fitted(name, NAME - 16, 12) for name in names]
    top = 20.0 + 0.72 * max(text_width(label, 12) for label in labels)
    overhang = max(0.72 * text_width(labels[-1], 12) - CELL / 2, 8.0)
    size = len(names)
    canvas = Canvas(NAME + CELL * size + overhang + 6, top + CELL * (size + 1) + 16)
    heads: list[Mark] = [
        {"x": NAME + CELL * (j + 0.5), "y": top - 8, "text": label}
        for j, label in enumerate(labels)
    ]
    canvas.texts(heads, angle=-45)
    rows: list[tuple[str, list[float | None], float]] = [
        ("knowledge", [row.correlation for row in found.operations], top)
    ]
    rows += [
        (name, list(found.agreement.matrix[i]), top + 8 + CELL * (i + 1))
        for i, name in enumerate(names)
    ]
    for at, (name, values, y) in enumerate(rows):
        _cells(canvas, (name, names), values, y, skip=at - 1)
        label = fitted(name, NAME - 16, 12)
        canvas.texts(
            [{"x": NAME - 8, "y": y + CELL / 2, "text": label, "d": name}],
            align="right",
            bold=at == 0,
        )
    return canvas


def _cells(
    canvas: Canvas,
    named: tuple[str, Sequence[str]],
    values: Sequence[float | None],
    y: float,
    *,
    skip: int,
) -> None:
    """Draw one row of correlations: blue above zero, orange below, the stronger the farther."""
    name, heads = named
    up: list[Mark] = []
    down: list[Mark] = []
    texts: list[Mark] = []
    for j, value in enumerate(values):
        if j == skip:
            continue
        x = NAME + CELL * j
        if value is None:
            texts.append({"x": x + CELL / 2, "y": y + CELL / 2, "text": num.EM_DASH})
            continue
        said = f"{name}, {heads[j]}: {num.fixed(value, 2)}"
        box: Mark = {"x": x + 1, "y": y + 1, "x2": x + CELL - 1, "y2": y + CELL - 1, "d": said}
        (up if value >= 0 else down).append({**box, "o": 0.04 + 0.6 * abs(value)})
        texts.append({"x": x + CELL / 2, "y": y + CELL / 2, "text": num.fixed(value, 2)})
    canvas.rects(up, color=BLUE)
    canvas.rects(down, color=ORANGE)
    canvas.texts(texts, color=INK, size=11, align="center")
