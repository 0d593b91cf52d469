"""What rules that read labels can reach.  In: a sweep over label cells.  Out: a chart."""

from __future__ import annotations

from finassay.analyses.extraction.results_sweep import LabelSweep, SweepRow
from finassay.reports import numbers as num
from finassay.reports.canvas import BLUE, INK, ORANGE, PAPER
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
    row_axis,
    rows_of,
    specification,
    tip,
    touchable,
)
from finassay.reports.figures_extraction import drawn_rows, summary
from finassay.reports.tables_extraction import UNDECIDED, side

OPEN = "undetermined"


def reachable(sweep: LabelSweep, names: dict[str, str]) -> Chart | None:
    """Return the reachable interval of every cell against its floor; None without cells."""
    if not sweep.rows:
        return None
    drawn = drawn_rows(sweep)
    titles = list(num.short_names([_title(row, names) for row in drawn]).values())
    shown = [_shown(row, title) for row, title in zip(drawn, titles, strict=True)]
    rows = [_row(row, title) for row, title in zip(drawn, shown, strict=True)]
    rest = len(sweep.rows) - len(drawn)
    more = f" {num.plural(rest, 'more cell')} in the table." if rest else ""
    x: Spec = {
        "field": "low",
        "type": "quantitative",
        "scale": {"domain": [0, 1.24], "nice": False},
        "axis": {**number_axis(None, is_percent=True), "values": [0, 0.25, 0.5, 0.75, 1]},
    }
    y = rows_of(shown, axis=row_axis(limit=label_limit(0.42, 120, 340)))
    return Chart(
        key="reachable",
        title="Accuracy that rules reading a label can reach, against the floor",
        summary=summary(sweep),
        reading=(
            "Bars run from the lowest to the highest accuracy that a rule selecting an occurring "
            "label can make of the same replies; dark strokes are the best constant answer. "
            f"Orange and thick, with hollow diamonds and the mark {UNDECIDED}: undetermined, the "
            f"rule decides on which side of the floor the cell lies.{more} {CAN_DO}"
        ),
        spec=specification(
            _layers(rows, x, y),
            title="Reachable accuracy of label tasks against the floor",
            height=22 * len(rows),
            steps=[Step(str(row["system"]), str(row["said"])) for row in rows],
        ),
        tables=("extraction",),
    )


def _title(row: SweepRow, names: dict[str, str]) -> str:
    parts = (num.clean(row.task), names[row.system], *map(num.clean, (row.arm, row.budget)))
    return ": ".join(part for part in parts if part)


def _shown(row: SweepRow, title: str) -> str:
    return f"{UNDECIDED} {title}" if row.outcome == OPEN else title


def _row(row: SweepRow, title: str) -> Datum:
    span = f"{num.span(row.low / row.n, row.high / row.n, row.n)}%"
    floor = f"{num.percent(row.floor / row.n, row.n)}%"
    of = f"{num.share(row.low, row.n)} to {num.share(row.high, row.n)}"
    return {
        "system": title,
        "low": row.low / row.n,
        "high": row.high / row.n,
        "floor": row.floor / row.n,
        "is_open": row.outcome == OPEN,
        "side": side(row),
        "short": OPEN if row.outcome == OPEN else row.outcome,
        "span": span,
        "of": of,
        "least": f"{floor} ({num.share(row.floor, row.n)})",
        "said": f"{title}: reachable {span}, floor {floor}, {side(row)}",
    }


TIP = tip(
    ("system", "Cell"),
    ("span", "Reachable"),
    ("of", "Right / n"),
    ("least", "Floor"),
    ("side", "Against the floor"),
)


def _layers(rows: list[Datum], x: Spec, y: Spec) -> list[Spec]:
    made: list[Spec] = []
    styles = ((False, BLUE, 3.0, "circle", 36.0), (True, ORANGE, 6.0, "diamond", 80.0))
    for is_open, color, width, shape, size in styles:
        part = [row for row in rows if row["is_open"] == is_open]
        if not part:
            continue
        fill = PAPER if is_open else color
        made.append(
            layer(
                {"type": "rule", "color": color, "strokeWidth": width},
                part,
                {"x": x, "x2": {"field": "high"}, "y": y, **_shared()},
            )
        )
        made += [
            layer(
                {"type": "point", "shape": shape, "stroke": color, "fill": fill, "size": size},
                part,
                {"x": {**x, "field": end}, "y": y, **_shared()},
            )
            for end in ("low", "high")
        ]
    floors = layer(
        {"type": "tick", "color": INK, "thickness": 2.5, "size": 16},
        rows,
        {"x": {**x, "field": "floor"}, "y": y, **_shared()},
    )
    sides = layer(
        {"type": "text", "align": "left", "dx": 10, "baseline": "middle", "fontSize": 11},
        rows,
        {
            "x": {**x, "field": "high"},
            "y": y,
            "text": {"field": "short", "type": "nominal"},
            **_shared(),
        },
    )
    return [touchable(rows, y, TIP), *made, sides, floors]


def _shared() -> Spec:
    return {"opacity": lit(on=1, off=0.25), "tooltip": TIP}
