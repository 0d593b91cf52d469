"""Figures about items and rules.  In: coverage and agreement.  Out: drawings."""

from __future__ import annotations

from collections import Counter

from finassay.analyses.results import ItemCoverage, RuleAgreement
from finassay.reports import numbers as num
from finassay.reports.canvas import BLUE, INK, MUTED, QUIET, RULE, Canvas, Mark, fitted, text_width

PANEL = 150.0
LEFT = 20.0


def coverage(result: ItemCoverage) -> Canvas:
    """Return two rows of bars over k: items, and the pairs of systems that these separate."""
    m = len(result.systems)
    items = Counter(item.k for item in result.items)
    counts = [items[k] for k in range(m + 1)]
    mass = [items[k] * k * (m - k) for k in range(m + 1)]
    step = max(24.0, min(56.0, 760.0 / (m + 1)))
    canvas = Canvas(LEFT * 2 + step * (m + 1), 2 * (PANEL + 62) + 20)
    _bars(canvas, counts, step, 0.0, f"Items by k, the systems of {m} that are right")
    _bars(canvas, mass, step, PANEL + 62, "Pairs of systems that these items separate")
    bottom = 2 * (PANEL + 62) + 2
    ticks: list[Mark] = [
        {"x": LEFT + step * (k + 0.5), "y": bottom, "text": str(k)} for k in range(m + 1)
    ]
    ticks.append({"x": LEFT - 8, "y": bottom, "text": "k"})
    canvas.texts(ticks, color=MUTED, size=11, align="center")
    return canvas


def _bars(canvas: Canvas, values: list[int], step: float, top: float, title: str) -> None:
    most = max([*values, 1])
    floor = top + 44 + PANEL
    last = len(values) - 1
    bars: list[Mark] = []
    silent: list[Mark] = []
    labels: list[Mark] = []
    small = 11.0 if step >= 30 else 9.5
    for k, value in enumerate(values):
        x = LEFT + step * k
        height = (PANEL) * value / most
        mark: Mark = {"x": x + 3, "y": floor - height, "x2": x + step - 3, "y2": floor, "o": 1.0}
        mark["d"] = f"k = {k}: {num.count(value)}"
        (silent if k in {0, last} else bars).append(mark)
        shown = _counted(value, step, small)
        labels.append({"x": x + step / 2, "y": floor - height - 8, "text": shown})
    canvas.texts([{"x": LEFT, "y": top + 12, "text": title}], bold=True)
    canvas.rects(silent, color=QUIET)
    canvas.rects(bars, color=BLUE)
    canvas.rules([{"x": LEFT, "y": floor, "x2": LEFT + step * (last + 1), "y2": floor}], color=RULE)
    canvas.texts(labels, size=small, align="center")


def _counted(value: int, width: float, size: float) -> str:
    """Return a count that fits over its bar; hovering over the bar tells it whole."""
    whole = num.count(value)
    if value < 1000 or (value < 10_000 and text_width(whole, size) <= width):
        return whole
    return f"{value / 1000:.1f}k" if value < 9_950 else f"{value / 1000:.0f}k"


CELL = 22.0
COLUMN = 58.0
NAME = 210.0


def agreement(result: RuleAgreement, names: dict[str, str]) -> Canvas:
    """Return a heat map of mismatches with the stored verdicts, closest rule outlined."""
    heads = [fitted(scorer, 150, 12) for scorer in result.scorers]
    top = 24.0 + 0.72 * max((text_width(head, 12) for head in heads), default=0.0)
    overhang = 0.72 * (text_width(heads[-1], 12) if heads else 0.0)
    left = 20.0 + max((text_width(label, 12) for label in _labels(result, names)), default=0.0)
    width = left + COLUMN * len(heads) + max(overhang - COLUMN / 2, 12.0) + 8
    canvas = Canvas(width, top + CELL * len(result.systems) + 6)
    found = {(d.system, d.scorer): d for d in result.distances}
    most = max((d.mismatches / d.n for d in result.distances if d.n), default=0.0) or 1.0
    cells: list[Mark] = []
    best: list[Mark] = []
    plain: list[Mark] = []
    for i, row in enumerate(result.systems):
        for j, scorer in enumerate(result.scorers):
            distance = found.get((row.system, scorer))
            if distance is None or distance.n == distance.n_one_sided:
                continue
            x, y = left + COLUMN * j, top + CELL * i
            share = distance.mismatches / distance.n
            said = f"{names[row.system]}, {num.clean(scorer)}: " + num.share(
                distance.mismatches, distance.n
            )
            spot: Mark = {"x": x + 1, "y": y + 1, "x2": x + COLUMN - 1, "y2": y + CELL - 1}
            cells.append({**spot, "o": 0.45 * share / most, "d": said})
            text: Mark = {"x": x + COLUMN / 2, "y": y + CELL / 2, "d": said}
            text["text"] = num.count(distance.mismatches)
            plain.append(text)
            if scorer in row.best:
                best.extend(_outline(spot))
    canvas.rects(cells, color=BLUE)
    canvas.rules(best, color=INK, width=1.6)
    canvas.texts(plain, align="center")
    _heads(canvas, heads, left, top)
    _names(canvas, result, names, left, top)
    return canvas


def _outline(spot: Mark) -> list[Mark]:
    x, y, x2, y2 = spot["x"], spot["y"], spot["x2"], spot["y2"]
    return [
        {"x": x, "y": y, "x2": x2, "y2": y},
        {"x": x, "y": y2, "x2": x2, "y2": y2},
        {"x": x, "y": y, "x2": x, "y2": y2},
        {"x": x2, "y": y, "x2": x2, "y2": y2},
    ]


def _heads(canvas: Canvas, heads: list[str], left: float, top: float) -> None:
    marks: list[Mark] = [
        {"x": left + COLUMN * (j + 0.5), "y": top - 8, "text": head} for j, head in enumerate(heads)
    ]
    canvas.texts(marks, angle=-45)


def _labels(result: RuleAgreement, names: dict[str, str]) -> list[str]:
    return [
        fitted(names[row.system] + (" ▸" if row.is_outlier else ""), NAME, 12)
        for row in result.systems
    ]


def _names(
    canvas: Canvas, result: RuleAgreement, names: dict[str, str], left: float, top: float
) -> None:
    labels = _labels(result, names)
    for is_outlier in (False, True):
        marks: list[Mark] = [
            {"x": left - 8, "y": top + CELL * (i + 0.5), "text": label, "d": names[row.system]}
            for i, (row, label) in enumerate(zip(result.systems, labels, strict=True))
            if row.is_outlier == is_outlier
        ]
        canvas.texts(marks, align="right", bold=is_outlier)
