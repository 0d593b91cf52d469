"""Sheets as XLSX.  In: a sheet.  Out: a workbook with menus, instructions and the texts as texts.

No cell can become a formula: each text cell says that it is text, whatever it begins with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finassay.errors import MissingExtraError, UsageError
from finassay.study.adjudication.cells import xml_escaped
from finassay.study.adjudication.sheets import (
    CORRECTION,
    FLAG,
    LABEL,
    NOTE,
    SHEET,
    UNIT,
    YES,
    Sheet,
)
from finassay.study.adjudication.tasks import Option

if TYPE_CHECKING:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.workbook import Workbook

LABELS_TAB, MENUS_TAB, HELP_TAB = "labels", "menus", "instructions"

MOST_ROWS = 1_048_575
"""Rows below the header that a worksheet can hold."""

_WIDTHS = {UNIT: 16, SHEET: 16, LABEL: 16, FLAG: 12, CORRECTION: 30, NOTE: 30, "question": 50}
_TEXT_WIDTH = 60

Menu = tuple[str, ...]


def write_xlsx(sheet: Sheet, path: Path) -> None:
    """Write a sheet as a workbook: labels, instructions, and the menus that cells choose from.

    Raises:
        MissingExtraError: openpyxl is not installed.
        UsageError: there are more rows than a worksheet holds.
    """
    try:
        import openpyxl  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtraError(
            f"XLSX sheets need the package 'openpyxl', which cannot be imported ({error}); install "
            f"it with: pip install 'finassay[sheets]', or ask for CSV"
        ) from error
    if len(sheet.rows) > MOST_ROWS:
        raise UsageError(
            f"a worksheet holds {MOST_ROWS} rows, got {len(sheet.rows)}; ask for CSV, or share the "
            f"units among more people"
        )
    book = openpyxl.Workbook(write_only=True)
    _labels_tab(book, sheet)
    _help_tab(book, sheet)
    _menus_tab(book, _menus(sheet))
    book.save(path)


def _menus(sheet: Sheet) -> dict[Menu, list[int]]:
    """Return the rows (from 2) by menu."""
    found: dict[Menu, list[int]] = {}
    for row, shown in enumerate(sheet.rows, 2):
        found.setdefault(tuple(option.label for option in shown.menu), []).append(row)
    return found


def _labels_tab(book: Workbook, sheet: Sheet) -> None:
    from openpyxl.utils import get_column_letter  # noqa: PLC0415 - an extra

    tab = book.create_sheet(LABELS_TAB)
    tab.freeze_panes = "B2"
    for at, column in enumerate(sheet.columns, 1):
        letter = get_column_letter(at)
        tab.column_dimensions[letter].width = _WIDTHS.get(column, _TEXT_WIDTH)
    tab.protection.sheet = True
    for may in ("formatColumns", "formatRows", "autoFilter", "sort"):
        setattr(tab.protection, may, False)
    _validations(tab, sheet)
    styles = _Styles(tab)
    tab.append([styles.head(column) for column in sheet.columns])
    for shown in sheet.rows:
        cells = sheet.cells(shown)
        tab.append(
            [styles.text(cells[name], is_open=name in sheet.answers) for name in sheet.columns]
        )


class _Styles:
    """Cells of the few looks that a tab has: head, text, and text to be filled in."""

    def __init__(self, tab: Any) -> None:  # noqa: ANN401 - openpyxl has no types
        from openpyxl.cell import WriteOnlyCell as Cell  # noqa: PLC0415 - an extra
        from openpyxl.styles import Alignment, Font, PatternFill, Protection  # noqa: PLC0415

        self._tab, self._make = tab, Cell
        head, text, quoted, open_ = (Cell(tab) for _ in range(4))
        head.font = Font(bold=True)
        for cell in (text, quoted, open_):
            # As text, so that 0.5 stays 0.5 in every locale and 1E5 is no number.
            cell.number_format = "@"
            cell.alignment = Alignment(wrap_text=True, vertical="top")
        quoted.quotePrefix = True
        open_.protection = Protection(locked=False)
        open_.fill = PatternFill("solid", fgColor="FFF9E5")
        # A look is found once: at every cell, that would take longer than all the rest.
        self._looks = {
            name: cell._style  # noqa: SLF001 - the one way to share it
            for name, cell in (("head", head), ("text", text), ("quoted", quoted), ("open", open_))
        }

    def head(self, text: str) -> WriteOnlyCell:
        """Return a cell of the header."""
        return self._cell(text, "head")

    def text(self, text: str, *, is_open: bool = False) -> WriteOnlyCell:
        """Return a cell of text, or one to be filled in."""
        is_quoted = text.startswith(("=", "+", "-", "@", "'"))
        return self._cell(text, "open" if is_open else "quoted" if is_quoted else "text")

    def _cell(self, text: str, look: str) -> WriteOnlyCell:
        cell = self._make(self._tab, value=xml_escaped(text) or None)
        if text:
            cell.data_type = "s"
        cell._style = self._looks[look]  # noqa: SLF001 - see above
        return cell


def _validations(tab: Any, sheet: Sheet) -> None:  # noqa: ANN401 - openpyxl has no types
    from openpyxl.utils import get_column_letter  # noqa: PLC0415 - an extra
    from openpyxl.worksheet.datavalidation import DataValidation  # noqa: PLC0415 - an extra

    letters = {name: get_column_letter(at) for at, name in enumerate(sheet.columns, 1)}
    for at, (menu, rows) in enumerate(_menus(sheet).items(), 1):
        where = get_column_letter(at)
        rule = DataValidation(
            type="list", formula1=f"{MENUS_TAB}!${where}$1:${where}${len(menu)}", allow_blank=True
        )
        rule.error = "Choose from the menu, or leave the cell empty."
        rule.showErrorMessage = True
        rule.sqref = _ranges(letters[LABEL], rows)
        tab.data_validations.append(rule)
    if FLAG in letters and sheet.rows:
        flag = DataValidation(type="list", formula1=f'"{YES}"', allow_blank=True)
        flag.sqref = _ranges(letters[FLAG], range(2, len(sheet.rows) + 2))
        tab.data_validations.append(flag)


def _ranges(letter: str, rows: Sequence[int]) -> Any:  # noqa: ANN401 - openpyxl has no types
    from openpyxl.worksheet.cell_range import MultiCellRange  # noqa: PLC0415 - an extra

    return MultiCellRange(" ".join(f"{letter}{a}:{letter}{b}" for a, b in _runs(rows)))


def _runs(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    first = last = None
    for row in rows:
        if last is not None and row == last + 1:
            last = row
            continue
        if first is not None and last is not None:
            yield first, last
        first = last = row
    if first is not None and last is not None:
        yield first, last


def _help_tab(book: Workbook, sheet: Sheet) -> None:
    tab = book.create_sheet(HELP_TAB)
    tab.column_dimensions["A"].width = 24
    tab.column_dimensions["B"].width = 90
    styles = _Styles(tab)
    for left, right in instructions(sheet):
        tab.append([styles.head(left), styles.text(right)])


def instructions(sheet: Sheet) -> list[tuple[str, str]]:
    """Return what a person is told, as (heading, text)."""
    kind = "Settle the units on which others differ. " if sheet.role == "resolution" else ""
    lines = [
        ("What to do", f"{kind}{sheet.task.question} Fill in the coloured columns, row by row."),
        ("", "Rows may stay empty, and may be sorted; leave the other columns as they are."),
        ("", "Work alone, and judge what stands there, whoever wrote it."),
        *((f"label: {option.label}", option.meaning) for option in _shown_menu(sheet)),
    ]
    if FLAG in sheet.answers:
        lines.append((FLAG, f"{YES!r} where the reference itself is wrong; label the row as well"))
    if CORRECTION in sheet.answers:
        lines.append((CORRECTION, "what the reference should be, if you know"))
    lines.append((NOTE, "anything that others should know; optional"))
    return lines


def _shown_menu(sheet: Sheet) -> Sequence[Option]:
    if sheet.task.own_menu:
        own = Option(key="", label="(one of the labels)", value=None, meaning="what it names")
        return own, *sheet.task.options
    return sheet.task.options


def _menus_tab(book: Workbook, menus: dict[Menu, list[int]]) -> None:
    tab = book.create_sheet(MENUS_TAB)
    tab.sheet_state = "hidden"
    styles = _Styles(tab)
    longest = max((len(menu) for menu in menus), default=0)
    for at in range(longest):
        tab.append([styles.text(menu[at] if at < len(menu) else "") for menu in menus])
