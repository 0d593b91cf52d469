"""Reviewing labels: conflicts, doubted references, agreement, and who labels what."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, HTTPException, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field

from finassay.analyses.adjudication.conflicts import conflict_of, conflict_queue, settle_conflict
from finassay.analyses.adjudication.doubts import doubted_references
from finassay.analyses.adjudication.live import live_agreement
from finassay.analyses.adjudication.status import draw_progress
from finassay.apps.web.browsing import LONGEST_NAME
from finassay.apps.web.desk import DeskOf
from finassay.apps.web.labelling import DRAW_NAME, UNIT_CODE, LabellingOf
from finassay.apps.web.pages.adjudicate import AnswerForm, DrawName
from finassay.apps.web.people import Checked, Person, PersonOf, Reviewer
from finassay.apps.web.rendering import links_of, render
from finassay.apps.web.site import Value
from finassay.reports.sheets.answers import answers_csv
from finassay.reports.tables_agreement_live import agreement_tables
from finassay.study.adjudication.dealing import MOST_PEOPLE
from finassay.study.adjudication.labelling import Labelling
from finassay.study.adjudication.queue import NOTE_CHARACTERS
from finassay.study.adjudication.reviewing import Review, accept_correction, reject_doubt

router = APIRouter(include_in_schema=False)


@router.get("/adjudicate/conflicts")
def conflicts(
    request: Request,
    labelling: LabellingOf,
    person: Reviewer,
    draw: DrawName,
    unit: Annotated[str | None, Query(pattern=UNIT_CODE)] = None,
) -> Response:
    """Show one unit on which people differ, their labels side by side."""
    queue = conflict_queue(labelling, draw, person.name)
    at = unit or next(iter(queue.waiting), None)
    found = None if at is None else conflict_of(labelling, draw, at, person.name)
    return render(
        request, "adjudicate_conflicts.html.j2", title="Conflicts", queue=queue, conflict=found
    )


@router.post("/adjudicate/conflicts", dependencies=[Checked])
def settle(
    request: Request,
    desk: DeskOf,
    labelling: LabellingOf,
    person: Reviewer,
    form: Annotated[AnswerForm, Form()],
) -> Response:
    """Store a reviewer's decision, and show the next conflict."""
    settle_conflict(labelling, form.draw, form.decision(), person.name)
    desk.labels_changed()
    return _to(request, "adjudicate-conflicts", draw=form.draw)


@router.get("/adjudicate/references")
def references(request: Request, labelling: LabellingOf, person: Reviewer) -> Response:
    """Show the references that people call wrong, with what they propose."""
    _ = person
    return render(
        request,
        "adjudicate_references.html.j2",
        title="References in doubt",
        found=doubted_references(labelling),
    )


class ReviewForm(BaseModel):
    """What a reviewer sends about a reference."""

    item: Annotated[str, Field(max_length=LONGEST_NAME)]
    seen: Annotated[str, Field(max_length=64)]
    decision: Literal["accept", "reject"]
    reference: Annotated[str, Field(max_length=2 * NOTE_CHARACTERS)] = ""
    proposed_by: Annotated[str, Field(max_length=200)] = ""
    reason: Annotated[str, Field(max_length=2 * NOTE_CHARACTERS)] = ""

    def review(self, by: str) -> Review:
        """Return the review of a person."""
        return Review(
            item_id=self.item,
            seen=self.seen,
            by=by,
            reason=self.reason,
            proposed_by=self.proposed_by,
        )


@router.post("/adjudicate/references", dependencies=[Checked])
def decide(
    request: Request,
    labelling: LabellingOf,
    person: Reviewer,
    form: Annotated[ReviewForm, Form()],
) -> Response:
    """Correct a reference, or let it stay."""
    review = form.review(person.name)
    if form.decision == "accept":
        accept_correction(labelling.study, labelling.store, review, form.reference)
    else:
        reject_doubt(labelling.study, labelling.store, review)
    return _to(request, "adjudicate-references")


@router.get("/adjudicate/agreement")
def agreement(
    request: Request, labelling: LabellingOf, person: PersonOf, draw: DrawName
) -> Response:
    """Show how far people agree; while a draw is open, to those who review."""
    ledger = labelling.ledger(draw)
    found = live_agreement(labelling.draw(draw), ledger.current(), ledger.assignments())
    is_hidden = found.is_open and not person.may("review")
    is_fragment = "hx-request" in request.headers
    return render(
        request,
        "adjudicate_agreed.html.j2" if is_fragment else "adjudicate_agreement.html.j2",
        title="Agreement",
        found=None if is_hidden else found,
        tables=() if is_hidden else agreement_tables(found),
        draw=draw,
    )


@router.get("/adjudicate/people")
def people(request: Request, labelling: LabellingOf, person: Reviewer, draw: DrawName) -> Response:
    """Show who labels a draw and how far they are."""
    _ = person
    ledger = labelling.ledger(draw)
    return render(
        request,
        "adjudicate_people.html.j2",
        title="Who labels",
        draw=labelling.own_draw(draw, person.name),
        people=draw_progress(ledger.assignments(), ledger.history()),
    )


@router.post("/adjudicate/open", dependencies=[Checked])
def open_draw(
    request: Request,
    labelling: LabellingOf,
    person: Reviewer,
    draw: Annotated[str, Form(pattern=DRAW_NAME)],
    people: Annotated[int, Form(ge=1, le=MOST_PEOPLE)],
    overlap: Annotated[float, Form(ge=0, le=100)],
) -> Response:
    """Say for how many people a draw is, and what percentage all of them label."""
    labelling.open(draw, people, overlap / 100.0, by=person.name)
    return _to(request, "adjudicate-people", draw=draw)


@router.post("/adjudicate/withdraw", dependencies=[Checked])
def withdraw(
    request: Request,
    labelling: LabellingOf,
    person: Reviewer,
    draw: Annotated[str, Form(pattern=DRAW_NAME)],
    annotator: Annotated[str, Form(max_length=200)],
    reason: Annotated[str, Form(max_length=NOTE_CHARACTERS)] = "",
) -> Response:
    """Take a person off a draw: their open units go to the others."""
    labelling.withdraw(draw, annotator, by=person.name, reason=reason)
    return _to(request, "adjudicate-people", draw=draw)


@router.get("/adjudicate/answers.csv")
def answers(labelling: LabellingOf, person: Reviewer, draw: DrawName) -> Response:
    """Return every answer to a draw with its revisions, as CSV."""
    _refuse_while_labelling(labelling, draw, person)
    text = answers_csv(labelling.draw(draw), labelling.ledger(draw).history())
    return Response(
        text,
        media_type="text/csv; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="{draw}-answers.csv"'},
    )


def _refuse_while_labelling(labelling: Labelling, draw: str, person: Person) -> None:
    waiting = labelling.queue(draw, person.name).progress().waiting
    if waiting:
        raise HTTPException(
            status_code=409,
            detail=f"you have {waiting} units of this draw to label: what others say is there for "
            f"you when you are done",
        )


def _to(request: Request, key: str, **query: Value) -> Response:
    return RedirectResponse(links_of(request).link(key, **query), status_code=303)
