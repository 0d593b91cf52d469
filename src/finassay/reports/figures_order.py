"""Orders that hold under every rule.  In: a robust order.  Out: a Hasse diagram."""

from __future__ import annotations

from finassay.analyses.results_multiverse import RobustOrder
from finassay.reports.canvas import INK, MUTED, PAPER, QUIET, Canvas, Mark, fitted

BOX = 138.0
TALL = 24.0
GAP = 14.0
BETWEEN = 52.0
IN_LEVEL = 30.0
MOST = 5
"""Boxes beside each other; a wider level goes on below."""

TOP = 8.0


def hasse(order: RobustOrder, names: dict[str, str]) -> Canvas:
    """Return a Hasse diagram: lines lead from the higher system down to the lower.

    Systems that no other stands above or below of are set apart at the end.
    """
    linked = {name for edge in order.edges for name in edge}
    levels = [[name for name in level if name in linked] for level in order.levels]
    rows = _arranged([level for level in levels if level], order)
    places, bottom = _places(rows)
    loose = [name for level in order.levels for name in level if name not in linked]
    canvas = Canvas(MOST * (BOX + GAP), 10.0)
    if loose:
        bottom = _loose(places, loose, bottom)
        text = "No other system stands above or below these:"
        where = min(places[name][1] for name in loose) - 22
        canvas.texts([{"x": 4, "y": where, "text": text}], color=MUTED, size=12)
    canvas.height = bottom
    _edges(canvas, order, places, names)
    _boxes(canvas, places, names, linked)
    return canvas


def _arranged(levels: list[list[str]], order: RobustOrder) -> list[list[str]]:
    """Return each level with its systems below the middle of those above them."""
    above: dict[str, list[str]] = {}
    for high, low in order.edges:
        above.setdefault(low, []).append(high)
    at: dict[str, float] = {}
    out = []
    for level in levels:
        keyed = {
            name: sum(at[one] for one in above[name]) / len(above[name]) if name in above else 0.5
            for name in level
        }
        placed = sorted(level, key=lambda name: keyed[name])
        at |= {name: (i + 0.5) / len(placed) for i, name in enumerate(placed)}
        out.append(placed)
    return out


Places = dict[str, tuple[float, float]]


def _places(levels: list[list[str]]) -> tuple[Places, float]:
    """Return the middle of each box in pixels, and where the drawing ends."""
    places: Places = {}
    wide, y = MOST * (BOX + GAP), TOP + TALL / 2
    for level in levels:
        lines = -(-len(level) // MOST)
        for line in range(lines):
            # Round robin: neighbours in the order stand above each other, not far apart.
            part = level[line::lines]
            left = (wide - len(part) * (BOX + GAP) + GAP) / 2 + BOX / 2
            for i, name in enumerate(part):
                places[name] = left + i * (BOX + GAP), y
            y += IN_LEVEL if line + 1 < lines else 0.0
        y += TALL + BETWEEN
    return places, y - BETWEEN if levels else TOP


def _loose(places: Places, names: list[str], bottom: float) -> float:
    y = bottom + 44 if bottom > TOP else TOP + 40
    for i, name in enumerate(names):
        line, column = divmod(i, MOST)
        places[name] = BOX / 2 + 2 + column * (BOX + GAP), y + IN_LEVEL * line
    return y + IN_LEVEL * ((len(names) - 1) // MOST) + TALL


def _edges(canvas: Canvas, order: RobustOrder, places: Places, names: dict[str, str]) -> None:
    lines: list[Mark] = [
        {
            "x": places[high][0],
            "y": places[high][1] + TALL / 2,
            "x2": places[low][0],
            "y2": places[low][1] - TALL / 2,
            "d": f"{names[high]} above {names[low]}",
        }
        for high, low in order.edges
    ]
    canvas.rules(lines, color=QUIET, width=1.6)


def _boxes(canvas: Canvas, places: Places, names: dict[str, str], linked: set[str]) -> None:
    for kept, color, width in ((True, INK, 1.2), (False, QUIET, 1.0)):
        some = {name: spot for name, spot in places.items() if (name in linked) is kept}
        boxes: list[Mark] = [
            {
                "x": x - BOX / 2,
                "y": y - TALL / 2,
                "x2": x + BOX / 2,
                "y2": y + TALL / 2,
                "o": 1.0,
            }
            for x, y in some.values()
        ]
        canvas.rects(boxes, color=PAPER)
        canvas.rules([side for box in boxes for side in _sides(box)], color=color, width=width)
        canvas.texts(
            [
                {"x": x, "y": y, "text": fitted(names[name], BOX - 10, 12), "d": names[name]}
                for name, (x, y) in some.items()
            ],
            align="center",
        )


def _sides(box: Mark) -> list[Mark]:
    x, y, x2, y2 = box["x"], box["y"], box["x2"], box["y2"]
    return [
        {"x": x, "y": y, "x2": x2, "y2": y},
        {"x": x, "y": y2, "x2": x2, "y2": y2},
        {"x": x, "y": y, "x2": x, "y2": y2},
        {"x": x2, "y": y, "x2": x2, "y2": y2},
    ]
