"""Labelling in the browser: the draws, and one unit at a time.

Blind: what is sent to a person who labels never tells which system answered, or what judges, rules
and other people say.  The next unit is sent only after the answer before it is on disk.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field

from finassay.apps.web.desk import DeskOf
from finassay.apps.web.labelling import DRAW_NAME, UNIT_CODE, LabellingOf
from finassay.apps.web.people import Checked, Labeller, PersonOf
from finassay.apps.web.rendering import links_of, render
from finassay.errors import AnsweredMeanwhileError, NotAssignedError, UsageError
from finassay.study.adjudication.queue import (
    NOTE_CHARACTERS,
    Decision,
    LabelQueue,
    QueueView,
)
from finassay.study.adjudication.submissions import SUBMISSION_CHARACTERS

router = APIRouter(include_in_schema=False)

DrawName = Annotated[str, Query(pattern=DRAW_NAME)]

FRAGMENT = "x-fragment"
"""Header of the page's script: it asks for the unit alone, and puts it into the page."""


class AnswerForm(BaseModel):
    """What a person sends when they decide."""

    draw: Annotated[str, Field(pattern=DRAW_NAME)]
    unit: Annotated[str, Field(pattern=UNIT_CODE)]
    submission: Annotated[str, Field(max_length=SUBMISSION_CHARACTERS)]
    seen: Annotated[str, Field(pattern=r"^[0-9]{0,9}$")] = ""
    label: Annotated[str, Field(max_length=NOTE_CHARACTERS)]
    note: Annotated[str, Field(max_length=2 * NOTE_CHARACTERS)] = ""
    reference_wrong: Annotated[str, Field(max_length=5)] = ""
    correction: Annotated[str, Field(max_length=2 * NOTE_CHARACTERS)] = ""

    def decision(self) -> Decision:
        """Return what was decided."""
        return Decision(
            unit_id=self.unit,
            label=self.label,
            note=self.note,
            reference_wrong=bool(self.reference_wrong),
            correction=self.correction,
            submission=self.submission,
            seen=int(self.seen) if self.seen else None,
        )


@router.get("/adjudicate")
def draws(request: Request, labelling: LabellingOf, person: PersonOf) -> Response:
    """Show every draw with what waits for the person who is logged in."""
    return render(
        request,
        "adjudicate.html.j2",
        title="Adjudicate",
        draws=labelling.own_draws(person.name),
        person=person,
    )


@router.post("/adjudicate/join", dependencies=[Checked])
def join(
    request: Request,
    labelling: LabellingOf,
    person: Labeller,
    draw: Annotated[str, Form(pattern=DRAW_NAME)],
) -> Response:
    """Give the person their units, and go on to the first."""
    labelling.join(draw, person.name)
    return _to(request, draw)


@router.get("/adjudicate/label")
def unit(
    request: Request,
    labelling: LabellingOf,
    person: Labeller,
    draw: DrawName,
    unit: Annotated[str | None, Query(pattern=UNIT_CODE)] = None,
) -> Response:
    """Show one unit: the next that waits, or one that was answered, to look at it again."""
    queue = labelling.queue(draw, person.name)
    return _page(request, queue.next() if unit is None else queue.at(unit))


@router.post("/adjudicate/label", dependencies=[Checked])
def answer(
    request: Request,
    desk: DeskOf,
    labelling: LabellingOf,
    person: Labeller,
    form: Annotated[AnswerForm, Form()],
) -> Response:
    """Store a decision, and show the next unit once it is on disk."""
    queue = labelling.queue(form.draw, person.name)
    try:
        done = queue.answer(form.decision())
    except (AnsweredMeanwhileError, UsageError) as error:
        return _again(request, queue, form.unit, error)
    desk.labels_changed()
    if FRAGMENT not in request.headers:
        return _to(request, form.draw)
    return _page(request, queue.next(), recorded=(form.label, done.outcome))


def _again(
    request: Request, queue: LabelQueue, unit_id: str, error: AnsweredMeanwhileError | UsageError
) -> Response:
    """Show the unit that could not be answered with the reason, or the next where it is gone."""
    try:
        view = queue.at(unit_id)
    except NotAssignedError:
        view = queue.next()
    if view.shown is not None and view.shown.is_stale:
        view = queue.next()
    status = 400 if isinstance(error, UsageError) else 409
    return _page(request, view, status=status, problem=str(error))


def _page(
    request: Request,
    view: QueueView,
    *,
    status: int = 200,
    problem: str = "",
    recorded: tuple[str, str] | None = None,
) -> Response:
    is_fragment = FRAGMENT in request.headers
    page = render(
        request,
        "adjudicate_unit.html.j2" if is_fragment else "adjudicate_label.html.j2",
        title=view.task.question,
        status=status,
        view=view,
        problem=problem,
        recorded=recorded,
    )
    if is_fragment:
        page.headers[FRAGMENT] = "unit"
    return page


def _to(request: Request, draw: str) -> Response:
    return RedirectResponse(links_of(request).link("adjudicate-label", draw=draw), status_code=303)
