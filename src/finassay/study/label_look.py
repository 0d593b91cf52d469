"""A look at a store of labels.  In: a study or a URL.  Out: its layout; nothing is made or changed.

Opening a store makes its tables or brings them up to date.  Whoever only wants to know whether it
can be reached looks here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import create_engine
from sqlalchemy.engine import Engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from finassay.errors import MissingExtraError, StudyError, UsageError
from finassay.study.label_migrations import LAYOUT_VERSION, layout_of
from finassay.study.study import LABELS_NAME, Study

TIMEOUT_S = 5
"""Seconds that a server may take to answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreSeen:
    """What a look at a store of labels showed.

    Attributes:
        kind: "sqlite", "postgresql" or another kind of database.
        layout: of its tables, or None where it has none yet.
        expected: the layout that this version of Finassay reads and writes.
    """

    kind: str
    layout: int | None
    expected: int = LAYOUT_VERSION


def look_at_labels(study: Study, *, url: str | None = None) -> StoreSeen:
    """Return the kind and layout of the store of a study, or of the one at a URL.

    Raises:
        UsageError: the URL is none.
        MissingExtraError: the driver of the database is not installed.
        StudyError: the store cannot be reached or read.
    """
    path = study.root / LABELS_NAME
    if url is None and not path.exists():
        return StoreSeen(kind="sqlite", layout=None)
    engine = _sqlite(path) if url is None else _at(url)
    try:
        with engine.connect() as connection:
            return StoreSeen(kind=engine.dialect.name, layout=layout_of(connection))
    except DBAPIError as error:
        raise StudyError(
            f"the label store at {engine.url.render_as_string()} cannot be read: {error.orig}; "
            f"check that the server runs and that the URL and the rights are right"
        ) from error
    finally:
        engine.dispose()


def _sqlite(path: Path) -> Engine:
    # Without other writers' leftovers the file is all there is, and is not touched to be read.
    waiting = path.with_name(f"{path.name}-wal")
    has_more = False
    with suppress(OSError):
        has_more = waiting.stat().st_size > 0
    how = "mode=ro" if has_more else "immutable=1"
    where = f"{path.resolve().as_uri()}?{how}"
    return create_engine("sqlite://", creator=lambda: sqlite3.connect(where, uri=True))


def _at(url: str) -> Engine:
    with usable_address():
        made = make_url(url)
        is_postgres = made.get_backend_name() == "postgresql"
        arguments = {"connect_timeout": TIMEOUT_S} if is_postgres else {}
        return create_engine(made, connect_args=arguments)


@contextmanager
def usable_address() -> Iterator[None]:
    """Say in our own words what is wrong with the address of a store that is opened inside.

    Raises:
        UsageError: the URL is none, or names a kind of database that nobody knows.
        MissingExtraError: the driver of the database is not installed.
    """
    try:
        yield
    except ArgumentError as error:
        raise UsageError(
            f"the URL of the label store cannot be used: {error}; expected "
            f"postgresql+psycopg://USER:PASSWORD@HOST/NAME or sqlite:///FILE"
        ) from error
    except ImportError as error:
        raise MissingExtraError(
            f"the driver of the label store cannot be imported ({error}); install it with: "
            f"pip install 'finassay[postgres]'"
        ) from error
