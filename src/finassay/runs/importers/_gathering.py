"""One system's rows of one file.  In: rows.  Out: tables set aside on disk, and their counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import polars as pl

from finassay.records import (
    QUESTION_CUT_AT,
    REFERENCE_CUT,
    REFERENCE_CUT_AT,
    Prediction,
    SystemSpec,
    Verdict,
    content_digest,
    content_id,
)
from finassay.runs.importers._known import Catalogue, KnownItem
from finassay.runs.importers._marks import verdicts_frame
from finassay.runs.importers.report import LengthWatch, Listed, SystemReport, counted
from finassay.runs.importers.values import is_finish_word
from finassay.study.rows import predictions_frame, verdict_row

ROW_OVERHEAD = 500
"""What a row costs in memory beside its text, in characters."""


class Answer(NamedTuple):
    """A row that was understood: the prediction, and what the source wrote beside it."""

    prediction: Prediction
    verdict: Verdict | None
    reference: str
    question: str
    finish_word: str


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

    def __init__(self, spec: SystemSpec, run_id: str, scorer_id: str, folder: Path) -> None:
        self.spec = spec
        self.run_id = run_id
        self.scorer_id = scorer_id
        self.system_id = spec.system_id
        self._folder = folder
        self._held: dict[tuple[str, int], str] = {}
        self._predictions: list[Prediction] = []
        self._digests: list[str] = []
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
        prediction = answer.prediction
        label = "" if answer.verdict is None else f"{answer.verdict.label}"
        said = content_id(prediction.text, prediction.finish, label)
        key = (item.item_id, prediction.trial)
        earlier = self._held.get(key)
        if earlier is not None and earlier != said:
            return False
        self.rows += 1
        if earlier is not None:
            self.duplicates += 1
            return True
        self._held[key] = said
        self._keep(answer, item)
        return True

    def _keep(self, answer: Answer, item: KnownItem) -> None:
        prediction = answer.prediction
        flags = list(prediction.flags)
        if self._references.add(answer.reference, item.reference):
            flags += [REFERENCE_CUT, f"{REFERENCE_CUT_AT}{len(answer.reference)}"]
        if self._questions.add(answer.question, item.question):
            flags.append(f"{QUESTION_CUT_AT}{len(answer.question)}")
        if len(flags) > len(prediction.flags):
            prediction = replace(prediction, flags=tuple(flags))
        digest = prediction.text_digest
        self._predictions.append(prediction)
        self._digests.append(digest)
        self._characters += len(prediction.text) + ROW_OVERHEAD
        self._lengths.add(prediction.text)
        self._finishes[prediction.finish] += 1
        if not is_finish_word(answer.finish_word):
            self._unknown_finishes[answer.finish_word.strip()] += 1
        if answer.verdict is None:
            self.blank_verdicts += 1
        else:
            self.verdicts += 1
            row = verdict_row(
                answer.verdict,
                item_id=item.item_id,
                trial=prediction.trial,
                text_digest=digest,
                item_digest=item.digest,
            )
            self._verdicts.append(row)

    @property
    def pending(self) -> int:
        """Rough size, in characters, of the rows that are not on disk yet."""
        return self._characters

    def flush(self) -> None:
        """Set the rows read so far aside on disk."""
        self._parts += 1
        name = f"{self.system_id}-{self._parts:06d}.parquet"
        frame = predictions_frame(self._predictions, text_digests=self._digests)
        frame.write_parquet(self._folder / f"p-{name}")
        marks = verdicts_frame(self._verdicts, scorer_id=self.scorer_id, system_id=self.system_id)
        marks.write_parquet(self._folder / f"v-{name}")
        self._predictions.clear()
        self._digests.clear()
        self._verdicts.clear()
        self._characters = 0

    def predictions(self) -> pl.LazyFrame:
        """Return the predictions, read from disk as they are needed."""
        if self._predictions or not self._parts:
            self.flush()
        return pl.scan_parquet(self._folder / f"p-{self.system_id}-*.parquet")

    def marks(self) -> pl.LazyFrame:
        """Return the source's verdicts; `predictions` must have been called before."""
        return pl.scan_parquet(self._folder / f"v-{self.system_id}-*.parquet")

    @property
    def keys(self) -> int:
        """How many predictions there are."""
        return len(self._held)

    def item_ids(self) -> frozenset[str]:
        """Return the items that have a prediction."""
        return frozenset(item_id for item_id, _ in self._held)

    def digest(self) -> str:
        """Return the digest of the predictions, whatever their order in the file."""
        lines = (f"{item}\0{trial}\0{said}" for (item, trial), said in sorted(self._held.items()))
        return content_digest(*lines)

    def report(self, catalogue: Catalogue, *, has_verdicts: bool) -> SystemReport:
        """Return what came of the rows."""
        return SystemReport(
            system=self.spec.name,
            system_id=self.system_id,
            rows_read=self.rows,
            imported=self.keys,
            duplicates=self.duplicates,
            redacted=self.redacted.height,
            missing=Listed.of(catalogue.missing(item for item, _ in self._held)),
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
