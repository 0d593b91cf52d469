"""HELM.  In: a run's folder.  Out: blocks of its instances.

A folder holds `scenario_state.json` (every request with its reply) and `per_instance_stats.json`,
or the compact `display_predictions.json`, `display_requests.json` and `instances.json` that
`helm-summarize` makes.  Keys whose value is None are left out everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Literal

from finassay.errors import InputError
from finassay.records import Item, SystemSpec, content_id
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
from finassay.runs.importers.logs.helm_stats import (
    TOOL,
    Instance,
    Stats,
    key_of,
    logged_scores,
    marks_of,
    read_stats,
    task_of,
    variant,
)
from finassay.runs.importers.logs.pending import Pending, may_be_document, reason_of
from finassay.runs.importers.logs.walking import open_walker
from finassay.runs.importers.values import read_finish

Part = Literal["state", "stats", "totals", "spec", "instances", "display", "requests", "scenario"]

_DECODING = ("temperature", "top_p", "top_k_per_token", "num_outputs", "random", "presence_penalty")
_FINISHES = {"endoftext": "stop", "unknown": ""}


_SHAPES: tuple[tuple[Part, str, tuple[str, ...]], ...] = (
    ("state", "object", ("request_states",)),
    ("spec", "object", ("adapter_spec", "scenario_spec")),
    ("scenario", "object", ("definition_path",)),
    ("display", "array", ("instance_id", "predicted_text")),
    ("requests", "array", ("instance_id", "request")),
    ("stats", "array", ("instance_id", "stats")),
    ("instances", "array", ("id", "input", "references")),
    # The requests may begin beyond what is looked at, behind a long adapter.
    ("state", "object", ("adapter_spec",)),
    ("totals", "array", ("name", "count")),
)


def part_of(candidate: Candidate) -> Part | None:
    """Return which of HELM's files it is, told by the names in it."""
    for part, shape, names in _SHAPES:
        is_shaped = may_be_document(candidate) if shape == "object" else candidate.shape == shape
        if is_shaped and candidate.has(*names):
            # Much else is an array of things with a name and a count; here names are objects.
            is_other = part == "totals" and not candidate.begins("name").startswith("{")
            return None if is_other else part
    return None


class HelmReader(LogReader):
    """Reads run folders of HELM."""

    name: ClassVar[str] = TOOL

    def recognises(self, candidate: Candidate) -> bool:
        """Return whether the file is one of a run's that hold predictions."""
        return part_of(candidate) in ("state", "display")

    def claim(self, candidates: Sequence[Candidate], *, forced: bool = False) -> list[Source]:
        """Return one source for each folder with predictions, with all of HELM's files in it."""
        folders: dict[Path, dict[Part, Path]] = {}
        for one in candidates:
            part = part_of(one)
            if part is not None or forced:
                folders.setdefault(one.path.parent, {}).setdefault(part or "state", one.path)
        sources = []
        for folder, parts in folders.items():
            main = parts.get("state") or parts.get("display")
            if main is not None:
                own = (main, *(path for path in parts.values() if path != main))
                sources.append(Source(tool=TOOL, paths=own, what=f"run {folder.name}", root=folder))
        return sources

    def read(self, source: Source, options: ReadOptions) -> Iterator[Block | Unreadable]:
        """Yield blocks of the run."""
        parts: dict[Part, Path] = {}
        for path in source.paths:
            part = part_of(Candidate(path))
            if part is not None:
                parts.setdefault(part, path)
        pending = Pending()
        run = _Run(parts, pending, options.encoding)
        main = source.paths[0]
        try:
            if not run.has_predictions:
                pending.refuse(main, 0, "expected a scenario state or displayed predictions")
            for _ in run.samples():
                yield from pending.ready()
        except InputError as error:
            pending.refuse(main, 0, reason_of(error, main))
        run.finish()
        yield from pending.rest()


class _Run:
    """One run on its way into blocks."""

    def __init__(self, parts: dict[Part, Path], pending: Pending, encoding: str) -> None:
        self.parts = parts
        self.pending = pending
        self.encoding = encoding
        self.spec = of.mapping(self._small("spec"))
        self.adapter = of.mapping(self.spec, "adapter_spec")
        self.stats = self._stats()
        self.run: LogRun | None = None
        self.task = ""
        self.extra_completions = 0
        self.taken = 0

    def _small(self, part: Part) -> object:
        """Return a whole file that is small, None where it cannot be read."""
        path = self.parts.get(part)
        if path is None:
            return None
        try:
            with open_walker(path, self.encoding) as walker:
                return walker.value()
        except InputError as error:
            self.pending.refuse(path, 0, reason_of(error, path))
            return None

    def _stats(self) -> Stats:
        path = self.parts.get("stats")
        stats = Stats()
        if path is None:
            return stats
        try:
            with open_walker(path, self.encoding) as walker:
                for place, reason in read_stats(walker, stats):
                    self.pending.refuse(path, place, reason)
        except InputError as error:
            self.pending.refuse(path, 0, reason_of(error, path))
        return stats

    @property
    def has_predictions(self) -> bool:
        """Whether one of the files holds predictions."""
        return "state" in self.parts or "display" in self.parts

    def samples(self) -> Iterator[None]:
        """Take the predictions one by one, yielding after each."""
        if "state" in self.parts:
            yield from self._state(self.parts["state"])
        elif "display" in self.parts:
            yield from self._display(self.parts["display"])

    def finish(self) -> None:
        """Keep what is known only at the end."""
        if self.run is None:
            return
        for changed, score in logged_scores(self._small("totals"), self.stats):
            self.pending.add_score(self.run, task_of(self.task, changed), score)
        notes = list(self.stats.notes())
        if self.extra_completions:
            notes.append(
                f"{self.extra_completions} requests have more than one completion; the first of "
                f"each is read"
            )
        for note in notes:
            self.pending.note(self.run, self.task, note)

    def _state(self, path: Path) -> Iterator[None]:
        with open_walker(path, self.encoding) as walker:
            for name in walker.members():
                if name == "adapter_spec" and not self.adapter:
                    self.adapter = of.mapping(walker.value())
                elif name == "request_states" and walker.peek() == "[":
                    for place in walker.elements():
                        self._take_state(of.mapping(walker.value()), path, place)
                        yield
                else:
                    walker.value()

    def _take_state(self, state: of.JsonMap, path: Path, place: int) -> None:
        if of.text(state, "request_mode") == "calibration":
            return
        instance = of.mapping(state, "instance")
        where = key_of(of.text(instance, "id"), instance.get("perturbation"), state)
        if where is None:
            self.pending.refuse(path, place, "expected a request with instance.id")
            return
        if not self._is_chosen(state, where, path, place):
            return
        self._open(of.mapping(state, "request"), path)
        completions = of.listed(state, "result", "completions")
        self.extra_completions += len(completions) > 1
        sample = _state_sample(state, where, self.stats, place)
        self._add(sample, where.variant)

    def _is_chosen(self, state: of.JsonMap, where: Instance, path: Path, place: int) -> bool:
        """Return whether a request holds the answer: of several, one for each option, one does."""
        if "reference_index" not in state:
            return True
        chosen = self.stats.value(where, "predicted_index")
        if chosen is None:
            reason = "one request for each option, and no `predicted_index` says which was chosen"
            self.pending.refuse(path, place, reason)
            return False
        return of.number(state, "reference_index") == chosen

    def _open(self, request: of.JsonMap, path: Path) -> None:
        if self.run is None:
            self.run = _log_run(self.spec, self.adapter, request, path.parent)
            self.task = _task(self.spec, path.parent)

    def _add(self, sample: Sample, changed: str) -> None:
        if self.run is not None:
            self.taken += 1
            task = task_of(self.task, changed)
            # An instance's id is its number in the scenario, and no id outside it.
            item_id = f"{self.task}/{sample.item_id}"
            item = None if sample.item is None else replace(sample.item, item_id=item_id)
            self.pending.add(self.run, task, sample._replace(item_id=item_id, item=item))

    def _display(self, path: Path) -> Iterator[None]:
        """Take the compact predictions, with what the other two files say beside them."""
        items = {
            (of.text(one, "id"), variant(of.inner(one, "perturbation"))): of.mapping(one)
            for one in of.listed(self._small("instances"))
        }
        self._open({}, path)
        with open_walker(path, self.encoding) as walker:
            for place in walker.elements():
                shown = of.mapping(walker.value())
                where = key_of(of.text(shown, "instance_id"), shown.get("perturbation"), shown)
                if where is None:
                    self.pending.refuse(path, place, "expected a prediction with instance_id")
                    continue
                self.stats.add(where, of.mapping(shown, "stats"))
                if not self._is_chosen(shown, where, path, place):
                    continue
                instance = items.get((where.instance_id, where.variant), {})
                sample = _display_sample(shown, where, instance, self.stats, place)
                self._add(sample, where.variant)
                yield


def _log_run(spec: of.JsonMap, adapter: of.JsonMap, request: of.JsonMap, folder: Path) -> LogRun:
    known = {**request, **adapter}
    model = of.text(known, "model") or of.text(known, "model_deployment")
    texts = ("instructions", "input_prefix", "input_suffix", "output_prefix", "output_suffix")
    prompt = [of.text(adapter, name) for name in (*texts, "method", "max_train_instances")]
    method = of.text(adapter, "method")
    shots = of.text(adapter, "max_train_instances")
    system = SystemSpec(
        name=model or folder.name,
        model=model,
        provider=of.text(known, "model_deployment"),
        decoding=of.settings(known, _DECODING),
        budget=of.text(known, "max_tokens"),
        stop=tuple(of.written(one) for one in of.listed(known, "stop_sequences")),
        prompt_arm=f"{method}, {shots} shots" if method and shots else method,
        prompt_hash=content_id(*prompt) if any(prompt) else "",
    )
    # The folder above is the suite: two suites may hold a run of the same name.
    key = f"{folder.parent.name}/{of.text(spec, 'name') or folder.name}"
    return LogRun(tool=TOOL, key=key, system=system)


def _task(spec: of.JsonMap, folder: Path) -> str:
    """Return the name of the run without the model, which is what all models have in common."""
    scenario, colon, given = (of.text(spec, "name") or folder.name).partition(":")
    kept = [
        part
        for part in given.split(",")
        if part and not part.startswith(("model=", "model_deployment="))
    ]
    return scenario + (colon + ",".join(kept) if kept else "")


def _item(instance: of.JsonMap, where: Instance) -> Item:
    texts, correct = [], []
    for reference in of.listed(instance, "references"):
        said = _output_text(of.inner(reference, "output"))
        texts.append(said)
        if "correct" in of.listed(reference, "tags"):
            correct.append(said)
    strata = {"perturbation": where.variant} if where.variant else {}
    sub_split = of.text(instance, "sub_split")
    if sub_split:
        strata["sub_split"] = sub_split
    return Item(
        item_id=where.item_id,
        question=_output_text(instance.get("input")),
        reference=correct[0] if correct else None,
        alternatives=tuple(correct[1:]),
        choices=tuple(texts) if len(texts) > len(correct) else (),
        split=of.text(instance, "split"),
        strata=tuple(sorted(strata.items())),
    )


def _output_text(value: object) -> str:
    return of.text(value, "text") if isinstance(value, dict) else of.written(value)


def _state_sample(state: of.JsonMap, where: Instance, stats: Stats, place: int) -> Sample:
    instance, result = of.mapping(state, "instance"), of.mapping(state, "result")
    completions = of.listed(result, "completions")
    first = of.mapping(completions[0]) if completions else {}
    said = of.text(first, "text")
    flags: tuple[str, ...] = ()
    index = of.count(state, "reference_index")
    references = of.listed(instance, "references")
    is_choice = index is not None and index < len(references)
    if is_choice and index is not None:
        said = _output_text(of.inner(references[index], "output"))
        flags = (FROM_LOGPROBS,)
    word = of.text(first, "finish_reason", "reason").lower()
    failed = result.get("success") is False
    finish = read_finish(
        text=said, word="error" if failed else _FINISHES.get(word, word), error_text=None
    )
    mapped = of.inner(state, "output_mapping", said.strip())
    tokens = len(of.listed(first, "tokens")) or None
    latency = of.positive(result, "request_time")
    return Sample(
        item_id=where.item_id,
        text=said,
        place=place,
        item=_item(instance, where),
        trial=where.trial,
        reasoning=of.text(first, "thinking", "text"),
        finish=finish,
        tool_extracted=mapped if isinstance(mapped, str) else None,
        tokens_in=_whole(stats.value(where, "num_prompt_tokens")),
        tokens_out=_whole(stats.value(where, "num_output_tokens")) or tokens,
        latency_s=latency,
        flags=flags,
        marks=marks_of(stats, where, _extracted(state, mapped), of.text(result, "error")),
    )


def _extracted(state: of.JsonMap, mapped: object) -> str | None:
    """Return what HELM compared: the option behind a letter, "" where the letter is none."""
    if not of.mapping(state, "output_mapping"):
        return None
    return of.whole_text(mapped) if isinstance(mapped, str) else ""


def _whole(value: float | None) -> int | None:
    return None if value is None or value < 0 else int(value)


def _display_sample(
    shown: of.JsonMap, where: Instance, instance: of.JsonMap, stats: Stats, place: int
) -> Sample:
    said = of.text(shown, "predicted_text")
    mapped = of.text(shown, "mapped_output") or None
    words = ("stop", "length", "endoftext")
    ended = [word for word in words if stats.value(where, f"finish_reason_{word}") == 1.0]
    word = ended[0] if len(ended) == 1 else ""
    return Sample(
        item_id=where.item_id,
        text=said,
        place=place,
        item=_item(instance, where) if instance else None,
        trial=where.trial,
        reasoning=of.text(shown, "thinking_text"),
        finish=read_finish(text=said, word=_FINISHES.get(word, word), error_text=None),
        tool_extracted=mapped,
        tokens_in=_whole(stats.value(where, "num_prompt_tokens")),
        tokens_out=_whole(stats.value(where, "num_output_tokens")),
        latency_s=stats.value(where, "inference_runtime"),
        marks=marks_of(stats, where, mapped, ""),
    )
