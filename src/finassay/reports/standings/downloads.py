"""Standings as files: exactly the rows and columns that are shown.  In: standings.  Out: texts.

CSV and JSON hold rates as fractions with all their digits; the LaTeX table shows what the page
shows.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from finassay.analyses.results import Json, to_jsonable
from finassay.reports.exports.files import file_stem
from finassay.reports.latex import latex_table
from finassay.reports.standings.order import TASK
from finassay.reports.standings.records import RankSpan, Standing, Standings
from finassay.reports.standings.table import columns_of, standings_table

Format = Literal["json", "csv", "tex"]

FORMATS: tuple[Format, ...] = get_args(Format)

SCHEMA = "finassay/leaderboard/1"

MEDIA_TYPES: dict[Format, str] = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
}

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a spreadsheet reads as the beginning of a formula."""

Cell = str | float | int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A file to keep.

    Attributes:
        name: file name, of letters, digits and a few marks.
        media_type: of its content.
        text: its content.
    """

    name: str
    media_type: str
    text: str


def download(board: Standings, form: Format) -> Download:
    """Return standings as a file of one format."""
    made = {"json": standings_json, "csv": standings_csv, "tex": standings_latex}[form](board)
    return Download(name=file_name(board, form), media_type=MEDIA_TYPES[form], text=made)


def file_name(board: Standings, form: Format) -> str:
    """Return the name of a file with standings: letters, digits and a few marks."""
    parts = [board.study, "leaderboard", board.regime, *([board.task] if board.task else [])]
    stem = "-".join(file_stem(part).lower() for part in parts)
    return f"{stem[:120]}.{form}"


def standings_latex(board: Standings) -> str:
    r"""Return the table that is shown, for `\input`."""
    return latex_table(standings_table(board))


def standings_object(board: Standings) -> dict[str, Json]:
    """Return standings as plain JSON types: rates are fractions, no value is null."""
    plain = to_jsonable(board)
    if not isinstance(plain, dict):
        raise TypeError(f"standings become an object, got {type(plain).__name__}")
    return {"schema": SCHEMA, **plain}


def standings_json(board: Standings) -> str:
    """Return standings as JSON text."""
    return json.dumps(standings_object(board), ensure_ascii=False, allow_nan=False) + "\n"


def standings_csv(board: Standings) -> str:
    """Return standings as CSV, one row a system or reference, safe to open in a spreadsheet.

    A text that a spreadsheet would read as a formula begins with an apostrophe.
    """
    names = _names(board)
    lines = io.StringIO(newline="")
    writer = csv.writer(lines, lineterminator="\r\n")
    writer.writerow([_safe(name) for name in names])
    for row in board.rows:
        cells = dict(_cells(row, board))
        writer.writerow([_written(cells[name]) for name in names])
    return lines.getvalue()


def _names(board: Standings) -> list[str]:
    empty = Standing(system="", shown="", kind="model", score=None)
    return [name for name, _ in _cells(empty, board)]


def _cells(row: Standing, board: Standings) -> Iterator[tuple[str, Cell]]:
    """Yield (column, value) for every column that is shown, and what tells the rows apart."""
    shown = {name for name, _ in columns_of(board)}
    score = row.score
    yield "system", row.system
    yield "kind", row.kind
    yield "rank", row.rank
    for name, span in (
        ("sampling", row.sampling_ranks),
        ("rules", row.rule_ranks),
        ("both", row.both_ranks),
    ):
        if name in shown:
            yield from _span(f"rank_{name}", span)
    for field in ("value", "low", "high", "worst", "best", "right", "n", "n_unscored", "n_outside"):
        yield ("accuracy" if field == "value" else field), getattr(score, field, None)
    if "group" in shown:
        yield "group", row.group
    if "macro" in shown:
        yield "macro", row.macro
    scores = dict(row.per_task)
    for task in board.columns:
        part = scores.get(task)
        for field in ("value", "low", "high", "right", "n"):
            name = "accuracy" if field == "value" else field
            yield f"{TASK}{task}:{name}", getattr(part, field, None)
    yield "note", row.note or row.why_unranked


def _span(name: str, span: RankSpan | None) -> Iterator[tuple[str, Cell]]:
    yield f"{name}_best", None if span is None else span.best
    yield f"{name}_worst", None if span is None else span.worst


def _written(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return _safe(value)
    number = float(value)
    return str(int(number)) if number.is_integer() else repr(number)


def _safe(text: str) -> str:
    """Return a text that no spreadsheet reads as a formula."""
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text
