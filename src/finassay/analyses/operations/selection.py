"""Selection as a whole.  In: a sheet, and items or a table of ask metrics.  Out: one result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

import numpy as np

from finassay.analyses.kernels.selection import competition_ranks
from finassay.analyses.operations.ask_columns import AskMetrics, ask_comparison
from finassay.analyses.operations.draws import ItemStack, SelectionIntervals, selection_intervals
from finassay.analyses.operations.profiles import operation_agreement, profiles
from finassay.analyses.operations.results import (
    OperationSelection,
    OperationsResult,
    OperationUncertainty,
    RuleSelection,
    SystemScores,
    TableFinding,
)
from finassay.analyses.operations.sentences import (
    item_recommendation,
    printed_recommendation,
    spelled,
)
from finassay.analyses.operations.sheet import ScoreSheet
from finassay.analyses.operations.shortlists import (
    EXACT,
    FEWEST_SYSTEMS,
    OperationFacts,
    operation_facts,
    rule_selection,
    shortlists,
)
from finassay.analyses.wording import fixed
from finassay.errors import UsageError

NEAR = Decimal("0.5")
"""Largest difference in knowledge, in points, of systems that are called near."""

FEWEST_DRAWS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionSettings:
    """How selection is analysed.

    Attributes:
        within: how far below the cut of a shortlist systems are kept as well.
        near: largest difference in knowledge of a near pair of systems.
        level: confidence level of intervals.
        draws: resamples of the items.
        seed: seed of the resamples.

    Raises:
        UsageError: a number is out of range.
    """

    within: Decimal = EXACT
    near: Decimal = NEAR
    level: float = 0.95
    draws: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("within", "near"):
            value: Decimal = getattr(self, name)
            if not value.is_finite() or value < 0:
                raise UsageError(f"`{name}` must be 0 or more, got {value}")
        if not 0.0 < self.level < 1.0:
            raise UsageError(f"`level` must be in (0, 1), got {self.level!r}; for 95% pass 0.95")
        if self.draws < FEWEST_DRAWS:
            raise UsageError(f"`draws` must be at least {FEWEST_DRAWS}, got {self.draws!r}")
        if self.seed < 0:
            raise UsageError(f"`seed` must be 0 or more, got {self.seed!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What stands behind the scores of a sheet.

    Attributes:
        source: name of the study, or the files.
        rule: scoring rule; "" for printed tables.
        policy: what was done with verdicts without a value; "" for printed tables.
        stack: verdicts of the items; None for printed tables.
        tied: operation -> systems that items cannot tell from the best.
        others: rule -> sheet under that rule.
        ask: system -> metrics on ask or proceed.
        findings: about the printed numbers.
        warnings: what a reader must know.
    """

    source: str
    rule: str = ""
    policy: str = ""
    stack: ItemStack | None = None
    tied: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    others: Mapping[str, ScoreSheet] = field(default_factory=dict)
    ask: Mapping[str, AskMetrics] = field(default_factory=dict)
    findings: tuple[TableFinding, ...] = ()
    warnings: tuple[str, ...] = ()


def select_operations(
    sheet: ScoreSheet, evidence: Evidence, settings: SelectionSettings | None = None
) -> OperationsResult:
    """Return which system to take for which operation, and what a broad score would cost.

    Args:
        sheet: scores of systems in operations.
        evidence: what stands behind them.
        settings: cut, near pairs, and resamples.

    Raises:
        UsageError: an operation has fewer than two systems to compare.
    """
    asked = settings or SelectionSettings()
    facts = tuple(
        operation_facts(sheet, at, within=asked.within) for at in range(len(sheet.operations))
    )
    drawn = _drawn(sheet, evidence.stack, asked)
    lists = shortlists(facts, within=asked.within)
    agreement = operation_agreement(sheet)
    if drawn is not None:
        lists = replace(lists, mean_regret_interval=drawn.mean_regret)
        agreement = replace(agreement, mean_interval=drawn.mean_rho)
    return OperationsResult(
        source=evidence.source,
        kind="tables" if evidence.stack is None else "study",
        rule=evidence.rule,
        unit=sheet.unit,
        knowledge=sheet.knowledge_name,
        evaluators=sheet.evaluators,
        n_operations=len(sheet.operations),
        systems=_systems(sheet),
        operations=tuple(
            _operation(sheet, at, facts[at], evidence, drawn, asked) for at in range(len(facts))
        ),
        agreement=agreement,
        shortlists=lists,
        profiles=profiles(sheet, near=asked.near),
        ask=ask_comparison(sheet, evidence.ask) if evidence.ask else None,
        rules=_rules(evidence.others),
        findings=(*evidence.findings, *_judges_that_lead(sheet)),
        policy=evidence.policy,
        level=asked.level,
        draws=asked.draws if drawn is not None else 0,
        n_undefined=drawn.n_undefined if drawn is not None else 0,
        seed=asked.seed,
        resampled=evidence.stack.name if evidence.stack is not None else "",
        warnings=(*evidence.warnings, *_warnings(sheet, drawn, asked)),
    )


def _drawn(
    sheet: ScoreSheet, stack: ItemStack | None, asked: SelectionSettings
) -> SelectionIntervals | None:
    if stack is None:
        return None
    return selection_intervals(
        sheet,
        stack,
        within=float(asked.within * sheet.scale),
        draws=asked.draws,
        level=asked.level,
        rng=np.random.default_rng(asked.seed),
    )


def _systems(sheet: ScoreSheet) -> tuple[SystemScores, ...]:
    known = np.flatnonzero(sheet.has_knowledge)
    ranks = dict(
        zip(known.tolist(), competition_ranks(sheet.knowledge[known]).tolist(), strict=True)
    )
    eligible = np.stack([sheet.eligible(at) for at in range(len(sheet.operations))], axis=1)
    rows = [
        SystemScores(
            system=name,
            knowledge=sheet.native(sheet.knowledge[i]) if i in ranks else None,
            knowledge_rank=ranks.get(i),
            is_evaluator=name in sheet.evaluators,
            scores=tuple(
                sheet.native(value) if there else None
                for value, there in zip(
                    sheet.scores[i].tolist(), sheet.present[i].tolist(), strict=True
                )
            ),
            eligible=tuple(eligible[i].tolist()),
        )
        for i, name in enumerate(sheet.systems)
    ]
    last = len(rows) + 1
    return tuple(sorted(rows, key=lambda row: (row.knowledge_rank or last, row.system)))


def _operation(
    sheet: ScoreSheet,
    at: int,
    facts: OperationFacts,
    evidence: Evidence,
    drawn: SelectionIntervals | None,
    asked: SelectionSettings,
) -> OperationSelection:
    stack = evidence.stack
    uncertainty = None
    recommendation = printed_recommendation(facts)
    if stack is not None and drawn is not None:
        uncertainty = _uncertainty(sheet, at, evidence, stack, drawn)
        recommendation = item_recommendation(
            facts,
            uncertainty.tied,
            n_items=uncertainty.n_items,
            n_clusters=uncertainty.n_clusters,
            cost=drawn.cost[at],
            level=asked.level,
        )
    return OperationSelection(
        operation=facts.operation,
        layer=sheet.layers[at],
        is_judged=sheet.judged[at],
        n_eligible=len(facts.eligible),
        n_items=None if uncertainty is None else uncertainty.n_items,
        best=facts.best,
        leaders=facts.leaders,
        leader_knowledge_rank=facts.leader_knowledge_rank,
        correlation=facts.correlation,
        p=facts.p,
        regret=facts.regret,
        recovered_at=facts.recovered_at,
        uncertainty=uncertainty,
        recommendation=recommendation,
    )


def _uncertainty(
    sheet: ScoreSheet,
    at: int,
    evidence: Evidence,
    stack: ItemStack,
    drawn: SelectionIntervals,
) -> OperationUncertainty:
    shares = drawn.leads[at].tolist()
    leads = [(name, share) for name, share in zip(sheet.systems, shares, strict=True) if share > 0]
    return OperationUncertainty(
        correlation=drawn.correlation[at],
        regret=drawn.regret[at],
        leads=tuple(sorted(leads, key=lambda pair: (-pair[1], pair[0]))),
        recovered=drawn.recovered[at],
        tied=evidence.tied.get(sheet.operations[at], ()),
        n_items=int((stack.groups == at).sum()),
        n_clusters=stack.clusters_of(at),
    )


def _rules(others: Mapping[str, ScoreSheet]) -> tuple[RuleSelection, ...]:
    found = []
    for rule, sheet in others.items():
        enough = int(sheet.comparable().sum()) >= FEWEST_SYSTEMS
        mean = operation_agreement(sheet).mean if enough else None
        one = rule_selection(rule, sheet, mean)
        if one is not None:
            found.append(one)
    return tuple(found)


def _judges_that_lead(sheet: ScoreSheet) -> Iterator[TableFinding]:
    """Yield the operations that an evaluator would lead by its own judgement."""
    judges = sheet.is_evaluator
    for at, name in enumerate(sheet.operations):
        kept = sheet.eligible(at)
        own = np.flatnonzero(judges & sheet.present[:, at])
        best = sheet.scores[kept, at].max()
        for i in own.tolist() if sheet.judged[at] else ():
            if sheet.scores[i, at] > best:
                score, next_best = sheet.native(sheet.scores[i, at]), sheet.native(best)
                yield TableFinding(
                    title=f"{sheet.systems[i]} would lead {spelled(name)}, which it judged",
                    systems=(sheet.systems[i],),
                    evidence=(
                        f"{fixed(score, 2)} by its own judgement, against {fixed(next_best, 2)} "
                        f"for the highest of the others"
                    ),
                    advice="leave its own row out, or have it judged by another system",
                )


def _warnings(
    sheet: ScoreSheet, drawn: SelectionIntervals | None, asked: SelectionSettings
) -> Sequence[str]:
    out = []
    left = [name for name, kept in zip(sheet.systems, sheet.comparable(), strict=True) if not kept]
    missing = [name for name in left if name not in sheet.evaluators]
    if missing:
        out.append(
            f"{len(missing)} systems lack a score in some operation and are left out of the "
            f"correlation matrix and the profiles, for instance {missing[0]}"
        )
    if drawn is not None and drawn.n_undefined:
        out.append(
            f"{drawn.n_undefined} of {asked.draws} resamples gave some system no score and were "
            f"left out"
        )
    return tuple(out)
