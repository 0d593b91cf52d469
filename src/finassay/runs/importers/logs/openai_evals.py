"""openai/evals.  In: event logs (JSONL), joined on `sample_id`.  Out: blocks.

The first line is the `spec`, then events of the types `sampling`, `match`, `metrics`, `raw_sample`
and `error` of all samples mixed, at the end `final_report`.  Of several samplings for one sample
the first is the model's; what a grading model wrote comes after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from finassay.errors import InputError
from finassay.records import Item, SystemSpec, Verdict
from finassay.runs.importers.logs import parts as of
from finassay.runs.importers.logs.base import (
    Block,
    LoggedScore,
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
from finassay.runs.importers.logs.walking import json_lines
from finassay.runs.importers.report import counted_noun
from finassay.runs.importers.values import read_finish

TOOL = "openai-evals"


@dataclass(slots=True)
class _Told:
    """What the events of one sample say beside its sampling."""

    matches: list[of.JsonMap] = field(default_factory=list)
    metrics: dict[str, object] = field(default_factory=dict)
    raw: of.JsonMap = field(default_factory=dict)
    error: str = ""
    samplings: int = 0
    grading: str = ""


class OpenAiEvalsReader(LogReader):
    """Reads event logs of openai/evals."""

    name: ClassVar[str] = TOOL

    def recognises(self, candidate: Candidate) -> bool:
        """Return whether the file begins with a spec or an event."""
        if not may_be_document(candidate):
            return False
        spec = of.mapping(candidate.value("spec"))
        is_spec = "eval_name" in spec and ("completion_fns" in spec or "run_config" in spec)
        return is_spec or candidate.has("run_id", "event_id", "sample_id", "type", "data")

    def read(self, source: Source, options: ReadOptions) -> Iterator[Block | Unreadable]:
        """Yield blocks of one run."""
        path = source.paths[0]
        pending = Pending()
        reading = _Reading(path, pending, options.encoding)
        try:
            reading.survey()
            for _ in reading.samplings():
                yield from pending.ready()
        except InputError as error:
            pending.refuse(path, 0, reason_of(error, path))
        reading.finish()
        yield from pending.rest()


class _Reading:
    """One event log; what is small of each sample is held, the replies are not."""

    def __init__(self, path: Path, pending: Pending, encoding: str) -> None:
        self.path = path
        self.pending = pending
        self.encoding = encoding
        self.spec: of.JsonMap = {}
        self.report: of.JsonMap = {}
        self.told: dict[str, _Told] = {}
        self.taken: set[str] = set()
        self.served = ""

    def survey(self) -> None:
        """Read all but the replies, and list the lines that cannot be used."""
        for place, value, wrong in json_lines(self.path, self.encoding):
            event = of.mapping(value)
            if wrong or not event:
                self.pending.refuse(self.path, place, wrong or "expected an event")
            elif "spec" in event:
                self.spec = of.mapping(event, "spec")
            elif "final_report" in event:
                self.report = of.mapping(event, "final_report")
            else:
                self._note(event, place)
        self.run = self._run()
        self.task = (
            of.text(self.spec, "base_eval") or of.text(self.spec, "eval_name") or (self.path.stem)
        )

    def _note(self, event: of.JsonMap, place: int) -> None:
        sample_id, kind = of.text(event, "sample_id"), of.text(event, "type")
        if not sample_id or not kind:
            self.pending.refuse(self.path, place, "expected an event with sample_id and type")
            return
        told = self.told.setdefault(sample_id, _Told())
        data = of.mapping(event, "data")
        if kind == "sampling":
            told.samplings += 1
            self.served = self.served or of.text(data, "model")
            if told.samplings > 1:
                told.grading = "\n".join(_sampled(data))
        elif kind == "match":
            told.matches.append(data)
        elif kind == "metrics":
            told.metrics.update(data)
        elif kind == "raw_sample":
            told.raw = data
        elif kind == "error":
            told.error = of.text(data, "message") or of.written(event.get("data"))

    def _run(self) -> LogRun:
        names = [of.text(one) for one in of.listed(self.spec, "completion_fns")]
        model = next((name for name in names if name), "") or self.served
        config = of.mapping(self.spec, "run_config")
        system = SystemSpec(
            name=model or self.path.stem,
            model=model,
            decoding=of.settings(of.mapping(config, "completion_args")),
            budget=of.text(config, "max_tokens"),
        )
        return LogRun(
            tool=TOOL,
            key=of.text(self.spec, "run_id") or self.path.name,
            system=system,
            started=of.text(self.spec, "created_at"),
            served_model=self.served,
        )

    def samplings(self) -> Iterator[None]:
        """Take the first sampling of each sample, yielding after each."""
        for place, value, _ in json_lines(self.path, self.encoding):
            event = of.mapping(value)
            sample_id = of.text(event, "sample_id")
            if of.text(event, "type") != "sampling" or not sample_id or sample_id in self.taken:
                continue
            self.taken.add(sample_id)
            data = of.mapping(event, "data")
            replies = _sampled(data)
            for trial, reply in enumerate(replies):
                self.pending.add(
                    self.run, self.task, self._sample(sample_id, data, (trial, reply), place)
                )
            if not replies:
                self.pending.refuse(self.path, place, f"sample {sample_id!r} has no reply")
            yield

    def _sample(
        self, sample_id: str, data: of.JsonMap, said: tuple[int, str], place: int
    ) -> Sample:
        told = self.told.get(sample_id, _Told())
        trial, reply = said
        usage = of.mapping(data, "usage")
        return Sample(
            item_id=sample_id,
            text=reply,
            place=place,
            item=_item(sample_id, data, told),
            trial=trial,
            finish=read_finish(text=reply, word="", error_text=None),
            tool_extracted=_picked(told),
            tokens_in=of.count(usage, "prompt_tokens"),
            tokens_out=of.count(usage, "completion_tokens"),
            marks=_marks(told),
        )

    def finish(self) -> None:
        """Keep errors without a reply, totals, and what people should know."""
        if not hasattr(self, "run"):
            return
        several = 0
        for sample_id, told in self.told.items():
            several += told.samplings > 1
            if sample_id not in self.taken and told.error:
                sample = Sample(
                    item_id=sample_id,
                    text="",
                    place=0,
                    item=_item(sample_id, {}, told),
                    finish="error",
                    marks=_marks(told),
                )
                self.pending.add(self.run, self.task, sample)
        for name in self.report:
            value = of.number(self.report, name)
            if value is not None:
                main = "match" if name == "accuracy" else name
                score = LoggedScore(
                    scorer_id=tool_scorer(TOOL, main),
                    metric=name,
                    value=value,
                    is_share=name == "accuracy",
                )
                self.pending.add_score(self.run, self.task, score)
        if several:
            samples = counted_noun(several, "sample")
            note = f"{samples} with several samplings: the first of each is read"
            self.pending.note(self.run, self.task, note)


def _sampled(data: of.JsonMap) -> list[str]:
    found = data.get("sampled")
    replies = found if isinstance(found, list) else [found]
    return [of.written(one) for one in replies if one is not None]


def _item(sample_id: str, data: of.JsonMap, told: _Told) -> Item:
    match = told.matches[0] if told.matches else {}
    expected = match.get("expected", told.raw.get("ideal"))
    parts = expected if isinstance(expected, list) else [expected]
    accepted = [of.written(one) for one in parts if one is not None]
    asked = data.get("prompt", told.raw.get("input"))
    return Item(
        item_id=sample_id,
        question=of.last_user_text(asked),
        reference=accepted[0] if accepted else None,
        alternatives=tuple(accepted[1:]),
    )


def _picked(told: _Told) -> str | None:
    if not told.matches or told.matches[0].get("picked") is None:
        return None
    return of.written(told.matches[0].get("picked"))


def _marks(told: _Told) -> tuple[Mark, ...]:
    made: list[Mark] = []
    if told.error:
        failed = Verdict(status="failed", reason=told.error)
        return (Mark(tool_scorer(TOOL, "match"), failed),)
    if told.matches and "correct" in told.matches[0]:
        verdict = tool_verdict(told.matches[0]["correct"], extracted=_picked(told))
        made.append(Mark(tool_scorer(TOOL, "match"), verdict))
    for name, value in told.metrics.items():
        if isinstance(value, bool | int | float) or value is None:
            verdict = tool_verdict(value, reason=told.grading)
            made.append(Mark(tool_scorer(TOOL, of.whole_text(name)), verdict))
    return tuple(made)
