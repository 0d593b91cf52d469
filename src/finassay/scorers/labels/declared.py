"""A label rule whose every choice is a field.  In: a reply.  Out: one of the choices, or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from finassay.scorers import declared_parts as parts
from finassay.scorers.base import require_flag, require_one_of
from finassay.scorers.labels.base import (
    Extraction,
    LabelRule,
    Order,
    Tie,
    read_by_order,
)
from finassay.text.labels import Matcher, Norm, TermKind, finder

Several = Literal["order", "wrong", "drop"]
"""What a reply that names several labels is: the one that the order takes; wrong; or out."""

Otherwise = Literal["wrong", "drop", "first", "last"]
"""What a reply without a label is: wrong; out of the denominator; or the first or the last choice
of the card."""


@dataclass(frozen=True, kw_only=True)
class DeclaredLabelRule(LabelRule):
    """`labels/rule`: every choice of a label rule as a parameter of its own.

    With the defaults it reads what `labels/card-order` reads.

    Attributes:
        passage: which part of the reply is read: "whole", "first-sentence" or "final".
        order: "card", "text", "last" or "longest" (see `labels.base.select`).
        tie: among labels that start at one place, "card" or "longest".
        match: "substring" or "word".
        norm: normal form of reply and labels.
        hyphen_joins: for words, a hyphen beside a label makes it part of a longer word.
        several: "order", "wrong" or "drop".
        otherwise: "wrong", "drop", "first" or "last".
        silence: "text", or "drop": a reply that is blank or declines to answer is out, whatever
            labels it holds.
    """

    passage: parts.Passage = "whole"
    order: Order = "card"
    tie: Tie = "card"
    match: TermKind = "substring"
    norm: Norm = "lower"
    hyphen_joins: bool = False
    several: Several = "order"
    otherwise: Otherwise = "wrong"
    silence: Literal["text", "drop"] = "text"

    name: ClassVar[str] = "labels/rule"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "labels/rule"

    def __post_init__(self) -> None:
        require_flag(self, "hyphen_joins", self.hyphen_joins)
        for field, allowed in ALLOWED.items():
            require_one_of(self, field, getattr(self, field), allowed)

    @property
    def gold_norm(self) -> Norm:
        """The rule's own normal form."""
        return self.norm

    @property
    def spans_matcher(self) -> Matcher:
        """What counts as an occurrence for this rule."""
        return Matcher(
            kind=self.match,
            norm=self.norm,
            hyphen_joins=self.hyphen_joins and self.match == "word",
            longest=self.order == "longest",
        )

    def extract(self, reply: str, choices: tuple[str, ...], *, key: str = "") -> Extraction:  # noqa: ARG002
        """Return the label that the order takes, or what the rule does with several or none."""
        if self.silence == "drop" and parts.declines(reply):
            return Extraction(is_dropped=True)
        found = finder(self.spans_matcher, choices)
        read = read_by_order(found, parts.passage(reply, self.passage), self.order, self.tie)
        if read.index is None:
            return self._without_label(len(choices))
        if read.is_ambiguous and self.several != "order":
            return Extraction(is_ambiguous=True, is_dropped=self.several == "drop")
        return read

    def _without_label(self, count: int) -> Extraction:
        if self.otherwise in {"first", "last"}:
            return Extraction(index=0 if self.otherwise == "first" else count - 1, origin="default")
        return Extraction(is_dropped=self.otherwise == "drop")


ALLOWED = {
    "passage": get_args(parts.Passage),
    "order": get_args(Order),
    "tie": get_args(Tie),
    "match": get_args(TermKind),
    "norm": get_args(Norm),
    "several": get_args(Several),
    "otherwise": get_args(Otherwise),
    "silence": ("text", "drop"),
}
