"""AlpacaEval.  In: `annotations.json`.  Out: blocks of two systems, and comparisons.

An annotation holds an instruction, the outputs of two systems and which of them is preferred: from
1 (the first) to 2 (the second), 1.5 or 0 for a draw, null where the annotator's reply could not be
read.  There are no ids, so an item is named by a digest of its instruction.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Literal

from finassay.errors import InputError
from finassay.records import Item, SystemSpec, content_id
from finassay.runs.importers.logs import parts as of
from finassay.runs.importers.logs.base import (
    Block,
    Duel,
    LogReader,
    LogRun,
    ReadOptions,
    Sample,
    Source,
    Unreadable,
)
from finassay.runs.importers.logs.candidates import Candidate
from finassay.runs.importers.logs.pending import Pending, reason_of
from finassay.runs.importers.logs.values import tool_scorer
from finassay.runs.importers.logs.walking import open_walker
from finassay.runs.importers.values import read_finish

TOOL = "alpaca-eval"
TASK = "alpaca_eval"
_DRAW = 1.5


class AlpacaEvalReader(LogReader):
    """Reads annotations of AlpacaEval."""

    name: ClassVar[str] = TOOL

    def recognises(self, candidate: Candidate) -> bool:
        """Return whether the file holds annotated pairs of outputs."""
        return candidate.shape == "array" and candidate.has(
            "instruction", "output_1", "output_2", "generator_1", "generator_2"
        )

    def read(self, source: Source, options: ReadOptions) -> Iterator[Block | Unreadable]:
        """Yield blocks of both systems of each annotation."""
        path = source.paths[0]
        pending = Pending()
        try:
            with open_walker(path, options.encoding) as walker:
                for place in walker.elements():
                    _take(of.mapping(walker.value()), path, place, pending)
                    yield from pending.ready()
        except InputError as error:
            pending.refuse(path, 0, reason_of(error, path))
        yield from pending.rest()


def _run(generator: str) -> LogRun:
    return LogRun(tool=TOOL, key=generator, system=SystemSpec(name=generator, model=generator))


def _take(row: of.JsonMap, path: Path, place: int, pending: Pending) -> None:
    instruction = of.text(row, "instruction")
    names = [of.text(row, f"generator_{side}") for side in (1, 2)]
    outputs = [row.get(f"output_{side}") for side in (1, 2)]
    if not instruction or not all(names) or not all(isinstance(one, str) for one in outputs):
        pending.refuse(path, place, "expected an instruction and the outputs of two generators")
        return
    task = of.text(row, "dataset") or TASK
    item = Item(item_id=f"alpaca-{content_id(instruction)}", question=instruction)
    for name, output in zip(names, outputs, strict=True):
        said = of.written(output)
        sample = Sample(
            item_id=item.item_id,
            text=said,
            place=place,
            item=item,
            finish=read_finish(text=said, word="", error_text=None),
        )
        pending.add(_run(name), task, sample)
    if "preference" not in row and "annotator" not in row:
        return
    winner = _winner(row.get("preference"))
    said = _said(row)
    shown = f"preference {row.get('preference')!r}"
    duel = Duel(
        item_id=item.item_id,
        left=_run(names[0]),
        right=_run(names[1]),
        scorer_id=tool_scorer(TOOL, "preference", of.text(row, "annotator")),
        status="unparsed" if winner is None else "scored",
        winner=winner,
        reason=f"{shown}: {said}" if said else shown,
    )
    pending.add_duel(_run(names[0]), task, duel)


def _winner(preference: object) -> Literal["left", "right", "tie"] | None:
    found = of.number(preference)
    if found in (0.0, _DRAW):
        return "tie"
    if found is None or not 1.0 <= found <= 2.0:
        return None
    return "left" if found < _DRAW else "right"


def _said(row: of.JsonMap) -> str:
    """Return what the annotating model wrote; the field's name begins with a key of its own."""
    for name, value in row.items():
        if name.endswith("raw_completion") and value is not None:
            return of.written(value)
    return ""
