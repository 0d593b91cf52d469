"""What is handed in.  In: nothing.  Out: the records of a submission on its way into a study."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from finassay.errors import UsageError
from finassay.records import SYSTEM_KINDS, SystemKind
from finassay.runs.importers.checking import FileCheck, UnknownItems

SubmissionState = Literal[
    "refused", "checked", "queued", "importing", "marking", "done", "failed", "withdrawn"
]
"""refused: the file has errors.  checked: it has none, and waits for its sender to confirm.

queued, importing, marking: it is on its way.  done: it is in the study, and marked.  failed: it
could not be finished, and may be confirmed again.  withdrawn: its sender took it back.
"""

ON_ITS_WAY: frozenset[SubmissionState] = frozenset({"queued", "importing", "marking"})

ENCODINGS = ("utf-8", "cp1252", "utf-16", "gb18030", "shift_jis")
"""Encodings that a form offers."""

_LONGEST_NAME = 200
_UNKNOWN: tuple[UnknownItems, ...] = get_args(UnknownItems)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionRequest:
    """What the sender says of a file.

    Attributes:
        system: display name of the system whose replies it holds.
        kind: model, person or baseline.
        item_column: column of item ids; "" to find it.
        prediction_column: column of replies; "" to find it.
        trial_column: column of trials; "" to find it.
        encoding: encoding of the text.
        unknown_items: whether rows of items that the study does not hold are errors, or left out.

    Raises:
        UsageError: a field has a value that it cannot have.
    """

    system: str
    kind: SystemKind = "model"
    item_column: str = ""
    prediction_column: str = ""
    trial_column: str = ""
    encoding: str = "utf-8"
    unknown_items: UnknownItems = "error"

    def __post_init__(self) -> None:
        if self.kind not in SYSTEM_KINDS:
            raise UsageError(f"`kind` must be one of {SYSTEM_KINDS}, got {self.kind!r}")
        if self.encoding not in ENCODINGS:
            raise UsageError(f"`encoding` must be one of {ENCODINGS}, got {self.encoding!r}")
        if self.unknown_items not in _UNKNOWN:
            raise UsageError(
                f"`unknown_items` must be one of {_UNKNOWN}, got {self.unknown_items!r}"
            )
        for part in (self.system, self.item_column, self.prediction_column, self.trial_column):
            if len(part) > _LONGEST_NAME:
                raise UsageError(
                    f"a name must have at most {_LONGEST_NAME} characters, got {len(part)}"
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A file of predictions that somebody handed in, and how far it has come.

    Attributes:
        submission_id: 32 hex digits, drawn by chance.
        person: who handed it in.
        received: when, ISO 8601 in UTC.
        file: name of the file.
        digest: SHA-256 of its bytes, 64 hex digits.
        size_bytes: its size.
        request: what was said of it.
        state: how far it has come.
        check: what it holds, and what is wrong with it.
        problem: why it was refused, or what went wrong, where that is about no line of the file.
        notes: what the sender should know.
        step: what is being done.
        steps_done: steps that are done.
        steps: steps in all; 0 before it is on its way.
        system_id: id of the system in the study, once it is there.
        verdicts: verdicts that were made.
        finished: when it was done, ISO 8601 in UTC; "" before.
    """

    submission_id: str
    person: str
    received: str
    file: str
    digest: str
    size_bytes: int
    request: SubmissionRequest
    state: SubmissionState
    check: FileCheck = field(default_factory=lambda: FileCheck(file=""))
    problem: str = ""
    notes: tuple[str, ...] = ()
    step: str = ""
    steps_done: int = 0
    steps: int = 0
    system_id: str = ""
    verdicts: int = 0
    finished: str = ""

    @property
    def is_on_its_way(self) -> bool:
        """Whether it will change without anybody doing anything."""
        return self.state in ON_ITS_WAY

    @property
    def source(self) -> str:
        """Name under which its predictions are filed: the file, its digest and its sender."""
        return f"{self.file} (sha256 {self.digest}), submitted by {self.person}"
