"""Taking a file from somebody.  In: a file and what is said of it.  Out: a checked submission."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from finassay.errors import UsageError
from finassay.marking.submissions.ledger import Ledger, no_submission
from finassay.marking.submissions.records import ON_ITS_WAY, Submission, SubmissionRequest
from finassay.records import STORED
from finassay.runs.importers.checking import CheckLimits, FileCheck, check_file
from finassay.runs.importers.mapping import ColumnMap
from finassay.runs.importers.options import ImportOptions
from finassay.runs.importers.report import counted_noun
from finassay.study import Snapshot, Study

_CHUNK = 1 << 20
_FORMULA_MARKS = "=+-@"
_MARKS = ("correct", "system", "scorer", "value")
"""Parts of a table that a sender has no say in: marks are made by the study's own rules."""

STORED_NOTE = (
    "the study also holds marks that its source wrote beside the replies; nobody can make them for "
    "other replies, so this system stands under the study's own rules only"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file that came in.

    Attributes:
        submission_id: made by the ledger; the file stands in the ledger's folder under it.
        path: where it stands.
        file: the name that its sender gave it.
        person: who sent it.
    """

    submission_id: str
    path: Path
    file: str
    person: str


def receive(
    study: Study,
    ledger: Ledger,
    upload: Upload,
    request: SubmissionRequest,
    *,
    limits: CheckLimits | None = None,
) -> Submission:
    """Return the submission of a file: checked, or refused with everything that is wrong.

    Nothing is written to the study's tables.  A file that is in the study already, or on its way
    there, under the same name gives the submission that brought it.

    Raises:
        StudyError: the record cannot be kept.
        MissingExtraError: a workbook was given, and its package is not installed.
    """
    ledger.tidy(upload.person)
    request = replace(
        request, system=" ".join(unicodedata.normalize("NFC", request.system).split())
    )
    digest = _digest(upload.path)
    earlier = same_before(study, ledger, request.system, digest)
    if earlier is not None and earlier.person == upload.person:
        for path in ledger.files(upload.submission_id):
            path.unlink(missing_ok=True)
        return earlier
    problem = name_problem(request.system) or taken(study.snapshot(), ledger, request.system)
    if earlier is not None:
        problem = (
            f"this very file was handed in as {request.system!r} already; nothing is left to do"
        )
    made = Submission(
        submission_id=upload.submission_id,
        person=upload.person,
        received=datetime.now(UTC).isoformat(timespec="seconds"),
        file=_shown(upload.file),
        digest=digest,
        size_bytes=upload.path.stat().st_size,
        request=request,
        state="checked",
    )
    check = check_submission(study, made, upload.path, limits)
    is_clean = check.is_clean and not problem
    if not problem and not check.n_errors and not is_clean:
        problem = "no row of the file names an item of this study; nothing would be filed"
    if not is_clean:
        ledger.discard_files(made.submission_id)
    return ledger.write(
        replace(
            made,
            state="checked" if is_clean else "refused",
            check=check,
            problem=problem,
            notes=(*_notes(check), *_stored_note(study)),
        )
    )


def check_submission(
    study: Study, submission: Submission, path: Path, limits: CheckLimits | None = None
) -> FileCheck:
    """Return what is wrong with the file of a submission."""
    return check_file(
        study,
        path,
        options=options_of(submission),
        file=submission.file,
        unknown_items=submission.request.unknown_items,
        limits=limits,
    )


def options_of(submission: Submission) -> ImportOptions:
    """Return how the file of a submission is read, for the check and for the import alike."""
    asked = submission.request
    return ImportOptions(
        name=asked.system or "?",
        kind=asked.kind,
        mapping=ColumnMap(
            item_id=asked.item_column or None,
            prediction=asked.prediction_column or None,
            trial=asked.trial_column or None,
            without=_MARKS,
        ),
        encoding=asked.encoding,
        source=submission.source,
        received=submission.received,
    )


def same_before(study: Study, ledger: Ledger, system: str, digest: str) -> Submission | None:
    """Return the submission that brought this file under this name, or is bringing it."""
    for one in ledger.all():
        is_same = one.digest == digest and one.request.system == system
        if is_same and (one.is_on_its_way or (one.state == "done" and _holds(study, system))):
            return one
    return None


def _holds(study: Study, system: str) -> bool:
    snapshot = study.snapshot()
    ids = [spec.system_id for spec in snapshot.systems() if spec.name == system]
    return bool(ids) and _has_replies(snapshot, ids[0])


def _has_replies(snapshot: Snapshot, system_id: str) -> bool:
    held = snapshot.scan("predictions").filter(pl.col("system_id").eq(system_id))
    return held.head(1).collect().height > 0


def name_problem(name: str) -> str:
    """Return what is wrong with the name of a system; "" for nothing."""
    if not name:
        return "the system has no name; give it one"
    if name[0] in _FORMULA_MARKS:
        return f"the name of a system must not begin with {name[0]!r}, which a spreadsheet computes"
    if any(unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn"} for char in name):
        return "the name of a system must hold no control or invisible characters; type it anew"
    return ""


def taken(snapshot: Snapshot, ledger: Ledger, name: str, *, but: str = "") -> str:
    """Return why a name cannot be had; "" where it is free.

    A name that looks like another is taken too: "GPT-4" and "gpt-4" are one to a reader.

    Args:
        snapshot: the study as it is.
        ledger: what is on its way.
        name: the name.
        but: id of a submission that may have it.
    """
    wanted = _folded(name)
    for spec in snapshot.systems():
        if _folded(spec.name) == wanted and (
            spec.name != name or _has_replies(snapshot, spec.system_id)
        ):
            return (
                f"the study has a system {spec.name!r} already, with other replies; choose another "
                f"name for {name!r}"
            )
    for one in ledger.all():
        if (
            one.state in ON_ITS_WAY
            and one.submission_id != but
            and _folded(one.request.system) == wanted
        ):
            return f"a file for {one.request.system!r} is on its way already; choose another name"
    return ""


def _folded(name: str) -> str:
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def confirm(study: Study, ledger: Ledger, submission_id: str, *, person: str) -> Submission:
    """Return the submission, now queued; one that is on its way or done stays as it is.

    Raises:
        UnknownNameError: there is none of that id.
        UsageError: it is somebody else's, it has errors, or its name was taken meanwhile.
    """
    with ledger.lock("names"):
        held = own(ledger, submission_id, person)
        if held.is_on_its_way or held.state == "done":
            return held
        if held.state not in {"checked", "failed"} or not ledger.files(submission_id):
            raise UsageError(
                f"this submission cannot be confirmed: it is {held.state}; hand the file in again"
            )
        why = taken(study.snapshot(), ledger, held.request.system, but=submission_id)
        if why and held.state == "checked":
            raise UsageError(why)
        return ledger.write(replace(held, state="queued", problem="", step="waiting for its turn"))


def withdraw(ledger: Ledger, submission_id: str, *, person: str) -> Submission:
    """Return the submission, now withdrawn; its file is deleted.

    Raises:
        UnknownNameError: there is none of that id.
        UsageError: it is somebody else's, or on its way already.
    """
    with ledger.lock("names"):
        held = own(ledger, submission_id, person)
        if held.is_on_its_way or held.state == "done":
            raise UsageError(
                f"this submission cannot be withdrawn any more: it is {held.state}"
                "; hand in another file to correct it"
            )
        ledger.discard_files(submission_id)
        return ledger.write(replace(held, state="withdrawn"))


def own(ledger: Ledger, submission_id: str, person: str) -> Submission:
    """Return a submission to the person who handed it in.

    Raises:
        UnknownNameError: there is none of that id, or it is another person's.
    """
    found = ledger.get(submission_id)
    if found.person != person:
        raise no_submission(submission_id)
    return found


def _notes(check: FileCheck) -> tuple[str, ...]:
    notes = []
    told = check.system
    if told is None:
        return ()
    if told.duplicates:
        again = counted_noun(told.duplicates, "row")
        notes.append(f"{again} said the same as an earlier one, counted once")
    if check.n_skipped:
        skipped = counted_noun(check.n_skipped, "row")
        notes.append(f"left out, since the study does not hold the items: {skipped}")
    if told.other_references:
        other = counted_noun(told.other_references, "row")
        notes.append(f"{other} with another reference than the item's; only the item's is used")
    if told.other_questions or told.cut_questions:
        n = told.other_questions + sum(count for _, count in told.cut_questions)
        rows = counted_noun(n, "row")
        notes.append(f"{rows} with another question than the item's, or a cut one")
    if told.cap is not None:
        notes.append(f"replies may be cut: {told.cap}")
    unread = [name for name in check.columns if name not in _used(check)]
    if unread:
        notes.append(f"columns that are not read: {', '.join(unread[:20])}")
    return tuple(notes)


def _stored_note(study: Study) -> tuple[str, ...]:
    """Return what a sender must know where the source of a study marked its systems itself."""
    if STORED not in study.snapshot().scorer_ids():
        return ()
    return (STORED_NOTE,)


def _used(check: FileCheck) -> set[str]:
    return set() if check.mapping is None else {column for _, column in check.mapping.parts}


def _digest(path: Path) -> str:
    hashed = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            hashed.update(chunk)
    return hashed.hexdigest()


def _shown(name: str) -> str:
    """Return the last part of a file's name, without what has no place in a line of text."""
    last = name.replace("\\", "/").rpartition("/")[2]
    kept = "".join(
        char for char in last if unicodedata.category(char)[0] not in "CZ" or char == " "
    )
    return kept.strip()[-100:] or "file"
