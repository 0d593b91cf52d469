"""Submissions on disk.  In: records.  Out: one JSON file each, beside the file handed in.

They stand in the folder `submissions` of a study, under names drawn by chance: no name that came
from outside is part of a path.
"""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal

import msgspec

from finassay.errors import StudyError, UnknownNameError
from finassay.marking.submissions.records import Submission
from finassay.study.locking import lock_at_once

SUBMISSIONS = "submissions"
"""Folder of a study that holds what was handed in and is not filed yet."""

KEPT_DAYS = 7
"""Days after which a file that was refused, withdrawn or never confirmed is forgotten."""

MOST_WAITING = 20
"""Files of one person that may wait to be confirmed; the oldest makes room."""

Lock = Literal["names", "work"]

_ID = re.compile(r"[0-9a-f]{32}")
_FORGOTTEN = frozenset({"refused", "checked", "withdrawn", "failed"})
_POLL_S = 0.05


class Ledger:
    """The submissions of one study."""

    def __init__(self, root: Path) -> None:
        self.folder = root / SUBMISSIONS

    def new_id(self) -> str:
        """Return an id that nobody can guess; the folder is made if it is not there."""
        self.folder.mkdir(exist_ok=True)
        return secrets.token_hex(16)

    def spool(self, submission_id: str, ending: str) -> Path:
        """Return where a file is kept until it is filed.

        Args:
            submission_id: made by `new_id`.
            ending: ending of the name, one of those that are read.
        """
        return self.folder / f"{submission_id}{ending}"

    def files(self, submission_id: str) -> list[Path]:
        """Return the files that are kept of a submission, the record aside."""
        held = self.folder.glob(f"{submission_id}.*")
        return [path for path in held if not path.name.endswith((".record", ".tmp", _LOCK))]

    def write(self, submission: Submission) -> Submission:
        """Keep a record in place of the one before, and return it.

        Raises:
            StudyError: it cannot be written.
        """
        path = self.folder / f"{submission.submission_id}.record"
        aside = path.with_name(f"{submission.submission_id}.{secrets.token_hex(4)}.tmp")
        try:
            with aside.open("wb") as out:
                out.write(msgspec.json.encode(submission))
                out.flush()
                os.fsync(out.fileno())
            aside.replace(path)
        except OSError as error:
            raise StudyError(
                f"{path}: the submission cannot be kept: {error.strerror}; make room, or make the "
                f"folder writable"
            ) from error
        return submission

    def get(self, submission_id: str) -> Submission:
        """Return the submission of an id.

        Raises:
            UnknownNameError: there is none.
        """
        path = self._records().get(submission_id)
        found = None if path is None else _read(path)
        if found is None:
            raise no_submission(submission_id)
        return found

    def all(self) -> list[Submission]:
        """Return all submissions, the newest first."""
        found = [one for path in self._records().values() if (one := _read(path)) is not None]
        return sorted(found, key=lambda one: (one.received, one.submission_id), reverse=True)

    def _records(self) -> dict[str, Path]:
        held = self.folder.glob("*.record")
        return {path.stem: path for path in held if _ID.fullmatch(path.stem)}

    def discard_files(self, submission_id: str) -> None:
        """Delete the file that was handed in; the record stays."""
        for path in self.files(submission_id):
            path.unlink(missing_ok=True)

    def forget(self, submission: Submission) -> None:
        """Delete a submission with its file."""
        self.discard_files(submission.submission_id)
        (self.folder / f"{submission.submission_id}.record").unlink(missing_ok=True)

    def tidy(self, person: str) -> None:
        """Forget what is old, what has no record, and what one person lets wait beyond measure."""
        oldest = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() - KEPT_DAYS * 86_400))
        waiting = 0
        for one in self.all():
            if one.person == person and one.state == "checked":
                waiting += 1
            too_many = one.person == person and one.state == "checked" and waiting >= MOST_WAITING
            if one.state in _FORGOTTEN and (one.received < oldest or too_many):
                self.forget(one)
        known = self._records()
        old = time.time() - 86_400
        for path in self.folder.iterdir():
            stray = path.name.partition(".")[0] not in known and path.suffix != _LOCK
            if stray and path.stat().st_mtime < old:
                path.unlink(missing_ok=True)

    @contextmanager
    def lock(self, what: Lock) -> Iterator[None]:
        """Hold one thing of the study's submissions against other threads and processes.

        Args:
            what: "names", while one is taken; "work", while a file is filed and marked.
        """
        self.folder.mkdir(exist_ok=True)
        with (self.folder / f"{what}{_LOCK}").open("a+") as held:
            while not lock_at_once(held.fileno()):
                time.sleep(_POLL_S)
            yield

    def advance(self, submission: Submission, step: str, done: int, steps: int) -> Submission:
        """Keep how far a submission has come, and return it."""
        return self.write(replace(submission, step=step, steps_done=done, steps=steps))


_LOCK = ".lock"


def no_submission(submission_id: str) -> UnknownNameError:
    """Return the error that says that there is no submission of an id."""
    return UnknownNameError(
        f"there is no submission {submission_id[:40]!r} of yours; it may have been forgotten after "
        f"{KEPT_DAYS} days; hand the file in again"
    )


def _read(path: Path) -> Submission | None:
    """Return a record; None where it went away, or is of another version."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Submission)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None
