"""Frozen results of an audit of provenance.  In: nothing.  Out: findings, boards, checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from finassay.analyses.results_audit import Severity
from finassay.analyses.results_rules import Correlation, RuleDistance

FindingKind = Literal[
    "mixed_rule",
    "mixed_rule_totals",
    "cut_replies",
    "cut_references",
    "cut_questions",
    "error_replies",
    "empty_replies",
    "empty_credited",
    "missing_rows",
    "copied_system",
    "duplicate_items",
    "impossible_number",
    "total_mismatch",
    "rounding_grid",
    "printed_ranks",
    "contradiction",
    "constant_predictor",
    "card_order",
    "length_favour",
]
"""What an audit of provenance may find."""

KINDS: tuple[FindingKind, ...] = get_args(FindingKind)

BoardName = Literal["stored", "odd rows marked again", "all rows marked again"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One number behind a finding, under a name."""

    name: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RankMove:
    """Where one system stands before and after a correction.

    Attributes:
        system: display name.
        right_before: verdicts that count as right, before.
        n_before: verdicts counted.
        rank_before: competition rank.
        right_after: the same after the correction; None where the correction takes the system out.
        n_after: the same.
        rank_after: the same.
    """

    system: str
    right_before: int
    n_before: int
    rank_before: int
    right_after: int | None
    n_after: int | None
    rank_after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankEffect:
    """What a correction does to the ranking.

    Attributes:
        correction: what was corrected.
        rule: rule of the ranking.
        moves: one a system, in the order before.
        n_moved: systems that stand before and after, and whose rank changes.
        leaders_before: systems ranked first before.
        leaders_after: the same after.
    """

    correction: str
    rule: str
    moves: tuple[RankMove, ...]
    n_moved: int
    leaders_before: tuple[str, ...]
    leaders_after: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenanceFinding:
    """Something about the making of the numbers that a reader must know.

    Attributes:
        kind: what it is.
        severity: high changes a conclusion, medium may, low is worth knowing, note is context.
        title: one clause.
        systems: systems (or printed rows) it is about.
        evidence: the numbers, with denominators.
        measures: the same numbers, by name.
        p: p value of the test that decided; None where it is a plain fact.
        witnesses: items (or printed cells) to look at, at most twenty.
        n_witnesses: how many there are in all.
        effect: what correcting it does to the ranking; None where nothing can be corrected.
        advice: what to do.
        false_alarm_rate: chance that a clean study shows a finding of this kind, by the level of
            the test; 0 for a plain fact.
    """

    kind: FindingKind
    severity: Severity
    title: str
    systems: tuple[str, ...]
    evidence: str
    advice: str
    measures: tuple[Measure, ...] = ()
    p: float | None = None
    witnesses: tuple[str, ...] = ()
    n_witnesses: int = 0
    effect: RankEffect | None = None
    false_alarm_rate: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One question that was asked of the study, whether or not something was found.

    Attributes:
        kind: kind of the findings it makes.
        n: how many things it looked at; 0 where there was nothing to look at.
        unit: what they are.
        n_findings: findings it made.
        method: how it decides.
        false_alarm_rate: see `ProvenanceFinding`.
    """

    kind: FindingKind
    n: int
    unit: str
    n_findings: int
    method: str
    false_alarm_rate: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRow:
    """One system on a leaderboard: rank by competition, ties share the better rank."""

    system: str
    right: int
    n: int
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """One leaderboard of the three that stand side by side.

    Attributes:
        name: what was marked again.
        rows: best first.
        with_judge: rank correlation of this board with that of the judge (where the judge says
            nothing, this board's own verdicts); None without a judge.
        judged: ranks of the judge's board, systems best first; () without a judge.
    """

    name: BoardName
    rows: tuple[BoardRow, ...]
    with_judge: Correlation | None
    judged: tuple[BoardRow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleTrace:
    """Which rule each system's verdicts of the source follow.

    Attributes:
        stored: scorer id of the verdicts of the source.
        common_rule: the rule that most systems follow; None where there is none.
        odd: systems that follow another.
        nearest: (system, its closest rules, mismatches with them, mismatches with the common rule).
        distances: every system against every candidate rule.
        boards: the three leaderboards side by side; () where no system is odd.
    """

    stored: str
    common_rule: str | None
    odd: tuple[str, ...]
    nearest: tuple[tuple[str, tuple[str, ...], int, int | None], ...]
    distances: tuple[RuleDistance, ...]
    boards: tuple[Board, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalsRow:
    """Which rule comes closest to a row of printed totals.

    Attributes:
        row: label of the printed row.
        system: the system whose replies were marked.
        printed_right: right answers that the printed numbers stand for, over all parts.
        n: items.
        distances: (rule, sum over the parts of the differences in right answers), closest first.
    """

    row: str
    system: str
    printed_right: int
    n: int
    distances: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalsTrace:
    """Which rule each row of a printed table follows, by its totals alone.

    Attributes:
        source: where it is printed.
        table: its name there.
        parts: families (or "all items") whose totals are compared.
        common_rule: the rule closest to most rows; None where none is.
        odd: rows that another rule explains.
        rows: one a printed row.
    """

    source: str
    table: str
    parts: tuple[str, ...]
    common_rule: str | None
    odd: tuple[str, ...]
    rows: tuple[TotalsRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthPoint:
    """A length at which texts of one source pile up.

    Attributes:
        system: display name.
        source: file it came from; "" where that is not known.
        what: reply, reference or question.
        length: characters.
        n_at: different texts of this length.
        n: texts in all.
        n_longer: texts longer than this.
        expected: texts of one length to be expected, from the lengths around it; None where the
            log itself shows the cut.
        p: Poisson p of so many; None where the log itself shows the cut.
        open_ended: of the texts at this length, those that end in a letter or a comma.
    """

    system: str
    source: str
    what: Literal["reply", "reference", "question"]
    length: int
    n_at: int
    n: int
    n_longer: int
    expected: float | None
    p: float | None
    open_ended: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthFavour:
    """How a scorer's verdicts go with the length of replies where all rules say wrong.

    Attributes:
        scorer: the scorer looked at.
        panel: rules that all say wrong on the replies looked at.
        n: replies looked at.
        n_items: items they belong to, the clusters.
        n_credited: of them, those that the scorer marks right.
        slope: change of the share credited for twice the length, family effects held fixed; None
            where it cannot be told.
        low: lower end of its interval.
        high: upper end.
        level: level of the interval.
        p: two-sided p, errors clustered by item.
        slope_within: the same with system effects held fixed too: within systems alone.
        p_within: its p.
        median_credited: median length of the replies credited.
        median_other: median length of the others.
    """

    scorer: str
    panel: tuple[str, ...]
    n: int
    n_items: int
    n_credited: int
    slope: float | None
    low: float | None
    high: float | None
    level: float
    p: float | None
    slope_within: float | None
    p_within: float | None
    median_credited: float | None
    median_other: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where the numbers of a study come from, as far as the study itself shows.

    Attributes:
        study: name of the study.
        versions: (table, pinned version).
        n_items: items.
        n_systems: systems with replies or verdicts.
        n_predictions: replies looked at.
        candidates: rules that were tried as the maker of the verdicts.
        findings: most severe first.
        checks: every question asked, whether or not something was found.
        rules: which rule the verdicts of the source follow; None without such verdicts.
        totals: the same for printed totals.
        piles: lengths at which replies, references and questions pile up.
        length: how each scorer's verdicts go with the length of replies.
        warnings: what was left out.
    """

    study: str
    versions: tuple[tuple[str, int], ...]
    n_items: int
    n_systems: int
    n_predictions: int
    candidates: tuple[str, ...]
    findings: tuple[ProvenanceFinding, ...]
    checks: tuple[Check, ...]
    rules: RuleTrace | None
    totals: tuple[TotalsTrace, ...]
    piles: tuple[LengthPoint, ...]
    length: tuple[LengthFavour, ...]
    warnings: tuple[str, ...] = ()

    def of(self, *kinds: FindingKind) -> tuple[ProvenanceFinding, ...]:
        """Return the findings of these kinds."""
        return tuple(found for found in self.findings if found.kind in kinds)
