"""About these pages: which there are, how they are driven, and what they were made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from finassay.apps.web.desk import DeskOf
from finassay.apps.web.rendering import links_of, render
from finassay.apps.web.site import PAGES, Target
from finassay.apps.web.static_plan import PlannedLinks

router = APIRouter()

SHOWN: Mapping[str, str] = {
    "leaderboard": "who is ahead under which regime, with intervals of accuracy and rank",
    "rules": "what moves the score, which ranks a choice of rule can reach, what was found",
    "difficulty": "whether the labelled difficulty holds, and where a system loses or gains",
    "items": "every item with its replies, each rule's verdict and the reason",
    "compare": "two systems item by item: the difference, its exact p, what each won",
    "judges": "how far model judges and people agree, and when a judge can be trusted",
    "operations": "which system can do which operation under its contract",
    "ask": "who asks when something is missing, and whether it asks for the right thing",
    "ask-the-rules": "a question to the documents of an index, answered with citations",
    "adjudicate": "labels by people: blind, one key a decision, several at once",
    "submit": "predictions of another system: checked line by line, then marked",
}
"""What each page shows, by its key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A page of a site of files: what it shows, and where it stands."""

    title: str
    address: str


@router.get("/about", response_class=HTMLResponse, include_in_schema=False)
async def about(request: Request, desk: DeskOf) -> HTMLResponse:
    """Show what the pages are, the keys, and the versions of the tables they were made from."""
    snapshot = desk.snapshot()
    links = links_of(request)
    return render(
        request,
        "about.html.j2",
        title="About these pages",
        shown=SHOWN,
        versions=sorted(snapshot.versions.items()),
        listed=_listed(links) if isinstance(links, PlannedLinks) else (),
    )


def _listed(links: PlannedLinks) -> tuple[tuple[str, tuple[Listed, ...]], ...]:
    """Return every page of a site by its kind, in the order in which they were found."""
    kinds: dict[str, list[Listed]] = {page.label: [] for page in PAGES}
    for target in links.plan.known:
        shown = Listed(title=_title(target), address=links.root + target.file)
        kinds[target.page.label].append(shown)
    return tuple((kind, tuple(pages)) for kind, pages in kinds.items() if pages)


def _title(target: Target) -> str:
    said = ", ".join(value if name == "id" else f"{name} {value}" for name, value in target.query)
    return said or target.page.label
