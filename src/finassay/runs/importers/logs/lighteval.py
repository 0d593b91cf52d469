"""Logs of lighteval.  In: results_*.json and details_*.parquet.  Out: blocks.

Results and details lie in two trees, `results/MODEL` and `details/MODEL/DATE`; they belong together
by the date.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl
from polars.exceptions import PanicException, PolarsError

from finassay.errors import InputError
from finassay.records import SystemSpec, content_id
from finassay.runs.importers._rows import BadRow
from finassay.runs.importers.logs._fields import as_list, as_map, as_number, as_str
from finassay.runs.importers.logs._lighteval_fields import (
    NEW_COLUMNS,
    OLD_COLUMNS,
    TOOL,
    Row,
    new_samples,
    old_samples,
)
from finassay.runs.importers.logs.base import (
    BLOCK_SAMPLES,
    MALFORMED,
    Block,
    LoggedScore,
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
from finassay.runs.importers.logs.values import tool_scorer

_DATE = re.compile(r"_(\d{4}-\d\d-\d\dT[\d:.-]*\d)\.(?:json|parquet)$")
_NO_METRICS = ("all", "name")
_DAMAGED = (PolarsError, PanicException, OSError)


class LightevalReader(LogReader):
    """Reads results and details of lighteval, 0.6 and later."""

    name = TOOL

    def recognises(self, candidate: Candidate) -> bool:
        """Return whether it is a file of results or of details."""
        return _is_results(candidate) or _is_details(candidate)

    def claim(self, candidates: Sequence[Candidate], *, forced: bool = False) -> list[Source]:
        """Return one source for each results file, and for details that have none."""
        results = [one.path for one in candidates if _is_results(one)]
        groups: dict[object, list[Path]] = {path: [path] for path in results}
        for one in candidates:
            if one.path in groups or not (forced or _is_details(one)):
                continue
            owner = _results_of(one.path, results)
            groups.setdefault(owner or (one.path.parent, _date(one.path)), []).append(one.path)
        return [
            Source(tool=TOOL, paths=tuple(paths), what="results and details")
            for paths in groups.values()
        ]

    def read(
        self,
        source: Source,
        options: ReadOptions,  # noqa: ARG002 - nothing to choose
    ) -> Iterator[Block | Unreadable]:
        """Yield the samples in blocks; see `LogReader.read`."""
        paths = list(source.paths)
        document: Mapping[str, object] = {}
        if not _has_magic(paths[0]):
            first = paths.pop(0)
            try:
                document = as_map(json.loads(first.read_bytes().decode("utf-8-sig")))
            except (ValueError, RecursionError) as error:
                yield Unreadable(bad=[bad_entry(first, 0, f"the results: {error}")])
        run = run_of(document, source.paths[0])
        results = as_map(document.get("results"))
        told: set[str] = set()
        for path in paths:
            task = ""
            for block in _blocks(path, run):
                if block.task != task:
                    task = block.task
                    told.add(task)
                    yield Block(run=run, task=task, scores=printed(results, task))
                yield block
        for task in results:
            if task not in told and task not in _NO_METRICS and not _covered(task, told):
                yield Block(run=run, task=task, scores=printed(results, task))


def _covered(task: str, told: set[str]) -> bool:
    """Return whether scores of a task were handed on under the name that its details have."""
    return any(_same_task(task, one) for one in told)


def _same_task(one: str, other: str) -> bool:
    # Details before 0.11 and results name a task with and without the number of examples.
    return one == other or one.rpartition("|")[0] == other or other.rpartition("|")[0] == one


def _is_results(candidate: Candidate) -> bool:
    return candidate.shape == "object" and candidate.has("config_general", "results")


def _is_details(candidate: Candidate) -> bool:
    if candidate.shape != "parquet":
        return False
    try:
        columns = pl.read_parquet_schema(candidate.path)
    except _DAMAGED:
        return False
    return all(name in columns for name in NEW_COLUMNS) or all(
        name in columns for name in OLD_COLUMNS
    )


def _has_magic(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(4) == b"PAR1"


def _date(path: Path) -> str:
    found = _DATE.search(path.name)
    return found[1] if found else path.parent.name


def _results_of(path: Path, results: Sequence[Path]) -> Path | None:
    dated = [one for one in results if _date(one) == _date(path)]
    near = [one for one in dated if one.parent.name in path.parts]
    return next(iter(near or dated), None)


def run_of(document: Mapping[str, object], path: Path) -> LogRun:
    """Return the run that a results file tells of, or what the folders say without one."""
    general = as_map(document.get("config_general"))
    config = as_map(general.get("model_config"))
    model = as_str(config.get("model_name")) or as_str(general.get("model_name"))
    if not model:
        model = path.parent.parent.name if _has_magic(path) else path.parent.name
    given = as_map(config.get("generation_parameters") or general.get("generation_parameters"))
    budget = given.get("max_new_tokens")
    prompt = as_str(config.get("system_prompt"))
    decoding = {
        name: one if isinstance(one, str) else json.dumps(one, sort_keys=True)
        for name, one in given.items()
        if one is not None and name not in ("max_new_tokens", "stop_tokens")
    }
    started = as_number(general.get("start_time"))
    return LogRun(
        tool=TOOL,
        key=f"{model} {_date(path)}",
        system=SystemSpec(
            name=model,
            model=model,
            decoding=tuple(sorted(decoding.items())),
            budget=str(budget) if budget is not None else "",
            stop=tuple(str(one) for one in as_list(given.get("stop_tokens"))),
            prompt_arm=f"system_prompt={content_id(prompt)}" if prompt else "",
        ),
        started=_date(path) if started is None else f"{_date(path)} ({started:g})",
        packages=_packages(general),
    )


def _packages(general: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    sha = as_str(general.get("lighteval_sha"))
    return (("lighteval", sha),) if sha and sha != "?" else ()


def printed(results: Mapping[str, object], task: str) -> list[LoggedScore]:
    """Return the scores that were printed for a task."""
    name = next((one for one in results if _same_task(one, task)), task)
    found = []
    for metric, value in as_map(results.get(name)).items():
        number = as_number(value)
        if number is not None:
            plain = metric.removesuffix("_stderr")
            kind = "stderr" if plain != metric else "mean"
            scorer_id = tool_scorer(TOOL, plain)
            found.append(LoggedScore(scorer_id, kind, number, None, kind == "mean"))
    return found


def _blocks(path: Path, run: LogRun) -> Iterator[Block]:
    try:
        lazy = pl.scan_parquet(path, glob=False)
        columns = lazy.collect_schema().names()
        is_new = all(name in columns for name in NEW_COLUMNS)
        read: Callable[..., list[Sample]] = new_samples if is_new else old_samples
        place = 0
        for frame in lazy.collect_batches(chunk_size=BLOCK_SAMPLES):
            yield from _frame_blocks(frame, path, run, place, read)
            place += frame.height
    except _DAMAGED as error:
        raise InputError(
            f"{path.name}: the Parquet file cannot be read ({error}); fetch it again"
        ) from error


def _frame_blocks(
    frame: pl.DataFrame,
    path: Path,
    run: LogRun,
    before: int,
    read: Callable[..., list[Sample]],
) -> Iterator[Block]:
    by_task: dict[str, tuple[list[Sample], list[BadRow]]] = {}
    for place, row in enumerate(frame.iter_rows(named=True), start=before + 1):
        task = _task(row, path)
        samples, bad = by_task.setdefault(task, ([], []))
        try:
            samples.extend(read(row, task=task, place=place))
        except MALFORMED as error:
            bad.append(bad_entry(path, place, described(error)))
    for task, (samples, bad) in by_task.items():
        yield Block(run=run, task=task, samples=samples, bad=bad)


def _task(row: Row, path: Path) -> str:
    told = as_str(as_map(row.get("doc")).get("task_name"))
    if told:
        return told
    found = re.fullmatch(r"details_(?P<task>.+)_\d{4}-\d\d-\d\dT[\d:.-]+\.parquet", path.name)
    return found["task"] if found else path.stem
