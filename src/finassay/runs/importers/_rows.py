"""Rows of a table from outside.  In: nothing.  Out: the records that readers hand on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

Value = str | None | list[str]
"""What a field holds: a string exactly as it stands, a JSON null, or a list of strings."""

Progress = Callable[[int, int | None], None]
"""Called with the bytes done and the bytes in all (None where unknown)."""


@runtime_checkable
class Counter(Protocol):
    """A progress that counts more than bytes."""

    def rows(self, count: int) -> None:
        """Count rows that were read."""
        ...

    def commits(self, done: int, total: int) -> None:
        """Say how many of the systems are in the study."""
        ...


def tell_rows(progress: Progress | None, count: int) -> None:
    """Count rows that were read, where the progress does."""
    told: object = progress
    if isinstance(told, Counter):
        told.rows(count)


def tell_commits(progress: Progress | None, done: int, total: int) -> None:
    """Say how many of the systems are in the study, where the progress shows it."""
    told: object = progress
    if isinstance(told, Counter):
        told.commits(done, total)


_SNIPPET = 80


class Row(NamedTuple):
    """One record with the place where it stands (the line for text, else the record's number)."""

    file: str
    line: int
    values: dict[str, Value]


@dataclass(frozen=True, slots=True, kw_only=True)
class BadRow:
    """A record that cannot be used, with the reason and the beginning of it."""

    file: str
    line: int
    reason: str
    snippet: str = ""

    def __str__(self) -> str:
        shown = f" | {self.snippet}" if self.snippet else ""
        return f"{self.file}:{self.line}: {self.reason}{shown}"


def snippet(text: str) -> str:
    """Return the beginning of a text for a message, without line ends."""
    head = text[:_SNIPPET].replace("\r", " ").replace("\n", " ").strip()
    return head if len(text) <= _SNIPPET else head + "…"


def bad(row: Row, reason: str) -> BadRow:
    """Return the bad row for a row that was read but cannot be used."""
    shown = snippet(", ".join(f"{key}={value!r}" for key, value in list(row.values.items())[:4]))
    return BadRow(file=row.file, line=row.line, reason=reason, snippet=shown)
