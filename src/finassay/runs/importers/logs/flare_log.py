"""FLARE (PIXIU) and old lm-eval `write_out` files.  In: one JSON array.  Out: blocks.

The rows hold the reply, the accepted label and the metrics as text (see `importers.flare`).  The
model is named nowhere in the file: the folder in which it lies stands for it, or `--system`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from finassay.errors import InputError
from finassay.records import Item, SystemSpec
from finassay.runs.importers.flare import FLARE_COLUMNS, MISSING_LABEL, flare_marks
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
from finassay.runs.importers.logs.pending import Pending, reason_of
from finassay.runs.importers.logs.values import tool_scorer, tool_verdict
from finassay.runs.importers.logs.walking import open_walker
from finassay.runs.importers.values import read_finish

TOOL = "flare"
_ENDING = "_write_out_info"
_METRICS = ("acc", "acc_norm", "em", "exact_match", "missing")


class FlareReader(LogReader):
    """Reads `write_out` files of FLARE."""

    name: ClassVar[str] = TOOL

    def recognises(self, candidate: Candidate) -> bool:
        """Return whether the file holds rows with a reply and an accepted label."""
        return candidate.shape == "array" and candidate.has(*FLARE_COLUMNS)

    def read(self, source: Source, options: ReadOptions) -> Iterator[Block | Unreadable]:
        """Yield blocks of one task."""
        path = source.paths[0]
        pending = Pending()
        task = path.name.split(".json", 1)[0].removesuffix(_ENDING)
        model = path.resolve().parent.name
        run = LogRun(tool=TOOL, key=f"{model}/{task}", system=SystemSpec(name=model, model=""))
        note = f"no model is logged: the folder's name {model!r} stands for it (or `--system`)"
        pending.note(run, task, note)
        try:
            with open_walker(path, options.encoding) as walker:
                for place in walker.elements():
                    _take(of.mapping(walker.value()), (run, task), (path, place), pending)
                    yield from pending.ready()
        except InputError as error:
            pending.refuse(path, 0, reason_of(error, path))
        yield from pending.rest()


def _take(
    row: of.JsonMap, whose: tuple[LogRun, str], where: tuple[Path, int], pending: Pending
) -> None:
    path, place = where
    item_id = of.text(row, "doc_id")
    if not item_id or not isinstance(row.get("logit_0"), str):
        pending.refuse(path, place, "expected a row with doc_id and the reply in logit_0")
        return
    reply = of.text(row, "logit_0")
    reference = row.get("truth")
    read = flare_marks({name: of.text(row, name) for name in ("f1", "missing")})
    label = None if read.label == MISSING_LABEL else read.label
    sample = Sample(
        item_id=item_id,
        text=reply,
        place=place,
        item=Item(
            item_id=item_id,
            question=of.text(row, "prompt_0"),
            reference=None if reference is None else of.written(reference),
        ),
        finish=read_finish(text=reply, word="", error_text=None),
        tool_extracted=label,
        marks=tuple(
            Mark(tool_scorer(TOOL, name), tool_verdict(row[name], extracted=label))
            for name in _METRICS
            if name in row
        ),
    )
    pending.add(*whose, sample)
