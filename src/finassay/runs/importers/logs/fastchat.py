"""FastChat (MT-bench, Arena-Hard).  In: answers, judgments and questions (JSONL).  Out: blocks.

A judge's rating from 1 to 10 becomes a verdict of a tenth of it, with the rating as label, so that
means stay proportional; -1 is a rating that could not be read.  Pairs become comparisons, one for
each order in which the two answers were shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Literal

from finassay.errors import InputError
from finassay.records import Item, SystemSpec, Verdict
from finassay.runs.importers.logs import parts as of
from finassay.runs.importers.logs.base import (
    Block,
    Duel,
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
from finassay.runs.importers.logs.values import tool_scorer
from finassay.runs.importers.logs.walking import json_lines
from finassay.runs.importers.report import counted_noun
from finassay.runs.importers.values import read_finish

TOOL = "fastchat"
TOP = 10.0
"""Greatest rating of the judge's scale."""

Part = Literal["answers", "single", "pair", "questions"]

_NAMES: Mapping[Part, tuple[str, ...]] = {
    "answers": ("question_id", "model_id", "choices"),
    "pair": ("question_id", "model_1", "model_2", "g1_winner"),
    "single": ("question_id", "model", "judge", "judgment", "score"),
    "questions": ("question_id", "category", "turns"),
}
_SPLIT = {"left": "model_1", "right": "model_2"}


def part_of(candidate: Candidate) -> Part | None:
    """Return which of FastChat's files it is, told by the names in its first line."""
    if not may_be_document(candidate):
        return None
    return next((part for part, names in _NAMES.items() if candidate.has(*names)), None)


class FastChatReader(LogReader):
    """Reads the folder of a bench of FastChat."""

    name: ClassVar[str] = TOOL

    def recognises(self, candidate: Candidate) -> bool:
        """Return whether the file holds answers, judgments or questions."""
        return part_of(candidate) is not None

    def claim(self, candidates: Sequence[Candidate], *, forced: bool = False) -> list[Source]:
        """Return one source for each bench: answers, judgments and questions belong together."""
        benches: dict[Path, list[Path]] = {}
        for one in candidates:
            part = part_of(one)
            if part is not None or forced:
                above = one.path.parent
                bench = above if part == "questions" or _is_flat(above) else above.parent
                benches.setdefault(bench, []).append(one.path)
        return [
            Source(tool=TOOL, paths=tuple(paths), what=f"bench {bench.name}", root=bench)
            for bench, paths in benches.items()
        ]

    def read(self, source: Source, options: ReadOptions) -> Iterator[Block | Unreadable]:
        """Yield blocks of all models of a bench."""
        pending = Pending()
        bench = _Bench(source, pending, options.encoding)
        parts: dict[Part, list[Path]] = {}
        for path in source.paths:
            part = part_of(Candidate(path))
            if part is None:
                pending.refuse(path, 0, "expected answers, judgments or questions, one a line")
            else:
                parts.setdefault(part, []).append(path)
        for path in parts.get("questions", ()):
            bench.questions(path)
        is_reference = [p for p in parts.get("answers", ()) if p.parent.name == "reference_answer"]
        for path in is_reference:
            bench.references(path)
        for path in parts.get("single", ()):
            bench.ratings(path)
        for path in parts.get("answers", ()):
            if path not in is_reference:
                for _ in bench.answers(path):
                    yield from pending.ready()
        for path in parts.get("pair", ()):
            bench.pairs(path)
        bench.finish()
        yield from pending.rest()


def _is_flat(folder: Path) -> bool:
    return folder.name not in ("model_answer", "model_judgment", "reference_answer")


@dataclass(slots=True)
class _Bench:
    """One bench on its way into blocks."""

    source: Source
    pending: Pending
    encoding: str
    texts: dict[tuple[str, int], str] = field(default_factory=dict)
    categories: dict[str, str] = field(default_factory=dict)
    accepted: dict[tuple[str, int], str] = field(default_factory=dict)
    marks: dict[tuple[str, str, int], list[Mark]] = field(default_factory=dict)
    used: set[tuple[str, str, int]] = field(default_factory=set)

    @property
    def task(self) -> str:
        return self.source.root.name if self.source.root is not None else TOOL

    def run(self, model: str) -> LogRun:
        """Return the run of a model on this bench."""
        system = SystemSpec(name=model, model=model)
        return LogRun(tool=TOOL, key=f"{self.task}/{model}", system=system)

    def _lines(self, path: Path) -> Iterator[tuple[int, of.JsonMap]]:
        """Yield the objects of a file with a question id; what is none is listed."""
        try:
            for place, value, wrong in json_lines(path, self.encoding):
                line = of.mapping(value)
                if wrong or not of.text(line, "question_id"):
                    self.pending.refuse(path, place, wrong or "expected a question_id")
                else:
                    yield place, line
        except InputError as error:
            self.pending.refuse(path, 0, reason_of(error, path))

    def questions(self, path: Path) -> None:
        """Keep the questions, and the accepted answers that stand beside them."""
        for _, line in self._lines(path):
            question = of.text(line, "question_id")
            self.categories[question] = of.text(line, "category")
            for turn, said in enumerate(of.listed(line, "turns"), start=1):
                # Arena-Hard wraps a turn in an object.
                self.texts[question, turn] = of.text(said, "content") or of.written(said)
            for turn, said in enumerate(of.listed(line, "reference"), start=1):
                self.accepted[question, turn] = of.written(said)

    def references(self, path: Path) -> None:
        """Keep reference answers, which have the shape of a model's."""
        for _, line in self._lines(path):
            for choice in of.listed(line, "choices")[:1]:
                for turn, said in enumerate(_turns(choice), start=1):
                    self.accepted.setdefault((of.text(line, "question_id"), turn), said)

    def ratings(self, path: Path) -> None:
        """Keep the judge's ratings of single answers."""
        for place, line in self._lines(path):
            model = of.text(line, "model")
            if not model:
                self.pending.refuse(path, place, "expected a rating with the model's name")
                continue
            key = (of.text(line, "question_id"), model, of.count(line, "turn") or 1)
            self.marks.setdefault(key, []).append(_rating(line))

    def answers(self, path: Path) -> Iterator[None]:
        """Take the answers one by one, yielding after each line."""
        for place, line in self._lines(path):
            model, choices = of.text(line, "model_id"), of.listed(line, "choices")
            if not model or not choices:
                self.pending.refuse(path, place, "expected an answer with model_id and choices")
                continue
            for trial, choice in enumerate(choices):
                turns = _turns(choice)
                if not turns:
                    self.pending.refuse(path, place, f"choice {trial} has no turns")
                for turn, said in enumerate(turns, start=1):
                    self._answer(of.text(line, "question_id"), model, (turn, trial, place), said)
            yield

    def _answer(self, question: str, model: str, where: tuple[int, int, int], said: str) -> None:
        turn, trial, place = where
        key = (question, model, turn)
        self.used.add(key)
        sample = Sample(
            item_id=_item_id(question, turn),
            text=said,
            place=place,
            item=self._item(question, turn),
            trial=trial,
            finish=read_finish(text=said, word="", error_text=None),
            # The judge saw the first choice.
            marks=tuple(self.marks.get(key, ())) if trial == 0 else (),
        )
        self.pending.add(self.run(model), self.task, sample)

    def _item(self, question: str, turn: int) -> Item:
        return Item(
            item_id=_item_id(question, turn),
            family=self.categories.get(question, ""),
            question=self.texts.get((question, turn), ""),
            reference=self.accepted.get((question, turn)),
            strata=(("turn", str(turn)),),
        )

    def pairs(self, path: Path) -> None:
        """Take the comparisons, each in both orders."""
        for place, line in self._lines(path):
            left, right = of.text(line, "model_1"), of.text(line, "model_2")
            if not left or not right:
                self.pending.refuse(path, place, "expected a pair with model_1 and model_2")
                continue
            item_id = _item_id(of.text(line, "question_id"), of.count(line, "turn") or 1)
            for game, order in (("g1", "left_first"), ("g2", "right_first")):
                if f"{game}_winner" not in line:
                    continue
                said = of.text(line, f"{game}_winner")
                winner = _winner(said)
                judgment = of.text(line, f"{game}_judgment")
                duel = Duel(
                    item_id=item_id,
                    left=self.run(left),
                    right=self.run(right),
                    scorer_id=_judge_id(line, "pair"),
                    status="unparsed" if winner is None else "scored",
                    winner=winner,
                    reason=judgment or f"the judge's winner is {said!r}",
                    order=order,
                )
                self.pending.add_duel(self.run(left), self.task, duel)

    def finish(self) -> None:
        """List ratings of answers that are not in the log."""
        lost = sum(len(marks) for key, marks in self.marks.items() if key not in self.used)
        if lost:
            ratings = counted_noun(lost, "rating")
            self.pending.say(f"{ratings} of answers that are not among the files")


def _turns(choice: object) -> list[str]:
    """Return the turns of a choice; Arena-Hard wraps each in an object."""
    return [of.text(one, "content") or of.written(one) for one in of.listed(choice, "turns")]


def _item_id(question: str, turn: int) -> str:
    return question if turn == 1 else f"{question}~turn{turn}"


def _judge_id(line: of.JsonMap, kind: str) -> str:
    judge = line.get("judge")
    parts = [of.text(one) for one in judge] if isinstance(judge, list) else [of.text(judge)]
    prompt = parts[1] if len(parts) > 1 else kind
    return tool_scorer(TOOL, prompt or kind, parts[0] if parts else "")


def _rating(line: of.JsonMap) -> Mark:
    score = of.number(line, "score")
    said = of.text(line, "judgment")
    if score is None or not 0 <= score <= TOP:
        reason = said or f"the rating is {line.get('score')!r}, expected 1 to 10"
        return Mark(_judge_id(line, "single"), Verdict(status="unparsed", reason=reason))
    verdict = Verdict(status="scored", value=score / TOP, label=f"{score:g}", reason=said)
    return Mark(_judge_id(line, "single"), verdict)


def _winner(said: str) -> Literal["left", "right", "tie"] | None:
    if said == _SPLIT["left"]:
        return "left"
    if said == _SPLIT["right"]:
        return "right"
    return "tie" if said == "tie" else None
