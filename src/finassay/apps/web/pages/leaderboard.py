"""The leaderboard: who is ahead, under which regime, and how far that can be said."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from finassay.analyses.multiverse.audited import with_multiverse
from finassay.apps.web.boards import Asked, AskedOf, is_small, rules_of, standings_of
from finassay.apps.web.desk import DeskOf
from finassay.apps.web.evidence import noted, sentences
from finassay.apps.web.rendering import render
from finassay.reports.charts import catalogue
from finassay.reports.charts.scores import accuracy
from finassay.reports.outline import facts
from finassay.reports.standings.downloads import FORMATS, download, file_name
from finassay.reports.standings.order import is_descending
from finassay.reports.standings.records import Standings
from finassay.reports.standings.table import TEXT_COLUMNS, columns_of, standings_table
from finassay.reports.tables import shown_names, tables

router = APIRouter()

MOST_NOTED = 3
"""Findings that the leaderboard names; the rules page has them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The head of a column: how it sorts, and whether it does so now.

    Attributes:
        name: what `sort` takes.
        text: the heading.
        is_number: whether its cells stand on the right.
        order: what a click asks for: "asc" or "desc".
        is_natural: whether that is the order that suits the column, which needs no word.
        sorted: "ascending" or "descending" for the column that the rows are sorted by; else "".
    """

    name: str
    text: str
    is_number: bool
    order: str
    is_natural: bool
    sorted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A link to a file with what is shown."""

    form: str
    name: str
    address: str


@router.get("/", response_class=HTMLResponse)
async def leaderboard(request: Request, desk: DeskOf, asked: AskedOf) -> HTMLResponse:
    """Show systems under one regime or rule, sorted and filtered as the query says."""
    # The open page asks again by itself; only then is what takes long started for it.
    is_again = request.headers.get("hx-request") == "true"
    board = await standings_of(desk, asked, is_open=is_again)
    audit = await desk.audit()
    far = await rules_of(desk, start=False)
    if far.found is not None:
        audit = with_multiverse(audit, far.found)
    names = shown_names(audit)
    found = noted(audit.findings, names)
    charts = await desk.get("audit charts", lambda _snapshot: catalogue.audit_charts(audit))
    behind = await desk.get("audit tables", lambda _snapshot: tables(audit, no_text=True))
    return render(
        request,
        "leaderboard.html.j2",
        title="Leaderboard",
        board=board,
        table=standings_table(board),
        heads=headings(board),
        facts=facts(audit),
        strip=sentences(audit.strip),
        found=found[:MOST_NOTED],
        n_found=len(found),
        chart=accuracy(board),
        ranks=charts.get("ranks"),
        ranks_tables=[behind[key] for key in ("regimes",) if key in behind],
        saved=saved(board, asked, is_static=desk.settings.is_static),
        far=far,
        is_again=is_again,
        is_small=is_small(audit),
        asked=asked,
    )


def headings(board: Standings) -> tuple[Heading, ...]:
    """Return the heads of the columns; asking for the sorted one again turns it round."""
    made = []
    for name, text in columns_of(board):
        is_here = name == board.sort
        largest = not board.descending if is_here else is_descending(name)
        made.append(
            Heading(
                name=name,
                text=text,
                is_number=name not in TEXT_COLUMNS,
                order="desc" if largest else "asc",
                is_natural=largest == is_descending(name),
                sorted=("descending" if board.descending else "ascending") if is_here else "",
            )
        )
    return tuple(made)


def saved(board: Standings, asked: Asked, *, is_static: bool) -> tuple[Saved, ...]:
    """Return where each format can be had: at the API, or inside the page of a static export."""
    made = []
    for form in FORMATS:
        told = {k: v for k, v in asked.model_dump().items() if v}
        address = f"/api/leaderboard?{urlencode({**told, 'format': form})}"
        if is_static:
            file = download(board, form)
            text = base64.b64encode(file.text.encode()).decode()
            address = f"data:{file.media_type.replace(' ', '')};base64,{text}"
        made.append(Saved(form=form, name=file_name(board, form), address=address))
    return tuple(made)
