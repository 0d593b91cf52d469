"""The report in at most forty lines of a terminal.  In: an audit.  Out: plain text."""

from __future__ import annotations

import textwrap

from finassay.analyses.results import Audit, LeaderboardRow
from finassay.reports import numbers as num
from finassay.reports.outline import facts
from finassay.reports.table import Gaps
from finassay.reports.tables_scores import rate

WIDTH = 100
LINES = 40
NAME = 28
SHOWN_SYSTEMS = 12
SHOWN_REGIMES = 3
REGIME = 15


def terminal(audit: Audit) -> str:
    """Return the report as at most 40 lines of at most 100 columns, without colours."""
    top = [f"Audit of {num.shortened(audit.study, 80)}", _facts(audit), ""]
    board = ["", *_board(audit)]
    foot = ["", _foot(audit)]
    room = LINES - len(top) - len(board) - len(foot)
    strip = _strip(audit, room)
    findings = _findings(audit, room - len(strip))
    return "\n".join([*top, *strip, *board, *findings, *foot]) + "\n"


def _cut(text: str, width: int = WIDTH) -> str:
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}{num.ELLIPSIS}"


def _facts(audit: Audit) -> str:
    said = dict(facts(audit))
    unscored = said.pop("Left unscored")
    words = [f"{value} {_word(name, value)}" for name, value in said.items()]
    return _cut(f"{', '.join(words)}; {unscored} left unscored")


def _word(name: str, value: str) -> str:
    if value != "1":
        return name.lower()
    return "person" if name == "People" else name.lower().removesuffix("s")


def _strip(audit: Audit, room: int) -> list[str]:
    lines: list[str] = []
    for claim in audit.strip:
        wrapped = textwrap.wrap(
            num.clean(claim.text), WIDTH, initial_indent="* ", subsequent_indent="  "
        )
        if len(lines) + len(wrapped) <= room:
            lines += wrapped
    return lines


def _board(audit: Audit) -> list[str]:
    regimes = audit.regimes.regimes[:SHOWN_REGIMES] if audit.regimes is not None else ()
    ranks = {
        (r.regime, s.system): num.rank(s.ranks.under(audit.rank_convention))
        for r in regimes
        for s in r.scores
    }
    shown = audit.leaderboard.rows[:SHOWN_SYSTEMS]
    names = num.short_names((row.system for row in audit.leaderboard.rows), NAME)
    heads = ["Rank", "System", "%", "Right / n"]
    heads += [num.shortened(r.regime, REGIME) for r in regimes]
    rows = [
        [
            *_row(row, names[row.system], audit),
            *(ranks.get((r.regime, row.system), num.EM_DASH) for r in regimes),
        ]
        for row in shown
    ]
    lines = _aligned([heads, *rows])
    rest = len(audit.leaderboard.rows) - SHOWN_SYSTEMS
    if rest > 0:
        lines.append(f"      and {num.plural(rest, 'more system')}; the report has them all")
    if regimes:
        lines.append("      right: rank under each regime")
    return lines


def _row(row: LeaderboardRow, name: str, audit: Audit) -> list[str]:
    rank = num.EM_DASH
    if row.ranks is not None:
        rank = num.rank(row.ranks.under(audit.rank_convention))
    shown = rate(row.estimate, Gaps()).rstrip(num.SUPERSCRIPTS)
    return [rank, name, shown, num.share(row.estimate.total, row.estimate.n)]


def _aligned(rows: list[list[str]]) -> list[str]:
    """Return rows with the second column on the left side and all others on the right."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            f"{cell:<{width}}" if index == 1 else f"{cell:>{width}}"
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _findings(audit: Audit, room: int) -> list[str]:
    if not audit.findings or room < 3:
        return []
    lines = ["", "Findings"]
    shown = audit.findings[: room - len(lines)]
    if len(shown) < len(audit.findings):
        shown = shown[:-1]
    lines += [_cut(f"{f.severity:>6}  {num.clean(f.title)}") for f in shown]
    rest = len(audit.findings) - len(shown)
    return [*lines, f"        and {num.plural(rest, 'more finding')}"] if rest else lines


def _foot(audit: Audit) -> str:
    return _cut(
        f"rule {num.shortened(audit.primary, 40)}; unscored: {audit.policy}; "
        f"{audit.rank_convention} ranks"
    )
