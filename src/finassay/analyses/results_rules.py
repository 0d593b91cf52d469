"""Frozen results about rules.  In: nothing.  Out: what changes when only the rule changes."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.analyses.results_scores import Estimate, RankConvention, Ranks
from finassay.records import Unscored


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """Rank correlation of two columns of scores over the same systems.

    Attributes:
        left: first rule or regime.
        right: second rule or regime.
        n: systems.
        spearman: rho on average ranks; None when n < 2 or a column is constant.
        spearman_p: two-sided p; None when it cannot be computed.
        spearman_method: how p was computed.
        kendall: tau-b; None when n < 2 or a column is constant.
        kendall_p: two-sided p.
        kendall_method: how p was computed.
    """

    left: str
    right: str
    n: int
    spearman: float | None
    spearman_p: float | None
    spearman_method: str
    kendall: float | None
    kendall_p: float | None
    kendall_method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedScore:
    """One system's score and ranks under one regime."""

    system: str
    estimate: Estimate
    score: float
    ranks: Ranks


@dataclass(frozen=True, slots=True, kw_only=True)
class RegimeRanks:
    """All systems under one regime.

    Attributes:
        regime: name.
        decided_by: (family, scorer id) where it is known which scorer decided a family.
        scores: best first.
        leaders: systems that share the highest score.
        trailers: systems that share the lowest score.
        low: lowest score; None without systems.
        high: highest score.
        spread: high minus low, the range into which the field is compressed.
    """

    regime: str
    decided_by: tuple[tuple[str, str], ...]
    scores: tuple[RankedScore, ...]
    leaders: tuple[str, ...]
    trailers: tuple[str, ...]
    low: float | None
    high: float | None
    spread: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankShift:
    """How one system moves between two regimes; `shift` > 0 is a fall (a larger rank number)."""

    system: str
    left: str
    right: str
    convention: RankConvention
    rank_left: float
    rank_right: float
    shift: float
    score_change: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveCount:
    """How many systems move at least `at_least` ranks across regimes, by convention.

    Attributes:
        regimes: the regimes compared; a move is the largest minus the smallest rank among them.
        at_least: the number of ranks.
        n: systems.
        counts: (convention, systems that move that far).
        depends_on_convention: whether the counts differ.
    """

    regimes: tuple[str, ...]
    at_least: int
    n: int
    counts: tuple[tuple[RankConvention, int], ...]
    depends_on_convention: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RegimeComparison:
    """The same systems under several regimes over the same predictions.

    Attributes:
        systems: systems compared, in the order given (complete under every regime).
        left_out: systems not compared, because a regime lacks some of their verdicts, or none of
            them counts under it.
        regimes: one entry a regime, in the order given.
        correlations: one entry a pair of regimes.
        shifts: one entry a system, pair of regimes and convention.
        moves: for the whole set and for each pair, systems that move at least 1, 2, ... ranks.
        holds: (convention, systems with the same rank under every regime).
        n_items: items under every regime.
        policy: what was done with unscored verdicts.
        rank_convention: the convention in which ranks are shown first.
        method: how p values were computed.
        warnings: what a reader must know.
    """

    systems: tuple[str, ...]
    left_out: tuple[str, ...]
    regimes: tuple[RegimeRanks, ...]
    correlations: tuple[Correlation, ...]
    shifts: tuple[RankShift, ...]
    moves: tuple[MoveCount, ...]
    holds: tuple[tuple[RankConvention, tuple[str, ...]], ...]
    n_items: int
    policy: Unscored
    rank_convention: RankConvention
    method: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdCell:
    """One system at one threshold, against the base threshold.

    Attributes:
        system: display name.
        threshold: the threshold.
        estimate: accuracy.
        ranks: among the complete systems; None when not ranked.
        newly_accepted: items right here and not at the base threshold.
        newly_rejected: items right at the base threshold and not here.
    """

    system: str
    threshold: float
    estimate: Estimate
    ranks: Ranks | None
    newly_accepted: tuple[str, ...]
    newly_rejected: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdAblation:
    """Accuracy and rank of each system as one threshold of a rule moves.

    Attributes:
        base: the threshold that the others are compared with.
        thresholds: in rising order.
        systems: in the order given.
        cells: one entry a threshold and system.
        correlations: each other threshold with the base.
        policy: what was done with unscored verdicts.
        rank_convention: the convention in which ranks are shown first.
        method: how intervals were computed.
        warnings: what a reader must know.
    """

    base: float
    thresholds: tuple[float, ...]
    systems: tuple[str, ...]
    cells: tuple[ThresholdCell, ...]
    correlations: tuple[Correlation, ...]
    policy: Unscored
    rank_convention: RankConvention
    method: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleDistance:
    """Mismatches of one rule with the stored verdicts of one system.

    Attributes:
        system: display name.
        scorer: scorer id.
        mismatches: items on which right and wrong differ, or on which only one of the two has a
            value.
        n: items on which at least one of the two has a value.
        n_one_sided: mismatches on which only one of the two has a value.
        n_unscored: items that both have a verdict for and neither gave a value; not in `n`.
        witnesses: item ids of the first mismatches (at most 10).
    """

    system: str
    scorer: str
    mismatches: int
    n: int
    n_one_sided: int = 0
    n_unscored: int = 0
    witnesses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRule:
    """Which rule comes closest to the stored verdicts of one system.

    Attributes:
        system: display name.
        best: scorers with the smallest share of mismatches (several when tied).
        mismatches: the number of mismatches of the first of them.
        runner_up: smallest number of mismatches among the other scorers; None without others.
        common_mismatches: mismatches with the common rule; None where there is no common rule, or
            it shares no scored item with the stored verdicts of the system.
        is_outlier: whether the system follows another rule than the rest, beyond chance and
            beyond the noise of the rest.
    """

    system: str
    best: tuple[str, ...]
    mismatches: int
    runner_up: int | None
    common_mismatches: int | None
    is_outlier: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Remarked:
    """A system whose stored verdicts follow another rule, marked again by the rule of the rest.

    Attributes:
        system: display name.
        rule: the rule of the rest.
        n: items.
        stored_right: right by the stored verdicts.
        stored_rank: competition rank by them.
        remarked_right: right under the rule.
        rank_alone: competition rank when this row alone is marked again.
        rank_together: competition rank when every row is marked again.
        ties_together: other systems with the same score then.
    """

    system: str
    rule: str
    n: int
    stored_right: int
    stored_rank: int
    remarked_right: int
    rank_alone: int
    rank_together: int
    ties_together: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleAgreement:
    """Which rule produced the stored verdicts, system by system.

    Attributes:
        stored: scorer id of the stored verdicts.
        scorers: rules compared.
        common_rule: the rule closest to the stored verdicts of the systems at large; None when
            no rule fits most of them.
        common_range: smallest and largest number of mismatches of the systems that follow the
            common rule; None without such systems.
        distances: one entry a system and scorer.
        systems: one entry a system.
        outliers: systems whose closest rule differs from the rule of the rest.
        method: how the detector decides.
        remarked: where each outlier would stand under the rule of the rest.
        warnings: what a reader must know.
    """

    stored: str
    scorers: tuple[str, ...]
    common_rule: str | None
    common_range: tuple[int, int] | None
    distances: tuple[RuleDistance, ...]
    systems: tuple[SystemRule, ...]
    outliers: tuple[str, ...]
    method: str
    remarked: tuple[Remarked, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RankContradiction:
    """A printed rank that a convention does not give."""

    row: str
    value: str
    printed_rank: float
    expected_rank: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ConventionFit:
    """How well one convention reproduces printed ranks."""

    convention: RankConvention
    matches: int
    contradictions: tuple[RankContradiction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRecognition:
    """Which convention reproduces a printed column of values and ranks.

    Attributes:
        source: where the column was printed.
        column: its name.
        n: rows.
        has_ties: without ties all conventions agree and nothing can be told apart.
        claimed: the convention that the source says it uses; None when it does not say.
        reproduces: conventions that give every printed rank.
        fits: one entry a convention.
        claim_holds: whether the claimed convention reproduces the column; None without a claim.
    """

    source: str
    column: str
    n: int
    has_ties: bool
    claimed: RankConvention | None
    reproduces: tuple[RankConvention, ...]
    fits: tuple[ConventionFit, ...]
    claim_holds: bool | None
