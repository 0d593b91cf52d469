"""Ranks of systems, regime by regime.  In: a comparison of regimes.  Out: the bump chart."""

from __future__ import annotations

from collections.abc import Sequence

from finassay.analyses.results_rules import RegimeComparison
from finassay.reports import numbers as num
from finassay.reports.canvas import BLUE, INK, MUTED, ORANGE, PAPER, QUIET
from finassay.reports.charts.chart import (
    CAN_DO,
    Chart,
    Datum,
    Spec,
    Step,
    label_limit,
    layer,
    lit,
    pointing,
    row_axis,
    row_height,
    specification,
    strong,
    tip,
)
from finassay.reports.figures_ranks import NOTABLE, change, slots

MOVES = ("still", "rises", "falls")

TIP = tip(
    ("system", "System"),
    ("regime", "Regime"),
    ("rank", "Rank"),
    ("rate", "Accuracy"),
    ("of", "Right / n"),
    ("moved", "First to last"),
)


def bump(comparison: RegimeComparison, names: dict[str, str]) -> Chart | None:
    """Return ranks across regimes; None with fewer than two regimes or systems."""
    if len(comparison.regimes) < 2 or len(comparison.systems) < 2:
        return None
    rows = _rows(comparison, names)
    count = len(comparison.systems)
    height = row_height(count, dense=16) * count
    regimes = [num.clean(one.regime) for one in comparison.regimes]
    x: Spec = {
        "field": "regime",
        "type": "nominal",
        "sort": regimes,
        "scale": {"type": "point", "domain": regimes, "padding": 0.12},
        "axis": {
            "orient": "top",
            "title": None,
            "labelAngle": 0,
            "labelFontWeight": "bold",
            # On a narrow page a regime of several words takes several lines.
            "labelExpr": "containerSize()[0] < 600 ? split(datum.label, /[- ]/) : datum.label",
            "labelLimit": label_limit(0.2, 74, 200),
        },
    }
    y: Spec = {
        "field": "place",
        "type": "quantitative",
        "scale": {"domain": [count - 0.5, -0.5], "nice": False, "zero": False},
        "axis": None,
    }
    ends = (_labels(comparison, names, 0, "left"), _labels(comparison, names, -1, "right"))
    return Chart(
        key="ranks",
        title=f"Ranks of {count} systems across regimes",
        summary=_summary(comparison, names),
        reading=(
            f"Numbers in circles are {comparison.rank_convention} ranks; a bar joins systems that "
            f"tie. Blue: rises by {NOTABLE:g} ranks or more from the first to the last regime. "
            "Orange, dashed: falls by as much. The numbers beside names are accuracy in %. "
            f"{CAN_DO}"
        ),
        spec=specification(
            [
                *ends,
                _lines(rows, x, y),
                _wide_lines(rows, x, y),
                _ties(rows, x, y),
                _dots(rows, x, y, dense=count >= 60),
                _numbers(rows, x, y, dense=count >= 60),
            ],
            title=f"Ranks of {count} systems across {len(regimes)} regimes",
            height=height,
            steps=_steps(rows, comparison, names),
            resolve={"scale": {"y": "independent"}, "axis": {"y": "independent"}},
        ),
        tables=("regimes",),
    )


def _rows(comparison: RegimeComparison, names: dict[str, str]) -> list[Datum]:
    places = slots(comparison)
    moved = {system: change(comparison, system) for system in comparison.systems}
    rows: list[Datum] = []
    for regime, at in zip(comparison.regimes, places, strict=True):
        tied: dict[int, list[int]] = {}
        for score in regime.scores:
            tied.setdefault(score.ranks.competition, []).append(at[score.system])
        for score in regime.scores:
            by = moved[score.system]
            group = tied[score.ranks.competition]
            rows.append(
                {
                    "system": names[score.system],
                    "regime": num.clean(regime.regime),
                    "place": at[score.system],
                    "rank": num.rank(score.ranks.under(comparison.rank_convention)),
                    "rate": f"{num.percent(score.score, score.estimate.n)}%",
                    "of": num.share(score.estimate.total, score.estimate.n),
                    "moved": _moved(by),
                    "move": MOVES[0] if abs(by) < NOTABLE else MOVES[1 if by < 0 else 2],
                    "upper": min(group),
                    "lower": max(group),
                }
            )
    return rows


def _moved(by: float) -> str:
    if not by:
        return "same rank"
    size = num.fixed(abs(by), 0 if float(by).is_integer() else 1)
    ranks = "rank" if abs(by) == 1 else "ranks"
    return f"{'up' if by < 0 else 'down'} {size} {ranks}"


def _labels(comparison: RegimeComparison, names: dict[str, str], at: int, orient: str) -> Spec:
    """Return invisible marks whose axis names the systems at one end of the chart."""
    scores = comparison.regimes[at].scores
    place = slots(comparison)[at]
    ordered = sorted(scores, key=lambda score: place[score.system])
    texts = []
    for score in ordered:
        rate = num.percent(score.score, score.estimate.n)
        name = num.shortened(names[score.system], 34)
        texts.append(f"{name}  {rate}" if orient == "left" else f"{rate}  {name}")
    shown = list(num.short_names(texts).values())
    axis = row_axis(orient=orient, limit=label_limit(0.27, 84, 280))
    return layer(
        {"type": "point", "opacity": 0, "size": 1},
        [{"end": text} for text in shown],
        {
            "y": {
                "field": "end",
                "type": "nominal",
                "sort": shown,
                "scale": {"domain": shown, "type": "band", "padding": 0},
                "axis": axis,
            }
        },
    )


def _lines(rows: Sequence[Datum], x: Spec, y: Spec) -> Spec:
    return layer(
        {"type": "line", "strokeJoin": "round"},
        rows,
        {
            "x": x,
            "y": y,
            "detail": {"field": "system", "type": "nominal"},
            "color": {
                "field": "move",
                "type": "nominal",
                "scale": {"domain": list(MOVES), "range": [QUIET, BLUE, ORANGE]},
                "legend": None,
            },
            "strokeDash": {
                "field": "move",
                "type": "nominal",
                "scale": {"domain": list(MOVES), "range": [[1, 0], [1, 0], [7, 3]]},
                "legend": None,
            },
            "strokeWidth": strong(on=4, off=2),
            "opacity": lit(on=1, off=0.2),
        },
    )


def _wide_lines(rows: Sequence[Datum], x: Spec, y: Spec) -> Spec:
    """Return lines that nobody sees and that are easy to point at."""
    return layer(
        {"type": "line", "strokeWidth": 12, "opacity": 0, "stroke": INK},
        rows,
        {
            "x": x,
            "y": y,
            "detail": {"field": "system", "type": "nominal"},
            "tooltip": tip(("system", "System"), ("moved", "First to last")),
        },
    )


def _ties(rows: Sequence[Datum], x: Spec, y: Spec) -> Spec:
    """Join the circles of systems that share a rank."""
    first = [row for row in rows if row["upper"] != row["lower"] and row["place"] == row["upper"]]
    return layer(
        {"type": "rule", "color": MUTED, "strokeWidth": 3},
        first,
        {"x": x, "y": {**y, "field": "upper"}, "y2": {"field": "lower"}},
    )


def _dots(rows: Sequence[Datum], x: Spec, y: Spec, *, dense: bool) -> Spec:
    return layer(
        {"type": "point", "shape": "circle", "fill": PAPER, "size": 150 if dense else 330},
        rows,
        {
            "x": x,
            "y": y,
            "opacity": lit(on=1, off=0.55),
            "strokeWidth": strong(on=2.6, off=1.3),
            "stroke": strong(on=INK, off=MUTED),
            "tooltip": TIP,
        },
        params=pointing(),
    )


def _numbers(rows: Sequence[Datum], x: Spec, y: Spec, *, dense: bool) -> Spec:
    return layer(
        {"type": "text", "baseline": "middle", "fontSize": 8 if dense else 11, "color": INK},
        rows,
        {
            "x": x,
            "y": y,
            "text": {"field": "rank", "type": "nominal"},
            "opacity": lit(on=1, off=0.4),
            "tooltip": TIP,
        },
    )


def _steps(
    rows: Sequence[Datum], comparison: RegimeComparison, names: dict[str, str]
) -> tuple[Step, ...]:
    said: dict[str, list[str]] = {names[system]: [] for system in comparison.systems}
    for row in rows:
        said[str(row["system"])].append(f"{row['regime']} rank {row['rank']}, {row['rate']}")
    return tuple(Step(name, f"{name}: {'; '.join(parts)}") for name, parts in said.items())


def _summary(comparison: RegimeComparison, names: dict[str, str]) -> str:
    moved = {system: change(comparison, system) for system in comparison.systems}
    far = sorted(moved, key=lambda system: (-abs(moved[system]), system))[:3]
    ends = [num.clean(comparison.regimes[at].regime) for at in (0, -1)]
    if not moved[far[0]]:
        return f"From {ends[0]} to {ends[1]} every system keeps its rank."
    told = [f"{names[s]} goes {_moved(moved[s])}" for s in far if moved[s]]
    still = sum(by == 0 for by in moved.values())
    return (
        f"From {ends[0]} to {ends[1]}, {num.listed(told)}; "
        f"{num.share(still, len(moved))} systems keep their rank."
    )
