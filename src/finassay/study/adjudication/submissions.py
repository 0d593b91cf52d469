"""Answers given on pages.  In: one answer and the form that it came on.  Out: a revision, once.

A form has an id of its own, so that the same form sent twice counts once, and says which answer
its person knew of, so that an old page never replaces what they said since.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from sqlalchemy import insert, select
from sqlalchemy.engine import Connection

from finassay.errors import AnsweredMeanwhileError, NotAssignedError, UsageError
from finassay.study.adjudication.ledger import Ledger, UnitAnswer
from finassay.study.adjudication.ledger_tables import ASSIGNMENTS, SUBMISSIONS
from finassay.study.label_records import Label

Outcome = Literal["new", "revised", "unchanged", "repeated"]
"""Whether an answer is a person's first on the unit, another one, the same, or the same form."""

SUBMISSION_CHARACTERS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """What became of a form.

    Attributes:
        outcome: see `Outcome`.
        unit_id: what was answered.
        revision: of the answer that stands.
    """

    outcome: Outcome
    unit_id: str
    revision: int


def submit(
    ledger: Ledger,
    submission: str,
    answer: UnitAnswer,
    label: Label | None,
    *,
    seen: int | None,
    assigns: bool = False,
) -> Submitted:
    """Record one answer and return what became of it; it is on disk when this returns.

    Args:
        ledger: of the draw.
        submission: id of the form; the same id again changes nothing.
        answer: what was said.
        label: goes to the label store with it, in the same transaction.
        seen: revision of the person's answer that the form showed; None where it showed none.
        assigns: whether the unit is given to the person with the answer, as resolutions are.

    Raises:
        NotAssignedError: the unit is not (or not any more) the person's.
        AnsweredMeanwhileError: the person answered otherwise since the form was shown.
        UsageError: the id cannot be one, or is that of a form for another unit or person.
        ConflictError: other writers kept coming first.
    """
    if not submission or len(submission) > SUBMISSION_CHARACTERS or not submission.isalnum():
        raise UsageError(
            f"the id of a form is of 1 to {SUBMISSION_CHARACTERS} letters and digits, got "
            f"{submission!r}; load the page again"
        )

    def work(connection: Connection) -> Submitted:
        known = _known(ledger, connection, submission, answer)
        if known is not None:
            return known
        if assigns:
            ledger.assign_in(connection, answer.annotator, answer.role, [answer.unit_id])
        _require_assigned(ledger, connection, answer)
        last = ledger.latest_in(connection, [answer.unit_id]).get(
            (answer.unit_id, answer.annotator, answer.role)
        )
        held = None if last is None else last.revision
        is_same = last is not None and last.answer.said == answer.said
        if held != seen and not is_same:
            raise AnsweredMeanwhileError(
                f"unit {answer.unit_id} has another answer of yours since this page was shown "
                f"(from another window, or from a sheet); nothing was recorded; look at it again"
            )
        ledger.record_in(connection, [answer], [label])
        revision = held or 0
        if not is_same and held is not None:
            revision = held + 1
        outcome: Outcome = "unchanged" if is_same else "new" if held is None else "revised"
        _keep(ledger, connection, submission, answer, revision)
        return Submitted(outcome=outcome, unit_id=answer.unit_id, revision=revision)

    return ledger.attempt(work)


def _known(
    ledger: Ledger, connection: Connection, submission: str, answer: UnitAnswer
) -> Submitted | None:
    at = SUBMISSIONS.c
    query = select(at.draw_id, at.unit_id, at.annotator, at.role, at.revision)
    row = connection.execute(query.where(at.submission == submission)).one_or_none()
    if row is None:
        return None
    whose = (ledger.draw_id, answer.unit_id, answer.annotator, answer.role)
    if tuple(row[:4]) != whose:
        raise UsageError(
            f"the form {submission!r} was for another unit than {answer.unit_id!r}; load the page "
            f"again"
        )
    return Submitted(outcome="repeated", unit_id=answer.unit_id, revision=row.revision)


def _require_assigned(ledger: Ledger, connection: Connection, answer: UnitAnswer) -> None:
    at = ASSIGNMENTS.c
    query = select(at.assignment_id).where(
        at.draw_id == ledger.draw_id,
        at.annotator == answer.annotator,
        at.role == answer.role,
        at.unit_id == answer.unit_id,
    )
    if connection.scalar(query) is None:
        raise NotAssignedError(
            f"unit {answer.unit_id!r} is not among those given to {answer.annotator!r}; nothing "
            f"was recorded; it may have gone to somebody else: load the page again"
        )


def _keep(
    ledger: Ledger, connection: Connection, submission: str, answer: UnitAnswer, revision: int
) -> None:
    row = {
        "submission": submission,
        "draw_id": ledger.draw_id,
        "unit_id": answer.unit_id,
        "annotator": answer.annotator,
        "role": answer.role,
        "revision": revision,
        "at": datetime.now(UTC).isoformat(),
    }
    connection.execute(insert(SUBMISSIONS), [row])
