"""Leaderboards, rules, findings and charts as JSON: what the pages show, from the same calls."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from finassay.analyses.provenance.results import ProvenanceFinding
from finassay.analyses.results import Json, to_jsonable
from finassay.analyses.results_audit import Claim, Finding
from finassay.analyses.results_multiverse import MultiverseResult
from finassay.apps.web.boards import Asked, AskedOf, standings_of
from finassay.apps.web.desk import Desk, DeskOf
from finassay.errors import UnknownNameError
from finassay.marking.rule_specs import RuleSpec, rule_specs
from finassay.reports.charts import catalogue
from finassay.reports.charts.chart import Chart
from finassay.reports.charts.scores import accuracy
from finassay.reports.standings.downloads import Format, download
from finassay.reports.standings.records import Standings

router = APIRouter(prefix="/api", tags=["scores"])

ChartName = Literal["accuracy", "ranks", "reachable", "curve", "rank-intervals", "effects"]


class Failure(BaseModel):
    """What went wrong.

    Attributes:
        code: the HTTP status.
        message: what is wrong, what was expected, and what to do.
    """

    code: int
    message: str


class Failed(BaseModel):
    """An answer that is an error."""

    error: Failure


class Findings(BaseModel):
    """What a reader must know before quoting a number.

    Attributes:
        strip: the sentences that a careful person would quote.
        audit: findings of the audit, most severe first.
        provenance: findings about how the numbers were made, most severe first.
    """

    strip: list[Claim]
    audit: list[Finding]
    provenance: list[ProvenanceFinding]


class Drawn(BaseModel):
    """A chart.

    Attributes:
        key: its name.
        title: what it shows.
        summary: the same in words, with numbers.
        reading: how to read the marks.
        tables: names of the tables with the numbers behind it.
        spec: Vega-Lite specification, data included.
    """

    key: str
    title: str
    summary: str
    reading: str
    tables: list[str]
    spec: dict[str, object]


ERRORS: dict[int | str, dict[str, object]] = {
    code: {"model": Failed} for code in (202, 400, 404, 409, 422, 503)
}
"""Errors of every route: being computed, wrong, unknown, without verdicts, malformed, damaged."""


def plain(value: object) -> JSONResponse:
    """Return a result as JSON, exactly as the command line writes it."""
    return JSONResponse(to_jsonable(value))


@router.get("/leaderboard", response_model=Standings, responses={**ERRORS})
async def leaderboard(
    desk: DeskOf,
    asked: AskedOf,
    form: Annotated[Format, Query(alias="format")] = "json",
) -> Response:
    """Systems under a regime or rule with intervals, ranks, people and floors.

    `format` is json, csv or tex; the rows are those of the page with the same query.
    """
    made = download(await standings_of(desk, asked), form)
    headers = {"content-disposition": f'attachment; filename="{made.name}"'}
    return Response(
        made.text, media_type=made.media_type, headers=None if form == "json" else headers
    )


@router.get("/rules", response_model=list[RuleSpec], responses={**ERRORS})
async def rules(desk: DeskOf) -> Response:
    """Every rule with verdicts in the study: where they come from, and its exact settings."""
    return plain(await desk.get("rule specs", rule_specs))


@router.get("/multiverse", response_model=MultiverseResult, responses={**ERRORS})
async def multiverse(desk: DeskOf) -> Response:
    """The study under every rule of a grid; 202 while it is being computed."""
    return plain(await desk.multiverse())


@router.get("/findings", response_model=Findings, responses={**ERRORS})
async def findings(desk: DeskOf) -> Response:
    """Sentences to quote, and findings to know before quoting."""
    audit = await desk.audit()
    traced = await desk.provenance()
    return plain({"strip": audit.strip, "audit": audit.findings, "provenance": traced.findings})


@router.get("/charts/{name}", response_model=Drawn, responses={**ERRORS})
async def chart(desk: DeskOf, name: ChartName, asked: AskedOf) -> Response:
    """A chart with its Vega-Lite specification; the query chooses the board of `accuracy`.

    404 where the study has no numbers for it.
    """
    made = await _chart(desk, name, asked)
    if made is None:
        raise UnknownNameError(
            f"this study has no numbers for the chart {name!r}; a regime, a label task or another "
            f"rule may be missing"
            ": mark the study with `finassay score`, or choose another chart"
        )
    body: dict[str, Json] = {
        "key": made.key,
        "title": made.title,
        "summary": made.summary,
        "reading": made.reading,
        "tables": list(made.tables),
        "spec": to_jsonable(made.spec),
    }
    return JSONResponse(body)


async def _chart(desk: Desk, name: ChartName, asked: Asked) -> Chart | None:
    if name == "accuracy":
        return accuracy(await standings_of(desk, asked))
    if name in catalogue.AUDIT_CHARTS:
        audit = await desk.audit()
        made = await desk.get("audit charts", lambda _snapshot: catalogue.audit_charts(audit))
        return made.get(name)
    found = await desk.multiverse()
    over = await desk.get("rule charts", lambda _snapshot: catalogue.rule_charts(found))
    return over.get(name)
