"""The way from older label stores to this one.  In: a database.  Out: its tables, as they must be.

A store says in one row which layout it has.  A step has a name, goes one way, and leads from one
layout to the next; all of them run in one transaction under a lock, so that several processes may
open an old store at once.  Layouts: 1 had labels and the ledger of draws, and no row that said so;
2 has people, sessions, and what pages need of draws.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from sqlalchemy import insert, inspect, select, text, update
from sqlalchemy.engine import Connection, Engine

from finassay.errors import StudyError
from finassay.study.adjudication.ledger_tables import LEDGER_TABLES
from finassay.study.label_tables import LABELS, LAYOUT, METADATA, PEOPLE, SESSIONS

LAYOUT_VERSION = 2
"""Layout that this version of Finassay reads and writes."""

FIRST_VERSION = 1
"""Layout of stores that do not say which they have."""

_ROW = 1
_LOCK = 0x46494E41
"""Number of the lock on PostgreSQL; any that other programs of the database do not use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelStep:
    """One step between layouts.

    Attributes:
        name: what it does, in a few words with hyphens.
        from_version: layout that it starts from; it ends at the next.
        apply: changes the tables, in a transaction that is open.
    """

    name: str
    from_version: int
    apply: Callable[[Connection], None]


def _add_people_and_pages(connection: Connection) -> None:
    METADATA.create_all(connection, tables=[LAYOUT, PEOPLE, SESSIONS, *LEDGER_TABLES])


LABEL_STEPS: tuple[LabelStep, ...] = (
    LabelStep(name="people-and-pages", from_version=FIRST_VERSION, apply=_add_people_and_pages),
)
"""Every step that this version of Finassay knows, oldest first."""


def bring_up_to_date(
    engine: Engine,
    *,
    steps: Sequence[LabelStep] = LABEL_STEPS,
    to_version: int = LAYOUT_VERSION,
) -> tuple[str, ...]:
    """Make the tables of a new store, or lead an old one on, and return the steps taken.

    A store that is up to date is only read.

    Raises:
        StudyError: the store is newer than `to_version`, or a step is missing.
    """
    with engine.connect() as connection:
        found = layout_of(connection)
    if found == to_version:
        return ()
    with _alone(engine) as connection:
        # Another process may have done it while this one waited for the lock.
        found = layout_of(connection)
        if found is None:
            METADATA.create_all(connection)
            _write_version(connection, to_version)
            return ()
        return _walk(connection, found, steps, to_version)


def _walk(
    connection: Connection, found: int, steps: Sequence[LabelStep], to_version: int
) -> tuple[str, ...]:
    where = connection.engine.url.render_as_string()
    if found > to_version:
        raise StudyError(
            f"the label store at {where} has layout {found}; expected {to_version} or older; "
            f"layouts go one way; install a newer Finassay"
        )
    known = {step.from_version: step for step in steps}
    taken: list[str] = []
    for version in range(found, to_version):
        if version not in known:
            raise StudyError(
                f"the label store at {where} has layout {version} and no step leads on from it to "
                f"{to_version}; expected one of {sorted(known)}; install a newer Finassay"
            )
        known[version].apply(connection)
        taken.append(known[version].name)
    _write_version(connection, to_version)
    return tuple(taken)


def store_id(engine: Engine) -> str:
    """Return the random name of a store: 16 characters that no other store has."""
    with engine.connect() as connection:
        found: str = connection.execute(select(LAYOUT.c.store_id)).scalar_one()
    return found


def claim_for_study(engine: Engine, study: str) -> None:
    """File which study a store serves, or check it where that is filed.

    Args:
        engine: of the store.
        study: what tells the study from others.

    Raises:
        StudyError: the store serves another study.
    """
    with engine.begin() as connection:
        held = connection.execute(select(LAYOUT.c.study)).scalar_one()
        if held is None:
            connection.execute(update(LAYOUT).values(study=study))
            return
    if held != study:
        raise StudyError(
            f"the label store at {engine.url.render_as_string()} serves the study {held!r}, and "
            f"this one is {study!r}; people and labels of two studies must not be mixed; give "
            f"the store of this study or an empty database, or take the labels over with "
            f"`finassay study backup-labels` and `finassay study restore-labels`"
        )


def layout_of(connection: Connection) -> int | None:
    """Return the layout that a store has, or None where it has no tables yet."""
    tables = inspect(connection).get_table_names()
    if LAYOUT.name in tables:
        found = connection.execute(select(LAYOUT.c.version)).scalar()
        if found is not None:
            return int(found)
    return FIRST_VERSION if LABELS.name in tables else None


def _write_version(connection: Connection, version: int) -> None:
    if connection.execute(select(LAYOUT.c.version)).scalar() is None:
        row = {"layout_id": _ROW, "version": version, "store_id": secrets.token_hex(8)}
        connection.execute(insert(LAYOUT).values(row))
    else:
        connection.execute(update(LAYOUT).values(version=version))


@contextmanager
def _alone(engine: Engine) -> Iterator[Connection]:
    """Yield a connection in a transaction that no other process has at the same time."""
    if engine.dialect.name != "sqlite":
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            yield connection
        return
    # The driver begins a transaction only before it writes rows: tables need it begun by hand.
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        with ExitStack() as undone:
            undone.callback(connection.exec_driver_sql, "ROLLBACK")
            yield connection
            undone.pop_all()
        connection.exec_driver_sql("COMMIT")
