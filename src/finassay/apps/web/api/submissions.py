"""Submissions as JSON.  In: a file of predictions.  Out: what was found, and how far it is."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Form, Path, UploadFile
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from finassay.apps.web.background import SubmissionsOf
from finassay.apps.web.desk import DeskOf
from finassay.apps.web.pages.submit import FieldsOf, file_of_form, request_of
from finassay.apps.web.people import Checked, Submitter
from finassay.apps.web.wording import for_readers
from finassay.marking.submissions.receiving import confirm, own, withdraw
from finassay.marking.submissions.records import Submission, SubmissionState
from finassay.runs.importers.report import counted_noun

router = APIRouter(prefix="/api", tags=["submissions"])

SubmissionId = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]


class LineError(BaseModel):
    """An error in a file: its line (0 for the whole file), what is wrong, how the row begins."""

    line: int
    reason: str
    snippet: str


class Coverage(BaseModel):
    """Items of a benchmark that a file answers."""

    benchmark: str
    answered: int
    items: int


class SubmissionOut(BaseModel):
    """A file that was handed in.

    Attributes:
        id: its id.
        state: refused, checked, queued, importing, marking, done, failed or withdrawn.
        system: name of the system.
        kind: model, person or baseline.
        file: name of the file.
        digest: SHA-256 of the file.
        received: when, ISO 8601 in UTC.
        rows: rows of the file.
        replies: replies that are, or would be, filed.
        duplicates: rows that say the same as an earlier one.
        coverage: one entry a benchmark.
        n_errors: errors of the file.
        errors: the first 200 of them, by line.
        problem: what is wrong beside the lines of the file.
        notes: what the sender should know.
        step: what is being done.
        steps_done: steps that are done.
        steps: steps in all.
        verdicts: verdicts that were made.
        system_id: id of the system, once it is in the study.
    """

    id: str
    state: SubmissionState
    system: str
    kind: str
    file: str
    digest: str
    received: str
    rows: int
    replies: int
    duplicates: int
    coverage: list[Coverage]
    n_errors: int
    errors: list[LineError]
    problem: str
    notes: list[str]
    step: str
    steps_done: int
    steps: int
    verdicts: int
    system_id: str


class RefusedOut(BaseModel):
    """A file that was refused: the error in short, and the submission with all its errors."""

    error: dict[str, int | str]
    submission: SubmissionOut


def told(one: Submission) -> SubmissionOut:
    """Return a submission as the API tells it."""
    check, system = one.check, one.check.system
    return SubmissionOut(
        id=one.submission_id,
        state=one.state,
        system=one.request.system,
        kind=one.request.kind,
        file=one.file,
        digest=one.digest,
        received=one.received,
        rows=check.rows,
        replies=0 if system is None else system.imported,
        duplicates=0 if system is None else system.duplicates,
        coverage=[
            Coverage(benchmark=row.benchmark, answered=row.answered, items=row.items)
            for row in check.coverage
        ],
        n_errors=check.n_errors,
        errors=[
            LineError(line=row.line, reason=for_readers(row.reason), snippet=row.snippet)
            for row in check.errors
        ],
        problem=for_readers(one.problem),
        notes=list(one.notes),
        step=one.step,
        steps_done=one.steps_done,
        steps=one.steps,
        verdicts=one.verdicts,
        system_id=one.system_id,
    )


@router.post(
    "/submit",
    dependencies=[Checked],
    status_code=201,
    response_model=SubmissionOut,
    responses={422: {"model": RefusedOut, "description": "The file has errors"}},
)
async def hand_in(
    desk: DeskOf,
    queue: SubmissionsOf,
    person: Submitter,
    file: Annotated[UploadFile, File(description="CSV, TSV, JSON, JSON Lines or XLSX.")],
    fields: FieldsOf,
    *,
    confirmed: Annotated[bool, Form(description="File and mark it if it is clean.")] = False,
) -> SubmissionOut | JSONResponse:
    """Check a file of one system's replies; nothing is filed unless `confirmed`, or later."""
    asked = request_of(fields)
    found = await run_in_threadpool(file_of_form, queue, desk, file, asked, person.name)
    if found.state == "refused":
        errors = counted_noun(found.check.n_errors, "error")
        message = for_readers(found.problem) or f"{errors} in the file; nothing was written"
        body = RefusedOut(error={"code": 422, "message": message}, submission=told(found))
        return JSONResponse(body.model_dump(), status_code=422)
    if confirmed and found.state == "checked":
        found = await _confirmed(desk, queue, person.name, found.submission_id)
    return told(found)


async def _confirmed(
    desk: DeskOf, queue: SubmissionsOf, person: str, submission_id: str
) -> Submission:
    found = await run_in_threadpool(
        lambda: confirm(desk.study, queue.ledger, submission_id, person=person)
    )
    queue.put(found.submission_id)
    return found


@router.get("/submissions/{submission_id}")
async def one_submission(
    queue: SubmissionsOf, person: Submitter, submission_id: SubmissionId
) -> SubmissionOut:
    """Return one of one's own submissions."""
    return told(await run_in_threadpool(own, queue.ledger, submission_id, person.name))


@router.post("/submissions/{submission_id}/confirm", dependencies=[Checked], status_code=202)
async def confirm_one(
    desk: DeskOf, queue: SubmissionsOf, person: Submitter, submission_id: SubmissionId
) -> SubmissionOut:
    """Let a checked file be filed and marked."""
    return told(await _confirmed(desk, queue, person.name, submission_id))


@router.post("/submissions/{submission_id}/withdraw", dependencies=[Checked])
async def withdraw_one(
    queue: SubmissionsOf, person: Submitter, submission_id: SubmissionId
) -> SubmissionOut:
    """Take a checked file back; it is deleted."""
    found = await run_in_threadpool(
        lambda: withdraw(queue.ledger, submission_id, person=person.name)
    )
    return told(found)
