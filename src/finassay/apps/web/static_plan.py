"""Which pages a site of files holds.  In: links that pages make.  Out: the same, or none.

A server answers every combination of filters; a site holds the pages that one choice leads to, so
that it stays finite: each parameter of a page alone, and with a page number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from finassay.apps.web.site import Links, Target, Value, target_of

ITEM = "item"
ABOUT = "about"

KEPT: Mapping[str, frozenset[str]] = {ITEM: frozenset({"id", "page"})}
"""Parameters without which a page would be another one; what else its links say is dropped."""

FOLLOWED: Mapping[str, tuple[frozenset[str], ...]] = {
    "leaderboard": (frozenset({"regime", "task"}), frozenset({"regime", "sort"})),
    "compare": (frozenset({"a", "b", "show"}),),
}
"""Sets of parameters of a page that may be followed together, beside each alone."""

COUNTED = frozenset({"page"})
"""Parameters that may stand beside any other."""


@dataclass(slots=True)
class Plan:
    """The pages of a site, in the order in which they were found.

    Attributes:
        max_items: how many items have pages; None for all that are linked to.
        known: targets that the site holds.
        waiting: those of them that were not written yet.
        items: ids of the items that it holds.
        left_out: ids of those for which there was no room.
    """

    max_items: int | None = None
    known: dict[Target, None] = field(default_factory=dict)
    waiting: deque[Target] = field(default_factory=deque)
    items: set[str] = field(default_factory=set)
    left_out: set[str] = field(default_factory=set)

    def admit(self, target: Target) -> Target | None:
        """Return the target as the site holds it, None if it does not."""
        wanted = _reduced(target)
        if wanted is None or not wanted.page.is_exportable:
            return None
        if wanted in self.known:
            return wanted
        if wanted.page.key == ITEM and not self._has_room(dict(wanted.query).get("id", "")):
            return None
        self.known[wanted] = None
        self.waiting.append(wanted)
        return wanted

    def _has_room(self, item: str) -> bool:
        """Take an item in, with all its pages, as long as there is room."""
        if item not in self.items:
            if self.max_items is not None and len(self.items) >= self.max_items:
                self.left_out.add(item)
                return False
            self.items.add(item)
        return True


def _reduced(target: Target) -> Target | None:
    """Return a target with the parameters that a site follows, None if it has too many."""
    kept = KEPT.get(target.page.key)
    if kept is not None:
        return Target(target.page, tuple(pair for pair in target.query if pair[0] in kept))
    names = frozenset(name for name, _ in target.query) - COUNTED
    together = FOLLOWED.get(target.page.key, ())
    if len(names) <= 1 or any(names <= allowed for allowed in together):
        return target
    return None


@dataclass(slots=True)
class PlannedLinks(Links):
    """Links of a page of a site; what the site does not hold has no address.

    Attributes:
        plan: the pages of the site.
    """

    plan: Plan = field(default_factory=Plan)

    def link(self, key: str, **query: Value) -> str:
        """Return the relative address of a page, "" if the site does not hold it."""
        target = self.plan.admit(target_of(key, query))
        return "" if target is None else self.root + target.file
