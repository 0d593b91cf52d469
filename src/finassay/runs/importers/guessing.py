"""Guessing which column is what.  In: column names and sample rows.  Out: a map, or an error.

A name counts whatever its case and whether its words are joined by "_", "-" or a blank.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from finassay.errors import MappingError
from finassay.runs.importers._rows import Row, Value
from finassay.runs.importers.mapping import ColumnMap, Kind
from finassay.runs.importers.values import as_text, is_number, is_verdict

# Each part has tiers of names: the first tier with a column decides, and two columns of one tier
# are an ambiguity unless the rows show that they hold the same.
_TIERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "item_id": (
        ("id", "item_id", "doc_id", "question_id", "qid", "sample_id", "example_id", "item"),
        ("_key", "idx", "index", "key"),
    ),
    "prediction": (
        (
            *("prediction", "response", "output", "completion", "model_answer", "your_answer"),
            *("ann2_answer", "model_output", "model_response", "generated_answer", "reply"),
            *("predicted_answer", "generation", "pred"),
        ),
        ("answer",),
    ),
    "reference": (
        (
            *("reference", "ref_answer", "gold", "gold_answer", "target", "truth"),
            *("ground_truth", "reference_answer", "correct_answer", "expected_answer"),
        ),
        ("answer",),
    ),
    "correct": (("correct", "is_correct", "verdict"), ("score", "label", "agree", "human_label")),
    "system": (("system", "model", "model_name", "system_name"),),
    "model": (("model_version", "model_id", "served_model"),),
    "trial": (("trial", "epoch", "repeat", "sample_index"),),
    "question": (("question", "query"), ("prompt",)),
    "context": (("context", "passage"), ("evidence_text",)),
    "task": (("task", "task_type"),),
    "family": (("family",), ("category", "question_type")),
    "difficulty": (("difficulty", "level"),),
    "language": (("language", "lang"),),
    "split": (("split",),),
    "choices": (("choices", "options"),),
    "alternatives": (("alternatives", "aliases"),),
    "contract_id": (("contract_id",),),
    "contract": (("contract",),),
    "contract_type": (("contract_type",),),
    "contract_unit": (("contract_unit",),),
    "contract_scale": (("contract_scale",),),
    "contract_decimals": (("contract_decimals",),),
    "contract_comparator": (("contract_comparator",),),
    "contract_percent": (("contract_percent",),),
    "erratum": (("erratum",),),
    "erratum_old_reference": (("erratum_old_reference",),),
    "erratum_by": (("erratum_by",),),
    "erratum_reason": (("erratum_reason",),),
    "finish": (("finish", "finish_reason", "stop_reason"),),
    "scorer": (("scorer", "judge_name", "rater", "annotator", "adjudicator"),),
    "value": (("value", "verdict", "score", "correct", "label"),),
    "row": (("model", "model_name", "system", "row", "name"),),
    "documents": (("document", "doc_name", "documents", "source_document"), ("doc",)),
}

_PARTS: dict[Kind, tuple[str, ...]] = {
    "items": (
        *("item_id", "question", "reference", "context", "task", "family", "difficulty"),
        *("language", "split", "choices", "alternatives", "documents"),
        *("contract_id", "contract", "contract_type", "contract_unit", "contract_scale"),
        *("contract_decimals", "contract_comparator", "contract_percent"),
        *("erratum", "erratum_old_reference", "erratum_by", "erratum_reason"),
    ),
    "predictions": (
        *("item_id", "prediction", "reference", "system", "model", "trial", "question"),
        *("task", "difficulty", "correct", "finish"),
    ),
    "verdicts": ("item_id", "system", "trial"),
    "reported": ("row",),
}
_FIELDS_OF_ITEMS = frozenset(
    {"question", "reference", "context", "task", "family", "difficulty", "model"}
)


def _is_object(value: Value) -> bool:
    return not value or as_text(value).lstrip().startswith("{")


def _plain(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_")


class _Guess:
    """One table's columns, given out part by part."""

    def __init__(self, columns: Sequence[str], rows: Sequence[Row], given: ColumnMap) -> None:
        self.columns = tuple(columns)
        self.rows = rows
        self.given = given
        self.taken = {column for _, column in given.parts}

    def cells(self, column: str) -> list[Value]:
        """Return what the sample rows hold in a column."""
        return [row.values.get(column) for row in self.rows]

    def free(self) -> list[str]:
        """Return the columns that play no part yet."""
        return [column for column in self.columns if column not in self.taken]

    def find(self, part: str) -> str | None:
        """Return the column for a part, or None.

        Raises:
            MappingError: several columns could play the part.
        """
        for tier in _TIERS[part]:
            found = [column for column in self.free() if _plain(column) in tier]
            if part == "correct":
                found = [column for column in found if self.holds(column, is_verdict)]
            if part in ("contract", "erratum"):
                # A column of that name may as well hold the text of an agreement.
                found = [column for column in found if self.holds(column, _is_object)]
            if found:
                return self._only(part, found)
        if part == "item_id":
            found = [column for column in self.free() if _plain(column).endswith("_id")]
            return self._only(part, found) if found else None
        return None

    def holds(self, column: str, test: Callable[[Value], bool]) -> bool:
        """Return whether every sample row passes a test, and one at least is not empty."""
        cells = self.cells(column)
        return any(cells) and all(test(cell) for cell in cells)

    def _only(self, part: str, found: list[str]) -> str:
        first = self.cells(found[0])
        if len(found) == 1 or (self.rows and all(self.cells(name) == first for name in found)):
            return found[0]
        raise MappingError(
            f"`{part}` may be any of the columns {found!r}; say which with `finassay import --map "
            f"{shlex.quote(f'{part}={found[0]}')}` or in a mapping file"
        )

    def assign(self, parts: Sequence[str]) -> dict[str, str | tuple[str, ...]]:
        """Return columns for the parts that were not given, taking each column once."""
        chosen: dict[str, str | tuple[str, ...]] = {}
        for part in parts:
            if getattr(self.given, part) or part in self.given.without:
                continue
            column = self.find(part)
            if column is not None:
                self.taken.add(column)
                chosen[part] = (column,) if part in ("system", "documents") else column
        return chosen


def guess_map(
    columns: Sequence[str],
    sample_rows: Sequence[Row],
    kind: Kind,
    *,
    given: ColumnMap | None = None,
) -> ColumnMap:
    """Return which column plays which part, after those that were given.

    Args:
        columns: the names in the header.
        sample_rows: some rows, which tell a verdict from a label and equal columns from different.
        kind: what the table holds.
        given: parts that are settled already, or that no column shall play (`without`).

    Raises:
        MappingError: several columns could play a part, or a given column does not exist.
    """
    start = given or ColumnMap()
    start.check(columns)
    guess = _Guess(columns, sample_rows, start)
    chosen: dict[str, Any] = dict(guess.assign(_PARTS[kind]))
    if kind == "items":
        for part, found in _numbered(guess).items():
            chosen[part] = (*chosen.get(part, ()), *found)
    if kind == "verdicts":
        chosen.update(_verdict_columns(guess))
    if kind == "reported":
        chosen.update(_number_columns(guess, chosen))
    return replace(start, **chosen)


def _numbered(guess: _Guess) -> dict[str, tuple[str, ...]]:
    """Return context_a, context_b... and document_a, document_b... as lists."""
    chosen: dict[str, tuple[str, ...]] = {}
    for part, stem in (("contexts", "context_"), ("documents", "document_")):
        found = tuple(
            column
            for column in guess.free()
            if _plain(column).startswith(stem) and len(_plain(column)) == len(stem) + 1
        )
        if found and not getattr(guess.given, part) and part not in guess.given.without:
            chosen[part] = found
    return chosen


def _verdict_columns(guess: _Guess) -> dict[str, str | tuple[str, ...]]:
    """Return scorer and value of a long table, or the verdict columns of a wide one."""
    if guess.given.values:
        return {}
    chosen = guess.assign(("scorer",))
    if "scorer" in chosen or guess.given.scorer:
        return {**chosen, **guess.assign(("value",))}
    found = [
        column
        for column in guess.free()
        if guess.holds(column, is_verdict) and not _is_of_the_item(column)
    ]
    return {"values": tuple(found)}


def _is_of_the_item(column: str) -> bool:
    name = _plain(column)
    return any(name in tier for part in _FIELDS_OF_ITEMS for tier in _TIERS[part])


def _number_columns(
    guess: _Guess, chosen: dict[str, str | tuple[str, ...]]
) -> dict[str, str | tuple[str, ...]]:
    """Return the numeric columns, and the first other column as label of the row."""
    made: dict[str, str | tuple[str, ...]] = {}
    numeric = [column for column in guess.free() if guess.holds(column, is_number)]
    if not guess.given.values:
        made["values"] = tuple(numeric)
    others = [column for column in guess.free() if column not in numeric]
    if "row" not in chosen and not guess.given.row and others:
        made["row"] = others[0]
    return made


def guess_kind(
    columns: Sequence[str], sample_rows: Sequence[Row], *, given: ColumnMap | None = None
) -> Kind:
    """Return what a table holds, by its columns.

    A table with an item's id is one of predictions if it has a column for them, of items if it
    has a question or a reference, and else of verdicts; without ids it is a reported table.  An
    "answer" beside a question counts as the reference.

    Raises:
        MappingError: the columns fit no kind.
    """
    start = given or ColumnMap()
    guess = _Guess(columns, sample_rows, start)
    if not start.item_id and guess.find("item_id") is None:
        if _number_columns(guess, {}).get("values"):
            return "reported"
        raise MappingError(
            f"the columns fit no kind of table: expected an item's id or numbers, got "
            f"{list(columns)!r}; say what it is with `finassay import --table KIND --map "
            f"PART=COLUMN`"
        )
    names = {_plain(column) for column in columns}
    has_prediction = bool(start.prediction or names & set(_TIERS["prediction"][0]))
    has_question = bool(names & set(_TIERS["question"][0]))
    if has_prediction or ("answer" in names and not has_question):
        return "predictions"
    if has_question or names & set(_TIERS["reference"][0]):
        return "items"
    return "verdicts"
