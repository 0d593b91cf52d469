"""What pages of labelling ask.  In: a study and its label store.  Out: queues, progress.

Draws are never changed, so each is read once.  Texts are kept too, and looked at again now and
then: an answer says which text it is of, so nothing is lost by a look that is a moment old.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from finassay.study.adjudication.draw_files import draw_names, read_draw
from finassay.study.adjudication.draws import Draw, ReferenceProtocol
from finassay.study.adjudication.joining import (
    Opening,
    Withdrawn,
    join,
    open_draw,
    opening_of,
    withdraw,
)
from finassay.study.adjudication.ledger import Ledger
from finassay.study.adjudication.queue import LabelQueue, Progress
from finassay.study.adjudication.showing import Showing
from finassay.study.adjudication.tasks import LabellingTask, task_named
from finassay.study.labels import LabelStore
from finassay.study.study import Study

FRESH_S = 2.0
"""Seconds after which it is looked whether texts of a draw have changed."""

KEPT = 16
"""Draws of which texts are kept; the one not asked for longest is let go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDraw:
    """A draw as one person sees it in the list.

    Attributes:
        draw: its name.
        task: what is asked.
        protocol: whether the reference is shown.
        units: units of the draw.
        note: what it is for.
        opening: for how many people it is, and what share all label.
        progress: how far the person is; None where they have not joined.
        people: how many have joined.
    """

    draw: str
    task: LabellingTask
    protocol: ReferenceProtocol
    units: int
    note: str
    opening: Opening
    progress: Progress | None
    people: int


@dataclass(slots=True)
class _Kept:
    showing: Showing
    versions: tuple[str, str]
    looked: float


class Labelling:
    """Draws of a study for the people who label them; safe for several threads.

    Args:
        study: the study.
        store: its label store.
        clock: seconds that only rise.
    """

    def __init__(
        self, study: Study, store: LabelStore, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.study = study
        self.store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._draws: dict[str, Draw] = {}
        self._ledgers: dict[str, Ledger] = {}
        self._kept: dict[str, _Kept] = {}

    def draw(self, name: str) -> Draw:
        """Return a draw by name.

        Raises:
            UnknownNameError: there is none of that name.
        """
        if name not in self._draws:
            self._draws[name] = read_draw(self.study, name)
        return self._draws[name]

    def ledger(self, name: str) -> Ledger:
        """Return the ledger of a draw.

        Raises:
            UnknownNameError: there is no draw of that name.
        """
        if name not in self._ledgers:
            self._ledgers[name] = Ledger(self.store, self.draw(name).draw_id)
        return self._ledgers[name]

    def showing(self, name: str) -> Showing:
        """Return the units of a draw as people see them, a few seconds old at most.

        Raises:
            UnknownNameError: there is no draw of that name.
        """
        draw = self.draw(name)
        with self._lock:
            kept = self._kept.pop(name, None)
            if kept is None or self._clock() - kept.looked > FRESH_S:
                kept = self._looked(draw, kept)
            # Put back as the newest, so that the first is the one that can go.
            self._kept[name] = kept
            while len(self._kept) > KEPT:
                del self._kept[next(iter(self._kept))]
            return kept.showing

    def _looked(self, draw: Draw, kept: _Kept | None) -> _Kept:
        # The log of a table grows by one file a version: that is quicker seen than the table read.
        versions = (self._logged("items"), self._logged("predictions"))
        if kept is not None and kept.versions == versions:
            return _Kept(kept.showing, versions, self._clock())
        return _Kept(Showing(self.study.snapshot(), draw), versions, self._clock())

    def _logged(self, table: str) -> str:
        log = self.study.root / table / "_delta_log"
        return max((path.name for path in log.glob("*.json")), default="")

    def queue(self, name: str, annotator: str) -> LabelQueue:
        """Return a person's queue on a draw.

        Raises:
            UnknownNameError: there is no draw of that name.
        """
        return LabelQueue(self.ledger(name), self.showing(name), annotator)

    def join(self, name: str, annotator: str) -> int:
        """Give a person their units of a draw and return how many they have.

        Raises:
            UnknownNameError: there is no draw of that name.
            UsageError: the name of the person cannot be used.
        """
        return len(join(self.ledger(name), self.draw(name), annotator))

    def open(self, name: str, people: int, overlap: float, *, by: str) -> Opening:
        """Say for how many people a draw is; see `joining.open_draw`."""
        return open_draw(self.ledger(name), people, overlap, by=by)

    def withdraw(self, name: str, annotator: str, *, by: str, reason: str = "") -> Withdrawn:
        """Take a person off a draw; see `joining.withdraw`."""
        return withdraw(self.ledger(name), self.draw(name), annotator, by=by, reason=reason)

    def own_draws(self, annotator: str) -> tuple[OwnDraw, ...]:
        """Return every draw of the study as one person sees it, those with work first."""
        found = [self.own_draw(name, annotator) for name in draw_names(self.study)]
        return tuple(sorted(found, key=_most_work))

    def own_draw(self, name: str, annotator: str) -> OwnDraw:
        """Return one draw as one person sees it.

        Raises:
            UnknownNameError: there is no draw of that name.
        """
        draw, ledger = self.draw(name), self.ledger(name)
        progress = self.queue(name, annotator).progress()
        return OwnDraw(
            draw=name,
            task=task_named(draw.task),
            protocol=draw.protocol,
            units=len(draw.units),
            note=draw.note,
            opening=opening_of(ledger),
            progress=progress if progress.assigned else None,
            people=len({who for who, role in ledger.assignments() if role == "label"}),
        )


def _most_work(own: OwnDraw) -> tuple[bool, int, str]:
    waiting = own.progress.waiting if own.progress is not None else 0
    return waiting == 0, -waiting, own.draw
