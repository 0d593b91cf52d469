"""DeepEval.  In: a test run (`test_run_*.json`, `.latest_test_run.json`).  Out: blocks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from finassay.errors import InputError
from finassay.records import Item, SystemSpec, Verdict
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
from finassay.runs.importers.logs.walking import open_walker
from finassay.runs.importers.values import read_finish

TOOL = "deepeval"


class DeepEvalReader(LogReader):
    """Reads test runs of DeepEval."""

    name: ClassVar[str] = TOOL

    def recognises(self, candidate: Candidate) -> bool:
        """Return whether the file holds test cases with metrics."""
        if not may_be_document(candidate) or not candidate.has("testCases"):
            return False
        head = candidate.begins("testCases")
        return head.startswith("[") and ("actualOutput" in candidate.text or "[]" in head)

    def read(self, source: Source, options: ReadOptions) -> Iterator[Block | Unreadable]:
        """Yield blocks of the test cases."""
        path = source.paths[0]
        pending = Pending()
        head = _head(path, options.encoding)
        model = of.text(head, "hyperparameters", "model") or path.stem
        decoding = of.settings(of.mapping(head, "hyperparameters"))
        system = SystemSpec(name=model, model=model, decoding=decoding)
        run = LogRun(tool=TOOL, key=of.text(head, "identifier") or path.name, system=system)
        task = of.text(head, "datasetAlias") or of.text(head, "testFile") or TOOL
        try:
            with open_walker(path, options.encoding) as walker:
                for name in walker.members():
                    if name != "testCases" or walker.peek() != "[":
                        walker.value()
                        continue
                    for place in walker.elements():
                        sample = _sample(of.mapping(walker.value()), place)
                        if sample is None:
                            pending.refuse(path, place, "expected a test case with actualOutput")
                            continue
                        pending.add(run, task, sample)
                        yield from pending.ready()
        except InputError as error:
            pending.refuse(path, 0, reason_of(error, path))
        yield from pending.rest()


def _head(path: Path, encoding: str) -> of.JsonMap:
    """Return what stands beside the test cases, as far as it can be read."""
    found: dict[str, object] = {}
    try:
        with open_walker(path, encoding) as walker:
            for name in walker.members():
                value = walker.value()
                if name not in ("testCases", "conversationalTestCases"):
                    found[name] = value
    except InputError:
        # The test cases are read after this, and say what is wrong and where.
        pass
    return found


def _sample(case: of.JsonMap, place: int) -> Sample | None:
    if not isinstance(case.get("actualOutput"), str):
        return None
    said = of.text(case, "actualOutput")
    order = of.count(case, "order")
    item_id = of.text(case, "name") or str(place - 1 if order is None else order)
    contexts = [of.written(one) for one in of.listed(case, "context")]
    return Sample(
        item_id=item_id,
        text=said,
        place=place,
        item=Item(
            item_id=item_id,
            question=of.text(case, "input"),
            reference=of.text(case, "expectedOutput") or None,
            contexts=tuple(contexts),
        ),
        finish=read_finish(text=said, word="", error_text=None),
        tokens_out=of.count(case, "tokenCost"),
        latency_s=of.positive(case, "completionTime"),
        marks=tuple(_marks(case)),
    )


def _marks(case: of.JsonMap) -> Iterator[Mark]:
    for one in of.listed(case, "metricsData"):
        name = of.text(one, "name")
        if not name:
            continue
        scorer = tool_scorer(TOOL, name, of.text(one, "evaluationModel"))
        error, reason = of.text(one, "error"), of.text(one, "reason")
        if error:
            yield Mark(scorer, Verdict(status="failed", reason=error))
        else:
            yield Mark(scorer, tool_verdict(of.inner(one, "score"), reason=reason))
