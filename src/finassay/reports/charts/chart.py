"""The record of an interactive chart.  In: nothing.  Out: a specification with its words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """An interactive chart.

    Attributes:
        key: name for anchors, for instance "chart-ranks".
        title: what it shows, in one clause without a full stop.
        summary: the text alternative: what a reader would see, with numbers.
        reading: how to read the marks.
        spec: Vega-Lite specification, data included.
        tables: keys of the tables with the numbers behind it.
    """

    key: str
    title: str
    summary: str
    reading: str
    spec: Mapping[str, object]
    tables: tuple[str, ...] = ()
