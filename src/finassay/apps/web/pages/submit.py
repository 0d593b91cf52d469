"""Submit: a file of predictions, checked line by line, confirmed, then marked."""

from __future__ import annotations

import shutil
from pathlib import PurePosixPath
from typing import Annotated

from fastapi import APIRouter, Depends, File, Form, Query, Request, UploadFile
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from finassay.apps.web.background import SubmissionsOf
from finassay.apps.web.desk import Desk, DeskOf
from finassay.apps.web.outcomes import placeless
from finassay.apps.web.people import Checked, Submitter
from finassay.apps.web.rendering import render
from finassay.apps.web.site import target_of
from finassay.errors import FinassayError, StudyError, UsageError
from finassay.marking.submissions.queue import SubmissionQueue
from finassay.marking.submissions.receiving import Upload, confirm, own, receive, withdraw
from finassay.marking.submissions.records import (
    ENCODINGS,
    Submission,
    SubmissionRequest,
)
from finassay.records import SYSTEM_KINDS, SystemKind
from finassay.runs.importers.checking import ENDINGS, CheckLimits

router = APIRouter(include_in_schema=False)

ID = Annotated[str, Query(alias="id", max_length=32)]
FormId = Annotated[str, Form(alias="id", max_length=32)]
Short = Annotated[str, Form(max_length=200)]


def file_of_form(
    queue: SubmissionQueue,
    desk: Desk,
    upload: UploadFile,
    request: SubmissionRequest,
    person: str,
) -> Submission:
    """Return the submission of an uploaded file; copies it under a name drawn by chance.

    Raises:
        UsageError: the file is none that is read, or too large.
        StudyError: it cannot be kept, as on a full disk.
    """
    name = upload.filename or ""
    ending = PurePosixPath(name.replace("\\", "/")).suffix.lower()
    if ending not in ENDINGS:
        raise UsageError(
            f"the file must end in one of {', '.join(ENDINGS)}, got {name[-60:]!r}; compressed "
            f"files are not unpacked"
        )
    submission_id = queue.ledger.new_id()
    path = queue.ledger.spool(submission_id, ending)
    try:
        with path.open("wb") as out:
            shutil.copyfileobj(upload.file, out)
        if path.stat().st_size > desk.settings.max_upload_bytes:
            raise UsageError(
                f"the file must have at most {desk.settings.max_upload_bytes:,} bytes, got "
                f"{path.stat().st_size:,}; split it"
            )
        handed = Upload(submission_id=submission_id, path=path, file=name, person=person)
        return receive(desk.study, queue.ledger, handed, request)
    except FinassayError:
        path.unlink(missing_ok=True)
        raise
    except OSError as error:
        path.unlink(missing_ok=True)
        raise StudyError(
            f"the file cannot be kept: {error.strerror}; tell whoever runs this server, and hand "
            f"it in again"
        ) from error


def fields_of_form(
    system: Short = "",
    kind: Short = "model",
    item_column: Short = "",
    prediction_column: Short = "",
    trial_column: Short = "",
    encoding: Short = "utf-8",
    unknown_items: Short = "error",
) -> dict[str, str]:
    """Return the fields of the form, the file aside, as they were typed."""
    return {
        "system": system,
        "kind": kind,
        "encoding": encoding,
        "unknown_items": unknown_items,
        "item_column": item_column,
        "prediction_column": prediction_column,
        "trial_column": trial_column,
    }


FieldsOf = Annotated[dict[str, str], Depends(fields_of_form)]


def request_of(fields: dict[str, str]) -> SubmissionRequest:
    """Return what a form says of its file.

    Raises:
        UsageError: a field has a value that it cannot have.
    """
    kinds: dict[str, SystemKind] = {kind: kind for kind in SYSTEM_KINDS}
    kind = fields.get("kind") or "model"
    if kind not in kinds:
        raise UsageError(f"`kind` must be one of {', '.join(SYSTEM_KINDS)}, got {kind!r}")
    unknown = fields.get("unknown_items") or "error"
    if unknown not in {"error", "skip"}:
        raise UsageError(f"`unknown_items` must be error or skip, got {unknown!r}")
    return SubmissionRequest(
        system=fields.get("system", ""),
        kind=kinds[kind],
        item_column=fields.get("item_column", ""),
        prediction_column=fields.get("prediction_column", ""),
        trial_column=fields.get("trial_column", ""),
        encoding=fields.get("encoding") or "utf-8",
        unknown_items="skip" if unknown == "skip" else "error",
    )


@router.get("/submit", response_class=HTMLResponse)
async def submit(
    request: Request,
    desk: DeskOf,
    queue: SubmissionsOf,
    person: Submitter,
    submission_id: ID = "",
) -> HTMLResponse:
    """Show the form with one's submissions, or one of them."""
    if submission_id:
        found = await run_in_threadpool(own, queue.ledger, submission_id, person.name)
        return _one(request, queue, found)
    everything = await run_in_threadpool(queue.ledger.all)
    mine = [one for one in everything if one.person == person.name]
    return _form(request, desk, mine)


def _form(
    request: Request,
    desk: Desk,
    mine: list[Submission],
    *,
    problem: str = "",
    asked: SubmissionRequest | None = None,
) -> HTMLResponse:
    return render(
        request,
        "submit.html.j2",
        title="Submit predictions",
        status=400 if problem else 200,
        mine=mine,
        problem=problem,
        asked=asked or SubmissionRequest(system=""),
        kinds=SYSTEM_KINDS,
        encodings=ENCODINGS,
        endings=ENDINGS,
        limits=CheckLimits(),
        most_mib=desk.settings.max_upload_bytes // (1024 * 1024),
    )


def _one(request: Request, queue: SubmissionQueue, found: Submission) -> HTMLResponse:
    return render(
        request,
        "submission.html.j2",
        title=f"Submission: {found.request.system or found.file}",
        one=found,
        before=queue.place(found.submission_id),
    )


@router.post("/submit", dependencies=[Checked])
async def hand_in(
    request: Request,
    desk: DeskOf,
    queue: SubmissionsOf,
    person: Submitter,
    file: Annotated[UploadFile, File()],
    fields: FieldsOf,
) -> Response:
    """Check a file, and go on to what was found."""
    try:
        asked = request_of(fields)
        found = await run_in_threadpool(file_of_form, queue, desk, file, asked, person.name)
    except UsageError as error:
        return _form(request, desk, [], problem=placeless(desk, error))
    return _to(found)


def _to(found: Submission) -> RedirectResponse:
    url = target_of("submit", {"id": found.submission_id}).url
    return RedirectResponse(url, status_code=303)


@router.post("/submit/confirm", dependencies=[Checked])
async def confirm_one(
    desk: DeskOf, queue: SubmissionsOf, person: Submitter, submission_id: FormId
) -> RedirectResponse:
    """Let a checked file be filed and marked."""
    found = await run_in_threadpool(
        lambda: confirm(desk.study, queue.ledger, submission_id, person=person.name)
    )
    queue.put(found.submission_id)
    return _to(found)


@router.post("/submit/withdraw", dependencies=[Checked])
async def withdraw_one(
    queue: SubmissionsOf, person: Submitter, submission_id: FormId
) -> RedirectResponse:
    """Take a checked file back; it is deleted."""
    found = await run_in_threadpool(
        lambda: withdraw(queue.ledger, submission_id, person=person.name)
    )
    return _to(found)


@router.get("/submit/progress", response_class=HTMLResponse)
async def show_progress(
    request: Request, queue: SubmissionsOf, person: Submitter, submission_id: ID
) -> HTMLResponse:
    """Return the part of the page that says how far a submission has come."""
    found = await run_in_threadpool(own, queue.ledger, submission_id, person.name)
    before = queue.place(found.submission_id)
    return render(request, "_progress.html.j2", title="Progress", one=found, before=before)
