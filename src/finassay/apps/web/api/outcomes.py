"""Judges, operations and asking as JSON: the results that the pages show."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from finassay.analyses.results import to_jsonable
from finassay.apps.web.browsing import LONGEST_NAME
from finassay.apps.web.desk import DeskOf
from finassay.apps.web.outcomes import asking_of, draws_of, operations_of
from finassay.apps.web.pages.operations import Knowledge

router = APIRouter(prefix="/api", tags=["evidence"])

Alignment = Annotated[str, Query(max_length=LONGEST_NAME, description="Scorer id of requests.")]


@router.get("/judges")
async def judges(desk: DeskOf) -> JSONResponse:
    """Return how far judges can be relied on, people's agreement, corrected scores and draws.

    `judges`, `people` and `few_labels` are those of the audit, null where the study has none.
    """
    audit = await desk.audit()
    draws = await draws_of(desk)
    return JSONResponse(
        {
            "judges": to_jsonable(audit.judges),
            "people": to_jsonable(audit.people),
            "few_labels": to_jsonable(audit.few_labels),
            "draws": [
                {
                    "draw": one.draw,
                    "task": one.task,
                    "units": one.units,
                    "settled": one.unanimous + one.majority + one.single + one.resolved,
                    "not_sure": one.unsure,
                    "conflicts": one.conflicts,
                    "open": one.open,
                    "agreement": to_jsonable(one.agreement),
                }
                for one in draws
            ],
        }
    )


@router.get("/operations")
async def operations(desk: DeskOf, knowledge: Knowledge = None) -> JSONResponse:
    """Return which system to take for which operation: regret, agreement, profiles."""
    return JSONResponse(to_jsonable(await operations_of(desk, knowledge or ())))


@router.get("/ask")
async def ask(desk: DeskOf, alignment: Alignment = "") -> JSONResponse:
    """Return who asks when evidence is missing, and for what; rates are fractions."""
    report, _ = await asking_of(desk, alignment)
    return JSONResponse(to_jsonable(report))
