"""The results of all analyses.  In: nothing.  Out: frozen dataclasses, and their plain JSON form.

The classes stand in four files by subject; everything outside this room imports them from here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import TypeAlias

from finassay.analyses.results_attribution import Attribution
from finassay.analyses.results_audit import Audit, Claim, Finding, Section, Severity, SystemEntry
from finassay.analyses.results_claims import ClaimsReport, ClaimVerdict, CounterExample
from finassay.analyses.results_compare import Comparisons, PairTest, PersonTests, PValue
from finassay.analyses.results_configuration import Configuration
from finassay.analyses.results_difficulty import (
    Ability,
    ContestedItem,
    DifficultyTrend,
    ItemAnalysis,
    ItemStatistics,
    LabelCell,
    LabelledDifficulty,
    RankingSubset,
    Reliability,
    ResponseModel,
)
from finassay.analyses.results_items import (
    CategoryRow,
    Concordance,
    CoverageBand,
    DocumentCluster,
    DocumentProvenance,
    ErrorCategories,
    ErrorOverlap,
    ItemCoverage,
    ItemEvidence,
    LengthPile,
    OverlapPair,
    StratumCoverage,
    TruncationPiles,
)
from finassay.analyses.results_overturns import (
    CountRate,
    OverturnRow,
    OverturnTable,
    ReportedOverturn,
)
from finassay.analyses.results_ranks import RankSet, RankSets
from finassay.analyses.results_raters import (
    Agreement,
    AgreementCoefficient,
    AgreementPart,
    RaterPrevalence,
)
from finassay.analyses.results_rules import (
    ConventionFit,
    Correlation,
    MoveCount,
    RankContradiction,
    RankedScore,
    RankRecognition,
    RankShift,
    RegimeComparison,
    RegimeRanks,
    Remarked,
    RuleAgreement,
    RuleDistance,
    SystemRule,
    ThresholdAblation,
    ThresholdCell,
)
from finassay.analyses.results_scores import (
    RANK_CONVENTIONS,
    BalancedAccuracy,
    Estimate,
    IntervalMethod,
    Leaderboard,
    LeaderboardRow,
    MajorityFloor,
    PersonRow,
    RankConvention,
    Ranks,
    ReportedRow,
    SubsetRow,
)

__all__ = [
    "RANK_CONVENTIONS",
    "Ability",
    "Agreement",
    "AgreementCoefficient",
    "AgreementPart",
    "Attribution",
    "Audit",
    "BalancedAccuracy",
    "CategoryRow",
    "Claim",
    "ClaimVerdict",
    "ClaimsReport",
    "Comparisons",
    "Concordance",
    "Configuration",
    "ContestedItem",
    "ConventionFit",
    "Correlation",
    "CountRate",
    "CounterExample",
    "CoverageBand",
    "DifficultyTrend",
    "DocumentCluster",
    "DocumentProvenance",
    "ErrorCategories",
    "ErrorOverlap",
    "Estimate",
    "Finding",
    "IntervalMethod",
    "ItemAnalysis",
    "ItemCoverage",
    "ItemEvidence",
    "ItemStatistics",
    "Json",
    "LabelCell",
    "LabelledDifficulty",
    "Leaderboard",
    "LeaderboardRow",
    "LengthPile",
    "MajorityFloor",
    "MoveCount",
    "OverlapPair",
    "OverturnRow",
    "OverturnTable",
    "PValue",
    "PairTest",
    "PersonRow",
    "PersonTests",
    "RankContradiction",
    "RankConvention",
    "RankRecognition",
    "RankSet",
    "RankSets",
    "RankShift",
    "RankedScore",
    "RankingSubset",
    "Ranks",
    "RaterPrevalence",
    "RegimeComparison",
    "RegimeRanks",
    "Reliability",
    "Remarked",
    "ReportedOverturn",
    "ReportedRow",
    "ResponseModel",
    "RuleAgreement",
    "RuleDistance",
    "Section",
    "Severity",
    "StratumCoverage",
    "SubsetRow",
    "SystemEntry",
    "SystemRule",
    "ThresholdAblation",
    "ThresholdCell",
    "TruncationPiles",
    "to_jsonable",
]

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""What a result becomes: the types that JSON has."""


def to_jsonable(value: object) -> Json:
    """Return a result as plain JSON types: tuples as lists, rates as fractions, None for no value.

    A result (dataclass) becomes an object with its fields in order; what writes it to a file names
    its schema.

    Raises:
        TypeError: something in the result has no JSON form.
        ValueError: a number is not finite, which no result may hold.
    """
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"a result must hold finite numbers or None, got {value!r}")
        return float(value)
    if isinstance(value, (tuple, list)):
        return [to_jsonable(part) for part in value]
    if isinstance(value, Mapping):
        return {str(key): to_jsonable(part) for key, part in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_jsonable(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(
        f"a result must hold None, bool, int, float, str, sequences, mappings and dataclasses, "
        f"got {type(value).__name__}: {value!r}"
    )
