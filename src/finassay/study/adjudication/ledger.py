"""The ledger of a draw: who was given what, and who answered what.  In: answers.  Out: revisions.

It lives in the database of people's labels.  Nothing is changed in place: a changed answer is a new
revision.  What is recorded together is recorded whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypeVar

from sqlalchemy import (
    Column,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    insert,
    select,
    update,
)
from sqlalchemy.engine import Connection, Row
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from finassay.errors import ConflictError, StudyError, UsageError
from finassay.study.label_records import Label
from finassay.study.labels import (
    ATTEMPTS,
    FIRST_LOOKS,
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

_METADATA = MetaData()

ANSWERS = Table(
    "draw_answers",
    _METADATA,
    Column("answer_id", Integer, primary_key=True, autoincrement=True),
    Column("draw_id", String(32), nullable=False),
    Column("unit_id", String(32), nullable=False),
    Column("annotator", String(200), nullable=False),
    Column("role", String(20), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("label", Text, nullable=False),
    Column("value", Float, nullable=True),
    Column("note", Text, nullable=False),
    Column("reference_wrong", Integer, nullable=False),
    Column("correction", Text, nullable=False),
    Column("swapped", Integer, nullable=False),
    Column("source", Text, nullable=False),
    Column("source_digest", String(64), nullable=False),
    Column("source_row", Integer, nullable=True),
    Column("recorded_by", String(200), nullable=False),
    Column("at", String(40), nullable=False),
    Column("previous", Integer, nullable=True),
    UniqueConstraint("draw_id", "unit_id", "annotator", "role", "revision"),
)

ASSIGNMENTS = Table(
    "draw_assignments",
    _METADATA,
    Column("assignment_id", Integer, primary_key=True, autoincrement=True),
    Column("draw_id", String(32), nullable=False),
    Column("annotator", String(200), nullable=False),
    Column("role", String(20), nullable=False),
    Column("unit_id", String(32), nullable=False),
    Column("position", Integer, nullable=False),
    UniqueConstraint("draw_id", "annotator", "role", "unit_id"),
)


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
    """

    answer: UnitAnswer
    revision: int
    at: str
    previous: int | None


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
        _create(store)

    def assign(self, annotator: str, role: Role, units: Sequence[str]) -> tuple[str, ...]:
        """Give units to a person, after those given before; return all of theirs in order.

        Units that the person has already keep their place.

        Raises:
            UsageError: the annotator has no name.
            ConflictError: other writers kept assigning first.
        """
        if not annotator.strip():
            raise UsageError("an annotator must have a name, got ''; name one")

        def work(connection: Connection) -> tuple[str, ...]:
            held = self._assigned(connection, annotator, role)
            known = set(held)
            more = [unit for unit in dict.fromkeys(units) if unit not in known]
            rows = [
                {
                    "draw_id": self.draw_id,
                    "annotator": annotator,
                    "role": role,
                    "unit_id": unit,
                    "position": len(held) + at,
                }
                for at, unit in enumerate(more)
            ]
            if rows:
                connection.execute(insert(ASSIGNMENTS), rows)
            return (*held, *more)

        return self._try(work)

    def _assigned(self, connection: Connection, annotator: str, role: Role) -> list[str]:
        at = ASSIGNMENTS.c
        query = (
            select(at.unit_id)
            .where(at.draw_id == self.draw_id, at.annotator == annotator, at.role == role)
            .order_by(at.position)
        )
        return list(connection.scalars(query))

    def assignments(self) -> Mapping[tuple[str, Role], tuple[str, ...]]:
        """Return the units of each (annotator, role), in order of the queue."""
        at = ASSIGNMENTS.c
        query = (
            select(at.annotator, at.role, at.unit_id)
            .where(at.draw_id == self.draw_id)
            .order_by(at.annotator, at.role, at.position)
        )
        out: dict[tuple[str, Role], list[str]] = {}
        with self.store.engine.connect() as connection:
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
        return self._try(lambda connection: self._record(connection, answers, beside))

    def _record(
        self, connection: Connection, answers: Sequence[UnitAnswer], labels: Sequence[Label | None]
    ) -> Recorded:
        units = [one.unit_id for one in answers] if len(answers) <= _FEW else None
        held = self._latest(connection, units)
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
        with self.store.engine.connect() as connection:
            return self._history(connection)

    def current(self) -> list[AnswerRevision]:
        """Return the latest revision of each answer, in the order of `history`."""
        with self.store.engine.connect() as connection:
            return list(self._latest(connection).values())

    def _history(
        self, connection: Connection, units: Sequence[str] | None = None
    ) -> list[AnswerRevision]:
        at = ANSWERS.c
        scope = [] if units is None else [at.unit_id.in_(units)]
        query = (
            select(*[at[name] for name in _FIELDS], at.revision, at.at, at.previous)
            .where(at.draw_id == self.draw_id, *scope)
            .order_by(at.unit_id, at.annotator, at.role, at.revision)
        )
        return [_revision(row) for row in connection.execute(query)]

    def _latest(
        self, connection: Connection, units: Sequence[str] | None = None
    ) -> dict[_Who, AnswerRevision]:
        return {
            (one.answer.unit_id, one.answer.annotator, one.answer.role): one
            for one in self._history(connection, units)
        }

    def _try(self, work: Callable[[Connection], T]) -> T:
        for attempt in range(ATTEMPTS):
            try:
                with self.store.engine.begin() as connection:
                    return work(connection)
            except (IntegrityError, OperationalError) as error:
                # Another writer took a revision number or a place, or held the lock for too long.
                last = error
                wait_turn(attempt)
        raise ConflictError(
            f"draw {self.draw_id}: nothing could be recorded in {ATTEMPTS} tries, the last ending "
            f"in: {last.orig}; expected a writable store with few writers; try again"
        )


def mask_answers(
    store: LabelStore, mask: Callable[[str], str], units: Iterable[str] | None = None
) -> int:
    """Mask notes and corrections for good, in all draws, and return how many answers changed.

    Args:
        store: where the answers are.
        mask: makes the masked text of a text.
        units: only answers on these units; all by default.
    """
    _create(store)
    scope = None if units is None else set(units)
    changed = 0
    at = ANSWERS.c
    with store.engine.begin() as connection:
        query = select(at.answer_id, at.unit_id, at.note, at.correction)
        for answer_id, unit, *texts in connection.execute(query).all():
            masked = [mask(text) if text else text for text in texts]
            if masked != texts and (scope is None or unit in scope):
                values = dict(zip(("note", "correction"), masked, strict=True))
                connection.execute(update(ANSWERS).where(at.answer_id == answer_id).values(values))
                changed += 1
    if changed and store.url.get_backend_name() != "sqlite":
        # SQLite is rewritten as a whole when the label store masks its own notes.
        automatic = store.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        with automatic as connection:
            connection.exec_driver_sql(f"VACUUM FULL {ANSWERS.name}")
    return changed


def _create(store: LabelStore) -> None:
    for attempt in range(ATTEMPTS):
        try:
            _METADATA.create_all(store.engine)
        except DBAPIError as error:
            # Two processes may both find no table and both make it: look again.
            last = error
            wait_turn(attempt)
            if attempt >= FIRST_LOOKS:
                break
        else:
            return
    raise StudyError(
        f"the ledger of draws at {store.url.render_as_string()} cannot be reached: {last.orig}; "
        f"check that the server runs and that the rights are right"
    )


def _revision(row: Row[*tuple[object, ...]]) -> AnswerRevision:
    cells = row._asdict()
    at, revision, previous = cells.pop("at"), cells.pop("revision"), cells.pop("previous")
    for name in ("reference_wrong", "swapped"):
        cells[name] = bool(cells[name])
    return AnswerRevision(answer=UnitAnswer(**cells), revision=revision, at=at, previous=previous)
