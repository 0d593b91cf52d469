"""Findings on asking or going on.  In: a report without them.  Out: what to know first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from finassay.analyses.ask.metrics import ALWAYS_ASK
from finassay.analyses.results_ask import AskFinding, AskReport, AskRow, AskSeverity
from finassay.analyses.results_ask_printed import ColumnPrinting, Printing
from finassay.analyses.wording import fixed, listed, plural

GRAVITY: tuple[AskSeverity, ...] = ("high", "medium", "low", "note")

LARGE = 0.1
"""Difference of ERA, 10 points, from which near systems are worth a finding."""

OFTEN = 0.05
"""Share of replies without an action, or with a faulty request, from which it is told."""

MOST_NAMED = 6

_HOW: dict[Printing, str] = {
    "rounded": "rounded",
    "cut": "cut",
    "either": "rounded or cut, the digits fit both",
    "mixed": "rounded in some rows and cut in others",
    "neither": "neither rounded nor cut from the counts",
    "unknown": "unknown",
}


def ask_findings(report: AskReport) -> tuple[AskFinding, ...]:
    """Return the findings of a report, most severe first."""
    found = [finding for source in _SOURCES for finding in source(report)]
    return tuple(sorted(found, key=lambda finding: GRAVITY.index(finding.severity)))


def _points(share: float) -> str:
    return fixed(100 * share, 2)


def _near(report: AskReport) -> Iterator[AskFinding]:
    pair = report.near_pairs.largest
    if pair is None or pair.era_difference < LARGE:
        return
    yield AskFinding(
        severity="high",
        title="Systems that agree with the record alike differ in what they ask for",
        evidence=(
            f"{pair.high} and {pair.low} lie {_points(pair.bacc_difference)} points apart in BAcc "
            f"and {_points(pair.era_difference)} in ERA, the most of "
            f"{plural(report.near_pairs.n_pairs, 'pair')} within "
            f"{fixed(100 * report.near_pairs.within, 1)} points of BAcc"
        ),
    )


def _asymmetry(report: AskReport) -> Iterator[AskFinding]:
    told = report.asymmetry
    if told.median_gap is None or told.median_gap <= told.above:
        return
    yield AskFinding(
        severity="medium",
        title="Systems repeat recorded questions more readily than recorded steps",
        evidence=(
            f"the median gap between the recalls is {_points(told.median_gap)} points; it is above "
            f"{fixed(100 * told.above, 0)} for {told.n_above} of {told.n} systems, and ask recall "
            f"is the higher for {told.n_ask_higher}"
        ),
    )


def _policy(report: AskReport) -> Iterator[AskFinding]:
    always = next((row for row in report.rows if row.system == ALWAYS_ASK), None)
    rows = [row for row in report.rows if not row.is_policy and row.scores.raa is not None]
    if always is None or always.scores.raa is None or not rows:
        return
    level = always.scores.raa
    # A printed number may lie half a unit of its last digit away from the exact one.
    slack = 0.0 if report.printed is None else report.printed.unit / 2
    below = [row for row in rows if (row.scores.raa or 0.0) < level - slack]
    if 2 * len(below) > len(rows):
        yield AskFinding(
            severity="medium",
            title="Always asking agrees with the record more often than most systems",
            evidence=(
                f"asking at every state has RAA {_points(level)}, more than {len(below)} of "
                f"{len(rows)} systems; its BAcc is 50, so RAA alone ranks nothing here"
            ),
        )


def _ranks(report: AskReport) -> Iterator[AskFinding]:
    moved = sorted(report.ranks, key=lambda one: -abs(one.bacc - one.era))
    if not moved or abs(moved[0].bacc - moved[0].era) < max(3, len(moved) // 4):
        return
    leader = report.ranks[0]
    yield AskFinding(
        severity="medium",
        title="The ranking by action and the ranking by evidence differ",
        evidence=(
            f"{moved[0].system} is {moved[0].bacc} by BAcc and {moved[0].era} by ERA of "
            f"{len(moved)}; the leader by ERA, {leader.system}, is {leader.bacc} by BAcc"
        ),
    )


def _replies(report: AskReport) -> Iterator[AskFinding]:
    for what, title in (
        ("invalid", "Replies that name no action, or both"),
        ("faulty", "Requests that earn nothing by their form"),
    ):
        often = [
            f"{row.system} {part} of {n}"
            for row in report.rows
            for part, n in [_part(row, what)]
            if n and part / n >= OFTEN
        ]
        if often:
            yield AskFinding(
                severity="medium",
                title=title,
                evidence=f"they stay in the denominator: {listed(often, MOST_NAMED)}",
            )


def _part(row: AskRow, what: str) -> tuple[int, int]:
    if row.counts is None:
        return 0, 0
    n = row.counts.n_ask + row.counts.n_proceed
    return (row.counts.invalid if what == "invalid" else row.counts.faulty), n


def _identities(report: AskReport) -> Iterator[AskFinding]:
    if report.printed is None:
        return
    for check in report.printed.identities:
        if check.broken:
            yield AskFinding(
                severity="high",
                title=f"Printed numbers break {check.identity}",
                evidence=(
                    f"no exact values print so, rounded or cut, in {len(check.broken)} of "
                    f"{plural(check.n, 'row')}: {listed(check.broken, MOST_NAMED)}"
                ),
            )
    held = [check for check in report.printed.identities if check.n and not check.broken]
    if held:
        worst = max(check.worst or 0.0 for check in held)
        told = listed(check.identity for check in held)
        yield AskFinding(
            severity="note",
            title="The identities of the metrics hold on the printed numbers",
            evidence=f"{told}: largest distance {fixed(100 * worst, 4)} points",
        )


def _sizes(report: AskReport) -> Iterator[AskFinding]:
    check = report.printed
    if check is None or check.counts_from != "found":
        return
    yield AskFinding(
        severity="note",
        title="The digits tell how many states there are",
        evidence=(
            f"{check.n_ask} ask states and {check.n_proceed} proceed states are the fewest of "
            f"which every printed share can be a share"
        ),
    )


def _printing(report: AskReport) -> Iterator[AskFinding]:
    check = report.printed
    if check is None or not check.columns:
        return
    mixed = {column.printing for column in check.columns} - {"either", "unknown"}
    yield AskFinding(
        severity="low" if len(mixed) > 1 or "neither" in mixed else "note",
        title="How the printed numbers were shortened",
        evidence="; ".join(_column_words(column) for column in check.columns),
    )
    if check.n_cra and check.n_cra_from_era == check.n_cra:
        column = next(one for one in check.columns if one.metric == "CRA")
        if column.printing == "neither":
            yield AskFinding(
                severity="low",
                title="CRA was computed from ERA after ERA had been shortened",
                evidence=(
                    f"in {check.n_cra_from_era} of {plural(check.n_cra, 'row')} CRA is the printed "
                    f"ERA over the exact ask recall, rounded; from the counts it would differ in "
                    f"{plural(len(column.apart), 'row')}"
                ),
            )


def _column_words(column: ColumnPrinting) -> str:
    usual = "rounded" if column.n_rounded >= column.n_cut else "cut"
    if column.printing == "mixed":
        return f"{column.metric} {usual}, but not in {listed(column.apart, MOST_NAMED)}"
    if column.printing == "neither":
        return f"{column.metric} neither in {plural(len(column.apart), 'row')} of {column.n}"
    return f"{column.metric} {_HOW[column.printing]}"


_SOURCES: tuple[Callable[[AskReport], Iterator[AskFinding]], ...] = (
    _near,
    _identities,
    _asymmetry,
    _policy,
    _ranks,
    _replies,
    _printing,
    _sizes,
)
