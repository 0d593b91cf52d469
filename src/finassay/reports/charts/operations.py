"""Operations, to point at.  In: a result about operations.  Out: profiles, regret, agreement."""

from __future__ import annotations

from collections.abc import Sequence

from finassay.analyses.operations.results import OperationSelection, OperationsResult
from finassay.analyses.operations.sentences import spelled
from finassay.reports import numbers as num
from finassay.reports.canvas import BLUE, MUTED, ORANGE, QUIET
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
from finassay.reports.charts.heat import Cell, HeatWords, heat_layers
from finassay.reports.operations_page import operation_figures

ROW_HEIGHT = 24.0


def operation_charts(found: OperationsResult) -> dict[str, Chart]:
    """Return the charts of operations by key; those of the report have the report's keys."""
    made = [profile_map(found), regret_curves(found), correlation_map(found)]
    if found.ask is not None:
        names = num.short_names(row.system for row in found.ask.rows)
        told = operation_figures(found)
        if "fig-recalls" in told:
            rows = [
                recalls.BothRecalls(
                    system=names[row.system],
                    ask=(row.ask_recall or 0.0) / 100,
                    proceed=(row.proceed_recall or 0.0) / 100,
                )
                for row in found.ask.rows
                if row.recall_gap is not None
            ]
            made.append(recalls.recall_chart("fig-recalls", told["fig-recalls"], rows))
        if "fig-displacement" in told:
            moved = [
                recalls.TwoRanks(system=names[row.system], bacc=row.bacc_rank, era=row.era_rank)
                for row in found.ask.rows
            ]
            made.append(recalls.rank_chart("fig-displacement", told["fig-displacement"], moved))
    return {chart.key: chart for chart in made if chart is not None}


def profile_map(found: OperationsResult) -> Chart | None:
    """Return percentiles of systems in every operation; None without comparable systems."""
    profiles = found.profiles
    if not profiles.rows:
        return None
    columns = _short([spelled(name) for name in profiles.operations])
    names = num.short_names(row.system for row in profiles.rows)
    scores = {row.system: row for row in found.systems}
    place = {row.operation: at for at, row in enumerate(found.operations)}
    cells = [
        Cell(
            row=names[row.system],
            column=column,
            signed=(percentile - 50) / 50,
            shown=num.fixed(percentile, 0),
            more=_score(scores[row.system].scores[place[name]]),
        )
        for row in profiles.rows
        for name, column, percentile in zip(
            profiles.operations, columns, row.percentiles, strict=True
        )
    ]
    rows = [names[row.system] for row in profiles.rows]
    words = HeatWords(
        row="System", column="Operation", shown="Percentile", more=f"Score ({found.unit})"
    )
    return Chart(
        key="fig-profiles",
        title="Profiles: where each system stands in every operation",
        summary=_profile_summary(found),
        reading="Percentile among the systems that have every operation: 100 is the best, 50 the "
        f"middle. Blue lies above it, orange below. Systems by knowledge score. {CAN_DO}",
        spec=specification(
            heat_layers(cells, rows, columns, words),
            title="Percentile of every system in every operation",
            height=ROW_HEIGHT * len(rows),
            steps=[
                Step(
                    name,
                    f"{name}: "
                    + "; ".join(f"{one.column} {one.shown}" for one in cells if one.row == name),
                )
                for name in rows
            ],
        ),
        tables=("profiles", "near-pairs"),
    )


def _short(names: Sequence[str]) -> list[str]:
    return list(num.short_names(names, 34).values())


def _score(value: float | None) -> str:
    return num.EM_DASH if value is None else num.fixed(value, 2)


def _profile_summary(found: OperationsResult) -> str:
    told = found.profiles
    operations = num.plural(len(told.operations), "operation")
    said = f"{num.plural(len(told.rows), 'system')} in {operations}."
    if told.median_gap is not None:
        said += f" Median gap of two profiles: {num.fixed(told.median_gap, 1)} points"
        if told.near_median_gap is not None:
            said += (
                f"; of the {num.plural(told.n_near, 'pair')} within {told.near:g} of knowledge: "
                f"{num.fixed(told.near_median_gap, 1)}"
            )
        said += "."
    return said


def regret_curves(found: OperationsResult) -> Chart:
    """Return points forgone by the size of the shortlist, a line an operation."""
    figure = operation_figures(found)["fig-regret"]
    names = dict(
        zip(
            (row.operation for row in found.operations),
            _short([spelled(row.operation) for row in found.operations]),
            strict=True,
        )
    )
    rows = [made for row in found.operations for made in _regret_rows(row, names[row.operation])]
    mean = _mean_rows(found)
    most = max(len(row.regret) for row in found.operations)
    x: Spec = {
        "field": "k",
        "type": "quantitative",
        "scale": {"domain": [1, max(2, most)], "nice": False},
        "axis": {"title": "Systems in the shortlist", "tickMinStep": 1, "grid": False},
    }
    y: Spec = {
        "field": "regret",
        "type": "quantitative",
        "scale": {"domain": [0, _top(found)], "nice": False},
        "axis": {"title": "Points forgone", "tickCount": 5},
    }
    bands = [row for row in rows if row["low"] is not None]
    layers = [] if not bands else [_band(bands, x, y)]
    return Chart(
        key="fig-regret",
        title=figure.title,
        summary=figure.summary,
        reading="A line an operation: regret by the size of the shortlist, taken in the order of "
        "the knowledge score; the dark line is the mean, a dot where the leader is found."
        + (" The band of a lit line is its interval." if bands else "")
        + f" {CAN_DO}",
        spec=specification(
            [
                *layers,
                _steps_line(rows, x, y, {"strokeWidth": strong(on=3.4, off=1.6)}, BLUE),
                _steps_line(mean, x, y, {}, MUTED, width=3.6, dash=[7, 3]),
                _found(rows, x, y),
                _touch(rows, x, y),
            ],
            title="Points forgone by the size of the shortlist",
            height=320,
            steps=[Step(names[row.operation], _said(row)) for row in found.operations],
        ),
        tables=("regret", "shortlists"),
    )


def _top(found: OperationsResult) -> float:
    """Return the end of the scale: bands may reach beyond it, lines do not."""
    return round(1.08 * max(1.0, *(row.regret[0] for row in found.operations)), 2)


def _regret_rows(row: OperationSelection, name: str) -> list[Datum]:
    bands = () if row.uncertainty is None else row.uncertainty.regret
    ends = {
        k: (band.low, band.high)
        for k, band in enumerate(bands, start=1)
        if band.low is not None and band.high is not None
    }
    made: list[Datum] = []
    for k, points in enumerate(row.regret, start=1):
        low, high = ends.get(k, (None, None))
        span = num.EM_DASH
        if low is not None and high is not None:
            span = f"{num.fixed(low, 2)}{num.EN_DASH}{num.fixed(high, 2)}"
        made.append(
            {
                "system": name,
                "k": k,
                "regret": points,
                "shown": num.fixed(points, 2),
                "low": low,
                "high": high,
                "interval": span,
                "is_found": k == row.recovered_at,
                "leader": num.listed(row.leaders, 2),
            }
        )
    return made


def _mean_rows(found: OperationsResult) -> list[Datum]:
    return [
        {"system": "mean of all operations", "k": k, "regret": points}
        for k, points in enumerate(found.shortlists.mean_regret, start=1)
    ]


def _said(row: OperationSelection) -> str:
    return (
        f"{spelled(row.operation)}: {num.fixed(row.regret[0], 2)} points with a shortlist of 1, "
        f"none from {row.recovered_at}; leader {num.listed(row.leaders, 2)}"
    )


TIP = tip(
    ("system", "Operation"),
    ("k", "Systems"),
    ("shown", "Points forgone"),
    ("interval", "Interval"),
    ("leader", "Leader"),
)


def _band(rows: Sequence[Datum], x: Spec, y: Spec) -> Spec:
    return layer(
        {"type": "area", "color": QUIET, "interpolate": "step-after", "clip": True},
        rows,
        {
            "x": x,
            "y": {**y, "field": "low"},
            "y2": {"field": "high"},
            "detail": {"field": "system", "type": "nominal"},
            "opacity": strong(on=0.35, off=0),
        },
    )


def _steps_line(
    rows: Sequence[Datum],
    x: Spec,
    y: Spec,
    more: Spec,
    color: str,
    *,
    width: float = 1.6,
    dash: Sequence[int] = (1, 0),
) -> Spec:
    mark: Spec = {
        "type": "line",
        "color": color,
        "interpolate": "step-after",
        "strokeWidth": width,
        "strokeDash": list(dash),
    }
    shared: Spec = {} if not more else {"opacity": lit(on=0.9, off=0.15)}
    detail: Spec = {"field": "system", "type": "nominal"}
    return layer(mark, rows, {"x": x, "y": y, "detail": detail, **shared, **more})


def _found(rows: Sequence[Datum], x: Spec, y: Spec) -> Spec:
    return layer(
        {"type": "point", "shape": "circle", "fill": ORANGE, "stroke": ORANGE, "size": 42},
        [row for row in rows if row["is_found"]],
        {"x": x, "y": y, "opacity": lit(on=1, off=0.2), "tooltip": TIP},
    )


def _touch(rows: Sequence[Datum], x: Spec, y: Spec) -> Spec:
    return layer(
        {"type": "point", "opacity": 0, "size": 60},
        rows,
        {"x": x, "y": y, "tooltip": TIP},
        params=pointing(),
    )


def correlation_map(found: OperationsResult) -> Chart | None:
    """Return Spearman's rho of knowledge and of operations with each other; None without any."""
    figure = operation_figures(found).get("fig-correlations")
    if figure is None:
        return None
    names = _short([spelled(name) for name in found.agreement.operations])
    known = "knowledge"
    cells = [
        _rho_cell(known, column, row.correlation)
        for column, row in zip(names, found.operations, strict=True)
    ]
    for i, name in enumerate(names):
        cells += [
            _rho_cell(name, column, found.agreement.matrix[i][j])
            for j, column in enumerate(names)
            if i != j
        ]
    words = HeatWords(row="Row", column="Column", shown="Spearman's rho")
    rows = [known, *names]
    return Chart(
        key="fig-correlations",
        title=figure.title,
        summary=figure.summary,
        reading=f"{figure.reading} {CAN_DO}",
        spec=specification(
            heat_layers(cells, rows, names, words),
            title="Spearman correlation of operations",
            height=30.0 * len(rows),
            steps=[
                Step(
                    name,
                    f"{name}: "
                    + "; ".join(f"{one.column} {one.shown}" for one in cells if one.row == name),
                )
                for name in rows
            ],
        ),
        tables=("operation-matrix", "spectrum"),
    )


def _rho_cell(row: str, column: str, rho: float | None) -> Cell:
    shown = num.EM_DASH if rho is None else num.fixed(rho, 2)
    return Cell(row=row, column=column, signed=rho, shown=shown)
