"""Logs of lm-evaluation-harness.  In: results_*.json and samples_*.jsonl.  Out: blocks.

A results file and the files of samples of the same date in its folder are read as one run.
"""

from __future__ import annotations

import gzip
import mmap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from finassay.errors import InputError
from finassay.runs.importers._rows import BadRow
from finassay.runs.importers.logs._decoding import LineDecoder
from finassay.runs.importers.logs._json_arrays import Span, elements
from finassay.runs.importers.logs._lm_eval_fields import LAZY, PLAIN, TOOL, TaskFacts, samples_of
from finassay.runs.importers.logs._lm_eval_results import Results, date_in_name, task_in_name
from finassay.runs.importers.logs.base import (
    BLOCK_CHARACTERS,
    BLOCK_SAMPLES,
    MALFORMED,
    Block,
    LogReader,
    LogRun,
    ReadOptions,
    Sample,
    Source,
    Unreadable,
    bad_entry,
    described,
)
from finassay.runs.importers.logs.candidates import Candidate


class LmEvalReader(LogReader):
    """Reads logs of lm-evaluation-harness, 0.4.0 to 0.5."""

    name = TOOL

    def recognises(self, candidate: Candidate) -> bool:
        """Return whether it is a file of results or of samples."""
        return _is_results(candidate) or _is_samples(candidate)

    def claim(self, candidates: Sequence[Candidate], *, forced: bool = False) -> list[Source]:
        """Return one source for each results file, and for samples that have none."""
        results = [one.path for one in candidates if _is_results(one)]
        groups: dict[Path, list[Path]] = {path: [path] for path in results}
        for one in candidates:
            if one.path in groups or not (forced or _is_samples(one)):
                continue
            owner = _results_of(one.path, results)
            # Samples without results go by folder and date, as the tool writes a run.
            name = f"no results {date_in_name(one.path)}"
            groups.setdefault(owner or one.path.parent / name, []).append(one.path)
        return [
            Source(tool=TOOL, paths=tuple(paths), what=_what(paths, results))
            for paths in groups.values()
        ]

    def read(
        self,
        source: Source,
        options: ReadOptions,  # noqa: ARG002 - nothing to choose
    ) -> Iterator[Block | Unreadable]:
        """Yield the samples in blocks; see `LogReader.read`."""
        first = source.paths[0]
        results, problems = _results_in(first)
        if problems:
            yield Unreadable(bad=problems)
        paths = source.paths if results is None else source.paths[1:]
        results = results or Results({}, first.parent)
        tasks = results.tasks
        run = results.run(f"{first.parent.name}/{first.name}")
        told = set()
        sizes = [path.stat().st_size for path in paths]
        for index, path in enumerate(paths):
            task = task_in_name(path, tasks)
            told.add(task)
            facts = results.facts(task)
            scores = results.scores(task)
            yield Block(run=run, task=task, scores=scores, specs=results.specs(task))
            yield from _blocks(path, run, facts, (sum(sizes[:index]), sum(sizes)))
        for task in tasks:
            scores = results.scores(task)
            if task not in told and scores:
                yield Block(run=run, task=task, scores=scores, specs=results.specs(task))


def _is_results(candidate: Candidate) -> bool:
    return candidate.shape == "object" and candidate.has("results", "configs")


def _is_samples(candidate: Candidate) -> bool:
    if candidate.shape not in ("lines", "array", "object"):
        return False
    return candidate.has("doc_id", "doc") and (
        candidate.has("resps") or candidate.has("filtered_resps") or candidate.has("arguments")
    )


def _what(paths: Sequence[Path], results: Sequence[Path]) -> str:
    samples = sum(path not in results for path in paths)
    beside = "results" if paths[0] in results else "no results"
    return f"log ({beside}, samples of {samples} tasks)"


def _results_of(path: Path, results: Sequence[Path]) -> Path | None:
    """Return the results file that a file of samples belongs to."""
    beside = [one for one in results if one.parent == path.parent]
    date = date_in_name(path)
    if date:
        return next((one for one in beside if date in one.name), None)
    undated = [one for one in beside if not date_in_name(one)]
    return undated[0] if len(undated) == 1 else None


def _results_in(path: Path) -> tuple[Results | None, list[BadRow]]:
    """Return the results in a file, or None if it holds samples."""
    if not _is_results(Candidate(path)):
        return None, []
    try:
        return Results.read(path), []
    except (ValueError, RecursionError, OSError) as error:
        return Results({}, path.parent), [bad_entry(path, 0, f"the results: {error}")]


def _blocks(
    path: Path, run: LogRun, facts: TaskFacts, progress: tuple[int, int]
) -> Iterator[Block]:
    samples: list[Sample] = []
    bad: list[BadRow] = []
    size = done = 0
    before, total = progress
    decoder = LineDecoder(PLAIN, LAZY, "metrics")
    for place, line in _lines(path):
        done += len(line)
        try:
            found = samples_of(decoder.decode(line), facts, place=place)
        except MALFORMED as error:
            bad.append(bad_entry(path, place, described(error), _shown(line)))
            continue
        samples.extend(found)
        size += len(line)
        if len(samples) >= BLOCK_SAMPLES or size >= BLOCK_CHARACTERS:
            share = min((before + done) / (total or 1), 1.0)
            yield Block(run=run, task=facts.task, samples=samples, bad=bad, done=share)
            samples, bad, size = [], [], 0
    if samples or bad:
        yield Block(run=run, task=facts.task, samples=samples, bad=bad)


def _shown(line: bytes) -> str:
    return line[:80].decode("utf-8", "replace").strip()


def _lines(path: Path) -> Iterable[tuple[int, bytes]]:
    """Yield the lines with their numbers; the elements of an array, as 0.4.0 to 0.4.2 wrote."""
    with path.open("rb") as raw:
        head = raw.read(4096)
        packed = head[:2] == b"\x1f\x8b"
        if not packed and head.lstrip()[:1] == b"[":
            yield from _elements(path)
            return
        raw.seek(0)
        stream = gzip.GzipFile(fileobj=raw) if packed else raw
        try:
            for number, line in enumerate(stream, start=1):
                plain = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
                if plain.strip():
                    yield number, plain
        except (EOFError, OSError) as error:
            raise InputError(
                f"{path.name}: the compression is damaged ({error}); fetch it again"
            ) from error


def _elements(path: Path) -> Iterator[tuple[int, bytes]]:
    with (
        path.open("rb") as stream,
        mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data,
    ):
        begin = data.find(b"[")
        spans = elements(data, Span(begin, len(data)))
        for number, (start, end) in enumerate(spans, start=1):
            yield number, data[start:end]
