"""A study under every rule.  In: a multiverse.  Out: effects and open ranks."""

from __future__ import annotations

from collections.abc import Sequence

from finassay.analyses.results_multiverse import Effect, Ends, MultiverseResult
from finassay.reports import numbers as num
from finassay.reports import outline_multiverse
from finassay.reports.canvas import BLUE, INK, ORANGE, PAPER, QUIET
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
    row_height,
    rows_of,
    specification,
    tip,
    touchable,
)
from finassay.reports.figures_effects import effect_name, shown_effects

MEASURES = ("accuracy", "rank")

SPANS: tuple[tuple[str, str, str, float], ...] = (
    ("both_rank", "rule and sample together", QUIET, 2.5),
    ("rule_rank", "every rule", BLUE, 3.0),
    ("weighted_rank", "central rules", BLUE, 9.0),
    ("sampling_rank", "sample, under the base rule", ORANGE, 4.5),
)
"""Field of a range, its name, colour and width."""


def effects(found: MultiverseResult) -> Chart | None:
    """Return what moves the score; None where nothing varies between rules."""
    drawn = shown_effects(found)
    made = outline_multiverse.effects(found)
    if not drawn or made is None:
        return None
    rows = [row for effect in drawn for row in _effect(effect)]
    names = [num.clean(effect_name(effect)) for effect in drawn]
    x: Spec = {
        "field": "share",
        "type": "quantitative",
        "scale": {"domainMin": 0, "nice": True},
        "axis": number_axis("share of the variance between rules", is_percent=True),
    }
    y = rows_of(names, axis=row_axis(limit=label_limit(0.34, 92, 300)))
    offset: Spec = {"field": "of", "type": "nominal", "sort": list(MEASURES)}
    hover = tip(("system", "Choice"), ("of", "Of"), ("told", "Share of variance"), ("far", "Apart"))
    bars = layer(
        {"type": "bar", "height": {"band": 0.82}},
        rows,
        {
            "x": x,
            "y": y,
            "yOffset": offset,
            "color": {
                "field": "of",
                "type": "nominal",
                "scale": {"domain": list(MEASURES), "range": [BLUE, ORANGE]},
                "legend": {"symbolType": "square"},
            },
            "opacity": lit(on=1, off=0.3),
            "tooltip": hover,
        },
    )
    texts = layer(
        {"type": "text", "align": "left", "dx": 5, "baseline": "middle", "fontSize": 11},
        rows,
        {
            "x": x,
            "y": y,
            "yOffset": offset,
            "text": {"field": "short", "type": "nominal"},
            "opacity": lit(on=1, off=0.3),
            "tooltip": hover,
        },
    )
    return Chart(
        key="effects",
        title=made.title,
        summary=made.summary,
        reading=(
            "One name: a single choice. Two names with ×: what the two do together beyond each "
            f"alone. The upper bar is accuracy, the lower one rank. {CAN_DO}"
        ),
        spec=specification(
            [touchable([r for r in rows if r["of"] == MEASURES[0]], y, hover), bars, texts],
            title=made.title,
            height=34 * len(names),
            steps=[Step(str(r["system"]), str(r["said"])) for r in rows if r["of"] == MEASURES[0]],
        ),
        tables=made.tables,
    )


def _effect(effect: Effect) -> list[Datum]:
    name = num.clean(effect_name(effect))
    far = {
        "accuracy": None if effect.accuracy_range is None else 100 * effect.accuracy_range,
        "rank": effect.rank_range,
    }
    shares = {"accuracy": effect.accuracy or 0.0, "rank": effect.rank or 0.0}
    said = ", ".join(f"{num.percent(shares[of], 100)}% of {of}" for of in MEASURES)
    rows: list[Datum] = []
    for of in MEASURES:
        wide = far[of]
        unit = "points" if of == "accuracy" else "ranks"
        rows.append(
            {
                "system": name,
                "of": of,
                "share": shares[of],
                "short": f"{num.percent(shares[of], 100)}%",
                "told": f"{num.percent(shares[of], 100)}% of {of}",
                "far": "an interaction has no range"
                if wide is None
                else f"{num.fixed(wide, 1)} {unit} between the means of its choices",
                "said": f"{name}: {said}",
            }
        )
    return rows


def rank_intervals(found: MultiverseResult, names: dict[str, str]) -> Chart:
    """Return for each system the ranks that the rule, the sample, and both leave open."""
    made = outline_multiverse.ranks(found, names)
    shown = [names[one.system] for one in found.ranges]
    most = max(1, len(shown))
    x: Spec = {
        "field": "low",
        "type": "quantitative",
        "scale": {"domain": [0.5, most + 0.5], "nice": False, "zero": False},
        "axis": {**number_axis("rank"), "values": _ticks(most), "format": "d"},
    }
    y = rows_of(shown)
    offset: Spec = {"field": "lane", "type": "nominal", "sort": ["both", "rule", "sample"]}
    dots: list[Datum] = [
        {
            "system": names[one.system],
            "rank": one.rank,
            "lane": "rule",
            "told": f"rank {num.rank(one.rank)} under the base rule",
        }
        for one in found.ranges
        if one.rank is not None
    ]
    hover = tip(("system", "System"), ("told", "Ranks"), ("n", "Over"))
    bars = _bars(found, names, {"x": x, "y": y, "yOffset": offset, "tooltip": hover})
    points = layer(
        {"type": "point", "shape": "circle", "fill": PAPER, "stroke": INK, "size": 60},
        dots,
        {
            "x": {**x, "field": "rank"},
            "y": y,
            "yOffset": offset,
            "opacity": lit(on=1, off=0.3),
            "tooltip": tip(("system", "System"), ("told", "Ranks")),
        },
    )
    return Chart(
        key="rank-intervals",
        title=made.title,
        summary=made.summary,
        reading=(
            "Circle: rank under the base rule. In each row, from above: rule and sample together "
            f"(grey), rules (blue; thick: the central {num.level(found.level)} by plausibility), "
            f"sample of {found.resampled} (orange). {CAN_DO}"
        ),
        spec=specification(
            [touchable(_rows(found, names), y, hover), *bars, points],
            title=made.title,
            height=row_height(len(shown), wide=34, dense=20) * len(shown),
            steps=_steps(found, names),
        ),
        tables=made.tables,
    )


def _bars(found: MultiverseResult, names: dict[str, str], shared: Spec) -> list[Spec]:
    """Return one layer a kind of span, each of a width of its own."""
    kinds = [name for _, name, _, _ in SPANS]
    color: Spec = {
        "field": "kind",
        "type": "nominal",
        "scale": {"domain": kinds, "range": [color for _, _, color, _ in SPANS]},
        "legend": {"symbolType": "stroke", "symbolSize": 260, "symbolStrokeWidth": 4},
    }
    more: Spec = {"x2": {"field": "high"}, "color": color, "opacity": lit(on=1, off=0.2)}
    return [
        layer(
            {"type": "rule", "strokeCap": "butt", "strokeWidth": span[3]},
            _spans(found, names, span),
            {**shared, **more},
        )
        for span in SPANS
    ]


def _ticks(most: int) -> list[int]:
    every = max(1, round(most / 15))
    return [rank for rank in range(1, most + 1) if rank == 1 or rank % every == 0]


def _spans(
    found: MultiverseResult, names: dict[str, str], what: tuple[str, str, str, float]
) -> list[Datum]:
    field, kind, _, _ = what
    lanes = {"both_rank": "both", "sampling_rank": "sample"}
    over = {
        "both_rank": f"{num.plural(found.n_rules, 'rule')}, {num.count(found.draws)} resamples",
        "sampling_rank": f"{num.count(found.draws)} resamples of {found.resampled}",
    }
    rows: list[Datum] = []
    for one in found.ranges:
        ends: Ends = getattr(one, field)
        if ends.low is None or ends.high is None:
            continue
        rows.append(
            {
                "system": names[one.system],
                "kind": kind,
                "lane": lanes.get(field, "rule"),
                # A span of one rank would have no length to see.
                "low": ends.low - 0.12,
                "high": ends.high + 0.12,
                "told": f"{num.rank(ends.low)} to {num.rank(ends.high)}, {kind}",
                "n": over.get(field, num.plural(found.n_rules, "rule")),
            }
        )
    return rows


def _rows(found: MultiverseResult, names: dict[str, str]) -> list[Datum]:
    """Return one row a system: what is said of it wherever its row is pointed at."""
    by_rule = {str(row["system"]): row for row in _spans(found, names, SPANS[1])}
    return [
        by_rule.get(name, {"system": name, "told": "no rank under every rule", "n": ""})
        for name in (names[one.system] for one in found.ranges)
    ]


def _steps(found: MultiverseResult, names: dict[str, str]) -> Sequence[Step]:
    said: dict[str, list[str]] = {names[one.system]: [] for one in found.ranges}
    for what in SPANS:
        for row in _spans(found, names, what):
            said[str(row["system"])].append(str(row["told"]))
    return [Step(name, f"{name}: ranks {'; '.join(parts)}") for name, parts in said.items()]
