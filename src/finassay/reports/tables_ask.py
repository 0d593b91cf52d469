"""Tables on asking or going on.  In: a report.  Out: tables, in reading order."""

from __future__ import annotations

from finassay.analyses.ask.metrics import REQUEST_METRICS
from finassay.analyses.results_ask import AskReport, AskRow, AskScores, AskStates, CostCurves
from finassay.analyses.results_ask_printed import PrintedCheck
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, grouped, lefts, rights

FIELDS = {
    "ERA": "era",
    "BAcc": "bacc",
    "AskR": "ask_recall",
    "ProceedR": "proceed_recall",
    "RAA": "raa",
    "CRA": "cra",
    "DEH": "deh",
    "REH": "reh",
}
"""Metric -> field of `AskScores`, in the order of the published table."""

EVALUATOR = " †"
NO_REQUEST = "a reference policy makes no request"
NEVER_ASKED = "the system asks at no ask state"
NOT_PRINTED = "the table prints no value"
NO_STATES = "there are no such states"


def ask_tables(report: AskReport) -> list[Table]:
    """Return the tables of a report."""
    tables = [scores(report)]
    if any(row.intervals for row in report.rows):
        tables += [intervals(report), weights(report), counts(report)]
    tables += [ranks(report), asymmetry(report), correlations(report)]
    tables += [costs(report, curves) for curves in report.costs]
    if report.printed is not None:
        tables.append(identities(report.printed))
        if report.printed.columns:
            tables.append(printing(report.printed))
    tables.append(findings(report))
    return [table for table in tables if table.rows]


def _one_note(text: str) -> tuple[str, ...]:
    return (num.sentence(text),)


def shown_name(row: AskRow) -> str:
    """Return the name of a row, marked where it evaluated the requests."""
    return num.shortened(row.system) + (EVALUATOR if row.is_evaluator else "")


def value_of(given: AskScores, metric: str) -> float | None:
    """Return one metric."""
    value: float | None = getattr(given, FIELDS[metric])
    return value


def rate(report: AskReport, row: AskRow, metric: str, gaps: Gaps) -> str:
    """Return a metric in % with two decimals, or a dash with the reason."""
    value = value_of(row.scores, metric)
    if value is not None:
        return num.fixed(100 * value, 2)
    if row.is_policy and metric in REQUEST_METRICS:
        return gaps.dash(NO_REQUEST)
    if report.source == "table":
        return gaps.dash(NOT_PRINTED)
    return gaps.dash(NEVER_ASKED if metric == "CRA" else NO_STATES)


def scores(report: AskReport) -> Table:
    """Return the eight metrics of every system, reference policies last."""
    gaps = Gaps()

    def cells(row: AskRow) -> tuple[str, ...]:
        return shown_name(row), *(rate(report, row, metric, gaps) for metric in FIELDS)

    systems = [cells(row) for row in report.rows if not row.is_policy]
    rows, breaks = grouped(systems, [cells(row) for row in report.rows if row.is_policy])
    marked = any(row.is_evaluator for row in report.rows)
    size = ""
    if report.n_ask is not None and report.n_proceed is not None:
        size = f" on {num.count(report.n_ask)} ask and {num.count(report.n_proceed)} proceed states"
    return Table(
        key="ask-scores",
        caption=f"Asking and going on, in %{size}; alignment: {num.clean(report.alignment)}",
        columns=(*lefts("System"), *rights(*FIELDS)),
        rows=rows,
        breaks=breaks,
        notes=gaps.notes(
            "† evaluated the requests; shown, and compared with nobody" if marked else "",
            "ERA: alignment of requests over ask states; BAcc: mean of AskR and ProceedR; RAA: "
            "share of recorded actions; CRA: alignment where the system asks; DEH, REH: share of "
            "ask states with a direct, and at least a partial, request",
        ),
    )


def intervals(report: AskReport) -> Table:
    """Return the intervals of the main metrics, trajectories drawn as wholes."""
    gaps = Gaps()
    shown = ("ERA", "BAcc", "AskR", "ProceedR", "RAA", "CRA")
    rows = []
    for row in report.rows:
        if not row.intervals:
            continue
        by_metric = {one.metric: one for one in row.intervals}
        cells = []
        for metric in shown:
            one = by_metric[metric]
            if one.low is None or one.high is None:
                cells.append(gaps.dash(one.note))
                continue
            mark = gaps.mark(one.note) if one.note else ""
            cells.append(f"{num.span(one.low, one.high, 1000)}{mark}")
        rows.append((shown_name(row), *cells))
    level = f"{100 * report.level:g}%"
    return Table(
        key="ask-intervals",
        caption=f"{level} intervals in %, from {num.count(report.draws)} resamples of trajectories",
        columns=(*lefts("System"), *rights(*shown)),
        rows=tuple(rows),
        notes=gaps.notes("bias-corrected and accelerated bootstrap over whole trajectories"),
    )


def weights(report: AskReport) -> Table:
    """Return state-weighted metrics beside those in which every trajectory counts once."""
    gaps = Gaps()
    shown = ("ERA", "BAcc", "RAA", "CRA")
    rows = []
    for row in report.rows:
        if row.by_trajectory is None:
            continue
        cells = []
        for metric in shown:
            own, other = value_of(row.scores, metric), value_of(row.by_trajectory, metric)
            if own is None or other is None:
                cells.append(gaps.dash(NEVER_ASKED if metric == "CRA" else NO_STATES))
            else:
                cells.append(f"{num.fixed(100 * own, 1)} / {num.fixed(100 * other, 1)}")
        rows.append((shown_name(row), *cells))
    return Table(
        key="ask-weights",
        caption="Every state counts once / every trajectory counts once, in %",
        columns=(*lefts("System"), *rights(*shown)),
        rows=tuple(rows),
        notes=gaps.notes(),
    )


def counts(report: AskReport) -> Table:
    """Return the counts behind the metrics."""
    rows = [
        (
            shown_name(row),
            num.share(row.counts.asked, row.counts.n_ask),
            num.share(row.counts.went_on, row.counts.n_proceed),
            num.count(row.counts.direct),
            num.count(row.counts.partial),
            num.count(row.counts.invalid),
            num.count(row.counts.faulty),
            num.count(row.counts.unaligned),
            num.count(row.counts.failed),
            num.count(row.counts.missing),
        )
        for row in report.rows
        if row.counts is not None
    ]
    return Table(
        key="ask-counts",
        caption="Replies behind the metrics",
        columns=(
            *lefts("System"),
            *rights("Asked", "Went on", "Direct", "Partial", "Invalid", "Faulty request"),
            *rights("No alignment", "No reply", "Not run"),
        ),
        rows=tuple(rows),
        notes=_one_note(
            "Invalid replies name no action, or both, and count against it; a faulty request is "
            "empty, a placeholder, refused or for several items, and earns no alignment.",
        ),
    )


def ranks(report: AskReport) -> Table:
    """Return competition ranks by BAcc, ERA and CRA."""
    gaps = Gaps()
    rows = [
        (
            num.shortened(one.system),
            str(one.era),
            str(one.bacc),
            gaps.dash(NEVER_ASKED) if one.cra is None else str(one.cra),
            num.signed(one.bacc - one.era),
        )
        for one in report.ranks
    ]
    return Table(
        key="ask-ranks",
        caption=f"Ranks of {num.plural(len(rows), 'compared system')} by evidence and by action",
        columns=(*lefts("System"), *rights("ERA", "BAcc", "CRA", "BAcc rank less ERA rank")),
        rows=tuple(rows),
        notes=gaps.notes(),
    )


def asymmetry(report: AskReport) -> Table:
    """Return the gap between both recalls for every compared system."""
    told = report.asymmetry
    scores_by = {row.system: row.scores for row in report.rows}
    rows = []
    for name, gap in told.gaps:
        one = scores_by[name]
        if one.ask_recall is not None and one.proceed_recall is not None:
            both = (num.fixed(100 * x, 2) for x in (one.ask_recall, one.proceed_recall))
            rows.append((num.shortened(name), *both, num.signed(100 * gap, 2)))
    note = ""
    if told.median_gap is not None:
        note = (
            f"median gap {num.signed(100 * told.median_gap, 2)} points; above "
            f"{num.fixed(100 * told.above, 0)} for {told.n_above} of {told.n} systems"
        )
    return Table(
        key="ask-asymmetry",
        caption="Recall of ask states and of proceed states, in %",
        columns=(*lefts("System"), *rights("AskR", "ProceedR", "Gap")),
        rows=tuple(rows),
        notes=_one_note(note) if note else (),
    )


def correlations(report: AskReport) -> Table:
    """Return Spearman's correlations between metrics."""
    gaps = Gaps()
    rows = [
        (
            f"{one.left} and {one.right}",
            str(one.n),
            gaps.dash(one.method) if one.rho is None else num.coefficient(one.rho),
            gaps.dash(one.method) if one.p is None else num.p_value(one.p),
        )
        for one in report.correlations
    ]
    return Table(
        key="ask-correlations",
        caption="Rank correlation of metrics over the compared systems (Spearman)",
        columns=(*lefts("Metrics"), *rights("n", "rho", "p")),
        rows=tuple(rows),
        notes=gaps.notes(),
    )


MISS = {
    "action": "a miss is an ask state on which nothing is asked",
    "evidence": "a miss is an ask state whose need is not met (1 - ERA)",
}


def costs(report: AskReport, curves: CostCurves) -> Table:
    """Return which system is cheapest at which price of a miss."""
    rows = tuple(
        (
            f"{num.fixed(one.low, 3)} to {num.fixed(one.high, 3)}",
            f"{_ratio(one.low)} to {_ratio(one.high)}",
            num.listed((num.shortened(name) for name in one.systems), 4),
        )
        for one in curves.segments
    )
    return Table(
        key=f"ask-costs-{curves.miss}",
        caption=(
            f"Cheapest system by price; {MISS[curves.miss]}, ask states are "
            f"{num.percent(curves.ask_share, 1000)}% of {num.clean(report.name)}"
        ),
        columns=(
            *rights("Price share of a miss", "A miss costs, in needless stops"),
            *lefts("Cheapest"),
        ),
        rows=rows,
        notes=_one_note(
            "The price share of a miss is its price over the sum of both prices; a needless stop "
            "is a proceed state at which the system does not go on.",
        ),
    )


def _ratio(price_share: float) -> str:
    """Return a price share as "times the other price"."""
    if price_share >= 1.0:
        return "any"
    return num.fixed(price_share / (1.0 - price_share), 2)


def identities(check: PrintedCheck) -> Table:
    """Return the identities of a printed table."""
    gaps = Gaps()
    rows = tuple(
        (
            one.identity,
            num.share(one.n_within, one.n),
            gaps.dash("no row prints all") if one.worst is None else num.fixed(100 * one.worst, 4),
            num.share(one.n_rounded, one.n),
            num.share(one.n_cut, one.n),
            num.listed((num.shortened(name) for name in one.broken), 4) or "none",
        )
        for one in check.identities
    )
    unit = f"{100 * check.unit:g}"
    return Table(
        key="ask-identities",
        caption="Identities of the metrics on the printed numbers",
        columns=(
            *lefts("Identity"),
            *rights(f"Within {unit}", "Largest distance", "If rounded", "If cut"),
            *lefts("Broken in"),
        ),
        rows=rows,
        notes=gaps.notes(
            "if rounded, if cut: rows for which exact values exist that satisfy the identity and "
            "print as the row does"
        ),
    )


def printing(check: PrintedCheck) -> Table:
    """Return how each column was shortened."""
    rows = tuple(
        (
            one.metric,
            num.share(one.n_rounded, one.n),
            num.share(one.n_cut, one.n),
            one.printing,
            num.listed((num.shortened(name) for name in one.apart), 4) or "none",
        )
        for one in check.columns
    )
    how = {"given": "as stated", "found": "found from the digits", "unknown": "unknown"}
    return Table(
        key="ask-printing",
        caption=(
            f"Rounded or cut: each cell against the only counts of {check.n_ask} ask and "
            f"{check.n_proceed} proceed states ({how[check.counts_from]}) that its row allows"
        ),
        columns=(*lefts("Metric"), *rights("Rounded", "Cut"), *lefts("So", "Apart")),
        rows=rows,
        notes=_one_note(
            f"CRA is the printed ERA over the exact ask recall, rounded, in "
            f"{num.share(check.n_cra_from_era, check.n_cra)} rows.",
        ),
    )


def findings(report: AskReport) -> Table:
    """Return the findings, most severe first."""
    return Table(
        key="findings",
        caption="Findings",
        columns=lefts("Severity", "Finding", "Evidence"),
        rows=tuple(
            (one.severity, num.clean(one.title), num.sentence(one.evidence))
            for one in report.findings
        ),
    )


def states_table(found: AskStates) -> Table:
    """Return how many states were kept, and why others were not."""
    kept = f"{found.n_ask + found.n_proceed} of {found.n_read}"
    rows = (
        ("kept", kept),
        ("kept: ask", num.count(found.n_ask)),
        ("kept: proceed", num.count(found.n_proceed)),
        ("trajectories", num.count(found.n_trajectories)),
        *((f"dropped: {reason.replace('_', ' ')}", num.count(n)) for reason, n in found.dropped),
    )
    return Table(
        key="ask-states",
        caption=f"States of {num.clean(found.file)}",
        columns=(*lefts("What"), *rights("States")),
        rows=rows,
        notes=tuple(
            num.sentence(f"{state}: {detail}") for state, _, detail in found.states_dropped[:20]
        ),
    )
