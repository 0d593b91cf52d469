"""Every Eval Ever.  In: instance-level records (JSONL).  Out: blocks.

One record stands for one answer under one result; several results on one answer are several
records, which are folded.  The names of the metrics stand in the aggregate file beside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from finassay.errors import InputError
from finassay.records import Item, SystemSpec
from finassay.runs.importers.logs import parts as of
from finassay.runs.importers.logs.base import (
    Block,
    LogReader,
    LogRun,
    Mark,
    ReadOptions,
    Sample,
    Source,
    Unreadable,
)
from finassay.runs.importers.logs.candidates import Candidate
from finassay.runs.importers.logs.pending import Pending, may_be_document, reason_of
from finassay.runs.importers.logs.values import tool_scorer, tool_verdict
from finassay.runs.importers.logs.walking import json_lines, open_walker
from finassay.runs.importers.values import read_finish

TOOL = "every-eval-ever"


def _is_aggregate(candidate: Candidate) -> bool:
    return may_be_document(candidate) and candidate.has("schema_version", "evaluation_results")


class EveryEvalEverReader(LogReader):
    """Reads instance-level records of Every Eval Ever."""

    name: ClassVar[str] = TOOL

    def recognises(self, candidate: Candidate) -> bool:
        """Return whether the file holds instance-level records."""
        return may_be_document(candidate) and candidate.has(
            "schema_version", "evaluation_id", "model_id", "sample_id", "evaluation"
        )

    def claim(self, candidates: Sequence[Candidate], *, forced: bool = False) -> list[Source]:
        """Return one source for each file of records, with the aggregates of its folder."""
        sources = []
        for one in candidates:
            if not (self.recognises(one) or (forced and not _is_aggregate(one))):
                continue
            folder = one.path.parent
            beside = [
                other.path
                for other in candidates
                if other.path.parent == folder and _is_aggregate(other)
            ]
            sources.append(Source(tool=TOOL, paths=(one.path, *beside), what="records"))
        return sources

    def read(self, source: Source, options: ReadOptions) -> Iterator[Block | Unreadable]:
        """Yield blocks, one for each model and evaluation."""
        path, *beside = source.paths
        pending = Pending()
        names: dict[str, str] = {}
        for other in beside:
            names.update(_metric_names(other, pending, options.encoding))
        try:
            for place, value, wrong in json_lines(path, options.encoding):
                record = of.mapping(value)
                if wrong or not of.text(record, "sample_id"):
                    pending.refuse(path, place, wrong or "expected a record with sample_id")
                    continue
                _take(record, names, path, place, pending)
                yield from pending.ready()
        except InputError as error:
            pending.refuse(path, 0, reason_of(error, path))
        yield from pending.rest()


def _metric_names(path: Path, pending: Pending, encoding: str) -> Mapping[str, str]:
    """Return evaluation_result_id -> name of its metric."""
    found: dict[str, str] = {}
    try:
        with open_walker(path, encoding) as walker:
            whole = walker.value()
    except InputError as error:
        pending.refuse(path, 0, reason_of(error, path))
        return found
    for one in of.listed(whole, "evaluation_results"):
        config = of.mapping(one, "metric_config")
        name = of.text(config, "metric_name") or of.text(config, "metric_id")
        result = of.text(one, "evaluation_result_id")
        if name and result:
            found[result] = name
    return found


def _take(
    record: of.JsonMap, names: Mapping[str, str], path: Path, place: int, pending: Pending
) -> None:
    model = of.text(record, "model_id") or path.stem
    task = of.text(record, "evaluation_name") or of.text(record, "evaluation_id") or TOOL
    run = LogRun(
        tool=TOOL,
        key=f"{of.text(record, 'evaluation_id') or path.name}/{model}",
        system=SystemSpec(name=model, model=model, provider=model.partition("/")[0]),
    )
    replies = _replies(record)
    failed = of.text(record, "error")
    if not replies and not failed:
        pending.refuse(path, place, "the record holds no reply and no error")
        return
    usage = of.mapping(record, "token_usage")
    latency = of.positive(record, "performance", "latency_ms")
    for trial, (reply, reasoning) in enumerate(replies or [("", "")]):
        sample = Sample(
            item_id=of.text(record, "sample_id"),
            text=reply,
            place=place,
            item=_item(record),
            trial=trial,
            reasoning=reasoning,
            finish=read_finish(text=reply, word="error" if failed else "", error_text=None),
            tool_extracted=_extracted(record),
            tokens_in=of.count(usage, "input_tokens"),
            tokens_out=of.count(usage, "output_tokens"),
            latency_s=None if latency is None else latency / 1000,
            marks=_marks(record, names),
        )
        pending.add(run, task, sample)


def _replies(record: of.JsonMap) -> list[tuple[str, str]]:
    """Return the replies with their reasoning; of a conversation the last one."""
    raw = of.listed(record, "output", "raw")
    traces = of.listed(record, "output", "reasoning_trace")
    found = [
        (of.written(said), of.written(traces[at]) if at < len(traces) else "")
        for at, said in enumerate(raw)
        if isinstance(said, str)
    ]
    if found:
        return found
    said = [one for one in of.listed(record, "messages") if of.text(one, "role") == "assistant"]
    return [
        (of.message_text(of.inner(one, "content")), of.text(one, "reasoning_trace"))
        for one in said[-1:]
    ]


def _item(record: of.JsonMap) -> Item:
    asked = of.mapping(record, "input")
    accepted = [of.written(one) for one in of.listed(asked, "reference") if one is not None]
    strata = of.settings(of.mapping(record, "metadata"))
    return Item(
        item_id=of.text(record, "sample_id"),
        question=of.text(asked, "raw"),
        reference=accepted[0] if accepted else None,
        alternatives=tuple(accepted[1:]),
        choices=tuple(of.written(one) for one in of.listed(asked, "choices")),
        strata=strata,
    )


def _extracted(record: of.JsonMap) -> str | None:
    """Return the value that stands for the final answer, None where none does."""
    ends = [
        of.text(one, "extracted_value")
        for one in of.listed(record, "answer_attribution")
        if of.inner(one, "is_terminal") is True
    ]
    return ends[-1] if ends else None


def _marks(record: of.JsonMap, names: Mapping[str, str]) -> tuple[Mark, ...]:
    said = of.mapping(record, "evaluation")
    metric = names.get(of.text(record, "evaluation_result_id"), "score")
    made = []
    for name in ("score", "is_correct"):
        if name in said:
            label = metric if name == "score" else f"{metric}/is_correct".removeprefix("score/")
            verdict = tool_verdict(said[name], extracted=_extracted(record))
            made.append(Mark(tool_scorer(TOOL, label), verdict))
    return tuple(made)
