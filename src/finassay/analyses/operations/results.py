"""Frozen results about operations.  In: nothing.  Out: regret, agreement, profiles, words.

Scores, regrets and differences are in the unit of the source: points of 100 for a study, as
printed for a table.  Correlations, shares and percentiles of a result say so where they stand.
"""

from __future__ import annotations

from dataclasses import dataclass

from finassay.analyses.operations.results_ask import AskComparison, Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """Low and high end of an interval; both None where none can be given."""

    low: Number
    high: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemScores:
    """One system's row of the score table.

    Attributes:
        system: display name.
        knowledge: broad knowledge score; None without one.
        knowledge_rank: competition rank among all systems with a knowledge score.
        is_evaluator: whether it judged some of the operations.
        scores: one an operation, in their order; None where it has none.
        eligible: whether the score takes part in comparisons of the operation.
    """

    system: str
    knowledge: Number
    knowledge_rank: int | None
    is_evaluator: bool
    scores: tuple[Number, ...]
    eligible: tuple[bool, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationUncertainty:
    """What the items leave open about one operation.

    Attributes:
        correlation: interval of Spearman's rho with the knowledge score.
        regret: interval of the regret of a shortlist of k, for k = 1, 2, ...
        leads: (system, share of resamples in which it has the highest score, ties shared),
            largest share first, shares of 0 left out.
        recovered: share of resamples in which the knowledge leader has the highest score.
        tied: systems whose simultaneous rank confidence set holds rank 1.
        n_items: items of the operation.
        n_clusters: what is drawn, of this operation.
    """

    correlation: Between
    regret: tuple[Between, ...]
    leads: tuple[tuple[str, float], ...]
    recovered: Number
    tied: tuple[str, ...]
    n_items: int
    n_clusters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """Which system to take for one operation.

    Attributes:
        operation: name of the operation.
        take: systems to choose from: those that items cannot tell from the best; the observed
            leaders where there are no items.
        has_interval: whether items say how sure that is.
        knowledge_leaders: systems with the highest knowledge score among the eligible.
        cost: highest score minus the best score of a knowledge leader.
        cost_interval: its interval.
        text: the recommendation in words.
    """

    operation: str
    take: tuple[str, ...]
    has_interval: bool
    knowledge_leaders: tuple[str, ...]
    cost: float
    cost_interval: Between
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationSelection:
    """One operation: who leads it, and what choosing by knowledge costs.

    Attributes:
        operation: name of the operation.
        layer: "processing", "review", or "" where it is not known.
        is_judged: whether an evaluator system gave the scores; that system is left out then.
        n_eligible: systems compared.
        n_items: items; None for a printed table.
        best: highest score of an eligible system.
        leaders: systems with that score.
        leader_knowledge_rank: knowledge rank of the first of them within the eligible systems.
        correlation: Spearman's rho with the knowledge score; None where a column is constant.
        p: its two-sided p.
        regret: points forgone by a shortlist of the k best by knowledge, for k = 1, 2, ...
        recovered_at: smallest k without regret.
        uncertainty: what the items leave open; None without items.
        recommendation: which system to take.
    """

    operation: str
    layer: str
    is_judged: bool
    n_eligible: int
    n_items: int | None
    best: float
    leaders: tuple[str, ...]
    leader_knowledge_rank: int
    correlation: Number
    p: Number
    regret: tuple[float, ...]
    recovered_at: int
    uncertainty: OperationUncertainty | None
    recommendation: Recommendation


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationPair:
    """Spearman's rho of two operations; None where a column is constant."""

    left: str
    right: str
    rho: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationAgreement:
    """How far operations rank systems alike.

    Attributes:
        operations: names, in the order of the matrix.
        n_systems: comparable systems: with a score in every operation, evaluators left out.
        matrix: Spearman's rho, row by row; None where a column is constant.
        mean: mean over pairs of operations.
        mean_interval: its interval, where items exist.
        n_pairs: pairs of operations with a rho.
        below: the bound of the count.
        n_below: pairs with rho below it.
        share_below: their share.
        lowest: the pair with the lowest rho.
        highest: the pair with the highest.
        eigenvalues: of the matrix, largest first; empty when an entry is missing.
        explained: eigenvalues as shares of their sum.
        cumulative: running sums of the shares.
    """

    operations: tuple[str, ...]
    n_systems: int
    matrix: tuple[tuple[Number, ...], ...]
    mean: Number
    mean_interval: Between
    n_pairs: int
    below: float
    n_below: int
    share_below: Number
    lowest: OperationPair | None
    highest: OperationPair | None
    eigenvalues: tuple[float, ...]
    explained: tuple[float, ...]
    cumulative: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortlists:
    """Shortlists of the k best by knowledge, over all operations.

    Attributes:
        within: how far below the cut systems are kept as well.
        mean_regret: mean over operations of the regret, for k = 1, 2, ...
        mean_regret_interval: its intervals, where items exist; else empty.
        recovered: operations whose leader is in the shortlist.
        all_recovered_at: smallest k that has every leader.
        n_distinct_leaders: systems that lead some operation.
    """

    within: float
    mean_regret: tuple[float, ...]
    mean_regret_interval: tuple[Between, ...]
    recovered: tuple[int, ...]
    all_recovered_at: int
    n_distinct_leaders: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Percentiles of one system, 100 for the best, one an operation."""

    system: str
    percentiles: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfilePair:
    """Two systems and how far apart their profiles are.

    Attributes:
        left: one system.
        right: the other.
        knowledge: absolute difference of their knowledge scores.
        gap: mean absolute difference of their percentiles.
    """

    left: str
    right: str
    knowledge: float
    gap: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Profiles:
    """Percentile profiles over operations, and the gaps between them.

    Attributes:
        operations: names, in the order of the percentiles.
        rows: one a comparable system, by knowledge score.
        n_pairs: pairs of systems.
        median_gap: median over all pairs; None with fewer than two systems.
        near: largest difference in knowledge of a near pair.
        n_near: near pairs.
        near_median_gap: median over these.
        near_pairs: the near pairs, widest gap first.
    """

    operations: tuple[str, ...]
    rows: tuple[Profile, ...]
    n_pairs: int
    median_gap: Number
    near: float
    n_near: int
    near_median_gap: Number
    near_pairs: tuple[ProfilePair, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCost:
    """One operation under another scoring rule.

    Attributes:
        operation: name of the operation.
        leaders: systems with the highest score.
        cost: regret of the knowledge leader.
        correlation: Spearman's rho with the knowledge score.
    """

    operation: str
    leaders: tuple[str, ...]
    cost: float
    correlation: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSelection:
    """What selection looks like under one scoring rule.

    Attributes:
        rule: scorer id or regime.
        knowledge_leaders: systems with the highest knowledge score.
        operations: one an operation that can be compared under the rule.
        mean_regret: mean regret of the knowledge leader.
        recovered: operations that the knowledge leader leads.
        all_recovered_at: smallest shortlist with every leader.
        mean_correlation: mean rho over pairs of operations.
    """

    rule: str
    knowledge_leaders: tuple[str, ...]
    operations: tuple[RuleCost, ...]
    mean_regret: float
    recovered: int
    all_recovered_at: int
    mean_correlation: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFinding:
    """Something odd or worth knowing about the printed numbers.

    Attributes:
        title: what was found.
        systems: rows it is about; empty for the whole table.
        evidence: the counts.
        advice: what to do.
    """

    title: str
    systems: tuple[str, ...]
    evidence: str
    advice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationsResult:
    """Which system for which operation, and what a broad score would cost.

    Attributes:
        source: name of the study, or the files.
        kind: "study" or "tables".
        rule: scoring rule of a study; "" for printed tables.
        unit: unit of scores and regrets.
        knowledge: what the knowledge score is.
        evaluators: systems that judged, left out where they did.
        n_operations: operations.
        systems: one row a system, by knowledge score.
        operations: one an operation.
        agreement: how far operations rank alike.
        shortlists: regret over all operations.
        profiles: percentile profiles.
        ask: static scores beside ask or proceed; None without such a table.
        rules: the same under every scoring rule; empty for printed tables.
        findings: about the printed numbers.
        policy: what was done with verdicts without a value; "" for printed tables.
        level: confidence level of intervals.
        draws: resamples; 0 without items.
        n_undefined: resamples that were left out, because a score had no value.
        seed: seed of the resamples.
        resampled: what was drawn; "" without items.
        warnings: what a reader must know.
    """

    source: str
    kind: str
    rule: str
    unit: str
    knowledge: str
    evaluators: tuple[str, ...]
    n_operations: int
    systems: tuple[SystemScores, ...]
    operations: tuple[OperationSelection, ...]
    agreement: OperationAgreement
    shortlists: Shortlists
    profiles: Profiles
    ask: AskComparison | None
    rules: tuple[RuleSelection, ...]
    findings: tuple[TableFinding, ...]
    policy: str
    level: float
    draws: int
    n_undefined: int
    seed: int
    resampled: str
    warnings: tuple[str, ...] = ()
