"""Frozen results of a multiverse.  In: nothing.  Out: what holds under every rule of a grid.

Systems stand in one order in every part, rules in another; a rule is named by its place.
"""

from __future__ import annotations

from dataclasses import dataclass

from finassay.analyses.results_scores import RankConvention

Number = float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChoice:
    """One choice of a dimension.

    Attributes:
        name: as it stands in the grid.
        weight: plausibility within its dimension; the choices of a dimension sum to 1.
        n_rules: rules that make this choice.
    """

    name: str
    weight: float
    n_rules: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleDimension:
    """One thing that a rule must decide.

    Attributes:
        name: as it stands in the grid.
        title: what is decided, in words.
        choices: in the order of the grid.
        applies: when it must be decided, in words; "" for always.
        n_rules: rules to which it applies.
        moves_verdicts: whether two rules that differ in this choice alone give different verdicts.
    """

    name: str
    title: str
    choices: tuple[RuleChoice, ...]
    applies: str
    n_rules: int
    moves_verdicts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRow:
    """One rule of the grid.

    Attributes:
        rule_id: the scorer, as `finassay mark` takes it.
        unscored: what the rule does with replies that it gives no value: "wrong" or "exclude".
        choices: (dimension, choice) of the dimensions that apply, in the order of the grid.
        weight: plausibility among all rules; the rules sum to 1.
        verdicts: number of its verdict vector: rules with the same number mark all replies alike.
        n_alike: rules with these verdicts, itself included.
        n_changes: choices that differ from the base rule's.
    """

    rule_id: str
    unscored: str
    choices: tuple[tuple[str, str], ...]
    weight: float
    verdicts: int
    n_alike: int
    n_changes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """Low and high end of something; both None where there is nothing to span."""

    low: Number
    high: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRange:
    """How far accuracy and rank of one system are open.

    Attributes:
        system: display name.
        accuracy: under the base rule; None when the base rule leaves nothing to count.
        rank: under the base rule.
        rule_accuracy: smallest and largest accuracy over all rules, no chance in it.
        weighted_accuracy: central part of the rules by plausibility, at the level of the result.
        sampling_accuracy: percentile interval under the base rule, items (or clusters) drawn.
        both_accuracy: from the lowest to the highest end of the percentile intervals of all rules.
        weighted_both_accuracy: central part of rules (by plausibility) and draws together.
        rule_rank: best and worst rank over all rules.
        weighted_rank: central part of the rules by plausibility.
        sampling_rank: central part of the draws under the base rule.
        both_rank: best and worst end of the central part of the draws over all rules.
        weighted_both_rank: central part of all rules (by plausibility) and draws together.
        rank_shares: share of plausibility of the rules that give rank 1, 2, ..., C (competition).
        lowest_rule: place of a rule with the smallest accuracy; None without one.
        highest_rule: place of a rule with the largest accuracy.
    """

    system: str
    accuracy: Number
    rank: Number
    rule_accuracy: Ends
    weighted_accuracy: Ends
    sampling_accuracy: Ends
    both_accuracy: Ends
    weighted_both_accuracy: Ends
    rule_rank: Ends
    weighted_rank: Ends
    sampling_rank: Ends
    both_rank: Ends
    weighted_both_rank: Ends
    rank_shares: tuple[float, ...]
    lowest_rule: int | None
    highest_rule: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairShare:
    """Under how many rules one system stands above another; one entry an ordered pair.

    Attributes:
        above: display name of the system on the left.
        below: display name of the system on the right.
        n_rules: rules under which both have a score.
        n_above: rules under which the left one scores higher.
        n_tied: rules under which they tie.
        n_significant: rules under which it scores higher and the paired test is below alpha.
        share: n_above / n_rules; None without rules.
        weighted_share: the same, rules weighted by plausibility.
        significant_share: n_significant / n_rules.
        weighted_significant_share: the same, weighted.
        least: smallest difference in accuracy over the rules, left minus right.
        most: largest difference.
        base: difference under the base rule.
    """

    above: str
    below: str
    n_rules: int
    n_above: int
    n_tied: int
    n_significant: int
    share: Number
    weighted_share: Number
    significant_share: Number
    weighted_significant_share: Number
    least: Number
    most: Number
    base: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class RobustOrder:
    """The order that holds under every rule (or most), as a partial order.

    Attributes:
        name: which order: "every rule", "every rule, significantly" or "plausible rules".
        least_share: share of rules that must agree: 1 for every rule.
        n_pairs: unordered pairs of systems.
        n_held: pairs whose order holds.
        edges: (higher, lower) without those that follow from others (transitive reduction): the
            lines of a Hasse diagram.
        levels: systems by the longest chain above them.
        open_pairs: pairs of which neither order holds.
    """

    name: str
    least_share: float
    n_pairs: int
    n_held: int
    edges: tuple[tuple[str, str], ...]
    levels: tuple[tuple[str, ...], ...]
    open_pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """How much of the variance between rules goes with one dimension, or with two together.

    Shares are of the variance over the rules, weighted by plausibility.

    Attributes:
        dimensions: one name for a main effect, two for an interaction.
        accuracy: share of the variance of accuracy, all systems together; None without any.
        rank: share of the variance of rank.
        level: share of the variance of mean accuracy over systems.
        accuracy_range: for a main effect, largest minus smallest mean accuracy of its choices.
        rank_range: the same of ranks.
        by_system: (accuracy share, rank share) of each system.
    """

    dimensions: tuple[str, ...]
    accuracy: Number
    rank: Number
    level: Number
    accuracy_range: Number
    rank_range: Number
    by_system: tuple[tuple[Number, Number], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceMean:
    """Mean scores over the rules that make one choice.

    Attributes:
        dimension: name of the dimension.
        choice: name of the choice.
        accuracy: mean accuracy of each system over these rules, weighted; None without rules.
        rank: mean rank of each system.
    """

    dimension: str
    choice: str
    accuracy: tuple[Number, ...]
    rank: tuple[Number, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decomposition:
    """What moves the score.

    Attributes:
        effects: main effects and two-way interactions, largest share of accuracy first.
        choices: mean scores by choice.
        accuracy_left: share of the variance of accuracy beyond main effects and pairs.
        rank_left: the same of rank.
        accuracy_sd: root mean square over systems of the deviation of accuracy over rules.
        rank_sd: the same of rank.
    """

    effects: tuple[Effect, ...]
    choices: tuple[ChoiceMean, ...]
    accuracy_left: Number
    rank_left: Number
    accuracy_sd: Number
    rank_sd: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One choice in which a rule differs from the base rule; None where it does not apply."""

    dimension: str
    base: str | None
    other: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """The fewest changes of the base rule that turn something over.

    Attributes:
        kind: "leader" when the base leader is no longer first, "pair" when two systems swap.
        above: the leader, or the system that stands higher under the base rule.
        below: the system that then stands higher.
        n_changes: choices changed; None when no rule of the grid turns it over.
        rules: places of rules that do it with so few, plausible ones first; ten at most.
        n_rules: how many there are.
        changes: what the first of them changes.
        base_difference: accuracy of `above` minus `below` under the base rule.
        difference: the same under the first of these rules.
    """

    kind: str
    above: str
    below: str
    n_changes: int | None
    rules: tuple[int, ...]
    n_rules: int
    changes: tuple[Change, ...]
    base_difference: Number
    difference: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusions:
    """What a set of rules says, for showing two sets side by side.

    Attributes:
        n_rules: rules.
        n_distinct: distinct verdict vectors among them.
        leaders: systems that lead, alone or jointly, with the share of rules.
        n_held: pairs whose order holds under every rule.
        n_pairs: pairs of systems.
        mean_accuracy_range: mean over systems of largest minus smallest accuracy.
        mean_rank_range: mean over systems of worst minus best rank.
        robust: the order under every rule.
    """

    n_rules: int
    n_distinct: int
    leaders: tuple[tuple[str, float], ...]
    n_held: int
    n_pairs: int
    mean_accuracy_range: Number
    mean_rank_range: Number
    robust: RobustOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class KappaFloor:
    """What is left when rules that disagree with people are dropped.

    Attributes:
        floor: least Cohen's kappa that a rule must reach.
        people: whose labels: a scorer id, or the name of a file.
        n_labels: predictions that people labelled.
        kappas: kappa of each rule; None where it cannot be computed.
        n_kept: rules at or above the floor.
        before: conclusions under all rules.
        after: conclusions under the rules that are left; None when none is.
        ranges_after: accuracy and rank ranges then, one a system.
    """

    floor: float
    people: str
    n_labels: int
    kappas: tuple[Number, ...]
    n_kept: int
    before: Conclusions
    after: Conclusions | None
    ranges_after: tuple[tuple[str, Ends, Ends], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MultiverseResult:
    """A leaderboard under every rule of a grid.

    Attributes:
        study: name of the study.
        grid: name of the grid.
        task: "qa" or "labels".
        dimensions: what the rules decide, in the order of the grid.
        systems: display names, by accuracy under the base rule.
        left_out: systems without a reply to some item, which are not ranked.
        n_items: items marked.
        n_rules: rules.
        n_pruned: combinations of choices that the grid forbids.
        n_distinct: distinct verdict vectors.
        base: place of the base rule.
        rules: every rule, in the order of the grid.
        accuracy: (rules, systems) share right; None when a rule leaves nothing to count.
        ranks: (rules, systems) ranks under `rank_convention`.
        ranges: one entry a system.
        pairs: one entry an ordered pair of systems.
        orders: robust orders: under every rule, significantly, and under most of the plausibility.
        decomposition: what moves the score.
        flips: the leader first, then pairs by the number of changes.
        conclusions: what all rules say.
        floor: what is left above a kappa floor; None when none was asked for.
        is_weighted: whether plausibilities other than equal ones were declared.
        policy: what was done with replies without a value: "as each rule says", "wrong" or
            "exclude".
        rank_convention: how ranks are given.
        level: confidence level of the intervals.
        alpha: level of the paired tests.
        draws: resamples.
        seed: seed of the resamples.
        resampled: what is drawn: "items" or the columns that make clusters.
        method: how it was computed.
        warnings: what a reader must know.
    """

    study: str
    grid: str
    task: str
    dimensions: tuple[RuleDimension, ...]
    systems: tuple[str, ...]
    left_out: tuple[str, ...]
    n_items: int
    n_rules: int
    n_pruned: int
    n_distinct: int
    base: int
    rules: tuple[RuleRow, ...]
    accuracy: tuple[tuple[Number, ...], ...]
    ranks: tuple[tuple[Number, ...], ...]
    ranges: tuple[SystemRange, ...]
    pairs: tuple[PairShare, ...]
    orders: tuple[RobustOrder, ...]
    decomposition: Decomposition
    flips: tuple[Flip, ...]
    conclusions: Conclusions
    floor: KappaFloor | None
    is_weighted: bool
    policy: str
    rank_convention: RankConvention
    level: float
    alpha: float
    draws: int
    seed: int
    resampled: str
    method: str
    warnings: tuple[str, ...] = ()
