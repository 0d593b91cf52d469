"""Who is logged in.  In: a person.  Out: a random session id, and the person again.

Sessions live in the database of labels, so that they outlast a server that was killed.  Of an id
only the SHA-256 is kept.
"""

from __future__ import annotations

import hmac
import secrets
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, insert, select

from finassay.study.label_tables import PEOPLE, SESSIONS
from finassay.study.labels import LabelStore
from finassay.study.people import LONGEST_SECRET, Person, person_of, secret_digest

SESSION_HOURS = 24.0
"""How long a session is good after the login."""

SESSION_BYTES = 32


class Sessions:
    """The sessions of a label store."""

    def __init__(self, store: LabelStore) -> None:
        self.store = store

    def begin(self, person: Person, *, hours: float = SESSION_HOURS) -> str:
        """Start a session of a person and return its id, always a new one.

        What has expired, of anybody, is removed on the way.
        """
        session = secrets.token_urlsafe(SESSION_BYTES)
        now = datetime.now(UTC)
        row = {
            "session_digest": secret_digest(session),
            "person_id": person.person_id,
            "created": _text(now),
            "expires": _text(now + timedelta(hours=hours)),
        }
        with self.store.writing() as connection:
            connection.execute(delete(SESSIONS).where(SESSIONS.c.expires <= _text(now)))
            connection.execute(insert(SESSIONS).values(row))
        return session

    def person(self, session: str) -> Person | None:
        """Return whose session this is; None where it is unknown, over or the person's revoked."""
        if len(session) > LONGEST_SECRET or not session.isascii():
            return None
        digest = secret_digest(session)
        query = (
            select(PEOPLE, SESSIONS.c.session_digest)
            .join_from(SESSIONS, PEOPLE)
            .where(
                SESSIONS.c.session_digest == digest,
                SESSIONS.c.expires > _text(datetime.now(UTC)),
                PEOPLE.c.revoked.is_(None),
            )
        )
        with self.store.reading() as connection:
            row = connection.execute(query).one_or_none()
        # The look-up is by digest, so its time says nothing about the id itself.
        if row is None or not hmac.compare_digest(row.session_digest, digest):
            return None
        return person_of(row)

    def end(self, session: str) -> None:
        """End a session; one that is over already stays so."""
        gone = SESSIONS.c.session_digest == secret_digest(session)
        with self.store.writing() as connection:
            connection.execute(delete(SESSIONS).where(gone))


def _text(moment: datetime) -> str:
    # One width for all: texts are compared as times.
    return moment.isoformat(timespec="microseconds")
