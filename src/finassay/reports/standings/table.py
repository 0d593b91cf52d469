"""Standings as a table of strings.  In: standings.  Out: a table, and the columns that sort it."""

from __future__ import annotations

from collections.abc import Callable

from finassay.reports import numbers as num
from finassay.reports.standings.order import TASK
from finassay.reports.standings.records import RankSpan, Score, Standing, Standings
from finassay.reports.table import Column, Gaps, Table, grouped
from finassay.reports.tables_scores import NO_VERDICT, policy_note

NO_RULES = "not among the systems that every rule marks"
NO_DRAWS = "not among the systems that the items rank"
NO_TASK = "no verdict on this task"
REFERENCE = "rows to measure systems by: not ranked, and with the numbers that they have"
NO_MACRO = "a task has no value, or there are no tasks"
NO_GROUP = "not compared with the others"

TEXT_COLUMNS = frozenset({"system", "group"})
"""Columns whose cells are words."""

KIND_MARKS = {"baseline": "baseline", "person": "person", "reported": "as reported"}


def columns_of(board: Standings) -> tuple[tuple[str, str], ...]:
    """Return (name that sorts, heading) of every column that is shown, in order."""
    over_rules = (
        (("rules", "By rule"), ("both", "By both")) if board.rules_state == "measured" else ()
    )
    sampling = (("sampling", "By sample"),) if board.rank_method else ()
    groups = (("group", "Group"),) if board.alpha is not None else ()
    macro = (("macro", "Macro, %"),) if board.columns else ()
    return (
        ("system", "System"),
        ("rank", "Rank"),
        *sampling,
        *over_rules,
        ("accuracy", "Accuracy, %"),
        ("interval", f"{num.level(board.level)} interval"),
        ("n", "Right / n"),
        *groups,
        *macro,
        *((f"{TASK}{name}", num.clean(name) or "(none)") for name in board.columns),
        ("unscored", "Unscored, %"),
    )


def standings_table(board: Standings) -> Table:
    """Return the rows as they are shown: systems, the unranked among them, then references."""
    gaps = Gaps()
    columns = columns_of(board)
    rows, breaks = grouped(
        [_cells(row, columns, gaps) for row in board.systems],
        [_cells(row, columns, gaps) for row in board.references],
    )
    return Table(
        key="leaderboard",
        caption=caption(board),
        columns=tuple(
            Column(head, "left" if name in TEXT_COLUMNS else "right") for name, head in columns
        ),
        rows=rows,
        breaks=breaks,
        notes=gaps.notes(*_notes(board)),
    )


def caption(board: Standings) -> str:
    """Return what the table shows, with the filters in words."""
    where = f", task {num.clean(board.task)}" if board.task else ""
    kept = len(board.systems)
    shown = num.plural(kept, "system")
    if kept != board.n_systems:
        shown = f"{num.count(kept)} of {num.plural(board.n_systems, 'system')}"
    return f"{shown} under {num.clean(board.regime)}{where}, {num.plural(board.n_items, 'item')}"


def _notes(board: Standings) -> tuple[str, ...]:
    over_rules = (
        f"By rule: best and worst rank under {num.plural(board.n_rules or 0, 'rule')}; by both: "
        "rules and items together, around the base rule of the grid"
        if board.rules_state == "measured"
        else ""
    )
    groups = (
        f"Group: systems that share a letter do not differ at {board.alpha:g} after correction"
        if board.alpha is not None
        else ""
    )
    worst = (
        "Ranks order the worst case, because unscored verdicts are counted both ways"
        if board.rank_basis == "worst"
        else ""
    )
    among = ""
    if len(board.systems) != board.n_systems:
        among = f" among all {num.plural(board.n_systems, 'system')}"
    return (
        f"Ranks are {board.rank_convention} ranks{among}. {policy_note(board.policy)}",
        board.method,
        f"By sample: {board.rank_method}" if board.rank_method else "",
        over_rules,
        groups,
        worst,
        *(f"{row.shown}: {row.note}" for row in board.references if row.note),
        *(text for text in board.warnings if not worst or "worst case" not in text),
    )


def _cells(row: Standing, columns: tuple[tuple[str, str], ...], gaps: Gaps) -> tuple[str, ...]:
    return tuple(_cell(row, name, gaps) for name, _ in columns)


def _cell(row: Standing, column: str, gaps: Gaps) -> str:
    if column.startswith(TASK):
        score = dict(row.per_task).get(column.removeprefix(TASK))
        if score is None:
            return gaps.dash(NO_TASK if row.is_system else REFERENCE)
        return rate(score, gaps)
    return _CELLS[column](row, gaps) if column in _CELLS else _score_cell(row, column, gaps)


def _system(row: Standing, _gaps: Gaps) -> str:
    mark = KIND_MARKS.get(row.kind)
    return f"{row.shown} ({mark})" if mark else row.shown


def _rank(row: Standing, gaps: Gaps) -> str:
    return gaps.dash(_why_unranked(row)) if row.rank is None else num.rank(row.rank)


def _why_unranked(row: Standing) -> str:
    return row.why_unranked if row.is_system else REFERENCE


def _group(row: Standing, gaps: Gaps) -> str:
    return row.group or gaps.dash(_why_unranked(row) or NO_GROUP)


def _macro(row: Standing, gaps: Gaps) -> str:
    if row.macro is not None:
        return num.percent(row.macro, row_n(row))
    return gaps.dash(NO_MACRO if row.is_system else REFERENCE)


_CELLS: dict[str, Callable[[Standing, Gaps], str]] = {
    "system": _system,
    "rank": _rank,
    "group": _group,
    "macro": _macro,
    "sampling": lambda row, gaps: _span(row, row.sampling_ranks, NO_DRAWS, gaps),
    "rules": lambda row, gaps: _span(row, row.rule_ranks, NO_RULES, gaps),
    "both": lambda row, gaps: _span(row, row.both_ranks, NO_RULES, gaps),
}


def row_n(row: Standing) -> int:
    """Return the denominator of a row; 0 without a score."""
    return 0 if row.score is None else row.score.n


def _span(row: Standing, span: RankSpan | None, why: str, gaps: Gaps) -> str:
    if span is None:
        return gaps.dash(_why_unranked(row) or why)
    return span_text(span)


def span_text(span: RankSpan) -> str:
    """Return "2", or "1–4"."""
    best, worst = num.rank(span.best), num.rank(span.worst)
    return best if best == worst else f"{best}{num.EN_DASH}{worst}"


def _score_cell(row: Standing, column: str, gaps: Gaps) -> str:
    score = row.score
    if score is None:
        return gaps.dash(REFERENCE)
    if column == "accuracy":
        return rate(score, gaps)
    if column == "interval":
        why = NO_VERDICT if row.is_system else REFERENCE
        known = score.low is not None and score.high is not None
        return num.span(score.low or 0.0, score.high or 0.0, score.n) if known else gaps.dash(why)
    if column == "n":
        return _count(score, gaps)
    share = score.unscored_share
    if row.kind in {"floor", "reported"}:
        return gaps.dash(REFERENCE)
    return gaps.dash(NO_VERDICT) if share is None else num.percent(share, score.n)


def _count(score: Score, gaps: Gaps) -> str:
    if not score.n:
        return gaps.dash(NO_VERDICT)
    return num.count(score.n) if score.right is None else num.share(score.right, score.n)


def rate(score: Score, gaps: Gaps) -> str:
    """Return a rate in percent, "worst–best" when only bounds are known."""
    if score.value is not None:
        return num.percent(score.value, score.n)
    if score.worst is not None and score.best is not None:
        return num.span(score.worst, score.best, score.n)
    return gaps.dash(NO_VERDICT)
