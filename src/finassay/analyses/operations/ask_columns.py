"""Static scores beside ask or proceed.  In: a sheet and metrics.  Out: correlations, ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import median

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.correlation import spearman
from finassay.analyses.kernels.ranks import ranks
from finassay.analyses.operations.results_ask import (
    AskAssociation,
    AskComparison,
    AskPair,
    AskStanding,
    Number,
)
from finassay.analyses.operations.sheet import ScoreSheet

Floats = NDArray[np.float64]

NEAR_BACC = Decimal("0.1")
"""Largest difference in BAcc, in points, of systems that agree with the record alike."""

WIDE_RECALL_GAP = Decimal(20)
"""Points of recall beyond which ask and proceed states are treated very differently."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskMetrics:
    """Printed metrics of one system on ask or proceed, in percent.

    Attributes:
        bacc: balanced recorded-action agreement.
        era: evidence-request alignment; None for a policy that makes no request.
        cra: conditional request alignment; None where no request was made.
        ask_recall: recall of ask states; None where the table has none.
        proceed_recall: recall of proceed states.
    """

    bacc: Decimal
    era: Decimal | None
    cra: Decimal | None
    ask_recall: Decimal | None = None
    proceed_recall: Decimal | None = None


def ask_comparison(sheet: ScoreSheet, table: Mapping[str, AskMetrics]) -> AskComparison:
    """Return how static scores go with ask metrics, over systems that are no evaluator.

    Rows without an alignment (reference policies) are left out.

    Args:
        sheet: static scores.
        table: system -> metrics.
    """
    used = {
        name: row
        for name, row in table.items()
        if row.era is not None and name not in sheet.evaluators
    }
    rows = _standings(used)
    gaps = [
        row.ask_recall - row.proceed_recall
        for row in used.values()
        if row.ask_recall is not None and row.proceed_recall is not None
    ]
    return AskComparison(
        n_systems=len(used),
        associations=tuple(_associations(sheet, used)),
        rows=rows,
        near=float(NEAR_BACC),
        widest=_widest(used),
        n_ask_above=sum(gap > 0 for gap in gaps),
        median_recall_gap=float(median(gaps)) if gaps else None,
        wide=float(WIDE_RECALL_GAP),
        n_wide=sum(gap > WIDE_RECALL_GAP for gap in gaps),
    )


def _associations(sheet: ScoreSheet, used: Mapping[str, AskMetrics]) -> list[AskAssociation]:
    found = [
        _association(name, sheet, sheet.scores[:, at], sheet.comparable(), used)
        for at, name in enumerate(sheet.operations)
    ]
    knowledge = sheet.has_knowledge & ~sheet.is_evaluator
    return [*found, _association(sheet.knowledge_name, sheet, sheet.knowledge, knowledge, used)]


def _association(
    name: str,
    sheet: ScoreSheet,
    column: Floats,
    kept: NDArray[np.bool_],
    used: Mapping[str, AskMetrics],
) -> AskAssociation:
    def rho(metric: str) -> Number:
        both = [
            (float(column[i]), float(value))
            for i, system in enumerate(sheet.systems)
            if kept[i] and system in used and (value := getattr(used[system], metric)) is not None
        ]
        if len(both) < 2:
            return None
        left, right = (np.array(side) for side in zip(*both, strict=True))
        return spearman(left, right)[0]

    return AskAssociation(score=name, bacc=rho("bacc"), era=rho("era"), cra=rho("cra"))


def _standings(used: Mapping[str, AskMetrics]) -> tuple[AskStanding, ...]:
    """Return every system by alignment, with competition ranks by both metrics."""
    bacc = np.array([float(row.bacc) for row in used.values()])
    era = np.array([float(row.era or 0) for row in used.values()])
    by_bacc, by_era = (ranks(column, convention="competition") for column in (bacc, era))
    asked = [row.cra for row in used.values() if row.cra is not None]
    rows = [
        AskStanding(
            system=name,
            bacc=float(bacc[i]),
            era=float(era[i]),
            cra=None if row.cra is None else float(row.cra),
            bacc_rank=int(by_bacc[i]),
            era_rank=int(by_era[i]),
            cra_rank=_place(row.cra, asked),
            displacement=int(by_bacc[i] - by_era[i]),
            ask_recall=None if row.ask_recall is None else float(row.ask_recall),
            proceed_recall=None if row.proceed_recall is None else float(row.proceed_recall),
            recall_gap=None
            if row.ask_recall is None or row.proceed_recall is None
            else float(row.ask_recall - row.proceed_recall),
        )
        for i, (name, row) in enumerate(used.items())
    ]
    return tuple(sorted(rows, key=lambda row: (row.era_rank, row.system)))


def _place(value: Decimal | None, others: Sequence[Decimal]) -> int | None:
    return None if value is None else 1 + sum(other > value for other in others)


def _widest(used: Mapping[str, AskMetrics]) -> AskPair | None:
    """Return the pair with near action agreement and the largest difference in alignment."""
    found: tuple[Decimal, str, str, Decimal] | None = None
    names = list(used)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            apart = abs(used[a].bacc - used[b].bacc)
            by = (used[a].era or Decimal(0)) - (used[b].era or Decimal(0))
            if apart <= NEAR_BACC and (found is None or abs(by) > found[0]):
                found = (abs(by), *((a, b) if by >= 0 else (b, a)), apart)
    if found is None:
        return None
    return AskPair(left=found[1], right=found[2], bacc=float(found[3]), era=float(found[0]))
