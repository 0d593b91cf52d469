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

    Every item with a verdict of the rule is in exactly one of `n_items`, `n_unscored`, `n_failed`
    and `n_not_applicable`; for the last three it is enough that the rule or the judge (where it was
    asked) has a verdict of that kind, and failed comes before inapplicable before unscored.

    Attributes:
        system: display name, or "pooled".
        n_shared: items that both the rule and the judge scored.
        overturned: rule-wrong items that the judge marks right, of the rule-wrong.
        rejected: rule-right items that the judge marks wrong, of the rule-right.
        rule: the rule alone, over the items of `n_items`.
        judge_only: the judge where it was asked, the rule elsewhere, over the same items.
        augmented: right when either marks it right, over the same items.
        n_items: items in the denominators of the three accuracies: scored by the rule, and by the
            judge where it was asked.
        n_unscored: items left out because there was no answer or it could not be read.
        n_failed: items left out because marking failed.
        n_not_applicable: items left out because the rule or the judge does not apply.
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
    n_failed: int
    n_not_applicable: int


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
        level: confidence level of the intervals.
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
    level: float
    policy: Unscored
    warnings: tuple[str, ...] = ()
    reported: tuple[ReportedOverturn, ...] = ()
