"""Rules: what every rule of a grid says, where the numbers come from, and what each rule is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from finassay.analyses.provenance.results import Provenance
from finassay.analyses.results_audit import Audit
from finassay.apps.web.boards import Rules, is_small, rules_of
from finassay.apps.web.desk import Desk, DeskOf
from finassay.apps.web.evidence import Noted, noted
from finassay.apps.web.rendering import render
from finassay.marking.rule_specs import rule_specs
from finassay.reports import numbers as num
from finassay.reports.charts import catalogue
from finassay.reports.charts.chart import Chart
from finassay.reports.html import SEVERITIES
from finassay.reports.outline import DEFINITION
from finassay.reports.outline_multiverse import multiverse_claims, multiverse_facts
from finassay.reports.table import Table
from finassay.reports.tables import shown_names, tables
from finassay.reports.tables_multiverse import multiverse_tables
from finassay.reports.tables_provenance import effect, witnesses

router = APIRouter()


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of the page: a heading, a chart, tables in the open and folded ones.

    Attributes:
        anchor: its id.
        heading: its heading.
        text: what is said before anything is shown; "" for nothing.
        chart: the chart; None without.
        tables: tables in the open.
        folded: tables behind a summary.
    """

    anchor: str
    heading: str
    text: str = ""
    chart: Chart | None = None
    tables: tuple[Table, ...] = ()
    folded: tuple[Table, ...] = ()


@router.get("/rules", response_class=HTMLResponse)
async def rules(
    request: Request, desk: DeskOf, *, start: Annotated[bool, Query()] = False
) -> HTMLResponse:
    """Show what the choice of a rule decides; many replies are marked only when asked to."""
    audit = await desk.audit()
    far = await rules_of(desk, start=start or is_small(audit))
    found = await desk.provenance()
    names = shown_names(audit)
    return render(
        request,
        "rules.html.j2",
        title="Rules",
        definition=DEFINITION,
        far=far,
        n_predictions=audit.n_predictions or 0,
        facts=() if far.found is None else multiverse_facts(far.found),
        claims=() if far.found is None else multiverse_claims(far.found),
        parts_over_rules=await over_rules(desk, far),
        parts_of_audit=await of_audit(desk, audit),
        noted=noted(audit.findings, names),
        traced=traced(found),
        effects=tuple(
            effect(one.effect, at)
            for at, one in enumerate((f for f in found.findings if f.effect), start=1)
            if one.effect is not None
        ),
        specs=await desk.get("rule specs", rule_specs),
    )


async def over_rules(desk: Desk, far: Rules) -> tuple[Part, ...]:
    """Return the parts that need every rule; () while these are computed."""
    found = far.found
    if found is None:
        return ()
    charts = await desk.get("rule charts", lambda _snapshot: catalogue.rule_charts(found))
    made = await desk.get(
        "rule tables",
        lambda _snapshot: multiverse_tables(found, num.short_names(found.systems)),
    )
    return tuple(
        part
        for part in (
            _part("curve", "Accuracy under every rule", charts, made, "rule-choices choice-means"),
            _part("rank-intervals", "Ranks that stay open", charts, made, "rule-ranges rule-pairs"),
            _part("effects", "What moves the score", charts, made, "effects"),
            _open("flips", "The nearest rule that turns an order over", made, "flips"),
            _open("floor", "Rules that agree with people", made, "floor"),
            _part("alike", "Rules that are alike on these replies", charts, made, "alike"),
        )
        if part.chart or part.tables or part.folded
    )


async def of_audit(desk: Desk, audit: Audit) -> tuple[Part, ...]:
    """Return the parts that the audit has numbers for."""
    charts = await desk.get("audit charts", lambda _snapshot: catalogue.audit_charts(audit))
    made = await desk.get("audit tables", lambda _snapshot: tables(audit, no_text=True))
    regimes = "regimes regime-spread correlations moves"
    moved = "thresholds threshold-changes threshold-correlations"
    return tuple(
        part
        for part in (
            _part("reachable", "Extraction freedom", charts, made, "extraction-tally extraction"),
            _part("agreement", "Which rule produced the stored verdicts", {}, made, "agreement"),
            _open("recognition", "Printed ranks", made, "recognition"),
            _part("regimes", "Regimes side by side", {}, made, regimes),
            _part("overturns", "Where the judge turns the verdict", {}, made, "overturns"),
            _part("thresholds", "Where the threshold stands", {}, made, moved),
        )
        if part.chart or part.tables or part.folded
    )


def _part(
    anchor: str, heading: str, charts: Mapping[str, Chart], made: Mapping[str, Table], keys: str
) -> Part:
    return Part(
        anchor=anchor,
        heading=heading,
        chart=charts.get(anchor),
        folded=tuple(made[key] for key in keys.split() if key in made),
    )


def _open(anchor: str, heading: str, made: Mapping[str, Table], key: str) -> Part:
    return Part(anchor=anchor, heading=heading, tables=(made[key],) if key in made else ())


def traced(found: Provenance) -> tuple[Noted, ...]:
    """Return the findings about how the numbers were made, in the form of the audit's."""
    return tuple(_traced(found))


def _traced(found: Provenance) -> Iterator[Noted]:
    for one in found.findings:
        look = witnesses(one.witnesses, one.n_witnesses) if one.witnesses else ""
        evidence = num.sentence(one.evidence)
        yield Noted(
            severity=one.severity,
            level=SEVERITIES[one.severity],
            title=num.clean(one.title),
            evidence=f"{evidence} Look at: {num.clean(look)}." if look else evidence,
            advice=num.sentence(one.advice),
            place=None,
        )
