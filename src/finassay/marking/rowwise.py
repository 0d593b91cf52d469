"""Rules on rows, and whole batches under many scorers.  In: a batch.  Out: verdict columns.

Rules with the same measure key measure once; rows with the same content are marked once; rows that
a vectorised form covers are taken from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from finassay.marking.batch import Batch
from finassay.marking.columns import columns_of, merge
from finassay.marking.combine import combine
from finassay.marking.vectorised import Workspace, mark_columns
from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import MeasureKey, Rule, Scorer
from finassay.scorers.composites import Composite, computable

Measured = tuple[Verdict | None, tuple[Any, ...]]
"""What the gate says, or else the measures of the accepted references."""


class Marker:
    """Marks one batch under any number of scorers, sharing work between them.

    Args:
        batch: the rows.
        vectorised: False marks every row by itself, as the proof that both ways agree does.
    """

    def __init__(self, batch: Batch, *, vectorised: bool = True) -> None:
        self.batch = batch
        self._work = Workspace(batch)
        self._vectorised = vectorised
        self._measured: dict[MeasureKey, dict[int, Measured]] = {}
        self._records: dict[int, tuple[Item, Prediction]] = {}

    def mark(self, scorer: Scorer) -> pl.DataFrame:
        """Return the verdicts of a scorer on all rows, in order, as `columns.OUTPUT_SCHEMA`.

        Raises:
            UsageError: the scorer's verdicts, or those of a part, are imported.
        """
        computable(scorer)
        if isinstance(scorer, Composite):
            return self._composite(scorer)
        if isinstance(scorer, Rule):
            return self._rule(scorer)
        return columns_of(
            scorer.score(item=item, prediction=prediction)
            for item, prediction in self.batch.records(range(len(self.batch)))
        )

    def _composite(self, composite: Composite) -> pl.DataFrame:
        return combine(composite, [(part.name, self.mark(part)) for part in composite.parts])

    def _rule(self, rule: Rule[Any]) -> pl.DataFrame:
        by_columns = mark_columns(rule, self._work) if self._vectorised else None
        if by_columns is None:
            return self._by_rows(rule, np.arange(len(self.batch), dtype=np.intp))
        rows, columns = by_columns
        if len(rows) == len(self.batch):
            return columns
        left_over = np.ones(len(self.batch), dtype=bool)
        left_over[rows] = False
        rest = np.flatnonzero(left_over)
        return merge([(rows, columns), (rest, self._by_rows(rule, rest))], len(self.batch))

    def _by_rows(self, rule: Rule[Any], rows: NDArray[np.intp]) -> pl.DataFrame:
        firsts, like = self.batch.distinct
        wanted = [like[row] for row in rows.tolist()]
        distinct = list(dict.fromkeys(wanted))
        measured = self._measures(rule, [firsts[number] for number in distinct])
        verdicts = columns_of(self._settle(rule, firsts[number], measured) for number in distinct)
        at = {number: place for place, number in enumerate(distinct)}
        return verdicts[[at[number] for number in wanted]]

    def _settle(self, rule: Rule[Any], row: int, measured: dict[int, Measured]) -> Verdict:
        stopped, measures = measured[row]
        return stopped or rule.settle(measures, self._records[row][1].finish)

    def _measures(self, rule: Rule[Any], rows: Sequence[int]) -> dict[int, Measured]:
        known = self._measured.setdefault(rule.measure_key, {})
        self._load(row for row in rows if row not in self._records)
        for row in rows:
            if row not in known:
                known[row] = _measure(rule, *self._records[row])
        return known

    def _load(self, rows: Iterable[int]) -> None:
        missing = list(rows)
        self._records.update(zip(missing, self.batch.records(missing), strict=True))


def _measure(rule: Rule[Any], item: Item, prediction: Prediction) -> Measured:
    stopped = rule.stopped(item=item, prediction=prediction)
    if stopped is not None:
        return stopped, ()
    return None, rule.measure_all(item=item, prediction=prediction)
