"""Conflicts for review.  In: the labelling of a study.  Out: what waits, with people by letters.

Which letter stands for whom differs from unit to unit, so that nobody learns to follow one person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finassay.analyses.adjudication.status import conflicts_of
from finassay.errors import UsageError
from finassay.records import content_digest
from finassay.study.adjudication.draws import Draw
from finassay.study.adjudication.filing import label_of
from finassay.study.adjudication.labelling import Labelling
from finassay.study.adjudication.ledger import AnswerRevision, UnitAnswer
from finassay.study.adjudication.letters import letter
from finassay.study.adjudication.queue import Decision, answer_from, fresh_submission
from finassay.study.adjudication.showing import Showing, Shown
from finassay.study.adjudication.submissions import Submitted, submit
from finassay.study.adjudication.tasks import (
    LabellingTask,
    as_shown,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What one person says, without their name.

    Attributes:
        letter: stands for the person on this unit alone.
        label: the word on the menu that the reviewer sees.
        note: what they wrote.
        reference_wrong: whether they flag the reference.
        correction: the reference that they propose.
    """

    letter: str
    label: str
    note: str
    reference_wrong: bool
    correction: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A unit on which people differ, as its reviewer sees it.

    Attributes:
        shown: its texts and menu.
        opinions: what people say, in an order that tells nothing.
        settled: the reviewer's own decision, None while there is none.
        seen: revision of that decision.
        submission: fresh id for the form.
    """

    shown: Shown
    opinions: tuple[Opinion, ...]
    settled: UnitAnswer | None
    seen: int | None
    submission: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictQueue:
    """What one reviewer can settle of a draw.

    Attributes:
        draw: its name.
        task: what is asked.
        waiting: units that wait for a decision, in order.
        done: units that this person has settled.
        own: units that wait and that this person labelled: somebody else settles them.
        passed_over: units whose texts changed since the draw.
    """

    draw: str
    task: LabellingTask
    waiting: tuple[str, ...]
    done: tuple[str, ...]
    own: int
    passed_over: int


def conflict_queue(labelling: Labelling, name: str, reviewer: str) -> ConflictQueue:
    """Return what a reviewer can settle of a draw.

    Raises:
        UnknownNameError: there is no draw of that name.
    """
    draw, ledger, showing = labelling.draw(name), labelling.ledger(name), labelling.showing(name)
    current = ledger.current()
    found = conflicts_of(draw, current, ledger.assignments())
    mine = _of(current, reviewer, "label")
    settled = _of(current, reviewer, "resolution")
    fresh = [unit for unit in found if not showing.is_stale(unit)]
    return ConflictQueue(
        draw=name,
        task=showing.task,
        waiting=tuple(unit for unit in fresh if unit not in mine and unit not in settled),
        done=tuple(unit for unit in draw.by_unit if unit in settled),
        own=sum(unit in mine for unit in fresh),
        passed_over=len(found) - len(fresh),
    )


def _of(current: Sequence[AnswerRevision], name: str, role: str) -> set[str]:
    said = (one.answer for one in current)
    return {one.unit_id for one in said if one.annotator == name and one.role == role}


def conflict_of(labelling: Labelling, name: str, unit_id: str, reviewer: str) -> Conflict:
    """Return one unit on which people differ.

    Raises:
        UsageError: it is no conflict that this person can settle.
    """
    _require_conflict(conflict_queue(labelling, name, reviewer), unit_id, reviewer)
    showing = labelling.showing(name)
    draw = showing.draw
    shown = showing.shown(draw.by_unit[unit_id], reviewer)
    current = [one for one in labelling.ledger(name).current() if one.answer.unit_id == unit_id]
    labels = [one.answer for one in current if one.answer.role == "label"]
    own = [one for one in current if one.answer.annotator == reviewer]
    return Conflict(
        shown=shown,
        opinions=opinions_of(draw, showing, labels, shown),
        settled=own[-1].answer if own else None,
        seen=own[-1].revision if own else None,
        submission=fresh_submission(),
    )


def opinions_of(
    draw: Draw, showing: Showing, answers: Sequence[UnitAnswer], shown: Shown
) -> tuple[Opinion, ...]:
    """Return answers to one unit under letters, in an order that tells nothing of people."""

    def mixed(answer: UnitAnswer) -> str:
        return content_digest("letter", str(draw.seed), draw.name, shown.unit_id, answer.annotator)

    return tuple(
        Opinion(
            letter=letter(at),
            label=as_shown(showing.task, answer.label, swapped=shown.swapped),
            note=answer.note,
            reference_wrong=answer.reference_wrong,
            correction=answer.correction,
        )
        for at, answer in enumerate(sorted(answers, key=mixed))
    )


def settle_conflict(
    labelling: Labelling, name: str, decision: Decision, reviewer: str
) -> Submitted:
    """Record a reviewer's decision on a unit on which people differ; it is on disk when done.

    Raises:
        UsageError: the label is not on the menu, or it is no conflict that this person can settle.
        AnsweredMeanwhileError: the reviewer decided otherwise since the page was shown.
    """
    showing, ledger = labelling.showing(name), labelling.ledger(name)
    answer = answer_from(showing, decision, reviewer, is_resolution=True)
    _require_conflict(conflict_queue(labelling, name, reviewer), answer.unit_id, reviewer)
    label = label_of(showing.draw, answer)
    return submit(ledger, decision.submission, answer, label, seen=decision.seen, assigns=True)


def _require_conflict(queue: ConflictQueue, unit_id: str, reviewer: str) -> None:
    if unit_id not in (*queue.waiting, *queue.done):
        raise UsageError(
            f"unit {unit_id!r} of draw {queue.draw!r} does not wait for a decision of "
            f"{reviewer!r}; somebody may have settled it, or it is one that they labelled "
            f"themselves; load the page again"
        )
