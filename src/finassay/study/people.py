"""People who may write.  In: a name and what they may do.  Out: a token, shown once.

People live in the database of labels.  Of a token only the SHA-256 is kept: it holds 32 random
bytes, so nothing shorter than trying them all leads back.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Literal, get_args

from sqlalchemy import delete, insert, select, update
from sqlalchemy.engine import Row
from sqlalchemy.exc import IntegrityError

from finassay.errors import UnknownNameError, UsageError
from finassay.study.adjudication.dealing import require_annotators
from finassay.study.label_migrations import claim_for_study
from finassay.study.label_tables import PEOPLE, SESSIONS
from finassay.study.labels import LabelStore
from finassay.study.study import Study

PersonRole = Literal["label", "review", "submit"]
"""What a person may do: label, settle conflicts and see everybody's labels, bring in answers."""

PERSON_ROLES: tuple[PersonRole, ...] = get_args(PersonRole)

TOKEN_PREFIX = "finassay-"  # noqa: S105 - what tokens begin with, so that scanners know them
TOKEN_BYTES = 32

LONGEST_NAME = 100
"""Most characters of a person's name."""

LONGEST_SECRET = 200
"""Texts with more characters are no token and no session; they are not even hashed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who may write.

    Attributes:
        person_id: number of the person in the store.
        name: also the annotator of the person's labels.
        roles: what the person may do, in the order of `PERSON_ROLES`.
        created: when the token was made, ISO 8601 in UTC.
        revoked: when it was revoked; None while it is good.
    """

    person_id: int
    name: str
    roles: tuple[PersonRole, ...]
    created: str
    revoked: str | None = None

    def may(self, role: PersonRole) -> bool:
        """Return whether the person has a role."""
        return role in self.roles


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPerson:
    """A person just added, with the only copy of the token.

    Attributes:
        person: who.
        token: what the person logs in with; it is stored nowhere.
    """

    person: Person
    token: str


def study_name(study: Study) -> str:
    """Return what tells a study from others in a label store: its name and when it was made."""
    return f"{study.config.name} (made {study.config.created})"


def store_for(study: Study, *, url: str | None = None) -> LabelStore:
    """Return the label store of a study, which serves no other from then on.

    Args:
        study: the study.
        url: database of the store; the study's own SQLite file by default.

    Raises:
        StudyError: the store cannot be reached, or serves another study.
    """
    with ExitStack() as undone:
        store = undone.enter_context(LabelStore.of(study, url=url))
        claim_for_study(store.engine, study_name(study))
        undone.pop_all()
    return store


def secret_digest(secret: str) -> str:
    """Return the SHA-256 of a token or session, in hexadecimal digits."""
    return sha256(secret.encode()).hexdigest()


def require_roles(roles: Collection[str]) -> tuple[PersonRole, ...]:
    """Return roles in their order, each once.

    Raises:
        UsageError: there is none, or one is not known.
    """
    unknown = sorted(set(roles) - set(PERSON_ROLES))
    if unknown or not roles:
        raise UsageError(
            f"roles must be some of {', '.join(PERSON_ROLES)}, got "
            f"{', '.join(map(repr, unknown)) or 'none'}; name at least one of them"
        )
    return tuple(role for role in PERSON_ROLES if role in roles)


class People:
    """The people of a label store."""

    def __init__(self, store: LabelStore) -> None:
        self.store = store

    def add(self, name: str, roles: Collection[str] = ("label",)) -> NewPerson:
        """Add a person and return the token, which cannot be had again.

        Raises:
            UsageError: the name cannot be one or is taken, or a role is not known.
        """
        require_annotators((name,))
        if len(name) > LONGEST_NAME:
            raise UsageError(
                f"a person's name has at most {LONGEST_NAME} characters, got {len(name)}; "
                f"shorten it"
            )
        token = TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
        row = {
            "name": name,
            "roles": ",".join(require_roles(roles)),
            "token_digest": secret_digest(token),
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        try:
            with self.store.writing() as connection:
                connection.execute(insert(PEOPLE).values(**row, revoked=None))
        except IntegrityError as error:
            raise UsageError(
                f"there is a person named {name!r} already; for a new token revoke the old one "
                f"first with `finassay people revoke`, for another person choose another name"
            ) from error
        return NewPerson(person=self._named(name), token=token)

    def listed(self) -> list[Person]:
        """Return everybody, those revoked too, sorted by name and time."""
        query = select(PEOPLE).order_by(PEOPLE.c.name, PEOPLE.c.person_id)
        with self.store.reading() as connection:
            return [person_of(row) for row in connection.execute(query)]

    def revoke(self, name: str) -> Person:
        """Take a person's token and sessions away, and return the person; labels stay.

        Raises:
            UnknownNameError: nobody of that name has a good token.
        """
        person = self._named(name)
        at = datetime.now(UTC).isoformat(timespec="seconds")
        mine = PEOPLE.c.person_id == person.person_id
        with self.store.writing() as connection:
            connection.execute(update(PEOPLE).where(mine).values(revoked=at))
            connection.execute(delete(SESSIONS).where(SESSIONS.c.person_id == person.person_id))
        return Person(
            person_id=person.person_id,
            name=name,
            roles=person.roles,
            created=person.created,
            revoked=at,
        )

    def with_token(self, token: str) -> Person | None:
        """Return whose token this is, or None where it is nobody's or was revoked.

        Every digest is compared, and each in constant time: how long it takes says nothing about
        which were close.
        """
        if len(token) > LONGEST_SECRET or not token.isascii():
            return None
        given = secret_digest(token)
        query = select(PEOPLE).where(PEOPLE.c.revoked.is_(None)).order_by(PEOPLE.c.person_id)
        with self.store.reading() as connection:
            rows = connection.execute(query).all()
        found = [row for row in rows if hmac.compare_digest(row.token_digest, given)]
        return person_of(found[0]) if found else None

    def _named(self, name: str) -> Person:
        query = select(PEOPLE).where(PEOPLE.c.name == name, PEOPLE.c.revoked.is_(None))
        with self.store.reading() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            known = [person.name for person in self.listed() if person.revoked is None]
            raise UnknownNameError(
                f"nobody named {name!r} has a token; there are: {', '.join(known) or 'none'}; "
                f"see `finassay people list`"
            )
        return person_of(row)


def person_of(row: Row[*tuple[object, ...]]) -> Person:
    """Return the person in a row of the table."""
    cells = row._mapping  # noqa: SLF001 - public in SQLAlchemy, in spite of its name
    held = set(cells["roles"].split(","))
    return Person(
        person_id=cells["person_id"],
        name=cells["name"],
        roles=tuple(role for role in PERSON_ROLES if role in held),
        created=cells["created"],
        revoked=cells["revoked"],
    )
