"""Asking or going on, to point at.  In: a report on asking.  Out: charts with the report's keys."""

from __future__ import annotations

from collections.abc import Sequence

from finassay.analyses.results_ask import AskReport, AskRow, CostCurves
from finassay.reports import figures_ask
from finassay.reports import numbers as num
from finassay.reports.ask_page import ask_figures
from finassay.reports.canvas import BLUE, MUTED, ORANGE, PAPER, QUIET
from finassay.reports.charts import recalls
from finassay.reports.charts.chart import (
    CAN_DO,
    Chart,
    Datum,
    Spec,
    Step,
    layer,
    lit,
    pointing,
    specification,
    strong,
    tip,
)

CONTOUR_STEPS = 40
LABEL_SHARE = 0.05
"""Share of the highest cost below which two labels would overlap."""


def ask_charts(report: AskReport) -> dict[str, Chart]:
    """Return every chart that the report has numbers for, by the key of its figure."""
    told = ask_figures(report)
    names = num.short_names(row.system for row in report.rows)
    made: list[Chart] = []
    if "fig-ask-era" in told:
        made.append(era_map(report, names))
    if "fig-ask-recall" in told:
        scores = {row.system: row.scores for row in report.rows}
        both = [
            recalls.BothRecalls(
                system=names[name],
                ask=scores[name].ask_recall or 0.0,
                proceed=scores[name].proceed_recall or 0.0,
            )
            for name, _ in report.asymmetry.gaps
        ]
        made.append(recalls.recall_chart("fig-ask-recall", told["fig-ask-recall"], both))
    if "fig-ask-ranks" in told:
        ranks = [
            recalls.TwoRanks(system=names[one.system], bacc=one.bacc, era=one.era)
            for one in report.ranks
        ]
        made.append(recalls.rank_chart("fig-ask-ranks", told["fig-ask-ranks"], ranks))
    made += [cost_chart(report, curves, names) for curves in report.costs if curves.segments]
    return {chart.key: chart for chart in made}


def era_map(report: AskReport, names: dict[str, str]) -> Chart:
    """Return ask recall against alignment where asked, with lines of equal ERA."""
    figure = ask_figures(report)["fig-ask-era"]
    charted = figures_ask.charted(report)
    leaders = figures_ask.notable(report)
    rows = [_point(row, report, names, leaders) for row in charted]
    ends = _ends(charted)
    x: Spec = {
        "field": "ask",
        "type": "quantitative",
        "scale": {"domain": list(ends[0]), "nice": False, "clamp": True},
        "axis": {"title": "Ask recall, AskR", "format": ".0%", "tickCount": 6, "gridOpacity": 0.5},
    }
    y: Spec = {
        "field": "cra",
        "type": "quantitative",
        "scale": {"domain": list(ends[1]), "nice": False, "clamp": True},
        "axis": {
            "title": "Alignment where it asks, CRA",
            "format": ".0%",
            "tickCount": 6,
            "gridOpacity": 0.5,
        },
    }
    return Chart(
        key="fig-ask-era",
        title=figure.title,
        summary=figure.summary,
        reading="Dashed lines join points of equal ERA = AskR x CRA. Blue: leaders by ERA, CRA or "
        "BAcc, and the pair near in BAcc that differs most in ERA."
        + (" Hollow: in no comparison." if any(not row["is_compared"] for row in rows) else "")
        + f" {CAN_DO}",
        spec=specification(
            [*_contours(ends, x, y), _names(rows, x, y), _points(rows, x, y)],
            title=figure.title,
            height=430,
            steps=[Step(str(row["system"]), str(row["said"])) for row in rows],
        ),
        tables=figure.tables,
    )


def _point(row: AskRow, report: AskReport, names: dict[str, str], leaders: set[str]) -> Datum:
    shown = {
        "asked": row.scores.ask_recall,
        "aligned": row.scores.cra,
        "overall": row.scores.era,
        "balanced": row.scores.bacc,
    }
    told: Datum = {
        key: num.EM_DASH if value is None else f"{num.fixed(100 * value, 2)}%"
        for key, value in shown.items()
    }
    name = names[row.system]
    return {
        "system": name,
        "ask": row.scores.ask_recall,
        "cra": row.scores.cra,
        "is_notable": row.system in leaders,
        "is_compared": row.system in report.compared,
        "said": f"{name}: AskR {told['asked']}, CRA {told['aligned']}, ERA {told['overall']}",
        **told,
    }


Ends = tuple[tuple[float, float], tuple[float, float]]


def _ends(rows: Sequence[AskRow]) -> Ends:
    """Return the ends of both axes, in tenths, with every point inside."""
    found = []
    for values in (
        [row.scores.ask_recall or 0.0 for row in rows],
        [row.scores.cra or 0.0 for row in rows],
    ):
        low = max(0.0, (int(10 * min(values) - 1e-9) - (min(values) * 10 % 1 < 0.25)) / 10)
        high = min(1.0, (int(10 * max(values) + 0.999999)) / 10)
        while high - low < 0.29:
            low, high = max(0.0, low - 0.1), min(1.0, high + 0.1)
        found.append((round(low, 1), round(high, 1)))
    return found[0], found[1]


def _contours(ends: Ends, x: Spec, y: Spec) -> list[Spec]:
    lines: list[Datum] = []
    labels: list[Datum] = []
    (left, right), (low, high) = ends
    for era in figures_ask.CONTOURS:
        start, stop = max(left, era / high), min(right, era / low if low > 0 else 1.0)
        if start >= stop:
            continue
        at = [start + (stop - start) * step / CONTOUR_STEPS for step in range(CONTOUR_STEPS + 1)]
        name = f"ERA {100 * era:.0f}"
        lines += [
            {"system": name, "ask": share, "cra": era / share, "era": f"{era:g}"}
            for share in at
            if share
        ]
        labels.append({"system": name, "ask": stop, "cra": era / stop, "text": name})
    curve = layer(
        {"type": "line", "color": QUIET, "strokeWidth": 1.3, "strokeDash": [4, 3]},
        lines,
        {"x": x, "y": y, "detail": {"field": "era", "type": "nominal"}},
    )
    words = layer(
        {
            "type": "text",
            "align": "right",
            "baseline": "bottom",
            "dy": -5,
            "color": MUTED,
            "fontSize": 11,
        },
        labels,
        {"x": x, "y": y, "text": {"field": "text", "type": "nominal"}},
    )
    return [curve, words]


TIP = tip(
    ("system", "System"),
    ("asked", "AskR"),
    ("aligned", "CRA"),
    ("overall", "ERA"),
    ("balanced", "BAcc"),
)


def _points(rows: Sequence[Datum], x: Spec, y: Spec) -> Spec:
    color: Spec = {"condition": {"test": "datum.is_notable", "value": BLUE}, "value": MUTED}
    return layer(
        {"type": "point", "shape": "circle", "strokeWidth": 1.6},
        rows,
        {
            "x": x,
            "y": y,
            "stroke": color,
            "fill": {
                "condition": [
                    {"test": "!datum.is_compared", "value": PAPER},
                    {"test": "datum.is_notable", "value": BLUE},
                ],
                "value": MUTED,
            },
            "size": strong(on=190, off=80),
            "opacity": lit(on=1, off=0.3),
            "tooltip": TIP,
        },
        params=pointing(),
    )


def _names(rows: Sequence[Datum], x: Spec, y: Spec) -> Spec:
    return layer(
        {"type": "text", "align": "left", "dx": 9, "dy": -7, "fontSize": 11, "limit": 160},
        [row for row in rows if row["is_notable"]],
        {
            "x": x,
            "y": y,
            "text": {"field": "system", "type": "nominal"},
            "opacity": lit(on=1, off=0.25),
        },
    )


def cost_chart(report: AskReport, curves: CostCurves, names: dict[str, str]) -> Chart:
    """Return the expected cost per state by the price share of a miss."""
    figure = ask_figures(report)[f"fig-ask-costs-{curves.miss}"]
    best = {name for one in curves.segments for name in one.systems}
    ends = ((0.0, "if_needless_only"), (1.0, "if_misses_only"))
    rows: list[Datum] = [
        {
            "system": names.get(line.system, num.shortened(line.system)),
            "price": price,
            "cost": getattr(line, field),
            "is_best": line.system in best,
            "needless": f"{num.fixed(100 * line.if_needless_only, 2)}%",
            "missed": f"{num.fixed(100 * line.if_misses_only, 2)}%",
        }
        for line in curves.lines
        for price, field in ends
    ]
    x: Spec = {
        "field": "price",
        "type": "quantitative",
        "scale": {"domain": [0, 1], "nice": False},
        "axis": {"title": "Price share of a miss", "format": ".0%", "tickCount": 6},
    }
    y: Spec = {
        "field": "cost",
        "type": "quantitative",
        "scale": {"zero": True},
        "axis": {"title": "Expected cost per state", "format": ".0%", "tickCount": 5},
    }
    return Chart(
        key=figure.key,
        title=figure.title,
        summary=figure.summary,
        reading="A line a system; blue where it is the cheapest at some price; dotted: prices at "
        f"which another becomes the cheapest. {CAN_DO}",
        spec=specification(
            _cost_layers(rows, curves, x, y),
            title=figure.title,
            height=340,
            steps=[
                Step(
                    str(row["system"]),
                    f"{row['system']}: {row['needless']} if only needless stops cost, "
                    f"{row['missed']} if only misses do",
                )
                for row in rows[::2]
            ],
        ),
        tables=figure.tables,
    )


def _cost_layers(rows: Sequence[Datum], curves: CostCurves, x: Spec, y: Spec) -> list[Spec]:
    told = tip(
        ("system", "System"), ("needless", "Only needless stops cost"), ("missed", "Only misses")
    )
    cuts: list[Datum] = [
        {"system": f"price share {num.fixed(one.low, 3)}", "price": one.low}
        for one in curves.segments[1:]
    ]
    lines = layer(
        {"type": "line"},
        rows,
        {
            "x": x,
            "y": y,
            "detail": {"field": "system", "type": "nominal"},
            "color": {"condition": {"test": "datum.is_best", "value": BLUE}, "value": QUIET},
            "strokeWidth": strong(on=3.6, off=1.8),
            "opacity": lit(on=1, off=0.2),
        },
    )
    dots = layer(
        {"type": "point", "shape": "circle", "filled": True},
        rows,
        {
            "x": x,
            "y": y,
            "color": {"condition": {"test": "datum.is_best", "value": BLUE}, "value": QUIET},
            "size": strong(on=130, off=36),
            "opacity": lit(on=1, off=0.3),
            "tooltip": told,
        },
        params=pointing(),
    )
    ends = layer(
        {"type": "text", "align": "right", "dx": -8, "dy": -8, "fontSize": 11, "limit": 320},
        _end_labels([row for row in rows if row["is_best"] and row["price"] == 1.0]),
        {"x": x, "y": y, "text": {"field": "text", "type": "nominal"}},
    )
    marks = [lines, ends, dots]
    if cuts:
        style: Spec = {"type": "rule", "color": ORANGE, "strokeDash": [2, 3]}
        marks.insert(0, layer(style, cuts, {"x": x}))
    return marks


def _end_labels(rows: Sequence[Datum]) -> list[Datum]:
    """Return names at the right end, in one label where lines end too near to be told apart."""
    costs = [float(row["cost"] or 0.0) for row in rows]
    apart = LABEL_SHARE * max([*costs, 0.1])
    groups: list[tuple[float, list[str]]] = []
    for cost, name in sorted(zip(costs, (str(row["system"]) for row in rows), strict=True)):
        if groups and cost - groups[-1][0] < apart:
            groups[-1][1].append(name)
        else:
            groups.append((cost, [name]))
    return [
        {"system": named[0], "price": 1.0, "cost": cost, "text": num.listed(named, 3)}
        for cost, named in groups
    ]
