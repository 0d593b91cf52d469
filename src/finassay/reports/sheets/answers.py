"""All answers of a draw as one file.  In: a draw and its history.  Out: CSV, one row a revision.

The columns that sheets have are called the same here.  Systems stay hidden: who needs them joins
the units with the file of the draw.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from finassay.study.adjudication.cells import guarded
from finassay.study.adjudication.draws import Draw
from finassay.study.adjudication.ledger import AnswerRevision
from finassay.study.adjudication.sheets import (
    CORRECTION,
    FLAG,
    LABEL,
    NOTE,
    SHEET,
    UNIT,
    YES,
    sheet_code,
)
from finassay.study.adjudication.tasks import as_shown, task_named

COLUMNS = (
    *(UNIT, "item", LABEL, FLAG, CORRECTION, NOTE, SHEET, "annotator", "role", "stored label"),
    *("value", "revision", "replaces revision", "counts", "at"),
    *("source", "source digest", "source row", "recorded by"),
)

_TEXTS = frozenset({"item", LABEL, CORRECTION, NOTE, "annotator", "source", "recorded by"})
"""Columns with text of people, which a spreadsheet must not run."""


def answers_csv(draw: Draw, history: Sequence[AnswerRevision]) -> str:
    """Return every revision of every answer as CSV text, oldest first.

    Args:
        draw: the draw.
        history: all revisions of its answers.
    """
    latest = {(one.answer.unit_id, one.answer.annotator, one.answer.role): one for one in history}
    current = {id(one) for one in latest.values()}
    out = io.StringIO(newline="")
    out.write("\N{ZERO WIDTH NO-BREAK SPACE}")
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for one in sorted(history, key=lambda one: (one.at, one.answer.unit_id)):
        row = _row(draw, one, is_current=id(one) in current)
        writer.writerow({name: _cell(name, text) for name, text in row.items()})
    return out.getvalue()


def _cell(name: str, text: str) -> str:
    """Return a cell that no spreadsheet runs; grades are numbers and may stay numbers."""
    is_grade = name == LABEL and all(part.isdecimal() for part in text.split("."))
    return guarded(text) if name in _TEXTS and not is_grade else text


def _row(draw: Draw, one: AnswerRevision, *, is_current: bool) -> dict[str, str]:
    said = one.answer
    return {
        UNIT: said.unit_id,
        "item": draw.by_unit[said.unit_id].key.item_id,
        LABEL: as_shown(task_named(draw.task), said.label, swapped=said.swapped),
        FLAG: YES if said.reference_wrong else "",
        CORRECTION: said.correction,
        NOTE: said.note,
        SHEET: sheet_code(draw, said.annotator, said.role),
        "annotator": said.annotator,
        "role": said.role,
        "stored label": said.label,
        "value": "" if said.value is None else f"{said.value:g}",
        "revision": str(one.revision),
        "replaces revision": "" if one.previous is None else str(one.previous),
        "counts": YES if is_current else "",
        "at": one.at,
        "source": said.source,
        "source digest": said.source_digest,
        "source row": "" if said.source_row is None else str(said.source_row),
        "recorded by": said.recorded_by,
    }
