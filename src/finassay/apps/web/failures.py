"""Answers when something cannot be done.  In: an error.  Out: a page, or JSON under /api."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from finassay.apps.web.desk import NeedsMoreError, StillComputingError, desk_of
from finassay.apps.web.outcomes import placeless
from finassay.apps.web.people import LoginNeededError
from finassay.apps.web.rendering import render
from finassay.errors import (
    ConflictError,
    DiskError,
    FinassayError,
    InputError,
    MissingVerdictsError,
    NoIndexError,
    RetrievalError,
    RunError,
    StudyError,
    UnknownNameError,
    UsageError,
)
from finassay.study.disk import from_library
from finassay.study.tables import UNREADABLE

_STATUS: tuple[tuple[type[FinassayError], int], ...] = (
    (StillComputingError, 202),
    (NeedsMoreError, 409),
    (UnknownNameError, 404),
    (UsageError, 400),
    (InputError, 400),
    (MissingVerdictsError, 409),
    (ConflictError, 409),
    (StudyError, 503),
    (NoIndexError, 404),
    (RetrievalError, 503),
    (RunError, 503),
    (DiskError, 503),
)


def add_failures(app: FastAPI) -> None:
    """Let an application answer errors in the form that was asked for."""

    @app.exception_handler(FinassayError)
    async def refused(request: Request, error: FinassayError) -> Response:
        return failure(request, status_of(error), placeless(request.app.state.desk, error))

    for kind in UNREADABLE:
        app.add_exception_handler(kind, _unreadable)

    @app.exception_handler(HTTPException)
    async def denied(request: Request, error: HTTPException) -> Response:
        return failure(request, error.status_code, str(error.detail), error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        told = "; ".join(
            f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}" for one in error.errors()
        )
        return failure(request, 422, told)

    @app.exception_handler(LoginNeededError)
    async def unknown(request: Request, _error: LoginNeededError) -> Response:
        if request.url.path.startswith("/api/"):
            told = "this needs a token; ask who runs the server for one"
            return failure(request, 401, told, {"WWW-Authenticate": "Bearer"})
        way = ""
        if request.method == "GET":
            query = f"?{request.url.query}" if request.url.query else ""
            way = "?" + urlencode({"next": request.url.path + query})
        return RedirectResponse(f"/login{way}", status_code=303)


async def _unreadable(request: Request, error: Exception) -> Response:
    """Return what is wrong with the study, where an error of a library stands for that."""
    desk = desk_of(request)
    ours: FinassayError | None = None
    try:
        await run_in_threadpool(desk.refuse_damage)
    except StudyError as damage:
        ours = damage
    ours = ours or from_library(error)
    if ours is None:
        raise error
    return failure(request, status_of(ours), placeless(desk, ours))


def status_of(error: FinassayError) -> int:
    """Return the HTTP status of an error that Finassay raises on purpose."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def failure(
    request: Request, status: int, message: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Return an error as JSON under /api, and as a page elsewhere."""
    if request.url.path.startswith("/api/"):
        body = {"error": {"code": status, "message": message}}
        return JSONResponse(body, status_code=status, headers=headers)
    template = "computing.html.j2" if status == 202 else "failure.html.j2"
    title = "Being computed" if status == 202 else "This cannot be shown"
    page = render(request, template, title=title, status=status, message=message, code=status)
    page.headers.update(headers or {})
    return page
