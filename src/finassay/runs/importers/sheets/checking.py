"""Checking filled-in rows.  In: rows and their draw.  Out: answers, or what is wrong with them.

Every row is looked at before anything is recorded, and every fault is named with its row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from finassay.runs.importers._rows import BadRow, Row, bad
from finassay.runs.importers.sheets.reading import SheetFile
from finassay.runs.importers.values import as_text
from finassay.study.adjudication.cells import compared
from finassay.study.adjudication.draws import Draw
from finassay.study.adjudication.ledger import Role, UnitAnswer
from finassay.study.adjudication.sheets import (
    CORRECTION,
    FLAG,
    LABEL,
    NOTE,
    SHEET,
    UNIT,
    sheet_code,
    text_cells,
)
from finassay.study.adjudication.showing import Showing, Shown
from finassay.study.adjudication.tasks import Option, as_stored, read_option

_FLAGGED = frozenset({"yes", "y", "x", "1", "true", "wahr", "ja", "vrai", "oui"})
_NOT_FLAGGED = frozenset({"", "no", "n", "0", "false", "falsch", "nein", "faux", "non"})

_Who = tuple[str, Role]


@dataclass(slots=True)
class Checked:
    """What came of the rows: answers, faults, and what is worth knowing.

    Attributes:
        answers: by sheet code and unit.
        blank: rows without a label.
        bad: rows that cannot be used.
        notes: what is to be known.
        lines: place of each answer.
    """

    answers: dict[tuple[str, str], UnitAnswer] = field(default_factory=dict)
    blank: list[tuple[str, str]] = field(default_factory=list)
    bad: list[BadRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    lines: dict[tuple[str, str], str] = field(default_factory=dict)


class RowCheck:
    """Checks rows of sheets against the draw and what was given to whom.

    Args:
        draw: the draw.
        showing: its units as people see them.
        assigned: units of each (annotator, role).
        others: sheet code -> name of another draw of the study.
        recorded_by: who brings the sheets in.
    """

    def __init__(
        self,
        draw: Draw,
        showing: Showing,
        assigned: Mapping[_Who, tuple[str, ...]],
        *,
        others: Mapping[str, str],
        recorded_by: str,
    ) -> None:
        self._draw = draw
        self._showing = showing
        self._who: dict[str, _Who] = {sheet_code(draw, *who): who for who in assigned}
        self._given = {sheet_code(draw, *who): set(units) for who, units in assigned.items()}
        self._others = others
        self._recorded_by = recorded_by
        self.found = Checked()

    def take(self, file: SheetFile) -> None:
        """Check all rows of a file."""
        self.found.bad += file.bad
        if file.codec is not None:
            self.found.notes.append(
                f"{file.name} is not UTF-8 and was read as {file.codec}: letters that it lacks "
                f"are lost; save it as CSV UTF-8 next time"
            )
        texts = [name for name in file.columns if name not in _OWN]
        if not texts:
            self.found.notes.append(
                f"{file.name} has no columns of texts: whether labels stand beside the right "
                f"units cannot be checked"
            )
        for row in file.rows:
            try:
                self._row(row, file)
            except ValueError as error:
                self.found.bad.append(replace(bad(row, str(error)), snippet=""))

    def _row(self, row: Row, file: SheetFile) -> None:
        cells = {name: as_text(cell) for name, cell in row.values.items()}
        code, unit_id = cells[SHEET].strip(), cells[UNIT].strip()
        annotator, role = self._whose(code)
        if unit_id not in self._given[code]:
            raise ValueError(self._unknown_unit(unit_id, annotator))
        shown = self._showing.shown(self._draw.by_unit[unit_id], annotator)
        if not shown.is_stale:
            _require_same(cells, shown, file.codec)
        option = read_option(cells[LABEL], shown.menu)
        if option is None:
            self._blank(cells, row, (code, unit_id))
            return
        answer = self._answer(cells, option, shown, (annotator, role))
        self._add(
            replace(answer, source=file.name, source_digest=file.digest, source_row=row.line),
            (code, unit_id),
            f"{row.file}:{row.line}",
        )

    def _whose(self, code: str) -> _Who:
        if code in self._who:
            return self._who[code]
        if code in self._others:
            raise ValueError(
                f"the row is of a sheet of draw {self._others[code]!r}, expected one of "
                f"{self._draw.name!r}; import it there"
            )
        raise ValueError(
            f"the column {SHEET!r} must hold the code of a sheet of draw {self._draw.name!r}, got "
            f"{code!r}; restore it from the other rows"
        )

    def _unknown_unit(self, unit_id: str, annotator: str) -> str:
        if unit_id in self._draw.by_unit:
            return f"unit {unit_id!r} was not given to {annotator!r}; is the row of another sheet?"
        return (
            f"the column {UNIT!r} must hold the code of a unit of draw {self._draw.name!r}, got "
            f"{unit_id!r}; restore it from the sheet as it was written"
        )

    def _blank(self, cells: Mapping[str, str], row: Row, key: tuple[str, str]) -> None:
        self.found.blank.append(key)
        if any(cells.get(name, "").strip() for name in (FLAG, CORRECTION, NOTE)):
            self.found.notes.append(
                f"{row.file}:{row.line}: something is written beside an empty label, and was not "
                f"taken: choose a label, or {'not sure'!r}"
            )

    def _answer(
        self, cells: Mapping[str, str], option: Option, shown: Shown, who: _Who
    ) -> UnitAnswer:
        label, value = as_stored(self._showing.task, option, swapped=shown.swapped)
        return UnitAnswer(
            unit_id=shown.unit_id,
            annotator=who[0],
            role=who[1],
            label=label,
            value=value,
            note=cells.get(NOTE, "").strip(),
            reference_wrong=_is_flagged(cells.get(FLAG, "")),
            correction=cells.get(CORRECTION, "").strip(),
            swapped=shown.swapped,
            recorded_by=self._recorded_by,
        )

    def _add(self, answer: UnitAnswer, key: tuple[str, str], place: str) -> None:
        held = self.found.answers.get(key)
        if held is not None and held.said != answer.said:
            raise ValueError(
                f"unit {answer.unit_id!r} stands twice with different answers, {held.label!r} in "
                f"{self.found.lines[key]} and {answer.label!r} here; keep the one that counts"
            )
        self.found.answers[key] = answer
        self.found.lines[key] = place


_OWN = (UNIT, SHEET, LABEL, FLAG, CORRECTION, NOTE)


def _is_flagged(text: str) -> bool:
    word = text.strip().casefold()
    if word in _FLAGGED:
        return True
    if word in _NOT_FLAGGED:
        return False
    raise ValueError(f"the column {FLAG!r} must be 'yes' or empty, got {text!r}")


def _require_same(cells: Mapping[str, str], shown: Shown, codec: str | None) -> None:
    """Check that the texts of a row are those of its unit: rows may be sorted, columns may not."""
    expected = text_cells(shown)
    for title, found in cells.items():
        if title in _OWN or title not in expected:
            continue
        if compared(found) != compared(expected[title], codec=codec):
            raise ValueError(
                f"the text in column {title!r} is not that of unit {shown.unit_id!r}; was one "
                f"column sorted without the others, or a text changed? restore the row"
            )
