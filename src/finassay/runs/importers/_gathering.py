"""One system's rows of one file.  In: rows.  Out: tables set aside on disk, and their counts."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypedDict

import polars as pl

from finassay.records import (
    QUESTION_CUT_AT,
    REFERENCE_CUT,
    REFERENCE_CUT_AT,
    Finish,
    SystemSpec,
    Verdict,
    content_digest,
    content_id,
)
from finassay.runs.importers._known import Catalogue, KnownItem
from finassay.runs.importers._marks import verdicts_frame
from finassay.runs.importers._reply_columns import ReplyColumns
from finassay.runs.importers._seen import Seen
from finassay.runs.importers.report import LengthWatch, Listed, SystemReport, counted
from finassay.runs.importers.values import is_finish_word
from finassay.study.rows import verdict_row

ROW_OVERHEAD = 500
"""What a row costs in memory beside its text, in characters."""


class Answer(NamedTuple):
    """A row that was understood: the reply, and what the source wrote beside it."""

    trial: int
    text: str
    finish: Finish
    verdict: Verdict | None
    reference: str
    question: str
    finish_word: str


class GatheringState(TypedDict):
    """Everything that was counted of a system, but for the rows themselves."""

    name: str
    model: str
    parts: int
    rows: int
    duplicates: int
    verdicts: int
    blank_verdicts: int
    references: list[tuple[int, int]]
    other_references: int
    questions: list[tuple[int, int]]
    other_questions: int
    lengths: list[int]
    finishes: dict[str, int]
    unknown_finishes: dict[str, int]
    extra: list[str]
    models: list[str]


@dataclass(slots=True)
class _Comparison:
    """Counts texts of a file that are the item's own, cut, or other."""

    cut: Counter[int]
    other: int = 0

    def add(self, text: str, whole: str | None) -> bool:
        """Count one text against the item's, and return whether it is a cut copy.

        An empty text says nothing.
        """
        kept = text.strip()
        own = None if whole is None else whole.strip()
        if not kept or kept == own:
            return False
        # White space at the edges says nothing: a cut that ended in a blank may have lost it.
        if own is not None and own.startswith(kept):
            self.cut[len(text)] += 1
            return True
        self.other += 1
        return False


class Gathering:
    """Rows of one system, kept on disk until the file is read to its end."""

    def __init__(
        self, spec: SystemSpec, run_id: str, scorer_id: str, folder: Path, catalogue: Catalogue
    ) -> None:
        self.spec = spec
        self.run_id = run_id
        self.scorer_id = scorer_id
        self.system_id = spec.system_id
        self.catalogue = catalogue
        self._folder = folder
        self._seen = Seen()
        self._replies = ReplyColumns(spec.system_id, run_id)
        self._said = array("Q")
        self._verdicts: list[dict[str, object]] = []
        self._characters = 0
        self._parts = 0
        self._references = _Comparison(Counter())
        self._questions = _Comparison(Counter())
        self._lengths = LengthWatch()
        self._finishes: Counter[str] = Counter()
        self._unknown_finishes: Counter[str] = Counter()
        self._extra: dict[str, None] = {}
        self.rows = 0
        self.duplicates = 0
        self.blank_verdicts = 0
        self.verdicts = 0
        self.models: dict[str, None] = {}
        self.redacted = pl.DataFrame()

    def add_extra(self, item_id: str) -> None:
        """Count a row whose item the study does not hold."""
        self.rows += 1
        self._extra[item_id] = None

    def add(self, answer: Answer, item: KnownItem) -> bool:
        """Keep a row; return False if an earlier row for the same key says something else."""
        label = "" if answer.verdict is None else f"{answer.verdict.label}"
        # 0 stands for nothing said; no digest is known that is 0.
        said = int(content_id(answer.text, answer.finish, label), 16) or 1
        earlier = self._seen.get(item.place, answer.trial)
        if earlier and earlier != said:
            return False
        self.rows += 1
        if earlier:
            self.duplicates += 1
            return True
        self._seen.put(item.place, answer.trial, said)
        self._said.append(said)
        self._keep(answer, item)
        return True

    def _keep(self, answer: Answer, item: KnownItem) -> None:
        text, finish = answer.text, answer.finish
        digest = content_id(text)
        self._replies.add((item.item_id, answer.trial), text, digest=digest, finish=finish)
        if answer.reference or answer.question:
            self._compare(answer, item)
        self._characters += len(text) + ROW_OVERHEAD
        self._lengths.add(text)
        self._finishes[finish] += 1
        if answer.finish_word and not is_finish_word(answer.finish_word):
            self._unknown_finishes[answer.finish_word.strip()] += 1
        if answer.verdict is None:
            self.blank_verdicts += 1
        else:
            self.verdicts += 1
            row = verdict_row(
                answer.verdict,
                item_id=item.item_id,
                trial=answer.trial,
                text_digest=digest,
                item_digest=item.digest,
            )
            self._verdicts.append(row)

    def _compare(self, answer: Answer, item: KnownItem) -> None:
        flags = []
        if self._references.add(answer.reference, item.reference):
            flags += [REFERENCE_CUT, f"{REFERENCE_CUT_AT}{len(answer.reference)}"]
        if self._questions.add(answer.question, item.question):
            flags.append(f"{QUESTION_CUT_AT}{len(answer.question)}")
        if flags:
            self._replies.flag(flags)

    @property
    def pending(self) -> int:
        """Rough size, in characters, of the rows that are not on disk yet."""
        return self._characters

    def flush(self) -> None:
        """Set the rows read so far aside on disk."""
        self._parts += 1
        self._replies.frame().write_parquet(self._part("p", self._parts))
        marks = self._part("v", self._parts)
        if self._verdicts:
            ids = {"scorer_id": self.scorer_id, "system_id": self.system_id}
            verdicts_frame(self._verdicts, **ids).write_parquet(marks)
        else:
            # A stopped import may have got further than it could write down.
            marks.unlink(missing_ok=True)
        self._part("k", self._parts).write_bytes(self._said.tobytes())
        self._replies.clear()
        self._said = array("Q")
        self._verdicts.clear()
        self._characters = 0

    def _part(self, kind: str, number: int) -> Path:
        return self._folder / f"{kind}-{self.system_id}-{number:06d}.parquet"

    def predictions(self) -> pl.LazyFrame:
        """Return the predictions, read from disk as they are needed."""
        if self._replies or not self._parts:
            self.flush()
        return pl.scan_parquet([self._part("p", n + 1) for n in range(self._parts)], glob=False)

    def marks(self) -> pl.LazyFrame:
        """Return the source's verdicts; `predictions` must have been called before."""
        parts = [self._part("v", number + 1) for number in range(self._parts)]
        held = [part for part in parts if part.exists()]
        if not held:
            return verdicts_frame([], scorer_id=self.scorer_id, system_id=self.system_id).lazy()
        return pl.scan_parquet(held, glob=False)

    @property
    def keys(self) -> int:
        """How many predictions there are."""
        return len(self._seen)

    def item_ids(self) -> frozenset[str]:
        """Return the items that have a prediction."""
        return frozenset(self.catalogue.at(place).item_id for place, _, _ in self._seen)

    def digest(self) -> str:
        """Return the digest of the predictions, whatever their order in the file."""
        said = sorted(
            (self.catalogue.at(place).item_id, trial, said) for place, trial, said in self._seen
        )
        return content_digest(*(f"{item}\0{trial}\0{one:016x}" for item, trial, one in said))

    def state(self) -> GatheringState:
        """Return what was counted so far; every row must be on disk (see `flush`)."""
        return {
            "name": self.spec.name,
            "model": self.spec.model,
            "parts": self._parts,
            "rows": self.rows,
            "duplicates": self.duplicates,
            "verdicts": self.verdicts,
            "blank_verdicts": self.blank_verdicts,
            "references": list(self._references.cut.items()),
            "other_references": self._references.other,
            "questions": list(self._questions.cut.items()),
            "other_questions": self._questions.other,
            "lengths": self._lengths.state(),
            "finishes": dict(self._finishes),
            "unknown_finishes": dict(self._unknown_finishes),
            "extra": list(self._extra),
            "models": list(self.models),
        }

    def restore(self, state: GatheringState) -> None:
        """Go on from a state, with the rows that were set aside on disk before it was taken.

        Raises:
            ValueError: what is on disk does not fit.
        """
        self._parts = state["parts"]
        self.rows, self.duplicates = state["rows"], state["duplicates"]
        self.verdicts, self.blank_verdicts = state["verdicts"], state["blank_verdicts"]
        self._references = _Comparison(Counter(dict(state["references"])))
        self._references.other = state["other_references"]
        self._questions = _Comparison(Counter(dict(state["questions"])))
        self._questions.other = state["other_questions"]
        self._lengths = LengthWatch.restored(state["lengths"])
        self._finishes = Counter(state["finishes"])
        self._unknown_finishes = Counter(state["unknown_finishes"])
        self._extra = dict.fromkeys(state["extra"])
        self.models = dict.fromkeys(state["models"])
        for number in range(self._parts):
            self._read_part(number + 1)

    def _read_part(self, number: int) -> None:
        said = array("Q")
        said.frombytes(self._part("k", number).read_bytes())
        rows = pl.read_parquet(self._part("p", number), columns=["item_id", "trial"], glob=False)
        for (item_id, trial), one in zip(rows.iter_rows(), said, strict=True):
            item = self.catalogue.find(item_id)
            if item is None:
                raise ValueError(f"no item {item_id!r}")
            self._seen.put(item.place, trial, one)

    def report(self, *, has_verdicts: bool) -> SystemReport:
        """Return what came of the rows."""
        return SystemReport(
            system=self.spec.name,
            system_id=self.system_id,
            rows_read=self.rows,
            imported=self.keys,
            duplicates=self.duplicates,
            redacted=self.redacted.height,
            missing=Listed.of(self.catalogue.missing(self.item_ids())),
            extra=Listed.of(self._extra),
            verdicts=self.verdicts,
            blank_verdicts=self.blank_verdicts if has_verdicts else 0,
            finishes=tuple(sorted(self._finishes.items())),
            unknown_finishes=counted(self._unknown_finishes),
            cut_references=counted(self._references.cut),
            other_references=self._references.other,
            cut_questions=counted(self._questions.cut),
            other_questions=self._questions.other,
            cap=self._lengths.cap,
            other_models=tuple(name for name in self.models if name != self.spec.model),
        )
