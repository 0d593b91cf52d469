"""Asking or going on as pages.  In: a report, outcomes and a directory.  Out: HTML files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from finassay.analyses.results_ask import AskFinding, AskReport, CostCurves
from finassay.marking.ask_outcomes import AskOutcomes
from finassay.reports import figures_ask
from finassay.reports import numbers as num
from finassay.reports.ask_cases import cases_page
from finassay.reports.drawings import Figure
from finassay.reports.html import page
from finassay.reports.outline import Link, Report
from finassay.reports.rooms import Part, Room
from finassay.reports.table import Table
from finassay.reports.tables_ask import MISS, ask_tables
from finassay.reports.write import write_texts

PAGE = "ask.html"
CASES = "ask-cases.html"

SCORES_TEXT = (
    "ERA follows the whole way to the evidence: a system must ask where the record asks, and ask "
    "for what was missing."
)
COSTS_TEXT = (
    "A needless question and a missed one have different prices, and which system is best depends "
    "on them. Crossing points are exact."
)
PRINTED_TEXT = (
    "A number printed with two decimals stands for an interval: around itself if it was rounded, "
    "above itself if it was cut. Both are tried on every row."
)


def write_ask(
    report: AskReport, directory: str | os.PathLike[str], cases: AskOutcomes | None = None
) -> tuple[Path, ...]:
    """Return the paths of the files written: ask.html, and ask-cases.html where cases are given.

    Everything is rendered before the first file is written, and each file is written aside and
    renamed.

    Args:
        report: what was measured.
        directory: made when it does not exist.
        cases: outcomes whose replies are shown; None where no text may be shown.

    Raises:
        UsageError: `directory` is a file.
    """
    texts = {PAGE: page(ask_report_page(report, has_cases=cases is not None), ask_figures(report))}
    if cases is not None:
        texts[CASES] = cases_page(cases, report)
    return write_texts(texts, directory)


def ask_report_page(report: AskReport, *, has_cases: bool = False) -> Report:
    """Return the report in reading order."""
    made = {table.key: table for table in ask_tables(report)}
    more = f" Every case with its reply stands in {CASES}." if has_cases else ""
    return Report(
        title=f"Ask or proceed: {num.shortened(report.name)}",
        facts=_facts(report),
        strip=tuple(_link(one) for one in report.findings),
        rooms=_rooms(report, made, more),
        tables=made,
        commands=(),
        warnings=tuple(num.clean(warning) for warning in report.warnings),
    )


def _facts(report: AskReport) -> tuple[tuple[str, str], ...]:
    found = [("Systems compared", num.count(len(report.compared)))]
    if report.n_ask is not None and report.n_proceed is not None:
        found += [
            ("Ask states", num.count(report.n_ask)),
            ("Proceed states", num.count(report.n_proceed)),
        ]
    trajectories = [row.counts.n_trajectories for row in report.rows if row.counts is not None]
    if trajectories:
        found.append(("Trajectories", num.count(max(trajectories))))
    return tuple(found)


def _link(finding: AskFinding) -> Link:
    text = f"{num.clean(finding.title)}: {num.sentence(finding.evidence)}"
    words = finding.title.casefold()
    where = ("s-scores", "Metrics")
    if "ask for" in words:
        where = ("s-era", "Recall and alignment")
    elif "readily" in words:
        where = ("s-recall", "Both recalls")
    elif "ranking" in words:
        where = ("s-ranks", "Ranks")
    elif any(word in words for word in ("printed", "identities", "digits", "cra was")):
        where = ("s-printed", "The printed numbers")
    return Link(text=text[0].upper() + text[1:], anchor=where[0], label=where[1])


def _rooms(report: AskReport, made: dict[str, Table], more: str) -> tuple[Room, ...]:
    rooms = [_scores_room(report, made, more), _comparisons_room(report, made)]
    if report.costs:
        parts = [
            Part(
                anchor=f"s-costs-{curves.miss}",
                heading=num.sentence(MISS[curves.miss]).rstrip("."),
                figures=(f"fig-ask-costs-{curves.miss}",),
                tables=_known(made, f"ask-costs-{curves.miss}"),
            )
            for curves in report.costs
            if curves.segments
        ]
        opening = Part(
            anchor="s-costs",
            text=(COSTS_TEXT,),
        )
        rooms.append(Room(anchor="costs", heading="Costs", parts=(opening, *parts)))
    if report.printed is not None:
        printed = Part(
            anchor="s-printed",
            text=(PRINTED_TEXT,),
            tables=_known(made, "ask-identities", "ask-printing"),
        )
        rooms.append(Room(anchor="printed", heading="The printed numbers", parts=(printed,)))
    return tuple(rooms)


def _known(made: dict[str, Table], *keys: str) -> tuple[str, ...]:
    return tuple(key for key in keys if key in made)


def _scores_room(report: AskReport, made: dict[str, Table], more: str) -> Room:
    text = (
        f"{SCORES_TEXT}{more}",
        *(num.sentence(warning) for warning in report.warnings),
    )
    return Room(
        anchor="scores",
        heading="Metrics",
        parts=(
            Part(anchor="s-scores", text=text, tables=_known(made, "ask-scores", "ask-counts")),
            Part(
                anchor="s-intervals",
                heading="Intervals and weights",
                tables=_known(made, "ask-intervals", "ask-weights"),
            ),
        )
        if "ask-intervals" in made
        else (Part(anchor="s-scores", text=text, tables=_known(made, "ask-scores")),),
    )


def _comparisons_room(report: AskReport, made: dict[str, Table]) -> Room:
    parts = (
        Part(
            anchor="s-era",
            heading="Recall and alignment",
            figures=("fig-ask-era",),
            text=(_near_words(report),),
        ),
        Part(
            anchor="s-recall",
            heading="Both recalls",
            figures=("fig-ask-recall",),
            folded=_folded(made, "Recalls and gaps", "ask-asymmetry"),
        ),
        Part(
            anchor="s-ranks",
            heading="Ranks by action and by evidence",
            figures=("fig-ask-ranks",),
            folded=(
                *_folded(made, "All ranks", "ask-ranks"),
                *_folded(made, "Rank correlations", "ask-correlations"),
            ),
        ),
    )
    return Room(anchor="comparisons", heading="Comparisons", parts=parts)


def _folded(made: dict[str, Table], title: str, key: str) -> tuple[tuple[str, str], ...]:
    return ((title, key),) if key in made else ()


def _near_words(report: AskReport) -> str:
    told = report.near_pairs
    distance = f"{num.fixed(100 * told.within, 1)} points of BAcc"
    if told.largest is None:
        return f"No two systems lie within {distance}."
    return (
        f"{num.plural(told.n_pairs, 'pair')} of {num.count(told.n_all)} lie within {distance}; "
        f"the widest apart in ERA are {num.shortened(told.largest.high)} and "
        f"{num.shortened(told.largest.low)}, {num.fixed(100 * told.largest.era_difference, 2)} "
        f"points."
    )


def ask_figures(report: AskReport) -> dict[str, Figure]:
    """Return every figure that the report has numbers for, by key."""
    made: list[Figure] = []
    if len(figures_ask.charted(report)) > 1:
        made.append(_era_figure(report))
    if report.asymmetry.gaps:
        made.append(_recall_figure(report))
    if len(report.ranks) > 1:
        made.append(_rank_figure(report))
    made += [_cost_figure(curves) for curves in report.costs if curves.segments]
    return {figure.key: figure for figure in made}


def _era_figure(report: AskReport) -> Figure:
    rows = figures_ask.charted(report)
    by_cra = max(rows, key=lambda row: row.scores.cra or 0.0)
    by_era = max(rows, key=lambda row: row.scores.era or 0.0)
    hollow = any(row.system not in report.compared for row in rows)
    return Figure(
        key="fig-ask-era",
        title="Whether a system asks, and whether it asks for the right thing",
        summary=(
            f"Highest ERA: {num.shortened(by_era.system)}; highest alignment where asked: "
            f"{num.shortened(by_cra.system)}."
        ),
        reading=(
            "Dashed lines join points of equal ERA = AskR x CRA. Blue: leaders by ERA, CRA or "
            "BAcc, and the pair near in BAcc that differs most in ERA."
            + (" Hollow: in no comparison." if hollow else "")
            + " Points without room for a name show it on hovering."
        ),
        canvas=figures_ask.era_chart(report),
        tables=("ask-scores",),
    )


def _recall_figure(report: AskReport) -> Figure:
    told = report.asymmetry
    return Figure(
        key="fig-ask-recall",
        title="Recall of ask states and of proceed states",
        summary=(
            f"Median gap {num.signed(100 * (told.median_gap or 0.0), 2)} points; above "
            f"{num.fixed(100 * told.above, 0)} for {told.n_above} of {told.n} systems."
        ),
        reading="Systems by gap. Circle: share of ask states on which the system asks. Square: "
        "share of proceed states on which it goes on.",
        canvas=figures_ask.recall_chart(report),
        tables=("ask-asymmetry",),
    )


def _rank_figure(report: AskReport) -> Figure:
    far = max(report.ranks, key=lambda one: abs(one.bacc - one.era))
    return Figure(
        key="fig-ask-ranks",
        title="Ranks by action agreement and by evidence",
        summary=f"{num.shortened(far.system)} is {far.bacc} by BAcc and {far.era} by ERA.",
        reading="Competition ranks. Blue: at least a quarter of the field better by ERA. Orange, "
        "dashed: as much worse.",
        canvas=figures_ask.rank_chart(report),
        tables=("ask-ranks",),
    )


def _cost_figure(curves: CostCurves) -> Figure:
    return Figure(
        key=f"fig-ask-costs-{curves.miss}",
        title=f"Expected cost per state; {MISS[curves.miss]}",
        summary="Cheapest from the cheapest to the dearest miss: "
        f"{num.listed(_ordered(curves), 6)}.",
        reading="A line a system, labelled where it is cheapest for some price; dotted: prices "
        "at which another becomes the cheapest.",
        canvas=figures_ask.cost_chart(curves),
        tables=(f"ask-costs-{curves.miss}",),
    )


def _ordered(curves: CostCurves) -> Sequence[str]:
    named = (num.shortened(name) for one in curves.segments for name in one.systems)
    return tuple(dict.fromkeys(named))
