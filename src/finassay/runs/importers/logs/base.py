"""What every reader of logs hands on.  In: nothing.  Out: the records between a log and a study.

A reader looks at candidates (`candidates`), claims those that its tool wrote as sources, and reads
a source as a stream of blocks.  Ids are those of the log; `landing` qualifies and matches them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple

from finassay.errors import InputError
from finassay.records import Finish, Item, SystemSpec, Verdict
from finassay.runs.importers._rows import BadRow
from finassay.runs.importers.logs.candidates import Candidate

BLOCK_SAMPLES = 2_000
"""Samples that a reader puts into one block, at most."""

MALFORMED = (
    *(ValueError, TypeError, KeyError, IndexError, AttributeError),
    *(RecursionError, OverflowError, MemoryError),
)
"""What reading a sample of another shape than its tool writes may raise; see `described`."""

BLOCK_CHARACTERS = 8 << 20
"""Characters of a block after which a reader hands it on."""


class Mark(NamedTuple):
    """What the tool itself says of one answer, under an id made by `tool_scorer`."""

    scorer_id: str
    verdict: Verdict


class Sample(NamedTuple):
    """One answer of a log.

    A tool that writes several lines for one answer (one for each filter) hands on one sample for
    each: equal texts of one item and trial are folded, and their marks kept together.

    Attributes:
        item_id: the log's own id.
        text: the whole reply.
        place: line of the file, or number of the entry.
        item: what the log says of the item; may be None where an earlier sample said it.
        trial: number of the repeat, from 0.
        marks: verdicts of the tool.
    """

    item_id: str
    text: str
    place: int
    item: Item | None = None
    trial: int = 0
    reasoning: str = ""
    finish: Finish = "not_logged"
    tool_extracted: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    latency_s: float | None = None
    cost_usd: float | None = None
    flags: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()


class Duel(NamedTuple):
    """A comparison of two answers to one item; the systems are runs of the same source."""

    item_id: str
    left: LogRun
    right: LogRun
    scorer_id: str
    status: str
    winner: Literal["left", "right", "tie"] | None = None
    reason: str = ""
    order: str = ""
    repeat: int = 0
    left_trial: int = 0
    right_trial: int = 0


class LoggedScore(NamedTuple):
    """An aggregate that the tool printed, in the tool's own scale.

    Attributes:
        scorer_id: whose verdicts it sums up.
        metric: how: "accuracy", "mean", "stderr".
        value: as printed.
        n: answers it is over, where the log says so.
        is_share: whether it is the mean of the verdicts, which a reader may compare it with.
    """

    scorer_id: str
    metric: str
    value: float
    n: int | None = None
    is_share: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRun:
    """One run of one model configuration, as a log tells it.

    Attributes:
        tool: name of the reader.
        key: what the tool calls the run, whatever file it is in: reading it again under the same
            key changes nothing, and other content takes its place.
        system: the configuration; its name is what the tool calls it, and is made unique in the
            study by what tells it from others.
        started: ISO time, "" where not logged; so is `ended`.
        served_model: the model that answered, where the log says so.
        packages: versions of the tool and its packages.
    """

    tool: str
    key: str
    system: SystemSpec
    started: str = ""
    ended: str = ""
    retries: int = 0
    served_model: str = ""
    packages: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Some samples of one run on one task, in the order of the log.

    Attributes:
        task: name of the task, which names the benchmark of the items that are new.
        bad: what could not be used, with places and reasons.
        scores: aggregates that the tool printed for this run and task.
        notes: what people should know of the log.
        specs: (scorer id, how the tool computed it, as JSON).
        done: share of the source that was read so far.
    """

    run: LogRun
    task: str
    samples: Sequence[Sample] = ()
    bad: Sequence[BadRow] = ()
    scores: Sequence[LoggedScore] = ()
    duels: Sequence[Duel] = ()
    notes: Sequence[str] = ()
    specs: Sequence[tuple[str, str]] = ()
    done: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """What a reader hands on in place of a block where no run can be told."""

    bad: Sequence[BadRow] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Files that belong together and are read as one.

    Attributes:
        tool: name of the reader.
        paths: the files; the first names the source.
        what: what they are, for people: "log (.eval, deflate)".
        root: folder from which names of the files are told, where a tool keeps meaning in folders.
    """

    tool: str
    paths: tuple[Path, ...]
    what: str = "log"
    root: Path | None = None

    @property
    def label(self) -> str:
        """Return the name of the first file, and how many more there are."""
        more = f" and {len(self.paths) - 1} more" if len(self.paths) > 1 else ""
        return f"{self.paths[0].name}{more}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How logs are read.

    Attributes:
        encoding: a Python codec name.
        workers: processes at work; from 2 on, a large log is read in one of its own.
        given: settings of one tool, by name.
    """

    encoding: str = "utf-8"
    workers: int = 2
    given: dict[str, str] = field(default_factory=dict)


class LogReader(ABC):
    """Reads the logs of one tool.

    A reader never raises on what a log holds: what cannot be used goes into `bad`.  It raises
    `InputError` only where a file cannot be opened at all, which is listed by the caller.
    """

    name: ClassVar[str]

    @abstractmethod
    def recognises(self, candidate: Candidate) -> bool:
        """Return whether this tool wrote the file, told by its content and not by its name."""

    def claim(self, candidates: Sequence[Candidate], *, forced: bool = False) -> list[Source]:
        """Return the sources among the files; by default each recognised file is one.

        Args:
            candidates: files that no other reader has claimed.
            forced: whether the caller said that all files are this tool's.
        """
        return [
            Source(tool=self.name, paths=(one.path,))
            for one in candidates
            if forced or self.recognises(one)
        ]

    @abstractmethod
    def read(self, source: Source, options: ReadOptions) -> Iterator[Block | Unreadable]:
        """Yield the blocks of a source, of a few thousand samples each."""


def bad_entry(path: Path, place: int, reason: str, shown: str = "") -> BadRow:
    """Return a sample, line or file (place 0) that cannot be used."""
    return BadRow(file=path.name, line=place, reason=reason, snippet=shown)


def described(error: BaseException) -> str:
    """Return an error as the reason for which something cannot be used."""
    said = str(error) or type(error).__name__
    return (
        said
        if isinstance(error, ValueError | InputError | OSError)
        else f"{type(error).__name__}: {said}"
    )
