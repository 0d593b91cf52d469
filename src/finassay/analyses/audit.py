"""The audit.  In: AuditInputs.  Out: every analysis that the inputs allow, findings and claims."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from finassay.analyses.agreement import rule_agreement, rule_distances
from finassay.analyses.alignment import aligned, rankable
from finassay.analyses.audit_evidence import Evidence, audit_evidence
from finassay.analyses.audit_inputs import AuditInputs, PrintedRanks
from finassay.analyses.categories import category_of, error_categories
from finassay.analyses.concordance import concordance
from finassay.analyses.coverage import item_coverage
from finassay.analyses.documents import document_provenance
from finassay.analyses.extraction.study_cells import study_extraction
from finassay.analyses.findings import derive_findings
from finassay.analyses.human_regime import comparable_regimes
from finassay.analyses.leaderboards import leaderboard
from finassay.analyses.overlap import error_overlap
from finassay.analyses.overturns import overturn_table
from finassay.analyses.parts import Parts
from finassay.analyses.recognition import recognise_ranks
from finassay.analyses.regimes import compare_regimes
from finassay.analyses.remarking import remarked
from finassay.analyses.reported import reported_rows
from finassay.analyses.results_audit import Audit, SystemEntry
from finassay.analyses.results_items import Concordance, ErrorCategories, TruncationPiles
from finassay.analyses.results_overturns import OverturnTable
from finassay.analyses.results_rules import (
    RegimeComparison,
    RuleAgreement,
    ThresholdAblation,
)
from finassay.analyses.results_scores import Leaderboard
from finassay.analyses.strip import verdict_strip
from finassay.analyses.thresholds import threshold_ablation
from finassay.analyses.truncation import truncation_piles
from finassay.marking.matrix import ABSENT, VerdictMatrix
from finassay.marking.regimes import BASE_CHOICES

__all__ = ["AuditInputs", "PrintedRanks", "build_audit"]


def build_audit(inputs: AuditInputs) -> Audit:
    """Return every analysis that the inputs allow, with findings and the verdict strip.

    An analysis whose inputs are not there is None, never an empty table.

    Raises:
        UsageError: an unknown rank convention, or matrices whose rows are not items.
        MarkingError: verdicts for items that are not among the items.
    """
    measured = _parts(inputs)
    parts = _completed(measured)
    evidence = audit_evidence(inputs, _complete(inputs))
    findings = derive_findings(inputs, parts)
    table = inputs.matrices[inputs.primary]
    people = {name for name, kind in inputs.kinds.items() if kind == "person"}
    return Audit(
        study=inputs.study,
        versions=inputs.versions,
        digests=inputs.digests,
        packages=inputs.packages,
        commands=inputs.commands,
        n_systems=sum(name not in people for name in table.columns),
        # Counted before people whom another rule marked stand in on the board.
        n_persons=len(measured.leaderboard.persons),
        n_items=len(inputs.items),
        n_predictions=inputs.n_predictions,
        n_primary_verdicts=_cells(table),
        n_verdicts=sum(_cells(matrix) for matrix in inputs.matrices.values()),
        n_unscored=_unscored(measured.leaderboard),
        scorers=tuple(inputs.matrices),
        primary=inputs.primary,
        policy=inputs.settings.policy,
        rank_convention=inputs.rank_convention,
        leaderboard=parts.leaderboard,
        other_leaderboards=parts.others,
        regimes=parts.regimes,
        regime_leaderboards=parts.regime_boards,
        overturns=parts.overturns,
        thresholds=parts.thresholds,
        agreement=parts.agreement,
        coverage=parts.coverage,
        overlap=parts.overlap,
        concordance=parts.concordance,
        documents=parts.documents,
        truncation=parts.truncation,
        recognition=parts.recognition,
        categories=parts.categories,
        extraction=parts.extraction,
        findings=findings,
        strip=verdict_strip(parts),
        warnings=_warnings(parts, evidence),
        systems=tuple(
            SystemEntry(
                name=spec.name,
                kind=spec.kind,
                description=spec.model,
                provider=spec.provider,
                prompt_arm=spec.prompt_arm,
            )
            for spec in inputs.systems
        ),
        rank_sets=evidence.rank_sets,
        comparisons=evidence.comparisons,
        item_analysis=evidence.items,
    )


def _parts(inputs: AuditInputs) -> Parts:
    names = _complete(inputs)
    table = aligned(inputs.matrices[inputs.primary], inputs.items)
    rule, settings, several = inputs.primary, inputs.settings, len(names) >= 2
    documented = any(item.documents for item in inputs.items)
    return Parts(
        leaderboard=_board(inputs, rule, inputs.matrices[rule]),
        others=tuple(
            _board(inputs, name, matrix) for name, matrix in inputs.matrices.items() if name != rule
        ),
        regimes=_regimes(inputs),
        regime_boards=tuple(
            _board(inputs, name, matrix) for name, matrix in inputs.regimes.items()
        ),
        overturns=_overturns(inputs),
        thresholds=_thresholds(inputs),
        agreement=_agreement(inputs),
        coverage=item_coverage(
            table, items=inputs.items, rule=rule, settings=settings, systems=names
        )
        if several
        else None,
        overlap=error_overlap(table, rule=rule, settings=settings, systems=names)
        if several
        else None,
        concordance=_concordance(inputs, names),
        documents=document_provenance(inputs.items) if documented else None,
        truncation=_truncation(inputs),
        recognition=tuple(
            recognise_ranks(
                printed.rows, source=printed.source, column=printed.column, claimed=printed.claimed
            )
            for printed in inputs.printed_ranks
        ),
        categories=_categories(inputs),
        extraction=None if inputs.label_cells is None else study_extraction(inputs.label_cells),
    )


def _completed(parts: Parts) -> Parts:
    """Return the parts with what needs two boards at once: people, and rows marked again."""
    boards = {board.rule: board for board in (parts.leaderboard, *parts.others)}
    board, agreement = parts.leaderboard, parts.agreement
    if not board.persons:
        # The primary rule may hold no verdicts on people: the first rule that does stands in.
        by_preference = sorted(parts.others, key=lambda b: b.rule not in BASE_CHOICES)
        board = replace(board, persons=next((b.persons for b in by_preference if b.persons), ()))
    if agreement is not None and agreement.common_rule in boards and agreement.stored in boards:
        again = remarked(
            boards[agreement.stored], boards[agreement.common_rule], agreement.outliers
        )
        agreement = replace(agreement, remarked=again)
    return replace(parts, leaderboard=board, agreement=agreement)


def _not_people(inputs: AuditInputs, names: Iterable[str]) -> list[str]:
    return [name for name in names if inputs.kinds.get(name) != "person"]


def _complete(inputs: AuditInputs) -> list[str]:
    """Return the systems that the primary rule can rank."""
    table = aligned(inputs.matrices[inputs.primary], inputs.items)
    return _not_people(inputs, rankable(table, inputs.settings.policy))


def _board(inputs: AuditInputs, rule: str, matrix: VerdictMatrix) -> Leaderboard:
    return leaderboard(
        matrix,
        items=inputs.items,
        rule=rule,
        settings=inputs.settings,
        rank_convention=inputs.rank_convention,
        kinds=inputs.kinds,
        reported=reported_rows(
            inputs.reported,
            rule=rule,
            items=inputs.items,
            decided_by=inputs.decided_by.get(rule, ()),
            measured=matrix.columns,
            level=inputs.settings.level,
        ),
    )


def _regimes(inputs: AuditInputs) -> RegimeComparison | None:
    seen = dict.fromkeys(name for m in inputs.regimes.values() for name in m.columns)
    systems = _not_people(inputs, seen)
    compared = comparable_regimes(inputs.regimes, systems)
    if len(compared) < 2:
        return None
    return compare_regimes(
        compared,
        items=inputs.items,
        settings=inputs.settings,
        rank_convention=inputs.rank_convention,
        decided_by=inputs.decided_by,
        systems=systems,
    )


def _overturns(inputs: AuditInputs) -> OverturnTable | None:
    judge = inputs.judge
    if judge is None or judge == inputs.primary:
        return None
    rule = inputs.matrices[inputs.primary]
    names = _not_people(inputs, rule.columns)
    if not set(names) & set(inputs.matrices[judge].columns):
        return None
    return overturn_table(
        rule.select(columns=names),
        inputs.matrices[judge],
        items=inputs.items,
        names=(inputs.primary, judge),
        reported=inputs.reported,
        level=inputs.settings.level,
    )


def _thresholds(inputs: AuditInputs) -> ThresholdAblation | None:
    if inputs.base_threshold is None or len(inputs.thresholds) < 2:
        return None
    shared = [
        name
        for name in _not_people(inputs, inputs.thresholds[inputs.base_threshold].columns)
        if all(name in matrix.columns for matrix in inputs.thresholds.values())
    ]
    return threshold_ablation(
        inputs.thresholds,
        items=inputs.items,
        base=inputs.base_threshold,
        settings=inputs.settings,
        rank_convention=inputs.rank_convention,
        systems=shared,
    )


def _agreement(inputs: AuditInputs) -> RuleAgreement | None:
    if inputs.stored is None:
        return None
    rules = {
        name: matrix
        for name, matrix in inputs.matrices.items()
        if name not in (inputs.stored, inputs.judge) and not name.startswith(("judge/", "person/"))
    }
    if not rules:
        return None
    stored = inputs.matrices[inputs.stored]
    kept = stored.select(columns=_not_people(inputs, stored.columns))
    return rule_agreement(rule_distances(kept, rules), stored=inputs.stored)


def _concordance(inputs: AuditInputs, names: Sequence[str]) -> Concordance | None:
    if len(names) < 2 or len({item.family for item in inputs.items if item.family}) < 2:
        return None
    return concordance(
        inputs.matrices[inputs.primary],
        items=inputs.items,
        rule=inputs.primary,
        raters="systems",
        settings=inputs.settings,
        systems=names,
    )


def _truncation(inputs: AuditInputs) -> TruncationPiles | None:
    lengths = {name: inputs.lengths[name] for name in _not_people(inputs, inputs.lengths)}
    return truncation_piles(lengths) if lengths else None


def _categories(inputs: AuditInputs) -> ErrorCategories | None:
    if not any(category_of(item) for item in inputs.items):
        return None
    rule = inputs.matrices[inputs.primary]
    judge = None if inputs.judge in (None, inputs.primary) else inputs.judge
    return error_categories(
        rule.select(columns=_not_people(inputs, rule.columns)),
        items=inputs.items,
        names=(inputs.primary, judge),
        settings=inputs.settings,
        judge=None if judge is None else inputs.matrices[judge],
    )


def _cells(matrix: VerdictMatrix) -> int:
    return int((matrix.status != ABSENT).sum())


def _unscored(board: Leaderboard) -> int:
    estimates = [row.estimate for row in board.rows] + [row.estimate for row in board.persons]
    return sum(given.n_unscored for given in estimates)


def _warnings(parts: Parts, evidence: Evidence) -> tuple[str, ...]:
    rules = (parts.leaderboard, parts.regimes, parts.overturns, parts.thresholds, parts.agreement)
    items = (parts.coverage, parts.overlap, parts.concordance, parts.documents, parts.categories)
    more = (evidence.rank_sets, evidence.comparisons, evidence.items)
    found = (*rules, *items, parts.truncation, *more)
    return tuple(
        dict.fromkeys(text for part in found if part is not None for text in part.warnings)
    )
