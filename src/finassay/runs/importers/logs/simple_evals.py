"""simple-evals.  In: `..._allresults.json`.  Out: blocks.

The log holds conversations and one page of HTML for each, in the order of the data set.  There are
no ids, and the accepted answer, the extracted one and the score stand in the HTML only.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
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
from finassay.runs.importers.logs.walking import open_walker
from finassay.runs.importers.values import read_finish

TOOL = "simple-evals"

EVALS = (
    *("healthbench_consensus", "healthbench_hard", "healthbench_meta", "healthbench"),
    *("simpleqa", "browsecomp", "humaneval", "mmlu", "math", "gpqa", "mgsm", "drop"),
)
"""Names of evaluations with which the tool begins the names of its files."""

_SUFFIX = re.compile(r"(?:_DEBUG)?(?:_\d{8}_\d{6})?_allresults(?:_DEBUG)?$")
_OPENS = re.compile(r"<p>\s*(Correct Answer|Extracted Answer|Score):\s*", re.IGNORECASE)
_CLOSES = re.compile(r"</p>", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """What one page of HTML says."""

    reference: str | None = None
    extracted: str | None = None
    score: str | None = None


class SimpleEvalsReader(LogReader):
    """Reads `_allresults.json` files of simple-evals."""

    name: ClassVar[str] = TOOL

    def recognises(self, candidate: Candidate) -> bool:
        """Return whether the file holds pages and conversations."""
        if not may_be_document(candidate) or not candidate.has("score", "htmls"):
            return False
        # The conversations stand behind all pages, so they may be beyond what is looked at.
        return (
            candidate.has("convos")
            or "Correct Answer" in candidate.text
            or (candidate.has("metrics"))
        )

    def read(self, source: Source, options: ReadOptions) -> Iterator[Block | Unreadable]:
        """Yield blocks of one run."""
        path = source.paths[0]
        pending = Pending()
        reading = _Reading(path, pending, options.encoding)
        try:
            reading.survey()
            for _ in reading.conversations():
                yield from pending.ready()
        except InputError as error:
            pending.refuse(path, 0, reason_of(error, path))
        yield from pending.rest()


class _Reading:
    """One file; what the pages say is held, the conversations are not."""

    def __init__(self, path: Path, pending: Pending, encoding: str) -> None:
        self.path = path
        self.pending = pending
        self.encoding = encoding
        self.pages: list[_Page] = []
        self.examples: list[of.JsonMap] = []
        self.task, model = _named(path)
        system = SystemSpec(name=model, model=model)
        self.run = LogRun(tool=TOOL, key=path.name, system=system)

    def survey(self) -> None:
        """Read everything but the conversations."""
        with open_walker(self.path, self.encoding) as walker:
            for name in walker.members():
                if name == "htmls" and walker.peek() == "[":
                    for _ in walker.elements():
                        self.pages.append(_page(walker.value()))
                elif name == "convos" and walker.peek() == "[":
                    for _ in walker.elements():
                        walker.value()
                elif name == "metadata":
                    found = of.listed(walker.value(), "example_level_metadata")
                    self.examples = [of.mapping(one) for one in found]
                else:
                    self._scores(name, walker.value())

    def _scores(self, name: str, value: object) -> None:
        if name == "score" and of.number(value) is not None:
            self._score("score", value, is_share=True)
        elif name == "metrics":
            for metric, number in of.mapping(value).items():
                self._score(metric, number, is_share=False)

    def _score(self, metric: str, value: object, *, is_share: bool) -> None:
        number = of.number(value)
        if number is not None:
            score = LoggedScore(
                scorer_id=tool_scorer(TOOL, "score"),
                metric=of.whole_text(metric),
                value=number,
                is_share=is_share,
            )
            self.pending.add_score(self.run, self.task, score)

    def conversations(self) -> Iterator[None]:
        """Take the conversations one by one, yielding after each."""
        note = "no ids are logged: a row's number in the file stands for the item"
        self.pending.note(self.run, self.task, note)
        with open_walker(self.path, self.encoding) as walker:
            for name in walker.members():
                if name != "convos" or walker.peek() != "[":
                    walker.value()
                    continue
                for place in walker.elements():
                    self._take(walker.value(), place)
                    yield

    def _take(self, conversation: object, place: int) -> None:
        messages = of.listed(conversation)
        said = of.mapping(messages[-1]) if messages else {}
        if of.text(said, "role") != "assistant":
            reason = "expected a conversation that ends with the assistant's reply"
            self.pending.refuse(self.path, place, reason)
            return
        page = self.pages[place - 1] if place <= len(self.pages) else _Page()
        example = self.examples[place - 1] if place <= len(self.examples) else {}
        reply = of.message_text(said.get("content"))
        usage = of.mapping(example, "usage")
        sample = Sample(
            item_id=str(place - 1),
            text=reply,
            place=place,
            item=Item(
                item_id=str(place - 1),
                question=of.last_user_text(list(messages[:-1])),
                reference=page.reference,
            ),
            finish=read_finish(text=reply, word="", error_text=None),
            tool_extracted=page.extracted,
            tokens_in=of.count(usage, "input_tokens"),
            tokens_out=of.count(usage, "output_tokens"),
            marks=_marks(page, example),
        )
        self.pending.add(self.run, self.task, sample)


def _named(path: Path) -> tuple[str, str]:
    """Return the evaluation and the model, which only the name of the file tells."""
    stem = _SUFFIX.sub("", path.name.split(".json", 1)[0])
    for name in EVALS:
        if stem.startswith(f"{name}_"):
            return name, stem.removeprefix(f"{name}_")
    return stem, stem


def _paragraphs(page: str) -> Iterator[tuple[str, str]]:
    """Yield the labels of the paragraphs that end, and what they say."""
    at = 0
    while opened := _OPENS.search(page, at):
        closed = _CLOSES.search(page, opened.end())
        if closed is None:
            return
        yield opened[1], page[opened.end() : closed.start()]
        at = closed.end()


def _page(value: object) -> _Page:
    if not isinstance(value, str):
        return _Page()
    found: dict[str, str] = {}
    # Replies stand before the results and may hold the same words: the last ones count.
    for label, said in _paragraphs(value):
        found[label.lower()] = of.whole_text(html.unescape(said.strip()))
    extracted = found.get("extracted answer")
    return _Page(
        reference=found.get("correct answer") or None,
        extracted=None if extracted in (None, "None", "") else extracted,
        score=found.get("score"),
    )


def _marks(page: _Page, example: of.JsonMap) -> tuple[Mark, ...]:
    score = page.score if page.score is not None else example.get("score")
    if score is None:
        return ()
    verdict = tool_verdict(score, extracted=page.extracted, reason=_rubric(example))
    if page.extracted is None and verdict.value == 0 and page.score is not None:
        reason = verdict.reason or "the tool extracted no answer"
        verdict = Verdict(status="scored", value=0.0, reason=reason)
    return (Mark(tool_scorer(TOOL, "score"), verdict),)


def _rubric(example: of.JsonMap) -> str:
    """Return the criteria of HealthBench with what the grader said of each, as JSON."""
    items = of.listed(example, "rubric_items")
    return of.written(list(items)) if items else ""
