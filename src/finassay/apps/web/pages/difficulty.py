"""Difficulty: whether labels hold, which items are odd, where a system loses and gains."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from finassay.analyses.difficulty import difficulty_of_study
from finassay.analyses.estimates import Settings
from finassay.analyses.from_study import choose_primary
from finassay.analyses.results_gaps import Difficulty, SystemDifficulty
from finassay.apps.web.browsing import Name
from finassay.apps.web.desk import Desk, DeskOf
from finassay.apps.web.rendering import render
from finassay.errors import UnknownNameError
from finassay.marking.regimes import REGIME_PREFIX
from finassay.marking.view import StudyView
from finassay.reports import tables_difficulty, tables_evidence
from finassay.reports.charts import difficulty as charts
from finassay.reports.numbers import sentence, short_names

router = APIRouter()


@router.get("/difficulty", response_class=HTMLResponse, include_in_schema=False)
async def difficulty(
    request: Request, desk: DeskOf, rule: Name = "", system: Name = ""
) -> HTMLResponse:
    """Show what is difficult under a rule, and where one system differs from its average."""
    view = await desk.view()
    found = await difficulty_under(desk, view, rule)
    names = short_names(["", *found.systems])
    own = system_of(found, system) if system else None
    scatter = charts.scatter(found)
    return render(
        request,
        "difficulty.html.j2",
        title="Difficulty",
        found=found,
        method=sentence(found.method),
        rules=rules_of(view),
        rule=rule,
        own=own,
        labels_chart=None if found.labels is None else charts.labels(found.labels, names),
        labels_table=None if found.labels is None else tables_evidence.labels(found.labels, names),
        items_chart=scatter,
        bands_table=tables_difficulty.bands(found),
        gaps_chart=None if own is None else charts.gaps(own, names[own.system]),
        gaps_table=None if own is None else tables_difficulty.gaps(own),
    )


async def difficulty_under(desk: Desk, view: StudyView, rule: str) -> Difficulty:
    """Return the difficulty of the items of a study under a rule, "" for the primary one.

    Raises:
        UnknownNameError: the study holds no verdicts of the rule.
    """
    asked = rule or choose_primary(view.matrices)
    if asked not in rules_of(view):
        raise UnknownNameError(
            f"the study holds no verdicts of {asked!r}; there are: {', '.join(rules_of(view))}"
        )
    settings = Settings(policy=view.unscored)
    return await desk.get(
        f"difficulty under {asked}",
        lambda _: difficulty_of_study(view, rule=asked, settings=settings),
    )


def rules_of(view: StudyView) -> tuple[str, ...]:
    """Return what a study can be looked at under: scorers, then regimes."""
    return (*sorted(view.matrices), *(f"{REGIME_PREFIX}{name}" for name in view.regimes))


def system_of(found: Difficulty, system: str) -> SystemDifficulty:
    """Return the part of one system.

    Raises:
        UnknownNameError: it is not among those that were counted.
    """
    own = next((one for one in found.by_system if one.system == system), None)
    if own is None:
        raise UnknownNameError(
            f"no system {system!r} is counted under {found.rule}; there are: "
            f"{', '.join(found.systems) or 'none'}"
        )
    return own
