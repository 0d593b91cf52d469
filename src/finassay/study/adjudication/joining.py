"""Joining a draw, and leaving it.  In: a ledger and a person.  Out: who has which units.

A draw is open to everybody who may label, each labelling all of it, unless somebody says for how
many people it is and what share all of them label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import delete, func, insert, select
from sqlalchemy.engine import Connection

from finassay.errors import UsageError
from finassay.study.adjudication.dealing import (
    in_order,
    require_annotators,
    require_opening,
    seat_hand,
)
from finassay.study.adjudication.draws import Draw
from finassay.study.adjudication.ledger import Ledger, Role
from finassay.study.adjudication.ledger_tables import (
    ANSWERS,
    ASSIGNMENTS,
    OPENINGS,
    SEATS,
    WITHDRAWALS,
)

ROLE: Role = "label"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """For whom a draw is.

    Attributes:
        people: how many people share what not everybody labels.
        overlap: share of the units that everybody labels.
        by: who opened it, "" where nobody said anything.
        at: when, ISO 8601 in UTC.
    """

    people: int = 1
    overlap: float = 1.0
    by: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawn:
    """What became of the units of a person who left a draw.

    Attributes:
        draw: name of the draw.
        annotator: who left.
        answered: units that they answered: their answers stay.
        freed: units that they had not answered.
        given: (person, how many of these they have now).
        dropped: of these, units that nobody took, since all others have them already or nobody
            else labels.
    """

    draw: str
    annotator: str
    answered: int
    freed: int
    given: tuple[tuple[str, int], ...]
    dropped: int


def open_draw(ledger: Ledger, people: int, overlap: float, *, by: str) -> Opening:
    """Say for how many people a draw is and what share all of them label, and return it.

    It holds for those who join from now on; what was given before stays.

    Raises:
        UsageError: a number out of range.
    """
    require_opening(people, overlap)
    made = Opening(people=people, overlap=overlap, by=by, at=_now())
    row = {
        "draw_id": ledger.draw_id,
        "people": people,
        "overlap": overlap,
        "by": by,
        "at": made.at,
    }
    ledger.attempt(lambda connection: connection.execute(insert(OPENINGS), [row]))
    return made


def opening_of(ledger: Ledger) -> Opening:
    """Return for whom a draw is; for everybody the whole of it where nobody said anything."""
    with ledger.store.reading() as connection:
        return _opening(ledger, connection)


def _opening(ledger: Ledger, connection: Connection) -> Opening:
    at = OPENINGS.c
    query = (
        select(at.people, at.overlap, at.by, at.at)
        .where(at.draw_id == ledger.draw_id)
        .order_by(at.opening_id.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return Opening() if row is None else Opening(**row._asdict())


def join(ledger: Ledger, draw: Draw, annotator: str) -> tuple[str, ...]:
    """Give a person their units of a draw and return them in order; those they have stay theirs.

    Several people may join at the same moment: each has another seat.

    Raises:
        UsageError: the name cannot be one.
        ConflictError: other people kept joining first.
    """
    require_annotators([annotator])

    def work(connection: Connection) -> tuple[str, ...]:
        held = ledger.assign_in(connection, annotator, ROLE, ())
        if held and not _has_left(ledger, connection, annotator):
            return held
        # The seat is taken first: two who join at once would otherwise share the same rest.
        seat = _take_seat(ledger, connection, annotator)
        opening = _opening(ledger, connection)
        at = ASSIGNMENTS.c
        query = select(at.unit_id).where(at.draw_id == ledger.draw_id, at.role == ROLE).distinct()
        hand = seat_hand(
            draw,
            annotator,
            seat=seat,
            people=opening.people,
            overlap=opening.overlap,
            held=set(connection.scalars(query)),
        )
        return ledger.assign_in(connection, annotator, ROLE, hand)

    return ledger.attempt(work)


def _has_left(ledger: Ledger, connection: Connection, annotator: str) -> bool:
    at = WITHDRAWALS.c
    query = select(at.withdrawal_id).where(
        at.draw_id == ledger.draw_id, at.annotator == annotator, at.role == ROLE
    )
    return connection.scalar(query.limit(1)) is not None


def _take_seat(ledger: Ledger, connection: Connection, annotator: str) -> int:
    at = SEATS.c
    own = select(at.seat).where(at.draw_id == ledger.draw_id, at.annotator == annotator)
    held: int | None = connection.scalar(own)
    if held is not None:
        return held
    last: int | None = connection.scalar(
        select(func.max(at.seat)).where(at.draw_id == ledger.draw_id)
    )
    seat = 0 if last is None else last + 1
    row = {"draw_id": ledger.draw_id, "seat": seat, "annotator": annotator, "at": _now()}
    connection.execute(insert(SEATS), [row])
    return seat


def withdraw(ledger: Ledger, draw: Draw, annotator: str, *, by: str, reason: str = "") -> Withdrawn:
    """Take a person off a draw and return who has their open units now.

    What they answered stays and counts.  Each open unit goes to the one of the others with the
    least to do who does not have it yet, at the end of their queue.

    Raises:
        UsageError: the draw was never given to this person, or they have nothing open.
    """

    def work(connection: Connection) -> Withdrawn:
        queues = _open_units(ledger, connection)
        if annotator not in queues:
            known = ", ".join(sorted(queues)) or "nobody"
            raise UsageError(
                f"draw {draw.name!r} was not given to {annotator!r}; it was given to: {known}"
            )
        every = _assigned(ledger, connection)
        mine = queues.pop(annotator)
        if not mine:
            raise UsageError(
                f"{annotator!r} has answered all units of draw {draw.name!r}: there is nothing to "
                f"give to others"
            )
        hands, dropped = _share_out(draw, list(mine), queues, every)
        _remove(ledger, connection, annotator, list(mine))
        for name, units in hands.items():
            ledger.assign_in(connection, name, ROLE, in_order(draw, name, units))
        taken = {unit: name for name, units in hands.items() for unit in units}
        rows = [
            {
                "draw_id": ledger.draw_id,
                "annotator": annotator,
                "role": ROLE,
                "unit_id": unit,
                "position": position,
                "given_to": taken.get(unit),
                "by": by,
                "reason": reason,
                "at": _now(),
            }
            for unit, position in mine.items()
        ]
        connection.execute(insert(WITHDRAWALS), rows)
        return Withdrawn(
            draw=draw.name,
            annotator=annotator,
            answered=len(every[annotator]) - len(mine),
            freed=len(mine),
            given=tuple(sorted((name, len(units)) for name, units in hands.items() if units)),
            dropped=dropped,
        )

    return ledger.attempt(work)


def _share_out(
    draw: Draw,
    units: Sequence[str],
    queues: Mapping[str, Mapping[str, int]],
    every: Mapping[str, set[str]],
) -> tuple[dict[str, list[str]], int]:
    """Return what each of the others gets, and how many units nobody can take."""
    hands: dict[str, list[str]] = {name: [] for name in sorted(queues)}
    dropped = 0
    for unit in in_order(draw, "", units):
        may = [name for name in hands if unit not in every[name]]
        if not may:
            dropped += 1
            continue
        least = min(may, key=lambda name: (len(queues[name]) + len(hands[name]), name))
        hands[least].append(unit)
    return hands, dropped


def _assigned(ledger: Ledger, connection: Connection) -> dict[str, set[str]]:
    at = ASSIGNMENTS.c
    query = select(at.annotator, at.unit_id).where(at.draw_id == ledger.draw_id, at.role == ROLE)
    out: dict[str, set[str]] = {}
    for name, unit in connection.execute(query):
        out.setdefault(name, set()).add(unit)
    return out


def _open_units(ledger: Ledger, connection: Connection) -> dict[str, dict[str, int]]:
    """Return {person: {unit without an answer: position}}."""
    at, said = ASSIGNMENTS.c, ANSWERS.c
    query = select(at.annotator, at.unit_id, at.position).where(
        at.draw_id == ledger.draw_id, at.role == ROLE
    )
    answered = select(said.annotator, said.unit_id).where(
        said.draw_id == ledger.draw_id, said.role == ROLE
    )
    done = {(name, unit) for name, unit in connection.execute(answered)}
    out: dict[str, dict[str, int]] = {}
    for name, unit, position in connection.execute(query.order_by(at.position)):
        theirs = out.setdefault(name, {})
        if (name, unit) not in done:
            theirs[unit] = position
    return out


def _remove(ledger: Ledger, connection: Connection, annotator: str, units: Sequence[str]) -> None:
    # Their seat is free again, so that whoever joins next has the share that it stands for.
    seats = SEATS.c.draw_id == ledger.draw_id, SEATS.c.annotator == annotator
    connection.execute(delete(SEATS).where(*seats))
    at = ASSIGNMENTS.c
    whose = (at.draw_id == ledger.draw_id, at.annotator == annotator, at.role == ROLE)
    # A few at a time: databases bound the parameters of a statement.
    for first in range(0, len(units), _AT_ONCE):
        some = units[first : first + _AT_ONCE]
        connection.execute(delete(ASSIGNMENTS).where(*whose, at.unit_id.in_(some)))


_AT_ONCE = 500


def _now() -> str:
    return datetime.now(UTC).isoformat()
