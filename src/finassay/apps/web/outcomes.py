"""Results that a page and the API share.  In: a desk.  Out: results, each computed once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from finassay.analyses.adjudication.from_study import all_statuses
from finassay.analyses.adjudication.results import DrawStatus
from finassay.analyses.operations.results import OperationsResult
from finassay.analyses.results_ask import AskReport
from finassay.apps.web.desk import Desk, NeedsMoreError
from finassay.apps.web.wording import for_readers
from finassay.errors import FinassayError, MappingError, MissingVerdictsError, UsageError
from finassay.marking.ask_outcomes import ALIGNMENT_BASELINE, AskOutcomes
from finassay.reports.ask_workflow import AskRequest, ask_report_of
from finassay.reports.charts.pages import (
    ChartedReport,
    ask_charted,
    judges_report,
    operations_charted,
    with_progress,
)
from finassay.reports.operations_workflow import operations_in
from finassay.study.snapshot import Snapshot


async def draws_of(desk: Desk) -> tuple[DrawStatus, ...]:
    """Return how far each draw of labels is; labels change without a table changing."""
    return await asyncio.to_thread(
        lambda: all_statuses(desk.study, labels_url=desk.settings.labels_url).draws
    )


async def operations_of(desk: Desk, knowledge: Sequence[str] = ()) -> OperationsResult:
    """Return which system to take for which operation.

    Raises:
        NeedsMoreError: the study does not say which families are knowledge, and nobody named one;
            or an operation has fewer than two systems.
        UsageError: the families that are named leave nothing to compare.
        MissingVerdictsError: the study holds neither verdicts nor printed scores.
    """
    named = tuple(sorted(set(knowledge)))
    found = await desk.get(
        f"operations {named!r}", lambda snapshot: _operations(desk, snapshot, named)
    )
    if isinstance(found, MissingVerdictsError) or (named and isinstance(found, FinassayError)):
        raise type(found)(placeless(desk, found))
    if isinstance(found, FinassayError):
        raise NeedsMoreError(placeless(desk, found))
    return found


def _operations(
    desk: Desk, snapshot: Snapshot, knowledge: Sequence[str]
) -> OperationsResult | UsageError | MappingError | MissingVerdictsError:
    """Return the result, or why there is none: that, too, is found out once."""
    try:
        view = desk.view_of(snapshot) if snapshot.scorer_ids() else None
        return operations_in(snapshot, knowledge=knowledge, view=view)
    except (UsageError, MappingError, MissingVerdictsError) as error:
        return error


async def asking_of(desk: Desk, alignment: str = "") -> tuple[AskReport, AskOutcomes]:
    """Return who asks when they should, and the outcomes behind it.

    Raises:
        MissingVerdictsError: the study holds no states, or no verdicts on them.
    """
    request = AskRequest(alignment=alignment or ALIGNMENT_BASELINE)
    try:
        return await desk.get(
            f"ask {request.alignment!r}", lambda snapshot: ask_report_of(snapshot, request)
        )
    except MissingVerdictsError as error:
        raise MissingVerdictsError(placeless(desk, error)) from error


async def judges_page(desk: Desk) -> ChartedReport:
    """Return the page about judges and people, with how far people are now."""
    audit = await desk.audit()
    page = await desk.get("judges page", lambda _: judges_report(audit))
    draws = await draws_of(desk)
    return with_progress(page, draws) if draws else page


async def operations_page(desk: Desk, knowledge: Sequence[str] = ()) -> ChartedReport:
    """Return the page about operations; raises what `operations_of` raises."""
    found = await operations_of(desk, knowledge)
    named = tuple(sorted(set(knowledge)))
    return await desk.get(f"operations page {named!r}", lambda _: operations_charted(found))


async def ask_page(desk: Desk, alignment: str, report: AskReport) -> ChartedReport:
    """Return the page of a report on asking."""
    return await desk.get(f"ask page {alignment!r}", lambda _: ask_charted(report))


def placeless(desk: Desk, error: FinassayError) -> str:
    """Return what an error says to a reader of pages.

    Without where on this machine the study or the index stands, and with fields of forms in place
    of options of the command line.
    """
    root, index = str(desk.study.root), desk.settings.index
    said = for_readers(str(error)).replace(f" at {root}", "").replace(root, "STUDY")
    return said if index is None else said.replace(str(index.absolute()), "INDEX")
