"""OpenCompass.  In: `predictions/MODEL/DATASET.json` and the `results` beside it.  Out: blocks.

Ids are row numbers of the split.  `gold` is written only where it is true in Python's sense, so 0,
"" and False are missing; the details of the results hold it where they were written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from finassay.errors import InputError
from finassay.records import Item, SystemSpec
from finassay.runs.importers.logs import parts as of
from finassay.runs.importers.logs._lm_eval_fields import FROM_LOGPROBS
from finassay.runs.importers.logs.base import (
    Block,
    LogReader,
    LogRun,
    ReadOptions,
    Sample,
    Source,
    Unreadable,
)
from finassay.runs.importers.logs.candidates import Candidate
from finassay.runs.importers.logs.opencompass_results import (
    TOOL,
    Results,
    read_results,
)
from finassay.runs.importers.logs.pending import Pending, may_be_document, reason_of
from finassay.runs.importers.logs.walking import json_lines, open_walker
from finassay.runs.importers.report import counted_noun
from finassay.runs.importers.values import read_finish

_PART = re.compile(r"(?P<dataset>.+)_(?P<part>\d+)")
_TMP = "tmp_"
_LABEL = "label: "


class OpenCompassReader(LogReader):
    """Reads predictions of OpenCompass, with the results beside them."""

    name: ClassVar[str] = TOOL

    def recognises(self, candidate: Candidate) -> bool:
        """Return whether the file holds predictions by row number."""
        if not may_be_document(candidate) or not candidate.keys:
            return False
        if candidate.has("idx", "origin_prompt", "prediction"):
            return True
        first = candidate.keys[0]
        if not first.isascii() or not first.isdigit():
            return False
        head = candidate.begins(first)
        row = candidate.value(first)
        if row is None:
            return head.startswith(('{"origin_prompt"', '{"in-context examples"')) or (
                re.match(r'\{\s*"(origin_prompt|in-context examples)"', head) is not None
            )
        found = of.mapping(row)
        return "prediction" in found and ("origin_prompt" in found or _is_ppl(found))

    def claim(self, candidates: Sequence[Candidate], *, forced: bool = False) -> list[Source]:
        """Return one source for each model and dataset, its partitions together.

        Files below `results` are what a judge replied, and no predictions of the model.
        """
        groups: dict[tuple[Path, str], list[Path]] = {}
        for one in candidates:
            is_ours = forced or self.recognises(one)
            if not is_ours or "results" in one.path.parts[-3:-1]:
                continue
            groups.setdefault((one.path.parent, _dataset(one.path)), []).append(one.path)
        sources = []
        for (folder, dataset), paths in groups.items():
            whole = [path for path in paths if not path.name.startswith(_TMP)] or paths
            sources.append(
                Source(
                    tool=TOOL,
                    paths=(*sorted(whole, key=_part_number), *_results_of(folder, dataset)),
                    what=f"predictions of {folder.name}",
                )
            )
        return sources

    def read(self, source: Source, options: ReadOptions) -> Iterator[Block | Unreadable]:
        """Yield blocks of one model on one dataset."""
        pending = Pending()
        predictions = [path for path in source.paths if "results" not in path.parts[-3:-1]]
        others = [path for path in source.paths if path not in predictions]
        results = read_results(others, pending, options.encoding)
        reading = _Reading(predictions, results, pending, options.encoding)
        for path in predictions:
            try:
                for _ in reading.rows(path):
                    yield from pending.ready()
            except InputError as error:
                pending.refuse(path, 0, reason_of(error, path))
        reading.finish()
        yield from pending.rest()


def _is_ppl(row: of.JsonMap) -> bool:
    return any(name.startswith(_LABEL) for name in row)


def _dataset(path: Path) -> str:
    """Return the name of the dataset; a partition is one where there is a part 0."""
    stem = path.name.split(".json", 1)[0].removeprefix(_TMP)
    found = _PART.fullmatch(stem)
    if found is None or path.with_name(f"{stem}.json".replace(stem, found["dataset"])).exists():
        return stem
    return found["dataset"] if path.with_name(f"{found['dataset']}_0.json").exists() else stem


def _part_number(path: Path) -> tuple[int, str]:
    stem = path.name.split(".json", 1)[0]
    found = _PART.fullmatch(stem)
    is_part = found is not None and _dataset(path) == found["dataset"]
    return (int(found["part"]) if found is not None and is_part else 0, path.name)


def _results_of(folder: Path, dataset: str) -> list[Path]:
    """Return the results and the judge's replies that belong to predictions, where there are."""
    if folder.parent.name != "predictions":
        return []
    beside = folder.parent.parent / "results" / folder.name
    if not beside.is_dir():
        return []
    named = [beside / f"{dataset}.json", *sorted(beside.glob("*_replica*.json"))]
    own = re.compile(re.escape(dataset) + r"(?:_llm_judge)?(?:_replica\d+)?\.json")
    return [path for path in named if own.fullmatch(path.name) and path.is_file()]


@dataclass(slots=True)
class _Reading:
    """The predictions of one model on one dataset on their way into blocks."""

    paths: Sequence[Path]
    results: Results
    pending: Pending
    encoding: str
    before: int = 0
    missing_gold: int = 0

    @property
    def dataset(self) -> str:
        return _dataset(self.paths[0])

    @property
    def run(self) -> LogRun:
        model = self.paths[0].parent.name
        stamp = self.paths[0].parent.parent.parent.name
        system = SystemSpec(name=model, model=model)
        return LogRun(tool=TOOL, key=f"{stamp}/{model}/{self.dataset}", system=system)

    def rows(self, path: Path) -> Iterator[None]:
        """Take the rows of one file, yielding after each."""
        begin = self.before
        if Candidate(path).has("idx"):
            for place, value, wrong in json_lines(path, self.encoding):
                index = of.count(value, "idx")
                if wrong or index is None:
                    self.pending.refuse(path, place, wrong or "expected a row with idx")
                    continue
                self._take(of.mapping(value), index, path, place)
                yield
            return
        with open_walker(path, self.encoding) as walker:
            for place, name in enumerate(walker.members(), start=1):
                row = of.mapping(walker.value())
                if not (name.isascii() and name.isdigit() and len(name) < 12):
                    self.pending.refuse(path, place, f"expected a row number, got {name!r:.40}")
                    continue
                self.before = max(self.before, begin + int(name) + 1)
                self._take(row, begin + int(name), path, place)
                yield

    def _take(self, row: of.JsonMap, index: int, path: Path, place: int) -> None:
        if "prediction" not in row:
            self.pending.refuse(path, place, f"row {index} holds no prediction")
            return
        at, replica = self.results.place(index)
        said = row["prediction"]
        replies = (
            [of.written(one) for one in said] if isinstance(said, list) else [of.written(said)]
        )
        item = _item(row, at, self.results)
        self.missing_gold += item.reference is None
        for number, reply in enumerate(replies):
            trial = replica * len(replies) + number
            sample = Sample(
                item_id=str(at),
                text=reply,
                place=place,
                item=item,
                trial=trial,
                finish=read_finish(text=reply, word="", error_text=None),
                tool_extracted=self.results.extracted(index, number),
                tokens_in=of.count(row, "all_input_length"),
                tokens_out=of.count(row, "res_length"),
                flags=(FROM_LOGPROBS,) if _is_ppl(row) else (),
                marks=self.results.marks(index, number),
            )
            self.pending.add(self.run, self.dataset, sample)

    def finish(self) -> None:
        """Keep what is known only at the end."""
        for score in self.results.scores:
            self.pending.add_score(self.run, self.dataset, score)
        if self.paths[0].name.startswith(_TMP):
            note = "an unfinished run: only what was written before it stopped is read"
            self.pending.note(self.run, self.dataset, note)
        if self.missing_gold:
            note = (
                f"{counted_noun(self.missing_gold, 'row')} without an accepted answer: OpenCompass "
                f'leaves out 0, "" and False; import the items first to have them'
            )
            self.pending.note(self.run, self.dataset, note)


def _item(row: of.JsonMap, at: int, results: Results) -> Item:
    gold = row.get("gold")
    accepted = [of.written(one) for one in gold] if isinstance(gold, list) else [of.written(gold)]
    known = [one for one in accepted if one] or list(results.references(at))
    labels = [name.removeprefix(_LABEL) for name in row if name.startswith(_LABEL)]
    question = of.last_user_text(row.get("origin_prompt"))
    if not question and labels:
        first = of.mapping(row, f"{_LABEL}{labels[0]}")
        question = of.text(first, "testing input") or of.written(first.get("prompt"))
    return Item(
        item_id=str(at),
        question=question,
        reference=known[0] if known else None,
        alternatives=tuple(known[1:]),
        choices=tuple(of.whole_text(label) for label in labels),
    )
