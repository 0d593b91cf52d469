"""Numbers with intervals, side by side.  In: marks of named rows.  Out: layers of a chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finassay.reports import numbers as num
from finassay.reports.canvas import INK, PAPER
from finassay.reports.charts.chart import (
    Datum,
    Spec,
    layer,
    lit,
    number_axis,
    pointing,
    rows_of,
    strong,
    tip,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """One mark.

    Attributes:
        row: name of its row.
        series: what it is, one of the styles' names.
        value: where it stands.
        low: low end of its interval; None without one.
        high: high end.
        shown: its number and interval as written.
        n: what it is over, as written.
        is_open: whether it is drawn hollow.
    """

    row: str
    series: str
    value: float
    low: float | None
    high: float | None
    shown: str
    n: str
    is_open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How marks of one series look, and how far below the middle of the row they stand."""

    series: str
    color: str
    shape: str = "circle"
    shift: float = 0.0


def written(value: float, low: float | None, high: float | None, digits: int = 2) -> str:
    """Return a number with its interval, "0.71 (0.63 to 0.78)"."""
    shown = num.fixed(value, digits)
    if low is None or high is None:
        return shown
    return f"{shown} ({num.fixed(low, digits)} to {num.fixed(high, digits)})"


def dot_layers(
    dots: Sequence[Dot],
    styles: Sequence[Style],
    *,
    domain: tuple[float, float],
    lines: Sequence[float] = (),
    title: str | None = None,
    is_percent: bool = False,
) -> list[Spec]:
    """Return rows of marks with their intervals, and upright lines at some values.

    Args:
        dots: the marks, rows in the order in which they first appear.
        styles: one a series.
        domain: ends of the scale.
        lines: where dashed lines stand, such as 0 or a bound.
        title: of the axis.
        is_percent: whether values are fractions that are shown as percents.
    """
    names = list(dict.fromkeys(dot.row for dot in dots))
    x: Spec = {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": list(domain), "nice": False, "clamp": True},
        "axis": number_axis(title, is_percent=is_percent),
    }
    y = rows_of(names)
    made: list[Spec] = [
        layer(
            {"type": "rule", "color": INK, "strokeWidth": 1.2, "strokeDash": [4, 3]},
            [{"system": f"line at {at:g}", "value": at} for at in lines],
            {"x": x},
        )
    ]
    for style in styles:
        made += _series(dots, style, x, y)
    everything = [_row(dot) for dot in dots]
    touch = layer(
        {"type": "point", "opacity": 0, "size": 200},
        everything,
        {"x": x, "y": y, "tooltip": _TIP},
        params=pointing(),
    )
    return [*made, touch] if everything else made


_TIP = tip(("system", "Of"), ("series", "What"), ("shown", "Value"), ("n", "Over"))


def _row(dot: Dot) -> Datum:
    return {
        "system": dot.row,
        "series": dot.series,
        "value": dot.value,
        "low": dot.value if dot.low is None else dot.low,
        "high": dot.value if dot.high is None else dot.high,
        "shown": dot.shown,
        "n": dot.n,
        "is_open": dot.is_open,
    }


def _series(dots: Sequence[Dot], style: Style, x: Spec, y: Spec) -> list[Spec]:
    rows = [_row(dot) for dot in dots if dot.series == style.series]
    if not rows:
        return []
    shared: Spec = {"y": y, "opacity": lit(on=1, off=0.25), "tooltip": _TIP}
    shift: Spec = {"yOffset": style.shift} if style.shift else {}
    return [
        layer(
            {"type": "rule", "color": style.color, "strokeWidth": 2, **shift},
            rows,
            {"x": {**x, "field": "low"}, "x2": {"field": "high"}, **shared},
        ),
        layer(
            {
                "type": "point",
                "shape": style.shape,
                "stroke": style.color,
                "strokeWidth": 1.8,
                **shift,
            },
            rows,
            {
                "x": x,
                "fill": {
                    "condition": {"test": "datum.is_open", "value": PAPER},
                    "value": style.color,
                },
                "size": strong(on=150, off=76),
                **shared,
            },
        ),
    ]
