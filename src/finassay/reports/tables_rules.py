"""Tables of what changes when only the rule changes.  In: results about rules.  Out: tables."""

from __future__ import annotations

from finassay.analyses.results import (
    Correlation,
    CountRate,
    OverturnRow,
    OverturnTable,
    RankRecognition,
    RegimeComparison,
    ReportedOverturn,
    RuleAgreement,
    ThresholdAblation,
)
from finassay.reports import numbers as num
from finassay.reports.table import Column, Gaps, Table, grouped, lefts, rights
from finassay.reports.tables_scores import POLICY_WORDS, policy_note, rate

TOO_FEW = "fewer than two systems, or a column is constant"


def regimes(comparison: RegimeComparison, names: dict[str, str]) -> Table:
    """Return accuracy and rank of each system under each regime, and how far it moves."""
    gaps = Gaps()
    convention = comparison.rank_convention
    found = {(r.regime, s.system): s for r in comparison.regimes for s in r.scores}
    order = [s.system for s in comparison.regimes[0].scores] if comparison.regimes else []
    rows = []
    for system in order:
        scores = [found[regime.regime, system] for regime in comparison.regimes]
        ranks = [score.ranks.under(convention) for score in scores]
        cells = [
            cell
            for score, rank in zip(scores, ranks, strict=True)
            for cell in (rate(score.estimate, gaps), num.rank(rank))
        ]
        rows.append(
            (names[system], *cells, _shift(ranks[-1] - ranks[0]), num.rank(max(ranks) - min(ranks)))
        )
    headers = [h for r in comparison.regimes for h in (f"{num.clean(r.regime)}, %", "Rank")]
    return Table(
        key="regimes",
        caption=f"The same predictions under {num.plural(len(comparison.regimes), 'regime')}, "
        f"{num.plural(comparison.n_items, 'item')}",
        columns=(*lefts("System"), *rights(*headers, "Shift, first to last", "Widest move")),
        rows=tuple(rows),
        notes=gaps.notes(
            f"Ranks: {convention}. A positive shift is a fall. {policy_note(comparison.policy)}",
            *comparison.warnings,
        ),
    )


def _shift(value: float) -> str:
    return num.signed(value, 0 if float(value).is_integer() else 1)


def regime_spread(comparison: RegimeComparison, names: dict[str, str]) -> Table:
    """Return who leads and trails each regime, and the range into which the field falls."""
    gaps = Gaps()
    n = comparison.n_items

    def shown(value: float | None) -> str:
        return gaps.dash("no systems") if value is None else num.percent(value, n)

    rows = tuple(
        (
            num.clean(regime.regime),
            num.listed(names[name] for name in regime.leaders),
            num.listed(names[name] for name in regime.trailers),
            shown(regime.low),
            shown(regime.high),
            shown(regime.spread),
            "; ".join(f"{num.clean(f)}: {num.clean(s)}" for f, s in regime.decided_by)
            or gaps.dash("not stated"),
        )
        for regime in comparison.regimes
    )
    return Table(
        key="regime-spread",
        caption="First and last system under each regime",
        columns=(
            *lefts("Regime", "First", "Last"),
            *rights("Lowest, %", "Highest, %", "Spread, points"),
            *lefts("Decided by"),
        ),
        rows=rows,
        notes=gaps.notes(),
    )


def correlations(pairs: tuple[Correlation, ...], *, key: str, caption: str) -> Table | None:
    """Return rank correlations of pairs of rules; None without pairs."""
    if not pairs:
        return None
    gaps = Gaps()

    def value(number: float | None) -> str:
        return gaps.dash(TOO_FEW) if number is None else num.coefficient(number)

    def p(number: float | None) -> str:
        return gaps.dash(TOO_FEW) if number is None else num.p_value(number)

    rows = tuple(
        (
            f"{num.clean(pair.left)} × {num.clean(pair.right)}",
            num.count(pair.n),
            value(pair.spearman),
            p(pair.spearman_p),
            value(pair.kendall),
            p(pair.kendall_p),
        )
        for pair in pairs
    )
    methods = dict.fromkeys(
        text
        for pair in pairs
        for text in (
            f"Spearman: {pair.spearman_method}." if pair.spearman_method else "",
            f"Kendall: {pair.kendall_method}." if pair.kendall_method else "",
        )
    )
    return Table(
        key=key,
        caption=caption,
        columns=(*lefts("Pair"), *rights("Systems", "Spearman rho", "p", "Kendall tau-b", "p")),
        rows=rows,
        notes=gaps.notes(*methods),
    )


def moves(comparison: RegimeComparison) -> Table | None:
    """Return how many systems move at least k ranks, by convention; None without counts."""
    if not comparison.moves:
        return None
    conventions = [name for name, _ in comparison.moves[0].counts]
    rows = tuple(
        (
            " × ".join(num.clean(name) for name in move.regimes),
            num.count(move.at_least),
            *(f"{num.count(k)} of {num.count(move.n)}" for _, k in move.counts),
            "yes" if move.depends_on_convention else "no",
        )
        for move in comparison.moves
    )
    return Table(
        key="moves",
        caption="Systems that move at least so many ranks, by convention for ties",
        columns=(
            *lefts("Regimes"),
            *rights("At least", *(name.capitalize() for name in conventions)),
            *lefts("Depends on the convention"),
        ),
        rows=rows,
    )


def _count_rate(rate_: CountRate, gaps: Gaps) -> str:
    if rate_.rate is None:
        return gaps.dash("no such items")
    return f"{num.percent(rate_.rate, rate_.n)} ({num.share(rate_.k, rate_.n)})"


def _interval(rate_: CountRate, gaps: Gaps) -> str:
    if rate_.low is None or rate_.high is None:
        return gaps.dash("no such items")
    return num.span(rate_.low, rate_.high, rate_.n)


def _overturn_row(row: OverturnRow, shown: str, gaps: Gaps) -> tuple[str, ...]:
    accuracies = (row.rule, row.judge_only, row.augmented)
    return (
        shown,
        num.count(row.n_shared),
        _count_rate(row.overturned, gaps),
        _interval(row.overturned, gaps),
        _count_rate(row.rejected, gaps),
        _interval(row.rejected, gaps),
        *(
            gaps.dash("no verdict") if part.rate is None else num.percent(part.rate, part.n)
            for part in accuracies
        ),
        num.count(row.n_unscored),
        num.count(row.n_failed + row.n_not_applicable),
    )


def _reported_overturn(row: ReportedOverturn, shown: str, gaps: Gaps) -> tuple[str, ...]:
    unknown = gaps.dash("not told by the counts that were reported")
    return (
        f"{shown} (as reported){gaps.mark(': '.join(filter(None, (row.source, row.note))))}",
        num.count(row.overturned.n + row.rejected.n),
        _count_rate(row.overturned, gaps),
        _interval(row.overturned, gaps),
        _count_rate(row.rejected, gaps),
        _interval(row.rejected, gaps),
        *([unknown] * 5),
    )


def overturns(result: OverturnTable, names: dict[str, str]) -> Table:
    """Return where the judge disagrees with the rule, in both directions."""
    gaps = Gaps()
    ends = f"{100 * result.level:g}% interval"
    systems = [_overturn_row(row, names[row.system], gaps) for row in result.rows]
    pooled = [_overturn_row(result.pooled, "Pooled", gaps)]
    apart = [_reported_overturn(row, names[row.system], gaps) for row in result.reported]
    rows, breaks = grouped(systems, pooled, apart)
    return Table(
        key="overturns",
        caption=f"{num.clean(result.judge)} against {num.clean(result.rule)}, % (k / n)",
        columns=(
            *lefts("System"),
            *rights("Shared", "Overturned", ends, "Rejected", ends),
            *rights("Rule, %", "Judge only, %", "Either, %", "Unscored", "Outside n"),
        ),
        rows=rows,
        breaks=breaks,
        notes=gaps.notes(
            "Overturned: wrong by the rule, right by the judge. Rejected: right by the rule, "
            "wrong by the judge. Outside n: failed or not applicable, for the rule or the judge.",
            result.method,
            *result.warnings,
        ),
    )


def thresholds(result: ThresholdAblation, names: dict[str, str]) -> Table:
    """Return accuracy (rank) of each system at each threshold."""
    gaps = Gaps()
    found = {(cell.system, cell.threshold): cell for cell in result.cells}

    def cell(system: str, threshold: float) -> str:
        at = found.get((system, threshold))
        if at is None:
            return gaps.dash("not marked at this threshold")
        text = rate(at.estimate, gaps)
        if at.ranks is None:
            return text
        return f"{text} ({num.rank(at.ranks.under(result.rank_convention))})"

    return Table(
        key="thresholds",
        caption="Accuracy in % (rank) as one threshold of the rule moves",
        columns=(
            *lefts("System"),
            *(Column(f"{t:g}, base" if t == result.base else f"{t:g}") for t in result.thresholds),
        ),
        rows=tuple((names[s], *(cell(s, t) for t in result.thresholds)) for s in result.systems),
        notes=gaps.notes(
            f"Ranks: {result.rank_convention}; {POLICY_WORDS[result.policy]}.",
            result.method,
            *result.warnings,
        ),
    )


def threshold_changes(result: ThresholdAblation) -> Table:
    """Return how many verdicts each threshold turns, against the base threshold."""
    rows = []
    for threshold in result.thresholds:
        cells = [cell for cell in result.cells if cell.threshold == threshold]
        accepted = sum(len(cell.newly_accepted) for cell in cells)
        rejected = sum(len(cell.newly_rejected) for cell in cells)
        total = sum(cell.estimate.n for cell in cells)
        rows.append(
            (
                f"{threshold:g}",
                num.count(accepted),
                num.count(rejected),
                num.signed(accepted - rejected),
                num.count(total),
            )
        )
    return Table(
        key="threshold-changes",
        caption=f"Verdicts turned against the base threshold {result.base:g}, all systems",
        columns=(
            *lefts("Threshold"),
            *rights("Newly right", "Newly wrong", "Net", "Verdicts"),
        ),
        rows=tuple(rows),
    )


def agreement(result: RuleAgreement, names: dict[str, str]) -> Table:
    """Return mismatches of each rule with the stored verdicts of each system."""
    gaps = Gaps()
    stored = num.clean(result.stored)
    found = {(d.system, d.scorer): d for d in result.distances}
    common_n = {d.n for d in result.distances}

    def cell(system: str, scorer: str) -> str:
        at = found.get((system, scorer))
        if at is None or at.n == at.n_one_sided:
            return gaps.dash("no item that both scored")
        return num.count(at.mismatches) if len(common_n) == 1 else num.share(at.mismatches, at.n)

    rows = tuple(
        (
            names[row.system],
            *(cell(row.system, scorer) for scorer in result.scorers),
            num.listed(num.clean(name) for name in row.best),
            "differs" if row.is_outlier else "same as the rest",
        )
        for row in result.systems
    )
    over = f" (of {num.plural(next(iter(common_n)), 'item')})" if len(common_n) == 1 else " (k / n)"
    return Table(
        key="agreement",
        caption=f"Mismatches of each rule with the {stored} verdicts{over}",
        columns=(
            *lefts("System"),
            *(Column(num.clean(scorer)) for scorer in result.scorers),
            *lefts("Closest rule", "Against the rest"),
        ),
        rows=rows,
        notes=gaps.notes(result.method, *result.warnings),
    )


def recognition(results: tuple[RankRecognition, ...]) -> Table | None:
    """Return which convention reproduces each printed column of ranks; None without columns."""
    if not results:
        return None
    gaps = Gaps()
    rows = []
    for result in results:
        claimed = result.claimed or gaps.dash("the source names none")
        holds = "yes" if result.claim_holds else "no"
        if result.claim_holds is None:
            holds = gaps.dash("the source names none")
        wrong = [
            f"{num.shortened(c.row, 28)}: {num.rank(c.printed_rank)}, "
            f"not {num.rank(c.expected_rank)}"
            for fit in result.fits
            if fit.convention == result.claimed
            for c in fit.contradictions
        ]
        rows.append(
            (
                f"{num.clean(result.source)}, {num.clean(result.column)}",
                num.count(result.n),
                "yes" if result.has_ties else "no",
                claimed,
                num.listed(result.reproduces) or "none",
                holds,
                "; ".join(wrong) or "none",
            )
        )
    return Table(
        key="recognition",
        caption="Printed ranks: which convention for ties reproduces them",
        columns=(
            *lefts("Column"),
            *rights("Rows"),
            *lefts("Ties", "Claimed", "Reproduced by", "Claim holds", "Contradictions"),
        ),
        rows=tuple(rows),
        notes=gaps.notes(),
    )
