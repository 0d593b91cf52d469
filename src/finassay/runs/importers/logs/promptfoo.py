"""promptfoo.  In: `promptfoo eval -o` as .json (versions 2 and 3) or .jsonl.  Out: blocks.

A system is a provider with one prompt template; an item is a test.  `testIdx` counts repeats too,
so a test's number is that divided by the repeats, where the log says how many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from finassay.errors import InputError
from finassay.records import Item, SystemSpec
from finassay.runs.importers.logs import parts as of
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
from finassay.runs.importers.logs.pending import Pending, may_be_document, reason_of
from finassay.runs.importers.logs.promptfoo_marks import (
    is_failed,
    logged_marks,
    reference_of,
)
from finassay.runs.importers.logs.walking import Walker, json_lines, open_walker
from finassay.runs.importers.values import read_finish
from finassay.study.schemas import REDACTED

TOOL = "promptfoo"
STRIPPED = "[output stripped]"
PROMPT_STRIPPED = "[prompt stripped]"
QUESTIONS = ("question", "query", "input", "prompt", "text", "message")
"""Names of variables that hold a question, the first that there is; else all variables."""

_DECODING = ("temperature", "top_p", "top_k", "seed", "reasoning_effort", "frequency_penalty")
_BUDGET = ("max_tokens", "max_completion_tokens", "maxOutputTokens", "max_output_tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """What a document says beside its results."""

    eval_id: str
    version: str
    started: str
    description: str
    repeats: int
    providers: Sequence[object]
    table_head: of.JsonMap


class PromptfooReader(LogReader):
    """Reads what promptfoo writes with `-o`."""

    name: ClassVar[str] = TOOL

    def recognises(self, candidate: Candidate) -> bool:
        """Return whether the file holds an evaluation, or one result a line."""
        if may_be_document(candidate) and candidate.has("results"):
            head = candidate.begins("results")
            return head.startswith("{") and (
                candidate.has("evalId") or ('"version"' in head and '"timestamp"' in head)
            )
        return may_be_document(candidate) and candidate.has(
            "testIdx", "promptIdx", "provider", "testCase"
        )

    def claim(self, candidates: Sequence[Candidate], *, forced: bool = False) -> list[Source]:
        """Return one source for each evaluation, though it was written in two formats."""
        sources: dict[str, Source] = {}
        known = [one for one in candidates if forced or self.recognises(one)]
        # Documents first: they hold the configuration, which lines do not.
        for one in sorted(known, key=lambda candidate: candidate.has("testIdx")):
            first = _first_id(one) or str(one.path)
            if first in sources:
                earlier = sources[first]
                sources[first] = replace(earlier, paths=(*earlier.paths, one.path))
            else:
                sources[first] = Source(tool=TOOL, paths=(one.path,), what="evaluation")
        return list(sources.values())

    def read(self, source: Source, options: ReadOptions) -> Iterator[Block | Unreadable]:
        """Yield blocks, one system's results in each."""
        path, *copies = source.paths
        pending = Pending()
        for copy in copies:
            pending.say(f"{copy.name} holds the same evaluation as {path.name}: not read again")
        reading = _Reading(path, pending)
        try:
            for _ in reading.results(options.encoding):
                yield from pending.ready()
        except InputError as error:
            pending.refuse(path, 0, reason_of(error, path))
        yield from pending.rest()


def _first_id(candidate: Candidate) -> str:
    """Return the id of an evaluation's first result, which is random, "" where there is none."""
    if candidate.has("testIdx"):
        return of.text(candidate.value("id"))
    try:
        with open_walker(candidate.path) as walker:
            for _, value in _walk_results(walker, _no_head(candidate.path)):
                return of.text(value, "id")
    except InputError:
        return ""
    return ""


class _Reading:
    """One file on its way into blocks."""

    def __init__(self, path: Path, pending: Pending) -> None:
        self.path = path
        self.pending = pending
        self.head = _no_head(path)
        self._runs: dict[tuple[str, str, str], LogRun] = {}

    def results(self, encoding: str) -> Iterator[None]:
        """Take the results one by one, yielding after each."""
        if Candidate(self.path).has("testIdx"):
            for place, value, wrong in json_lines(self.path, encoding):
                self._take(place, value, wrong)
                yield
            return
        with open_walker(self.path, encoding) as walker:
            self.head = _read_head(walker, self.path)
        with open_walker(self.path, encoding) as walker:
            for place, value in _walk_results(walker, self.head):
                self._take(place, value, "")
                yield

    def _take(self, place: int, value: object, wrong: str) -> None:
        result = of.mapping(value)
        test = of.count(result, "testIdx")
        provider = result.get("provider")
        if wrong or test is None or not (of.text(provider) or of.mapping(provider)):
            reason = wrong or "expected a result with testIdx and provider"
            self.pending.refuse(self.path, place, reason)
            return
        run = self._run(result, provider)
        sample = _sample(result, test, self.head.repeats, place)
        if sample is None:
            self.pending.refuse(self.path, place, "the result holds no output and no error")
            return
        self.pending.add(run, self.head.description or self.path.stem, sample)

    def _run(self, result: of.JsonMap, provider: object) -> LogRun:
        model = of.text(provider) or of.text(provider, "id")
        label = of.text(provider, "label") or model
        prompt = of.text(result, "promptId") or of.text(result, "promptIdx")
        key = (model, label, prompt)
        if key not in self._runs:
            # The index of the column tells prompts apart that hold the same words.
            arm = of.text(result, "prompt", "label")
            config = _config(self.head.providers, model, label) or of.mapping(
                result, "prompt", "config"
            )
            spec = SystemSpec(
                name=label,
                model=model,
                provider=model.partition(":")[0] if ":" in model else "",
                decoding=of.settings(config, _DECODING),
                budget=next((of.text(config, name) for name in _BUDGET if name in config), ""),
                prompt_arm="" if arm == PROMPT_STRIPPED else arm,
                prompt_hash=of.text(result, "promptId"),
            )
            self._runs[key] = LogRun(
                tool=TOOL,
                key="/".join((self.head.eval_id, *key)),
                system=spec,
                started=self.head.started,
                packages=((TOOL, self.head.version),) if self.head.version else (),
            )
        return self._runs[key]


def _no_head(path: Path) -> _Head:
    return _Head(
        eval_id=path.name,
        version="",
        started="",
        description="",
        repeats=1,
        providers=(),
        table_head={},
    )


def _read_head(walker: Walker, path: Path) -> _Head:
    """Return what stands around the results; a document that breaks off has what came before."""
    top: dict[str, object] = {}
    inner: dict[str, object] = {}
    try:
        for name in walker.members():
            if name != "results" or walker.peek() != "{":
                top[name] = walker.value()
                continue
            for part in walker.members():
                inner[part] = _light(walker, part)
    except InputError:
        # The results are read after this, and say what is wrong and where.
        pass
    config, made = of.mapping(top, "config"), of.mapping(top, "metadata")
    repeats = of.count(top, "runtimeOptions", "repeat") or 1
    return _Head(
        eval_id=of.text(top, "evalId") or path.name,
        version=of.text(made, "promptfooVersion"),
        started=of.text(inner, "timestamp"),
        description=of.text(config, "description"),
        repeats=max(1, repeats),
        providers=of.listed(config, "providers"),
        table_head=of.mapping(inner, "table", "head"),
    )


def _light(walker: Walker, part: str) -> object:
    """Return a member of the results; the results themselves only pass by."""
    if part == "results" and walker.peek() == "[":
        for _ in walker.elements():
            walker.value()
        return None
    if part == "table" and walker.peek() == "{":
        head: object = None
        for name in walker.members():
            if name == "body" and walker.peek() == "[":
                for _ in walker.elements():
                    walker.value()
            else:
                value = walker.value()
                head = value if name == "head" else head
        return {"head": head}
    return walker.value()


def _walk_results(walker: Walker, head: _Head) -> Iterator[tuple[int, object]]:
    """Yield (number, result) of a document: of its results, or of its table in version 2."""
    is_table = bool(head.table_head)
    for name in walker.members():
        if name != "results" or walker.peek() != "{":
            walker.value()
            continue
        for part in walker.members():
            if part == "results" and not is_table and walker.peek() == "[":
                for place in walker.elements():
                    yield place, walker.value()
            elif part == "table" and is_table and walker.peek() == "{":
                yield from _walk_table(walker, head)
            else:
                walker.value()


def _walk_table(walker: Walker, head: _Head) -> Iterator[tuple[int, object]]:
    """Yield the outputs of a table, one row a test and one column a prompt, as results."""
    names = [of.text(one) for one in of.listed(head.table_head, "vars")]
    prompts = [of.mapping(one) for one in of.listed(head.table_head, "prompts")]
    for part in walker.members():
        if part != "body" or walker.peek() != "[":
            walker.value()
            continue
        for place in walker.elements():
            row = of.mapping(walker.value())
            yield from ((place, one) for one in _row_results(row, place, names, prompts))


def _row_results(
    row: of.JsonMap, place: int, names: Sequence[str], prompts: Sequence[of.JsonMap]
) -> Iterable[object]:
    cells = [of.written(one) for one in of.listed(row, "vars")]
    test = {**of.mapping(row, "test")}
    test.setdefault("vars", dict(zip(names, cells, strict=False)))
    for index, output in enumerate(map(of.mapping, of.listed(row, "outputs"))):
        prompt = prompts[index] if index < len(prompts) else {}
        said = output.get("text")
        failed = of.text(output, "error")
        yield {
            **output,
            "testIdx": place - 1,
            "promptIdx": index,
            "promptId": of.text(prompt, "id"),
            "provider": of.text(output, "provider") or of.text(prompt, "provider"),
            "prompt": {"raw": of.text(output, "prompt"), "label": of.text(prompt, "label")},
            "testCase": test,
            "vars": test["vars"],
            "success": output.get("pass"),
            "response": {
                "output": None if failed and said in ("", None) else said,
                "tokenUsage": output.get("tokenUsage"),
            },
        }


def _config(providers: Sequence[object], model: str, label: str) -> of.JsonMap:
    """Return the settings of a provider, found by its label, else by its id."""
    known = [one for one in map(of.mapping, providers) if one]
    for wanted, name in ((label, "label"), (model, "id")):
        for one in known:
            if of.text(one, name) == wanted:
                return of.mapping(one, "config")
    for one in map(of.mapping, providers):
        if model in one:
            return of.mapping(one, model, "config")
    return {}


def _sample(result: of.JsonMap, test: int, repeats: int, place: int) -> Sample | None:
    response = of.mapping(result, "response")
    failed = is_failed(result)
    output = response.get("output")
    if output is None and not failed:
        return None
    stripped = output == STRIPPED
    said = "" if stripped else of.written(output)
    usage = of.mapping(response, "tokenUsage") or of.mapping(result, "tokenUsage")
    latency = of.positive(result, "latencyMs")
    word = of.text(response, "finishReason")
    if failed:
        finish = read_finish(text="", word="error", error_text=None)
    elif stripped:
        finish = "not_logged"
    else:
        finish = read_finish(text=said, word=word, error_text=None)
    if response.get("isRefusal") is True and finish in ("stop", "not_logged"):
        finish = "refused"
    return Sample(
        item_id=_item_id(result, test // repeats),
        text=said,
        place=place,
        item=_item(result, test // repeats),
        trial=test % repeats,
        finish=finish,
        tokens_in=of.count(usage, "prompt"),
        tokens_out=of.count(usage, "completion"),
        latency_s=None if latency is None else latency / 1000,
        cost_usd=of.positive(result, "cost"),
        flags=(REDACTED,) if stripped else (),
        marks=logged_marks(result),
    )


def _item_id(result: of.JsonMap, test: int) -> str:
    """Return the id that a user gave the test, else its number."""
    return of.text(result, "testCase", "metadata", "id") or str(test)


def _item(result: of.JsonMap, test: int) -> Item:
    values = of.mapping(result, "vars") or of.mapping(result, "testCase", "vars")
    reference, alternatives = reference_of(result)
    return Item(
        item_id=_item_id(result, test),
        question=_question(result, values),
        context=of.text(values, "context"),
        reference=reference,
        alternatives=alternatives,
    )


def _question(result: of.JsonMap, values: of.JsonMap) -> str:
    for name in QUESTIONS:
        if isinstance(values.get(name), str):
            return of.text(values, name)
    if len(values) == 1:
        return of.written(next(iter(values.values())))
    if values:
        return of.written(dict(values))
    prompt = of.text(result, "prompt", "raw")
    return "" if prompt == PROMPT_STRIPPED else prompt
