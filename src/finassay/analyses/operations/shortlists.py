"""Who leads which operation, and what a shortlist forgoes.  In: a sheet.  Out: rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.correlation import spearman
from finassay.analyses.kernels.selection import competition_ranks, shortlist_regret
from finassay.analyses.operations.results import RuleCost, RuleSelection, Shortlists
from finassay.analyses.operations.results_ask import Number
from finassay.analyses.operations.sheet import ScoreSheet
from finassay.analyses.wording import plural
from finassay.errors import UsageError

Floats = NDArray[np.float64]

FEWEST_SYSTEMS = 2

EXACT = Decimal(0)
"""Nothing but ties is kept at the cut of a shortlist."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationFacts:
    """What the scores alone say of one operation; see `OperationSelection`."""

    operation: str
    eligible: tuple[str, ...]
    best: float
    leaders: tuple[str, ...]
    runner_up: tuple[str, float] | None
    leader_knowledge_rank: int
    knowledge_leaders: tuple[str, ...]
    cost: float
    correlation: Number
    p: Number
    regret: tuple[float, ...]
    recovered_at: int


def operation_facts(sheet: ScoreSheet, at: int, *, within: Decimal = EXACT) -> OperationFacts:
    """Return leaders, regret and correlation of one operation.

    Args:
        sheet: the scores.
        at: place of the operation.
        within: systems at most this far below the cut stay in a shortlist, in the sheet's unit.

    Raises:
        UsageError: fewer than two systems can be compared.
    """
    kept = sheet.eligible(at)
    names = sheet.names(kept)
    if len(names) < FEWEST_SYSTEMS:
        raise UsageError(
            f"operation {sheet.operations[at]!r} has {plural(len(names), 'system')} with a "
            f"knowledge score and a score, expected at least {FEWEST_SYSTEMS}; "
            f"leave the operation out: name the others with --operation"
        )
    knowledge, scores = sheet.knowledge[kept], sheet.scores[kept, at]
    regret = shortlist_regret(knowledge, scores, within=float(within * sheet.scale))
    ranks = competition_ranks(knowledge)
    top = scores == scores.max()
    rho, p, _ = spearman(knowledge, scores)
    return OperationFacts(
        operation=sheet.operations[at],
        eligible=names,
        best=sheet.native(scores.max()),
        leaders=_picked(names, top),
        runner_up=_runner_up(sheet, names, scores),
        leader_knowledge_rank=int(ranks[top].min()),
        knowledge_leaders=_picked(names, ranks == 1),
        cost=sheet.native(scores.max() - scores[ranks == 1].max()),
        correlation=rho,
        p=p,
        regret=tuple(sheet.native(value) for value in regret.tolist()),
        recovered_at=1 + int(np.argmax(regret <= 0.0)),
    )


def _picked(names: tuple[str, ...], kept: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(name for name, keep in zip(names, kept.tolist(), strict=True) if keep)


def _runner_up(
    sheet: ScoreSheet, names: tuple[str, ...], scores: Floats
) -> tuple[str, float] | None:
    below = np.flatnonzero(scores < scores.max())
    if not len(below):
        return None
    at = int(below[np.argmax(scores[below])])
    return names[at], sheet.native(scores[at])


def mean_regrets(facts: tuple[OperationFacts, ...]) -> tuple[float, ...]:
    """Return the mean over operations of the regret for k = 1, 2, ...; 0 beyond the last system."""
    longest = max(len(one.regret) for one in facts)
    padded = [one.regret + (0.0,) * (longest - len(one.regret)) for one in facts]
    return tuple(round(math.fsum(column) / len(facts), 10) for column in zip(*padded, strict=True))


def shortlists(facts: tuple[OperationFacts, ...], *, within: Decimal) -> Shortlists:
    """Return regret and leaders over all operations, without intervals."""
    longest = max(len(one.regret) for one in facts)
    return Shortlists(
        within=float(within),
        mean_regret=mean_regrets(facts),
        mean_regret_interval=(),
        recovered=tuple(sum(one.recovered_at <= k for one in facts) for k in range(1, longest + 1)),
        all_recovered_at=max(one.recovered_at for one in facts),
        n_distinct_leaders=len({name for one in facts for name in one.leaders}),
    )


def rule_selection(rule: str, sheet: ScoreSheet, mean_rho: Number) -> RuleSelection | None:
    """Return what selection looks like under one rule; None where nothing can be compared."""
    places = [
        at for at in range(len(sheet.operations)) if sheet.eligible(at).sum() >= FEWEST_SYSTEMS
    ]
    facts = tuple(operation_facts(sheet, at) for at in places)
    if not facts:
        return None
    everybody = sheet.has_knowledge
    best = sheet.knowledge[everybody].max()
    return RuleSelection(
        rule=rule,
        knowledge_leaders=sheet.names(everybody & (sheet.knowledge == best)),
        operations=tuple(
            RuleCost(
                operation=one.operation,
                leaders=one.leaders,
                cost=one.cost,
                correlation=one.correlation,
            )
            for one in facts
        ),
        mean_regret=mean_regrets(facts)[0],
        recovered=sum(one.recovered_at == 1 for one in facts),
        all_recovered_at=max(one.recovered_at for one in facts),
        mean_correlation=mean_rho,
    )
