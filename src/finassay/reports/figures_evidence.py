"""Figures about ranks, pairs and items.  In: results.  Out: drawings."""

from __future__ import annotations

from collections import Counter, defaultdict

from finassay.analyses.results import Comparisons, ItemAnalysis, PairTest, RankSets
from finassay.reports import numbers as num
from finassay.reports.canvas import (
    BLUE,
    INK,
    MUTED,
    ORANGE,
    PAPER,
    QUIET,
    RULE,
    Canvas,
    Mark,
    fitted,
)

NAME = 200.0
STEP = 24.0
TOP = 40.0


def rank_sets(result: RankSets, names: dict[str, str]) -> Canvas:
    """Return one line a system: the ranks that are open together, and alone."""
    count = len(result.rows)
    wide = max(18.0, min(52.0, 560.0 / count))
    left = NAME + 30
    bottom = TOP + STEP * count
    canvas = Canvas(left + wide * count + 10, bottom + 14)

    def x(rank: float) -> float:
        return left + wide * (rank - 0.5)

    canvas.rules(
        [{"x": x(r), "y": TOP, "x2": x(r), "y2": bottom} for r in range(1, count + 1)], color=RULE
    )
    ticks: list[Mark] = [{"x": x(r), "y": TOP - 10, "text": str(r)} for r in range(1, count + 1)]
    canvas.texts(ticks, color=MUTED, size=11, align="center")
    canvas.texts([{"x": left, "y": 12.0, "text": "Rank"}], bold=True)
    together: list[Mark] = []
    alone: list[Mark] = []
    dots: list[Mark] = []
    labels: list[Mark] = []
    for i, row in enumerate(result.rows):
        y = TOP + STEP * (i + 0.5)
        said = f"{names[row.system]}: alone {row.marginal[0]} to {row.marginal[1]}, together "
        said += f"{row.simultaneous[0]} to {row.simultaneous[1]}, observed {row.rank}"
        bars = (together, row.simultaneous, 2.0), (alone, row.marginal, 6.0)
        for marks, (best, worst), half in bars:
            box: Mark = {"x": x(best) - 7, "y": y - half, "x2": x(worst) + 7, "y2": y + half}
            marks.append({**box, "o": 1.0, "d": said})
        dots.append({"x": x(row.rank), "y": y, "d": said})
        labels.append({"x": NAME + 14, "y": y, "text": fitted(names[row.system], NAME, 12)})
    canvas.rects(together, color=QUIET)
    canvas.rects(alone, color=BLUE)
    canvas.points(dots, color=INK, fill=PAPER, size=50)
    canvas.texts(labels, align="right")
    return canvas


CELL = 44.0
SHORT = 22.0


def significance(result: Comparisons, names: dict[str, str]) -> Canvas:
    """Return a matrix of pairs: above the diagonal p over items, below it p over clusters."""
    systems = result.systems
    left, top = NAME + 34, 34.0
    canvas = Canvas(left + CELL * len(systems) + 6, top + SHORT * len(systems) + 8)
    at = {name: i for i, name in enumerate(systems)}
    kept: list[Mark] = []
    tied: list[Mark] = []
    plain: list[Mark] = []
    strong: list[Mark] = []
    for test in result.pairs:
        if test.left not in at or test.right not in at:
            continue
        i, j = sorted((at[test.left], at[test.right]))
        for row, col, clustered in ((i, j, False), (j, i, True)):
            spot, state, text = _cell(test, result, names, clustered=clustered)
            if not text:
                continue
            x, y = left + CELL * col, top + SHORT * row
            box: Mark = {"x": x + 1, "y": y + 1, "x2": x + CELL - 1, "y2": y + SHORT - 1}
            mark: Mark = {"x": x + CELL / 2, "y": y + SHORT / 2, "text": text, "d": spot}
            if state == "kept":
                kept.append({**box, "o": 0.35, "d": spot})
            if state == "tied":
                tied.append({**box, "o": 0.45, "d": spot})
            (plain if state == "open" else strong).append(mark)
    canvas.rects(kept, color=BLUE)
    canvas.rects(tied, color=ORANGE)
    canvas.texts(plain, color=MUTED, size=10.5, align="center")
    canvas.texts(strong, size=10.5, align="center", bold=True)
    heads: list[Mark] = [
        {"x": left + CELL * (j + 0.5), "y": top - 12, "text": str(j + 1)} for j in range(len(at))
    ]
    rows: list[Mark] = [
        {"x": left - 10, "y": top + SHORT * (i + 0.5), "text": f"{label}  {i + 1}"}
        for i, label in enumerate(fitted(names[name], NAME, 12) for name in systems)
    ]
    canvas.texts(heads, color=MUTED, size=11, align="center")
    canvas.texts(rows, align="right")
    return canvas


def _cell(
    test: PairTest, result: Comparisons, names: dict[str, str], *, clustered: bool
) -> tuple[str, str, str]:
    """Return hover text, state ("kept", "tied", "open") and p of one cell; no p, no text."""
    made = test.cluster if clustered else test.item
    if made is None:
        return "", "open", ""
    units = f"{made.units} {'clusters' if clustered else 'items'}"
    with_ties, without = num.p_exact(made.p.inclusive), num.p_exact(made.p.exclusive)
    said = (
        f"{names[test.left]} and {names[test.right]}, {units}: p {with_ties} with ties, {without} "
        f"without; adjusted {num.p_exact(made.adjusted.inclusive)}"
    )
    state = "open"
    if made.adjusted.inclusive < result.alpha:
        state = "kept"
    elif made.adjusted.exclusive < result.alpha:
        state = "tied"
    return said, state, _short_p(made.p.inclusive)


def _short_p(p: float) -> str:
    if p >= 0.0995:
        return f"{p:.2f}".lstrip("0") if p < 0.995 else "1"
    if p >= 0.001:
        return f"{p:.3f}".lstrip("0")
    base, _, power = f"{p:.0e}".partition("e")
    return f"{base}e{num.MINUS}{-int(power)}" if p > 0 else "0"


MAP_CELL = 46.0
BANDS = 10
"""Rows of the item map: item-rest correlation in steps of 0.2."""


def item_map(result: ItemAnalysis) -> Canvas:
    """Return a map of items: how many systems are right across, item-rest correlation up."""
    m = len(result.systems)
    wide = max(24.0, min(MAP_CELL, 620.0 / (m + 1)))
    counts: Counter[tuple[int, int]] = Counter()
    named: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for item in result.items:
        if item.item_rest is not None:
            spot = (item.k, min(BANDS - 1, int((item.item_rest + 1.0) / 2.0 * BANDS)))
            counts[spot] += 1
            named[spot].append(num.clean(item.item_id))
    left, top, tall = 70.0, 34.0, 24.0
    bottom = top + tall * BANDS
    canvas = Canvas(left + wide * (m + 1) + 12, bottom + 46)
    most = max(counts.values(), default=1)
    good: list[Mark] = []
    bad: list[Mark] = []
    texts: list[Mark] = []
    for (k, band), count in sorted(counts.items()):
        x, y = left + wide * k, bottom - tall * (band + 1)
        ids = num.listed(named[(k, band)][:5]) + (" and more" if count > 5 else "")
        said = f"{k} of {m} right, {_band(band)}: {num.plural(count, 'item')} ({ids})"
        box: Mark = {"x": x + 1, "y": y + 1, "x2": x + wide - 1, "y2": y + tall - 1, "d": said}
        box["o"] = 0.12 + 0.45 * count / most
        (bad if band < BANDS // 2 else good).append(box)
        texts.append({"x": x + wide / 2, "y": y + tall / 2, "text": str(count), "d": said})
    canvas.rects(good, color=BLUE)
    canvas.rects(bad, color=ORANGE)
    zero = bottom - tall * BANDS / 2
    canvas.rules([{"x": left, "y": zero, "x2": left + wide * (m + 1), "y2": zero}], color=INK)
    canvas.texts(texts, size=11, align="center")
    _map_axes(canvas, m, wide, (left, top, bottom, tall))
    return canvas


def _band(band: int) -> str:
    low = -1.0 + 2.0 * band / BANDS
    return f"item-rest {num.signed(low, 1)} to {num.signed(low + 2.0 / BANDS, 1)}"


def _map_axes(
    canvas: Canvas, m: int, wide: float, frame: tuple[float, float, float, float]
) -> None:
    left, top, bottom, tall = frame
    across: list[Mark] = [
        {"x": left + wide * (k + 0.5), "y": bottom + 12, "text": str(k)} for k in range(m + 1)
    ]
    up: list[Mark] = [
        {"x": left - 8, "y": bottom - tall * band, "text": num.signed(-1 + 2 * band / BANDS, 1)}
        for band in range(BANDS + 1)
    ]
    canvas.texts(across, color=MUTED, size=11, align="center")
    canvas.texts(up, color=MUTED, size=11, align="right")
    canvas.texts([{"x": 4, "y": top - 20, "text": "Item-rest correlation"}], bold=True)
    label = f"Systems that are right, of {m} (easy to the right)"
    canvas.texts([{"x": left, "y": bottom + 34, "text": label}], bold=True)
