"""Logs of Inspect AI.  In: .eval and .json files.  Out: blocks.

Read by their content, without the tool: entries of a sample are decoded for the fields that a study
holds, and its events are passed over.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from finassay.errors import InputError
from finassay.records import SystemSpec, content_id
from finassay.runs.importers.logs._decoding import InspectSample, decode
from finassay.runs.importers.logs._fields import as_list, as_map, as_str
from finassay.runs.importers.logs._inspect_fields import (
    TOOL,
    printed_scores,
    sample_of,
    shown,
    sole_scorer,
)
from finassay.runs.importers.logs._inspect_files import EvalArchive, EvalDocument, RawSample
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
from finassay.runs.importers.logs.values import tool_scorer

_OPERATIONS = frozenset(
    {
        *("max_retries", "timeout", "attempt_timeout", "max_connections", "adaptive_connections"),
        *("cache", "batch", "max_tokens", "stop_seqs", "max_tool_output", "parallel_tool_calls"),
        *("internal_tools", "cache_prompt", "fallback", "logprobs", "top_logprobs"),
        *("prompt_logprobs",),
    }
)
"""Settings that do not decide what a model answers, or that have a field of their own."""

_PRIVATE = ("api_key", "base_url", "token")
_PLAIN = str | int | float


class InspectReader(LogReader):
    """Reads logs of Inspect AI, from before 0.3 on."""

    name = TOOL

    def recognises(self, candidate: Candidate) -> bool:
        """Return whether it is an archive with Inspect's entries, or its JSON document."""
        if candidate.shape == "zip":
            return _is_archive(candidate.path)
        return candidate.shape == "object" and candidate.has("version", "eval")

    def read(
        self,
        source: Source,
        options: ReadOptions,  # noqa: ARG002 - nothing to choose
    ) -> Iterator[Block | Unreadable]:
        """Yield the samples in blocks; see `LogReader.read`."""
        path = source.paths[0]
        with path.open("rb") as stream:
            is_zip = stream.read(4) == b"PK\x03\x04"
        log = EvalArchive(path) if is_zip else EvalDocument(path)
        header, notes = log.header()
        told = as_map(header.get("eval"))
        if not told:
            raise InputError(f"{path.name}: `eval` must be an object that names task and model")
        run = run_of(header, path)
        task = as_str(told.get("task")) or path.stem
        status = as_str(header.get("status"))
        if status not in ("success", ""):
            notes.append(f"the run's status is {status!r}")
        sole = sole_scorer(header)
        scores = printed_scores(as_map(header.get("results")), sole)
        yield Block(run=run, task=task, scores=scores, notes=notes, specs=_specs(told))
        yield from _blocks(log.samples(), run, task, path, sole)


def _is_archive(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, EOFError):
        # Cut archives have lost their directory; their first entry still has its name.
        with path.open("rb") as stream:
            return b"_journal/start.json" in stream.read(200)
    return any(name in ("header.json", "_journal/start.json") for name in names)


def _blocks(
    raws: Iterator[RawSample], run: LogRun, task: str, path: Path, sole: str
) -> Iterator[Block]:
    samples: list[Sample] = []
    bad = []
    size = 0
    for raw in raws:
        try:
            sample = sample_of(_decoded(raw), task=task, place=raw.place, sole=sole)
        except MALFORMED as error:
            bad.append(bad_entry(path, raw.place, f"{raw.name}: {described(error)}"))
            continue
        samples.append(sample)
        size += len(sample.text)
        if len(samples) >= BLOCK_SAMPLES or size >= BLOCK_CHARACTERS:
            yield Block(run=run, task=task, samples=samples, bad=bad)
            samples, bad, size = [], [], 0
    if samples or bad:
        yield Block(run=run, task=task, samples=samples, bad=bad)


def _decoded(raw: RawSample) -> Mapping[str, object]:
    if raw.problem:
        raise ValueError(raw.problem)
    return decode(raw.data, InspectSample)


def run_of(header: Mapping[str, object], path: Path) -> LogRun:
    """Return the run that a header tells of."""
    told, stats = as_map(header.get("eval")), as_map(header.get("stats"))
    plan = as_map(as_map(header.get("plan")).get("config"))
    config = {**as_map(told.get("model_generate_config")), **plan}
    model = as_str(told.get("model")) or path.stem
    packages = {"inspect_ai": "", **as_map(told.get("packages"))}
    return LogRun(
        tool=TOOL,
        # A run that was taken up again has another eval_id and the same task_id.
        key=as_str(told.get("task_id")) or as_str(told.get("eval_id")) or path.stem,
        system=SystemSpec(
            name=model,
            model=model,
            provider=model.partition("/")[0] if "/" in model else "",
            decoding=_decoding(config, as_map(told.get("model_args"))),
            budget=shown(config["max_tokens"]) if config.get("max_tokens") is not None else "",
            stop=tuple(str(one) for one in as_list(config.get("stop_seqs"))),
            prompt_arm=_arm(told),
        ),
        started=as_str(stats.get("started_at")) or as_str(told.get("created")),
        ended=as_str(stats.get("completed_at")),
        packages=tuple(sorted((name, str(one)) for name, one in packages.items() if one)),
    )


def _decoding(
    config: Mapping[str, object], arguments: Mapping[str, object]
) -> tuple[tuple[str, str], ...]:
    found = {name: value for name, value in config.items() if name not in _OPERATIONS}
    for name, value in arguments.items():
        if isinstance(value, _PLAIN) and not any(word in name for word in _PRIVATE):
            found[f"model_args.{name}"] = value
    said = {name: shown(value) for name, value in found.items() if value is not None}
    return tuple(
        (name, text if len(text) <= 200 else f"sha256:{content_id(text)}")
        for name, text in sorted(said.items())
    )


def _arm(told: Mapping[str, object]) -> str:
    """Return what the caller set of the task and the solver, which changes the prompt."""
    given = as_map(told.get("task_args_passed") or told.get("task_args"))
    parts = [f"{name}={shown(value)}" for name, value in sorted(given.items())]
    solver = as_str(told.get("solver"))
    if solver:
        passed = as_map(told.get("solver_args_passed") or told.get("solver_args"))
        inner = ", ".join(f"{name}={shown(value)}" for name, value in sorted(passed.items()))
        parts.append(f"solver={solver}({inner})")
    return ", ".join(parts)


def _specs(told: Mapping[str, object]) -> list[tuple[str, str]]:
    found = []
    for scorer in map(as_map, as_list(told.get("scorers"))):
        name = as_str(scorer.get("name"))
        if name:
            spec = json.dumps({"options": scorer.get("options")}, sort_keys=True, default=str)
            found.append((tool_scorer(TOOL, name.rpartition("/")[2]), spec))
    return found
