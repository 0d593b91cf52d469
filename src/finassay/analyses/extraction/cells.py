"""One cell of a label benchmark.  In: replies, references and choices.  Out: a checked record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from finassay.errors import UsageError
from finassay.records import Finish, content_digest


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelCell:
    """The replies of one system to one task under one prompt arm and one generation budget.

    Attributes:
        replies: what the system wrote, one text an item.
        golds: the reference label of each item.
        choices: the labels in card order, for all items.
        item_choices: the labels of each item, where they differ; then `choices` is empty.
        item_ids: ids of the items; () numbers them "0", "1", ...
        strata: stratum of each item, or () where none is declared.
        finishes: what became of each reply, or () where nothing was logged.
        task: task.
        system: system.
        arm: prompt arm (template and its hash); "" is undeclared.
        budget: generation budget (new tokens, stop strings, context limit); "" is undeclared.
        split: split of the task.

    Raises:
        UsageError: there are no items, columns differ in length, ids repeat, or choices are given
            twice or not at all.
    """

    replies: tuple[str, ...]
    golds: tuple[str, ...]
    choices: tuple[str, ...] = ()
    item_choices: tuple[tuple[str, ...], ...] = ()
    item_ids: tuple[str, ...] = ()
    strata: tuple[str, ...] = ()
    finishes: tuple[Finish, ...] = ()
    task: str = ""
    system: str = ""
    arm: str = ""
    budget: str = ""
    split: str = ""

    def __post_init__(self) -> None:
        if not self.replies:
            raise UsageError(f"{self.title}: a cell needs at least one item, got none")
        if bool(self.choices) == bool(self.item_choices):
            raise UsageError(
                f"{self.title}: give either `choices` for all items or `item_choices` for each, "
                f"got {len(self.choices)} choices and {len(self.item_choices)} lists"
            )
        for column in ("golds", "item_choices", "item_ids", "strata", "finishes"):
            values: Sequence[object] = getattr(self, column)
            if len(values) != self.n and (values or column == "golds"):
                raise UsageError(
                    f"{self.title}: `{column}` must have one entry for each of the {self.n} "
                    f"replies, got {len(values)}"
                )
        if len(set(self.item_ids)) < len(self.item_ids):
            raise UsageError(f"{self.title}: item ids must differ; some stand there twice")

    @property
    def n(self) -> int:
        """Items."""
        return len(self.replies)

    @property
    def title(self) -> str:
        """The cell in one line."""
        named = [self.task, self.system, self.arm, self.budget, self.split]
        return " / ".join(part for part in named if part) or "cell"

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the items, numbered where none were given."""
        return self.item_ids or tuple(str(number) for number in range(self.n))

    def card_of(self, item: int) -> tuple[str, ...]:
        """Return the choices of the item at a position, in card order."""
        return self.item_choices[item] if self.item_choices else self.choices

    @property
    def digest(self) -> str:
        """SHA-256 of what the counts depend on, whatever the order of the rows."""
        rows = sorted(
            json.dumps([key, reply, gold, self.card_of(i), *self.strata[i : i + 1]])
            for i, (key, reply, gold) in enumerate(
                zip(self.ids, self.replies, self.golds, strict=True)
            )
        )
        return content_digest(*rows)


def choices_digest(cell: LabelCell) -> str:
    """Return the SHA-256 of the card: choices in card order, item by item where they differ."""
    cards = (cell.choices,) if cell.choices else cell.item_choices
    return content_digest(*(json.dumps(card) for card in cards))
