"""Who has which items right.  In: a TwoSystems.  Out: a chart."""

from __future__ import annotations

from collections.abc import Sequence

from finassay.analyses.results_two import FamilySplit, TwoSystems
from finassay.reports import numbers as num
from finassay.reports.canvas import BLUE, INK, ORANGE
from finassay.reports.charts.chart import (
    Chart,
    Datum,
    Spec,
    Step,
    layer,
    number_axis,
    pointing,
    row_height,
    rows_of,
    specification,
    tip,
)


def discordance(found: TwoSystems) -> Chart | None:
    """Return items that one alone has right, by family; None where there are none."""
    drawn = [one for one in found.by_family if one.left_only or one.right_only]
    if not drawn:
        return None
    left, right = num.shortened(found.left, 32), num.shortened(found.right, 32)
    said = [
        f"{num.clean(one.family)}: only {left} {one.left_only}, only {right} {one.right_only}"
        for one in drawn
    ]
    names = [num.clean(one.family) for one in drawn]
    return Chart(
        key="pair-discordance",
        title="Items that one of the two alone has right, by family",
        summary="; ".join(said) + ".",
        reading=(
            f"Left, blue: items that only {left} has right. Right, orange: only {right}. What both "
            "or none has right moves no difference and is not drawn."
        ),
        spec=specification(
            _layers(drawn, left, right),
            title="Items that one of two systems alone has right",
            height=row_height(len(names), wide=34) * len(names),
            steps=[Step(name, told) for name, told in zip(names, said, strict=True)],
        ),
        tables=("pair-families",),
    )


def _layers(drawn: Sequence[FamilySplit], left: str, right: str) -> list[Spec]:
    """Return bars to both sides of a line, one row a family."""
    rows: list[Datum] = []
    for one in drawn:
        family = num.clean(one.family)
        for who, count, sign in ((left, one.left_only, -1), (right, one.right_only, 1)):
            rows.append(
                {
                    "system": family,
                    "who": f"only {who}",
                    "signed": sign * count,
                    "told": num.plural(count, "item"),
                }
            )
    names = [num.clean(one.family) for one in drawn]
    most = max(max(one.left_only, one.right_only) for one in drawn)
    x: Spec = {
        "field": "signed",
        "type": "quantitative",
        "scale": {"domain": [-most, most]},
        "axis": {
            **number_axis(f"← only {left}   ·   only {right} →"),
            "labelExpr": "format(abs(datum.value), '~d')",
            "tickMinStep": 1,
        },
    }
    domain = [f"only {left}", f"only {right}"]
    return [
        layer(
            {"type": "bar", "height": {"band": 0.62}},
            rows,
            {
                "x": x,
                "y": rows_of(names),
                "color": {
                    "field": "who",
                    "type": "nominal",
                    "scale": {"domain": domain, "range": [BLUE, ORANGE]},
                    "legend": None,
                },
                "tooltip": tip(("system", "Family"), ("who", "Right"), ("told", "Items")),
            },
            params=pointing(),
        ),
        layer(
            {"type": "rule", "color": INK},
            [{"signed": 0}],
            {"x": {"field": "signed", "type": "quantitative"}},
        ),
    ]
