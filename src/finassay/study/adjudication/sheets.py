"""The layout of sheets.  In: units as people see them.  Out: columns and cells, the same for all.

Writers and readers of sheets share this, so that what comes back can be compared with what went.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from finassay.records import content_digest
from finassay.study.adjudication.cells import chunks, continued
from finassay.study.adjudication.draws import Draw
from finassay.study.adjudication.ledger import Role
from finassay.study.adjudication.showing import Shown
from finassay.study.adjudication.tasks import LabellingTask, task_named

UNIT, SHEET = "unit", "sheet"
LABEL, FLAG, CORRECTION, NOTE = "label", "reference is wrong", "correct reference", "note"
YES = "yes"

_DIGITS = 12


def sheet_code(draw: Draw, annotator: str, role: Role) -> str:
    """Return the code that stands in every row of a person's sheet of a draw."""
    hashed = content_digest("sheet", draw.draw_id, annotator, role)
    return f"s{int(hashed[:16], 16) % 10**_DIGITS:0{_DIGITS}d}"


def answer_columns(draw: Draw) -> tuple[str, ...]:
    """Return the columns that people fill in."""
    task = task_named(draw.task)
    if task.asks_correction:
        return LABEL, CORRECTION, NOTE
    return (LABEL, FLAG, CORRECTION, NOTE) if draw.protocol == "shown" else (LABEL, NOTE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One sheet for one person.

    Attributes:
        draw: name of the draw.
        task: what is asked.
        code: of the sheet.
        annotator: whose it is.
        role: whether it asks for labels or settles conflicts.
        columns: titles, in order.
        answers: those of them that people fill in.
        rows: units in order.
    """

    draw: str
    task: LabellingTask
    code: str
    annotator: str
    role: Role
    columns: tuple[str, ...]
    answers: tuple[str, ...]
    rows: tuple[Shown, ...]

    def cells(self, shown: Shown) -> dict[str, str]:
        """Return the cells of one row by column; those to be filled in are empty."""
        known = text_cells(shown) | {UNIT: shown.unit_id, SHEET: self.code}
        return {column: known.get(column, "") for column in self.columns}


def make_sheet(draw: Draw, annotator: str, role: Role, rows: Iterable[Shown]) -> Sheet:
    """Return the sheet of a person; columns without any text are left out."""
    listed = tuple(rows)
    titles: dict[str, int] = {}
    for shown in listed:
        for title, text in shown.texts:
            pieces = len(chunks(text)) if text else 0
            titles[title] = max(titles.get(title, 0), pieces)
    texts = [name for title, n in titles.items() for name in islice(continued(title), n)]
    answers = answer_columns(draw)
    return Sheet(
        draw=draw.name,
        task=task_named(draw.task),
        code=sheet_code(draw, annotator, role),
        annotator=annotator,
        role=role,
        columns=(UNIT, *texts, *answers, SHEET),
        answers=answers,
        rows=listed,
    )


def text_cells(shown: Shown) -> dict[str, str]:
    """Return the texts of a unit by column, long ones in pieces."""
    return {
        name: piece
        for title, text in shown.texts
        for name, piece in zip(continued(title), chunks(text), strict=False)
    }
