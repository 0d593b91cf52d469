"""Ask or proceed in pixels.  In: a comparison.  Out: recalls side by side, ranks that move."""

from __future__ import annotations

from finassay.analyses.operations.results_ask import AskComparison, AskStanding
from finassay.reports import numbers as num
from finassay.reports.canvas import (
    BLUE,
    MUTED,
    ORANGE,
    PAPER,
    QUIET,
    RULE,
    Canvas,
    Mark,
    TextAlign,
    fitted,
)

NAME = 180.0
WIDE = 420.0
ROW = 19.0
TOP = 44.0
STEP = 18.0
SPREAD = 300.0

NOTABLE = 8
"""Places that a system must move between the two ranks to be drawn in colour."""


def recalls(ask: AskComparison, names: dict[str, str]) -> Canvas:
    """Return the recall of proceed and of ask states of every system, widest gap first."""
    rows = sorted(
        (row for row in ask.rows if row.recall_gap is not None),
        key=lambda row: (-(row.recall_gap or 0.0), row.system),
    )
    canvas = Canvas(NAME + WIDE + 70, TOP + ROW * len(rows) + 10)

    def x(percent: float) -> float:
        return NAME + WIDE * percent / 100

    bottom = TOP + ROW * len(rows)
    ticks = range(0, 101, 20)
    canvas.rules([{"x": x(t), "y": TOP - 8, "x2": x(t), "y2": bottom} for t in ticks], color=RULE)
    canvas.texts(
        [{"x": x(t), "y": TOP - 18, "text": f"{t}%"} for t in ticks],
        color=MUTED,
        size=11,
        align="center",
    )
    canvas.points([{"x": NAME, "y": 10.0}], color=ORANGE, size=50, fill=PAPER)
    canvas.points([{"x": NAME + 130, "y": 10.0}], color=BLUE, size=50)
    canvas.texts(
        [
            {"x": NAME + 10, "y": 10.0, "text": "proceed recall"},
            {"x": NAME + 140, "y": 10.0, "text": "ask recall"},
            {"x": NAME + WIDE + 14, "y": 10.0, "text": "gap"},
        ],
        color=MUTED,
        size=11,
    )
    _dumbbells(canvas, rows, names)
    return canvas


def _dumbbells(canvas: Canvas, rows: list[AskStanding], names: dict[str, str]) -> None:
    bars: list[Mark] = []
    ask: list[Mark] = []
    proceed: list[Mark] = []
    labels: list[Mark] = []
    gaps: list[Mark] = []
    for at, row in enumerate(rows):
        y = TOP + ROW * (at + 0.5)
        low, high = row.proceed_recall or 0.0, row.ask_recall or 0.0
        said = f"{names[row.system]}: ask {num.fixed(high, 2)}, proceed {num.fixed(low, 2)}"
        ends = [NAME + WIDE * value / 100 for value in (low, high)]
        bars.append({"x": ends[0], "y": y, "x2": ends[1], "y2": y})
        proceed.append({"x": ends[0], "y": y, "d": said})
        ask.append({"x": ends[1], "y": y, "d": said})
        label = fitted(names[row.system], NAME - 14, 12)
        labels.append({"x": NAME - 10, "y": y, "text": label, "d": names[row.system]})
        gap = num.signed(row.recall_gap or 0.0, 1)
        gaps.append({"x": NAME + WIDE + 14, "y": y, "text": gap})
    canvas.rules(bars, color=QUIET, width=2)
    canvas.points(proceed, color=ORANGE, size=50, fill=PAPER)
    canvas.points(ask, color=BLUE, size=50)
    canvas.texts(labels, align="right")
    canvas.texts(gaps, color=MUTED, size=11)


def displaced(ask: AskComparison) -> list[AskStanding]:
    """Return the systems that move by a notable number of places, the farthest first."""
    moved = [row for row in ask.rows if abs(row.displacement) >= NOTABLE]
    return sorted(moved, key=lambda row: (-abs(row.displacement), row.system))


def displacement(ask: AskComparison, names: dict[str, str]) -> Canvas:
    """Return the rank by action agreement beside the rank by request alignment."""
    rows = ask.rows
    by_bacc = sorted(rows, key=lambda row: (row.bacc_rank, row.era_rank, row.system))
    places = {row.system: at for at, row in enumerate(by_bacc)}
    left = NAME + 30
    canvas = Canvas(2 * left + SPREAD, TOP + STEP * len(rows) + 4)
    ends = (left, left + SPREAD)
    colours = {QUIET: (1.2, (1.0, 0.0)), BLUE: (2.4, (1.0, 0.0)), ORANGE: (2.4, (7.0, 3.0))}
    for color, (width, dash) in colours.items():
        marks: list[Mark] = []
        for at, row in enumerate(rows):
            if _colour(row) == color:
                marks.append(
                    {
                        "x": ends[0] + 14,
                        "y": _y(places[row.system]),
                        "x2": ends[1] - 14,
                        "y2": _y(at),
                        "d": f"{names[row.system]}: {row.bacc_rank} to {row.era_rank}",
                    }
                )
        canvas.rules(marks, color=color, width=width, dash=dash)
    _side(canvas, by_bacc, names, ends[0], side=-1)
    _side(canvas, list(rows), names, ends[1], side=1)
    canvas.texts(
        [
            {"x": ends[0], "y": 14.0, "text": "rank by action agreement (BAcc)"},
            {"x": ends[1], "y": 14.0, "text": "rank by request alignment (ERA)"},
        ],
        bold=True,
        align="center",
    )
    return canvas


def _y(place: int) -> float:
    return TOP + STEP * (place + 0.25)


def _colour(row: AskStanding) -> str:
    if abs(row.displacement) < NOTABLE:
        return QUIET
    return BLUE if row.displacement > 0 else ORANGE


def _side(
    canvas: Canvas, rows: list[AskStanding], names: dict[str, str], x: float, *, side: int
) -> None:
    ranks: list[Mark] = []
    labels: dict[bool, list[Mark]] = {True: [], False: []}
    for at, row in enumerate(rows):
        rank = row.bacc_rank if side < 0 else row.era_rank
        ranks.append({"x": x, "y": _y(at), "text": str(rank)})
        label = fitted(names[row.system], NAME - 6, 12)
        mark: Mark = {"x": x + side * 22, "y": _y(at), "text": label, "d": names[row.system]}
        labels[_colour(row) != QUIET].append(mark)
    align: TextAlign = "right" if side < 0 else "left"
    canvas.texts(ranks, color=MUTED, size=11, align="center")
    canvas.texts(labels[False], color=MUTED, align=align)
    canvas.texts(labels[True], align=align, bold=True)
