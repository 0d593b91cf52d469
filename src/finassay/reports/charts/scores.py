"""Accuracy with its interval.  In: standings as they are shown.  Out: a chart."""

from __future__ import annotations

from collections.abc import Sequence

from finassay.reports import numbers as num
from finassay.reports.canvas import BLUE, MUTED, ORANGE, PAPER
from finassay.reports.charts.chart import (
    CAN_DO,
    Chart,
    Datum,
    Spec,
    Step,
    layer,
    lit,
    number_axis,
    row_height,
    rows_of,
    specification,
    strong,
    tip,
    touchable,
)
from finassay.reports.standings.order import TASK
from finassay.reports.standings.records import Score, Standing, Standings
from finassay.reports.standings.table import span_text

TIP = tip(
    ("system", "System"),
    ("rate", "Accuracy"),
    ("of", "Right / n"),
    ("interval", "Interval"),
    ("rank", "Rank"),
)
SHAPES = ("circle", "square", "diamond", "triangle-up")
KINDS = ("model", "baseline", "person", "reported")


def drawn_task(board: Standings) -> str:
    """Return the task whose scores are drawn: the one that the rows are sorted by, or ""."""
    return board.sort.removeprefix(TASK) if board.sort.startswith(TASK) else ""


def score_drawn(row: Standing, task: str) -> Score | None:
    """Return the score of a row, on one task or on all."""
    return dict(row.per_task).get(task) if task else row.score


def accuracy(board: Standings) -> Chart | None:
    """Return accuracy with intervals in the order of the rows; None without a row to draw."""
    task = drawn_task(board)
    drawn = [
        (row, score)
        for row in board.rows
        if row.kind != "floor" and (score := score_drawn(row, task)) is not None
        if score.shown is not None
    ]
    if not drawn:
        return None
    names = [label(row) for row, _ in drawn]
    rows = [_row(row, score, board.level) for row, score in drawn]
    low = lower_end([score for _, score in drawn])
    x: Spec = {
        "field": "low",
        "type": "quantitative",
        "scale": {"domain": [low, 1], "nice": False, "clamp": True},
        "axis": number_axis(None, is_percent=True),
    }
    y = rows_of(names)
    where = (
        f" on {num.clean(task)}" if task else f" on {num.clean(board.task)}" if board.task else ""
    )
    return Chart(
        key="accuracy",
        title=f"Accuracy under {num.clean(board.regime)}{where}",
        summary=_summary(board, task),
        reading=_reading(board, drawn, task),
        spec=specification(
            [
                touchable(rows, y, TIP),
                *_lines(board, task, x),
                _bars(rows, x, y, width=2),
                _bars([row for row in rows if row["is_open"]], x, y, width=6, ends=_BOUNDS),
                _dots(rows, x, y),
            ],
            title=f"Accuracy with intervals under {num.clean(board.regime)}",
            height=row_height(len(rows)) * len(rows),
            steps=[Step(str(row["system"]), str(row["said"])) for row in rows],
        ),
        tables=("leaderboard",),
    )


def label(row: Standing) -> str:
    """Return the name of a row beside its marks, the rank first."""
    return f"{num.rank(row.rank)}  {row.shown}" if row.rank is not None else row.shown


def _row(row: Standing, score: Score, level: float) -> Datum:
    n = score.n
    is_open = score.value is None
    rate = f"{num.percent(score.shown or 0.0, n)}%"
    if is_open and score.best is not None:
        rate = f"{num.span(score.shown or 0.0, score.best, n)}%"
    of = num.share(score.right, n) if score.right is not None else f"n = {num.count(n)}"
    low, high = score.low, score.high
    ends = "none"
    if low is not None and high is not None:
        ends = f"{num.span(low, high, n)}% ({num.level(level)})"
    rank = "not ranked" if row.rank is None else num.rank(row.rank)
    if row.sampling_ranks is not None:
        rank += f", {span_text(row.sampling_ranks)} by sample"
    said = f"{row.shown}: {rate}, {of}, {num.level(level)} {ends.split('% (')[0]}, rank {rank}"
    return {
        "system": label(row),
        "rate": rate,
        "of": of,
        "interval": ends,
        "rank": rank,
        "said": said,
        "value": score.shown,
        "low": score.shown if low is None else low,
        "high": score.shown if high is None else high,
        "worst": score.worst,
        "best": score.best,
        "kind": row.kind,
        "is_ranked": row.rank is not None,
        "is_open": is_open,
    }


_ENDS = ("low", "high")
_BOUNDS = ("worst", "best")


def _bars(
    rows: Sequence[Datum], x: Spec, y: Spec, *, width: float, ends: tuple[str, str] = _ENDS
) -> Spec:
    low, high = ends
    return layer(
        {"type": "rule", "color": BLUE, "strokeWidth": width, "strokeCap": "butt"},
        rows,
        {
            "x": {**x, "field": low},
            "x2": {"field": high},
            "y": y,
            "opacity": lit(on=1, off=0.25),
            "tooltip": TIP,
        },
    )


def _dots(rows: Sequence[Datum], x: Spec, y: Spec) -> Spec:
    return layer(
        {"type": "point", "strokeWidth": 1.6, "opacity": 1, "stroke": BLUE},
        rows,
        {
            "x": {**x, "field": "value"},
            "y": y,
            "shape": {
                "field": "kind",
                "type": "nominal",
                "scale": {"domain": list(KINDS), "range": list(SHAPES)},
                "legend": None,
            },
            "fill": {"condition": {"test": "datum.is_ranked", "value": BLUE}, "value": PAPER},
            "size": strong(on=150, off=70),
            "opacity": lit(on=1, off=0.3),
            "tooltip": TIP,
        },
    )


def _lines(board: Standings, task: str, x: Spec) -> list[Spec]:
    """Return the majority floor and the first person as lines with their names at the foot."""
    marks: list[tuple[Datum, str, list[int]]] = []
    for row in board.references:
        score = score_drawn(row, task)
        if score is None or score.value is None:
            continue
        rate = num.percent(score.value, score.n)
        of = num.share(score.right or 0.0, score.n)
        said = f"{row.shown}: {rate}% ({of})"
        if row.kind == "floor":
            marks.append(({"system": row.shown, "x": score.value, "said": said}, ORANGE, [2, 2]))
        elif row.kind == "person" and not any(dash == [6, 3] for _, _, dash in marks):
            marks.append(({"system": label(row), "x": score.value, "said": said}, MUTED, [6, 3]))
    made: list[Spec] = []
    for mark, color, dash in marks:
        where: Spec = {"x": {**x, "field": "x"}, "tooltip": tip(("said", "Reference"))}
        style: Spec = {"type": "rule", "color": color, "strokeWidth": 1.4, "strokeDash": dash}
        made.append(layer(style, [mark], where))
    return made


def lower_end(scores: Sequence[Score]) -> float:
    """Return a round lower end of the scale below every interval, where a tick stands."""
    lowest = min(
        (found for s in scores for found in (s.low, s.shown) if found is not None), default=0.0
    )
    tens = min(9, int(lowest * 10 + 1e-9))
    return tens / 10 if tens >= 7 else (tens - tens % 2) / 10


def _summary(board: Standings, task: str) -> str:
    known = [
        (row, score)
        for row in board.systems
        if (score := score_drawn(row, task)) is not None and score.shown is not None
    ]
    if not known:
        return "No system has a score here."
    ordered = sorted(known, key=lambda pair: -(pair[1].shown or 0.0))
    first, last = ordered[0], ordered[-1]
    text = f"{num.plural(len(known), 'system')}. Highest: {_told(*first, board.level)}."
    return text if len(known) == 1 else f"{text} Lowest: {_told(*last, board.level)}."


def _told(row: Standing, score: Score, level: float) -> str:
    return str(_row(row, score, level)["said"]).rpartition(", rank")[0]


def _reading(board: Standings, drawn: Sequence[tuple[Standing, Score]], task: str) -> str:
    kinds = {row.kind for row, _ in drawn}
    parts = [f"Marks are accuracy, bars its {num.level(board.level)} interval."]
    if any(score.value is None for _, score in drawn):
        parts.append("Thick bars run from the worst to the best case of unscored replies.")
    if any(row.rank is None for row, _ in drawn):
        parts.append("Hollow: not ranked.")
    shapes = {"baseline": "Squares: baselines.", "person": "Diamonds: people on their own items."}
    parts += [said for kind, said in shapes.items() if kind in kinds]
    if "reported" in kinds:
        parts.append("Triangles: as reported.")
    if any(row.kind == "floor" and score_drawn(row, task) for row in board.references):
        parts.append("Dotted line: always the most frequent reference label.")
    if "person" in kinds:
        parts.append("Dashed line: the first person.")
    return " ".join((*parts, CAN_DO))
