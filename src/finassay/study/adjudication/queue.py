"""The queue of one person on a draw.  In: a ledger and texts.  Out: one unit at a time, answers.

The database alone knows where a person is: whoever asks for the next unit gets the first of theirs
that they have not answered, in however many windows.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

from finassay.errors import NotAssignedError, UsageError
from finassay.study.adjudication.draws import Draw
from finassay.study.adjudication.filing import label_of
from finassay.study.adjudication.ledger import Ledger, Place, UnitAnswer
from finassay.study.adjudication.showing import Showing, Shown
from finassay.study.adjudication.submissions import Submitted, submit
from finassay.study.adjudication.tasks import LabellingTask, Option, as_shown, as_stored

NOTE_CHARACTERS = 10_000
"""Longest note and longest corrected reference."""

PAGE_SOURCE = "page"
"""Source of answers that were given in a browser."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far one person is.

    Attributes:
        assigned: units that are theirs.
        answered: of these, those with an answer.
        passed_over: of the others, those whose text or item is not what was drawn: nobody can
            answer them any more.
        waiting: what is left to answer.
    """

    assigned: int
    answered: int
    passed_over: int
    waiting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a person says on a page.

    Attributes:
        unit_id: what it is of.
        label: the option's word, as on the menu that was shown.
        note: free text.
        reference_wrong: whether the reference is flagged.
        correction: the reference that the person proposes.
        submission: id of the form.
        seen: revision that the form showed, None for none.
    """

    unit_id: str
    label: str
    note: str = ""
    reference_wrong: bool = False
    correction: str = ""
    submission: str = ""
    seen: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueView:
    """What a person sees of their queue: one unit, and how far they are.

    Attributes:
        draw: name of the draw.
        task: what is asked.
        asks_flag: whether the reference can be flagged beside the label.
        asks_correction: whether a reference can be proposed.
        progress: how far the person is.
        shown: the unit; None when nothing waits.
        place: its place in the queue, from 1; 0 without a unit.
        before: the unit before it that was answered, None without one.
        said: the person's answer to it, with the word on the menu; None where there is none.
        seen: revision of that answer.
        submission: fresh id for the form.
    """

    draw: str
    task: LabellingTask
    asks_flag: bool
    asks_correction: bool
    progress: Progress
    shown: Shown | None
    place: int
    before: str | None
    said: UnitAnswer | None
    seen: int | None
    submission: str


class LabelQueue:
    """The queue of one person.

    Args:
        ledger: of the draw.
        showing: its units as people see them.
        annotator: whose queue.
    """

    def __init__(self, ledger: Ledger, showing: Showing, annotator: str) -> None:
        self._ledger = ledger
        self._showing = showing
        self._annotator = annotator

    @property
    def draw(self) -> Draw:
        """The draw."""
        return self._showing.draw

    def next(self) -> QueueView:
        """Return the first unit without an answer whose texts are still those that were drawn."""
        places = self._places()
        waits = (
            at
            for at, one in enumerate(places)
            if one.revision is None and not self._showing.is_stale(one.unit_id)
        )
        return self._view(places, next(waits, None))

    def at(self, unit_id: str) -> QueueView:
        """Return one unit of the queue with the answer that it has, so that it can be revised.

        Raises:
            NotAssignedError: it is not in this person's queue.
        """
        places = self._places()
        found = (at for at, one in enumerate(places) if one.unit_id == unit_id)
        at = next(found, None)
        if at is None:
            raise NotAssignedError(
                f"unit {unit_id!r} is not among those given to {self._annotator!r} in draw "
                f"{self.draw.name!r}; go on with the next one"
            )
        return self._view(places, at)

    def progress(self) -> Progress:
        """Return how far the person is."""
        return self._progress(self._places())

    def answer(self, decision: Decision) -> Submitted:
        """Record a decision and return what became of it; it is on disk when this returns.

        Raises:
            UsageError: the label is not on the menu, a text is too long, or the unit cannot be
                answered any more because a text of it changed.
            NotAssignedError: the unit is not this person's.
            AnsweredMeanwhileError: they answered otherwise since the page was shown.
        """
        answer = answer_from(self._showing, decision, self._annotator)
        label = label_of(self.draw, answer)
        return submit(self._ledger, decision.submission, answer, label, seen=decision.seen)

    def _places(self) -> list[Place]:
        return self._ledger.places(self._annotator, "label")

    def _progress(self, places: Sequence[Place]) -> Progress:
        answered = sum(one.revision is not None for one in places)
        passed = sum(one.revision is None and self._showing.is_stale(one.unit_id) for one in places)
        return Progress(
            assigned=len(places),
            answered=answered,
            passed_over=passed,
            waiting=len(places) - answered - passed,
        )

    def _view(self, places: Sequence[Place], at: int | None) -> QueueView:
        task = self._showing.task
        earlier = places if at is None else places[:at]
        done = [one.unit_id for one in earlier if one.revision is not None]
        shown, said, seen = None, None, None
        if at is not None:
            unit = self.draw.by_unit[places[at].unit_id]
            shown = self._showing.shown(unit, self._annotator)
            said, seen = self._said(places[at], shown)
        return QueueView(
            draw=self.draw.name,
            task=task,
            asks_flag=asks_flag(self.draw, task),
            asks_correction=task.asks_correction or asks_flag(self.draw, task),
            progress=self._progress(places),
            shown=shown,
            place=0 if at is None else at + 1,
            before=done[-1] if done else None,
            said=said,
            seen=seen,
            submission=fresh_submission(),
        )

    def _said(self, place: Place, shown: Shown) -> tuple[UnitAnswer | None, int | None]:
        if place.revision is None:
            return None, None
        held = self._ledger.answer_of(place.unit_id, self._annotator, "label")
        if held is None:
            return None, None
        return with_word(self._showing.task, held.answer, shown), held.revision


def fresh_submission() -> str:
    """Return an id for a form that no other form has."""
    return secrets.token_hex(16)


def asks_flag(draw: Draw, task: LabellingTask) -> bool:
    """Return whether people can flag the reference: where they see it and are not asked for it."""
    return draw.protocol == "shown" and not task.asks_correction


def with_word(task: LabellingTask, answer: UnitAnswer, shown: Shown) -> UnitAnswer:
    """Return an answer with the word on the menu that this person saw."""
    return replace(answer, label=as_shown(task, answer.label, swapped=shown.swapped))


def answer_from(
    showing: Showing, decision: Decision, annotator: str, *, is_resolution: bool = False
) -> UnitAnswer:
    """Return the answer that a decision on a page is.

    Raises:
        UsageError: the label is not on the menu, a text cannot be kept, or a text of the unit
            changed since the draw.
        NotAssignedError: the draw has no such unit.
    """
    draw, task = showing.draw, showing.task
    if decision.unit_id not in draw.by_unit:
        raise NotAssignedError(
            f"draw {draw.name!r} has no unit {decision.unit_id!r}; load the page again"
        )
    shown = showing.shown(draw.by_unit[decision.unit_id], annotator)
    if shown.is_stale:
        raise UsageError(
            f"a text of unit {decision.unit_id!r} is another one than when the draw was made, so "
            f"it cannot be answered any more; go on with the next one"
        )
    label, value = as_stored(task, _option(decision.label, shown), swapped=shown.swapped)
    is_asked = task.asks_correction or asks_flag(draw, task)
    return UnitAnswer(
        unit_id=decision.unit_id,
        annotator=annotator,
        role="resolution" if is_resolution else "label",
        label=label,
        value=value,
        note=require_text("note", decision.note),
        reference_wrong=decision.reference_wrong and asks_flag(draw, task),
        correction=require_text("correct reference", decision.correction) if is_asked else "",
        swapped=shown.swapped,
        source=PAGE_SOURCE,
        recorded_by=annotator,
    )


def _option(label: str, shown: Shown) -> Option:
    for option in shown.menu:
        if option.label == label:
            return option
    allowed = ", ".join(repr(option.label) for option in shown.menu)
    raise UsageError(f"the label must be one of {allowed}, got {label!r}; choose one of them")


def require_text(what: str, text: str) -> str:
    """Return a text without spaces at its ends, that every database can keep.

    Raises:
        UsageError: it is too long, or holds characters that are no text.
    """
    bare = text.replace("\r\n", "\n").strip()
    if len(bare) > NOTE_CHARACTERS:
        raise UsageError(
            f"the {what} may have {NOTE_CHARACTERS} characters, got {len(bare)}; shorten it"
        )
    if "\0" in bare or any("\ud800" <= character <= "\udfff" for character in bare):
        raise UsageError(f"the {what} holds characters that are no text; write it again")
    return bare
