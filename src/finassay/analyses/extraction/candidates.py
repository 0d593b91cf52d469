"""Candidate sets of a cell.  In: a cell and a matcher.  Out: the labels that occur, item by item.

Replies that repeat are searched once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finassay.analyses.extraction.cells import LabelCell
from finassay.errors import UsageError
from finassay.text.labels import Matcher, finder, label_form


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateTable:
    """Candidate sets beside the references, all as places in one list of labels.

    Attributes:
        matcher: what counted as an occurrence.
        labels: the labels as written on the first card that has them, in card order.
        golds: place of each item's reference.
        sets: places of the labels that occur in each reply, ascending.
        keys: number of the group that has the item's normalised reply and card.
    """

    matcher: Matcher
    labels: tuple[str, ...]
    golds: tuple[int, ...]
    sets: tuple[tuple[int, ...], ...]
    keys: tuple[int, ...]

    @property
    def n(self) -> int:
        """Items."""
        return len(self.golds)

    def place_of(self, label: str) -> int:
        """Return the place of a label as written on some card of the cell."""
        if label in self.labels:
            return self.labels.index(label)
        forms = [label_form(self.matcher.norm, known) for known in self.labels]
        return forms.index(label_form(self.matcher.norm, label))


class _Builder:
    def __init__(self, cell: LabelCell, matcher: Matcher) -> None:
        self.cell = cell
        self.matcher = matcher
        self.labels: dict[str, str] = {}
        self.places: dict[tuple[str, ...], list[int]] = {}
        self.known: dict[tuple[str, tuple[str, ...]], tuple[tuple[int, ...], int]] = {}
        self.groups: dict[tuple[str, tuple[str, ...]], int] = {}

    def card_places(self, card: tuple[str, ...]) -> list[int]:
        if card not in self.places:
            found = finder(self.matcher, card)
            for form, choice in zip(found.forms, found.choices, strict=True):
                self.labels.setdefault(form, choice)
            order = {form: place for place, form in enumerate(self.labels)}
            self.places[card] = [order[form] for form in found.forms]
        return self.places[card]

    def set_of(self, item: int) -> tuple[tuple[int, ...], int]:
        reply, card = self.cell.replies[item], self.cell.card_of(item)
        if (reply, card) not in self.known:
            found = finder(self.matcher, card)
            places = self.card_places(card)
            group = self.groups.setdefault((found.form(reply), card), len(self.groups))
            present = tuple(sorted(places[label] for label in found.labels(reply)))
            self.known[reply, card] = (present, group)
        return self.known[reply, card]

    def gold_of(self, item: int) -> int:
        gold, card = self.cell.golds[item], self.cell.card_of(item)
        index = finder(self.matcher, card).index_of(gold)
        if index is None:
            raise UsageError(
                f"{self.cell.title}: the reference {gold!r} of item {self.cell.ids[item]!r} is "
                f"none of its choices {card!r} under norm {self.matcher.norm!r}; correct the "
                f"choices, it is not counted as wrong"
            )
        return self.card_places(card)[index]


def candidates(cell: LabelCell, matcher: Matcher) -> CandidateTable:
    """Return the candidate sets of a cell.

    Raises:
        UsageError: a reference is none of the choices, or choices cannot be told apart.
        SpecError: the matcher lacks a pattern for a choice.
    """
    made = _Builder(cell, matcher)
    golds = tuple(made.gold_of(item) for item in range(cell.n))
    found = [made.set_of(item) for item in range(cell.n)]
    return CandidateTable(
        matcher=matcher,
        labels=tuple(made.labels.values()),
        golds=golds,
        sets=tuple(present for present, _ in found),
        keys=tuple(group for _, group in found),
    )


def is_nested(inner: CandidateTable, outer: CandidateTable) -> bool:
    """Whether every candidate set of one matcher lies in that of the other, item by item."""
    pairs: Sequence[tuple[tuple[int, ...], tuple[int, ...]]] = list(
        zip(inner.sets, outer.sets, strict=True)
    )
    return all(set(small) <= set(large) for small, large in pairs)
