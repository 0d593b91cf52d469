"""The ledger of a draw: who was given what, and who answered what.  In: answers.  Out: revisions.

It lives in the database of people's labels.  Nothing is changed in place: a changed answer is a new
revision.  What is recorded together is recorded whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, NamedTuple, TypeVar

from sqlalchemy import and_, func, insert, select
from sqlalchemy.engine import Connection, Row
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import ColumnElement

from finassay.errors import ConflictError, UsageError
from finassay.study.adjudication.ledger_tables import ANSWERS, ASSIGNMENTS
from finassay.study.label_records import Label
from finassay.study.labels import (
    ATTEMPTS,
    LabelStore,
    append_label,
    append_labels,
    wait_turn,
)

Role = Literal["label", "resolution"]
"""Whether an answer is one of several, or settles a unit on which they differ."""

ROLES: tuple[Role, ...] = ("label", "resolution")

T = TypeVar("T")

_FEW = 200
"""Up to so many answers, only what is held of their own units is looked up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitAnswer:
    """What a person says of one unit of a draw.

    Attributes:
        unit_id: code of the unit.
        annotator: who says it.
        role: "label", or "resolution" where it settles a conflict.
        label: the option's word.
        value: of the option, in [0, 1]; None for "not sure" and for labels without a value.
        note: free text.
        reference_wrong: whether the person flags the reference.
        correction: the reference that the person proposes, "" for none.
        swapped: whether A on this person's sheet was the right answer of the pair.
        source: file or page that it came from.
        source_digest: SHA-256 of the file.
        source_row: its row there, from 1.
        recorded_by: who brought it in.
    """

    unit_id: str
    annotator: str
    role: Role = "label"
    label: str
    value: float | None = None
    note: str = ""
    reference_wrong: bool = False
    correction: str = ""
    swapped: bool = False
    source: str = ""
    source_digest: str = ""
    source_row: int | None = None
    recorded_by: str = ""

    @property
    def said(self) -> tuple[object, ...]:
        """What must differ for a new revision."""
        return self.label, self.value, self.note, self.reference_wrong, self.correction


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRevision:
    """An answer as it was recorded.

    Attributes:
        answer: what was said.
        revision: 0, 1, ... of this person on this unit.
        at: when, ISO 8601 in UTC.
        previous: the revision that it replaces; None for the first.
        order: grows with every revision of the store, whatever the clock says.
    """

    answer: UnitAnswer
    revision: int
    at: str
    previous: int | None
    order: int = field(default=0, compare=False)


class Place(NamedTuple):
    """One unit in a person's queue.

    Attributes:
        unit_id: its code.
        revision: latest revision of the person's answer; None where there is none.
    """

    unit_id: str
    revision: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What recording did: answers that are new, that revise an earlier one, and that repeat it."""

    new: int
    revised: int
    unchanged: int


_FIELDS = (
    *("unit_id", "annotator", "role", "label", "value", "note", "reference_wrong", "correction"),
    *("swapped", "source", "source_digest", "source_row", "recorded_by"),
)
_Who = tuple[str, str, str]


class Ledger:
    """Assignments and answers of one draw, in the database of a label store.

    Args:
        store: where people's labels are.
        draw_id: id of the draw.

    Raises:
        StudyError: the database cannot be reached.
    """

    def __init__(self, store: LabelStore, draw_id: str) -> None:
        self.store = store
        self.draw_id = draw_id

    def assign(self, annotator: str, role: Role, units: Sequence[str]) -> tuple[str, ...]:
        """Give units to a person, after those given before; return all of theirs in order.

        Units that the person has already keep their place.

        Raises:
            UsageError: the annotator has no name.
            ConflictError: other writers kept assigning first.
        """
        if not annotator.strip():
            raise UsageError("an annotator must have a name, got ''; name one")

        return self.attempt(lambda connection: self.assign_in(connection, annotator, role, units))

    def assign_in(
        self, connection: Connection, annotator: str, role: Role, units: Sequence[str]
    ) -> tuple[str, ...]:
        """Do what `assign` does, in a transaction that is open."""
        held = self._assigned(connection, annotator, role)
        known = set(held)
        more = [unit for unit in dict.fromkeys(units) if unit not in known]
        # Places of units that went to others stay empty, so the count is not the next place.
        after = connection.scalar(
            select(func.max(ASSIGNMENTS.c.position)).where(*self._whose(annotator, role))
        )
        first = 0 if after is None else after + 1
        rows = [
            {
                "draw_id": self.draw_id,
                "annotator": annotator,
                "role": role,
                "unit_id": unit,
                "position": first + at,
            }
            for at, unit in enumerate(more)
        ]
        if rows:
            connection.execute(insert(ASSIGNMENTS), rows)
        return (*held, *more)

    def _whose(self, annotator: str, role: Role) -> tuple[ColumnElement[bool], ...]:
        at = ASSIGNMENTS.c
        return at.draw_id == self.draw_id, at.annotator == annotator, at.role == role

    def _assigned(self, connection: Connection, annotator: str, role: Role) -> list[str]:
        at = ASSIGNMENTS.c
        query = select(at.unit_id).where(*self._whose(annotator, role)).order_by(at.position)
        return list(connection.scalars(query))

    def places(self, annotator: str, role: Role) -> list[Place]:
        """Return the queue of one person in order, with what they answered."""
        at, said = ASSIGNMENTS.c, ANSWERS.c
        same = [said[name] == at[name] for name in ("draw_id", "unit_id", "annotator", "role")]
        query = (
            select(at.unit_id, func.max(said.revision))
            .outerjoin(ANSWERS, and_(*same))
            .where(*self._whose(annotator, role))
            .group_by(at.unit_id, at.position)
            .order_by(at.position)
        )
        with self.store.reading() as connection:
            return [Place(unit, revision) for unit, revision in connection.execute(query)]

    def answer_of(self, unit_id: str, annotator: str, role: Role) -> AnswerRevision | None:
        """Return what a person says of a unit; None where they have not answered."""
        with self.store.reading() as connection:
            return self.latest_in(connection, [unit_id]).get((unit_id, annotator, role))

    def assignments(self) -> Mapping[tuple[str, Role], tuple[str, ...]]:
        """Return the units of each (annotator, role), in order of the queue."""
        at = ASSIGNMENTS.c
        query = (
            select(at.annotator, at.role, at.unit_id)
            .where(at.draw_id == self.draw_id)
            .order_by(at.annotator, at.role, at.position)
        )
        out: dict[tuple[str, Role], list[str]] = {}
        with self.store.reading() as connection:
            for annotator, role, unit in connection.execute(query):
                out.setdefault((annotator, role), []).append(unit)
        return {who: tuple(units) for who, units in out.items()}

    def record(
        self, answers: Sequence[UnitAnswer], labels: Sequence[Label | None] = ()
    ) -> Recorded:
        """Record answers in one transaction: all of them, or none.

        An answer that says what the person said last is counted and not stored again.

        Args:
            answers: at most one for each unit, annotator and role.
            labels: for each answer the label that goes to the label store with it, or None.

        Raises:
            UsageError: two answers are of the same person on the same unit.
            ConflictError: other writers kept revising the same answers first.
        """
        whose = [(one.unit_id, one.annotator, one.role) for one in answers]
        if len(set(whose)) != len(whose):
            raise UsageError("two answers of one person on one unit; give the one that counts")
        beside = labels or [None] * len(answers)
        return self.attempt(lambda connection: self.record_in(connection, answers, beside))

    def record_in(
        self, connection: Connection, answers: Sequence[UnitAnswer], labels: Sequence[Label | None]
    ) -> Recorded:
        """Do what `record` does, in a transaction that is open."""
        units = [one.unit_id for one in answers] if len(answers) <= _FEW else None
        held = self.latest_in(connection, units)
        at = datetime.now(UTC).isoformat()
        rows, more, new, same = [], list[Label](), 0, 0
        for answer, label in zip(answers, labels, strict=True):
            last = held.get((answer.unit_id, answer.annotator, answer.role))
            if last is not None and last.answer.said == answer.said:
                same += 1
                continue
            new += last is None
            rows.append(self._row(answer, last, at))
            if label is not None and len(answers) <= _FEW:
                append_label(connection, label)
            elif label is not None:
                more.append(label)
        append_labels(connection, more)
        if rows:
            connection.execute(insert(ANSWERS), rows)
        return Recorded(new=new, revised=len(rows) - new, unchanged=same)

    def _row(self, answer: UnitAnswer, last: AnswerRevision | None, at: str) -> dict[str, object]:
        row: dict[str, object] = {name: getattr(answer, name) for name in _FIELDS}
        for name in ("reference_wrong", "swapped"):
            row[name] = int(bool(row[name]))
        return row | {
            "draw_id": self.draw_id,
            "revision": 0 if last is None else last.revision + 1,
            "previous": None if last is None else last.revision,
            "at": at,
        }

    def history(self) -> list[AnswerRevision]:
        """Return every revision, sorted by unit, annotator, role and revision."""
        with self.store.reading() as connection:
            return self._history(connection)

    def current(self) -> list[AnswerRevision]:
        """Return the latest revision of each answer, in the order of `history`."""
        with self.store.reading() as connection:
            return list(self.latest_in(connection).values())

    def _history(
        self, connection: Connection, units: Sequence[str] | None = None
    ) -> list[AnswerRevision]:
        at = ANSWERS.c
        scope = [] if units is None else [at.unit_id.in_(units)]
        query = (
            select(*[at[name] for name in _FIELDS], at.revision, at.at, at.previous, at.answer_id)
            .where(at.draw_id == self.draw_id, *scope)
            .order_by(at.unit_id, at.annotator, at.role, at.revision)
        )
        return [_revision(row) for row in connection.execute(query)]

    def latest_in(
        self, connection: Connection, units: Sequence[str] | None = None
    ) -> dict[_Who, AnswerRevision]:
        """Return what `current` does, by (unit, annotator, role), in a transaction that is open."""
        return {
            (one.answer.unit_id, one.answer.annotator, one.answer.role): one
            for one in self._history(connection, units)
        }

    def attempt(self, work: Callable[[Connection], T]) -> T:
        """Return what work gives in one transaction, tried again where other writers came first.

        Raises:
            ConflictError: they kept coming first.
            DiskError: the disk is full or cannot be written to; nothing was recorded.
            StudyError: the store is damaged, or cannot be written to for another lasting reason.
        """
        for attempt in range(ATTEMPTS):
            try:
                with self.store.engine.begin() as connection:
                    return work(connection)
            except DBAPIError as error:
                # Another writer took a revision number or a place, or held the lock for too long.
                last = self.store.passing(error)
                wait_turn(attempt)
        raise ConflictError(
            f"draw {self.draw_id}: nothing could be recorded in {ATTEMPTS} tries, the last ending "
            f"in: {last.orig}; expected a writable store with few writers; try again"
        )


def _revision(row: Row[*tuple[object, ...]]) -> AnswerRevision:
    cells = row._asdict()
    at, revision, previous = cells.pop("at"), cells.pop("revision"), cells.pop("previous")
    order = cells.pop("answer_id")
    for name in ("reference_wrong", "swapped"):
        cells[name] = bool(cells[name])
    return AnswerRevision(
        answer=UnitAnswer(**cells), revision=revision, at=at, previous=previous, order=order
    )
