"""The table that every format draws.  In: nothing.  Out: frozen columns, rows and notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from finassay.reports.numbers import EM_DASH, SUPERSCRIPTS, sentence

Align = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its header, and on which side its cells stand (numbers right)."""

    header: str
    align: Align = "right"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A finished table of strings; its first column names the rows.

    Attributes:
        key: name for files and anchors, for instance "leaderboard".
        caption: what the table shows, in one sentence without a full stop.
        columns: C columns.
        rows: R rows of C cells.
        breaks: indices of rows before which a rule is drawn.
        notes: what a reader must know, markers first.

    Raises:
        ValueError: a row has another number of cells than there are columns.
    """

    key: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    breaks: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(
                    f"table {self.key!r} has {len(self.columns)} columns, got a row of "
                    f"{len(row)} cells: {row!r}"
                )


@dataclass(slots=True)
class Gaps:
    """Collects why cells have no value, and gives each reason a marker."""

    reasons: list[str] = field(default_factory=list)

    def dash(self, reason: str) -> str:
        """Return an em dash with the marker of the reason, for instance "—¹"."""
        return EM_DASH + self.mark(reason)

    def mark(self, reason: str) -> str:
        """Return the marker of the reason alone."""
        if reason not in self.reasons:
            self.reasons.append(reason)
        return superscript(self.reasons.index(reason) + 1)

    def notes(self, *more: str) -> tuple[str, ...]:
        """Return the reasons with their markers, then the other notes that are not empty."""
        marked = [
            f"{superscript(i)} {sentence(reason)}" for i, reason in enumerate(self.reasons, start=1)
        ]
        return (*marked, *dict.fromkeys(sentence(note) for note in more if note))


def superscript(number: int) -> str:
    """Return a whole number in superscript digits."""
    return "".join(SUPERSCRIPTS[int(digit)] for digit in str(number))


def lefts(*headers: str) -> tuple[Column, ...]:
    """Return left-aligned columns."""
    return tuple(Column(header, "left") for header in headers)


def rights(*headers: str) -> tuple[Column, ...]:
    """Return right-aligned columns."""
    return tuple(Column(header) for header in headers)


def grouped(
    *groups: Sequence[tuple[str, ...]],
) -> tuple[tuple[tuple[str, ...], ...], tuple[int, ...]]:
    """Return the rows of all groups, and the indices where a new group begins."""
    rows: list[tuple[str, ...]] = []
    breaks: list[int] = []
    for group in groups:
        if group and rows:
            breaks.append(len(rows))
        rows.extend(group)
    return tuple(rows), tuple(breaks)
