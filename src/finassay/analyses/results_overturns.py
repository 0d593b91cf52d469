"""Frozen results of a rule against a judge.  In: nothing.  Out: counts, rates and their table."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.records import Unscored


@dataclass(frozen=True, slots=True, kw_only=True)
class CountRate:
    """k of n with its rate and Wilson interval; rate and interval are None when n is 0."""

    k: int
    n: int
    rate: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OverturnRow:
    """One system under a rule and a judge.

    Attributes:
        system: display name, or "pooled".
        n_shared: items that both the rule and the judge scored.
        overturned: rule-wrong items that the judge marks right, of the rule-wrong.
        rejected: rule-right items that the judge marks wrong, of the rule-right.
        rule: accuracy of the rule over all items of the rule.
        judge_only: the judge where it scored, the rule elsewhere.
        augmented: right when either marks it right.
        n_items: items in the denominators of the three accuracies.
        n_unscored: items that the rule or the judge (where it was asked) left without a value.
    """

    system: str
    n_shared: int
    overturned: CountRate
    rejected: CountRate
    rule: CountRate
    judge_only: CountRate
    augmented: CountRate
    n_items: int
    n_unscored: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedOverturn:
    """Overturns of a system of which only counts are known, never pooled with measured rows.

    Attributes:
        system: row label of the source.
        source: where the counts were reported.
        overturned: items wrong under the rule that the judge marks right, of the wrong ones.
        rejected: items right under the rule that the judge marks wrong, of the right ones.
        note: what kind of counts they are.
    """

    system: str
    source: str
    overturned: CountRate
    rejected: CountRate
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OverturnTable:
    """Where a judge disagrees with a rule, in both directions.

    Attributes:
        rule: scorer id of the rule.
        judge: scorer id of the judge.
        rows: one entry a system.
        pooled: all systems together.
        method: what counts as right (value >= 0.5 for graded verdicts) and the interval.
        policy: what was done with unscored verdicts ("exclude": only shared items count in the
            overturn and rejection rates).
        warnings: what a reader must know.
        reported: systems of which only counts are known; not in `pooled`.
    """

    rule: str
    judge: str
    rows: tuple[OverturnRow, ...]
    pooled: OverturnRow
    method: str
    policy: Unscored
    warnings: tuple[str, ...] = ()
    reported: tuple[ReportedOverturn, ...] = ()
