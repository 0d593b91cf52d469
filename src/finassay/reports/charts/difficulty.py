"""Charts of difficulty and of two systems.  In: results.  Out: charts, None without numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from finassay.analyses.results_difficulty import LabelledDifficulty
from finassay.analyses.results_gaps import Difficulty, SystemDifficulty
from finassay.reports import numbers as num
from finassay.reports.canvas import BLUE, INK, MUTED, ORANGE, QUIET
from finassay.reports.charts.chart import (
    CAN_DO,
    Chart,
    Datum,
    Spec,
    Step,
    layer,
    lit,
    number_axis,
    pointing,
    row_height,
    rows_of,
    specification,
    strong,
    tip,
)
from finassay.reports.tables_difficulty import AXIS_WORDS

ALL = "All systems"
STEP = 0.05
"""Width of the cells of correlations that items are counted in."""

NOTABLE = 2.0
"""Size of z from which a difference is coloured."""


def labels(found: LabelledDifficulty, names: dict[str, str]) -> Chart:
    """Return accuracy over difficulty labels, one line a system and one for all."""
    shown = [(names[trend.system], trend) for trend in found.systems]
    rows: list[Datum] = []
    for name, trend in (*shown, (ALL, found.pooled)):
        for cell in trend.cells:
            if cell.rate is not None:
                rate = f"{num.percent(cell.rate, cell.n)}%"
                rows.append({"system": name, "label": cell.label, "value": cell.rate, "rate": rate,
                             "n": num.count(cell.n)})  # fmt: skip
    own = [row for row in rows if row["system"] == ALL]
    x: Spec = {
        "field": "label",
        "type": "nominal",
        "sort": list(found.labels),
        "axis": {"title": None, "labelAngle": 0, "grid": False},
        "scale": {"type": "point", "padding": 0.35},
    }
    y: Spec = {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": [0, 1]},
        "axis": {**number_axis(None, is_percent=True), "orient": "left"},
    }
    line: Spec = {"x": x, "y": y, "detail": {"field": "system", "type": "nominal"}}
    shade: Spec = {"color": {"value": QUIET}, "opacity": lit(on=0.9, off=0.2),
                   "strokeWidth": strong(on=3, off=1.25)}  # fmt: skip
    hover = tip(("system", "System"), ("label", "Label"), ("rate", "Accuracy"), ("n", "Items"))
    falling = len(found.declining)
    rates = ", ".join(f"{row['label']} {row['rate']}" for row in own)
    return Chart(
        key="difficulty-labels",
        title="Accuracy by difficulty label",
        summary=(
            f"All systems together: {rates}. Accuracy falls at every step for {falling} of "
            f"{num.plural(len(found.systems), 'system')}."
        ),
        reading=f"Thick: all systems together. Thin: one line a system. {CAN_DO}",
        spec=specification(
            [
                layer({"type": "line"}, rows, {**line, **shade}),
                layer(
                    {"type": "circle", "size": 40},
                    rows,
                    {"x": x, "y": y, "color": {"value": MUTED}, "opacity": lit(on=0.9, off=0.2),
                     "tooltip": hover},
                    params=pointing(),
                ),
                layer({"type": "line", "strokeWidth": 3.5, "color": BLUE, "point": {"color": BLUE,
                       "size": 70}}, own, line),
            ],
            title="Accuracy by difficulty label",
            height=300,
            steps=[Step(name, _said(name, rows)) for name in (ALL, *(name for name, _ in shown))],
        ),
        tables=("label-trends",),
    )  # fmt: skip


def _said(name: str, rows: Sequence[Datum]) -> str:
    told = ", ".join(f"{row['label']} {row['rate']}" for row in rows if row["system"] == name)
    return f"{name}: {told}"


def scatter(found: Difficulty) -> Chart | None:
    """Return how hard items are against how well they agree with the rest; None without any."""
    drawn = [item for item in found.items if item.item_rest is not None]
    if not drawn:
        return None
    cells = Counter((item.k, round((item.item_rest or 0.0) / STEP)) for item in drawn)
    n = len(found.systems)
    rows: list[Datum] = [
        {
            "system": f"{k} of {n}, {STEP * cell:+.2f}",
            "k": k / n,
            "rest": STEP * cell,
            "items": count,
            "told": num.plural(count, "item"),
            "share": num.share(k, n),
            "side": "below zero" if cell < 0 else "zero or above",
        }
        for (k, cell), count in sorted(cells.items())
    ]
    below = sum((item.item_rest or 0.0) < 0 for item in drawn)
    return Chart(
        key="difficulty-items",
        title="Items: how many systems are right, and whether those are the better ones",
        summary=(
            f"{num.plural(len(drawn), 'item')} on which systems differ; on {num.count(below)} of "
            f"them the correlation with the rest of the test is below zero."
        ),
        reading=(
            "Across: share of systems that are right. Up: correlation of being right with the "
            "score on all other items. The larger a circle, the more items. Below zero, orange: "
            "weak systems are right where strong ones are wrong."
        ),
        spec=specification(
            _scatter_layers(rows),
            title="Items by difficulty and by agreement with the rest",
            height=340,
        ),
        tables=("difficulty-bands",),
    )  # fmt: skip


def _scatter_layers(rows: Sequence[Datum]) -> list[Spec]:
    """Return a line at zero, and one circle for all items of a cell."""
    sides = ["zero or above", "below zero"]
    return [
        layer(
            {"type": "rule", "color": MUTED, "strokeDash": [3, 3]},
            [{"rest": 0}],
            {"y": {"field": "rest", "type": "quantitative"}},
        ),
        layer(
            {"type": "circle", "opacity": 0.75},
            rows,
            {
                "x": {
                    "field": "k",
                    "type": "quantitative",
                    "scale": {"domain": [0, 1]},
                    "axis": {**number_axis("Systems right", is_percent=True), "orient": "bottom"},
                },
                "y": {
                    "field": "rest",
                    "type": "quantitative",
                    "axis": {**number_axis("Correlation with the rest"), "orient": "left"},
                },
                "size": {
                    "field": "items",
                    "type": "quantitative",
                    "scale": {"range": [25, 500]},
                    "legend": None,
                },
                "color": {
                    "field": "side",
                    "type": "nominal",
                    "scale": {"domain": sides, "range": [BLUE, ORANGE]},
                    "legend": None,
                },
                "tooltip": tip(("told", "Items"), ("share", "Systems right")),
            },
        ),
    ]


def gaps(found: SystemDifficulty, name: str) -> Chart | None:
    """Return where a system loses and gains against its expectation; None without items."""
    if not found.strata:
        return None
    rows = _gap_rows(found)
    worst = min(found.strata, key=lambda one: one.z or 0.0)
    best = max(found.strata, key=lambda one: one.z or 0.0)
    return Chart(
        key="difficulty-gaps",
        title=f"Where {name} loses and gains against its expectation",
        summary=(
            f"Most below: {num.clean(worst.stratum)}, {num.points(worst.difference, worst.n)} "
            f"points. Most above: {num.clean(best.stratum)}, "
            f"{num.points(best.difference, best.n)} points."
        ),
        reading=(
            "Right of the line: better than its average and the items' difficulty would have one "
            "expect; left: worse. Coloured where the difference is twice its standard error or "
            "more: blue better, orange worse."
        ),
        spec=specification(
            _gap_layers(rows),
            title=f"Differences from expectation of {name}",
            height=row_height(len(rows)) * len(rows),
            steps=[
                Step(str(row["system"]), f"{row['system']}: {row['points']}") for row in rows
            ],
        ),
        tables=("difficulty-gaps",),
    )  # fmt: skip


def _gap_rows(found: SystemDifficulty) -> list[Datum]:
    listed = [f"{AXIS_WORDS[one.axis]}: {num.clean(one.stratum)}" for one in found.strata]
    return [
        {
            "system": label,
            "difference": 100 * one.difference,
            "zero": 0.0,
            "points": f"{num.points(one.difference, one.n)} points",
            "observed": f"{num.percent(one.observed, one.n)}%",
            "expected": f"{num.percent(one.expected, one.n)}%",
            "n": num.count(one.n),
            "side": _side(one.z),
        }
        for label, one in zip(listed, found.strata, strict=True)
    ]


def _gap_layers(rows: Sequence[Datum]) -> list[Spec]:
    """Return a line at zero, and a stroke with a dot for each stratum."""
    x: Spec = {
        "field": "difference",
        "type": "quantitative",
        "axis": number_axis("Observed minus expected, points"),
    }
    y = rows_of([str(row["system"]) for row in rows])
    colour: Spec = {
        "field": "side",
        "type": "nominal",
        "scale": {"domain": list(SIDES), "range": [BLUE, ORANGE, MUTED]},
        "legend": None,
    }
    hover = tip(("system", "Items"), ("points", "Difference"), ("observed", "Observed"),
                ("expected", "Expected"), ("n", "n"))  # fmt: skip
    return [
        layer(
            {"type": "rule", "color": INK},
            [{"difference": 0}],
            {"x": {"field": "difference", "type": "quantitative"}},
        ),
        layer(
            {"type": "rule", "strokeWidth": 3},
            rows,
            {"x": x, "x2": {"field": "zero"}, "y": y, "color": colour},
        ),
        layer(
            {"type": "circle", "size": 90, "opacity": 1},
            rows,
            {"x": x, "y": y, "color": colour, "tooltip": hover},
            params=pointing(),
        ),
    ]


SIDES = ("better", "worse", "as expected")


def _side(z: float | None) -> str:
    if z is None or abs(z) < NOTABLE:
        return SIDES[2]
    return SIDES[0] if z > 0 else SIDES[1]
