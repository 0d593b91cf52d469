"""Frozen results about scores.  In: nothing.  Out: estimates, ranks and leaderboards.

Rates are fractions in [0, 1].  A rate without observations is None, never 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from finassay.records import SystemKind, Unscored

RankConvention = Literal["competition", "dense", "average", "ordinal"]
"""How ties share ranks: competition 1 2 2 4, dense 1 2 2 3, average 1 2.5 2.5 4, ordinal 1 2 3 4
(ties in the order given)."""

RANK_CONVENTIONS: tuple[RankConvention, ...] = get_args(RankConvention)

IntervalMethod = Literal["wilson", "clopper-pearson", "jeffreys"]
"""How the interval of a share of right verdicts is computed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean of verdicts with its interval, its denominator and what was left out.

    Attributes:
        name: what is estimated, for instance "accuracy".
        value: fraction in [0, 1]; None when n is 0, or when the bounds differ.
        low: lower end of the interval; None when n is 0.
        high: upper end of the interval; None when n is 0.
        level: confidence level of the interval, for instance 0.95.
        method: how the interval was computed.
        n: verdicts in the denominator under `policy`.
        total: sum of the values in the numerator (the count of right verdicts for a 0/1 rule);
            under "bounds" the sum over scored verdicts alone.
        n_unscored: verdicts without an answer or that could not be read (no_answer, unparsed).
        n_failed: verdicts that failed; never in the denominator.
        n_not_applicable: verdicts the rule does not apply to; never in the denominator.
        n_missing: cells without any verdict; never in the denominator.
        policy: what was done with the unscored.
        best: the value if every unscored verdict were right; None when there is nothing at all.
        worst: the value if every unscored verdict were wrong.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    level: float
    method: str
    n: int
    total: float
    n_unscored: int
    n_failed: int
    n_not_applicable: int
    n_missing: int
    policy: Unscored
    best: float | None
    worst: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranks:
    """The rank of one system under each convention; 1 is the highest score.

    Attributes:
        competition: 1 + number of systems that score strictly higher.
        dense: 1 + number of distinct higher scores.
        average: mean of the positions that the tied systems take.
        ordinal: position, ties in the order in which the systems were given.
    """

    competition: int
    dense: int
    average: float
    ordinal: int

    def under(self, convention: RankConvention) -> float:
        """Return the rank under one convention."""
        return float(getattr(self, convention))


@dataclass(frozen=True, slots=True, kw_only=True)
class BalancedAccuracy:
    """How one system does on a family whose references are labels, beside a constant answer.

    Attributes:
        family: the label family.
        value: mean of the recalls over the reference labels; None when a label has no verdict in
            its denominator, or when the bounds differ.
        n: verdicts in the denominators under `policy`, over all labels.
        n_unscored: verdicts without an answer or that could not be read.
        policy: what was done with the unscored.
        recalls: (label, right, n) for every reference label, in label order; right is None where
            n is 0, and under "bounds" counts the scored verdicts alone.
        accuracy: right / n without balancing; None when n is 0, or when the bounds differ.
        margin: accuracy minus the majority floor of the same family.
        best: the value if every unscored verdict were right; None when a label has no verdict.
        worst: the value if every unscored verdict were wrong.
    """

    family: str
    value: float | None
    n: int
    n_unscored: int
    policy: Unscored
    recalls: tuple[tuple[str, float | None, int], ...]
    accuracy: float | None
    margin: float | None
    best: float | None
    worst: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MajorityFloor:
    """What always answering the most frequent reference label of a family would score.

    Attributes:
        family: the label family.
        label: the most frequent reference label.
        count: items with that label.
        n: items of the family.
        value: count / n.
        labels: (label, items) in falling order of items.
    """

    family: str
    label: str
    count: int
    n: int
    value: float
    labels: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderboardRow:
    """One system under one rule.

    Attributes:
        system: display name.
        kind: model, person or baseline.
        complete: whether there is a verdict for every item.
        estimate: over all items.
        per_family: (family, estimate) in family order.
        per_difficulty: (difficulty, estimate) in difficulty order.
        macro: unweighted mean over the families; None when a family has no value.
        ranks: among the complete systems; None for a system that is not ranked.
        rank_range: best and worst competition rank that the unscored verdicts allow; None when not
            ranked.
        balanced: one entry for each label family.
    """

    system: str
    kind: SystemKind
    complete: bool
    estimate: Estimate
    per_family: tuple[tuple[str, Estimate], ...] = ()
    per_difficulty: tuple[tuple[str, Estimate], ...] = ()
    macro: float | None = None
    ranks: Ranks | None = None
    rank_range: tuple[int, int] | None = None
    balanced: tuple[BalancedAccuracy, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SubsetRow:
    """A system's estimate on the items that a person answered."""

    system: str
    estimate: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRow:
    """A person on their own items, with every complete system on exactly the same items.

    Attributes:
        person: display name.
        rule: scorer id that marked the person and the systems here; another one than the board's
            where the board's rule holds no verdicts on the person.
        n_items: items that the person has a verdict for.
        estimate: over those items.
        per_family: (family, estimate) in family order.
        systems: the complete systems on the same items, best first, those without a value last.
        n_above: systems that score strictly higher than the person; None when no verdict of the
            person counts, and systems without a value are in none of the three.
        n_equal: systems with the same score.
        n_below: systems that score strictly lower.
    """

    person: str
    rule: str
    n_items: int
    estimate: Estimate
    per_family: tuple[tuple[str, Estimate], ...]
    systems: tuple[SubsetRow, ...]
    n_above: int | None
    n_equal: int | None
    n_below: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedRow:
    """A system that exists only as printed numbers: shown beside the measured, never pooled.

    Attributes:
        system: name in the source.
        source: where the numbers were printed.
        column: which printed column (rule or regime) the row gives.
        value: fraction.
        n: items the number is said to be over; None when the source does not say.
        correct: right items, when the printed counts of the families add up to the whole; None
            otherwise.
        low: lower end of the Wilson interval; None without `correct` and `n`.
        high: upper end of the Wilson interval.
        per_family: (family, right, n) as printed.
        note: what the source says about the row.
    """

    system: str
    source: str
    column: str
    value: float
    n: int | None
    correct: int | None
    low: float | None
    high: float | None
    per_family: tuple[tuple[str, int, int], ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """Systems under one scorer or regime.

    Attributes:
        rule: scorer id or regime name.
        policy: what was done with unscored verdicts.
        rank_convention: the convention in which ranks are shown first.
        rank_basis: the number that the ranks order: "value", or "worst" when bounds differ.
        n_items: items on the board.
        families: family names in order.
        difficulties: difficulty names in order.
        rows: complete systems by rank, then the incomplete (unranked).
        persons: people, each on their own items.
        reported: rows as reported, never pooled with the measured.
        floors: majority floor of each label family.
        level: confidence level of every interval on the board.
        method: how intervals were computed.
        warnings: what a reader must know before quoting a row.
    """

    rule: str
    policy: Unscored
    rank_convention: RankConvention
    rank_basis: Literal["value", "worst"]
    n_items: int
    families: tuple[str, ...]
    difficulties: tuple[str, ...]
    rows: tuple[LeaderboardRow, ...]
    persons: tuple[PersonRow, ...]
    reported: tuple[ReportedRow, ...]
    floors: tuple[MajorityFloor, ...]
    level: float
    method: str
    warnings: tuple[str, ...] = ()

    @property
    def ranked(self) -> tuple[LeaderboardRow, ...]:
        """Return the rows that have ranks."""
        return tuple(row for row in self.rows if row.ranks is not None)
