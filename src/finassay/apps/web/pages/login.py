"""Login and logout.  In: a token, in the body of a form.  Out: a session's cookie."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from finassay.apps.web.gate import Gate, gate_of
from finassay.apps.web.people import Checked, MaybePerson, checked, limited, too_many, whose_request
from finassay.apps.web.rendering import render
from finassay.study.people import LONGEST_SECRET
from finassay.study.sessions import SESSION_HOURS

router = APIRouter(include_in_schema=False)

LOGINS_PER_MINUTE = 120
"""Logins that may be tried from an address; a team behind a proxy has one."""

WRONG_PER_MINUTE = 10
"""Wrong tokens that an address may try to log in with; good ones are not counted."""

VISIT_HOURS = 1.0
"""How long the form of the login page can be sent."""

SECONDS_PER_HOUR = 3600

LONGEST_WAY = 500
"""Most characters of the address to go back to after the login."""

WRONG = (
    "This token is nobody's here, or was revoked. Check that it was copied whole; whoever runs "
    "the server makes a new one with: finassay people add STUDY NAME"
)


@router.get("/login")
def login(
    request: Request,
    person: MaybePerson,
    back: Annotated[str, Query(alias="next", max_length=LONGEST_WAY)] = "/",
) -> Response:
    """Return the page that asks for a token."""
    # Where nobody could log in, the page says why instead of asking.
    _ = gate_of(request).desk.store
    return _page(request, back=back, status=200, problem="", is_known=person is not None)


def _page(request: Request, *, back: str, status: int, problem: str, is_known: bool) -> Response:
    gate = gate_of(request)
    name = gate.visit_cookie(request)
    fresh = "" if gate.form_token(request) else secrets.token_urlsafe(32)
    if fresh:
        request.state.visit = fresh
    page = render(
        request,
        "login.html.j2",
        title="Log in",
        status=status,
        back=own_path(back),
        problem=problem,
        is_known=is_known,
    )
    if fresh:
        _set_cookie(page, gate, request, name=name, value=fresh, hours=VISIT_HOURS)
    return page


@router.post("/login", dependencies=[Depends(limited("login", per_minute=LOGINS_PER_MINUTE))])
async def log_in(
    request: Request,
    token: Annotated[str, Form(max_length=LONGEST_SECRET)],
    back: Annotated[str, Form(alias="next", max_length=LONGEST_WAY)] = "/",
) -> Response:
    """Start a session, always a new one, and go on to the page that asked for it."""
    await checked(request)
    return await run_in_threadpool(_log_in, request, token.strip(), back)


def _refuse_after(wait_s: float | None) -> None:
    if wait_s is not None:
        raise too_many(wait_s)


def _log_in(request: Request, token: str, back: str) -> Response:
    gate = gate_of(request)
    counted = ("wrong login", whose_request(request))
    # Looked at first, so that an address that guesses does not even learn of a right guess.
    _refuse_after(gate.limiter.wait(counted, limit=WRONG_PER_MINUTE))
    person = gate.people.with_token(token)
    if person is None:
        _refuse_after(gate.limiter.take(counted, limit=WRONG_PER_MINUTE))
        return _page(request, back=back, status=401, problem=WRONG, is_known=False)
    before = gate.session(request)
    if before:
        gate.sessions.end(before)
    session = gate.sessions.begin(person)
    answer = RedirectResponse(own_path(back), status_code=303)
    _set_cookie(
        answer,
        gate,
        request,
        name=gate.cookie(request),
        value=session,
        hours=SESSION_HOURS,
    )
    _drop_cookie(answer, gate, request, gate.visit_cookie(request))
    return answer


@router.post("/logout", dependencies=[Checked])
def logout(request: Request) -> Response:
    """End the session, here and for whoever holds a copy of its cookie."""
    gate = gate_of(request)
    session = gate.session(request)
    if session:
        gate.sessions.end(session)
    answer = RedirectResponse("/", status_code=303)
    _drop_cookie(answer, gate, request, gate.cookie(request))
    return answer


def _set_cookie(
    answer: Response, gate: Gate, request: Request, *, name: str, value: str, hours: float
) -> None:
    answer.set_cookie(
        name,
        value,
        max_age=int(hours * SECONDS_PER_HOUR),
        path="/",
        secure=gate.is_secure(request),
        httponly=True,
        samesite="strict",
    )


def _drop_cookie(answer: Response, gate: Gate, request: Request, name: str) -> None:
    answer.delete_cookie(
        name, path="/", secure=gate.is_secure(request), httponly=True, samesite="strict"
    )


def own_path(text: str) -> str:
    """Return an address of this server to go to, "/" for whatever leads elsewhere."""
    is_own = text.startswith("/") and not text.startswith(("//", "/\\"))
    is_plain = text.isascii() and text.isprintable() and not set(text) & set(' "<>\\^`{|}')
    return text if is_own and is_plain else "/"
