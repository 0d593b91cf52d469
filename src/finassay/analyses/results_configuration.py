"""Frozen results about the condition of runs.  In: nothing.  Out: caps, runs, lengths, budgets.

Rates are fractions.  A rate without observations is None, never 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from finassay.analyses.results_compare import BootstrapTest, McNemar
from finassay.analyses.results_overturns import CountRate
from finassay.records import Unscored


@dataclass(frozen=True, slots=True, kw_only=True)
class CapRow:
    """The cap of one system, and how its replies ended.

    Attributes:
        system: display name.
        cap: characters at which its replies were cut; None without a cap.
        is_declared: whether the cap was declared; otherwise it is the length at which replies pile
            up.
        at_cap: replies at the cap, of those on the items looked at.
        families: (family, replies at the cap of it).
        finishes: (what became of the reply, replies), those that occur.
        n_tokens: replies of which the source says how many tokens they have.
        most_tokens: the largest number of tokens; None where the source says none.
        at_most_tokens: replies with exactly that many tokens.
    """

    system: str
    cap: int | None
    is_declared: bool
    at_cap: CountRate
    families: tuple[tuple[str, CountRate], ...]
    finishes: tuple[tuple[str, int], ...]
    n_tokens: int
    most_tokens: int | None
    at_most_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeRow:
    """One system on all items looked at, and on those where nobody is at the cap.

    Attributes:
        system: display name.
        score_all: accuracy on all items looked at.
        rank_all: competition rank among the systems.
        score_free: accuracy on the items where nobody is at the cap.
        rank_free: competition rank there.
    """

    system: str
    score_all: CountRate
    rank_all: int
    score_free: CountRate
    rank_free: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeBoard:
    """A leaderboard restricted to the items where nobody is at the cap.

    Attributes:
        rule: scorer id or regime/NAME.
        rows: by rank on the restricted items.
        n_all: items looked at.
        n_free: items where nobody is at the cap.
        spearman: rank correlation of the two columns; None where there is none.
        leaders_all: who leads on all items.
        leaders_free: who leads on the restricted items.
        left_out: systems without a verdict on some item.
    """

    rule: str
    rows: tuple[FreeRow, ...]
    n_all: int
    n_free: int
    spearman: float | None
    leaders_all: tuple[str, ...]
    leaders_free: tuple[str, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """A field of a manifest that differs between two runs.

    Attributes:
        field: its name.
        left: value of the left run; "" where it says nothing.
        right: value of the right run.
    """

    field: str
    left: str
    right: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPair:
    """Two runs of one model under two conditions, on the items that both answered.

    Attributes:
        model: what they have in common; "" where the pair was declared.
        left: display name.
        right: display name.
        changed: fields of the manifests that differ; every one of them may be the reason.
        n: shared items that count.
        left_score: accuracy of the left run on them.
        right_score: accuracy of the right run.
        difference: right minus left.
        low: lower end of the interval of right minus left.
        high: upper end.
        item: exact test over items.
        cluster: test over clusters of items; None without clusters.
        mcnemar: on discordant items; None for graded verdicts.
        left_at_cap: replies of the left run at its cap, on the shared items.
        right_at_cap: replies of the right run at its cap.
        n_same: shared items with the same reply, letter by letter; None where no replies are held.
    """

    model: str
    left: str
    right: str
    changed: tuple[FieldChange, ...]
    n: int
    left_score: float
    right_score: float
    difference: float
    low: float
    high: float
    item: BootstrapTest
    cluster: BootstrapTest | None
    mcnemar: McNemar | None
    left_at_cap: CountRate
    right_at_cap: CountRate
    n_same: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmPair:
    """Two prompt arms over all models that were run with both.

    Attributes:
        left: name of the arm.
        right: name of the other.
        models: (left system, right system) of each model.
        n: items that every one of these systems answered.
        difference: mean over models and items of right minus left.
        n_positive: models that score higher with the right arm.
        n_negative: models that score lower.
        item: test over items of the mean difference over models.
        cluster: the same over clusters; None without clusters.
    """

    left: str
    right: str
    models: tuple[tuple[str, str], ...]
    n: int
    difference: float
    n_positive: int
    n_negative: int
    item: BootstrapTest
    cluster: BootstrapTest | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetPoint:
    """One run on a budget curve.

    Attributes:
        budget: completion budget as its manifest says, or characters that replies were cut to.
        system: display name.
        score: accuracy.
        at_cap: share of replies that end at the cap or that the provider says were truncated.
    """

    budget: str
    system: str
    score: CountRate
    at_cap: CountRate


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetCurve:
    """Accuracy by completion budget.

    Attributes:
        name: the model of the runs, or the system whose replies were cut.
        rule: scorer id.
        is_cut: whether replies were cut after the fact, which leaves out what a model does when it
            knows its budget; otherwise these are runs.
        points: by budget.
        method: how the points were made.
    """

    name: str
    rule: str
    is_cut: bool
    points: tuple[BudgetPoint, ...]
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AtCapPoint:
    """One system: how often its replies are at the cap, and how its score changes.

    Attributes:
        system: display name.
        at_cap: replies at its cap.
        before: score before.
        after: score after.
        change: after minus before.
        left_out: whether it was declared to be left out.
        r_without: Pearson's r of the others; None where there is none, or it is left out itself.
    """

    system: str
    at_cap: CountRate
    before: float
    after: float
    change: float
    left_out: bool
    r_without: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AtCapAssociation:
    """Whether systems that are cut more often gain more when something changes.

    Attributes:
        before: rule, regime or printed column of the first score.
        after: of the second.
        points: one a system.
        n: systems in the correlation.
        pearson: r; None with fewer than three systems or a constant column.
        pearson_p: two-sided.
        pearson_method: how p was computed.
        spearman: rho.
        spearman_p: two-sided.
        spearman_method: how p was computed.
        missing: systems without a score before or after.
        method: how it was computed.
        warnings: what a reader must know.
    """

    before: str
    after: str
    points: tuple[AtCapPoint, ...]
    n: int
    pearson: float | None
    pearson_p: float | None
    pearson_method: str
    spearman: float | None
    spearman_p: float | None
    spearman_method: str
    missing: tuple[str, ...]
    method: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthEffect:
    """The coefficient of log length in a logistic regression of "overturned".

    Attributes:
        name: which model: "length alone", "with task", "with task and system".
        n: rows.
        n_overturned: of these.
        n_clusters: items that they are about.
        coefficient: change of the log odds for a reply e times as long; None where the model
            cannot be fitted.
        error: cluster-robust standard error.
        low: lower end of the interval of the coefficient.
        high: upper end.
        z: coefficient / error.
        p: two-sided, normal.
        odds_per_doubling: factor of the odds for a reply twice as long.
        reason: why there is no coefficient; "" where there is one.
        dropped: groups without any variation in the outcome, which the model leaves out.
    """

    name: str
    n: int
    n_overturned: int
    n_clusters: int
    coefficient: float | None
    error: float | None
    low: float | None
    high: float | None
    z: float | None
    p: float | None
    odds_per_doubling: float | None
    reason: str
    dropped: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbosity:
    """Whether longer replies are the ones that a judge turns.

    Attributes:
        rule: scorer id whose wrong verdicts are looked at.
        judge: scorer id of the judge.
        n: rule-wrong replies that the judge decided.
        n_overturned: of these, those that it marks right.
        n_empty: empty replies left out, which have no log length.
        median_overturned: median characters of the overturned; None without one.
        median_kept: median characters of the others.
        systems: (system, overturned, median characters of these, others, median of these).
        effects: the regressions, the fullest last.
        level: confidence level of the intervals.
        method: how it was computed.
        warnings: what a reader must know.
    """

    rule: str
    judge: str
    n: int
    n_overturned: int
    n_empty: int
    median_overturned: float | None
    median_kept: float | None
    systems: tuple[tuple[str, int, float | None, int, float | None], ...]
    effects: tuple[LengthEffect, ...]
    level: float
    method: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """What the condition of the runs does to the scores.

    Attributes:
        study: name of the study.
        rule: scorer id that runs are compared under.
        judge: scorer id of the judge; None without one.
        policy: what was done with unscored verdicts.
        systems: systems looked at.
        families: families of the items looked at; empty for all.
        n_items: items looked at.
        n_free: items on which no reply of these systems is at its cap.
        free_families: (family, items on which nobody is at the cap, items).
        caps: one entry a system.
        boards: leaderboards on the items where nobody is at the cap.
        pairs: two runs of one model under two conditions.
        arms: prompt arms over models.
        budgets: accuracy by completion budget.
        associations: at-cap rate against change of score.
        verbosity: None without a judge.
        method: how caps were found.
        warnings: what a reader must know.
    """

    study: str
    rule: str
    judge: str | None
    policy: Unscored
    systems: tuple[str, ...]
    families: tuple[str, ...]
    n_items: int
    n_free: int
    free_families: tuple[tuple[str, int, int], ...]
    caps: tuple[CapRow, ...]
    boards: tuple[FreeBoard, ...]
    pairs: tuple[RunPair, ...]
    arms: tuple[ArmPair, ...]
    budgets: tuple[BudgetCurve, ...]
    associations: tuple[AtCapAssociation, ...]
    verbosity: Verbosity | None
    method: str
    warnings: tuple[str, ...] = ()
