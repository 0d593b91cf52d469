"""Two systems: the difference, its exact p, and the items that each has right."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from finassay.analyses.from_study import choose_primary
from finassay.analyses.results_two import TwoSystems
from finassay.analyses.two_systems import leading_pair, rule_matrix, two_systems
from finassay.apps.web.browsing import PAGE_SIZE, Name, PageNumber, shelves_of
from finassay.apps.web.desk import Desk, DeskOf, NeedsMoreError
from finassay.apps.web.pages.difficulty import rules_of
from finassay.apps.web.rendering import render
from finassay.errors import UsageError
from finassay.marking.browsing.listing import list_these
from finassay.marking.view import StudyView
from finassay.reports import tables_two
from finassay.reports.charts.two_systems import discordance
from finassay.reports.numbers import p_exact, percent, points, shortened, signed

router = APIRouter()

Group = Literal["won", "lost", "both", "neither"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which systems are compared under which rule; a message where they cannot be."""

    left: str
    right: str
    rule: str
    message: str = ""


@router.get("/compare", response_class=HTMLResponse, include_in_schema=False)
async def compare(
    request: Request,
    desk: DeskOf,
    a: Name = "",
    b: Name = "",
    rule: Name = "",
    show: Group = "won",
    page: PageNumber = 1,
) -> HTMLResponse:
    """Show two systems beside each other, the two best ones unless others are named."""
    view = await desk.view()
    asked = pair_asked(view, a, b, rule)
    systems = sorted(rule_matrix(view, asked.rule).columns)
    if asked.message:
        return render(
            request,
            "compare.html.j2",
            title="Compare",
            found=None,
            asked=asked,
            rule=rule,
            rules=rules_of(view),
            systems=systems,
        )
    found = await compared(desk, view, asked)
    shelves = await shelves_of(desk)
    listed = await asyncio.to_thread(
        list_these,
        shelves.snapshot,
        shelves.index,
        getattr(found, show),
        rule=asked.rule,
        start=(page - 1) * PAGE_SIZE,
    )
    return render(
        request,
        "compare.html.j2",
        title="Compare",
        found=found,
        facts=_facts(found),
        chart=discordance(found),
        tests=tables_two.tests(found),
        families=tables_two.families(found),
        listed=listed,
        show=show,
        page=page,
        short=shortened,
        asked=asked,
        rule=rule,
        rules=rules_of(view),
        systems=systems,
    )


def pair_asked(view: StudyView, a: str, b: str, rule: str) -> Asked:
    """Return what is compared: the two best systems where none, or only one, is named.

    Raises:
        UnknownNameError: the study holds no verdicts of the rule.
    """
    under = rule or choose_primary(view.matrices)
    best = leading_pair(view, under) or ("", "")
    left = a or next((name for name in best if name != b), "")
    right = b or next((name for name in best if name != left), "")
    message = ""
    if not left or not right:
        message = "There are no two systems with verdicts on every item to begin with: pick two."
    elif left == right:
        message = f"{left} is the same as itself: pick another system beside it."
    return Asked(left=left, right=right, rule=under, message=message)


async def compared(desk: Desk, view: StudyView, asked: Asked) -> TwoSystems:
    """Return the comparison asked for, computed once.

    Raises:
        UnknownNameError: there is no such system or rule.
        NeedsMoreError: no two can be compared to begin with.
        UsageError: the two that are named cannot be compared.
    """
    if asked.message:
        is_named = asked.left and asked.right
        raise (UsageError if is_named else NeedsMoreError)(asked.message)
    return await desk.get(
        f"compare {asked.left!r} {asked.right!r} {asked.rule!r}",
        lambda _: two_systems(view, left=asked.left, right=asked.right, rule=asked.rule),
    )


def _facts(found: TwoSystems) -> tuple[tuple[str, str], ...]:
    """Return the figures that stand first: the scores, the difference, its interval and p."""
    test, effect = found.test, found.test.effect
    low, high = (signed(100 * end, 1) for end in (effect.low, effect.high))
    p = (test.cluster or test.item).p
    over = "clusters" if test.cluster else "items"
    facts = (
        (shortened(found.left, 28), f"{percent(test.left_score, test.n)}%"),
        (shortened(found.right, 28), f"{percent(test.right_score, test.n)}%"),
        ("difference, points", points(test.difference, test.n)),
        (f"{100 * found.level:g}% interval over items", f"{low} to {high}"),
        (f"p over {over}", f"{'' if p.method == 'exact' else '~'}{p_exact(p.inclusive)}"),
    )
    if found.overlap.jaccard is None:
        return facts
    return (*facts, ("errors shared (Jaccard)", f"{found.overlap.jaccard:.2f}"))
