"""Sorting and filtering.  In: standings and what is asked.  Out: standings of the same board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from finassay.errors import UsageError
from finassay.reports.standings.records import SYSTEM_KINDS, RankSpan, Standing, Standings

TASK = "task:"
"""Beginning of the name of a column of one task."""

ALL_KINDS = "all"

RANK = "rank"
"""The column that a board is sorted by unless asked otherwise."""

Key = Callable[[Standing], float | str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a reader asks of a board.

    Attributes:
        sort: column to sort by; see `sort_columns`.
        order: "asc" or "desc"; "" for what suits the column.
        kind: "model", "baseline" or "all".
        name: part of a name, in any case; "" for all.
    """

    sort: str = RANK
    order: str = ""
    kind: str = ALL_KINDS
    name: str = ""


def _ends(span: RankSpan | None) -> float | None:
    """Return a number that orders spans by best rank, then by worst."""
    return None if span is None else span.best + span.worst / 1e6


def _share(row: Standing) -> float | None:
    return None if row.score is None else row.score.unscored_share


def _shown(row: Standing) -> float | None:
    return None if row.score is None else row.score.shown


_COLUMNS: dict[str, tuple[Key, bool]] = {
    RANK: (lambda row: row.rank, False),
    "system": (lambda row: row.shown.casefold(), False),
    "accuracy": (_shown, True),
    "interval": (lambda row: None if row.score is None else row.score.low, True),
    "n": (lambda row: None if row.score is None else float(row.score.n), True),
    "macro": (lambda row: row.macro, True),
    "unscored": (_share, True),
    "sampling": (lambda row: _ends(row.sampling_ranks), False),
    "rules": (lambda row: _ends(row.rule_ranks), False),
    "both": (lambda row: _ends(row.both_ranks), False),
    "group": (lambda row: row.group, False),
}
"""Column -> what it orders by, and whether the largest comes first unless asked otherwise."""


def sort_columns(board: Standings) -> tuple[str, ...]:
    """Return the names of the columns that a board can be sorted by."""
    return (*_COLUMNS, *(f"{TASK}{name}" for name in board.columns))


def is_descending(column: str, order: str = "") -> bool:
    """Return whether the largest comes first in a column, as asked or as suits it."""
    return order == "desc" if order else _COLUMNS.get(column, (None, True))[1]


def arranged(board: Standings, wanted: Wanted) -> Standings:
    """Return the systems that are wanted, sorted; rows to measure by stay below, unsorted.

    Rows without a value in the column come last whichever way it is sorted.  Ranks remain those
    among all systems.

    Raises:
        UsageError: an unknown column, order or kind.
    """
    _check(board, wanted)
    key = _key(wanted.sort)
    largest = is_descending(wanted.sort, wanted.order)
    part = wanted.name.strip().casefold()
    kept = [
        row
        for row in board.systems
        if wanted.kind in {ALL_KINDS, row.kind}
        and (not part or part in row.shown.casefold() or part in row.system.casefold())
    ]
    known = sorted((row for row in kept if key(row) is not None), key=_known(key), reverse=largest)
    rest = [row for row in kept if key(row) is None]
    return replace(
        board,
        rows=(*known, *rest, *board.references),
        sort=wanted.sort,
        descending=largest,
        kind=wanted.kind,
        name=wanted.name.strip(),
    )


def _known(key: Key) -> Callable[[Standing], float | str]:
    def found(row: Standing) -> float | str:
        value = key(row)
        if value is None:
            raise TypeError("a row without a value is not sorted")
        return value

    return found


def _key(column: str) -> Key:
    if not column.startswith(TASK):
        return _COLUMNS[column][0]
    task = column.removeprefix(TASK)

    def of_task(row: Standing) -> float | None:
        score = dict(row.per_task).get(task)
        return None if score is None else score.shown

    return of_task


def _check(board: Standings, wanted: Wanted) -> None:
    known = sort_columns(board)
    if wanted.sort not in known:
        raise UsageError(f"`sort` must be one of {', '.join(known)}, got {wanted.sort!r}")
    if wanted.order not in {"", "asc", "desc"}:
        raise UsageError(f"`order` must be asc or desc, got {wanted.order!r}")
    if wanted.kind not in {ALL_KINDS, *SYSTEM_KINDS}:
        kinds = ", ".join((ALL_KINDS, *SYSTEM_KINDS))
        raise UsageError(f"`kind` must be one of {kinds}, got {wanted.kind!r}")
