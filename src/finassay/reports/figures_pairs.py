"""A dense order as a matrix of pairs.  In: a robust order.  Out: one cell a pair of systems."""

from __future__ import annotations

from collections.abc import Sequence

from finassay.analyses.results_multiverse import MultiverseResult, RobustOrder
from finassay.reports import numbers as num
from finassay.reports.canvas import BLUE, MUTED, ORANGE, QUIET, RULE, Canvas, Mark, fitted

NAME = 190.0
CELL = 26.0
WIDE = 560.0
TOP = 26.0


def all_above(order: RobustOrder) -> dict[str, set[str]]:
    """Return for each system all systems that it stands above, directly or through others."""
    direct: dict[str, set[str]] = {}
    for high, low in order.edges:
        direct.setdefault(high, set()).add(low)
    found: dict[str, set[str]] = {}
    for level in reversed(order.levels):
        for name in level:
            below = direct.get(name, set())
            found[name] = below.union(*(found.get(one, set()) for one in below))
    return found


def order_matrix(found: MultiverseResult, order: RobustOrder, names: dict[str, str]) -> Canvas:
    """Return a triangle of cells: filled where the order of a pair holds, else how often it does.

    Systems stand in the order of the base rule; a cell says whether the row stands above the
    column.
    """
    systems = found.systems
    cell = min(CELL, WIDE / max(1, len(systems)))
    canvas = Canvas(NAME + cell * len(systems) + 10, TOP + 16 + cell * len(systems))
    above = all_above(order)
    shares = {(one.above, one.below): one.share for one in found.pairs}
    held: list[Mark] = []
    turned: list[Mark] = []
    open_: list[Mark] = []
    for i, row in enumerate(systems):
        for j, column in enumerate(systems[i + 1 :], start=i + 1):
            x, y = NAME + cell * j, TOP + cell * i
            share = shares.get((row, column))
            rate = "unknown" if share is None else f"{num.percent(share, 100)}% of the rules"
            box: Mark = {"x": x + 1, "y": y + 1, "x2": x + cell - 1, "y2": y + cell - 1}
            box["d"] = f"{names[row]} above {names[column]}: {rate}"
            if column in above.get(row, ()):
                held.append({**box, "o": 1.0})
            elif row in above.get(column, ()):
                turned.append({**box, "o": 1.0})
            else:
                open_.append({**box, "o": 0.08 + 0.4 * (share or 0.0)})
    canvas.rects(open_, color=QUIET)
    canvas.rects(held, color=BLUE)
    canvas.rects(turned, color=ORANGE)
    _names(canvas, systems, names, cell)
    return canvas


def _names(canvas: Canvas, systems: Sequence[str], names: dict[str, str], cell: float) -> None:
    rows: list[Mark] = []
    guides: list[Mark] = []
    for i, system in enumerate(systems):
        y = TOP + cell * (i + 0.5)
        text = f"{fitted(names[system], NAME - 36, 11)}  {i + 1}"
        rows.append({"x": NAME - 8, "y": y, "text": text, "d": names[system]})
        guides.append({"x": NAME, "y": y, "x2": NAME + cell * (i + 0.8), "y2": y})
    canvas.rules(guides, color=RULE)
    canvas.texts(rows, size=11, align="right")
    every = 1 if cell >= 16 else 2
    heads: list[Mark] = [
        {"x": NAME + cell * (j + 0.5), "y": TOP - 12, "text": str(j + 1)}
        for j in range(0, len(systems), every)
    ]
    canvas.texts(heads, color=MUTED, size=10, align="center")
