"""Items under a contract.  In: JSON Lines.  Out: items with their provenance, or every problem."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Literal, TypeAlias

from finassay.benchmarks.operations.contract import Kind, OperationContract
from finassay.benchmarks.operations.problems import ContractProblem, quoted
from finassay.records import ANSWER_TYPES, SCALE_WORDS, AnswerContract, Item, pairs

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"

DIFFICULTIES = ("easy", "medium", "hard")

_REQUIRED = ("item_id", "contract", "language", "difficulty", "question", "reference")
_PROVENANCE = ("source", "rationale")
_TEXTS = (*_REQUIRED, *_PROVENANCE, "context", "source_id")
_LISTS = ("contexts", "choices", "alternatives", "evidence", "documents")
_KEYS = (*_TEXTS, *_LISTS, "answer")
_ANSWER_KEYS = tuple(field.name for field in fields(AnswerContract))

_TYPES: Mapping[Kind, str] = {
    "label": "label",
    "option": "choice",
    "option_set": "set",
    "ordered_fields": "fields",
    "identity": "label",
    "number": "number",
    "provision_set": "set",
    "decision_label": "label",
    "rubric_text": "text",
    "ask_or_proceed": "label",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationItem:
    """An item under a contract, with what no scorer reads.

    Attributes:
        item: the item, as a study holds it; its question ends with the contract's instructions.
        asked: the question without the instructions.
        source: where it comes from.
        source_id: the document that it was made from, "" where it has none of its own.
        rationale: how the reference follows.
        evidence: quotations of the visible input that the reference rests on.
        line: line in its file, from 1.
    """

    item: Item
    asked: str
    source: str
    source_id: str
    rationale: str
    evidence: tuple[str, ...]
    line: int

    @property
    def visible(self) -> str:
        """The input that a system sees, without the instructions on form."""
        return "\n".join((self.item.context, *self.item.contexts, self.asked, *self.item.choices))

    @property
    def passages(self) -> str:
        """The evidence that a system sees: contexts without the question and the choices."""
        return "\n".join((self.item.context, *self.item.contexts))


class ItemReader:
    """Reads the items of one contract and collects what is wrong with them."""

    def __init__(self, contract: OperationContract, file: str, benchmark: str) -> None:
        self.contract = contract
        self.file = file
        self.benchmark = benchmark
        self.problems: list[ContractProblem] = []
        self._at: tuple[int, str] = (0, "")

    def read(self, text: str) -> tuple[OperationItem, ...]:
        """Return the items that can be used, in order."""
        seen: dict[str, int] = {}
        found = []
        for line, record in self._records(text):
            name = record.get("item_id")
            self._at = (line, name if isinstance(name, str) else "")
            before = len(self.problems)
            self._check(record, seen)
            if len(self.problems) == before:
                found.append(self._item(record, line))
        return tuple(found)

    def report(self, field: str, expected: str, got: str, advice: str) -> None:
        """Note a problem with the item at hand."""
        line, item_id = self._at
        self.problems.append(
            ContractProblem(
                file=self.file,
                line=line,
                field=field,
                expected=expected,
                got=got,
                advice=advice,
                item_id=item_id,
            )
        )

    def _records(self, text: str) -> Iterator[tuple[int, dict[str, Json]]]:
        # Not splitlines(): JSON texts may hold U+2028 and other characters that it splits at.
        for line, content in enumerate(text.removesuffix("\n").split("\n"), start=1):
            self._at = (line, "")
            try:
                record = json.loads(content)
            except (ValueError, RecursionError) as error:
                self.report("(line)", "a JSON object", str(error), "one object a line")
                continue
            if isinstance(record, dict):
                yield line, record
            else:
                self.report("(line)", "a JSON object", quoted(record), "one object a line")

    def _check(self, record: dict[str, Json], seen: dict[str, int]) -> None:
        for key in record:
            if key not in _KEYS:
                self.report(key, f"one of {', '.join(_KEYS)}", quoted(key), "remove it")
        for key in _TEXTS:
            self._check_text(key, record)
        for key in _LISTS:
            listed = record.get(key, [])
            if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
                self.report(key, "a list of texts", quoted(listed), "put each text in quotes")
        self._check_answer(record.get("answer", {}))
        self._check_values(record, seen)

    def _check_text(self, key: str, record: dict[str, Json]) -> None:
        value = record.get(key)
        if value is None and key not in (*_REQUIRED, *_PROVENANCE):
            return
        if not isinstance(value, str) or (key in _REQUIRED and not value.strip()):
            got = "nothing" if value is None else quoted(value)
            self.report(key, "text that is not empty", got, "say what it is")
        elif key in _PROVENANCE and not value.strip():
            self.report(key, "where the item comes from and why", quoted(value), "say it")

    def _check_values(self, record: dict[str, Json], seen: dict[str, int]) -> None:
        line, name = self._at
        if name and seen.setdefault(name, line) != line:
            expected = "an id that no other item has"
            self.report("item_id", expected, f"that of line {seen[name]}", "rename one of them")
        languages = tuple(language for language, _ in self.contract.artifact.instructions)
        for key, allowed in (
            ("contract", (self.contract.name,)),
            ("difficulty", DIFFICULTIES),
            ("language", languages),
        ):
            value = record.get(key)
            if isinstance(value, str) and value and value not in allowed:
                self.report(
                    key, f"one of {', '.join(allowed)}", quoted(value), "choose one of them"
                )

    def _check_answer(self, answer: Json) -> None:
        if not isinstance(answer, dict):
            self.report("answer", "an object", quoted(answer), 'as in {"type": "percent"}')
            return
        for key, value in answer.items():
            field = f"answer.{key}"
            if key not in _ANSWER_KEYS:
                self.report(field, f"one of {', '.join(_ANSWER_KEYS)}", quoted(key), "remove it")
            elif key == "decimals":
                if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 12:
                    self.report(field, "a whole number from 0 to 12", quoted(value), "as in 2")
            elif not isinstance(value, str) or value not in _allowed(key, value):
                allowed = _allowed(key, "text")
                self.report(field, f"one of {', '.join(allowed)}", quoted(value), "choose one")

    def _item(self, record: Mapping[str, Json], line: int) -> OperationItem:
        def text(key: str) -> str:
            return str(record.get(key) or "")

        def listed(key: str) -> tuple[str, ...]:
            found = record.get(key)
            return tuple(map(str, found)) if isinstance(found, list) else ()

        contract = self.contract
        told = contract.artifact.instruction(text("language"))
        item = Item(
            item_id=text("item_id"),
            benchmark=self.benchmark,
            family=contract.name,
            task=contract.name,
            difficulty=text("difficulty"),
            language=text("language"),
            question=f"{text('question')}\n{told}",
            context=text("context"),
            contexts=listed("contexts"),
            reference=text("reference"),
            alternatives=listed("alternatives"),
            choices=listed("choices"),
            contract_id=contract.name,
            contract=_answer(record.get("answer"), contract.artifact.kind),
            documents=listed("documents"),
            strata=pairs({"layer": contract.layer, "group": contract.group}),
        )
        return OperationItem(
            item=item,
            asked=text("question"),
            source=text("source"),
            source_id=text("source_id"),
            rationale=text("rationale"),
            evidence=listed("evidence"),
            line=line,
        )


def _allowed(key: str, value: str) -> tuple[str, ...]:
    known: Mapping[str, tuple[str, ...]] = {
        "type": ANSWER_TYPES,
        "scale": SCALE_WORDS,
        "comparator": ("ignore", "respect"),
        "percent": ("allow", "forbid", "flag"),
    }
    return known.get(key, (value,))


def _answer(said: Json | None, kind: Kind) -> AnswerContract:
    given = said if isinstance(said, dict) else {}

    def text(key: str) -> str | None:
        value = given.get(key)
        return value if isinstance(value, str) else None

    decimals = given.get("decimals")
    comparator: Literal["ignore", "respect"] | None = None
    match given.get("comparator"):
        case "ignore" | "respect" as one:
            comparator = one
    percent: Literal["allow", "forbid", "flag"] | None = None
    match given.get("percent"):
        case "allow" | "forbid" | "flag" as policy:
            percent = policy
    return AnswerContract(
        type=text("type") or _TYPES[kind],
        unit=text("unit"),
        scale=text("scale"),
        decimals=decimals if isinstance(decimals, int) else None,
        comparator=comparator,
        percent=percent,
    )
