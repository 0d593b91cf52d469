"""What an audit says of its evidence.  In: AuditInputs.  Out: ranks, pairs and items, or None."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from finassay.analyses.audit_inputs import AuditInputs
from finassay.analyses.clusters import document_clusters
from finassay.analyses.compare import CompareSettings, compare
from finassay.analyses.item_analysis import item_analysis
from finassay.analyses.rank_sets import Resampling, n_shared_items, rank_confidence
from finassay.analyses.results_compare import Comparisons
from finassay.analyses.results_difficulty import ItemAnalysis
from finassay.analyses.results_ranks import RankSets

MOST_COMPARED = 16
"""Systems up to which an audit tests every pair; `finassay compare` has no such limit."""

DRAWS = 4_000
LEAST_DRAWS = 400
MOST_WORK = 4e10
"""Draws times items times pairs of systems, beyond which an audit draws fewer resamples."""

FEW_UNITS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Ranks that are open, pairs that differ, and what the items measure; None where unmeasured."""

    rank_sets: RankSets | None = None
    comparisons: Comparisons | None = None
    items: ItemAnalysis | None = None


def audit_evidence(inputs: AuditInputs, systems: Sequence[str]) -> Evidence:
    """Return the evidence on the complete systems under the primary rule.

    Args:
        inputs: of the audit.
        systems: systems with a verdict on every item, people left out.
    """
    if len(systems) < 2:
        return Evidence()
    matrix = inputs.matrices[inputs.primary].select(columns=systems)
    shared = n_shared_items(matrix, inputs.items, systems=systems, policy=inputs.settings.policy)
    if shared < FEW_UNITS:
        return Evidence()
    draws = _draws(shared, len(systems))
    ranked = rank_confidence(
        matrix,
        items=inputs.items,
        rule=inputs.primary,
        settings=inputs.settings,
        resampling=Resampling(draws=draws),
        systems=systems,
    )
    if draws < DRAWS:
        ranked = replace(ranked, warnings=(*ranked.warnings, _fewer(draws, shared, systems)))
    compared = None
    if len(systems) <= MOST_COMPARED:
        compared = compare(
            matrix,
            inputs.items,
            rule=inputs.primary,
            settings=CompareSettings(
                policy=inputs.settings.policy,
                level=inputs.settings.level,
                clusters=document_clusters(inputs.items),
                draws=DRAWS,
            ),
        )
    return Evidence(rank_sets=ranked, comparisons=compared, items=_items(inputs, systems))


def _draws(items: int, systems: int) -> int:
    """Return how many resamples an audit affords."""
    work = items * systems * (systems - 1) / 2
    return max(LEAST_DRAWS, min(DRAWS, int(MOST_WORK / max(1.0, work))))


def _fewer(draws: int, items: int, systems: Sequence[str]) -> str:
    return (
        f"rank sets rest on {draws} resamples in place of {DRAWS:,}, because there are {items:,} "
        f"items of {len(systems)} systems; `finassay ranks --draws` takes more"
    )


def _items(inputs: AuditInputs, systems: Sequence[str]) -> ItemAnalysis:
    return item_analysis(
        inputs.matrices[inputs.primary],
        items=inputs.items,
        rule=inputs.primary,
        settings=inputs.settings,
        systems=systems,
        others={name: m for name, m in inputs.matrices.items() if name != inputs.primary},
    )
