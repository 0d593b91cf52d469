"""Dot plots of accuracy with intervals.  In: leaderboards and regimes.  Out: drawings."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.analyses.results import Estimate, Leaderboard, RegimeComparison
from finassay.reports import numbers as num
from finassay.reports.canvas import (
    BLUE,
    INK,
    MUTED,
    ORANGE,
    PAPER,
    RULE,
    SHAPES,
    Canvas,
    Mark,
    Shape,
    fitted,
)

STEP = 22.0
TOP = 46.0
NAME = 200.0
GAP = 34.0
MAX_PANELS = 5


@dataclass(frozen=True, slots=True)
class Axis:
    """A scale of fractions drawn from x0 to x1."""

    low: float
    x0: float
    x1: float

    def at(self, value: float) -> float:
        """Return the x of a fraction; anything below the scale stands at its lower end."""
        return self.x0 + (self.x1 - self.x0) * max(0.0, (value - self.low) / (1 - self.low))


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a dot plot: a system, with one estimate a panel."""

    label: str
    head: str
    shape: Shape
    is_hollow: bool
    estimates: tuple[Estimate | None, ...]


def lower_end(estimates: list[Estimate]) -> float:
    """Return a round lower end of the scale below every interval, where a tick stands."""
    lowest = min((e.low for e in estimates if e.low is not None), default=0.0)
    tens = min(9, int(lowest * 10 + 1e-9))
    return tens / 10 if tens >= 7 else (tens - tens % 2) / 10


def _lines(board: Leaderboard, names: dict[str, str], groups: tuple[str, ...]) -> list[Line]:
    made = []
    for row in board.rows:
        rank = "" if row.ranks is None else num.rank(row.ranks.under(board.rank_convention))
        known = dict(row.per_family)
        estimates = (row.estimate, *(known.get(group) for group in groups))
        made.append(Line(names[row.system], rank, "circle", row.ranks is None, estimates))
    for person in board.persons:
        known = dict(person.per_family)
        estimates = (person.estimate, *(known.get(group) for group in groups))
        label = f"{names[person.person]}, {person.n_items} items"
        made.append(Line(label, "", "diamond", is_hollow=True, estimates=estimates))
    return made


def dot_plot(board: Leaderboard, names: dict[str, str]) -> Canvas:
    """Return accuracy with its interval: all items first, then each family on the same scale."""
    groups = board.families[: MAX_PANELS - 1] if len(board.families) > 1 else ()
    lines = _lines(board, names, groups)
    low = lower_end([e for line in lines for e in line.estimates if e is not None])
    wide = 148.0 if groups else 520.0
    left = NAME + 44
    axes = [
        Axis(low, left + i * (wide + GAP), left + i * (wide + GAP) + wide)
        for i in range(len(groups) + 1)
    ]
    bottom = TOP + STEP * len(lines)
    canvas = Canvas(axes[-1].x1 + 16, bottom + 44)
    for axis, name in zip(axes, ("All items", *groups), strict=True):
        _grid(canvas, axis, fitted(name, wide, 12), bottom)
    _references(canvas, board, axes, groups, bottom)
    _estimates(canvas, lines, axes)
    _row_labels(canvas, [(line.head, line.label) for line in lines], STEP)
    return canvas


def _grid(canvas: Canvas, axis: Axis, title: str, bottom: float) -> None:
    step = 0.1 if 1 - axis.low <= 0.35 else 0.2
    ticks = [1 - step * i for i in range(int((1 - axis.low) / step + 1e-9) + 1)]
    canvas.rules(
        [{"x": axis.at(t), "y": TOP, "x2": axis.at(t), "y2": bottom} for t in ticks], color=RULE
    )
    canvas.texts(
        [{"x": axis.at(t), "y": TOP - 10, "text": f"{100 * t:.0f}"} for t in ticks],
        color=MUTED,
        size=11,
        align="center",
    )
    canvas.texts([{"x": axis.x0, "y": 12.0, "text": title}], bold=True)


def _references(
    canvas: Canvas,
    board: Leaderboard,
    axes: list[Axis],
    groups: tuple[str, ...],
    bottom: float,
) -> None:
    """Draw the majority floor and the first person as lines, labelled below the panel."""
    floors = {f.family: f for f in board.floors}
    person = board.persons[0] if board.persons else None
    scores = {"": person.estimate, **dict(person.per_family)} if person else {}
    for axis, group in zip(axes, ("", *groups), strict=True):
        score = scores.get(group)
        if score is not None and score.value is not None and person is not None:
            text = f"person {num.percent(score.value, score.n)}"
            said = f"{num.clean(person.person)} {text[7:]}% ({num.share(score.total, score.n)})"
            _reference(canvas, axis, (score.value, text, said), bottom, 32)
        floor = floors.get(group)
        if floor is not None:
            text = f"floor {num.percent(floor.value, floor.n)}"
            said = f"Majority floor {text[6:]}% ({num.share(floor.count, floor.n)})"
            _reference(canvas, axis, (floor.value, text, said), bottom, 14)


def _reference(
    canvas: Canvas, axis: Axis, what: tuple[float, str, str], bottom: float, drop: float
) -> None:
    value, text, said = what
    is_floor = text.startswith("floor")
    x = axis.at(value)
    line: Mark = {"x": x, "y": TOP, "x2": x, "y2": bottom + drop - 8, "d": said}
    dash = (2.0, 2.0) if is_floor else (6.0, 3.0)
    canvas.rules([line], color=ORANGE if is_floor else MUTED, width=1.4, dash=dash)
    half = 34.0
    middle = min(max(x, axis.x0 + half), axis.x1 - half)
    y = bottom + drop
    # A patch in the colour of the page keeps the other line from running through the words.
    patch: Mark = {"x": middle - half, "y": y - 7, "x2": middle + half, "y2": y + 7, "o": 1.0}
    canvas.rects([patch], color=PAPER)
    canvas.texts([{"x": middle, "y": y, "text": text}], size=11, align="center")


def _estimates(canvas: Canvas, lines: list[Line], axes: list[Axis]) -> None:
    bars: list[Mark] = []
    bounds: list[Mark] = []
    dots: dict[tuple[Shape, bool], list[Mark]] = {}
    for index, line in enumerate(lines):
        y = TOP + STEP * (index + 0.5)
        into = dots.setdefault((line.shape, line.is_hollow), [])
        for axis, estimate in zip(axes, line.estimates, strict=True):
            if estimate is None or estimate.low is None or estimate.high is None:
                continue
            said = said_of(line.label, estimate)
            bars.append(_bar(axis, estimate.low, estimate.high, y, said))
            value = estimate.value
            if value is None and estimate.worst is not None and estimate.best is not None:
                bounds.append(_bar(axis, estimate.worst, estimate.best, y, said))
                value = estimate.worst
            if value is not None:
                into.append({"x": axis.at(value), "y": y, "d": said})
    canvas.rules(bars, color=BLUE, width=1.6)
    canvas.rules(bounds, color=BLUE, width=5)
    for (shape, is_hollow), marks in dots.items():
        canvas.points(marks, color=BLUE, size=52, shape=shape, fill=PAPER if is_hollow else None)


def _bar(axis: Axis, low: float, high: float, y: float, said: str) -> Mark:
    return {"x": axis.at(low), "y": y, "x2": axis.at(high), "y2": y, "d": said}


def said_of(label: str, estimate: Estimate) -> str:
    """Return an estimate in words, for hover: value, k/n and interval."""
    if estimate.low is None or estimate.high is None:
        return f"{label}: no verdict"
    n = estimate.n
    value = f"{num.percent(estimate.value, n)}%, " if estimate.value is not None else ""
    ends = num.span(estimate.low, estimate.high, n)
    return f"{label}: {value}{num.share(estimate.total, n)}, {100 * estimate.level:g}% {ends}"


def _row_labels(canvas: Canvas, labels: list[tuple[str, str]], step: float) -> None:
    ys = [TOP + step * (i + 0.5) for i in range(len(labels))]
    heads: list[Mark] = [
        {"x": 24.0, "y": y, "text": head} for y, (head, _) in zip(ys, labels, strict=True) if head
    ]
    names: list[Mark] = [
        {"x": 34.0, "y": y, "text": fitted(label, NAME - 4, 12), "d": label}
        for y, (_, label) in zip(ys, labels, strict=True)
    ]
    canvas.texts(heads, color=MUTED, align="right")
    canvas.texts(names)


def regime_intervals(comparison: RegimeComparison, names: dict[str, str]) -> Canvas:
    """Return each system's interval under each regime, one shape and one line a regime."""
    found = {(r.regime, s.system): s.estimate for r in comparison.regimes for s in r.scores}
    order = [s.system for s in comparison.regimes[0].scores]
    count = len(comparison.regimes)
    step = 12.0 * count + 8
    left = NAME + 44
    low = lower_end(list(found.values()))
    axis = Axis(low, left, left + 560)
    bottom = TOP + step * len(order)
    canvas = Canvas(axis.x1 + 20, bottom + 8)
    _grid(canvas, axis, "", bottom)
    _key(canvas, [num.clean(r.regime) for r in comparison.regimes], left)
    tops = [TOP + step * index for index in range(len(order))]
    canvas.rules([{"x": 10, "y": y, "x2": axis.x1, "y2": y} for y in tops[1:]], color=RULE)
    for place, regime in enumerate(comparison.regimes):
        marks = [
            (found[regime.regime, system], f"{names[system]}, {num.clean(regime.regime)}", y)
            for system, top in zip(order, tops, strict=True)
            for y in (top + step / 2 + 12.0 * (place - (count - 1) / 2),)
        ]
        _regime_marks(canvas, axis, marks, place)
    _row_labels(canvas, [(str(i), names[s]) for i, s in enumerate(order, start=1)], step)
    return canvas


def _style(place: int) -> tuple[str, str | None, Shape]:
    colours = (BLUE, ORANGE, INK)
    return colours[place % 3], PAPER if place % 2 else None, SHAPES[place % len(SHAPES)]


def _regime_marks(
    canvas: Canvas, axis: Axis, marks: list[tuple[Estimate, str, float]], place: int
) -> None:
    colour, fill, shape = _style(place)
    bars: list[Mark] = []
    dots: list[Mark] = []
    for estimate, label, y in marks:
        if estimate.low is None or estimate.high is None:
            continue
        said = said_of(label, estimate)
        bars.append(_bar(axis, estimate.low, estimate.high, y, said))
        value = estimate.worst if estimate.value is None else estimate.value
        if value is not None:
            dots.append({"x": axis.at(value), "y": y, "d": said})
    canvas.rules(bars, color=colour, width=1.4)
    canvas.points(dots, color=colour, size=42, shape=shape, fill=fill)


def _key(canvas: Canvas, regimes: list[str], left: float) -> None:
    x = left
    for place, regime in enumerate(regimes):
        colour, fill, shape = _style(place)
        canvas.points([{"x": x + 6, "y": 12.0}], color=colour, size=42, shape=shape, fill=fill)
        text = fitted(regime, 150, 12)
        canvas.texts([{"x": x + 18, "y": 12.0, "text": text}])
        x += max(100.0, 40.0 + 7.4 * len(text))
