"""Heat maps.  In: named rows and columns with numbers.  Out: layers of a chart, in two colours.

Blue lies above the middle and orange below, the stronger the farther, and every cell has its number
where the chart is wide enough; so nothing rests on colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finassay.reports.canvas import BLUE, INK, ORANGE
from finassay.reports.charts.chart import (
    Datum,
    Spec,
    label_limit,
    layer,
    lit,
    pointing,
    row_axis,
    rows_of,
    tip,
)

NARROW = 620
"""Pixels below which cells hold no numbers."""

_STRONGEST = 0.55
_FAINTEST = 0.04


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of a heat map.

    Attributes:
        row: name of its row.
        column: name of its column.
        signed: -1 to 1: how far from the middle, and on which side; None where there is nothing.
        shown: its number as written; a dash where there is none.
        more: a second number for hovering, "" for none.
    """

    row: str
    column: str
    signed: float | None
    shown: str
    more: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatWords:
    """What hovering calls the row, the column, the number and the second number."""

    row: str
    column: str
    shown: str
    more: str = ""


def heat_layers(
    cells: Sequence[Cell], rows: Sequence[str], columns: Sequence[str], words: HeatWords
) -> list[Spec]:
    """Return the layers of a heat map; rows light up as wholes."""
    data = [_row(cell) for cell in cells]
    x: Spec = {
        "field": "column",
        "type": "nominal",
        "sort": list(columns),
        "scale": {"domain": list(columns), "paddingInner": 0.06},
        "axis": {
            "orient": "top",
            "title": None,
            "labelAngle": -45,
            "labelAlign": "left",
            "labelBaseline": "middle",
            "labelLimit": label_limit(0.22, 90, 190),
            "labelOverlap": False,
            "labelFontSize": 11,
        },
    }
    y = rows_of(rows, axis=row_axis(limit=label_limit(0.3, 84, 220)))
    y = {**y, "scale": {"domain": list(rows), "paddingInner": 0.1}}
    told = [("system", words.row), ("column", words.column), ("shown", words.shown)]
    told += [("more", words.more)] if words.more else []
    made = []
    for color, is_up in ((BLUE, True), (ORANGE, False)):
        part = [row for row in data if row["strength"] is not None and row["is_up"] == is_up]
        made.append(
            layer(
                {"type": "rect", "color": color},
                part,
                {
                    "x": x,
                    "y": y,
                    "opacity": {
                        "field": "strength",
                        "type": "quantitative",
                        "scale": {"domain": [0, 1], "range": [_FAINTEST, _STRONGEST]},
                        "legend": None,
                    },
                    "tooltip": tip(*told),
                },
            )
        )
    return [*made, _numbers(data, x, y, told), _outline(data, x, y, told)]


def _row(cell: Cell) -> Datum:
    return {
        "system": cell.row,
        "column": cell.column,
        "strength": None if cell.signed is None else min(1.0, abs(cell.signed)),
        "is_up": cell.signed is not None and cell.signed >= 0,
        "shown": cell.shown,
        "more": cell.more,
    }


def _numbers(data: Sequence[Datum], x: Spec, y: Spec, told: Sequence[tuple[str, str]]) -> Spec:
    wide = f"isFinite(containerSize()[0]) && containerSize()[0] < {NARROW} ? 0 : 11"
    return layer(
        {"type": "text", "baseline": "middle", "color": INK, "fontSize": {"expr": wide}},
        data,
        {
            "x": x,
            "y": y,
            "text": {"field": "shown", "type": "nominal"},
            "opacity": lit(on=1, off=0.35),
            "tooltip": tip(*told),
        },
    )


def _outline(data: Sequence[Datum], x: Spec, y: Spec, told: Sequence[tuple[str, str]]) -> Spec:
    """Return what the pointer meets: a frame around the cells of the row that is lit."""
    return layer(
        {"type": "rect", "fill": "transparent", "stroke": INK},
        data,
        {
            "x": x,
            "y": y,
            "strokeWidth": {
                "condition": {
                    "test": {
                        "or": [
                            {"param": "over", "empty": False},
                            {"param": "picked", "empty": False},
                        ]
                    },
                    "value": 1.4,
                },
                "value": 0,
            },
            "tooltip": tip(*told),
        },
        params=pointing(),
    )
