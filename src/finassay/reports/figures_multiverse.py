"""Every rule tried, in pixels.  In: a multiverse.  Out: the specification curve, open ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.results_multiverse import Ends, MultiverseResult
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
)

Floats = NDArray[np.float64]

Scale = Callable[[float], float]
"""From a value to a pixel."""

LABEL = 176.0
WIDE = 520.0
BINS = 104
TALL = 190.0
TOP = 30.0
LINE = 15.0
"""Height of a line of choices."""

HEAD = 21.0
"""Height of the line that names a dimension."""

SHADES = (0.14, 0.34, 0.58, 0.85)
"""Opacities of a choice: made by up to a quarter, a half, three quarters, all rules of a bin."""

SIDE = 176.0
ROW = 34.0


def whole_rules(found: MultiverseResult) -> list[int]:
    """Return the places of the rules under which every system has an accuracy."""
    return [at for at, row in enumerate(found.accuracy) if None not in row]


def sorted_rules(found: MultiverseResult) -> tuple[list[int], Floats]:
    """Return the rules by mean accuracy, and (rules, systems) accuracies in that order."""
    kept = whole_rules(found)
    table = np.array([[a or 0.0 for a in found.accuracy[at]] for at in kept])
    order = np.argsort(table.mean(axis=1), kind="stable")
    return [kept[at] for at in order], table[order]


@dataclass(frozen=True, slots=True, eq=False)
class _Bins:
    """Rules in the order of the curve, gathered into columns of the figure."""

    rules: list[int]
    accuracy: Floats
    edges: NDArray[np.int64]

    @classmethod
    def of(cls, found: MultiverseResult) -> _Bins:
        rules, accuracy = sorted_rules(found)
        count = min(BINS, len(rules))
        return cls(rules, accuracy, np.linspace(0, len(rules), count + 1).astype(np.int64))

    def __len__(self) -> int:
        return len(self.edges) - 1

    def means(self, values: Floats) -> Floats:
        """Return the mean of (rules,) values in each bin."""
        return np.array(
            [values[a:b].mean() for a, b in zip(self.edges[:-1], self.edges[1:], strict=True)]
        )

    def x(self, at: int) -> float:
        """Return the left edge of a bin in pixels."""
        return LABEL + WIDE * at / len(self)

    def middle(self, rule: int) -> float:
        """Return the pixel of a rule."""
        return LABEL + WIDE * (self.rules.index(rule) + 0.5) / len(self.rules)


def specification_curve(found: MultiverseResult, names: dict[str, str]) -> Canvas:
    """Return accuracies under every rule, rules by mean accuracy, with their choices below."""
    bins = _Bins.of(found)
    lines = sum(HEAD + LINE * len(one.choices) for one in found.dimensions)
    canvas = Canvas(LABEL + WIDE + SIDE, TOP + TALL + 34 + lines + 22)
    _curves(canvas, found, names, bins)
    _choices(canvas, found, bins, TOP + TALL + 34)
    return canvas


def _curves(canvas: Canvas, found: MultiverseResult, names: dict[str, str], bins: _Bins) -> None:
    low, high = _ends(bins.accuracy)

    def y(value: float) -> float:
        return TOP + TALL * (high - value) / (high - low)

    _grid(canvas, low, high, y(low), y)
    best, worst = bins.means(bins.accuracy.max(axis=1)), bins.means(bins.accuracy.min(axis=1))
    band: list[Mark] = [
        {"x": bins.x(at), "y": y(best[at]), "x2": bins.x(at + 1), "y2": y(worst[at]), "o": 0.32}
        for at in range(len(bins))
    ]
    canvas.rects(band, color=QUIET)
    first = 0
    drawn = {
        "mean of all": (bins.means(bins.accuracy.mean(axis=1)), INK),
        names[found.systems[first]]: (bins.means(bins.accuracy[:, first]), BLUE),
        names[found.systems[-1]]: (bins.means(bins.accuracy[:, -1]), ORANGE),
    }
    ends: dict[str, float] = {}
    for label, (values, color) in drawn.items():
        marks: list[Mark] = [
            {"x": (bins.x(at) + bins.x(at + 1)) / 2, "y": y(v), "series": label}
            for at, v in enumerate(values)
        ]
        dash = (6, 3) if color == ORANGE else (1, 0)
        canvas.lines(marks, color=color, width=1.8, dash=dash)
        ends[label] = y(float(values[-1]))
    _end_labels(canvas, ends, {label: color for label, (_, color) in drawn.items()})
    if found.base in bins.rules:
        x = bins.middle(found.base)
        canvas.rules([{"x": x, "y": TOP - 6, "x2": x, "y2": TOP + TALL}], color=MUTED, dash=(2, 3))
        canvas.texts(
            [{"x": x, "y": TOP - 14, "text": "base rule"}], color=MUTED, size=11, align="center"
        )


def _ends(values: Floats) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    return max(0.0, np.floor(low * 10) / 10), min(1.0, np.ceil(high * 10) / 10 or 0.1)


def _grid(canvas: Canvas, low: float, high: float, bottom: float, y: Scale) -> None:
    ticks = [round(low + 0.1 * at, 1) for at in range(round((high - low) * 10) + 1)]
    shown = [tick for tick in ticks if len(ticks) < 8 or round(tick * 10) % 2 == 0]
    canvas.rules(
        [{"x": LABEL, "y": y(t), "x2": LABEL + WIDE, "y2": y(t)} for t in shown], color=RULE
    )
    canvas.texts(
        [{"x": LABEL - 8, "y": y(t), "text": f"{100 * t:.0f}%"} for t in shown],
        color=MUTED,
        size=11,
        align="right",
    )
    canvas.texts([{"x": 4, "y": TOP - 14, "text": "Accuracy"}], bold=True)
    canvas.texts(
        [{"x": LABEL + WIDE / 2, "y": bottom + 15, "text": "rules, by mean accuracy"}],
        color=MUTED,
        size=11,
        align="center",
    )


def _end_labels(canvas: Canvas, ends: dict[str, float], colors: dict[str, str]) -> None:
    """Write the name of each line at its right end, moved apart where they would meet."""
    x = LABEL + WIDE + 8
    placed = apart(sorted(ends.items(), key=lambda pair: pair[1]), gap=14.0)
    for label, y in placed.items():
        mark: Mark = {"x": x, "y": y, "text": fitted(label, SIDE - 10, 12), "d": label}
        canvas.texts([mark], color=colors[label], bold=colors[label] != INK)


def apart(wanted: Sequence[tuple[str, float]], *, gap: float) -> dict[str, float]:
    """Return the places of labels, from the first to the last, at least a gap from each other."""
    placed: dict[str, float] = {}
    last = -gap
    for label, y in wanted:
        last = max(y, last + gap)
        placed[label] = last
    return placed


def _choices(canvas: Canvas, found: MultiverseResult, bins: _Bins, top: float) -> None:
    """Draw one line a choice: how many rules of each column make it."""
    means = _choice_means(found)
    right = LABEL + WIDE + 8
    titles: list[Mark] = []
    labels: list[Mark] = []
    numbers: list[Mark] = [{"x": right, "y": top - 2, "text": "mean accuracy"}]
    runs: list[Mark] = []
    lines: list[Mark] = []
    y = top
    for one in found.dimensions:
        title = fitted(one.title, LABEL + WIDE - 8, 12)
        titles.append({"x": 4, "y": y + HEAD / 2 + 2, "text": title})
        y += HEAD
        for choice in one.choices:
            runs += _runs(_shares(found, bins, one.name, choice.name), bins, y)
            lines.append({"x": LABEL, "y": y + LINE - 1, "x2": LABEL + WIDE, "y2": y + LINE - 1})
            label = fitted(choice.name, LABEL - 26, 11)
            said = f"{one.name} {choice.name}: {num.plural(choice.n_rules, 'rule')}"
            labels.append({"x": LABEL - 10, "y": y + LINE / 2, "text": label, "d": said})
            mean = means.get((one.name, choice.name))
            if mean is not None:
                numbers.append({"x": right, "y": y + LINE / 2, "text": f"{mean}%"})
            y += LINE
    canvas.rects(runs, color=INK)
    canvas.rules(lines, color=RULE)
    canvas.texts(titles, bold=True, size=11)
    canvas.texts(labels, size=11, align="right")
    canvas.texts(numbers, color=MUTED, size=11)


def _choice_means(found: MultiverseResult) -> dict[tuple[str, str], str]:
    out = {}
    for one in found.decomposition.choices:
        known = [value for value in one.accuracy if value is not None]
        if known:
            out[(one.dimension, one.choice)] = num.percent(sum(known) / len(known), 100)
    return out


def _shares(found: MultiverseResult, bins: _Bins, dimension: str, choice: str) -> Floats:
    """Return the share of the rules of each bin that make a choice."""
    chosen = [(dimension, choice) in found.rules[rule].choices for rule in bins.rules]
    return bins.means(np.array(chosen, dtype=np.float64))


def _runs(shares: Floats, bins: _Bins, y: float) -> list[Mark]:
    """Return the line of one choice, neighbouring columns of one shade as one rectangle."""
    shades = np.minimum(np.ceil(shares * len(SHADES)).astype(int), len(SHADES))
    shades[shares < 0.01] = 0
    starts = [0, *(np.flatnonzero(np.diff(shades)) + 1).tolist(), len(shades)]
    return [
        {
            "x": bins.x(a),
            "y": y + 1,
            "x2": bins.x(b),
            "y2": y + LINE - 2,
            "o": SHADES[shades[a] - 1],
        }
        for a, b in pairwise(starts)
        if shades[a]
    ]


def rank_intervals(found: MultiverseResult, names: dict[str, str]) -> Canvas:
    """Return for each system the ranks that the rule, the sample, and both leave open."""
    m = len(found.systems)
    step = max(13.0, min(44.0, WIDE / max(1, m - 1)))
    left = LABEL + 20
    canvas = Canvas(left + step * (m - 1) + 40, TOP + 58 + ROW * m)

    def x(rank: float) -> float:
        return left + step * (rank - 1)

    _key(canvas)
    top = TOP + 40
    every = max(1, round(30 / step))
    ticks = [rank for rank in range(1, m + 1) if rank == 1 or rank % every == 0]
    canvas.texts(
        [{"x": x(rank), "y": top - 4, "text": str(rank)} for rank in ticks],
        color=MUTED,
        size=11,
        align="center",
    )
    canvas.texts([{"x": 4, "y": top - 4, "text": "Rank"}], bold=True)
    canvas.rules(
        [{"x": x(rank), "y": top + 8, "x2": x(rank), "y2": top + 8 + ROW * m} for rank in ticks],
        color=RULE,
    )
    _rows(canvas, found, names, x=x, top=top + 8)
    return canvas


BARS: tuple[tuple[str, float, str, float, str], ...] = (
    ("both_rank", -8.0, QUIET, 2.0, "rule and sample"),
    ("rule_rank", 0.0, BLUE, 3.0, "rule alone"),
    ("weighted_rank", 0.0, BLUE, 8.0, "central rules by plausibility"),
    ("sampling_rank", 8.0, ORANGE, 4.0, "sample alone"),
)
"""Field of a range, shift in pixels, colour, width and name of its bar."""


def _rows(
    canvas: Canvas, found: MultiverseResult, names: dict[str, str], *, x: Scale, top: float
) -> None:
    middles = {one.system: top + ROW * (at + 0.5) for at, one in enumerate(found.ranges)}
    for field, shift, color, width, what in BARS:
        bars = [
            _bar(
                getattr(one, field), x, middles[one.system] + shift, f"{names[one.system]}, {what}"
            )
            for one in found.ranges
        ]
        canvas.rules([bar for bar in bars if bar is not None], color=color, width=width)
    dots: list[Mark] = [
        {
            "x": x(one.rank),
            "y": middles[one.system],
            "d": f"{names[one.system]}: rank {num.rank(one.rank)}",
        }
        for one in found.ranges
        if one.rank is not None
    ]
    canvas.points(dots, color=INK, size=54, fill=PAPER)
    labels: list[Mark] = [
        {
            "x": LABEL,
            "y": middles[one.system],
            "text": fitted(names[one.system], LABEL - 8, 12),
            "d": names[one.system],
        }
        for one in found.ranges
    ]
    canvas.texts(labels, align="right")


def _bar(ends: Ends, x: Scale, y: float, said: str) -> Mark | None:
    if ends.low is None or ends.high is None:
        return None
    span = f"{said}: ranks {num.rank(ends.low)} to {num.rank(ends.high)}"
    return {"x": x(ends.low) - 3, "y": y, "x2": x(ends.high) + 3, "y2": y, "d": span}


def _key(canvas: Canvas) -> None:
    """Write what the bars are, with a sample of each."""
    samples = (
        (QUIET, 2.0, "rule and sample together", 0.0),
        (BLUE, 3.0, "every rule (thick: the central ones)", 196.0),
        (ORANGE, 4.0, "sample, under the base rule", 440.0),
    )
    for color, width, _, shift in samples:
        x = 4.0 + shift
        canvas.rules(
            [{"x": x, "y": TOP - 12, "x2": x + 22, "y2": TOP - 12}], color=color, width=width
        )
    canvas.texts(
        [{"x": 32.0 + shift, "y": TOP - 12, "text": text} for _, _, text, shift in samples],
        color=MUTED,
        size=11,
    )
