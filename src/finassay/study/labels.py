"""The store of people's labels.  In: one label at a time.  Out: revisions, and verdicts of them.

Labels live in SQL because they arrive singly and from several people at once: SQLite in the study
directory by default, PostgreSQL by URL.  A label is never updated in place: a person who changes
their mind adds a revision.  `materialise` turns the latest revisions into verdict partitions.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import create_engine, event, func, insert, select, update
from sqlalchemy.engine import URL, Connection, Engine, Row, make_url
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.sql import ColumnElement

from finassay.errors import ConflictError, DiskError, FinassayError, StudyError, UsageError
from finassay.study.label_file import DAMAGED, REFUSED, RESTORE_LABELS
from finassay.study.label_look import usable_address
from finassay.study.label_migrations import bring_up_to_date
from finassay.study.label_records import NOT_SURE, Label, Revision
from finassay.study.label_tables import LABELS
from finassay.study.materialise import materialise
from finassay.study.study import LABELS_NAME, Commit, Study

ATTEMPTS = 50
"""Times a label is tried against other writers before it gives up."""

FIRST_LOOKS = 5
"""Times the tables are looked for and made before the store counts as out of reach."""

BUSY_S = 30.0
"""Seconds that SQLite waits for another writer's lock."""

_LASTING_STATES = frozenset({"25006", "42501", "53100"})
"""States of PostgreSQL that another try does not mend: read-only, without the rights, disk full."""

_FIELDS = (
    "annotator",
    "item_id",
    "system_id",
    "trial",
    "revision",
    "label",
    "value",
    "note",
    "at",
    "previous",
    "text_digest",
    "item_digest",
)


def _set_pragmas(connection: object, _record: object) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]
    # WAL lets people read while another writes; secure_delete lets redaction be real; each of many
    # connections would keep 2 MB of pages that the system keeps already.
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON", "cache_size=-256"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_pre_ping=True)
    engine = create_engine(url, connect_args={"timeout": BUSY_S})
    event.listen(engine, "connect", _set_pragmas)
    return engine


def wait_turn(attempt: int) -> None:
    """Sleep for a moment that grows with the attempt, so that writers get out of step."""
    time.sleep(random.uniform(0.0, min(0.5, 0.005 * 2**attempt)))  # noqa: S311 - jitter


class LabelStore:
    """Append-only revisions of people's labels.

    Args:
        url: SQLAlchemy URL, for instance `postgresql+psycopg://user@host/name`.
        sqlite: path of an SQLite file; give this or `url`.

    Raises:
        UsageError: both or neither are given, or the URL is none.
        MissingExtraError: the driver of the database is not installed.
        StudyError: the database cannot be reached, or its layout is newer than this version's.
    """

    def __init__(self, url: str | URL | None = None, *, sqlite: Path | None = None) -> None:
        if (url is None) == (sqlite is None):
            raise UsageError("a label store needs a URL or an SQLite path, got both or neither")
        with usable_address():
            made = make_url(url) if url else URL.create("sqlite", database=str(sqlite))
            self.url = made
            self.engine = _engine(made)
        with ExitStack() as undone:
            undone.callback(self.engine.dispose)
            self._create()
            undone.pop_all()

    @classmethod
    def of(cls, study: Study, *, url: str | None = None) -> LabelStore:
        """Return the store of a study: its own SQLite file, or the database at a URL."""
        if url is not None:
            return cls(url)
        return cls(sqlite=study.root / LABELS_NAME)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give back the connections."""
        self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection to read with.

        Raises:
            StudyError: the database cannot be read.
        """
        try:
            with self.engine.connect() as connection:
                yield connection
        except DBAPIError as error:
            raise self._out_of_reach("read", error) from error

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield a connection in a transaction; a row that clashes raises as SQL says it.

        Raises:
            StudyError: the database cannot be written to.
        """
        try:
            with self.engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except DBAPIError as error:
            raise self._out_of_reach("written to", error) from error

    def _out_of_reach(self, what: str, error: DBAPIError) -> FinassayError:
        return self.lasting_fault(error) or StudyError(
            f"the label store at {self.url.render_as_string()} cannot be {what}: {error.orig}; "
            f"check that the server runs, that the disk is not full and that the rights are right"
        )

    def lasting_fault(self, error: DBAPIError) -> FinassayError | None:
        """Return what a fault of the file is told as, or None where trying again may help."""
        kind = getattr(error.orig, "sqlite_errorname", "")
        where = f"the label store at {self.url.render_as_string()}"
        if kind.startswith(REFUSED):
            return DiskError(
                f"{where} cannot be written: {error.orig}; what was stored before is kept, this "
                f"was not; free some space, or give this user the right to write, and try again"
            )
        if kind.startswith(DAMAGED):
            return StudyError(f"{where} is damaged: {error.orig}; {RESTORE_LABELS}")
        return None

    def passing(self, error: DBAPIError) -> DBAPIError:
        """Return an error of a write that may succeed when it is tried again.

        Raises:
            DiskError: it will not: the disk is full or cannot be written to.
            StudyError: it will not: the store is damaged, read-only or gone.
        """
        is_known = isinstance(error, (IntegrityError, OperationalError))
        state = getattr(error.orig, "sqlstate", None)
        if not is_known or state in _LASTING_STATES or self.lasting_fault(error) is not None:
            raise self._out_of_reach("written to", error) from error
        return error

    def _create(self) -> None:
        for attempt in range(ATTEMPTS):
            try:
                bring_up_to_date(self.engine)
            except DBAPIError as error:
                # Two processes may both find no file and both make it: look again.
                last = error
                wait_turn(attempt)
                if attempt >= FIRST_LOOKS:
                    break
            else:
                return
        raise self.lasting_fault(last) or StudyError(
            f"the label store at {self.url.render_as_string()} cannot be reached: {last.orig}; "
            f"check that the server runs and that the URL and the rights are right"
        )

    def record(self, label: Label) -> Revision:
        """Store a label as a new revision and return it.

        Saying the same again stores another revision: who said what when is the record.

        Raises:
            ConflictError: other writers kept revising this very label first.
            DiskError: the disk is full or cannot be written to; nothing was stored.
            StudyError: the store is damaged, or cannot be written to for another lasting reason.
        """
        for attempt in range(ATTEMPTS):
            try:
                with self.engine.begin() as connection:
                    return append_label(connection, label)
            except DBAPIError as error:
                # Another writer took this revision number, or held the lock for too long.
                last = self.passing(error)
                wait_turn(attempt)
        raise ConflictError(
            f"the label of {label.annotator!r} on item {label.item_id!r} could not be stored in "
            f"{ATTEMPTS} tries, the last ending in: {last.orig}; nothing was stored; expected a "
            f"writable store with few writers on one label; try again"
        )

    def history(
        self,
        *,
        annotator: str | None = None,
        item_id: str | None = None,
        system_id: str | None = None,
        trial: int | None = None,
    ) -> list[Revision]:
        """Return all revisions that match, sorted by annotator, prediction and revision."""
        wanted = _wanted(annotator, item_id, system_id, trial)
        order = [LABELS.c[n] for n in ("annotator", "system_id", "item_id", "trial", "revision")]
        query = select(*[LABELS.c[name] for name in _FIELDS]).where(*wanted).order_by(*order)
        with self.reading() as connection:
            return [_revision(row) for row in connection.execute(query)]

    def current(
        self,
        *,
        annotator: str | None = None,
        item_id: str | None = None,
        system_id: str | None = None,
        trial: int | None = None,
    ) -> list[Revision]:
        """Return the latest revision of each label that matches, in the order of `history`."""
        latest: dict[tuple[str, str, str, int], Revision] = {}
        for one in self.history(
            annotator=annotator, item_id=item_id, system_id=system_id, trial=trial
        ):
            said = one.label
            latest[said.annotator, said.system_id, said.item_id, said.trial] = one
        return list(latest.values())

    def materialise(self, study: Study) -> list[Commit]:
        """Write the latest revision of every label as a verdict; return what was committed.

        The scorer is `person/ANNOTATOR`.  A label with a value is `scored`; "not sure" is
        `unparsed` with the label "not sure".  Doing it twice changes nothing.

        Raises:
            ConflictError: other writers kept committing to the same partition first.
        """
        return materialise(self.current(), study)

    def given_since(self, label_id: int) -> tuple[set[tuple[str, str]], int]:
        """Return the (annotator, system) of revisions after one, and the id of the last revision.

        Revisions of writers that were still writing may come in with an earlier id: look back.
        """
        at = LABELS.c
        query = select(at.annotator, at.system_id).where(at.label_id > label_id).distinct()
        with self.reading() as connection:
            last = connection.scalar(select(func.max(at.label_id)))
            found = {(name, system) for name, system in connection.execute(query)}
        return found, last or 0

    def annotators(self) -> list[str]:
        """Return everybody who gave a label, sorted."""
        query = select(LABELS.c.annotator).distinct().order_by(LABELS.c.annotator)
        with self.reading() as connection:
            return list(connection.scalars(query))

    def mask(
        self,
        mask: Callable[[str], str],
        *,
        systems: Sequence[str] | None,
        labels_too: bool,
    ) -> int:
        """Mask notes for good, in all revisions, and return how many revisions changed.

        This is the one exception from never updating a label, and it is for redaction alone.

        Args:
            mask: makes the masked text of a text.
            systems: only labels of these systems' predictions; all by default.
            labels_too: whether the label's word is masked as well.

        Raises:
            ConflictError: another process holds the SQLite file, so the text is not gone yet.
        """
        columns = ("note", "label") if labels_too else ("note",)
        scope = [] if systems is None else [LABELS.c.system_id.in_(systems)]
        query = select(LABELS.c.label_id, *[LABELS.c[name] for name in columns]).where(*scope)
        changed = 0
        with self.writing() as connection:
            for label_id, *texts in connection.execute(query).all():
                masked = [text if text in ("", NOT_SURE) else mask(text) for text in texts]
                if masked != texts:
                    values = dict(zip(columns, masked, strict=True))
                    at = LABELS.c.label_id == label_id
                    connection.execute(update(LABELS).where(at).values(**values))
                    changed += 1
        self._erase()
        return changed

    def _erase(self) -> None:
        """Rewrite the storage, so that no old row is left in free pages or in the log."""
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            if self.url.get_backend_name() != "sqlite":
                connection.exec_driver_sql("VACUUM FULL labels")
                return
            connection.exec_driver_sql("VACUUM")
            busy = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()[0]
        if busy:
            raise ConflictError(
                f"another process holds the label store {self.url.database}; expected to be alone; "
                f"close it and redact again, for the old text may still be in its log"
            )


def append_label(connection: Connection, label: Label) -> Revision:
    """Add a label as its next revision in a transaction that is open, and return it."""
    if label.value is None:
        label = replace(label, label=NOT_SURE)
    said = _wanted(label.annotator, label.item_id, label.system_id, label.trial)
    previous = connection.scalar(select(func.max(LABELS.c.revision)).where(*said))
    stored = Revision(
        label=label,
        revision=0 if previous is None else previous + 1,
        at=datetime.now(UTC).isoformat(),
        previous=previous,
    )
    connection.execute(insert(LABELS).values(**_values(stored)))
    return stored


def append_labels(connection: Connection, labels: Sequence[Label]) -> None:
    """Add labels as their next revisions in a transaction that is open, a few at a time or many.

    At most one of each person on each prediction.
    """
    if not labels:
        return
    key = [LABELS.c[name] for name in ("annotator", "item_id", "system_id", "trial")]
    people = {label.annotator for label in labels}
    query = select(*key, func.max(LABELS.c.revision)).where(LABELS.c.annotator.in_(people))
    held: dict[tuple[object, ...], int] = {
        tuple(said): revision for *said, revision in connection.execute(query.group_by(*key))
    }
    at = datetime.now(UTC).isoformat()
    rows = []
    for one in labels:
        label = replace(one, label=NOT_SURE) if one.value is None else one
        previous = held.get((label.annotator, label.item_id, label.system_id, label.trial))
        revision = 0 if previous is None else previous + 1
        rows.append(_values(Revision(label=label, revision=revision, at=at, previous=previous)))
    connection.execute(insert(LABELS), rows)


def _values(stored: Revision) -> dict[str, object]:
    own: dict[str, object] = {
        "revision": stored.revision,
        "at": stored.at,
        "previous": stored.previous,
    }
    return own | {name: getattr(stored.label, name) for name in _FIELDS if name not in own}


def _revision(row: Row[tuple[object, ...]]) -> Revision:
    cells = row._asdict()
    at, revision, previous = cells.pop("at"), cells.pop("revision"), cells.pop("previous")
    return Revision(label=Label(**cells), revision=revision, at=at, previous=previous)


def _wanted(
    annotator: str | None, item_id: str | None, system_id: str | None, trial: int | None
) -> Sequence[ColumnElement[bool]]:
    asked = {"annotator": annotator, "item_id": item_id, "system_id": system_id, "trial": trial}
    return [LABELS.c[name] == value for name, value in asked.items() if value is not None]
