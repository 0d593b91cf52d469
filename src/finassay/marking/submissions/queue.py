"""One submission after the other.  In: ids.  Out: a thread that carries them out in order."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from finassay.errors import FinassayError
from finassay.marking.submissions.carrying_out import carry_out, unfinished
from finassay.marking.submissions.ledger import Ledger
from finassay.marking.submissions.records import Submission
from finassay.runs.importers.checking import CheckLimits
from finassay.study import Study

Told = Callable[[Submission], None]
"""Called when a submission has come to its end."""


class SubmissionQueue:
    """Carries out submissions one at a time, in the order in which they were confirmed.

    Args:
        study: where they go.
        limits: how much of a file is borne with.
        told: called, on the queue's thread, with each that has come to its end.
    """

    def __init__(
        self, study: Study, *, limits: CheckLimits | None = None, told: Told | None = None
    ) -> None:
        self.ledger = Ledger(study.root)
        self._study = study
        self._limits = limits
        self._told = told
        self._waiting: deque[str] = deque()
        self._changed = threading.Condition()
        self._is_open = False
        self._thread: threading.Thread | None = None

    def has_unfinished(self) -> bool:
        """Return whether an earlier server left anything to be done."""
        return bool(unfinished(self.ledger))

    def start(self) -> None:
        """Begin, with what an earlier server left unfinished."""
        with self._changed:
            if self._is_open and self._thread is not None and self._thread.is_alive():
                return
            self._is_open = True
            left = [one for one in unfinished(self.ledger) if one not in self._waiting]
            self._waiting.extend(left)
            # Steps can be done again, so the process need not wait for the one under way.
            self._thread = threading.Thread(target=self._run, name="submissions", daemon=True)
            self._thread.start()

    def put(self, submission_id: str) -> None:
        """Let a submission that was confirmed take its turn; the queue is started if need be."""
        self.start()
        with self._changed:
            if submission_id not in self._waiting:
                self._waiting.append(submission_id)
                self._changed.notify_all()

    def place(self, submission_id: str) -> int:
        """Return how many are before a submission; 0 for the one under way, or one not waiting."""
        with self._changed:
            waiting = list(self._waiting)
        return waiting.index(submission_id) if submission_id in waiting else 0

    def close(self, timeout_s: float = 5.0) -> None:
        """Take no more, and wait for the one under way for so many seconds."""
        with self._changed:
            self._is_open = False
            self._changed.notify_all()
            thread, self._thread = self._thread, None
        if thread is not None:
            thread.join(timeout_s)

    def _next(self) -> str | None:
        with self._changed:
            while self._is_open and not self._waiting:
                self._changed.wait()
            return self._waiting[0] if self._is_open else None

    def _run(self) -> None:
        while (submission_id := self._next()) is not None:
            found = self._carried_out(submission_id)
            with self._changed:
                if self._waiting and self._waiting[0] == submission_id:
                    self._waiting.popleft()
            if self._told is not None and found is not None:
                self._told(found)

    def _carried_out(self, submission_id: str) -> Submission | None:
        """Return a submission at its end; None where nothing of it can be kept any more."""
        try:
            return carry_out(self._study, self.ledger, submission_id, limits=self._limits)
        except (FinassayError, OSError) as error:
            said = str(error)
        try:
            held = self.ledger.get(submission_id)
            return self.ledger.write(replace(held, state="failed", problem=said))
        except FinassayError:
            return None
