"""Judges and people, to point at.  In: an audit, draws of labels.  Out: charts and their places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from finassay.analyses.adjudication.results import DrawStatus
from finassay.analyses.judges.results import Difference, Figure
from finassay.analyses.judges.results_compare import Judges
from finassay.analyses.results_audit import Audit
from finassay.analyses.results_few_labels import Estimator, FewLabels, LabelledSystem
from finassay.reports import numbers as num
from finassay.reports.canvas import BLUE, INK, MUTED, ORANGE, QUIET, RULE
from finassay.reports.charts.chart import (
    CAN_DO,
    Chart,
    Datum,
    Spec,
    Step,
    layer,
    lit,
    number_axis,
    pointing,
    rows_of,
    specification,
    tip,
)
from finassay.reports.charts.dots import Dot, Style, dot_layers, written
from finassay.reports.charts.ranks import bump
from finassay.reports.outline_judges import ANCHOR
from finassay.reports.rooms import Room
from finassay.reports.tables_judges import STANDINGS, judge_name

MOST_BUMPS = 3
"""Judges whose ranks are drawn; the tables have them all."""
HEIGHT = 34.0
_PLACES: Mapping[str, tuple[str, ...]] = {
    "main": ("judge-kappa",),
    "answers": ("judge-own-answers", "judge-own-errors"),
    "variants": ("judge-tolerance",),
    "rankings": ("judge-regimes",),
    "scores": ("judge-corrected",),
}
"""Part of the room -> beginnings of the keys of its charts."""

CORRECTED: tuple[Estimator, ...] = ("ppi++", "rogan-gladen", "horvitz-thompson", "human")
"""Estimators that a chart puts beside the judge's own score, the first that has values."""


def judge_charts(audit: Audit, names: dict[str, str]) -> dict[str, Chart]:
    """Return every chart about judges that an audit has numbers for, by key."""
    made: list[Chart | None] = []
    if audit.judges is not None:
        found = audit.judges
        made += [kappa_chart(found), own_answers(found), own_errors(found)]
        made += [
            _bump(
                f"judge-tolerance-{at}",
                bump(shift.comparison, names),
                f"Ranks by rounding clause of {judge_name(shift.judge)}",
            )
            for at, shift in enumerate(found.tolerances[:MOST_BUMPS])
        ]
        made += [
            _bump(
                f"judge-regimes-{at}",
                bump(one.comparison, names),
                f"Ranks under the rule and under {judge_name(one.judge)}",
            )
            for at, one in enumerate(found.regimes[:MOST_BUMPS])
            if one.comparison is not None
        ]
    if audit.few_labels is not None:
        made.append(corrected(audit.few_labels, names))
    return {chart.key: chart for chart in made if chart is not None}


def with_charts(room: Room, charts: Mapping[str, Chart]) -> Room:
    """Return the room about judges with the keys of its charts in each part."""
    parts = []
    for part in room.parts:
        begins = _PLACES.get(part.anchor.removeprefix(f"{ANCHOR}-"), ())
        keys = tuple(key for begin in begins for key in charts if key.startswith(begin))
        parts.append(replace(part, figures=keys))
    return replace(room, parts=tuple(parts))


def _bump(key: str, made: Chart | None, title: str) -> Chart | None:
    tables = (key.rpartition("-")[0],)
    return None if made is None else replace(made, key=key, title=title, tables=tables)


def kappa_chart(found: Judges) -> Chart | None:
    """Return every judge's kappa with people and the bound of calibration; None without people."""
    names = num.short_names(judge_name(one.identity.scorer_id) for one in found.judges)
    dots: list[Dot] = []
    told: list[str] = []
    for one in found.judges:
        if one.agreement is None or one.agreement.primary.kappa.value is None:
            continue
        kappa, name = one.agreement.primary.kappa, names[judge_name(one.identity.scorer_id)]
        dots.append(
            _dot(name, "control" if one.identity.is_control else "judge", kappa, one.agreement.n)
        )
        if not one.identity.is_control:
            told.append(f"{name} {STANDINGS[one.standing]}")
    if not dots:
        return None
    low = min(-0.2, *((dot.low if dot.low is not None else dot.value) for dot in dots))
    bound = found.calibration.bound
    return _chart(
        "judge-kappa",
        title="Agreement of judges with people beyond chance",
        summary=f"Cohen's kappa against the bound {bound:g}: {num.listed(told, 6)}.",
        reading=f"Bars are {num.level(found.level)} intervals. Dashed lines: 0, what chance would "
        f"give, and {bound:g}, the bound of calibration."
        + (
            " Hollow: controls, shown wrong or random references."
            if any(d.series == "control" for d in dots)
            else ""
        ),
        dots=dots,
        layers=dot_layers(
            dots,
            (Style(series="judge", color=BLUE), Style(series="control", color=MUTED)),
            domain=(max(-1.0, low), 1.0),
            lines=(0.0, bound),
            title="Cohen's kappa",
        ),
        tables=("judges",),
    )


def _dot(row: str, series: str, figure: Figure, n: int) -> Dot:
    return Dot(
        row=row,
        series=series,
        value=figure.value or 0.0,
        low=figure.low,
        high=figure.high,
        shown=written(figure.value or 0.0, figure.low, figure.high),
        n=num.plural(n, "reply", "replies"),
        is_open=series == "control",
    )


RIGHT_SERIES = "it answered right"
WRONG_SERIES = "it answered wrong"


def own_answers(found: Judges) -> Chart | None:
    """Return kappa on questions that each judge answered right and wrong; None without any."""
    dots: list[Dot] = []
    told: list[str] = []
    for one in found.conditional:
        name = judge_name(one.scorer_id)
        for series, figure, n in (
            (RIGHT_SERIES, one.right, one.n_right),
            (WRONG_SERIES, one.wrong, one.n_wrong),
        ):
            if figure.value is not None:
                dots.append(_dot(name, series, figure, n))
        if one.right.value is not None and one.wrong.value is not None:
            told.append(
                f"{name} {num.fixed(one.right.value, 2)} right, {num.fixed(one.wrong.value, 2)} "
                f"wrong"
            )
    if not dots:
        return None
    low = min(-0.2, *((dot.low if dot.low is not None else dot.value) for dot in dots))
    return _chart(
        "judge-own-answers",
        title="Agreement with people, by whether the judge could answer the question itself",
        summary=f"Kappa on questions that the judge answered right and wrong: "
        f"{num.listed(told, 4) or 'only one of the two is known'}.",
        reading="Blue circles: replies to questions that the judge, as a candidate, answered "
        "right. Orange squares: to those it answered wrong.",
        dots=dots,
        layers=dot_layers(
            dots,
            (
                Style(series=RIGHT_SERIES, color=BLUE, shift=-5),
                Style(series=WRONG_SERIES, color=ORANGE, shape="square", shift=5),
            ),
            domain=(max(-1.0, low), 1.0),
            lines=(0.0,),
            title="Cohen's kappa",
        ),
        tables=("judge-conditional",),
    )


FALSE_POSITIVE = "lets a wrong reply pass"
FALSE_NEGATIVE = "rejects a right reply"


def own_errors(found: Judges) -> Chart | None:
    """Return how far errors on a judge's own replies differ from others'; None without any."""
    dots: list[Dot] = []
    for one in found.self_preference:
        name = judge_name(one.scorer_id) if one.scorer_id else f"all, reference {one.arm or '?'}"
        for series, gap, n in (
            (FALSE_POSITIVE, one.false_positive_gap, one.own_false_positive.n),
            (FALSE_NEGATIVE, one.false_negative_gap, one.own_false_negative.n),
        ):
            if gap.figure.value is not None:
                dots.append(_gap(name, series, gap, n))
    if not dots:
        return None
    most = max(abs(end) for dot in dots for end in (dot.value, dot.low or 0.0, dot.high or 0.0))
    reach = min(1.0, max(0.2, -(-most * 10 // 1) / 10))
    return _chart(
        "judge-own-errors",
        title="Errors of judges on their own replies, less those on others'",
        summary=f"{num.share(sum(d.is_open for d in dots), len(dots))} differences are not told "
        f"from 0 by the corrected test.",
        reading="Circles right of 0: the judge lets its own mistakes pass more often. Squares left "
        "of 0: it rejects its own right replies less often. Hollow: not told from 0.",
        dots=dots,
        layers=dot_layers(
            dots,
            (
                Style(series=FALSE_POSITIVE, color=ORANGE, shift=-5),
                Style(series=FALSE_NEGATIVE, color=BLUE, shape="square", shift=5),
            ),
            domain=(-reach, reach),
            lines=(0.0,),
            title="Share on own replies minus share on others'",
        ),
        tables=("judge-self-preference",),
    )


def _gap(row: str, series: str, gap: Difference, n: int) -> Dot:
    given = gap.figure
    shown = written(given.value or 0.0, given.low, given.high)
    return Dot(
        row=row,
        series=series,
        value=given.value or 0.0,
        low=given.low,
        high=given.high,
        shown=shown if gap.p_adjusted is None else f"{shown}, p {num.p_value(gap.p_adjusted)}",
        n=f"{num.plural(n, 'reply', 'replies')} of its own",
        is_open=not gap.differs,
    )


AS_IS = "by the judge as it is"


def corrected(found: FewLabels, names: dict[str, str]) -> Chart | None:
    """Return scores by the judge beside what people would give; None without such a score."""
    estimator = next(
        (one for one in CORRECTED if any(_has(row, one) for row in found.systems)), None
    )
    if estimator is None:
        return None
    series = f"with labels ({estimator})"
    dots: list[Dot] = []
    for row in found.systems:
        name = names.get(row.system, num.shortened(row.system))
        for told, which in ((AS_IS, "judge"), (series, estimator)):
            one = next((e for e in row.estimates if e.estimator == which), None)
            if one is not None and one.value is not None:
                dots.append(
                    Dot(
                        row=name,
                        series=told,
                        value=one.value,
                        low=None if told == AS_IS else one.low,
                        high=None if told == AS_IS else one.high,
                        shown=f"{num.percent(one.value, row.n)}%"
                        if told == AS_IS or one.low is None or one.high is None
                        else f"{num.percent(one.value, row.n)}% "
                        f"({num.span(one.low, one.high, row.n)})",
                        n=f"{num.count(row.n)} replies, {num.plural(row.n_labels, 'label')}",
                        is_open=told == AS_IS,
                    )
                )
    return _chart(
        "judge-corrected",
        title="Scores by the judge, and scores that people would give",
        summary=f"{num.plural(len(found.systems), 'system')}, {num.plural(found.n_labels, 'label')}"
        f" among {num.count(found.n)} replies; judge {judge_name(found.judge)}.",
        reading=f"Hollow squares: share that the judge marks right. Circles: the share corrected "
        f"by labels ({estimator}), with its {num.level(found.level)} interval.",
        dots=dots,
        layers=dot_layers(
            dots,
            (
                Style(series=AS_IS, color=MUTED, shape="square"),
                Style(series=series, color=BLUE),
            ),
            domain=(0.0, 1.0),
            is_percent=True,
        ),
        tables=("corrected-scores",),
    )


def _has(row: LabelledSystem, estimator: Estimator) -> bool:
    return any(one.estimator == estimator and one.value is not None for one in row.estimates)


def _chart(
    key: str,
    *,
    title: str,
    summary: str,
    reading: str,
    dots: Sequence[Dot],
    layers: Sequence[Spec],
    tables: tuple[str, ...],
) -> Chart:
    rows = list(dict.fromkeys(dot.row for dot in dots))
    steps = [
        Step(
            row,
            f"{row}: " + "; ".join(f"{d.series} {d.shown}, {d.n}" for d in dots if d.row == row),
        )
        for row in rows
    ]
    return Chart(
        key=key,
        title=title,
        summary=summary,
        reading=f"{reading} {CAN_DO}",
        spec=specification(layers, title=title, height=HEIGHT * len(rows), steps=steps),
        tables=tables,
    )


PARTS = ("settled", "not sure", "conflict", "open")


def progress(draws: Sequence[DrawStatus]) -> Chart | None:
    """Return how far each draw of labels is; None without draws."""
    if not draws:
        return None
    rows: list[Datum] = []
    said: list[Step] = []
    for draw in draws:
        settled = draw.unanimous + draw.majority + draw.single + draw.resolved
        counts = (settled, draw.unsure, draw.conflicts, draw.open)
        name = num.shortened(draw.draw)
        begin = 0.0
        for part, count in zip(PARTS, counts, strict=True):
            share = count / max(1, draw.units)
            rows.append(
                {
                    "system": name,
                    "part": part,
                    "begin": begin,
                    "end": begin + share,
                    "of": num.share(count, draw.units),
                }
            )
            begin += share
        told = ", ".join(f"{p} {num.count(c)}" for p, c in zip(PARTS, counts, strict=True))
        said.append(Step(name, f"{name}: {told} of {num.plural(draw.units, 'unit')}"))
    return Chart(
        key="adjudication-progress",
        title="How far people are",
        summary="; ".join(step.said for step in said[:4]) + ".",
        reading=f"Each bar is one draw of replies to label. {CAN_DO}",
        spec=specification(
            [_bars(rows, [step.value for step in said])],
            title="Settled and open units of each draw",
            height=HEIGHT * len(draws),
            steps=said,
        ),
        tables=("adjudication-progress",),
    )


def _bars(rows: Sequence[Datum], names: Sequence[str]) -> Spec:
    return layer(
        {"type": "bar", "stroke": INK, "strokeWidth": 0.6},
        rows,
        {
            "x": {
                "field": "begin",
                "type": "quantitative",
                "scale": {"domain": [0, 1], "nice": False},
                "axis": number_axis(None, is_percent=True),
            },
            "x2": {"field": "end"},
            "y": rows_of(names),
            "color": {
                "field": "part",
                "type": "nominal",
                "scale": {"domain": list(PARTS), "range": [BLUE, QUIET, ORANGE, RULE]},
            },
            "opacity": lit(on=1, off=0.35),
            "tooltip": tip(("system", "Draw"), ("part", "What"), ("of", "Units")),
        },
        params=pointing(),
    )
