"""What moves the score, in pixels.  In: a multiverse.  Out: bars of shares of variance."""

from __future__ import annotations

from finassay.analyses.results_multiverse import Effect, KappaFloor, MultiverseResult
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

SHOWN = 12
"""Effects in the figure; the table has them all."""

LABEL = 232.0
WIDE = 430.0
TALL = 30.0
TOP = 44.0


def effect_name(effect: Effect) -> str:
    """Return "matcher" or "matcher x judge" with a multiplication sign."""
    return " × ".join(effect.dimensions)


def shown_effects(found: MultiverseResult) -> list[Effect]:
    """Return the effects with the largest share of accuracy or rank, largest first."""
    varying = [
        one for one in found.decomposition.effects if (one.accuracy or 0.0) + (one.rank or 0.0) > 0
    ]
    return sorted(varying, key=lambda e: -max(e.accuracy or 0.0, e.rank or 0.0))[:SHOWN]


def effects(found: MultiverseResult) -> Canvas:
    """Return bars: the share of the variance of accuracy, and of rank, that goes with a choice."""
    rows = shown_effects(found)
    most = max((max(e.accuracy or 0.0, e.rank or 0.0) for e in rows), default=1.0)
    canvas = Canvas(LABEL + WIDE + 200, TOP + TALL * len(rows) + 8)
    canvas.texts([{"x": LABEL, "y": 14, "text": "share of variance of accuracy"}], color=BLUE)
    canvas.texts([{"x": LABEL + 230, "y": 14, "text": "of rank"}], color=ORANGE)
    foot = TOP + TALL * len(rows)
    canvas.rules([{"x": LABEL, "y": TOP - 8, "x2": LABEL, "y2": foot}], color=MUTED)
    middles = [TOP + TALL * at + TALL / 2 - 4 for at in range(len(rows))]
    labels: list[list[Mark]] = [[], []]
    for effect, y in zip(rows, middles, strict=True):
        name = effect_name(effect)
        mark: Mark = {"x": LABEL - 10, "y": y, "text": fitted(name, LABEL - 16, 12), "d": name}
        labels[len(effect.dimensions) == 1].append(mark)
    canvas.texts(labels[0], align="right")
    canvas.texts(labels[1], align="right", bold=True)
    for what, shift, color in (("accuracy", -5.0, BLUE), ("rank", 6.0, ORANGE)):
        bars: list[Mark] = []
        numbers: list[Mark] = []
        for effect, y in zip(rows, middles, strict=True):
            share = effect.accuracy if what == "accuracy" else effect.rank
            if share is None:
                continue
            long, at = WIDE * share / most, y + shift
            said = f"{effect_name(effect)}: {num.percent(share, 100)}% of the variance of {what}"
            bars.append({"x": LABEL, "y": at, "x2": LABEL + long, "y2": at, "d": said})
            text = f"{num.percent(share, 100)}%{_range(effect, what)}"
            numbers.append({"x": LABEL + long + 6, "y": at, "text": text})
        canvas.rules(bars, color=color, width=8)
        canvas.texts(numbers, color=MUTED, size=10)
    return canvas


def _range(effect: Effect, what: str) -> str:
    """Return how far the means over the choices of a dimension lie apart; "" for two."""
    if what == "accuracy" and effect.accuracy_range is not None:
        return f", {num.fixed(100 * effect.accuracy_range, 1)} points"
    if what == "rank" and effect.rank_range is not None:
        return f", {num.fixed(effect.rank_range, 1)} ranks"
    return ""


def floor_ranges(found: MultiverseResult, floor: KappaFloor, names: dict[str, str]) -> Canvas:
    """Return each system's ranks under all rules and under those that agree with people."""
    m = len(found.systems)
    step = max(13.0, min(44.0, 520.0 / max(1, m - 1)))
    left, row = LABEL + 10, 22.0
    canvas = Canvas(left + step * (m - 1) + 40, TOP + 14 + row * m)
    canvas.texts([{"x": 4, "y": 14, "text": "all rules"}], color=MUTED)
    canvas.rules([{"x": 66, "y": 14, "x2": 90, "y2": 14}], color=QUIET, width=2)
    canvas.texts([{"x": 110, "y": 14, "text": f"kappa at least {floor.floor:g}"}], color=BLUE)
    canvas.rules([{"x": 236, "y": 14, "x2": 260, "y2": 14}], color=BLUE, width=7)
    every = max(1, round(30 / step))
    ticks = [rank for rank in range(1, m + 1) if rank == 1 or rank % every == 0]
    canvas.texts(
        [{"x": left + step * (t - 1), "y": TOP - 6, "text": str(t)} for t in ticks],
        color=MUTED,
        size=11,
        align="center",
    )
    foot = TOP + 4 + row * m
    canvas.rules(
        [
            {"x": left + step * (t - 1), "y": TOP + 4, "x2": left + step * (t - 1), "y2": foot}
            for t in ticks
        ],
        color=RULE,
    )
    after = {name: ranks for name, _, ranks in floor.ranges_after}
    labels: list[Mark] = []
    bars: dict[str, list[Mark]] = {QUIET: [], BLUE: []}
    dots: list[Mark] = []
    for at, one in enumerate(found.ranges):
        y, name = TOP + 4 + row * (at + 0.5), names[one.system]
        labels.append({"x": LABEL - 8, "y": y, "text": fitted(name, LABEL - 16, 12), "d": name})
        for ends, color in ((one.rule_rank, QUIET), (after.get(one.system), BLUE)):
            if ends is not None and ends.low is not None and ends.high is not None:
                said = f"{name}: ranks {num.rank(ends.low)} to {num.rank(ends.high)}"
                left_end, right_end = (left + step * (end - 1) for end in (ends.low, ends.high))
                bars[color].append(
                    {"x": left_end - 3, "y": y, "x2": right_end + 3, "y2": y, "d": said}
                )
        if one.rank is not None:
            dots.append({"x": left + step * (one.rank - 1), "y": y})
    canvas.texts(labels, align="right")
    canvas.rules(bars[QUIET], color=QUIET, width=2)
    canvas.rules(bars[BLUE], color=BLUE, width=7)
    canvas.points(dots, color=INK, size=40, fill=PAPER)
    return canvas
