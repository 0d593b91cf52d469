"""Samples on their way into blocks.  In: samples of several runs, mixed.  Out: blocks of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from finassay.errors import InputError
from finassay.runs.importers._rows import BadRow
from finassay.runs.importers.logs.base import (
    BLOCK_CHARACTERS,
    BLOCK_SAMPLES,
    Block,
    Duel,
    LoggedScore,
    LogRun,
    Sample,
    Unreadable,
    bad_entry,
)
from finassay.runs.importers.logs.candidates import Candidate


@dataclass(slots=True)
class _Waiting:
    """What waits of one run on one task."""

    run: LogRun
    task: str
    samples: list[Sample] = field(default_factory=list)
    scores: list[LoggedScore] = field(default_factory=list)
    duels: list[Duel] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
    characters: int = 0

    @property
    def is_full(self) -> bool:
        return len(self.samples) >= BLOCK_SAMPLES or self.characters >= BLOCK_CHARACTERS

    def block(self) -> Block:
        made = Block(
            run=self.run,
            task=self.task,
            samples=tuple(self.samples),
            scores=tuple(self.scores),
            duels=tuple(self.duels),
            notes=tuple(self.notes),
        )
        self.samples, self.scores, self.duels, self.notes = [], [], [], {}
        self.characters = 0
        return made


class Pending:
    """Samples of the runs of one source, handed on in blocks.

    Every run is handed on at least once, though it may have nothing but notes.
    """

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, str], _Waiting] = {}
        self._bad: list[BadRow] = []
        self._notes: list[str] = []

    def _of(self, run: LogRun, task: str) -> _Waiting:
        return self._waiting.setdefault((run.key, task), _Waiting(run, task))

    def add(self, run: LogRun, task: str, sample: Sample) -> None:
        """Keep a sample of a run on a task."""
        waiting = self._of(run, task)
        waiting.samples.append(sample)
        waiting.characters += len(sample.text) + len(sample.reasoning)

    def add_score(self, run: LogRun, task: str, score: LoggedScore) -> None:
        """Keep an aggregate that the tool printed."""
        self._of(run, task).scores.append(score)

    def add_duel(self, run: LogRun, task: str, duel: Duel) -> None:
        """Keep a comparison of two answers."""
        self._of(run, task).duels.append(duel)

    def note(self, run: LogRun, task: str, text: str) -> None:
        """Keep a note on a run, once."""
        self._of(run, task).notes[text] = None

    def say(self, text: str) -> None:
        """Keep a note on the source as a whole."""
        self._notes.append(text)

    def refuse(self, path: Path, place: int, reason: str) -> None:
        """List what cannot be used: a line or an entry, or the whole file (place 0)."""
        self._bad.append(bad_entry(path, place, reason))

    def ready(self) -> Iterator[Block | Unreadable]:
        """Yield the blocks that are full."""
        for waiting in self._waiting.values():
            if waiting.is_full:
                yield waiting.block()

    def rest(self) -> Iterator[Block | Unreadable]:
        """Yield all that is left, and what could not be used."""
        for waiting in self._waiting.values():
            yield waiting.block()
        if self._bad or self._notes:
            yield Unreadable(bad=tuple(self._bad), notes=tuple(self._notes))


def may_be_document(candidate: Candidate) -> bool:
    """Return whether a file may be one JSON object: a long first line does not tell lines apart."""
    return candidate.shape in ("object", "lines")


def reason_of(error: InputError, path: Path) -> str:
    """Return what an error says, without the name of the file, which stands beside it."""
    return str(error).removeprefix(f"{path}: ").removeprefix(f"{path.name}: ")
