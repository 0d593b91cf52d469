"""Frozen results of an audit.  In: nothing.  Out: findings, claims and the audit as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from finassay.analyses.extraction.results_sweep import LabelSweep
from finassay.analyses.judges.results_compare import Judges
from finassay.analyses.results_compare import Comparisons
from finassay.analyses.results_difficulty import ItemAnalysis
from finassay.analyses.results_few_labels import FewLabels, LabelAdvice
from finassay.analyses.results_items import (
    Concordance,
    DocumentProvenance,
    ErrorCategories,
    ErrorOverlap,
    ItemCoverage,
    TruncationPiles,
)
from finassay.analyses.results_multiverse import MultiverseResult
from finassay.analyses.results_overturns import OverturnTable
from finassay.analyses.results_ranks import RankSets
from finassay.analyses.results_raters import Agreement
from finassay.analyses.results_rules import (
    RankRecognition,
    RegimeComparison,
    RuleAgreement,
    ThresholdAblation,
)
from finassay.analyses.results_scores import Leaderboard, RankConvention
from finassay.analyses.severity import SEVERITIES, Severity
from finassay.records import SystemKind, Unscored

__all__ = ["SEVERITIES", "Audit", "Claim", "Finding", "Section", "Severity", "SystemEntry"]

Section = Literal[
    "leaderboard",
    "regimes",
    "multiverse",
    "effects",
    "overturns",
    "thresholds",
    "agreement",
    "coverage",
    "overlap",
    "concordance",
    "documents",
    "truncation",
    "recognition",
    "categories",
    "extraction",
    "findings",
    "significance",
    "rank-sets",
    "discrimination",
    "judges",
]
"""Names of the parts of an audit; a link points to one of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something a reader must know before quoting a number.

    Attributes:
        severity: high changes a conclusion, medium may, low is worth knowing, note is context.
        title: one clause.
        evidence: the numbers, with denominators.
        advice: what to do.
        link: the section with the evidence.
    """

    severity: Severity
    title: str
    evidence: str
    advice: str
    link: Section


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One sentence of the verdict strip, with the section that holds its evidence."""

    text: str
    link: Section


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemEntry:
    """What a system is, in the words of the study.

    Attributes:
        name: display name.
        kind: model, person or baseline.
        description: the model that was asked for, or what a baseline does.
        provider: who ran it.
        prompt_arm: name of the prompt, or what else sets it apart.
    """

    name: str
    kind: SystemKind
    description: str
    provider: str
    prompt_arm: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """All that an audit measured, and what it was measured from.

    Attributes:
        study: name of the study.
        versions: (table, pinned version).
        digests: (table, canonical digest).
        packages: (package, version).
        commands: commands that regenerate the audit.
        n_systems: systems of kind model or baseline with verdicts under the primary rule.
        n_persons: people with verdicts under the primary rule.
        n_items: items.
        n_predictions: predictions of the study, over all trials; None where they were not counted.
        n_primary_verdicts: verdicts of the primary rule, on systems and people.
        n_verdicts: verdicts over all scorers.
        n_unscored: verdicts of the primary rule without an answer, of `n_primary_verdicts`.
        scorers: scorer ids.
        primary: scorer id of the primary rule.
        policy: what was done with unscored verdicts.
        rank_convention: the convention in which ranks are shown first.
        leaderboard: systems under the primary rule.
        other_leaderboards: systems under every other scorer.
        regimes: ranks under each regime; None with fewer than two regimes.
        regime_leaderboards: systems under each regime.
        overturns: None without a judge.
        thresholds: None without at least two thresholds.
        agreement: None without stored verdicts or without another rule.
        coverage: None with fewer than two complete systems.
        overlap: None with fewer than two complete systems.
        concordance: None with fewer than two complete systems or families.
        documents: None when no item names a document.
        truncation: None without reply lengths.
        recognition: one entry a printed column of ranks.
        categories: None when no family of the items has a category.
        extraction: what the rule that reads labels decides; None when no item offers choices.
        findings: most severe first.
        strip: up to five sentences.
        warnings: of all parts, without repeats.
        systems: what each system is.
        rank_sets: which ranks the items leave open; None with fewer than two complete systems.
        comparisons: tests of all pairs; None with fewer than two or very many systems.
        item_analysis: what the items measure; None with fewer than two complete systems.
        multiverse: what every rule of a grid says; None when it was not asked for.
        judges: how far judges can be relied on; None without a judge.
        people: agreement of people with each other and the rule; None with a judge, whose part
            says it, and without people.
        few_labels: scores that people would give, corrected by labels; None where none can be had.
        label_advice: where the next labels help most; None without a judge.
    """

    study: str
    versions: tuple[tuple[str, int], ...]
    digests: tuple[tuple[str, str], ...]
    packages: tuple[tuple[str, str], ...]
    commands: tuple[str, ...]
    n_systems: int
    n_persons: int
    n_items: int
    n_predictions: int | None
    n_primary_verdicts: int
    n_verdicts: int
    n_unscored: int
    scorers: tuple[str, ...]
    primary: str
    policy: Unscored
    rank_convention: RankConvention
    leaderboard: Leaderboard
    other_leaderboards: tuple[Leaderboard, ...]
    regimes: RegimeComparison | None
    regime_leaderboards: tuple[Leaderboard, ...]
    overturns: OverturnTable | None
    thresholds: ThresholdAblation | None
    agreement: RuleAgreement | None
    coverage: ItemCoverage | None
    overlap: ErrorOverlap | None
    concordance: Concordance | None
    documents: DocumentProvenance | None
    truncation: TruncationPiles | None
    recognition: tuple[RankRecognition, ...]
    categories: ErrorCategories | None
    findings: tuple[Finding, ...]
    strip: tuple[Claim, ...]
    warnings: tuple[str, ...] = ()
    systems: tuple[SystemEntry, ...] = ()
    rank_sets: RankSets | None = None
    comparisons: Comparisons | None = None
    item_analysis: ItemAnalysis | None = None
    extraction: LabelSweep | None = None
    multiverse: MultiverseResult | None = None
    judges: Judges | None = None
    people: Agreement | None = None
    few_labels: FewLabels | None = None
    label_advice: LabelAdvice | None = None
