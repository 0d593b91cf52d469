"""Tables about judges side by side.  In: results about judges.  Out: tables."""

from __future__ import annotations

from dataclasses import replace

from finassay.analyses.judges.results_compare import (
    Given,
    JudgePair,
    JudgeRegimes,
    Judges,
    ToleranceShift,
)
from finassay.analyses.results_rules import Correlation, RegimeComparison
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, lefts, rights
from finassay.reports.tables_judges import counted, figure, gap, judge_name
from finassay.reports.tables_rules import regimes as regimes_table
from finassay.reports.tables_scores import rate_and_count

GIVEN: dict[Given, str] = {
    "": "all",
    "right": "the judge answered right",
    "wrong": "the judge answered wrong",
}

SHOWN = 20
"""Rows of a list that a table shows; the JSON holds the rest."""


def comparisons(result: Judges) -> Table | None:
    """Return arms, prompts and tolerances of one judge beside each other; None without any."""
    if not result.comparisons:
        return None
    gaps = Gaps()
    return Table(
        key="judge-comparisons",
        caption="One judge with another reference, wording or rounding clause, on common replies",
        columns=(
            *lefts("Differs", "Left", "Right", "Questions"),
            *rights("n", "Left kappa", "Right kappa", "Difference", "Corrected p", "Flipped"),
        ),
        rows=tuple(
            (
                one.factor,
                judge_name(one.left),
                judge_name(one.right),
                GIVEN[one.given],
                num.count(one.n),
                figure(one.left_kappa, gaps),
                figure(one.right_kappa, gaps),
                *gap(one.difference, gaps),
                num.count(one.n_flipped),
            )
            for one in result.comparisons
        ),
        notes=gaps.notes(
            "The column n counts replies that both judged and people settled; tests are paired on "
            "them. Flipped: "
            "of them, those with another verdict.",
            *(
                f"{family.name}: {num.plural(family.size, 'test')}, corrected by "
                f"{family.method.capitalize()}"
                for family in result.families
            ),
        ),
    )


def tolerances(shift: ToleranceShift, at: int) -> tuple[Table, ...]:
    """Return scores and ranks by rounding clause of one judge, and the orders that depend on it."""
    compared = shift.comparison
    names = {name: num.shortened(name) for name in compared.systems}
    key = "" if at == 0 else f"-{at + 1}"
    first = regimes_table(compared, names)
    notes = [
        f"Spearman with {num.clean(shift.rule)}: {_correlation(pair)} under "
        f"{judge_name(pair.right)}."
        for pair in compared.correlations
        if pair.left == shift.rule
    ]
    spreads = [
        f"{judge_name(one.regime)}: {num.percent(one.spread, compared.n_items)} points from first "
        f"to last."
        for one in compared.regimes
        if one.spread is not None
    ]
    ranks = replace(
        first,
        key=f"judge-tolerance{key}",
        caption=f"Rounding clauses of {judge_name(shift.judge)}, "
        f"{num.plural(compared.n_items, 'item')}",
        notes=(*first.notes, *notes, *spreads),
    )
    return (ranks, *_changes(shift, f"judge-tolerance-orders{key}"))


def _changes(shift: ToleranceShift, key: str) -> tuple[Table, ...]:
    if not shift.changed:
        return ()
    shown = shift.changed[:SHOWN]
    rest = len(shift.changed) - len(shown)

    def named(scorers: tuple[str, ...]) -> str:
        return ", ".join(judge_name(one) for one in scorers) or "none"

    return (
        Table(
            key=key,
            caption=f"Orders of two systems that depend on the rounding clause of "
            f"{judge_name(shift.judge)}",
            columns=lefts("Ahead", "Behind", "Holds under", "Level under", "Reversed under"),
            rows=tuple(
                (
                    num.shortened(one.better),
                    num.shortened(one.worse),
                    named(one.under),
                    named(one.tied),
                    named(one.reversed_under),
                )
                for one in shown
            ),
            notes=Gaps().notes(f"{num.plural(rest, 'more order')}: see the JSON." if rest else ""),
        ),
    )


def _correlation(pair: Correlation) -> str:
    if pair.spearman is None:
        return "undefined"
    p = "" if pair.spearman_p is None else f" (p {num.p_value(pair.spearman_p)})"
    return f"{num.fixed(pair.spearman, 2)}{p}"


def wrong_references(result: Judges) -> Table | None:
    """Return how judges treat wrong references; None where none was shown any."""
    if not result.wrong_references:
        return None
    gaps = Gaps()
    listed = tuple(
        f"{judge_name(one.scorer_id)} overrules its reference on "
        + ", ".join(
            f"{num.shortened(reply.system)} {num.clean(reply.item_id)}"
            for reply in one.overruled[:SHOWN]
        )
        + (f" and {len(one.overruled) - SHOWN} more" if len(one.overruled) > SHOWN else "")
        for one in result.wrong_references
        if one.overruled
    )
    return Table(
        key="judge-wrong-references",
        caption="Marked CORRECT although the reference shown was wrong, %",
        columns=(
            *lefts("Judge"),
            *rights("CORRECT by people", "INCORRECT by people", "Unreadable"),
        ),
        rows=tuple(
            (
                judge_name(one.scorer_id),
                counted(one.correct, gaps),
                counted(one.incorrect, gaps),
                num.count(one.n_unscored),
            )
            for one in result.wrong_references
        ),
        notes=gaps.notes(*listed),
    )


def pairs(result: Judges) -> Table | None:
    """Return judges beside each other, and whom people side with; None with one judge."""
    if not result.pairs:
        return None
    gaps = Gaps()
    return Table(
        key="judge-pairs",
        caption="Judges beside each other, on replies that both scored",
        columns=(
            *lefts("Left", "Right"),
            *rights("n", "Agree, %", "Kappa", "Disputed", "People side with left, %"),
        ),
        rows=tuple(
            (
                judge_name(pair.left),
                judge_name(pair.right),
                num.count(pair.n),
                counted(pair.agreement, gaps),
                figure(pair.kappa, gaps),
                num.count(pair.n_disputed),
                _side(pair, gaps),
            )
            for pair in result.pairs
        ),
        notes=gaps.notes("Disputed replies are listed in the JSON."),
    )


def _side(pair: JudgePair, gaps: Gaps) -> str:
    found = next((side for side in pair.sides if not side.by), None)
    if found is None:
        return gaps.dash("no dispute, or no labels of people")
    return counted(found.left, gaps)


def sides(result: Judges) -> Table | None:
    """Return who sides with which judge on what two dispute; None without labels of people."""
    gaps = Gaps()
    rows = tuple(
        (
            judge_name(pair.left),
            judge_name(pair.right),
            num.clean(f"{side.by}: {side.stratum}") if side.by else "all disputes",
            num.clean(side.adjudicator),
            counted(side.left, gaps),
            num.count(side.n_undecided),
        )
        for pair in result.pairs
        for side in pair.sides
    )
    if not rows:
        return None
    return Table(
        key="judge-sides",
        caption="Whom people side with where two judges differ",
        columns=(
            *lefts("Left", "Right", "Disputes", "Decided by"),
            *rights("With left, %", "Undecided"),
        ),
        rows=rows,
        notes=gaps.notes(),
    )


def people_pairs(result: Judges) -> Table | None:
    """Return every two people on what both labelled; None with one person."""
    if not result.people_pairs:
        return None
    gaps = Gaps()
    return Table(
        key="people-pairs",
        caption="People beside each other",
        columns=(*lefts("Left", "Right"), *rights("n", "Agree, %", "Kappa", "One not sure")),
        rows=tuple(
            (
                num.clean(pair.left),
                num.clean(pair.right),
                num.count(pair.n),
                counted(pair.agreement, gaps),
                gaps.dash("no common reply, or nobody ever differs")
                if pair.kappa is None
                else num.fixed(pair.kappa, 2),
                num.count(pair.n_not_sure),
            )
            for pair in result.people_pairs
        ),
        notes=gaps.notes("Replies on which one of the two is not sure count in no share."),
    )


def overturns(result: Judges) -> Table | None:
    """Return each judge against the rule, in both directions; None without a rule."""
    if not result.overturns:
        return None
    gaps = Gaps()
    rule = num.clean(result.rule or "the rule")
    return Table(
        key="judge-overturns",
        caption=f"Judges against {rule}, all systems together, %",
        columns=(
            *lefts("Judge"),
            *rights("Shared", "Overturned", "Rejected", "Rule", "Judge only", "Rule or judge"),
        ),
        rows=tuple(
            (
                judge_name(table.judge),
                num.count(table.pooled.n_shared),
                counted(table.pooled.overturned, gaps),
                counted(table.pooled.rejected, gaps),
                counted(table.pooled.rule, gaps),
                counted(table.pooled.judge_only, gaps),
                counted(table.pooled.augmented, gaps),
            )
            for table in result.overturns
        ),
        notes=gaps.notes(
            "Overturned: of the replies that the rule marks wrong, those that the judge marks "
            "right. Rejected: of those that the rule marks right, those that the judge marks "
            "wrong. A judge's own answers are left out.",
        ),
    )


def regimes(result: Judges) -> Table | None:
    """Return what each judge does to the ranking; None where nothing can be ranked."""
    gaps = Gaps()
    rows = tuple(_regime(one, gaps) for one in result.regimes if one.comparison or one.with_people)
    if not rows:
        return None
    return Table(
        key="judge-regimes",
        caption=f"Rankings by judge, by {num.clean(result.rule or 'the rule')} and by people",
        columns=(
            *lefts("Judge"),
            *rights("Systems", "Items", "Spearman, judge with rule", "Widest move"),
            *lefts("First by rule", "First by judge"),
            *rights("Spearman, judge with people", "Spearman, rule with people"),
        ),
        rows=rows,
        notes=gaps.notes(
            "Judge: the judge where it was asked, the rule elsewhere; with people only the items "
            "that people labelled for every system. A judge is no contestant under itself."
        ),
    )


def _regime(one: JudgeRegimes, gaps: Gaps) -> tuple[str, ...]:
    found = one.comparison
    if found is None:
        head = tuple(gaps.dash("fewer than two systems") for _ in range(6))
    else:
        rule, judge = found.regimes[0], found.regimes[1]
        moves = [
            abs(shift.shift)
            for shift in found.shifts
            if shift.convention == found.rank_convention
            and (shift.left, shift.right) == (rule.regime, judge.regime)
        ]
        head = (
            num.count(len(found.systems)),
            num.count(found.n_items),
            _between(found, rule.regime, judge.regime),
            num.rank(max(moves, default=0)),
            num.listed(num.shortened(name) for name in rule.leaders),
            num.listed(num.shortened(name) for name in judge.leaders),
        )
    people = one.with_people
    if people is None:
        why = "no items that people labelled for every system"
        return (judge_name(one.judge), *head, gaps.dash(why), gaps.dash(why))
    first, second, human = (regime.regime for regime in people.regimes)
    tail = (_between(people, second, human), _between(people, first, human))
    return (judge_name(one.judge), *head, *tail)


def _between(compared: RegimeComparison, left: str, right: str) -> str:
    found = [p for p in compared.correlations if {p.left, p.right} == {left, right}]
    return _correlation(found[0]) if found else "undefined"


def human_leaderboard(result: Judges) -> Table | None:
    """Return the systems by the consensus of people; None without people."""
    if result.human is None or not result.human.rows:
        return None
    gaps = Gaps()
    return Table(
        key="human-leaderboard",
        caption="Systems by the consensus of people (human-consensus)",
        columns=(
            *lefts("System"),
            *rights("People, %", f"{num.level(result.level)} interval", "Excluded"),
            *rights(f"{num.clean(result.rule or 'Rule')}, same replies, %"),
        ),
        rows=tuple(
            (
                num.shortened(row.system),
                rate_and_count(row.people, gaps),
                gaps.dash("no settled reply")
                if row.people.low is None or row.people.high is None
                else num.span(row.people.low, row.people.high, row.people.n),
                num.count(row.people.n_unscored),
                gaps.dash("no rule") if row.rule is None else rate_and_count(row.rule, gaps),
            )
            for row in result.human.rows
        ),
        notes=gaps.notes(*result.human.warnings),
    )
