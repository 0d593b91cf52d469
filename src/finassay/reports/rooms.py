"""Rooms and parts of a report.  In: nothing.  Out: the records that formats draw."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a room.

    Attributes:
        anchor: id that links point to.
        heading: "" for the part that opens a room.
        level: heading level, 3 or 4.
        text: paragraphs.
        figures: keys of figures.
        tables: keys of tables in the open.
        folded: (what it is, key of a table), folded away where the format can.
        lists: (what it lists, the entries), folded away where the format can.
    """

    anchor: str
    heading: str = ""
    level: int = 3
    text: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    folded: tuple[tuple[str, str], ...] = ()
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A main section of the report."""

    anchor: str
    heading: str
    parts: tuple[Part, ...]
