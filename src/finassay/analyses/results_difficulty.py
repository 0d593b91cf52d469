"""Frozen results of item analysis.  In: nothing.  Out: difficulty and what items tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from finassay.records import Unscored

ModelStatus = Literal["fitted", "all_right", "none_right", "not_fitted"]
"""Whether an item has parameters of the response model, and why not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemStatistics:
    """Difficulty and discrimination of one item.

    Attributes:
        item_id: the item.
        family: its family.
        difficulty: its difficulty label.
        k: systems that are right on it (value of 0.5 or more).
        n: systems counted.
        separated: k (n - k), the pairs of systems that it separates.
        p: mean value over the systems, in [0, 1]; high is easy.
        item_total: point-biserial correlation with the total score; None when it does not vary.
        item_rest: correlation with the score on all other items; None when it does not vary.
        model: whether the response model has parameters for it.
        a: discrimination, per unit of ability; None unless fitted.
        a_se: its standard error (that of log a, times a); None without one.
        b: ability at which half the answers are right; None unless fitted.
        b_se: its standard error; None without one.
    """

    item_id: str
    family: str
    difficulty: str
    k: int
    n: int
    separated: int
    p: float
    item_total: float | None
    item_rest: float | None
    model: ModelStatus
    a: float | None = None
    a_se: float | None = None
    b: float | None = None
    b_se: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """How consistently the items order the systems.

    Attributes:
        name: "KR-20" for 0 and 1, "Cronbach's alpha" for graded scores.
        value: the coefficient; None when it cannot be computed.
        low: low end of its interval.
        high: high end of its interval.
        n_items: items.
        n_systems: systems.
        method: formula and interval.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    n_items: int
    n_systems: int
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability:
    """A system on the scale of the response model: posterior mean and deviation."""

    system: str
    mean: float
    sd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseModel:
    """The two-parameter logistic model as a whole.

    Attributes:
        n_items: items with parameters.
        n_all_right: items left out because every system is right.
        n_none_right: items left out because no system is right.
        n_systems: systems.
        log_likelihood: marginal log-likelihood, without the priors.
        rounds: rounds of the EM algorithm.
        is_converged: whether it came to rest.
        has_errors: whether the observed information gives standard errors.
        priors: priors of log a and b, in words.
        prior_share_a: median over items of the posterior variance of log a over its prior variance:
            1 means that the data say nothing of discrimination; None without standard errors.
        prior_share_b: the same for b.
        abilities: one entry a system.
        method: how it is fitted.
        warnings: what a reader must know.
    """

    n_items: int
    n_all_right: int
    n_none_right: int
    n_systems: int
    log_likelihood: float
    rounds: int
    is_converged: bool
    has_errors: bool
    priors: str
    prior_share_a: float | None
    prior_share_b: float | None
    abilities: tuple[Ability, ...]
    method: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelCell:
    """Accuracy under one difficulty label.

    Attributes:
        label: the label.
        total: sum of values (items right).
        n: items.
        rate: total / n; None without items.
        low: low end of the Wilson interval; None unless every value is 0 or 1.
        high: its high end.
    """

    label: str
    total: float
    n: int
    rate: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DifficultyTrend:
    """Accuracy of one system over difficulty labels from easy to hard.

    Attributes:
        system: display name; "" for the mean over all systems.
        cells: one entry a label, in order of difficulty.
        is_declining: whether accuracy falls at every step, as the labels promise.
        z: trend statistic, negative when accuracy falls; None when nothing varies.
        p: its two-sided p value.
    """

    system: str
    cells: tuple[LabelCell, ...]
    is_declining: bool
    z: float | None
    p: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledDifficulty:
    """Whether difficulty labels say what is difficult.

    Attributes:
        labels: labels from easy to hard.
        pooled: mean item difficulty over the labels, all systems together.
        systems: one entry a system.
        declining: systems whose accuracy falls at every step.
        n_unlabelled: items without one of the labels.
        method: test and its source.
    """

    labels: tuple[str, ...]
    pooled: DifficultyTrend
    systems: tuple[DifficultyTrend, ...]
    declining: tuple[str, ...]
    n_unlabelled: int
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingSubset:
    """The fewest items that keep the ranking of the systems, ties included.

    Attributes:
        items: ids of the items.
        size: their number.
        bound: no subset with fewer items keeps the ranking.
        is_smallest: whether that is proven of this size.
        n_items: items there are.
        method: how it was found.
    """

    items: tuple[str, ...]
    size: int
    bound: int
    is_smallest: bool
    n_items: int
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestedItem:
    """An item on which rules disagree.

    Attributes:
        item_id: the item.
        family: its family.
        difficulty: its difficulty label.
        k: systems that are right on it under the primary rule.
        disputed: systems whose answer some rules call right and others wrong.
        n: systems with verdicts under two rules or more.
        division: mean over these systems of 4 s (1 - s), s the share of rules that call it right:
            1 when the rules are split in halves everywhere, 0 when they agree.
    """

    item_id: str
    family: str
    difficulty: str
    k: int
    disputed: int
    n: int
    division: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemAnalysis:
    """What the items measure, and which of them carry the ranking.

    Attributes:
        rule: scorer id.
        systems: systems counted.
        n_items: items counted.
        n_excluded: items left out because a system has no usable verdict on them.
        n_unscored: verdicts without an answer (counted by `policy`).
        items: one entry a counted item.
        reliability: consistency of the items.
        model: None when it could not be fitted; the warnings say why.
        labels: None without difficulty labels.
        subset: None with fewer than two systems, or too many verdicts to search.
        contested: items on which rules disagree, most divided first.
        rules: scorer ids that were compared for `contested`.
        negative: items whose rest-score correlation is below zero.
        policy: what was done with unscored verdicts.
        method: conventions.
        warnings: what a reader must know.
    """

    rule: str
    systems: tuple[str, ...]
    n_items: int
    n_excluded: int
    n_unscored: int
    items: tuple[ItemStatistics, ...]
    reliability: Reliability
    model: ResponseModel | None
    labels: LabelledDifficulty | None
    subset: RankingSubset | None
    contested: tuple[ContestedItem, ...]
    rules: tuple[str, ...]
    negative: tuple[str, ...]
    policy: Unscored
    method: str
    warnings: tuple[str, ...] = ()
