"""Results that a page and the API share.  In: a desk.  Out: results, each computed once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from finassay.analyses.adjudication.from_study import all_statuses
from finassay.analyses.adjudication.results import DrawStatus
from finassay.analyses.operations.results import OperationsResult
from finassay.analyses.results_ask import AskReport
from finassay.apps.web.desk import Desk
from finassay.marking.ask_outcomes import ALIGNMENT_BASELINE, AskOutcomes
from finassay.reports.ask_workflow import AskRequest, ask_report_of
from finassay.reports.operations_workflow import operations_in


async def draws_of(desk: Desk) -> tuple[DrawStatus, ...]:
    """Return how far each draw of labels is; labels change without a table changing."""
    return await asyncio.to_thread(
        lambda: all_statuses(desk.study, labels_url=desk.settings.labels_url).draws
    )


async def operations_of(desk: Desk, knowledge: Sequence[str] = ()) -> OperationsResult:
    """Return which system to take for which operation.

    Raises:
        UsageError: no family is knowledge, or an operation has fewer than two systems.
        MissingVerdictsError: the study holds no verdicts.
    """
    named = tuple(sorted(set(knowledge)))
    return await desk.get(
        f"operations {named!r}", lambda snapshot: operations_in(snapshot, knowledge=named)
    )


async def asking_of(desk: Desk, alignment: str = "") -> tuple[AskReport, AskOutcomes]:
    """Return who asks when they should, and the outcomes behind it.

    Raises:
        MissingVerdictsError: the study holds no states, or no verdicts on them.
    """
    request = AskRequest(alignment=alignment or ALIGNMENT_BASELINE)
    return await desk.get(
        f"ask {request.alignment!r}", lambda snapshot: ask_report_of(snapshot, request)
    )
