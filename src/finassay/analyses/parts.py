"""The measured parts of an audit, before findings are drawn.  In: nothing.  Out: one record."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.analyses.extraction.results_sweep import LabelSweep
from finassay.analyses.results_items import (
    Concordance,
    DocumentProvenance,
    ErrorCategories,
    ErrorOverlap,
    ItemCoverage,
    TruncationPiles,
)
from finassay.analyses.results_overturns import OverturnTable
from finassay.analyses.results_rules import (
    RankRecognition,
    RegimeComparison,
    RuleAgreement,
    ThresholdAblation,
)
from finassay.analyses.results_scores import Leaderboard


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What an audit measured; None where the inputs did not allow it."""

    leaderboard: Leaderboard
    others: tuple[Leaderboard, ...] = ()
    regimes: RegimeComparison | None = None
    regime_boards: tuple[Leaderboard, ...] = ()
    overturns: OverturnTable | None = None
    thresholds: ThresholdAblation | None = None
    agreement: RuleAgreement | None = None
    coverage: ItemCoverage | None = None
    overlap: ErrorOverlap | None = None
    concordance: Concordance | None = None
    documents: DocumentProvenance | None = None
    truncation: TruncationPiles | None = None
    recognition: tuple[RankRecognition, ...] = ()
    categories: ErrorCategories | None = None
    extraction: LabelSweep | None = None
