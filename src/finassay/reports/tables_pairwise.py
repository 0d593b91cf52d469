"""Tables about pairwise judgments.  In: a report on a file.  Out: tables."""

from __future__ import annotations

from finassay.analyses.pairwise.results import (
    PairwiseAccuracy,
    PairwiseJudge,
    PairwiseReport,
)
from finassay.analyses.results_overturns import CountRate
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, grouped, lefts, rights

SHOWN = 12
"""Judgments listed whose decision does not follow from what the judge said; the JSON has all."""

NO_PAIRS = "no such pairs"


def tables(result: PairwiseReport) -> list[Table]:
    """Return all tables of a report that have rows."""
    made = (accuracy(result), by_source(result), order_effect(result), rederived(result))
    return [table for table in (*made, differences(result)) if table.rows or table is made[2]]


def _rate(rate: CountRate, gaps: Gaps) -> tuple[str, str, str]:
    """Return a count, its rate and its interval, in percent."""
    if rate.rate is None or rate.low is None or rate.high is None:
        return num.share(rate.k, rate.n), gaps.dash(NO_PAIRS), gaps.dash(NO_PAIRS)
    shown = num.percent(rate.rate, max(rate.n, 100)), num.span(rate.low, rate.high, rate.n)
    return num.share(rate.k, rate.n), *shown


def accuracy(result: PairwiseReport) -> Table:
    """Return how often each judge picks the better answer, by rule."""
    gaps = Gaps()
    groups = [
        tuple(_accuracy_row(judge, one, gaps) for one in judge.accuracy if not one.source)
        for judge in result.judges
    ]
    rows, breaks = grouped(*groups)
    return Table(
        key="pairwise-accuracy",
        caption="How often judges pick the better of two answers",
        columns=(
            *lefts("Judge", "Rule", "Decisions"),
            *rights(
                "Right",
                "Right, %",
                f"{num.level(result.level)} interval",
                "Tied",
                "Wrong",
                "Unread",
            ),
        ),
        rows=rows,
        breaks=breaks,
        notes=gaps.notes(
            "Right: pairs decided for the label, of all pairs with a label. Unread: no decision in "
            "either order.",
            result.method,
            *(f"{num.clean(one.judge)}: {text}" for one in result.judges for text in one.warnings),
        ),
    )


def _accuracy_row(judge: PairwiseJudge, one: PairwiseAccuracy, gaps: Gaps) -> tuple[str, ...]:
    return (
        num.shortened(judge.judge),
        one.rule,
        one.decisions,
        *_rate(one.right, gaps),
        num.count(one.n_tied),
        num.count(one.n_wrong),
        num.count(one.n_unread),
    )


def by_source(result: PairwiseReport) -> Table:
    """Return the accuracy of stored decisions under the sum rule by source of the pairs."""
    gaps = Gaps()
    groups = [
        tuple(
            (num.shortened(judge.judge), num.shortened(one.source), *_rate(one.right, gaps))
            for one in judge.accuracy
            if one.source and one.rule == "sum" and one.decisions == "stored"
        )
        for judge in result.judges
    ]
    rows, breaks = grouped(*groups)
    return Table(
        key="pairwise-sources",
        caption="The same by source of the pairs (stored decisions, sum rule)",
        columns=(
            *lefts("Judge", "Source"),
            *rights("Right", "Right, %", f"{num.level(result.level)} interval"),
        ),
        rows=rows,
        breaks=breaks,
        notes=gaps.notes(),
    )


def order_effect(result: PairwiseReport) -> Table:
    """Return what the order of the answers does to each judge."""
    gaps = Gaps()
    rows = tuple(_order_row(judge, gaps) for judge in result.judges)
    return Table(
        key="pairwise-order",
        caption="What the order of the answers does",
        columns=(
            *lefts("Judge"),
            *rights("Same", "Same, %", f"{num.level(result.level)} interval"),
            *rights("Reversed", "Half tied", "First, %", "Lean first", "Lean second", "p"),
        ),
        rows=rows,
        notes=gaps.notes(
            "Same: both orders say the same, of pairs with a decision in both; reversed: they pick "
            "different answers; half tied: one of them is a tie.",
            "First: decisions for the answer shown first, of all that are no tie; lean: pairs on "
            "which the answer shown first (second) was preferred more often; p of an exact sign "
            "test of the two.",
        ),
    )


def _order_row(judge: PairwiseJudge, gaps: Gaps) -> tuple[str, ...]:
    found = judge.order
    first = found.first.rate
    return (
        num.shortened(judge.judge),
        *_rate(found.consistent, gaps),
        num.count(found.n_reversed),
        num.count(found.n_half_tied),
        gaps.dash(NO_PAIRS) if first is None else num.percent(first, found.first.n),
        num.count(found.n_lean_first),
        num.count(found.n_lean_second),
        num.p_value(found.p),
    )


def rederived(result: PairwiseReport) -> Table:
    """Return stored decisions beside those that follow from replies or scores."""
    rows = tuple(
        (
            num.shortened(judge.judge),
            judge.rederived.read_from,
            num.count(judge.rederived.n),
            num.count(judge.rederived.n_same),
            num.count(judge.rederived.n_no_verdict),
            num.count(judge.rederived.n_not_stored),
            num.count(judge.rederived.n_equal),
            num.count(judge.rederived.n_differ),
        )
        for judge in result.judges
        if judge.rederived.n
    )
    total = num.share(result.n_prompted_same, result.n_prompted)
    return Table(
        key="pairwise-rederived",
        caption="Decisions derived again from what the judge said",
        columns=(
            *lefts("Judge", "From"),
            *rights("Judgments", "Same", "No verdict", "Not stored", "Equal scores", "Differ"),
        ),
        rows=rows,
        notes=Gaps().notes(
            f"{total} stored decisions of prompted judges follow from their replies.",
            "No verdict: none can be read in what the file keeps of the reply. Not stored: one can "
            "be read, and the file holds none. Equal scores: what is stored is a convention.",
        ),
    )


def differences(result: PairwiseReport) -> Table:
    """Return the first judgments whose stored decision does not follow from what was said."""
    gaps = Gaps()
    listed = [(judge, one) for judge in result.judges for one in judge.rederived.differences]
    rows = tuple(
        (
            num.shortened(judge.judge),
            num.shortened(one.pair_id),
            one.order.replace("_", " "),
            one.stored or gaps.dash("no decision"),
            one.derived or gaps.dash("no decision"),
            _end_of(one.tail) or num.shortened(one.why or "equal scores"),
        )
        for judge, one in listed[:SHOWN]
    )
    more = len(listed) - len(rows)
    return Table(
        key="pairwise-differences",
        caption="Judgments whose stored decision does not follow from what was said",
        columns=lefts("Judge", "Pair", "Order", "Stored", "Derived", "What it said"),
        rows=rows,
        notes=gaps.notes(f"{num.count(more)} more stand in the JSON." if more else ""),
    )


def _end_of(tail: str) -> str:
    text = " ".join(num.clean(tail).split())
    return text if len(text) <= num.NAME_WIDTH else num.ELLIPSIS + text[1 - num.NAME_WIDTH :]
