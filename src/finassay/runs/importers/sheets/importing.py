"""Recording filled-in sheets.  In: files and their draw.  Out: answers in the ledger, and verdicts.

All rows of all files are checked first; with one that cannot be used nothing is recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from finassay.errors import BadRowsError, MappingError, UsageError
from finassay.runs.importers._rows import BadRow
from finassay.runs.importers.sheets.checking import RowCheck
from finassay.runs.importers.sheets.reading import SheetFile, read_sheet_file
from finassay.study import Commit, Study
from finassay.study.adjudication.draw_files import draw_names, read_draw
from finassay.study.adjudication.draws import Draw
from finassay.study.adjudication.filing import file_answers, label_of
from finassay.study.adjudication.ledger import Ledger, UnitAnswer
from finassay.study.adjudication.sheets import answer_columns, sheet_code
from finassay.study.adjudication.showing import Showing
from finassay.study.labels import LabelStore

SHOWN_ROWS = 20
"""Bad rows that an error names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRead:
    """One file.

    Attributes:
        file: its name.
        digest: its SHA-256.
        rows: rows with anything in them.
    """

    file: str
    digest: str
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetsImported:
    """What came of importing sheets.

    Attributes:
        draw: name.
        task: labelling task.
        files: one entry a file.
        annotators: whose answers they are.
        new: answers that are new.
        revised: answers that change an earlier one, which is kept.
        unchanged: answers that were recorded before.
        blank: rows without a label.
        kept: of these, rows whose earlier label stays.
        flagged: answers that say the reference is wrong.
        verdicts: partitions of the study that changed.
        notes: what is to be known.
    """

    draw: str
    task: str
    files: tuple[SheetRead, ...]
    annotators: tuple[str, ...]
    new: int
    revised: int
    unchanged: int
    blank: int
    kept: int
    flagged: int
    verdicts: int
    notes: tuple[str, ...] = ()


def import_sheets(
    study: Study,
    draw: Draw,
    paths: Sequence[str | Path],
    *,
    recorded_by: str = "",
    encoding: str = "utf-8",
    labels_url: str | None = None,
) -> SheetsImported:
    """Record the answers of filled-in sheets, and write them as verdicts of the people.

    Importing a file again changes nothing; a changed answer becomes a revision; an emptied label
    stays as it was.

    Args:
        study: the study that holds the draw.
        draw: the draw.
        paths: CSV or XLSX files, of one person or several.
        recorded_by: who brings them in.
        encoding: of CSV files.
        labels_url: database of people's labels; the study's own file by default.

    Raises:
        UsageError: no file is named.
        InputError: a file cannot be read.
        MappingError: a file is no sheet, or lacks a column to be filled in.
        BadRowsError: rows cannot be used; nothing was recorded.
        ConflictError: other writers kept recording first.
    """
    if not paths:
        raise UsageError("name at least one sheet to import, got none")
    files = [read_sheet_file(path, encoding=encoding) for path in paths]
    for file in files:
        _require_columns(file, draw)
    showing = Showing(study.snapshot(), draw)
    with LabelStore.of(study, url=labels_url) as store:
        ledger = Ledger(store, draw.draw_id)
        assigned = ledger.assignments()
        others = _other_sheets(study, store, draw)
        check = RowCheck(draw, showing, assigned, others=others, recorded_by=recorded_by)
        for file in files:
            check.take(file)
        found = check.found
        _refuse(found.bad)
        answers = list(found.answers.values())
        labels = [label_of(draw, answer) for answer in answers]
        before = {(a.answer.unit_id, a.answer.annotator, a.answer.role) for a in ledger.current()}
        done = ledger.record(answers, labels)
        commits = file_answers(study, draw, store)
    who = {sheet_code(draw, *whose): whose for whose in assigned}
    kept = sum((unit, *who[code]) in before for code, unit in found.blank)
    return SheetsImported(
        draw=draw.name,
        task=draw.task,
        files=tuple(SheetRead(file=f.name, digest=f.digest, rows=len(f.rows)) for f in files),
        annotators=tuple(sorted({answer.annotator for answer in answers})),
        new=done.new,
        revised=done.revised,
        unchanged=done.unchanged,
        blank=len(found.blank),
        kept=kept,
        flagged=_flagged(answers),
        verdicts=_changed(commits),
        notes=(*found.notes, *_kept_note(kept)),
    )


def _require_columns(file: SheetFile, draw: Draw) -> None:
    if not file.rows and not file.bad:
        raise MappingError(
            f"{file.name}: the sheet has no rows below its header; expected the rows that "
            f"`finassay adjudicate sheet` wrote"
        )
    missing = [name for name in answer_columns(draw) if name not in file.columns]
    if missing:
        raise MappingError(
            f"{file.name}: a sheet of draw {draw.name!r} has the columns "
            f"{', '.join(answer_columns(draw))} to fill in, missing is {', '.join(missing)}; "
            f"restore them, empty if need be"
        )


def _other_sheets(study: Study, store: LabelStore, draw: Draw) -> dict[str, str]:
    """Return the names of the study's other draws by the codes of their sheets."""
    found = {}
    for name in draw_names(study):
        if name != draw.name:
            other = read_draw(study, name)
            for who in Ledger(store, other.draw_id).assignments():
                found[sheet_code(other, *who)] = name
    return found


def _refuse(rows: Sequence[BadRow]) -> None:
    if not rows:
        return
    shown = "\n  ".join(str(row) for row in rows[:SHOWN_ROWS])
    more = f"\n  and {len(rows) - SHOWN_ROWS} more" if len(rows) > SHOWN_ROWS else ""
    raise BadRowsError(
        f"{len(rows)} row{'s' if len(rows) > 1 else ''} cannot be used, so nothing was recorded; "
        f"correct them and import again:\n  {shown}{more}"
    )


def _flagged(answers: Sequence[UnitAnswer]) -> int:
    return sum(answer.reference_wrong for answer in answers)


def _changed(commits: Sequence[Commit]) -> int:
    return sum(commit.changed for commit in commits)


def _kept_note(kept: int) -> tuple[str, ...]:
    if not kept:
        return ()
    return (f"{kept} labels were emptied since the last import; the earlier ones stay",)
