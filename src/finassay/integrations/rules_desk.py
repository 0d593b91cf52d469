"""Questions to an index that stays open.  In: a question.  Out: its answer, with marked passages.

The index, and with it the embedding model, is opened by the first question and not before.
"""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from finassay.errors import NoIndexError, UsageError
from finassay.integrations.cited_answers import CitedAnswer, Question, cited_answer
from finassay.retrieval import Filters, Index, SearchSettings
from finassay.retrieval.highlighting import Segment, segments
from finassay.retrieval.records import SEARCH_MODES, SearchMode
from finassay.retrieval.storage import read_manifest
from finassay.runs.requests import Asking, Decoding

LONGEST_QUESTION = 500
"""Characters of a question."""

MOST_PASSAGES = 20
_BUDGET = 512

NO_INDEX = (
    "no index is served; build one with `finassay rag build INDEX DOCUMENTS...`, then serve it "
    "with `finassay serve STUDY --index INDEX`"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesQuestion:
    """A question as a form or a program asks it.

    Attributes:
        text: the question, at most `LONGEST_QUESTION` characters.
        k: how many passages, 1 to `MOST_PASSAGES`.
        mode: hybrid, dense or lexical.
        regulators: only documents that one of these issued.
        since: only what was issued on this day or later.
        until: only what was issued by this day.
        in_force_on: only what is in force on this day.

    Raises:
        UsageError: a field has a value that it cannot have.
    """

    text: str
    k: int = 5
    mode: SearchMode = "hybrid"
    regulators: tuple[str, ...] = ()
    since: dt.date | None = None
    until: dt.date | None = None
    in_force_on: dt.date | None = None

    def __post_init__(self) -> None:
        if len(self.text) > LONGEST_QUESTION:
            raise UsageError(
                f"a question must have at most {LONGEST_QUESTION} characters, got {len(self.text)}"
            )
        if not 1 <= self.k <= MOST_PASSAGES:
            raise UsageError(f"`k` must be 1 to {MOST_PASSAGES}, got {self.k!r}")

    def asked(self) -> Question:
        """Return the question as the index takes it."""
        filters = Filters(
            regulators=self.regulators,
            date_from=self.since,
            date_until=self.until,
            in_force_on=self.in_force_on,
        )
        return Question(
            text=self.text, k=self.k, filters=filters, search=SearchSettings(mode=self.mode)
        )


def search_mode(text: str) -> SearchMode:
    """Return the search mode of a name.

    Raises:
        UsageError: there is none.
    """
    for mode in SEARCH_MODES:
        if text == mode:
            return mode
    raise UsageError(f"`mode` must be one of {', '.join(SEARCH_MODES)}, got {text!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesAnswer:
    """An answer, with what its passages share with the question.

    Attributes:
        answer: the answer and its passages.
        marked: one entry a passage: its text in parts.
    """

    answer: CitedAnswer
    marked: tuple[tuple[Segment, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """What an index holds, as its manifest and documents say.

    Attributes:
        n_documents: documents.
        n_passages: passages.
        regulators: who issued them, sorted.
        digest: of the index.
    """

    n_documents: int
    n_passages: int
    regulators: tuple[str, ...]
    digest: str


Opener = Callable[[Path], Index]


@dataclass(slots=True)
class RulesDesk:
    """An index that is opened by the first question, and again when it was built anew.

    Attributes:
        path: directory of the index; None where there is none.
        model: as PROVIDER/MODEL, writes the answers; None for sentences of the passages.
        opener: opens an index.
    """

    path: Path | None
    model: str | None = None
    opener: Opener = Index.open
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _held: Index | None = field(default=None, repr=False)

    def answer(self, question: RulesQuestion) -> RulesAnswer:
        """Return the answer to a question; one is answered at a time.

        Raises:
            NoIndexError: there is no index.
            RetrievalError: it cannot be searched.
            UsageError: the question cannot be asked, or the model cannot be used.
            RunError: the model gave no reply.
        """
        with self._lock:
            index = self._index()
            found = cited_answer(
                index,
                question.asked(),
                model=self.model,
                asking=Asking(decoding=Decoding(budget=_BUDGET)),
            )
        tokeniser = index.settings.tokeniser
        return RulesAnswer(
            answer=found,
            marked=tuple(
                segments(passage.text, question.text, tokeniser=tokeniser)
                for passage in found.passages
            ),
        )

    def holdings(self) -> Holdings | None:
        """Return what the index holds; None before the first question opened it."""
        index = self._held
        if index is None:
            return None
        documents = index.documents
        named = {document.regulator for document in documents if document.regulator}
        return Holdings(
            n_documents=len(documents),
            n_passages=len(index),
            regulators=tuple(sorted(named)),
            digest=index.digest,
        )

    def _index(self) -> Index:
        if self.path is None:
            raise NoIndexError(NO_INDEX)
        if self._held is None or self._held.digest != read_manifest(self.path).digest:
            self._held = self.opener(self.path)
        return self._held
