"""Replies on their way into a study.  In: receipts, one by one.  Out: the same, after any end.

A reply is written down, and forced to the disk, the moment it comes; tables are written now and
then.  Whatever kills the process, the next one finds every reply that came, lands it first, and
asks only for the rest.  One journal belongs to one system of a study, and holding it open keeps
other processes from asking the same at the same time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import get_args, get_type_hints

from finassay.errors import ConflictError, StudyError
from finassay.records import FINISHES, Finish
from finassay.study.locking import lock_at_once

JOURNALS = "running"
"""Folder of a study that holds the journals of its runs; empty when none is at work."""

_NEWLINE = b"\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """One reply as it came, or the error that took its place.

    Attributes:
        item_id: the item asked.
        trial: in which trial.
        text: the answer, whole.
        reasoning: what stood before or beside it.
        finish: what became of the reply.
        flags: what is to be known of it.
        tokens_in: tokens of the prompt, where told.
        tokens_out: tokens of the reply, where told.
        reasoning_tokens: how many of these were reasoning, where told.
        latency_s: seconds that the last try took.
        cost_usd: as the provider says or the price table makes it; None where neither does.
        served_model: the model that the provider says answered.
        tries: requests that were sent for it.
        at: when it came (UTC, ISO 8601).
    """

    item_id: str
    trial: int
    text: str = ""
    reasoning: str = ""
    finish: Finish
    flags: tuple[str, ...] = ()
    tokens_in: int | None = None
    tokens_out: int | None = None
    reasoning_tokens: int | None = None
    latency_s: float | None = None
    cost_usd: float | None = None
    served_model: str = ""
    tries: int = 1
    at: str = ""


class Journal:
    """The receipts of one system that are not in the tables yet.  Made by `open_journal`."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path = path
        self._handle = handle
        self.pending: list[Receipt] = []

    def add(self, receipt: Receipt) -> None:
        """Write a receipt down for good: it is on the disk when this returns.

        Raises:
            OSError: the disk is full or fails; the journal is as it was.
        """
        line = json.dumps(asdict(receipt), ensure_ascii=True, allow_nan=False)
        size = os.fstat(self._handle).st_size
        try:
            _write(self._handle, line.encode("ascii") + _NEWLINE)
            os.fsync(self._handle)
        except OSError:
            # Half a line would spoil the next one.
            os.ftruncate(self._handle, size)
            raise
        self.pending.append(receipt)

    def clear(self) -> None:
        """Forget the receipts, which are in the tables now."""
        os.ftruncate(self._handle, 0)
        os.fsync(self._handle)
        self.pending.clear()

    def load(self) -> Sequence[Receipt]:
        """Read what an earlier process left, without a last line that it did not finish.

        Raises:
            StudyError: a line is not a receipt.
        """
        whole, rest = self._split()
        if rest:
            os.ftruncate(self._handle, len(whole))
        lines = whole.split(_NEWLINE)[:-1]
        self.pending = [self._receipt(line, at) for at, line in enumerate(lines, start=1)]
        return self.pending

    def _split(self) -> tuple[bytes, bytes]:
        content = self.path.read_bytes()
        end = content.rfind(_NEWLINE) + 1
        return content[:end], content[end:]

    def _receipt(self, line: bytes, number: int) -> Receipt:
        try:
            return receipt_from(json.loads(line))
        except ValueError as error:
            raise StudyError(
                f"{self.path}:{number}: this line is no receipt of a reply ({error}); the file was "
                f"changed or damaged; move it away to ask again for what it holds"
            ) from error


def receipt_from(read: object) -> Receipt:
    """Return a receipt from its JSON form.

    Raises:
        ValueError: a field is missing, unknown or of another type.
    """
    hints = get_type_hints(Receipt)
    if not isinstance(read, dict) or set(read) != set(hints):
        raise ValueError(f"expected exactly the fields {sorted(hints)}")
    values: dict[str, object] = dict(read)
    if not isinstance(values["flags"], list) or values["finish"] not in FINISHES:
        raise ValueError("`flags` must be a list and `finish` the fate of a reply")
    values["flags"] = tuple(values["flags"])
    for name, hint in hints.items():
        kinds = get_args(hint) or (hint,)
        plain = tuple(kind for kind in kinds if isinstance(kind, type))
        if name not in ("flags", "finish") and not isinstance(values[name], plain):
            raise ValueError(f"`{name}` cannot be {values[name]!r}")
    return Receipt(**values)  # type: ignore[arg-type]


@contextmanager
def open_journal(root: Path, system_id: str) -> Iterator[Journal]:
    """Yield the journal of a system, held against other processes until the block ends.

    An empty journal is removed at the end.

    Args:
        root: directory of the study.
        system_id: whose replies.

    Raises:
        ConflictError: another process holds it.
        StudyError: what it holds cannot be read.
    """
    path = root / JOURNALS / f"{system_id}.jsonl"
    path.parent.mkdir(exist_ok=True)
    handle = _hold(path)
    try:
        journal = Journal(path, handle)
        journal.load()
        try:
            yield journal
        finally:
            if not journal.pending:
                path.unlink(missing_ok=True)
    finally:
        os.close(handle)


def _hold(path: Path) -> int:
    """Return an open, locked file at a path; the lock goes when the process does."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        if not lock_at_once(handle):
            os.close(handle)
            raise ConflictError(
                f"another process is asking this system for the study at {path.parent.parent} (it "
                f"holds {path.name}); wait for it, or stop it and run again"
            )
        # The file may have been removed by its last holder between opening and locking.
        if path.exists() and os.path.samestat(os.fstat(handle), path.stat()):
            return handle
        os.close(handle)


def _write(handle: int, content: bytes) -> None:
    while content:
        content = content[os.write(handle, content) :]
