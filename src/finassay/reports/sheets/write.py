"""Writing sheets for people.  In: a study, a draw, names.  Out: a blind sheet for each, on disk."""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from finassay import stopping
from finassay.analyses.adjudication.status import conflicts_of
from finassay.errors import UsageError
from finassay.reports.sheets.xlsx import write_xlsx
from finassay.study import Study
from finassay.study.adjudication.cells import guarded
from finassay.study.adjudication.dealing import deal, in_order, require_annotators
from finassay.study.adjudication.draws import Draw
from finassay.study.adjudication.ledger import Ledger, Role
from finassay.study.adjudication.sheets import SHEET, UNIT, Sheet, make_sheet
from finassay.study.adjudication.showing import Showing
from finassay.study.labels import LabelStore

SheetFormat = Literal["csv", "xlsx"]
FORMATS: tuple[SheetFormat, ...] = get_args(SheetFormat)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetOptions:
    """How sheets are dealt and written.

    Attributes:
        formats: csv, xlsx, or both.
        overlap: share of the units that everybody labels.
        conflicts: ask these people to settle conflicts, instead of labelling.
        remaining: only what the person has not answered yet.
        labels_url: database of people's labels; the study's own file by default.
    """

    formats: tuple[SheetFormat, ...] = ("csv",)
    overlap: float = 1.0
    conflicts: bool = False
    remaining: bool = False
    labels_url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetWritten:
    """One sheet on disk.

    Attributes:
        annotator: whose it is.
        role: label or resolution.
        rows: units on it.
        files: its files, one a format.
    """

    annotator: str
    role: str
    rows: int
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetsWritten:
    """What was written for a draw.

    Attributes:
        draw: name.
        task: labelling task.
        sheets: one entry a person.
        shared: units that two people or more have.
        units: units of the draw.
        warnings: what is to be known.
    """

    draw: str
    task: str
    sheets: tuple[SheetWritten, ...]
    shared: int
    units: int
    warnings: tuple[str, ...] = ()


def write_sheets(
    study: Study,
    draw: Draw,
    annotators: Sequence[str],
    folder: str | Path,
    options: SheetOptions | None = None,
) -> SheetsWritten:
    """Write a blind sheet for each person and return what was written.

    Who was given what is kept in the ledger, so that a second call gives the same sheets, and more
    people can join later.

    Args:
        study: the study that holds the draw.
        draw: the draw.
        annotators: who labels.
        folder: directory for the files; made where it is missing.
        options: formats, overlap, conflicts.

    Raises:
        UsageError: a name or option cannot be used, or there is nothing to settle.
        MissingExtraError: XLSX was asked for and its package is not installed.
    """
    chosen = options or SheetOptions()
    require_annotators(annotators)
    showing = Showing(study.snapshot(), draw)
    role: Role = "resolution" if chosen.conflicts else "label"
    warnings: list[str] = []
    with LabelStore.of(study, url=chosen.labels_url) as store:
        ledger = Ledger(store, draw.draw_id)
        hands = _hands(ledger, draw, annotators, chosen, warnings)
        done = {(a.answer.annotator, a.answer.unit_id, a.answer.role) for a in ledger.current()}
        theirs = {name: ledger.assign(name, role, hands[name]) for name in annotators}
        every = ledger.assignments()
    out = []
    for name, units in theirs.items():
        wanted = [unit for unit in units if not (chosen.remaining and (name, unit, role) in done)]
        rows = [showing.shown(draw.by_unit[unit], name) for unit in wanted]
        fresh = [shown for shown in rows if not shown.is_stale]
        if len(fresh) < len(rows):
            warnings.append(
                f"{len(rows) - len(fresh)} units of {name} are left out: their text or item is "
                f"another one than when the draw was made"
            )
        sheet = make_sheet(draw, name, role, fresh)
        files = _write(sheet, Path(folder), chosen.formats)
        out.append(SheetWritten(annotator=name, role=role, rows=len(fresh), files=files))
    counts: dict[str, int] = {}
    for (_, held_role), units in every.items():
        if held_role == role:
            for unit in units:
                counts[unit] = counts.get(unit, 0) + 1
    return SheetsWritten(
        draw=draw.name,
        task=draw.task,
        sheets=tuple(out),
        shared=sum(n > 1 for n in counts.values()),
        units=len(draw.units),
        warnings=tuple(warnings),
    )


def _hands(
    ledger: Ledger,
    draw: Draw,
    annotators: Sequence[str],
    options: SheetOptions,
    warnings: list[str],
) -> dict[str, tuple[str, ...]]:
    assigned = ledger.assignments()
    if not options.conflicts:
        return deal(draw, annotators, overlap=options.overlap, assigned=assigned)
    current = ledger.current()
    open_units = conflicts_of(draw, current, assigned)
    if not open_units and not any((name, "resolution") in assigned for name in annotators):
        raise UsageError(
            f"draw {draw.name!r} has no conflicts to settle; import the labels of all who were "
            f"given a sheet first (until then a unit on which they differ is open), and see "
            f"`finassay adjudicate status`"
        )
    own = {(one.answer.annotator, one.answer.unit_id) for one in current}
    hands = {}
    for name in annotators:
        theirs = [unit for unit in open_units if (name, unit) not in own]
        if len(theirs) < len(open_units):
            warnings.append(
                f"{len(open_units) - len(theirs)} conflicts are not on the sheet of {name}, who "
                f"labelled them before: somebody else has to settle them"
            )
        hands[name] = in_order(draw, name, theirs)
    return hands


def sheet_csv(sheet: Sheet) -> str:
    """Return a sheet as CSV text, with a byte-order mark so that spreadsheets read it as UTF-8.

    Texts that a spreadsheet would run or convert are guarded; see `study.adjudication.cells`.
    """
    out = io.StringIO(newline="")
    out.write("\N{ZERO WIDTH NO-BREAK SPACE}")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(sheet.columns)
    for shown in sheet.rows:
        cells = sheet.cells(shown)
        # Codes are safe as they are, and must read the same in every program.
        writer.writerow(
            [
                cells[name] if name in (UNIT, SHEET) else guarded(cells[name])
                for name in sheet.columns
            ]
        )
    return out.getvalue()


def _write(sheet: Sheet, folder: Path, formats: Sequence[SheetFormat]) -> tuple[str, ...]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise UsageError(
            f"expected a directory for sheets, got {str(folder)!r}, which is a file or lies below "
            f"one; name another"
        ) from None
    stem = f"{sheet.draw}-{_file_part(sheet.annotator)}"
    stem += "-conflicts" if sheet.role == "resolution" else ""
    files = []
    for kind in dict.fromkeys(formats):
        path = folder / f"{stem}.{kind}"
        if kind == "csv":
            _aside(path, lambda target: target.write_bytes(sheet_csv(sheet).encode()))
        else:
            _aside(path, lambda target: write_xlsx(sheet, target))
        files.append(str(path))
    return tuple(files)


def _file_part(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name)


def _aside(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file whole or not at all; one that somebody filled in is kept beside it.

    Raises:
        UsageError: the file is there already: it may hold somebody's labels.
    """
    if path.exists():
        raise UsageError(
            f"{str(path)!r} is there already and may hold somebody's labels; import it, then move "
            f"it away, or name another directory"
        )
    aside = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        write(aside)
        stopping.checkpoint()
        aside.replace(path)
    finally:
        with suppress(FileNotFoundError):
            aside.unlink()
