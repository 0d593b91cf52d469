"""The rule of `scorers.labels.declared` on whole columns.  In: replies, choices.  Out: codes.

Occurrences are looked for once for each way of looking; rules that differ in what they make of
them share the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from finassay.errors import UsageError
from finassay.marking.multiverse.codes import FAILED, OUT, RIGHT, SILENT, WRONG, Codes
from finassay.marking.multiverse.memo import Memo
from finassay.scorers import declared_parts as parts
from finassay.scorers.labels.base import select
from finassay.scorers.labels.declared import DeclaredLabelRule
from finassay.text.labels import Span, finder, label_index

Bools = NDArray[np.bool_]
Places = NDArray[np.int64]

NONE, UNREADABLE = -1, -2
"""A reply without a label, and a card whose labels cannot be told apart."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelPairs:
    """Replies beside the cards they answer and the labels accepted.

    Attributes:
        replies: (U,) replies.
        choices: (U,) the card, repeats dropped; () where the item offers no choices.
        references: (U,) accepted labels.
    """

    replies: Sequence[str]
    choices: Sequence[tuple[str, ...]]
    references: Sequence[str]


@dataclass(slots=True)
class DeclaredLabels:
    """Marks replies under any number of declared label rules."""

    pairs: LabelPairs
    _memo: Memo = field(default_factory=Memo)

    def codes(self, rule: DeclaredLabelRule) -> Codes:
        """Return the (U,) codes of the rule, as `rule.measure` and `rule.decide` give them."""
        index, is_several = self._read(rule)
        taken = index
        if rule.otherwise == "first":
            taken = np.where(index == NONE, 0, index)
        elif rule.otherwise == "last":
            taken = np.where(index == NONE, self._sizes() - 1, index)
        gold = self._gold(rule)
        out = np.where(taken == gold, np.uint8(RIGHT), np.uint8(WRONG)).astype(np.uint8)
        if rule.otherwise == "drop":
            out[index == NONE] = SILENT
        if rule.several != "order":
            out[is_several] = SILENT if rule.several == "drop" else WRONG
        if rule.silence == "drop":
            out[self._declined()] = SILENT
        # A reply that the rule drops for its words is not searched, so its card raises nothing.
        searched = np.ones(len(out), dtype=bool)
        if rule.silence == "drop":
            searched = ~self._declined()
        out[(index == UNREADABLE) & searched] = FAILED
        out[gold == NONE] = FAILED
        out[self._sizes() == 0] = OUT
        return out

    def _sizes(self) -> Places:
        return self._memo.keep(
            "sizes", lambda: np.array([len(card) for card in self.pairs.choices], dtype=np.int64)
        )

    def _declined(self) -> Bools:
        return self._memo.keep(
            "declined",
            lambda: np.array([parts.declines(text) for text in self.pairs.replies], dtype=bool),
        )

    def _gold(self, rule: DeclaredLabelRule) -> Places:
        """Return (U,) the place of the accepted label, `NONE` where it is no choice."""

        def make() -> Places:
            known: dict[tuple[str, tuple[str, ...]], int] = {}
            pairs = list(zip(self.pairs.references, self.pairs.choices, strict=True))
            for reference, card in set(pairs):
                place = label_index(reference, card, rule.gold_norm)
                known[reference, card] = NONE if place is None else place
            return np.array([known[pair] for pair in pairs], dtype=np.int64)

        return self._memo.keep(("gold", rule.gold_norm), make)

    def _read(self, rule: DeclaredLabelRule) -> tuple[Places, Bools]:
        """Return (U,) the place of the label taken, and whether several occur."""
        matcher = rule.spans_matcher
        found = self._memo.keep(("spans", rule.passage, matcher), lambda: self._spans(rule))

        def make() -> tuple[Places, Bools]:
            index = np.full(len(found), UNREADABLE, dtype=np.int64)
            several = np.zeros(len(found), dtype=bool)
            for at, spans in enumerate(found):
                if spans is None:
                    continue
                taken = select(spans, rule.order, rule.tie)
                index[at] = NONE if taken is None else taken.label
                several[at] = len({span.label for span in spans}) > 1
            return index, several

        return self._memo.keep(("read", rule.passage, matcher, rule.order, rule.tie), make)

    def _spans(self, rule: DeclaredLabelRule) -> list[tuple[Span, ...] | None]:
        matcher = rule.spans_matcher
        known: dict[tuple[str, tuple[str, ...]], tuple[Span, ...] | None] = {}
        listed = []
        for reply, card in zip(self.pairs.replies, self.pairs.choices, strict=True):
            if (reply, card) not in known:
                try:
                    read = parts.passage(reply, rule.passage)
                    known[reply, card] = finder(matcher, card).spans(read)
                except UsageError:
                    known[reply, card] = None
            listed.append(known[reply, card])
        return listed
