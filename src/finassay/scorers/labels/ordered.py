"""Rules that select a label from those that occur.  In: a reply.  Out: one of its labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from finassay.scorers.base import require_flag, require_one_of
from finassay.scorers.labels.base import (
    Extraction,
    LabelRule,
    Order,
    Tie,
    read_by_order,
)
from finassay.text.labels import Matcher, Norm, TermKind, finder


@dataclass(frozen=True, kw_only=True)
class OrderedRule(LabelRule):
    """Takes one of the labels that occur, by a declared order.

    Attributes:
        norm: normal form of reply and labels.
    """

    norm: Norm = "lower"

    version: ClassVar[str] = "1"
    family: ClassVar[Literal["select", ""]] = "select"
    order: ClassVar[Order]
    match: ClassVar[TermKind] = "substring"

    def __post_init__(self) -> None:
        require_one_of(self, "norm", self.norm, get_args(Norm))

    @property
    def gold_norm(self) -> Norm:
        """The rule's own normal form."""
        return self.norm

    @property
    def matcher(self) -> Matcher:
        """The matcher whose candidate sets the rule selects from."""
        return Matcher(kind=self.match, norm=self.norm, hyphen_joins=self._joins)

    @property
    def _joins(self) -> bool:
        return False

    @property
    def _tie(self) -> Tie:
        return "card"

    def extract(self, reply: str, choices: tuple[str, ...], *, key: str = "") -> Extraction:  # noqa: ARG002
        """Return the label that the order puts first among those that occur."""
        longest = self.order == "longest"
        matcher = Matcher(
            kind=self.match, norm=self.norm, hyphen_joins=self._joins, longest=longest
        )
        return read_by_order(finder(matcher, choices), reply, self.order, self._tie)


@dataclass(frozen=True, kw_only=True)
class TextOrderedRule(OrderedRule):
    """An order by position.

    Attributes:
        tie: among labels that start at one place, the one first on the card (as a regular
            expression of alternatives does) or the longest.
    """

    tie: Tie = "card"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_one_of(self, "tie", self.tie, get_args(Tie))

    @property
    def _tie(self) -> Tie:
        return self.tie


@dataclass(frozen=True, kw_only=True)
class CardOrder(OrderedRule):
    """`labels/card-order`: the first choice, in card order, that occurs in the reply.

    Source: `Classification.process_results` of FLARE (PIXIU, src/tasks/flare.py).
    """

    name: ClassVar[str] = "labels/card-order"
    measure_name: ClassVar[str] = "labels/card-order"
    order: ClassVar[Order] = "card"


@dataclass(frozen=True, kw_only=True)
class TextOrder(TextOrderedRule):
    """`labels/text-order`: the choice whose occurrence starts first in the reply."""

    name: ClassVar[str] = "labels/text-order"
    measure_name: ClassVar[str] = "labels/text-order"
    order: ClassVar[Order] = "text"


@dataclass(frozen=True, kw_only=True)
class LastLabel(TextOrderedRule):
    """`labels/last`: the choice whose occurrence starts last in the reply."""

    name: ClassVar[str] = "labels/last"
    measure_name: ClassVar[str] = "labels/last"
    order: ClassVar[Order] = "last"


@dataclass(frozen=True, kw_only=True)
class LongestLabel(OrderedRule):
    """`labels/longest`: text order over occurrences that lie in no longer label's occurrence."""

    name: ClassVar[str] = "labels/longest"
    measure_name: ClassVar[str] = "labels/longest"
    order: ClassVar[Order] = "longest"


@dataclass(frozen=True, kw_only=True)
class WordTwin(OrderedRule):
    """The same order over whole words.

    Attributes:
        hyphen_joins: a hyphen beside a label makes it part of a longer word.
    """

    hyphen_joins: bool = False

    match: ClassVar[TermKind] = "word"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_flag(self, "hyphen_joins", self.hyphen_joins)

    @property
    def _joins(self) -> bool:
        return self.hyphen_joins


@dataclass(frozen=True, kw_only=True)
class CardOrderWord(WordTwin, CardOrder):
    """`labels/card-order-word`: the first choice, in card order, that occurs as whole words."""

    name: ClassVar[str] = "labels/card-order-word"
    measure_name: ClassVar[str] = "labels/card-order-word"


@dataclass(frozen=True, kw_only=True)
class TextOrderWord(WordTwin, TextOrder):
    """`labels/text-order-word`: the choice that first occurs as whole words."""

    name: ClassVar[str] = "labels/text-order-word"
    measure_name: ClassVar[str] = "labels/text-order-word"


@dataclass(frozen=True, kw_only=True)
class LastLabelWord(WordTwin, LastLabel):
    """`labels/last-word`: the choice that last occurs as whole words."""

    name: ClassVar[str] = "labels/last-word"
    measure_name: ClassVar[str] = "labels/last-word"


@dataclass(frozen=True, kw_only=True)
class LongestLabelWord(WordTwin, LongestLabel):
    """`labels/longest-word`: text order over whole words that lie in no longer label."""

    name: ClassVar[str] = "labels/longest-word"
    measure_name: ClassVar[str] = "labels/longest-word"
