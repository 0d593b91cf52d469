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
    for at, effect in enumerate(rows):
        y = TOP + TALL * at + TALL / 2 - 4
        name = effect_name(effect)
        label: Mark = {"x": LABEL - 10, "y": y, "text": fitted(name, LABEL - 16, 12), "d": name}
        canvas.texts([label], align="right", bold=len(effect.dimensions) == 1)
        sides = ((effect.accuracy, -5.0, BLUE, "accuracy"), (effect.rank, 6.0, ORANGE, "rank"))
        for share, shift, color, what in sides:
            if share is None:
                continue
            long = WIDE * share / most
            said = f"{name}: {num.percent(share, 100)}% of the variance of {what}"
            bar: Mark = {"x": LABEL, "y": y + shift, "x2": LABEL + long, "y2": y + shift, "d": said}
            canvas.rules([bar], color=color, width=8)
            text: Mark = {
                "x": LABEL + long + 6,
                "y": y + shift,
                "text": f"{num.percent(share, 100)}%{_range(effect, what)}",
            }
            canvas.texts([text], color=MUTED, size=10)
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
    for at, one in enumerate(found.ranges):
        y = TOP + 4 + row * (at + 0.5)
        name = names[one.system]
        canvas.texts(
            [{"x": LABEL - 8, "y": y, "text": fitted(name, LABEL - 16, 12), "d": name}],
            align="right",
        )
        pairs = ((one.rule_rank, QUIET, 2.0), (after.get(one.system), BLUE, 7.0))
        for ends, color, width in pairs:
            if ends is None or ends.low is None or ends.high is None:
                continue
            said = f"{name}: ranks {num.rank(ends.low)} to {num.rank(ends.high)}"
            bar: Mark = {
                "x": left + step * (ends.low - 1) - 3,
                "y": y,
                "x2": left + step * (ends.high - 1) + 3,
                "y2": y,
                "d": said,
            }
            canvas.rules([bar], color=color, width=width)
        if one.rank is not None:
            dot: Mark = {"x": left + step * (one.rank - 1), "y": y}
            canvas.points([dot], color=INK, size=40, fill=PAPER)
    return canvas
