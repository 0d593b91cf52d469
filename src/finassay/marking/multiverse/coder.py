"""One batch under many scorers.  In: a batch and scorers.  Out: a byte for each verdict.

Declared rules run on whole columns; every other rule measures each distinct row once for all rules
that share its measure, and decides once for each distinct measure.  The verdicts are those that
`scorer.score` gives row by row; only the value and why there is none are kept.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finassay.errors import UsageError
from finassay.marking.batch import Batch
from finassay.marking.multiverse.codes import FAILED, OUT, Codes, best_of, code_of, combined
from finassay.marking.multiverse.labels import DeclaredLabels, LabelPairs
from finassay.marking.multiverse.memo import Memo
from finassay.marking.multiverse.texts import DeclaredTexts, TextPairs
from finassay.records import Finish, Item, Prediction, Verdict
from finassay.scorers.base import FAILED_FINISHES, MeasureKey, Rule, Scorer
from finassay.scorers.composites import IS_IMPORTED, Composite, Imported
from finassay.scorers.declared import DeclaredRule
from finassay.scorers.labels.declared import DeclaredLabelRule

Measured = tuple[Verdict | None, tuple[Any, ...], Finish]
"""What the gate says, or else the measures of the accepted references; and the reply's fate."""


class Coder:
    """Marks one batch under any number of scorers.

    Args:
        batch: N rows.
        imported: (N,) codes of scorers whose verdicts come from outside, by scorer id.
    """

    def __init__(self, batch: Batch, imported: Mapping[str, Codes] | None = None) -> None:
        self.batch = batch
        self._imported = imported or {}
        self._memo = Memo()
        self._measured: dict[MeasureKey, tuple[NDArray[np.intp], list[Measured]]] = {}

    def codes(self, scorer: Scorer) -> Codes:
        """Return the (N,) codes of a scorer.

        Raises:
            UsageError: its verdicts come from outside, and none were given.
        """
        if isinstance(scorer, Imported):
            return self._outside(scorer)
        return self._memo.keep(("codes", type(scorer), scorer), lambda: self._mark(scorer))

    def _outside(self, scorer: Imported) -> Codes:
        if scorer.name not in self._imported:
            raise UsageError(IS_IMPORTED.format(scorer.name))
        return self._imported[scorer.name]

    def _mark(self, scorer: Scorer) -> Codes:
        # Exact types: a rule that someone derives from these may measure or decide otherwise.
        if type(scorer) is DeclaredRule:
            return self._declared(scorer)
        if type(scorer) is DeclaredLabelRule:
            return self._labels(scorer)
        if isinstance(scorer, Composite):
            found = combined(scorer, [self.codes(part) for part in scorer.parts])
            if found is not None:
                return found
        if isinstance(scorer, Rule):
            return self._by_measures(scorer)
        found_one = [code_of(scorer.score(item=i, prediction=p)) for i, p in self._records()]
        return self._spread(np.array(found_one, dtype=np.uint8))

    def _records(self) -> list[tuple[Item, Prediction]]:
        firsts, _ = self.batch.distinct
        return self._memo.keep("records", lambda: list(self.batch.records(firsts)))

    def _spread(self, distinct: Codes) -> Codes:
        """Return codes of distinct rows for all rows."""
        _, like = self.batch.distinct
        return distinct[like] if len(like) else distinct

    def _by_measures(self, rule: Rule[Any]) -> Codes:
        key = rule.measure_key
        if key not in self._measured:
            self._measured[key] = _distinct(
                [_measure(rule, item, prediction) for item, prediction in self._records()]
            )
        where, measured = self._measured[key]
        codes = [
            code_of(stopped or rule.settle(measures, finish))
            for stopped, measures, finish in measured
        ]
        return self._spread(np.array(codes, dtype=np.uint8)[where])

    # Rules on whole columns.

    def _gated(self, codes: Codes) -> Codes:
        """Return the codes after the gate of published rules, which leaves silence to the rule."""
        frame = self.batch.frame
        failed = frame["finish"].is_in(list(FAILED_FINISHES)).to_numpy()
        out = np.where(failed, np.uint8(FAILED), codes)
        return np.where(frame["reference"].is_null().to_numpy(), np.uint8(OUT), out)

    def _declared(self, rule: DeclaredRule) -> Codes:
        marks, where, starts = self._memo.keep("texts", self._text_pairs)
        return self._gated(best_of(marks.codes(rule)[where], starts))

    def _text_pairs(self) -> tuple[DeclaredTexts, NDArray[np.intp], NDArray[np.intp]]:
        frame = self.batch.frame
        columns = (
            frame["reference"].fill_null("").to_list(),
            frame["alternatives"].to_list(),
            frame["text"].to_list(),
            frame["task"].to_list(),
            frame["finish"].eq("refused").to_list(),
        )
        counts = np.array([1 + len(others) for others in columns[1]], dtype=np.intp)
        pairs = [
            (reference, reply, task, is_refused)
            for first, others, reply, task, is_refused in zip(*columns, strict=True)
            for reference in (first, *others)
        ]
        where, distinct = _numbered(pairs)
        references, replies, tasks, refused = zip(*distinct, strict=True) if distinct else [()] * 4
        reference, known = _numbered(references)
        reply, texts = _numbered(replies)
        marks = DeclaredTexts(
            TextPairs(
                references=tuple(known),
                replies=tuple(texts),
                reference=reference,
                reply=reply,
                tasks=tuple(tasks),
                refused=np.array(refused, dtype=bool),
            )
        )
        return marks, where, np.cumsum(counts) - counts

    def _labels(self, rule: DeclaredLabelRule) -> Codes:
        marks, where = self._memo.keep("labels", self._label_pairs)
        return self._gated(marks.codes(rule)[where])

    def _label_pairs(self) -> tuple[DeclaredLabels, NDArray[np.intp]]:
        frame = self.batch.frame
        cards = [tuple(dict.fromkeys(card)) for card in frame["choices"].to_list()]
        rows = zip(
            frame["text"].to_list(), cards, frame["reference"].fill_null("").to_list(), strict=True
        )
        where, distinct = _numbered(list(rows))
        replies, choices, references = zip(*distinct, strict=True) if distinct else [()] * 3
        pairs = LabelPairs(replies=replies, choices=choices, references=references)
        return DeclaredLabels(pairs), where


def _measure(rule: Rule[Any], item: Item, prediction: Prediction) -> Measured:
    stopped = rule.stopped(item=item, prediction=prediction)
    if stopped is not None:
        return stopped, (), prediction.finish
    return None, rule.measure_all(item=item, prediction=prediction), prediction.finish


def _distinct(measured: list[Measured]) -> tuple[NDArray[np.intp], list[Measured]]:
    """Return for each row the place of its measure, and the distinct measures."""
    try:
        return _numbered(measured)
    except TypeError:
        # A measure that cannot be hashed is decided on row by row.
        return np.arange(len(measured), dtype=np.intp), measured


def _numbered(values: Sequence[Any]) -> tuple[NDArray[np.intp], list[Any]]:
    """Return for each value the place of its like among the distinct ones, and these."""
    at: dict[Hashable, int] = {}
    where = np.array([at.setdefault(value, len(at)) for value in values], dtype=np.intp)
    return where, list(at)
