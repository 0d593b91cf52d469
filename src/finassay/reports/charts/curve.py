"""The specification curve.  In: a multiverse.  Out: accuracies by rule, choices below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.results_multiverse import MultiverseResult
from finassay.reports import numbers as num
from finassay.reports import outline_multiverse
from finassay.reports.canvas import BLUE, INK, MUTED, ORANGE, QUIET
from finassay.reports.charts.chart import (
    CAN_DO,
    Chart,
    Datum,
    Spec,
    Step,
    label_limit,
    layer,
    lit,
    number_axis,
    pointing,
    row_axis,
    specification,
    strong,
    tip,
)
from finassay.reports.figures_multiverse import SHADES, sorted_rules

Floats = NDArray[np.float64]

MOST_BINS = 120
"""Columns of the chart; more rules than that are gathered, neighbours in accuracy together."""

MOST_LINES = 40
"""Systems with a line of their own; more are thinned out, the first and the last kept."""

MOST_POINTS = 2_400
"""Points up to which each has a tooltip of its own; with more, a line has one."""

TALL = 230.0
LINE = 17.0
GAP = 40.0


@dataclass(frozen=True, slots=True, eq=False)
class _Bins:
    """Rules by mean accuracy, gathered into columns."""

    rules: list[int]
    accuracy: Floats
    edges: list[int]

    @classmethod
    def of(cls, found: MultiverseResult) -> _Bins:
        rules, accuracy = sorted_rules(found)
        count = min(MOST_BINS, len(rules))
        return cls(rules, accuracy, np.linspace(0, len(rules), count + 1).astype(int).tolist())

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Return the first and the end place of each column."""
        return list(pairwise(self.edges))

    def said(self, at: int) -> str:
        """Return which rules a column holds."""
        start, end = self.spans[at]
        of = num.count(len(self.rules))
        return f"{start + 1} of {of}" if end - start == 1 else f"{start + 1} to {end} of {of}"


def specification_curve(found: MultiverseResult, names: dict[str, str]) -> Chart | None:
    """Return accuracy under every rule, with the choices below; None with fewer than two rules."""
    made = outline_multiverse.curve(found, names)
    if made is None:
        return None
    bins = _Bins.of(found)
    lines = [choice for one in found.dimensions for choice in one.choices]
    foot = TALL + GAP + LINE * len(lines)
    x: Spec = {
        "field": "from",
        "type": "quantitative",
        "scale": {"domain": [0, len(bins.rules)], "nice": False},
        "axis": None,
    }
    drawn = _drawn(len(found.systems))
    more = len(found.systems) - len(drawn)
    thinned = f" {num.plural(more, 'system')} between them have no line." if more else ""
    return Chart(
        key="curve",
        title=made.title,
        summary=made.summary,
        reading=(
            "Rules run from the strictest to the most lenient, by mean accuracy; where there are "
            "many, a column holds neighbours and lines show their means. Grey: from the lowest "
            f"to the highest system. Blue: {names[found.systems[0]]}, first under the base rule; "
            f"orange, dashed: {names[found.systems[-1]]}, last under it; black: the mean of all."
            f"{thinned} Below, one line a choice: the stronger the shade, the more of the rules "
            f"above it make that choice. {CAN_DO} With the shift key, the wheel zooms and "
            "dragging moves along the rules."
        ),
        spec=specification(
            [
                _band(bins, x),
                _base(found, bins, x),
                *_curves(found, names, bins, x, drawn),
                _choices(found, bins, x, foot),
            ],
            title=made.title,
            height=foot,
            steps=_steps(found, names, drawn),
            resolve={"scale": {"y": "independent"}, "axis": {"y": "independent"}},
        ),
        tables=made.tables,
    )


def _drawn(count: int) -> list[int]:
    """Return the systems with a line: all, or evenly chosen ones with the first and the last."""
    return sorted(set(np.linspace(0, count - 1, min(count, MOST_LINES)).astype(int).tolist()))


def _accuracy_axis(bins: _Bins) -> Spec:
    low, high = float(bins.accuracy.min()), float(bins.accuracy.max())
    ends = [np.floor(low * 10) / 10, min(1.0, np.ceil(high * 10) / 10 or 0.1)]
    return {
        "field": "high",
        "type": "quantitative",
        "title": None,
        "scale": {"domain": [float(end) for end in ends], "range": [TALL, 0], "nice": False},
        "axis": {**number_axis(None, is_percent=True), "orient": "left"},
    }


def _quiet(y: Spec) -> Spec:
    return {**y, "axis": None}


def _band(bins: _Bins, x: Spec) -> Spec:
    y = _accuracy_axis(bins)
    rows: list[Datum] = []
    for at, (start, end) in enumerate(bins.spans):
        part = bins.accuracy[start:end]
        low, high = float(part.min(axis=1).mean()), float(part.max(axis=1).mean())
        rows.append(
            {
                "from": start,
                "to": end,
                "low": low,
                "high": high,
                "which": bins.said(at),
                "told": f"{num.span(low, high, 100)}%",
                "mean": f"{num.percent(float(part.mean()), 100)}%",
            }
        )
    return layer(
        {"type": "rect", "color": QUIET, "opacity": 0.3},
        rows,
        {
            "x": x,
            "x2": {"field": "to"},
            "y": y,
            "y2": {"field": "low"},
            "tooltip": tip(("which", "Rules"), ("mean", "Mean"), ("told", "Lowest to highest")),
        },
        params=(
            {
                "name": "zoomed",
                "bind": "scales",
                "select": {
                    "type": "interval",
                    "encodings": ["x"],
                    "zoom": "wheel![event.shiftKey]",
                    "translate": (
                        "[pointerdown[event.shiftKey], window:pointerup] > window:pointermove!"
                    ),
                },
            },
        ),
    )


def _base(found: MultiverseResult, bins: _Bins, x: Spec) -> Spec:
    at = bins.rules.index(found.base) + 0.5 if found.base in bins.rules else None
    rule = num.clean(found.rules[found.base].rule_id)
    rows: list[Datum] = [] if at is None else [{"from": at, "top": 0, "foot": TALL, "rule": rule}]
    return layer(
        {"type": "rule", "color": MUTED, "strokeDash": [2, 3], "strokeWidth": 1.4, "clip": True},
        rows,
        {
            "x": x,
            "y": {
                "field": "top",
                "type": "quantitative",
                "scale": {"domain": [TALL, 0], "range": [TALL, 0], "nice": False},
                "axis": None,
            },
            "y2": {"field": "foot"},
            "tooltip": tip(("rule", "Base rule")),
        },
    )


def _curves(
    found: MultiverseResult, names: dict[str, str], bins: _Bins, x: Spec, drawn: Sequence[int]
) -> list[Spec]:
    """Return thin lines, and wide invisible ones above them that are easy to point at."""
    rows = [
        row
        for j in drawn
        for row in _line(names[found.systems[j]], bins, bins.accuracy[:, j], _role(j, found))
    ]
    rows += _line("mean of all systems", bins, bins.accuracy.mean(axis=1), "mean")
    y = _quiet(_accuracy_axis(bins))
    shared: Spec = {
        "x": {**x, "field": "at"},
        "y": {**y, "field": "value"},
        "detail": {"field": "system", "type": "nominal"},
    }
    roles = ["other", "first", "last", "mean"]
    seen = layer(
        {"type": "line", "strokeJoin": "round", "clip": True},
        rows,
        {
            **shared,
            "color": {
                "field": "role",
                "type": "nominal",
                "scale": {"domain": roles, "range": [QUIET, BLUE, ORANGE, INK]},
                "legend": None,
            },
            "strokeDash": {
                "field": "role",
                "type": "nominal",
                "scale": {"domain": roles, "range": [[1, 0], [1, 0], [6, 3], [1, 0]]},
                "legend": None,
            },
            "strokeWidth": strong(on=3.4, off=1.5),
            "opacity": lit(on=1, off=0.2),
        },
    )
    few = len(rows) <= MOST_POINTS
    mark: Spec = {"type": "point", "size": 130, "strokeWidth": 0, "filled": True, "clip": True}
    if not few:
        mark = {"type": "line", "strokeWidth": 11, "stroke": INK, "clip": True}
    told = (("which", "Rules"), ("mean", "Accuracy")) if few else ()
    hit = layer(
        {**mark, "opacity": 0},
        rows,
        {**shared, "tooltip": tip(("system", "System"), *told, ("spread", "Over all rules"))},
        params=pointing(),
    )
    return [seen, hit]


def _role(j: int, found: MultiverseResult) -> str:
    return "first" if j == 0 else "last" if j == len(found.systems) - 1 else "other"


def _line(name: str, bins: _Bins, values: Floats, role: str) -> list[Datum]:
    spread = f"{num.span(float(values.min()), float(values.max()), 100)}%"
    return [
        {
            "system": name,
            "role": role,
            "at": (start + end) / 2,
            "value": round(float(values[start:end].mean()), 5),
            "which": bins.said(at),
            "mean": _told_of(values[start:end]),
            "spread": spread,
        }
        for at, (start, end) in enumerate(bins.spans)
    ]


def _told_of(part: Floats) -> str:
    """Return the accuracy of one rule, or the mean and the range of several."""
    mean = f"{num.percent(float(part.mean()), 100)}%"
    if len(part) == 1:
        return mean
    return f"{mean} on average ({num.span(float(part.min()), float(part.max()), 100)}%)"


def _choices(found: MultiverseResult, bins: _Bins, x: Spec, foot: float) -> Spec:
    """Return one line a choice: how many rules of each column make it."""
    told = _told(found)
    labels = [str(row["choice"]) for row in told]
    made = [(one.name, choice.name) for one in found.dimensions for choice in one.choices]
    rows = [
        {"choice": label, **run}
        for label, choice in zip(labels, made, strict=True)
        for run in _runs(found, bins, choice)
    ]
    drawn = layer(
        {"type": "rect", "color": INK, "clip": True, "height": {"band": 0.78}},
        rows,
        {
            "x": x,
            "x2": {"field": "to"},
            "y": {
                "field": "choice",
                "type": "nominal",
                "sort": labels,
                "scale": {
                    "type": "band",
                    "domain": labels,
                    "range": [TALL + GAP, foot],
                    "padding": 0,
                },
                "axis": {
                    **row_axis(limit=label_limit(0.36, 96, 240)),
                    "labelFontSize": 11,
                },
            },
            "opacity": {
                "field": "shade",
                "type": "quantitative",
                "scale": None,
                "legend": None,
            },
            "tooltip": tip(
                ("title", "Decides"),
                ("choice", "Choice"),
                ("rules", "Rules that make it"),
                ("mean", "Their mean accuracy"),
                ("part", "Of the rules here"),
            ),
        },
    )
    about: Spec = {"data": {"values": told}, "key": "choice", "fields": ["title", "rules", "mean"]}
    return {**drawn, "transform": [{"lookup": "choice", "from": about}]}


def _told(found: MultiverseResult) -> list[Datum]:
    """Return what is said of each choice, in the order of the grid."""
    means = {
        (one.dimension, one.choice): [value for value in one.accuracy if value is not None]
        for one in found.decomposition.choices
    }
    made = [(one, choice) for one in found.dimensions for choice in one.choices]
    shown = num.short_names([f"{one.name}: {choice.name}" for one, choice in made], 40)
    rows: list[Datum] = []
    for one, choice in made:
        known = means.get((one.name, choice.name), [])
        rows.append(
            {
                "choice": shown[f"{one.name}: {choice.name}"],
                "title": num.clean(one.title),
                "rules": f"{num.count(choice.n_rules)} of {num.count(found.n_rules)}",
                "mean": f"{num.percent(sum(known) / len(known), 100)}%"
                if known
                else "nothing to count",
            }
        )
    return rows


def _runs(found: MultiverseResult, bins: _Bins, choice: tuple[str, str]) -> list[Datum]:
    """Return the line of one choice, neighbouring columns of one shade as one rectangle."""
    made = np.array([choice in found.rules[rule].choices for rule in bins.rules])
    shares = np.array([made[a:b].mean() for a, b in bins.spans])
    shades = np.minimum(np.ceil(shares * len(SHADES)).astype(int), len(SHADES))
    shades[shares < 0.01] = 0
    starts = [0, *(np.flatnonzero(np.diff(shades)) + 1).tolist(), len(shades)]
    rows: list[Datum] = []
    for a, b in pairwise(starts):
        if not shades[a]:
            continue
        start, end = bins.edges[a], bins.edges[b]
        rows.append(
            {
                "from": start,
                "to": end,
                "shade": SHADES[shades[a] - 1],
                "part": f"{num.percent(float(made[start:end].mean()), 100)}% "
                f"({num.share(float(made[start:end].sum()), end - start)})",
            }
        )
    return rows


def _steps(found: MultiverseResult, names: dict[str, str], drawn: Sequence[int]) -> list[Step]:
    ranges = {one.system: one for one in found.ranges}
    steps = []
    for j in drawn:
        system = found.systems[j]
        ends = ranges[system].rule_accuracy
        said = "nothing to count"
        if ends.low is not None and ends.high is not None:
            said = f"{num.span(ends.low, ends.high, 100)}% over all rules"
        steps.append(Step(names[system], f"{names[system]}: {said}"))
    return steps
