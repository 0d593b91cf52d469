"""Labelling for programs: the same queue, the same answers, as JSON."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field

from finassay.apps.web.desk import DeskOf
from finassay.apps.web.labelling import DRAW_NAME, UNIT_CODE, LabellingOf
from finassay.apps.web.people import Checked, Labeller
from finassay.study.adjudication.labelling import OwnDraw
from finassay.study.adjudication.queue import NOTE_CHARACTERS, Decision, Progress, QueueView
from finassay.study.adjudication.submissions import SUBMISSION_CHARACTERS, Outcome

router = APIRouter(prefix="/api/adjudicate", tags=["adjudicate"])

DrawPath = Annotated[str, Path(pattern=DRAW_NAME, description="Name of a draw.")]


class ProgressOut(BaseModel):
    """How far a person is with a draw."""

    model_config = ConfigDict(from_attributes=True)

    assigned: int
    answered: int
    passed_over: int
    waiting: int


class DrawOut(BaseModel):
    """A draw as the person sees it; `progress` is null until they join."""

    draw: str
    task: str
    question: str
    protocol: str
    units: int
    progress: ProgressOut | None


class TextOut(BaseModel):
    """One text of a unit."""

    title: str
    text: str


class OptionOut(BaseModel):
    """One answer that can be given."""

    model_config = ConfigDict(from_attributes=True)

    key: str
    label: str
    meaning: str


class SaidOut(BaseModel):
    """What the person answered before."""

    model_config = ConfigDict(from_attributes=True)

    label: str
    note: str
    reference_wrong: bool
    correction: str


class UnitOut(BaseModel):
    """One unit: neither the system nor anybody's verdict can be told from it."""

    unit: str
    place: int
    texts: list[TextOut]
    menu: list[OptionOut]
    asks_flag: bool
    asks_correction: bool
    said: SaidOut | None
    seen: int | None
    submission: str


class QueueOut(BaseModel):
    """The next unit, null when nothing waits, and how far the person is."""

    draw: str
    progress: ProgressOut
    before: str | None
    unit: UnitOut | None


class AnswerIn(BaseModel):
    """A decision on one unit; `submission` and `seen` as they came with it."""

    unit: Annotated[str, Field(pattern=UNIT_CODE)]
    submission: Annotated[str, Field(pattern=r"^[A-Za-z0-9]+$", max_length=SUBMISSION_CHARACTERS)]
    seen: Annotated[int | None, Field(ge=0, le=2**31 - 1)] = None
    label: Annotated[str, Field(min_length=1, max_length=NOTE_CHARACTERS)]
    note: Annotated[str, Field(max_length=NOTE_CHARACTERS)] = ""
    reference_wrong: bool = False
    correction: Annotated[str, Field(max_length=NOTE_CHARACTERS)] = ""


class AnswerOut(BaseModel):
    """What became of a decision; it is on disk when this is sent."""

    outcome: Outcome
    revision: int
    next: QueueOut


@router.get("")
def draws(labelling: LabellingOf, person: Labeller) -> list[DrawOut]:
    """Return every draw with how far the person is."""
    return [_draw(one) for one in labelling.own_draws(person.name)]


@router.post("/{draw}/join", dependencies=[Checked])
def join(labelling: LabellingOf, person: Labeller, draw: DrawPath) -> ProgressOut:
    """Give the person their units of a draw."""
    labelling.join(draw, person.name)
    return _progress(labelling.queue(draw, person.name).progress())


@router.get("/{draw}/progress")
def progress(labelling: LabellingOf, person: Labeller, draw: DrawPath) -> ProgressOut:
    """Return how far the person is."""
    return _progress(labelling.queue(draw, person.name).progress())


@router.get("/{draw}/next")
def next_unit(labelling: LabellingOf, person: Labeller, draw: DrawPath) -> QueueOut:
    """Return the first unit that waits for the person."""
    return _queue(labelling.queue(draw, person.name).next())


@router.get("/{draw}/units/{unit}")
def one_unit(
    labelling: LabellingOf,
    person: Labeller,
    draw: DrawPath,
    unit: Annotated[str, Path(pattern=UNIT_CODE, description="Code of a unit of the person.")],
) -> QueueOut:
    """Return one unit of the person with the answer that it has."""
    return _queue(labelling.queue(draw, person.name).at(unit))


@router.post("/{draw}/answers", dependencies=[Checked])
def answer(
    desk: DeskOf, labelling: LabellingOf, person: Labeller, draw: DrawPath, said: AnswerIn
) -> AnswerOut:
    """Store a decision and return the next unit; the same submission again changes nothing."""
    queue = labelling.queue(draw, person.name)
    done = queue.answer(
        Decision(
            unit_id=said.unit,
            label=said.label,
            note=said.note,
            reference_wrong=said.reference_wrong,
            correction=said.correction,
            submission=said.submission,
            seen=said.seen,
        )
    )
    desk.labels_changed()
    return AnswerOut(outcome=done.outcome, revision=done.revision, next=_queue(queue.next()))


def _draw(own: OwnDraw) -> DrawOut:
    return DrawOut(
        draw=own.draw,
        task=own.task.name,
        question=own.task.question,
        protocol=own.protocol,
        units=own.units,
        progress=None if own.progress is None else _progress(own.progress),
    )


def _progress(found: Progress) -> ProgressOut:
    return ProgressOut.model_validate(found)


def _queue(view: QueueView) -> QueueOut:
    return QueueOut(
        draw=view.draw, progress=_progress(view.progress), before=view.before, unit=_unit(view)
    )


def _unit(view: QueueView) -> UnitOut | None:
    if view.shown is None:
        return None
    return UnitOut(
        unit=view.shown.unit_id,
        place=view.place,
        texts=[TextOut(title=title, text=text) for title, text in view.shown.texts if text],
        menu=[OptionOut.model_validate(option) for option in view.shown.menu],
        asks_flag=view.asks_flag,
        asks_correction=view.asks_correction,
        said=None if view.said is None else SaidOut.model_validate(view.said),
        seen=view.seen,
        submission=view.submission,
    )
