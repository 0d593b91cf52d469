"""Worked examples for few-shot prompts.  In: an item, a pool.  Out: examples that leak nothing.

An example must not give the answer away: none shares the item's id, a document or a passage, nor
asks nearly the same of nearly the same text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rapidfuzz import fuzz

from finassay.errors import UsageError
from finassay.records import Item, content_digest, content_id
from finassay.runs.prompts import passages_of

NEAR = 85.0
"""Similarity in words (0 to 100) from which two texts count as nearly the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shots:
    """How worked examples are chosen for each item.

    Attributes:
        pool: the items to choose from.
        count: how many examples.
        seed: which ones, among those that leak nothing.
    """

    pool: tuple[Item, ...]
    count: int
    seed: int = 0

    def named(self) -> tuple[str, ...]:
        """Return what decides the examples, as a system's identity holds it; () for none."""
        if not self.count:
            return ()
        digests = sorted(f"{item.item_id}\0{item.item_digest}" for item in self.pool)
        return (f"count={self.count}", f"pool={content_id(*digests)}", f"seed={self.seed}")

    def of(self, items: Iterable[Item]) -> dict[str, tuple[Item, ...]]:
        """Return the examples for each item by its id, the same ones every time.

        Raises:
            UsageError: the pool has too few that leak nothing to an item.
        """
        if not self.count:
            return {}
        ordered = sorted(
            self.pool, key=lambda item: content_digest(str(self.seed), item.benchmark, item.item_id)
        )
        return {item.item_id: self._chosen(item, ordered) for item in items}

    def _chosen(self, item: Item, ordered: Iterable[Item]) -> tuple[Item, ...]:
        found: list[Item] = []
        for other in ordered:
            if self._fits(other, item) and not leaks(other, item):
                found.append(other)
            if len(found) == self.count:
                return tuple(found)
        raise UsageError(
            f"item {item.item_id!r} needs {self.count} worked examples of task {item.task!r} that "
            f"share no id, document, passage or question with it, and the pool has {len(found)}; "
            f"ask for fewer, or name a larger pool with --shots-from"
        )

    @staticmethod
    def _fits(other: Item, item: Item) -> bool:
        return other.task == item.task and bool((other.reference or "").strip())


def leaks(example: Item, item: Item) -> bool:
    """Return whether an example may give the answer to an item away."""
    if example.item_id == item.item_id or set(example.documents) & set(item.documents):
        return True
    pairs = [(one, other) for one in passages_of(example) for other in passages_of(item)]
    return any(is_near(one, other) for one, other in pairs) or is_near(
        _whole(example), _whole(item)
    )


def is_near(one: str, other: str) -> bool:
    """Return whether two texts have nearly the same words, in whatever order and case."""
    return fuzz.token_sort_ratio(one.lower(), other.lower(), score_cutoff=NEAR) >= NEAR


def _whole(item: Item) -> str:
    return " ".join((*passages_of(item), item.question))
