"""Two recalls and two ranks of each system.  In: numbers of systems.  Out: charts of either."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finassay.reports import numbers as num
from finassay.reports.canvas import BLUE, INK, MUTED, ORANGE, PAPER, QUIET
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
    row_height,
    rows_of,
    specification,
    strong,
    tip,
)
from finassay.reports.drawings import Figure

SIDES = ("by BAcc", "by ERA")
MOVES = ("near", "better by ERA", "worse by ERA")


@dataclass(frozen=True, slots=True, kw_only=True)
class BothRecalls:
    """Recall of ask states and of proceed states of one system, as fractions."""

    system: str
    ask: float
    proceed: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoRanks:
    """Competition ranks of one system by action agreement and by request alignment."""

    system: str
    bacc: int
    era: int


def recall_chart(key: str, figure: Figure, systems: Sequence[BothRecalls]) -> Chart:
    """Return both recalls of every system, the widest gap first.

    Args:
        key: of the chart.
        figure: the figure of the report that it stands for, whose words it has.
        systems: in any order.
    """
    ordered = sorted(systems, key=lambda one: (-(one.ask - one.proceed), one.system))
    rows: list[Datum] = [
        {
            "system": one.system,
            "ask": one.ask,
            "proceed": one.proceed,
            "asked": f"{num.fixed(100 * one.ask, 2)}%",
            "went_on": f"{num.fixed(100 * one.proceed, 2)}%",
            "gap": f"{num.signed(100 * (one.ask - one.proceed), 2)} points",
        }
        for one in ordered
    ]
    told = tip(
        ("system", "System"),
        ("asked", "Ask recall"),
        ("went_on", "Proceed recall"),
        ("gap", "Gap"),
    )
    x: Spec = {
        "field": "ask",
        "type": "quantitative",
        "scale": {"domain": [0, 1], "nice": False},
        "axis": number_axis(None, is_percent=True),
    }
    y = rows_of([one.system for one in ordered])
    shared: Spec = {"opacity": lit(on=1, off=0.25), "tooltip": told}
    bars = layer(
        {"type": "rule", "color": QUIET, "strokeWidth": 2},
        rows,
        {"x": x, "x2": {"field": "proceed"}, "y": y, **shared},
    )
    went_on = layer(
        {"type": "point", "shape": "square", "stroke": ORANGE, "fill": PAPER, "strokeWidth": 1.8},
        rows,
        {"x": {**x, "field": "proceed"}, "y": y, "size": strong(on=130, off=64), **shared},
    )
    asks = layer(
        {"type": "point", "shape": "circle", "stroke": BLUE, "fill": BLUE},
        rows,
        {"x": x, "y": y, "size": strong(on=140, off=70), **shared},
        params=pointing(),
    )
    return Chart(
        key=key,
        title=figure.title,
        summary=figure.summary,
        reading="Systems by gap. Filled circle: share of ask states on which the system asks. "
        f"Hollow square: share of proceed states on which it goes on. {CAN_DO}",
        spec=specification(
            [bars, went_on, asks],
            title=figure.title,
            height=row_height(len(rows)) * len(rows),
            steps=_recall_steps(rows),
        ),
        tables=figure.tables,
    )


def _recall_steps(rows: Sequence[Datum]) -> list[Step]:
    return [
        Step(
            str(row["system"]),
            f"{row['system']}: ask {row['asked']}, proceed {row['went_on']}, {row['gap']}",
        )
        for row in rows
    ]


def rank_chart(key: str, figure: Figure, systems: Sequence[TwoRanks]) -> Chart:
    """Return ranks by action and by evidence, a line a system.

    Args:
        key: of the chart.
        figure: the figure of the report that it stands for, whose words it has.
        systems: in any order.
    """
    far = max(3.0, len(systems) / 4)
    places = {SIDES[0]: _places(systems, by_era=False), SIDES[1]: _places(systems, by_era=True)}
    rows: list[Datum] = []
    for one in systems:
        moved = one.bacc - one.era
        move = MOVES[0] if abs(moved) < far else MOVES[1 if moved > 0 else 2]
        for side, rank in zip(SIDES, (one.bacc, one.era), strict=True):
            rows.append(
                {
                    "system": one.system,
                    "side": side,
                    "place": places[side][one.system],
                    "rank": str(rank),
                    "both": f"{one.bacc} by BAcc, {one.era} by ERA",
                    "move": move,
                }
            )
    count = len(systems)
    return Chart(
        key=key,
        title=figure.title,
        summary=figure.summary,
        reading="Competition ranks: left by balanced action agreement (BAcc), right by request "
        "alignment (ERA). Blue: at least a quarter of the field better by ERA. Orange, dashed: as "
        f"much worse. {CAN_DO}",
        spec=specification(
            _rank_layers(rows, systems, places, count),
            title=figure.title,
            height=row_height(count) * count,
            steps=[
                Step(one.system, f"{one.system}: rank {one.bacc} by BAcc, {one.era} by ERA")
                for one in sorted(systems, key=lambda one: (one.era, one.system))
            ],
            resolve={"scale": {"y": "independent"}, "axis": {"y": "independent"}},
        ),
        tables=figure.tables,
    )


def _places(systems: Sequence[TwoRanks], *, by_era: bool) -> dict[str, int]:
    ordered = sorted(systems, key=lambda one: (one.era if by_era else one.bacc, one.system))
    return {one.system: at for at, one in enumerate(ordered)}


def _rank_layers(
    rows: Sequence[Datum],
    systems: Sequence[TwoRanks],
    places: dict[str, dict[str, int]],
    count: int,
) -> list[Spec]:
    x: Spec = {
        "field": "side",
        "type": "nominal",
        "sort": list(SIDES),
        "scale": {"type": "point", "domain": list(SIDES), "padding": 0.12},
        "axis": {"orient": "top", "title": None, "labelAngle": 0, "labelFontWeight": "bold"},
    }
    y: Spec = {
        "field": "place",
        "type": "quantitative",
        "scale": {"domain": [count - 0.5, -0.5], "nice": False, "zero": False},
        "axis": None,
    }
    told = tip(("system", "System"), ("both", "Ranks"))
    lines = layer(
        {"type": "line"},
        rows,
        {
            "x": x,
            "y": y,
            "detail": {"field": "system", "type": "nominal"},
            "color": _by_move([QUIET, BLUE, ORANGE]),
            "strokeDash": _by_move([[1, 0], [1, 0], [7, 3]]),
            "strokeWidth": strong(on=4, off=2),
            "opacity": lit(on=1, off=0.2),
        },
    )
    dots = layer(
        {"type": "point", "shape": "circle", "fill": PAPER, "size": 330},
        rows,
        {
            "x": x,
            "y": y,
            "stroke": {
                "condition": {"param": "over", "empty": False, "value": INK},
                "value": MUTED,
            },
            "opacity": lit(on=1, off=0.55),
            "tooltip": told,
        },
        params=pointing(),
    )
    numbers = layer(
        {"type": "text", "baseline": "middle", "fontSize": 11, "color": INK},
        rows,
        {
            "x": x,
            "y": y,
            "text": {"field": "rank", "type": "nominal"},
            "opacity": lit(on=1, off=0.4),
            "tooltip": told,
        },
    )
    ends = [
        _end(systems, places[side], orient)
        for side, orient in zip(SIDES, ("left", "right"), strict=True)
    ]
    return [*ends, lines, dots, numbers]


def _by_move(values: Sequence[object]) -> Spec:
    return {
        "field": "move",
        "type": "nominal",
        "scale": {"domain": list(MOVES), "range": list(values)},
        "legend": None,
    }


def _end(systems: Sequence[TwoRanks], place: dict[str, int], orient: str) -> Spec:
    """Return invisible marks whose axis names the systems at one end."""
    shown = sorted((one.system for one in systems), key=lambda name: place[name])
    return layer(
        {"type": "point", "opacity": 0, "size": 1},
        [{"system": name, "end": name} for name in shown],
        {
            "y": {
                "field": "end",
                "type": "nominal",
                "sort": shown,
                "scale": {"domain": shown, "type": "band", "padding": 0},
                "axis": row_axis(orient=orient, limit=label_limit(0.27, 84, 280)),
            }
        },
    )
