"""Passages from elsewhere.  In: items, a source of passages.  Out: items with those passages.

Closed-book, an item is asked with its own passages.  Open-book, they come from a source that finds
them; what the item itself holds is not shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from finassay.records import Item


class Passages(Protocol):
    """A source of passages, which finds the same ones every time.

    Attributes:
        label: a few words that set systems asked with it apart, for instance "open-book k=5".
        named: everything that decides which passages are found; enters the identity of systems.
    """

    @property
    def label(self) -> str:
        """A few words for the display name of systems."""

    @property
    def named(self) -> Mapping[str, str]:
        """What decides the passages, by name."""

    def of(self, items: Sequence[Item]) -> Mapping[str, tuple[str, ...]]:
        """Return the passages for each item by its id, the best one first."""


def shown(items: Sequence[Item], source: Passages | None) -> dict[str, Item]:
    """Return the items as they are asked, by id: with the passages of the source, if there is one.

    Documents go with the passages: those of the item are not what is shown.
    """
    if source is None:
        return {item.item_id: item for item in items}
    found = source.of(items)
    return {
        item.item_id: replace(item, context="", contexts=found.get(item.item_id, ()), documents=())
        for item in items
    }
