"""Drawing in pixels with Vega-Lite.  In: marks with positions.  Out: a static SVG.

Positions are computed before anything is drawn, so that labels can be kept apart; Vega-Lite
draws, and its SVG needs neither scripts nor a network.  Colours are a fixed set of values that
the style sheet of the page maps to its own for dark mode and print.
"""

from __future__ import annotations

import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import vl_convert

from finassay.reports.numbers import ELLIPSIS, clean

INK = "#1b1b1b"
MUTED = "#5c5c5c"
QUIET = "#a3a3a3"
RULE = "#dcdcdc"
PAPER = "#fffffe"
BLUE = "#0072b2"
ORANGE = "#d55e00"

COLOURS = (INK, MUTED, QUIET, RULE, PAPER, BLUE, ORANGE)
"""Every colour of a figure; blue and vermilion are from the palette of Okabe and Ito (2008)."""

TextAlign = Literal["left", "center", "right"]
Shape = Literal["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"]
SHAPES: tuple[Shape, ...] = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
)

Mark: TypeAlias = dict[str, str | float]
"""One mark: x and y in pixels, x2 and y2 where it has two ends, `text`, and `d` as hover text."""

SVG = "http://www.w3.org/2000/svg"
NARROW = frozenset("ijltfrI.,:;'|!()[]-/ ")
BROAD = frozenset("w&#+=<>^~")
WIDE = frozenset("mMW%@—…")


def text_width(text: str, size: float) -> float:
    """Return an upper estimate in pixels of the width of text in a common sans-serif face.

    Wide enough for DejaVu Sans, which many a Linux shows where Helvetica and Arial are missing.
    """
    ems = 0.0
    for char in text:
        if char in WIDE or unicodedata.east_asian_width(char) in {"W", "F"}:
            ems += 1.0
        elif char in NARROW:
            ems += 0.42
        elif char.isupper() or char in BROAD:
            ems += 0.84
        else:
            ems += 0.64
    return ems * size


def fitted(text: str, width: float, size: float) -> str:
    """Return the cleaned text, cut in the middle so that it takes at most `width` pixels."""
    shown = clean(text)
    if text_width(shown, size) <= width:
        return shown
    for keep in range(len(shown) - 1, 1, -1):
        head = keep * 2 // 3
        cut = f"{shown[:head].rstrip()}{ELLIPSIS}{shown[len(shown) - (keep - head) :].lstrip()}"
        if text_width(cut, size) <= width:
            return cut
    return ELLIPSIS


@dataclass(frozen=True, slots=True)
class Layer:
    """Marks of one kind and style, drawn together."""

    kind: Literal["rule", "line", "point", "rect", "text"]
    marks: Sequence[Mark]
    style: dict[str, object]

    def spec(self) -> dict[str, object]:
        """Return the layer in Vega-Lite, with positions in pixels."""
        values = [dict(mark) for mark in self.marks]
        named = "d" in values[0]
        encoding: dict[str, object] = {
            "x": {"field": "x", "type": "quantitative", "scale": None, "axis": None},
            "y": {"field": "y", "type": "quantitative", "scale": None, "axis": None},
            **_CHANNELS[self.kind],
        }
        if named:
            encoding["description"] = {"field": "d", "type": "nominal"}
        return {
            "data": {"values": values},
            "mark": {"type": self.kind, "aria": named, **self.style},
            "encoding": encoding,
        }


_ENDS: dict[str, object] = {"x2": {"field": "x2"}, "y2": {"field": "y2"}}
_CHANNELS: dict[str, dict[str, object]] = {
    "rule": _ENDS,
    "line": {
        "detail": {"field": "series", "type": "nominal"},
        "order": {"field": "x", "type": "quantitative"},
    },
    "point": {},
    "rect": {
        **_ENDS,
        "opacity": {"field": "o", "type": "quantitative", "scale": None, "legend": None},
    },
    "text": {"text": {"field": "text", "type": "nominal"}},
}


@dataclass(slots=True)
class Canvas:
    """Layers of marks in pixels from the upper left corner; nothing is drawn until `render`."""

    width: float
    height: float
    layers: list[Layer] = field(default_factory=list)

    def _add(
        self,
        kind: Literal["rule", "line", "point", "rect", "text"],
        marks: Sequence[Mark],
        **style: object,
    ) -> None:
        if marks:
            self.layers.append(Layer(kind, marks, style))

    def rules(
        self, marks: Sequence[Mark], *, color: str, width: float = 1, dash: Sequence[float] = (1, 0)
    ) -> None:
        """Add straight lines from (x, y) to (x2, y2)."""
        self._add("rule", marks, color=color, strokeWidth=width, strokeDash=list(dash))

    def lines(
        self, marks: Sequence[Mark], *, color: str, width: float = 2, dash: Sequence[float] = (1, 0)
    ) -> None:
        """Add one line through the marks of each `series`, from left to right."""
        self._add("line", marks, color=color, strokeWidth=width, strokeDash=list(dash))

    def points(
        self,
        marks: Sequence[Mark],
        *,
        color: str,
        size: float = 60,
        shape: Shape = "circle",
        fill: str | None = None,
    ) -> None:
        """Add symbols with an outline in `color`, filled with it unless `fill` says otherwise."""
        style = {"stroke": color, "fill": fill or color, "size": size, "shape": shape}
        self._add("point", marks, strokeWidth=1.4, opacity=1, **style)

    def rects(self, marks: Sequence[Mark], *, color: str) -> None:
        """Add filled rectangles from (x, y) to (x2, y2), as opaque as `o` says."""
        self._add("rect", marks, color=color)

    def texts(
        self,
        marks: Sequence[Mark],
        *,
        color: str = INK,
        size: float = 12,
        align: TextAlign = "left",
        bold: bool = False,
        angle: float = 0,
    ) -> None:
        """Add text with its middle line at y."""
        weight = "bold" if bold else "normal"
        style = {"color": color, "fontSize": size, "align": align, "fontWeight": weight}
        self._add("text", marks, baseline="middle", angle=angle % 360, **style)

    def spec(self) -> dict[str, object]:
        """Return the drawing as a Vega-Lite specification."""
        return {
            "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
            "width": self.width,
            "height": self.height,
            "padding": 0,
            "autosize": {"type": "none"},
            "background": "transparent",
            "config": {"view": {"stroke": None}},
            "layer": [layer.spec() for layer in self.layers],
        }


def render(canvas: Canvas, *, key: str, title: str, summary: str) -> str:
    """Return the canvas as an SVG element with a title, a description and hover titles."""
    drawn = vl_convert.vegalite_to_svg(canvas.spec())
    ET.register_namespace("", SVG)
    root = ET.fromstring(drawn)  # noqa: S314 - our own drawing, made in the line above
    for element in root.iter():
        _plain(element)
    root.set("role", "img")
    root.set("aria-labelledby", f"{key}-title {key}-desc")
    for tag, text in (("desc", summary), ("title", title)):
        child = ET.Element(f"{{{SVG}}}{tag}", {"id": f"{key}-{tag}"})
        child.text = text
        root.insert(0, child)
    return re.sub(r"(\d\.\d{2})\d+", r"\1", ET.tostring(root, encoding="unicode"))


def _plain(element: ET.Element) -> None:
    """Turn the accessible name of a mark into a hover title; the figure is one image to readers."""
    name = element.attrib.get("aria-label")
    if name is not None and element.attrib.get("role") == "graphics-symbol":
        title = ET.Element(f"{{{SVG}}}title")
        title.text = name
        element.insert(0, title)
    for attribute in ("aria-label", "aria-roledescription", "aria-hidden", "role", "font-family"):
        element.attrib.pop(attribute, None)
