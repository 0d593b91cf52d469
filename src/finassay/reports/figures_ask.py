"""Figures on asking or going on.  In: a report.  Out: drawings whose labels keep apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finassay.analyses.results_ask import AskReport, AskRow, CostCurves, CostLine
from finassay.reports import numbers as num
from finassay.reports.canvas import (
    BLUE,
    INK,
    MUTED,
    ORANGE,
    PAPER,
    QUIET,
    RULE,
    Canvas,
    Mark,
    fitted,
    text_width,
)
from finassay.reports.figures_multiverse import apart

NAME = 200.0
SIDE = 520.0
LEFT = 62.0
TOP = 16.0
BOTTOM = 52.0
LABEL = 11.0
STEP = 20.0
CONTOURS = (0.2, 0.4, 0.6, 0.8)
"""ERA of the contour lines of the chart of recall and alignment."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A square plot over [low, high] on both axes, in pixels."""

    x_low: float
    x_high: float
    y_low: float
    y_high: float
    width: float = SIDE
    height: float = SIDE

    def x(self, value: float) -> float:
        """Return the horizontal place of a value."""
        return LEFT + self.width * (value - self.x_low) / (self.x_high - self.x_low)

    def y(self, value: float) -> float:
        """Return the vertical place of a value."""
        return TOP + self.height * (self.y_high - value) / (self.y_high - self.y_low)

    def axes(self, canvas: Canvas, x_title: str, y_title: str) -> None:
        """Draw light grid lines with their values in % and both titles."""
        xs, ys = ticks(self.x_low, self.x_high), ticks(self.y_low, self.y_high)
        bottom, right = TOP + self.height, LEFT + self.width
        grid: list[Mark] = [
            {"x": self.x(at), "y": TOP, "x2": self.x(at), "y2": bottom} for at in xs
        ]
        grid += [{"x": LEFT, "y": self.y(at), "x2": right, "y2": self.y(at)} for at in ys]
        canvas.rules(grid, color=RULE)
        below: list[Mark] = [{"x": self.x(at), "y": bottom + 14, "text": _whole(at)} for at in xs]
        canvas.texts(below, color=MUTED, size=LABEL, align="center")
        beside: list[Mark] = [{"x": LEFT - 8, "y": self.y(at), "text": _whole(at)} for at in ys]
        canvas.texts(beside, color=MUTED, size=LABEL, align="right")
        middle = LEFT + self.width / 2
        canvas.texts([{"x": middle, "y": bottom + 36, "text": x_title}], size=12, align="center")
        turned: list[Mark] = [{"x": 14, "y": TOP + self.height / 2, "text": y_title}]
        canvas.texts(turned, size=12, align="center", angle=-90)


def _whole(share: float) -> str:
    return f"{100 * share:.0f}"


def ticks(low: float, high: float) -> list[float]:
    """Return round values of an axis over shares, 4 to 11 of them."""
    step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if (high - low) / s <= 10.01)
    first = round(low / step + 0.499999)
    count = int((high - first * step) / step + 1e-9) + 1
    return [round((first + k) * step, 6) for k in range(count)]


def _rounded_out(values: Sequence[float]) -> tuple[float, float]:
    """Return ends in tenths with the values between them, at least three tenths apart."""
    low = max(0.0, int(10 * min(values) - 1e-9) / 10)
    high = min(1.0, -int(-10 * max(values) - 0.999999) / 10)
    while high - low < 0.29:
        low, high = max(0.0, low - 0.1), min(1.0, high + 0.1)
    return round(low, 1), round(high, 1)


def charted(report: AskReport) -> list[AskRow]:
    """Return the rows with an ask recall and an alignment where asked."""
    return [
        row
        for row in report.rows
        if row.scores.ask_recall is not None and row.scores.cra is not None
    ]


def era_chart(report: AskReport) -> Canvas:
    """Return ask recall against alignment where asked, with contours of equal ERA."""
    rows = charted(report)
    xs = [row.scores.ask_recall or 0.0 for row in rows]
    ys = [row.scores.cra or 0.0 for row in rows]
    frame = Frame(*_rounded_out(xs), *_rounded_out(ys))
    canvas = Canvas(LEFT + SIDE + 46, TOP + SIDE + BOTTOM)
    frame.axes(canvas, "Ask recall, AskR (%)", "Alignment where the system asks, CRA (%)")
    contours(canvas, frame)
    dots: dict[str, Mark] = {
        row.system: {"x": frame.x(x), "y": frame.y(y), "d": _said(row)}
        for row, x, y in zip(rows, xs, ys, strict=True)
    }
    outside = {row.system for row in rows if row.system not in report.compared}
    leaders = notable(report)
    canvas.points([d for s, d in dots.items() if s not in leaders | outside], color=MUTED, size=44)
    canvas.points([dots[s] for s in sorted(outside)], color=MUTED, size=44, fill=PAPER)
    canvas.points([dots[s] for s in dots if s in leaders], color=BLUE, size=64)
    _labels(canvas, dots, leaders, frame)
    return canvas


def _said(row: AskRow) -> str:
    return (
        f"{row.system}: AskR {num.fixed(100 * (row.scores.ask_recall or 0), 1)}%, CRA "
        f"{num.fixed(100 * (row.scores.cra or 0), 1)}%, ERA "
        f"{num.fixed(100 * (row.scores.era or 0), 1)}%"
    )


def contours(canvas: Canvas, frame: Frame) -> None:
    """Draw the lines AskR x CRA = ERA that cross the plot, each with its value."""
    lines: list[Mark] = []
    ends: list[Mark] = []
    for number, era in enumerate(CONTOURS):
        start = max(frame.x_low, era / frame.y_high)
        stop = min(frame.x_high, era / frame.y_low if frame.y_low > 0 else 1.0)
        if start >= stop:
            continue
        at = [start + (stop - start) * k / 60 for k in range(61)]
        lines += [
            {"x": frame.x(x), "y": frame.y(era / x), "series": str(number)} for x in at if x > 0
        ]
        # The value stands at the right or lower end, inside the plot.
        x, y = frame.x(stop), frame.y(era / stop)
        inside = stop < frame.x_high - 1e-9
        ends.append(
            {
                "x": x if inside else x + 6,
                "y": y - 8 if inside else y,
                "text": f"ERA {100 * era:.0f}",
            }
        )
    canvas.lines(lines, color=QUIET, width=1.2, dash=(4, 3))
    canvas.texts(ends, color=MUTED, size=10)


def notable(report: AskReport) -> set[str]:
    """Return the leaders by ERA, CRA and BAcc, and the widest near pair."""
    found = {one.system for one in report.ranks if 1 in {one.era, one.cra, one.bacc}}
    pair = report.near_pairs.largest
    return found | ({pair.high, pair.low} if pair is not None else set())


Box = tuple[float, float, float, float]


def _labels(canvas: Canvas, dots: dict[str, Mark], first: set[str], frame: Frame) -> None:
    """Name points, notable ones first, where a label meets no other label and no point."""
    taken: list[Box] = [_around(dot) for dot in dots.values()]
    right = LEFT + frame.width + 40
    shown: list[Mark] = []
    for name in sorted(dots, key=lambda one: (one not in first, one)):
        label = fitted(name, 150, LABEL)
        wide = text_width(label, LABEL)
        for box in _places(dots[name], wide):
            clear = all(not _meet(box, other) for other in taken)
            if clear and box[0] > LEFT and box[2] < right and box[1] > 2:
                taken.append(box)
                shown.append({"x": box[0], "y": (box[1] + box[3]) / 2, "text": label})
                break
    canvas.texts(shown, color=INK, size=LABEL)


def _around(dot: Mark) -> Box:
    x, y = float(dot["x"]), float(dot["y"])
    return x - 4, y - 4, x + 4, y + 4


def _places(dot: Mark, wide: float) -> list[Box]:
    """Return boxes for a label beside, above and below a point."""
    x, y = float(dot["x"]), float(dot["y"])
    starts = (
        *((x + 7, y - 7), (x - 7 - wide, y - 7), (x - wide / 2, y - 20), (x - wide / 2, y + 6)),
        *((x + 5, y - 17), (x + 5, y + 4), (x - 5 - wide, y - 17), (x - 5 - wide, y + 4)),
    )
    return [(left, top, left + wide, top + 14) for left, top in starts]


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def recall_chart(report: AskReport) -> Canvas:
    """Return both recalls of every compared system, the widest gap first."""
    scores = {row.system: row.scores for row in report.rows}
    names = [name for name, _ in report.asymmetry.gaps]
    wide = 480.0
    height = TOP + 18 + STEP * len(names)
    canvas = Canvas(NAME + wide + 30, height + 44)

    def x(share: float) -> float:
        return NAME + wide * share

    grid: list[Mark] = [
        {"x": x(at), "y": TOP + 10, "x2": x(at), "y2": height} for at in ticks(0.0, 1.0)[::2]
    ]
    canvas.rules(grid, color=RULE)
    below: list[Mark] = [
        {"x": x(at), "y": height + 12, "text": _whole(at)} for at in ticks(0.0, 1.0)[::2]
    ]
    canvas.texts(below, color=MUTED, size=LABEL, align="center")
    canvas.texts([{"x": x(0.5), "y": height + 32, "text": "Recall (%)"}], size=12, align="center")
    bars: list[Mark] = []
    asks: list[Mark] = []
    goes: list[Mark] = []
    labels: list[Mark] = []
    for at, (name, gap) in enumerate(report.asymmetry.gaps):
        y = TOP + 26 + STEP * at
        ask, proceed = scores[name].ask_recall or 0.0, scores[name].proceed_recall or 0.0
        said = f"{name}: gap {num.signed(100 * gap, 1)} points"
        bars.append({"x": x(min(ask, proceed)), "y": y, "x2": x(max(ask, proceed)), "y2": y})
        asks.append({"x": x(ask), "y": y, "d": said})
        goes.append({"x": x(proceed), "y": y, "d": said})
        labels.append({"x": NAME - 10, "y": y, "text": fitted(name, NAME - 16, 12)})
    canvas.rules(bars, color=QUIET, width=2)
    canvas.points(goes, color=ORANGE, size=52, shape="square")
    canvas.points(asks, color=BLUE, size=56)
    canvas.texts(labels, size=12, align="right")
    _key(canvas)
    return canvas


def _key(canvas: Canvas) -> None:
    canvas.points([{"x": NAME + 6, "y": 10}], color=BLUE, size=56)
    canvas.texts([{"x": NAME + 16, "y": 10, "text": "ask states"}], size=12)
    canvas.points([{"x": NAME + 110, "y": 10}], color=ORANGE, size=52, shape="square")
    canvas.texts([{"x": NAME + 120, "y": 10, "text": "proceed states"}], size=12)


def rank_chart(report: AskReport) -> Canvas:
    """Return ranks by BAcc and by ERA, a line for each system; far movers in colour."""
    ranks = report.ranks
    left, right = NAME + 40, NAME + 40 + 240
    count = len(ranks)
    canvas = Canvas(right + 40 + NAME, TOP + 40 + STEP * count)
    at_bacc = _slots([(one.system, one.bacc) for one in ranks])
    at_era = _slots([(one.system, one.era) for one in ranks])
    far = max(3.0, count / 4)
    kinds: dict[str, list[Mark]] = {QUIET: [], BLUE: [], ORANGE: []}
    for one in ranks:
        moved = one.bacc - one.era
        color = QUIET if abs(moved) < far else BLUE if moved > 0 else ORANGE
        said = f"{one.system}: {one.bacc} by BAcc, {one.era} by ERA"
        ends = ((left, at_bacc[one.system]), (right, at_era[one.system]))
        kinds[color] += [{"x": x, "y": y, "series": one.system, "d": said} for x, y in ends]
    canvas.lines(kinds[QUIET], color=QUIET, width=1.4)
    canvas.lines(kinds[BLUE], color=BLUE, width=2.6)
    canvas.lines(kinds[ORANGE], color=ORANGE, width=2.6, dash=(7, 3))
    for one in ranks:
        for x, y, rank, side in (
            (left, at_bacc[one.system], one.bacc, -1),
            (right, at_era[one.system], one.era, 1),
        ):
            canvas.texts(
                [{"x": x + side * 12, "y": y, "text": str(rank)}],
                color=MUTED,
                size=LABEL,
                align="center",
            )
            canvas.texts(
                [{"x": x + side * 26, "y": y, "text": fitted(one.system, NAME, 12)}],
                size=12,
                align="right" if side < 0 else "left",
            )
    heads: list[Mark] = [
        {"x": left, "y": 10, "text": "Rank by BAcc"},
        {"x": right, "y": 10, "text": "Rank by ERA"},
    ]
    canvas.texts(heads, size=12, bold=True, align="center")
    return canvas


def _slots(ranked: Sequence[tuple[str, int]]) -> dict[str, float]:
    """Return one place for each system, ties in neighbouring places."""
    order = sorted(ranked, key=lambda pair: (pair[1], pair[0]))
    return {name: TOP + 24 + STEP * at for at, (name, _) in enumerate(order)}


def cost_chart(curves: CostCurves) -> Canvas:
    """Return the expected cost per state against the price share of a miss."""
    best = list(dict.fromkeys(name for one in curves.segments for name in one.systems))
    top = max(max(line.if_misses_only, line.if_needless_only) for line in curves.lines)
    frame = Frame(0.0, 1.0, 0.0, _rounded_out([0.0, top])[1], height=360.0)
    canvas = Canvas(LEFT + SIDE + 20 + NAME, TOP + 360 + BOTTOM)
    title = "Price share of a miss (%)"
    frame.axes(canvas, title, "Expected cost per state (% of both prices)")
    named = {line.system: line for line in curves.lines}
    quiet = [mark for name in named if name not in best for mark in _line(frame, named[name])]
    canvas.lines(quiet, color=RULE, width=1)
    for at, name in enumerate(best):
        color, dash = (BLUE, ORANGE, MUTED, INK)[at % 4], ((1, 0), (7, 3))[at // 4 % 2]
        canvas.lines(_line(frame, named[name]), color=color, width=2.2, dash=dash)
    ends = _spread({name: frame.y(named[name].if_misses_only) for name in best}, TOP + 360)
    for at, name in enumerate(best):
        color = (BLUE, ORANGE, MUTED, INK)[at % 4]
        mark: Mark = {"x": LEFT + SIDE + 8, "y": ends[name], "text": fitted(name, NAME, 12)}
        canvas.texts([mark], color=color, size=12)
    cuts: list[Mark] = [
        {"x": frame.x(one.low), "y": TOP, "x2": frame.x(one.low), "y2": TOP + 360}
        for one in curves.segments[1:]
    ]
    canvas.rules(cuts, color=QUIET, dash=(2, 3))
    return canvas


def _spread(wanted: dict[str, float], bottom: float) -> dict[str, float]:
    """Return places of labels at least a line apart, pushed up from the bottom of the plot."""
    from_below = sorted(((bottom - y, name) for name, y in wanted.items()))
    placed = apart([(name, up) for up, name in from_below], gap=15.0)
    return {name: bottom - up for name, up in placed.items()}


def _line(frame: Frame, line: CostLine) -> list[Mark]:
    ends = ((0.0, line.if_needless_only), (1.0, line.if_misses_only))
    return [
        {"x": frame.x(at), "y": frame.y(cost), "series": line.system, "d": line.system}
        for at, cost in ends
    ]
