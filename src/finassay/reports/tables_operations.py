"""Tables about operations.  In: a result.  Out: tables of strings."""

from __future__ import annotations

from finassay.analyses.operations.results import (
    Between,
    OperationSelection,
    OperationsResult,
)
from finassay.analyses.operations.results_ask import AskComparison, Number
from finassay.analyses.operations.sentences import spelled
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, lefts, rights

DIGITS = 2
SIZES = (1, 2, 3, 5, 10, 15, 20, 25, 30)
"""Sizes of shortlists that are shown, beside the one that has every leader."""

SHOWN_PAIRS = 10
SHOWN_COMPONENTS = 6
NO_RHO = "a column is constant, or fewer than two systems"
NO_SCORE = "no score"


def operation_tables(found: OperationsResult) -> dict[str, Table]:
    """Return every table by key."""
    made = [
        leaders(found),
        regret(found),
        shortlist(found),
        matrix(found),
        components(found),
        near_pairs(found),
        rules(found),
        rule_costs(found),
        profile(found),
        scores(found),
    ]
    if found.ask is not None:
        made += [associations(found.ask), standings(found.ask)]
    return {table.key: table for table in made if table is not None}


def _rho(value: Number, gaps: Gaps) -> str:
    return gaps.dash(NO_RHO) if value is None else num.fixed(value, DIGITS)


def _number(value: Number, gaps: Gaps) -> str:
    return gaps.dash(NO_SCORE) if value is None else num.fixed(value, DIGITS)


def _span(ends: Between, gaps: Gaps) -> str:
    if ends.low is None or ends.high is None:
        return gaps.dash("no resample has a value")
    return f"{num.fixed(ends.low, DIGITS)} to {num.fixed(ends.high, DIGITS)}"


def _items(found: OperationsResult) -> bool:
    return any(row.uncertainty is not None for row in found.operations)


def leaders(found: OperationsResult) -> Table:
    """Return who leads each operation, and what the knowledge leader would cost."""
    gaps = Gaps()
    extra = rights("95% interval" if found.level == 0.95 else "Interval", "Leads, % of draws")
    rows = [
        (
            spelled(row.operation) + ("*" if row.is_judged and found.evaluators else ""),
            num.count(row.n_eligible),
            *([num.count(row.n_items or 0)] if _items(found) else []),
            num.listed([num.shortened(name, 28) for name in row.leaders], 2),
            num.fixed(row.best, DIGITS),
            num.count(row.leader_knowledge_rank),
            _rho(row.correlation, gaps),
            num.fixed(row.recommendation.cost, DIGITS),
            *(_open(row, gaps) if _items(found) else []),
            num.count(row.recovered_at),
        )
        for row in found.operations
    ]
    judged = any(row.is_judged for row in found.operations)
    return Table(
        key="operation-leaders",
        caption="Leaders of operations, and the points that the knowledge leader forgoes",
        columns=(
            *lefts("Operation"),
            *rights("Systems", *(["Items"] if _items(found) else [])),
            *lefts("Leader"),
            *rights("Score", "Knowledge rank", "Rho", "Regret"),
            *(extra if _items(found) else ()),
            *rights("Recovered at"),
        ),
        rows=tuple(rows),
        notes=gaps.notes(
            "Rho: Spearman correlation with the knowledge score. Recovered at: smallest shortlist "
            "by knowledge that has the leader",
            f"* judged by {num.listed(found.evaluators)}, left out here"
            if judged and found.evaluators
            else "",
        ),
    )


def _open(row: OperationSelection, gaps: Gaps) -> list[str]:
    if row.uncertainty is None:
        return [gaps.dash("no items")] * 2
    share = dict(row.uncertainty.leads)
    led = sum(share.get(name, 0.0) for name in row.leaders)
    return [_span(row.recommendation.cost_interval, gaps), num.percent(led, 100)]


def shown_sizes(found: OperationsResult) -> list[int]:
    """Return the sizes of shortlists that tables show."""
    longest = len(found.shortlists.mean_regret)
    wanted = {*SIZES, found.shortlists.all_recovered_at}
    return [size for size in sorted(wanted) if size <= longest]


def regret(found: OperationsResult) -> Table:
    """Return the regret of each operation for some sizes of shortlists."""
    sizes = shown_sizes(found)
    rows = [
        (
            spelled(row.operation),
            *(
                num.fixed(row.regret[size - 1], DIGITS) if size <= len(row.regret) else "0.00"
                for size in sizes
            ),
        )
        for row in found.operations
    ]
    return Table(
        key="regret",
        caption="Points forgone by a shortlist of the k best by knowledge",
        columns=(*lefts("Operation"), *rights(*(f"k = {size}" for size in sizes))),
        rows=tuple(rows),
    )


def shortlist(found: OperationsResult) -> Table:
    """Return regret and leaders over all operations by size of the shortlist."""
    gaps, lists = Gaps(), found.shortlists
    has_ends = bool(lists.mean_regret_interval)
    rows = [
        (
            num.count(size),
            num.fixed(lists.mean_regret[size - 1], DIGITS),
            *([_span(lists.mean_regret_interval[size - 1], gaps)] if has_ends else []),
            num.share(lists.recovered[size - 1], found.n_operations),
        )
        for size in shown_sizes(found)
    ]
    note = ""
    if lists.within:
        note = f"systems within {lists.within:g} points of the cut stay in the shortlist"
    return Table(
        key="shortlists",
        caption="Shortlists by knowledge, over all operations",
        columns=rights(
            "k", "Mean regret", *(["Interval"] if has_ends else []), "Leaders recovered"
        ),
        rows=tuple(rows),
        notes=gaps.notes(note),
    )


def matrix(found: OperationsResult) -> Table:
    """Return Spearman's rho of every pair of operations."""
    gaps, given = Gaps(), found.agreement
    return Table(
        key="operation-matrix",
        caption=f"Spearman correlation of operations over {given.n_systems} systems",
        columns=(
            *lefts("Operation"),
            *rights(*(str(at + 1) for at in range(len(given.operations)))),
        ),
        rows=tuple(
            (f"{at + 1} {spelled(name)}", *(_rho(value, gaps) for value in given.matrix[at]))
            for at, name in enumerate(given.operations)
        ),
        notes=gaps.notes(),
    )


def components(found: OperationsResult) -> Table | None:
    """Return the shares of the eigenvalues; None where the matrix has gaps."""
    given = found.agreement
    if not given.explained:
        return None
    shown = list(zip(given.eigenvalues, given.explained, given.cumulative, strict=True))
    return Table(
        key="spectrum",
        caption="Eigenvalues of the correlation matrix",
        columns=rights("Component", "Eigenvalue", "Share, %", "Cumulative, %"),
        rows=tuple(
            (str(at), num.fixed(value, 3), num.fixed(100 * share, 1), num.fixed(100 * total, 1))
            for at, (value, share, total) in enumerate(shown[:SHOWN_COMPONENTS], start=1)
        ),
    )


def near_pairs(found: OperationsResult) -> Table | None:
    """Return near pairs of systems with the widest profile gaps; None without any."""
    given = found.profiles
    if not given.near_pairs:
        return None
    return Table(
        key="near-pairs",
        caption=f"Systems within {given.near:g} points of knowledge, widest profile gaps",
        columns=(*lefts("System", "System"), *rights("Knowledge", "Profile gap")),
        rows=tuple(
            (
                num.shortened(pair.left),
                num.shortened(pair.right),
                num.fixed(pair.knowledge, DIGITS),
                num.fixed(pair.gap, 1),
            )
            for pair in given.near_pairs[:SHOWN_PAIRS]
        ),
    )


def rules(found: OperationsResult) -> Table | None:
    """Return selection under each scoring rule; None with fewer than two rules."""
    if len(found.rules) < 2:
        return None
    gaps = Gaps()
    rows = [
        (
            num.shortened(rule.rule, 40),
            num.listed([num.shortened(name, 24) for name in rule.knowledge_leaders], 1),
            num.fixed(rule.mean_regret, DIGITS),
            num.share(rule.recovered, len(rule.operations)),
            num.count(rule.all_recovered_at),
            _rho(rule.mean_correlation, gaps),
        )
        for rule in found.rules
    ]
    return Table(
        key="operation-rules",
        caption="Selection under every scoring rule",
        columns=(
            *lefts("Rule", "Knowledge leader"),
            *rights("Mean regret", "Leads", "All recovered at", "Mean rho"),
        ),
        rows=tuple(rows),
        notes=gaps.notes(
            "Mean regret: of the knowledge leader, over operations. Mean rho: over pairs of "
            "operations"
        ),
    )


def rule_costs(found: OperationsResult) -> Table | None:
    """Return regret of the knowledge leader by rule and operation; None with fewer than two."""
    if len(found.rules) < 2:
        return None
    gaps = Gaps()
    names = [row.operation for row in found.operations]
    rows = []
    for rule in found.rules:
        costs = {row.operation: row for row in rule.operations}
        cells = [
            f"{num.fixed(costs[name].cost, DIGITS)} "
            f"({num.listed([num.shortened(one, 20) for one in costs[name].leaders], 1)})"
            if name in costs
            else gaps.dash("fewer than two systems have verdicts")
            for name in names
        ]
        rows.append((num.shortened(rule.rule, 40), *cells))
    return Table(
        key="operation-rule-costs",
        caption="Regret of the knowledge leader, and who leads, under every scoring rule",
        columns=lefts("Rule", *(spelled(name) for name in names)),
        rows=tuple(rows),
        notes=gaps.notes(),
    )


def profile(found: OperationsResult) -> Table | None:
    """Return the percentile profiles; None with fewer than two systems."""
    if not found.profiles.rows:
        return None
    names = found.profiles.operations
    return Table(
        key="profiles",
        caption="Percentile of each system within each operation, 100 for the best",
        columns=(*lefts("System"), *rights(*(spelled(name) for name in names))),
        rows=tuple(
            (num.shortened(row.system), *(num.fixed(value, 0) for value in row.percentiles))
            for row in found.profiles.rows
        ),
    )


def scores(found: OperationsResult) -> Table:
    """Return the scores, by knowledge."""
    gaps = Gaps()
    return Table(
        key="operation-scores",
        caption=f"Scores ({found.unit})",
        columns=(
            *lefts("System"),
            *rights("Knowledge", *(spelled(row.operation) for row in found.operations)),
        ),
        rows=tuple(
            (
                num.shortened(row.system) + (" †" if row.is_evaluator else ""),
                _number(row.knowledge, gaps),
                *(_number(value, gaps) for value in row.scores),
            )
            for row in found.systems
        ),
        notes=gaps.notes("† judged some of the operations" if found.evaluators else ""),
    )


def associations(ask: AskComparison) -> Table:
    """Return how static scores go with metrics on ask or proceed."""
    gaps = Gaps()
    return Table(
        key="ask-association",
        caption=f"Spearman correlation with ask or proceed, over {ask.n_systems} systems",
        columns=(*lefts("Score"), *rights("BAcc", "ERA", "CRA")),
        rows=tuple(
            (spelled(row.score), _rho(row.bacc, gaps), _rho(row.era, gaps), _rho(row.cra, gaps))
            for row in ask.associations
        ),
        breaks=(len(ask.associations) - 1,),
        notes=gaps.notes(
            "BAcc: agreement with the recorded action, balanced. ERA: alignment of requests over "
            "all ask states. CRA: the same where the system asked"
        ),
    )


def standings(ask: AskComparison) -> Table:
    """Return the ranks of each system by action agreement and by alignment."""
    gaps = Gaps()
    return Table(
        key="ask-standings",
        caption="Action agreement beside request alignment",
        columns=(
            *lefts("System"),
            *rights("ERA", "Rank", "BAcc", "Rank", "Places", "Ask recall", "Proceed recall"),
        ),
        rows=tuple(
            (
                num.shortened(row.system),
                num.fixed(row.era, DIGITS),
                num.count(row.era_rank),
                num.fixed(row.bacc, DIGITS),
                num.count(row.bacc_rank),
                num.signed(row.displacement),
                _number(row.ask_recall, gaps),
                _number(row.proceed_recall, gaps),
            )
            for row in ask.rows
        ),
        notes=gaps.notes("Places: how many places better by alignment than by agreement"),
    )
