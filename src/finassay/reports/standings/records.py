"""Rows of a leaderboard page.  In: nothing.  Out: frozen records that every format takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from finassay.analyses.results_scores import Estimate, RankConvention
from finassay.records import Unscored

RowKind = Literal["model", "baseline", "person", "floor", "reported"]
"""What stands in a row: a system, or something to measure systems by."""

SYSTEM_KINDS: tuple[RowKind, ...] = ("model", "baseline")

RulesState = Literal["measured", "pending", "absent"]
"""Whether the ranks over rules are known, being computed, or not asked for on this board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankSpan:
    """Best and worst rank that something leaves open."""

    best: float
    worst: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One rate with its interval and its denominator.

    Attributes:
        value: fraction in [0, 1]; None without a denominator, or when the bounds differ.
        low: lower end of the interval.
        high: upper end of the interval.
        worst: the value if every unscored verdict were wrong.
        best: the value if every unscored verdict were right.
        right: sum of the values of the scored verdicts; None where only a rate was printed.
        n: verdicts in the denominator.
        n_unscored: verdicts without an answer, or that could not be read.
        n_outside: failed, not applicable or missing verdicts, never in the denominator.
    """

    value: float | None
    low: float | None
    high: float | None
    worst: float | None
    best: float | None
    right: float | None
    n: int
    n_unscored: int = 0
    n_outside: int = 0

    @property
    def shown(self) -> float | None:
        """Return the number that places the row: the value, or the worst case of two bounds."""
        return self.worst if self.value is None else self.value

    @property
    def unscored_share(self) -> float | None:
        """Return unscored / n; None without a denominator."""
        return self.n_unscored / self.n if self.n else None


def score_of(estimate: Estimate) -> Score:
    """Return an estimate as a row shows it."""
    return Score(
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        worst=estimate.worst,
        best=estimate.best,
        right=estimate.total if estimate.n else None,
        n=estimate.n,
        n_unscored=estimate.n_unscored,
        n_outside=estimate.n_failed + estimate.n_not_applicable + estimate.n_missing,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One row.

    Attributes:
        system: name as the study has it.
        shown: the name cleaned, short and different from every other.
        kind: what stands in the row.
        score: over the items of the board; None for a floor that not every task has.
        per_task: (task, score) in the order of the board.
        macro: unweighted mean over the tasks; None where a task has no value.
        rank: among the ranked systems under the convention of the board; None when not ranked.
        why_unranked: why there is no rank; "" for a ranked system.
        unscored_ranks: ranks that the unscored verdicts leave open.
        sampling_ranks: ranks that the items leave open, this system alone.
        rule_ranks: ranks over every rule of the grid.
        both_ranks: ranks that rules and items together leave open.
        group: letters of the tie groups; None where not every pair was tested.
        note: what a reader must know of this row; "" for nothing.
    """

    system: str
    shown: str
    kind: RowKind
    score: Score | None
    per_task: tuple[tuple[str, Score], ...] = ()
    macro: float | None = None
    rank: float | None = None
    why_unranked: str = ""
    unscored_ranks: RankSpan | None = None
    sampling_ranks: RankSpan | None = None
    rule_ranks: RankSpan | None = None
    both_ranks: RankSpan | None = None
    group: str | None = None
    note: str = ""

    @property
    def is_system(self) -> bool:
        """Return whether the row is a system that may be ranked."""
        return self.kind in SYSTEM_KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """A leaderboard as it is shown: what was asked, and the rows that answer it.

    Attributes:
        study: name of the study.
        regime: regime name, or scorer id of the rule.
        is_regime: whether it is a regime.
        task: the one task of the board; "" for all items.
        regimes: every regime that can be asked for.
        rules: every scorer id that can be asked for.
        tasks: every task of the study.
        columns: tasks that have a column.
        n_items: items of the board.
        n_systems: systems before any filter.
        rows: systems as sorted and filtered, then people, the floor and reported rows.
        rules_state: whether the ranks over rules are known.
        n_rules: rules behind the ranks over rules; None when they are not known.
        policy: what was done with unscored verdicts.
        rank_convention: how ties share ranks.
        rank_basis: "value", or "worst" when ranks order worst cases.
        level: confidence level of the intervals.
        alpha: level of the tests behind the tie groups; None without groups.
        method: how intervals were computed.
        rank_method: how open ranks were computed; "" without.
        sort: column that the rows are sorted by.
        descending: whether the largest comes first.
        name: part of a name that rows were filtered by; "" for all.
        kind: kind that rows were filtered by; "all" for all.
        warnings: what a reader must know.
    """

    study: str
    regime: str
    is_regime: bool
    task: str
    regimes: tuple[str, ...]
    rules: tuple[str, ...]
    tasks: tuple[str, ...]
    columns: tuple[str, ...]
    n_items: int
    n_systems: int
    rows: tuple[Standing, ...]
    rules_state: RulesState
    n_rules: int | None
    policy: Unscored
    rank_convention: RankConvention
    rank_basis: Literal["value", "worst"]
    level: float
    alpha: float | None
    method: str
    rank_method: str
    sort: str = "rank"
    descending: bool = False
    name: str = ""
    kind: str = "all"
    warnings: tuple[str, ...] = ()

    @property
    def systems(self) -> tuple[Standing, ...]:
        """Return the rows that are systems."""
        return tuple(row for row in self.rows if row.is_system)

    @property
    def references(self) -> tuple[Standing, ...]:
        """Return the rows that systems are measured by: people, floors, reported numbers."""
        return tuple(row for row in self.rows if not row.is_system)
