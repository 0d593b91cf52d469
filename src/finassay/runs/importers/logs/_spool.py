"""One run's answers on their way into the study.  In: samples.  Out: tables set aside on disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from finassay.records import SystemSpec, content_digest, content_id
from finassay.runs.importers.logs.base import LoggedScore, LogRun, Sample
from finassay.runs.importers.options import IMPORTED_VERSION
from finassay.runs.importers.report import LengthWatch
from finassay.study import TABLES

ROW_OVERHEAD = 500
"""What a row costs in memory beside its text, in characters."""

_PREDICTIONS = TABLES["predictions"].polars_schema
_VERDICTS = TABLES["verdicts"].polars_schema
_KEPT = (
    *("item_id", "trial", "text", "text_digest", "reasoning", "finish", "tool_extracted"),
    *("tokens_in", "tokens_out", "latency_s", "cost_usd", "flags"),
)
_MARKED = (
    *("scorer_id", "item_id", "trial", "status", "value", "label", "extracted", "reason"),
    *("flags", "text_digest", "item_digest", "task", "file", "place"),
)
_MARK_SCHEMA = pl.Schema(
    {name: _VERDICTS.get(name, pl.String()) for name in _MARKED if name != "place"}
    | {"place": pl.Int64()}
)
KEYS = ("item_id", "trial")

_Row = tuple[object, ...]


@dataclass(slots=True, kw_only=True)
class RunSpool:
    """Answers of one run: keys in memory, rows on disk once they are many.

    Attributes:
        run: the run as the log tells it.
        spec: the system as the study names it.
        run_id: the run's id in the study.
        offset: added to every trial when the run is committed.
        is_folded: whether another run holds all its answers, so that it is not committed.
    """

    run: LogRun
    spec: SystemSpec
    run_id: str
    source: str
    folder: Path
    number: int
    offset: int = 0
    is_folded: bool = False
    rows: int = 0
    duplicates: int = 0
    pending: int = 0
    extra: dict[str, None] = field(default_factory=dict)
    finishes: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    lengths: LengthWatch = field(default_factory=LengthWatch)
    scorers: dict[str, str] = field(default_factory=dict)
    scores: dict[tuple[str, LoggedScore], None] = field(default_factory=dict)
    _held: dict[tuple[str, int], str] = field(default_factory=dict)
    _errors: dict[tuple[str, int], tuple[str, _Row]] = field(default_factory=dict)
    _kept: list[_Row] = field(default_factory=list)
    _marks: list[tuple[object, ...]] = field(default_factory=list)
    _parts: int = 0
    _mark_parts: int = 0

    def add(self, sample: Sample, item_id: str, *, place: str, digests: tuple[str, str]) -> str:
        """Keep a sample, and return why not, or "".

        An error never stands beside an answer: a run that was taken up again logs both.

        Args:
            sample: as the log tells it.
            item_id: its item in the study.
            place: the task and the file, for the marks, with a line end between.
            digests: of the text, and of the item.
        """
        key = (item_id, sample.trial)
        task = place.partition("\n")[0]
        said = digests[0] if not sample.reasoning else content_id(digests[0], sample.reasoning)
        earlier = self._held.get(key)
        self.rows += 1
        if earlier is not None and earlier != said:
            if sample.finish == "error":
                self.duplicates += 1
                return ""
            self.rows -= 1
            return f"another answer to item {item_id!r} in trial {sample.trial} stands before it"
        if earlier is not None:
            self.duplicates += 1
        elif sample.finish == "error":
            self.duplicates += key in self._errors
            self._errors[key] = (task, self._row(sample, item_id, digests[0]))
        else:
            self.duplicates += self._errors.pop(key, None) is not None
            self._keep(key, said, task, self._row(sample, item_id, digests[0]))
        self._mark(sample, item_id, place, digests)
        return ""

    def _row(self, sample: Sample, item_id: str, digest: str) -> _Row:
        return (
            *(item_id, sample.trial, sample.text, digest, sample.reasoning, sample.finish),
            *(sample.tool_extracted, sample.tokens_in, sample.tokens_out),
            *(sample.latency_s, sample.cost_usd, list(sample.flags)),
        )

    def _keep(self, key: tuple[str, int], said: str, task: str, row: _Row) -> None:
        text = str(row[2])
        self._held[key] = said
        self._kept.append(row)
        self.pending += len(text) + len(str(row[4])) + ROW_OVERHEAD
        self.lengths.add(text)
        self.finishes[str(row[5])] += 1
        self.answers[task] += 1

    def _mark(self, sample: Sample, item_id: str, place: str, digests: tuple[str, str]) -> None:
        task, _, file = place.partition("\n")
        for scorer_id, verdict in sample.marks:
            if scorer_id not in self.scorers:
                self.scorers[scorer_id] = ""
            said = verdict.extracted
            row = (
                *(scorer_id, item_id, sample.trial, verdict.status, verdict.value, verdict.label),
                *(said, verdict.reason, list(verdict.flags), *digests, task, file, sample.place),
            )
            self._marks.append(row)
            self.pending += len(said or "") + len(verdict.reason) + ROW_OVERHEAD

    @property
    def keys(self) -> int:
        """How many answers there are."""
        return len(self._held)

    def settle(self) -> None:
        """Keep the errors that no answer took the place of; the log is read to its end."""
        for key, (task, row) in self._errors.items():
            self._keep(key, str(row[3]), task, row)
        self._errors.clear()
        self.flush()

    def flush(self) -> None:
        """Set the rows aside on disk."""
        if self._kept:
            schema = {name: _PREDICTIONS[name] for name in _KEPT}
            frame = pl.DataFrame(self._kept, schema=schema, orient="row")
            self._parts += 1
            frame.write_parquet(self.folder / f"p{self.number}-{self._parts:06d}.parquet")
        if self._marks:
            frame = pl.DataFrame(self._marks, schema=_MARK_SCHEMA, orient="row")
            self._mark_parts += 1
            frame.write_parquet(self.folder / f"m{self.number}-{self._mark_parts:06d}.parquet")
        self._kept.clear()
        self._marks.clear()
        self.pending = 0

    def key_frame(self) -> pl.DataFrame:
        """Return item_id, trial (before the offset), text_digest and finish of every answer."""
        names = [*KEYS, "text_digest", "finish"]
        if not self._parts:
            return pl.DataFrame(schema={name: _PREDICTIONS[name] for name in names})
        return self._scan("p").select(names).collect()

    def _scan(self, kind: str) -> pl.LazyFrame:
        return pl.scan_parquet(self.folder / f"{kind}{self.number}-*.parquet", glob=True)

    def digest(self) -> str:
        """Return the digest of the answers, whatever their order in the log."""
        lines = (f"{item}\0{trial}\0{said}" for (item, trial), said in sorted(self._held.items()))
        return content_digest(*lines)

    def predictions(self) -> pl.LazyFrame:
        """Return the predictions; each part is completed once more on disk, never all at once."""
        for part in range(1, self._parts + 1):
            path = self.folder / f"p{self.number}-{part:06d}.parquet"
            self._complete(pl.read_parquet(path)).write_parquet(
                self.folder / f"q{self.number}-{part:06d}.parquet"
            )
        return self._scan("q")

    def _complete(self, frame: pl.DataFrame) -> pl.DataFrame:
        system_id = self.spec.system_id
        moved = frame.with_columns(pl.col("trial") + self.offset)
        ids = [
            content_id(item_id, system_id, str(trial))
            for item_id, trial in moved.select(KEYS).iter_rows()
        ]
        made = moved.with_columns(
            pl.Series("prediction_id", ids, dtype=pl.String()),
            pl.lit(system_id).alias("system_id"),
            pl.lit(self.run_id).alias("run_id"),
        )
        return made.select(_PREDICTIONS.names())

    def marks(self, scorer_id: str) -> pl.LazyFrame | None:
        """Return the distinct verdicts of one scorer, the first for each key, with their places."""
        if not self._mark_parts:
            return None
        own = self._scan("m").filter(pl.col("scorer_id").eq(scorer_id))
        return own.unique(KEYS, keep="first", maintain_order=True).with_columns(
            pl.col("trial") + self.offset
        )

    def mark_clashes(self) -> Iterator[tuple[str, str, str, int]]:
        """Yield (scorer, item, file, place) of verdicts that differ from an earlier one."""
        if not self._mark_parts:
            return
        keys = ["scorer_id", *KEYS]
        own = self._scan("m").select(*keys, "status", "value", "file", "place")
        distinct = own.unique([*keys, "status", "value"], keep="first", maintain_order=True)
        later = distinct.filter(pl.col("item_id").cum_count().over(keys) > 1).collect()
        yield from later.select("scorer_id", "item_id", "file", "place").iter_rows()

    def verdicts(self, scorer_id: str) -> pl.LazyFrame | None:
        """Return one scorer's verdicts as rows of the table `verdicts`."""
        found = self.marks(scorer_id)
        if found is None:
            return None
        made = found.with_columns(
            pl.lit(self.spec.system_id).alias("system_id"),
            pl.lit(IMPORTED_VERSION).alias("scorer_version"),
            pl.lit(0, dtype=pl.Int64()).alias("repeat"),
            pl.lit(0, dtype=pl.Int64()).alias("revision"),
            pl.lit(None, dtype=pl.String()).alias("evidence_id"),
        )
        return made.select(_VERDICTS.names())
