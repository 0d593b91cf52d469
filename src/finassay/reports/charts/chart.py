"""What every chart is, and the parts that charts share.  In: rows.  Out: Vega-Lite, as mappings.

A specification is plain data: it draws nothing by itself, asks for no file, and holds colours of
one fixed set only, which the page maps to its own for dark mode (`COLOUR_VARIABLES`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from finassay.reports.canvas import BLUE, INK, MUTED, ORANGE, PAPER, QUIET, RULE

Spec: TypeAlias = "dict[str, object]"
"""A part of a Vega-Lite specification."""

Datum: TypeAlias = "dict[str, str | float | bool | None]"
"""One row of the data of a chart."""

SCHEMA_URL = "https://vega.github.io/schema/vega-lite/v6.json"

COLOUR_VARIABLES: Mapping[str, str] = {
    INK: "--ink",
    MUTED: "--muted",
    QUIET: "--quiet",
    RULE: "--rule",
    PAPER: "--paper",
    BLUE: "--blue",
    ORANGE: "--orange",
}
"""Colour of a chart -> variable of the style sheet that a page puts in its place."""

FONT = '"Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif'

FIELD = "system"
"""Column by which marks light up together."""

DENSE = 60
"""Rows from which a chart draws narrower lines."""

ALL_LIT = "length(data('over_store')) + length(data('picked_store')) == 0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """An interactive chart.

    Attributes:
        key: name for anchors and addresses, for instance "accuracy".
        title: what it shows, in one clause.
        summary: the text alternative: what a reader would see, with numbers.
        reading: how to read the marks, and what can be done with them.
        spec: the Vega-Lite specification, data included.
        tables: keys of the tables with the numbers behind it.
    """

    key: str
    title: str
    summary: str
    reading: str
    spec: Mapping[str, object]
    tables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One stop of the arrow keys: what lights up, and what is then said."""

    value: str
    said: str


def specification(
    layers: Sequence[Spec],
    *,
    title: str,
    height: float,
    steps: Sequence[Step] = (),
    resolve: Spec | None = None,
) -> Spec:
    """Return a layered specification as wide as what it stands in.

    Args:
        layers: the layers, each with its own data.
        title: what the image shows, for readers of the page who do not see it.
        height: of the plot in pixels.
        steps: stops of the arrow keys, in the order of the chart.
        resolve: scales and axes that the layers do not share.
    """
    datasets, named = _datasets(layers)
    made: Spec = {
        "$schema": SCHEMA_URL,
        "description": title,
        "width": "container",
        "height": height,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "padding": {"left": 4, "right": 12, "top": 6, "bottom": 6},
        "background": "transparent",
        "config": _CONFIG,
        "usermeta": {"field": FIELD, "steps": [[step.value, step.said] for step in steps]},
        "datasets": datasets,
        "layer": named,
    }
    return made if resolve is None else {**made, "resolve": resolve}


_CONFIG: Spec = {
    "font": FONT,
    "view": {"stroke": None},
    "text": {"color": INK, "fontSize": 12},
    "axis": {
        "labelColor": INK,
        "titleColor": MUTED,
        "titleFontWeight": "normal",
        "titleFontSize": 12,
        "labelFontSize": 12,
        "gridColor": RULE,
        "domain": False,
        "ticks": False,
        "labelPadding": 8,
        # Readers of the page get the table; an axis read out tick by tick says less.
        "aria": False,
    },
    "legend": {
        "orient": "top",
        "title": None,
        "labelColor": INK,
        "labelFontSize": 12,
        "labelLimit": 320,
        "columns": {"expr": "isFinite(containerSize()[0]) && containerSize()[0] < 600 ? 1 : 0"},
        "aria": False,
    },
    "mark": {"aria": False},
}


def _datasets(layers: Sequence[Spec]) -> tuple[Spec, list[Spec]]:
    """Return rows by name, each list once, and the layers that name them."""
    names: dict[str, str] = {}
    found: Spec = {}
    made: list[Spec] = []
    for one in layers:
        rows = one["data"]
        text = json.dumps(rows)
        if text not in names:
            names[text] = f"rows{len(names)}"
            found[names[text]] = rows
        made.append({**one, "data": {"name": names[text]}})
    return found, made


def layer(
    mark: Spec, rows: Iterable[Datum], encoding: Spec, *, params: Sequence[Spec] = ()
) -> Spec:
    """Return one layer: a mark, its rows and how columns become positions.

    Its rows stand under "data" as a plain list until `specification` names them.
    """
    made: Spec = {"data": list(rows), "mark": mark, "encoding": encoding}
    tooltip = encoding.get("tooltip")
    if isinstance(tooltip, list) and any(_is_nearest(one) for one in params):
        made |= _gathered(encoding, tooltip)
    return {**made, "params": list(params)} if params else made


def _is_nearest(param: Spec) -> bool:
    select = param.get("select")
    return isinstance(select, dict) and bool(select.get("nearest"))


def _gathered(encoding: Spec, tooltip: Sequence[Spec]) -> Spec:
    """Return a layer's encoding with its tooltip as one expression.

    Where the nearest mark answers, the datum of the cell around it is the mark, not its row.
    """
    pairs = (
        f"{json.dumps(one['title'])}: (datum.datum || datum)[{json.dumps(one['field'])}]"
        for one in tooltip
    )
    value: Spec = {"value": {"expr": f"{{{', '.join(pairs)}}}"}}
    return {"encoding": {**encoding, "tooltip": value}}


def label_limit(share: float, least: int, most: int) -> Spec:
    """Return how wide labels may be: a share of the width, between two numbers of pixels."""
    narrow = f"clamp(containerSize()[0] * {share}, {least}, {most})"
    return {"expr": f"isFinite(containerSize()[0]) ? {narrow} : {most}"}


def row_axis(*, orient: str = "left", limit: Spec | None = None) -> Spec:
    """Return the axis of named rows: the names alone, cut where the page is narrow."""
    return {
        "orient": orient,
        "title": None,
        "grid": False,
        "labelLimit": limit or label_limit(0.36, 96, 300),
        "labelOverlap": False,
    }


def rows_of(names: Sequence[str], *, axis: Spec | None = None) -> Spec:
    """Return the y channel of named rows in the order given."""
    return {
        "field": FIELD,
        "type": "nominal",
        "sort": list(names),
        "scale": {"domain": list(names)},
        "axis": row_axis() if axis is None else axis,
    }


def row_height(rows: int, *, wide: float = 26, dense: float = 15) -> float:
    """Return the height of one row: less where there are very many."""
    return wide if rows < DENSE else dense


def number_axis(title: str | None, *, is_percent: bool = False) -> Spec:
    """Return the axis of numbers above the plot."""
    made: Spec = {"orient": "top", "title": title, "labelColor": MUTED, "tickCount": 6}
    return {**made, "format": ".0%"} if is_percent else made


def tip(*columns: tuple[str, str]) -> list[Spec]:
    """Return what hovering shows: (column, heading), as text that is ready to read."""
    return [{"field": field, "type": "nominal", "title": title} for field, title in columns]


def lit(*, on: float, off: float) -> Spec:
    """Return a channel that is `on` for what is hovered or picked, and for all while nothing is."""
    test: Spec = {
        "or": [
            {"param": "over", "empty": False},
            {"param": "picked", "empty": False},
            ALL_LIT,
        ]
    }
    return {"condition": {"test": test, "value": on}, "value": off}


def strong(*, on: float | str, off: float | str) -> Spec:
    """Return a channel that is `on` for what is hovered or picked, and `off` while nothing is."""
    test: Spec = {"or": [{"param": "over", "empty": False}, {"param": "picked", "empty": False}]}
    return {"condition": {"test": test, "value": on}, "value": off}


def pointing(*, nearest: bool = False) -> tuple[Spec, Spec]:
    """Return the two selections that every chart has: hovering, and picking with a click.

    One layer declares them; marks of every layer answer, so each must have the column `system`.

    Args:
        nearest: whether the nearest mark of the layer answers wherever the pointer is, and marks
            below it do not.
    """
    over: Spec = {"type": "point", "on": "pointerover", "clear": "pointerout", "fields": [FIELD]}
    picked: Spec = {"type": "point", "on": "click", "clear": "dblclick", "fields": [FIELD]}
    if nearest:
        over["nearest"] = picked["nearest"] = True
    return {"name": "over", "select": over}, {"name": "picked", "select": picked}


def touchable(rows: Sequence[Datum], y: Spec, tooltip: Sequence[Spec]) -> Spec:
    """Return a layer below the others that makes each row answer over its whole width."""
    return layer(
        {"type": "rect", "opacity": 0},
        rows,
        {"y": y, "tooltip": list(tooltip)},
        params=pointing(),
    )


CAN_DO = "Point at a mark for its numbers; a click keeps it lit; arrow keys step through."
