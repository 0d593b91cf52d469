"""The bump chart.  In: ranks under regimes.  Out: a drawing in which no two labels meet."""

from __future__ import annotations

from finassay.analyses.results import RankedScore, RegimeComparison
from finassay.reports import numbers as num
from finassay.reports.canvas import (
    BLUE,
    INK,
    MUTED,
    ORANGE,
    PAPER,
    QUIET,
    Canvas,
    Mark,
    TextAlign,
    fitted,
)

STEP = 25.0
TOP = 44.0
DOT = 340.0
NAME = 215.0
SCORE = 44.0
NOTABLE = 3.0
"""Ranks that a system must move between the first and the last regime to be drawn in colour."""


def slots(comparison: RegimeComparison) -> list[dict[str, int]]:
    """Return the vertical place of each system under each regime, one system a place.

    Systems that share a rank stand in neighbouring places, in the order in which they stood under
    the regime before, so that ties cross no lines.
    """
    places: list[dict[str, int]] = []
    for regime in comparison.regimes:
        before = places[-1] if places else {}
        order = sorted(
            regime.scores, key=lambda s: (s.ranks.competition, before.get(s.system, 0), s.system)
        )
        places.append({score.system: place for place, score in enumerate(order)})
    return places


def bump(comparison: RegimeComparison, names: dict[str, str]) -> Canvas:
    """Return the ranks of every system across the regimes, with direct labels at both ends."""
    places = slots(comparison)
    gap = max(150.0, min(260.0, 520.0 / max(1, len(places) - 1)))
    left = NAME + SCORE + 22
    xs = [left + gap * i for i in range(len(places))]
    canvas = Canvas(xs[-1] + left, TOP + STEP * len(comparison.systems))
    _series(canvas, comparison, names, xs, places)
    _ties(canvas, comparison, xs, places)
    for index, regime in enumerate(comparison.regimes):
        dots = [_dot(score, xs[index], places[index], comparison, names) for score in regime.scores]
        canvas.points(dots, color=MUTED, size=DOT, fill=PAPER)
        canvas.texts(
            [{k: mark[k] for k in ("x", "y", "text")} for mark in dots], size=11, align="center"
        )
        wide = fitted(regime.regime, gap - 12, 12)
        canvas.texts([{"x": xs[index], "y": 14.0, "text": wide}], align="center", bold=True)
    _labels(canvas, comparison, names, xs, places)
    return canvas


def _y(place: int) -> float:
    return TOP + STEP * place


def _dot(
    score: RankedScore,
    x: float,
    places: dict[str, int],
    comparison: RegimeComparison,
    names: dict[str, str],
) -> Mark:
    rank = num.rank(score.ranks.under(comparison.rank_convention))
    rate = num.percent(score.score, score.estimate.n)
    of = num.share(score.estimate.total, score.estimate.n)
    return {
        "x": x,
        "y": _y(places[score.system]),
        "text": rank,
        "d": f"{names[score.system]}: rank {rank}, {rate}% ({of})",
    }


def change(comparison: RegimeComparison, system: str) -> float:
    """Return last rank minus first rank; positive for a fall."""
    ends = [
        next(s for s in regime.scores if s.system == system).ranks.under(comparison.rank_convention)
        for regime in (comparison.regimes[0], comparison.regimes[-1])
    ]
    return ends[1] - ends[0]


def _series(
    canvas: Canvas,
    comparison: RegimeComparison,
    names: dict[str, str],
    xs: list[float],
    places: list[dict[str, int]],
) -> None:
    quiet: list[Mark] = []
    rises: list[Mark] = []
    falls: list[Mark] = []
    for number, system in enumerate(comparison.systems):
        moved = change(comparison, system)
        into = quiet if abs(moved) < NOTABLE else falls if moved > 0 else rises
        into.extend(
            {"x": x, "y": _y(at[system]), "series": str(number), "d": names[system]}
            for x, at in zip(xs, places, strict=True)
        )
    canvas.lines(quiet, color=QUIET, width=1.4)
    canvas.lines(rises, color=BLUE, width=2.6)
    canvas.lines(falls, color=ORANGE, width=2.6, dash=(7, 3))


def _ties(
    canvas: Canvas, comparison: RegimeComparison, xs: list[float], places: list[dict[str, int]]
) -> None:
    """Join the dots of systems that share a rank with a short bar."""
    bars: list[Mark] = []
    for x, at, regime in zip(xs, places, comparison.regimes, strict=True):
        groups: dict[int, list[int]] = {}
        for score in regime.scores:
            groups.setdefault(score.ranks.competition, []).append(at[score.system])
        bars.extend(
            {"x": x, "y": _y(min(group)), "x2": x, "y2": _y(max(group))}
            for group in groups.values()
            if len(group) > 1
        )
    canvas.rules(bars, color=MUTED, width=3)


def _labels(
    canvas: Canvas,
    comparison: RegimeComparison,
    names: dict[str, str],
    xs: list[float],
    places: list[dict[str, int]],
) -> None:
    for side, index in ((-1, 0), (1, -1)):
        scores = comparison.regimes[index].scores
        edge = xs[index] + side * 18
        rates: list[Mark] = []
        labels: list[Mark] = []
        for score in scores:
            y = _y(places[index][score.system])
            rate = num.percent(score.score, score.estimate.n)
            rates.append({"x": edge, "y": y, "text": rate})
            label = fitted(names[score.system], NAME, 12)
            labels.append(
                {"x": edge + side * SCORE, "y": y, "text": label, "d": names[score.system]}
            )
        align: TextAlign = "right" if side < 0 else "left"
        canvas.texts(rates, color=MUTED, align=align)
        canvas.texts(labels, color=INK, align=align)
