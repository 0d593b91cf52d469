"""What a server holds between requests.  In: a study.  Out: results, each computed once.

A result belongs to the versions of the study's tables: when one moves, the next reader computes
again.  Work runs in threads, so that a slow analysis never stops a label from being stored.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Annotated, TypeVar, cast

from fastapi import Depends, Request

from finassay.analyses.multiverse.from_study import multiverse_of_study
from finassay.analyses.provenance.results import Provenance
from finassay.analyses.provenance.study import study_provenance
from finassay.analyses.results_audit import Audit
from finassay.analyses.results_multiverse import MultiverseResult
from finassay.apps.web.settings import WebSettings
from finassay.errors import FinassayError, StudyError, UsageError
from finassay.marking.browsing.shelf import VerdictShelf
from finassay.marking.regime_scoring import score_regimes
from finassay.marking.view import StudyView, view_study
from finassay.reports.workflow import AuditSettings, audit_marked
from finassay.study import Study
from finassay.study.adjudication.following import AnswerFiler
from finassay.study.labels import LabelStore
from finassay.study.snapshot import Snapshot
from finassay.study.study import LABELS_NAME

T = TypeVar("T")

AUDIT, MULTIVERSE = "audit", "multiverse"

KEPT = 300
"""Results that are kept; those of pages with parameters would fill the memory otherwise."""

_LOG = logging.getLogger("finassay.web")

LABELS_S = 1.5
"""Seconds after a label until it is a verdict, whether or not anybody reads an analysis."""

FRESH_S = 1.0
"""Seconds for which the versions of the tables are taken as known."""

Versions = tuple[tuple[str, int], ...]


class StillComputingError(StudyError):
    """A result is being computed; ask again."""


class NeedsMoreError(UsageError):
    """The study as it is does not answer: something must be chosen, or filed, first."""


class Desk:
    """The study of a server, with the results computed so far.

    Args:
        settings: how the study is served.

    Raises:
        NoStudyError: there is no study at the path.
        StudyError: its layout is of another version, or the label store cannot be reached.
    """

    def __init__(self, settings: WebSettings) -> None:
        self.settings = settings
        # Whole, so that a path in a message can be told from the words around it.
        self.study = Study.open(settings.study.absolute())
        self._store: LabelStore | None = None
        self._workers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="analysis")
        self._lock = threading.Lock()
        self._viewing = threading.Lock()
        self._views: dict[Versions, StudyView] = {}
        self._results: dict[tuple[str, Versions], Future[object]] = {}
        self._snapshot: Snapshot | None = None
        self._looked = 0.0
        self._is_closed = False
        self.shelf = VerdictShelf()
        self._current: Snapshot | None = None
        self._next: Snapshot | None = None
        self.steps: tuple[int, int, str] = 0, 0, ""
        """Of the multiverse that is being computed: systems marked, systems in all, the next."""
        # Labels may have come while no server ran, or just before one was killed.
        self._given, self._filed = 1, 0
        self._is_unmarked = False
        self._filing = threading.Lock()
        self._timer: threading.Timer | None = None
        self._filer: AnswerFiler | None = None

    @property
    def store(self) -> LabelStore:
        """The label store; opened when it is first needed."""
        with self._lock:
            if self._store is None:
                self._store = LabelStore.of(self.study, url=self.settings.labels_url)
            return self._store

    def snapshot(self) -> Snapshot:
        """Return the study as it is now, or as it was less than a second ago."""
        with self._lock:
            now = time.monotonic()
            held = self._snapshot
            is_due = now - self._looked > FRESH_S
            if held is None or (is_due and not held.is_newest):
                self._snapshot = held = self.study.snapshot()
            if is_due:
                self._looked = now
            return held

    def refuse_damage(self) -> None:
        """Check the files behind what pages show; a study may be lost while it is served.

        Raises:
            StudyError: a file of a table is missing or cut.
        """
        for held in (self._current, self._snapshot):
            if held is not None:
                held.refuse_damage()

    async def get(self, key: str, build: Callable[[Snapshot], T]) -> T:
        """Return a result, computed once for each state of the study.

        Args:
            key: what it is, with every parameter that it depends on.
            build: computes it; runs in a thread.

        Raises:
            StillComputingError: it takes long; it goes on, ask again.
            FinassayError: whatever `build` raises.
        """
        future = self._started(key, build, await self._shown())
        try:
            return cast("T", await self._patiently(future))
        except TimeoutError as error:
            raise StillComputingError(f"{key} is being computed; ask again in a moment") from error

    async def _patiently(self, future: Future[T]) -> T:
        waiting = asyncio.shield(asyncio.wrap_future(future))
        return await asyncio.wait_for(waiting, timeout=self.settings.patience_s)

    async def _shown(self) -> Snapshot:
        """Return the state that pages show: the newest, or the one before while that is audited.

        Labels may come faster than a large study can be audited; waiting for the very newest state
        would then never end.
        """
        newest = await asyncio.to_thread(self._settled)
        with self._lock:
            if self._current is None:
                self._current = newest
            if self._current.versions == newest.versions:
                return self._current
            if self._next is None:
                self._next = newest
            coming = self._next
        future = self._started(AUDIT, self._audit, coming)
        # An audit that fails is shown as failed by the page that asks for it.
        with suppress(TimeoutError, FinassayError):
            await self._patiently(future)
        with self._lock:
            if future.done() and self._next is coming:
                self._current, self._next = coming, None
            return self._current

    def _started(self, key: str, build: Callable[[Snapshot], T], snapshot: Snapshot) -> Future[T]:
        versions = _told(snapshot)
        with self._lock:
            future = self._results.pop((key, versions), None)
            if future is None or (future.done() and future.exception() is not None):
                future = self._workers.submit(build, snapshot)
                self._let_go()
            # What was asked for last stands last, and what stands first is let go first.
            self._results[key, versions] = future
            return cast("Future[T]", future)

    def _let_go(self) -> None:
        """Let go of results of older states, and of those that nobody asked for lately."""
        kept = self._kept_states()
        live = [(key, one) for key, one in self._results.items() if key[1] in kept]
        self._results = dict(live[-KEPT:])

    def _kept_states(self) -> set[Versions]:
        return {_told(one) for one in (self._current, self._next, self._snapshot) if one}

    async def view(self) -> StudyView:
        """Return what analyses read of the study."""
        return await self.get("view", self.view_of)

    def view_of(self, snapshot: Snapshot) -> StudyView:
        """Return what analyses read of a state of the study: made once, and shared by all of them.

        Raises:
            MissingVerdictsError: the study holds no verdicts.
        """
        versions = _told(snapshot)
        with self._viewing:
            if versions not in self._views:
                made = view_study(snapshot)
                kept = self._kept_states()
                self._views = {told: one for told, one in self._views.items() if told in kept}
                self._views[versions] = made
            return self._views[versions]

    async def provenance(self) -> Provenance:
        """Return how the numbers of the study were made."""
        return await self.get("provenance", self._provenance)

    def _provenance(self, snapshot: Snapshot) -> Provenance:
        view = self.view_of(snapshot) if snapshot.scorer_ids() else None
        return study_provenance(snapshot, view=view)

    async def audit(self) -> Audit:
        """Return the audit of the study, as `finassay audit` reports it."""
        return await self.get(AUDIT, self._audit)

    def _audit(self, snapshot: Snapshot) -> Audit:
        return audit_marked(self.study, snapshot, AuditSettings(), view=self.view_of(snapshot))

    async def multiverse(self) -> MultiverseResult:
        """Return the study under every rule of the grid that ships for it.

        Raises:
            StillComputingError: it takes long; it goes on, ask again.
            NeedsMoreError: the study does not fit a grid.
        """
        try:
            return await self.get(MULTIVERSE, self._multiverse)
        except UsageError as error:
            raise NeedsMoreError(str(error)) from error

    def multiverse_begun(self) -> Future[MultiverseResult]:
        """Start the multiverse of the present state unless it is there, and return its future."""
        return self._started(MULTIVERSE, self._multiverse, self._now())

    def multiverse_known(self) -> Future[MultiverseResult] | None:
        """Return the multiverse of the present state if it was started, without starting it."""
        versions = _told(self._now())
        with self._lock:
            found = self._results.get((MULTIVERSE, versions))
        return cast("Future[MultiverseResult] | None", found)

    def _now(self) -> Snapshot:
        """Return the state that pages show, without waiting for a newer one."""
        return self._current or self.snapshot()

    def _multiverse(self, snapshot: Snapshot) -> MultiverseResult:
        def told(done: int, steps: int, what: str) -> None:
            if self._is_closed:
                raise StillComputingError("the server is stopping; ask again when it is back")
            self.steps = done, steps, what

        self.steps = 0, 0, ""
        return multiverse_of_study(snapshot, progress=told)

    def labels_changed(self) -> None:
        """Let labels become verdicts soon, and before the next analysis is read."""
        with self._lock:
            self._given += 1
            if self._timer is None:
                self._start_timer()

    def _start_timer(self) -> None:
        self._timer = threading.Timer(LABELS_S, self._file_soon)
        self._timer.daemon = True
        self._timer.start()

    def _file_soon(self) -> None:
        """File in the timer's thread; there is one at a time, however fast labels come."""
        with self._lock:
            before = self._given
        self._file_or_say()
        with self._lock:
            self._timer = None
            if self._given != before and not self._is_closed:
                self._start_timer()

    def _file_or_say(self) -> None:
        try:
            self.file_labels()
        except FinassayError:
            # They are safe in the store; whoever reads an analysis next tries again, and is told.
            _LOG.exception("labels could not be written as verdicts")

    def file_labels(self) -> None:
        """Write the labels that were given until now as verdicts, unless somebody did meanwhile."""
        with self._lock:
            wanted = self._given
        with self._filing:
            # Whoever waited here while another filed needs no filing of their own.
            if self._filed >= wanted:
                return
            with self._lock:
                filing = self._given
            commits = self._filer_of_labels().file() if self._has_labels() else []
            self._filed = filing
            if any(commit.changed for commit in commits):
                self._is_unmarked = True
                self._looked = 0.0

    def _filer_of_labels(self) -> AnswerFiler:
        if self._filer is None:
            self._filer = AnswerFiler(self.study, self.store)
        return self._filer

    def _has_labels(self) -> bool:
        """Return whether there can be any; a server that is only read makes no label store."""
        is_elsewhere = self.settings.labels_url is not None or self._store is not None
        return is_elsewhere or (self.study.root / LABELS_NAME).exists()

    def _settled(self) -> Snapshot:
        """Return the current snapshot, with the labels given so far as verdicts in it."""
        self.settle()
        return self.snapshot()

    def settle(self) -> None:
        """Write labels that are not verdicts yet as verdicts, and mark the regimes with them."""
        self.file_labels()
        with self._filing:
            if self._is_unmarked:
                self._is_unmarked = False
                score_regimes(self.study)
                self._looked = 0.0

    def close(self) -> None:
        """Write what is left, and give back threads and connections."""
        if self._timer is not None:
            self._timer.cancel()
        self._file_or_say()
        self._is_closed = True
        self.shelf.close()
        self._workers.shutdown(wait=False, cancel_futures=True)
        if self._store is not None:
            self._store.close()


def _told(snapshot: Snapshot) -> Versions:
    return tuple(sorted(snapshot.versions.items()))


def desk_of(request: Request) -> Desk:
    """Return the desk of the server that got a request."""
    return cast("Desk", request.app.state.desk)


DeskOf = Annotated[Desk, Depends(desk_of)]
